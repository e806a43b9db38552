#!/bin/sh
# What measures on a GPU, with a stand-in for collsim-cuda: steps that are done
# are not done again, and what fails or is found makes it fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
echo 1..6
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

# result NAME STATUS
result() {
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/said"
    fi
}

measure() {
    PATH="$work/bin:$PATH" validate/cuda/measure.sh "$@" >"$work/said" 2>&1
}

mkdir "$work/bin" "$work/tables"
touch "$work/tables/ring-2.table"
cat >"$work/program" <<'END'
#!/bin/sh
echo "$*" >>"${0%/*}/calls"
case "$*" in "$(cat "${0%/*}/bad" 2>/dev/null)"*) exit 1;; esac
echo "{\"gpus\": 1, \"ran\": \"$1\"}"
END
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
case "$*" in *racecheck*--error-exitcode*) exit 9;; esac
echo 'ERROR SUMMARY: 0 errors'
END
chmod +x "$work/program" "$work/bin/compute-sanitizer"
echo calibrate >"$work/bad"

measure --part 1 "$work/program" "$work/tables" "$work/out"
[ $? = 1 ] && grep -q 'calibrate: exit status 1' "$work/said"
result 'a step that fails makes it fail' $?
grep -q 'racecheck: exit status 9' "$work/said"
result 'what compute-sanitizer finds makes it fail' $?
[ "$(wc -l <"$work/out/measured.jsonl")" = 5 ]
result 'lines of the steps that are done are kept' $?

printf '#!/bin/sh\n' >"$work/bin/compute-sanitizer"
echo none >"$work/bad"
: >"$work/calls"
cp "$work/out/measured.jsonl" "$work/before"
measure --part 1 "$work/program" "$work/tables" "$work/out"
[ "$(cat "$work/calls")" = calibrate ] &&
    head -n 5 "$work/out/measured.jsonl" | cmp -s - "$work/before" &&
    [ "$(wc -l <"$work/out/measured.jsonl")" = 6 ]
result 'what was done is not done again' $?

measure --part 2 "$work/program" "$work/tables" "$work/out" &&
    grep -q -- '--table .*/tree-16.table -b 4KiB' "$work/calls" &&
    measure --part 3 "$work/program" "$work/tables" "$work/out"
result 'each part is a call' $?
measure --part 4 "$work/program" "$work/tables" "$work/out"
[ $? = 2 ] && grep -q "no part '4'" "$work/said"
result 'a part that is not there is refused' $?
