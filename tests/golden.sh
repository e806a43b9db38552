#!/bin/sh
# Runs a golden transcript and compares; speaks TAP.
#
#     tests/golden.sh FILE.t             compare
#     tests/golden.sh --update FILE.t    rewrite what is expected
#
# A transcript is "$ command", then stdout and stderr together, literally,
# then "? status" when it is not 0:
#
#     # Comments stand before the first command, after a "? status", or after
#     # an empty line that ends the output.
#     $ collsim --topo nosuch
#     collsim: no machine called 'nosuch'
#     ? 2
#
# Empty lines at the end of an output do not count, nor does the progress that
# a slow machine prints.  The commands of a file run one after the other in one
# new directory, with the program under test (COLLSIM, default ./collsim) as
# `collsim`.  "# needs: PROGRAM" at the top skips the file where PROGRAM is not
# installed.
set -u

update=no
if [ "${1-}" = --update ]; then
    update=yes
    shift
fi
file=$1
subject=$(basename "$file" .t)

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/bin" "$work/cases" "$work/here"
ln -s "$(realpath "${COLLSIM-./collsim}")" "$work/bin/collsim"

# Cuts the transcript into cases/N.{command,expected,status,gap}; the gap is
# what stands between a case and the next, comments and empty lines.
awk -v cases="$work/cases" '
    function put(kind, text) { printf "%s", text >(cases "/" n "." kind) }
    function finish(   end, i, expected, gap) {
        end = asked ? asked : lines + 1
        if (!asked) {
            for (i = lines; i > 0 && (line[i] == "" || line[i] ~ /^#/); i--)
                if (line[i] == "")
                    end = i
        }
        for (i = 1; i < end; i++)
            expected = expected line[i] "\n"
        for (i = end + (asked > 0); i <= lines; i++)
            gap = gap line[i] "\n"
        put("expected", expected)
        put("gap", gap)
        if (n > 0)
            put("status", asked ? substr(line[asked], 3) : "")
        lines = asked = 0
    }
    BEGIN { n = 0 }
    /^\$ / { finish(); n++; put("command", substr($0, 3)); next }
    {
        line[++lines] = $0
        if ($0 ~ /^\? [0-9]+$/) asked = lines
    }
    END { finish(); print n >(cases "/count") }
' "$file"
count=$(cat "$work/cases/count")

needs=$(sed -n '/^\$ /q; s/^# needs: *//p' "$file")
for program in $needs; do
    if ! command -v "$program" >/dev/null 2>&1; then
        if [ $update = yes ]; then
            echo "$file left as it is: no $program here" >&2
        else
            echo "1..0 # SKIP no $program here"
        fi
        exit 0
    fi
done

run() {
    (
        cd "$work/here" || exit 126
        export PATH="$work/bin:$PATH" COLUMNS=100 NO_COLOR=1 LC_ALL=C
        unset COLLSIM
        exec sh -c "$1"
    ) </dev/null >"$work/output" 2>&1
    status=$?
    if [ -s "$work/output" ] && [ -n "$(tail -c 1 "$work/output")" ]; then
        printf '\n\\ no newline at the end\n' >>"$work/output"
    fi
    trim "$work/output"
}

# Drops lines of progress, and the empty lines at the end of a file.
trim() {
    awk '/, about [^,;]* to go(;|$)/ { next }
         /^$/ { empty++; next }
         { while (empty > 0) { print ""; empty-- } print }' "$1" >"$1.trimmed"
    mv "$1.trimmed" "$1"
}

judge() {
    expected=$(cat "$work/cases/$1.status")
    : "${expected:=0}"
    trim "$work/cases/$1.expected"
    if cmp -s "$work/output" "$work/cases/$1.expected" &&
        [ "$status" = "$expected" ]; then
        printf 'ok %d - %s: %s\n' "$1" "$subject" "$command"
        return
    fi
    failed=1
    printf 'not ok %d - %s: %s\n' "$1" "$subject" "$command"
    [ "$status" = "$expected" ] ||
        echo "# exit status $status, expected $expected"
    diff -u --label expected --label got "$work/cases/$1.expected" \
        "$work/output" | sed 's/^/# /'
}

# The status is written where it says something, where it was, and where the
# output could be taken for a comment.
rewrite() {
    printf '$ %s\n' "$command"
    cat "$work/output"
    if [ "$status" != 0 ] || [ -s "$work/cases/$1.status" ] ||
        grep -q '^#' "$work/output"; then
        echo "? $status"
    fi
    cat "$work/cases/$1.gap"
}

failed=0
n=0
if [ $update = yes ]; then
    cat "$work/cases/0.expected" "$work/cases/0.gap" >"$work/new"
else
    echo "1..$count"
fi
while [ $n -lt "$count" ]; do
    n=$((n + 1))
    command=$(cat "$work/cases/$n.command")
    run "$command"
    if [ $update = yes ]; then
        rewrite $n >>"$work/new"
    else
        judge $n
    fi
done
if [ $update = yes ] && ! cmp -s "$work/new" "$file"; then
    cat "$work/new" >"$file"
    echo "rewrote $file"
fi
exit $failed
