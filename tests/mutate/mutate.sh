#!/bin/sh
# Changes the product by one token at a time, and says which changes the tests see.
#
#     make mutate                              a sample of MUTANTS=300 by SEED=1
#     make mutate FILES='sim/engine topo/documents/yaml.c'
#     make mutate BY=tests/unit              by a part of the tests
#     make mutate NAME="sim/engine/run.c:123:17 '<' -> '<='"
#
# All of it is in build/mutate, a copy of the sources included.  The product is a shared
# library there, so that a mutant takes one compilation and one link.  A build that
# records blocks (MODE=reach) says once which tests reach which line; a mutant is run by
# those only, to the first that fails: the test of its own file, then from the shortest to
# the longest (those of the same folder as if they took a quarter; none that takes more than
# TEST_SECONDS=60, a whole number), NEAR_SECONDS=20 of them
# before the command lines, the others where a command line prints something else.  Unit
# and property tests, replays of the fuzz corpora and golden transcripts count; scripts of
# tests/system do not.
#
# A mutant is
#     same        not counted: its object is that of the original (or it does not compile)
#     caught      a test fails, crashes, or takes longer than five times its own time
#     changed     no test fails, and a command line of tests/mutate/commands.txt or
#                 tests/portable/commands.txt prints something else, and not only a number
#                 that is off by a billionth
#     unseen      none of these fails and no output changes
#     unreached   no test and no command line runs its line
#
# tests/mutate/survivors has survivors that are right to survive, with the reason.
# Exit status 1 where under 90 % of those that change an output (caught and changed) are
# caught, or one that changed an output has no reason there.  Stopped, it goes on where
# it was, as long as no source has changed.  VERBOSE=1 prints each verdict.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

MUTANTS=${MUTANTS:-300} SEED=${SEED:-1} JOBS=${JOBS:-2} TEST_SECONDS=${TEST_SECONDS:-60}
NEAR_SECONDS=${NEAR_SECONDS:-20}
here=$PWD/build/mutate
tree=$here/tree
export here tree TEST_SECONDS NEAR_SECONDS
memory=$(df -P /dev/shm >/dev/null 2>&1 && echo /dev/shm || echo "${TMPDIR:-/tmp}")
gib=1048576 # in KiB, for ulimit

# ---------------------------------------------------------------- one test

# A command in at most $clock seconds; it ends with the script, at Ctrl-C too.
clocked() {
    timeout -k 2 "$clock" "$@" &
    # shellcheck disable=SC2064 # of this process
    trap "kill $!; exit 130" HUP INT TERM
    wait $!
}

# Whether two outputs are the same but for the last digits of numbers with a point.
same_but_digits() {
    awk '
        function number(text) { return text ~ /^-?[0-9]*[.][0-9]+(e[-+]?[0-9]+)?$/ }
        function size(x) { return x < 0 ? -x : x }
        function same(x, y) {
            return x == y || number(x) && number(y) && size(x - y) <= 1e-9 * size(x)
        }
        FNR == NR { line[lines = FNR] = $0; next }
        {
            n = split(line[FNR], before, /[ ,]+/)
            differs += FNR > lines || split($0, after, /[ ,]+/) != n
            for (i = 1; i <= n; i++)
                differs += !same(before[i] "", after[i] "")
        }
        END { exit differs > 0 || FNR != lines }' "$1" "$2"
}

# The test $1 with the library in the folder $2; what it prints goes to the file $3, in at
# most $4 seconds of a core.
start() (
    cd "$tree" || exit 1
    export LD_LIBRARY_PATH="$2" COLLSIM="$tree/build/mutate/collsim" COLUMNS=100 NO_COLOR=1
    # shellcheck disable=SC3045 # dash and bash know them
    ulimit -S -t "$4" && ulimit -v $((6 * gib)) && ulimit -f $((gib / 4)) && ulimit -c 0
    clock=$(($4 * 10))
    case $1 in
    commands/*)
        line=$(sed -n "${1#commands/}p" "$here/commands")
        eval "clocked $COLLSIM $line" >"$3" 2>"$3.errors"
        echo "status $?" >>"$3"
        grep -v " to go" "$3.errors" >>"$3" # progress
        [ ! -e "$here/answers/${1#commands/}" ] || cmp -s "$3" "$here/answers/${1#commands/}" ||
            same_but_digits "$3" "$here/answers/${1#commands/}"
        ;;
    *.t) clocked tests/golden.sh "$1" >"$3" 2>&1 ;;
    *_replay)
        name=${1##*/fuzz_}
        clocked "build/mutate/$1" "tests/fuzz/corpus/${name%_replay}" >"$3" 2>&1
        ;;
    *) CMOCKA_MESSAGE_OUTPUT=TAP clocked "build/mutate/$1" >"$3" 2>&1 ;;
    esac
) </dev/null

slug() { printf '%s' "$1" | tr -c 'A-Za-z0-9_.-' '_'; }

# Of what `times` writes, the seconds of a core that children took.
core_seconds() {
    awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$1"
}

# Runs a test as it is, and records what it reaches and how long it takes.
reach_one() {
    name=$(slug "$1")
    case $1 in
    commands/*) of=$(sed -n "${1#commands/}p" "$here/commands" | cksum) ;;
    *.t) of=$(cksum <"$tree/$1") ;;
    *_replay)
        of=${1##*/fuzz_}
        of=$(cat "$tree/build/mutate/$1" "$tree/tests/fuzz/corpus/${of%_replay}"/* | cksum)
        ;;
    *) of=$(cksum <"$tree/build/mutate/$1") ;;
    esac
    of=${of% *}
    [ "$(cut -d' ' -f3,5 "$here/reach/$name.time" 2>/dev/null)" != "0 $of" ] || exit 0
    rm -f "$here/reach/$name".* "$here/answers/${1#commands/}"
    work=$(TMPDIR=$memory mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    (export COLLSIM_REACH="$work/map"
        start "$1" "$tree/build/reach" "$work/reached" $((TEST_SECONDS * 4)))
    status=$?
    times >"$work/times"
    seconds=$(core_seconds "$work/times")
    case $1 in
    commands/*) # one that answers otherwise the second time is not used
        start "$1" "$tree/build/mutate" "$work/said" $((TEST_SECONDS * 2))
        cmp -s "$work/said" "$work/reached" || status=1
        cp "$work/said" "$here/answers/${1#commands/}"
        ;;
    esac
    # A test of headers alone does not load the library.
    [ -e "$work/map" ] || : >"$work/map"
    "$here/reach_tool" pack "$work/map" "$here/reach/$name.list"
    [ $status = 0 ] || cp "$work/reached" "$here/reach/$name.failed"
    echo "$1 $name.list $status $seconds $of" >"$here/reach/$name.time"
}

# ---------------------------------------------------------------- one mutant

# Compiles $2, a text of the source $1, to $3, as the tree compiles it: the same text gives
# the same bytes.  "-O2" as $4 replaces the level.
compile() {
    mkdir -p "$work/source/${1%/*}"
    cp "$2" "$work/source/$1"
    (cd "$work/source" && eval "$(cat "$tree/build/mutate/flags") -w -I$tree ${4-}" \
        -c -o "$3" "$1") >/dev/null 2>&1
}

apply() {
    name=$2 awk '
        BEGIN {
            name = ENVIRON["name"]
            match(name, /:[0-9]+:[0-9]+ /)
            split(substr(name, RSTART + 1), at, /[: ]/)
            edit = substr(name, RSTART + RLENGTH)
            cut = index(edit, "\047 -> \047")
            old = substr(edit, 2, cut - 2)
            new = substr(edit, cut + 6)
            new = substr(new, 1, length(new) - 1)
        }
        NR == at[1] {
            if (substr($0, at[2], length(old)) != old)
                exit 2
            $0 = substr($0, 1, at[2] - 1) new substr($0, at[2] + length(old))
        }
        { print }' "$tree/$1"
}

# Whether one of the tests in the file $work/$1 fails on the mutant; then $test.
fails() {
    while read -r _ _ seconds test; do
        limit=$(echo "$seconds" | awk '{ print int(5 * $1) + 5 }')
        start "$test" "$work/lib" "$work/said" "$limit" 2>/dev/null && continue
        # On a busy machine a test may fail by itself: a slow run prints its progress.
        ! start "$test" "$tree/build/mutate" "$work/said" "$limit" 2>/dev/null || return 0
    done <"$work/$1"
    return 1
}

verdict() {
    file=${mutant%%:*}
    place=$(printf '%s' "$mutant" | cut -d: -f1,2)
    object=build/mutate/${file%.c}.o
    apply "$file" "$mutant" >"$work/text.c" || { echo stale; return; }
    compile "$file" "$work/text.c" "$work/mutant.o" || { echo same; return; }
    ! cmp -s "$work/mutant.o" "$tree/$object" || { echo same; return; }

    awk -v place="$place" -v own="tests/unit/${file%.c}_test" '
        BEGIN { beside = own; sub(/[^\/]*$/, "", beside) }
        FNR == NR { if ($1 == place) reached[$2] = 1; next }
        $2 in reached {
            near = $1 == own ? 0 : index($1, beside) == 1 ? 0.25 : 1
            print $1 ~ /^commands/, near * $4, $4, $1
        }' "$here/places" "$here/tests" | sort -k1,1n -k2,2n >"$work/tests"
    [ -s "$work/tests" ] || { echo unreached; return; }
    mkdir "$work/lib"
    (cd "$tree" && eval "$(awk -v old="$object" -v new="$work/mutant.o" \
        -v out="$work/lib/libcollsim.so" '
        { for (i = 1; i <= NF; i++) {
              if ($i == old) $i = new
              if ($i == "build/mutate/libcollsim.so") $i = out
          }
          print }' build/mutate/link)") || { echo stale; return; }
    # The nearest tests, then the command lines; where these see a change, all tests.
    awk -v most="$NEAR_SECONDS" '$1 == 0 && ((sum += $3) <= most || NR == 1)' \
        "$work/tests" >"$work/near"
    awk '$1 == 1' "$work/tests" >"$work/lines"
    awk '$1 == 0' "$work/tests" | sed "1,$(wc -l <"$work/near")d" >"$work/far"
    ! fails near || { echo "caught $test"; return; }
    if fails lines; then
        line=$(sed -n "${test#commands/}p" "$here/commands")
        if fails far; then echo "caught $test"; else echo "changed $line"; fi
        return
    fi
    compile "$file" "$work/text.c" "$work/mutant.o" -O2
    compile "$file" "$tree/$file" "$work/original.o" -O2
    if cmp -s "$work/mutant.o" "$work/original.o"; then echo same; else echo unseen; fi
}

trap 'exit 130' HUP INT TERM
case ${1-} in
--reach) reach_one "$2"; exit 0 ;;
--one)
    mutant=$2
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
    said=$(verdict)
    printf '%s\t%s\n' "$mutant" "$said" >>"$results"
    [ -z "${VERBOSE-}" ] ||
        printf '%-9s %s%s\n' "${said%% *}" "$mutant" "$(echo "$said" | sed -n 's/^[a-z]* / by /p')"
    judged=$(grep -c . "$results")
    [ $((judged % 25)) != 0 ] || echo "    $judged mutants done"
    exit 0
    ;;
esac

# ---------------------------------------------------------------- the copy

# A file that moved or a line that changed takes its reason along.
awk '
    /^[^ #]/ {
        at = index($0, " in: ")
        file = substr($0, 1, index($0, ":") - 1)
        column = substr($0, length(file) + 2) + 0
        code = substr($0, at + 5)
        old = substr($0, index($0, "\047") + 1)
        old = substr(old, 1, index(old, "\047 -> \047") - 1)
        found = 0
        while ((getline line <file) > 0) {
            text = line
            sub(/^ +/, "", text)
            found = found || (text == code && substr(line, column, length(old)) == old)
        }
        close(file)
        if (!found)
            print "tests/mutate/survivors: " file " has no line \047" code "\047 with \047" old \
                "\047 at column " column "; expected a line of a source"
    }' tests/mutate/survivors | { ! grep . >&2; } || exit 2

mkdir -p "$tree" "$here/reach" "$here/answers"
git ls-files --cached --others --exclude-standard | sort -u | while read -r name; do
    [ ! -f "$name" ] || echo "$name"
done >"$here/files"
xargs cp -pu --parents -t "$tree" <"$here/files"
(cd "$tree" && find . -type f ! -path './build/*' | sed 's,^\./,,' | sort |
    comm -23 - "$here/files" | grep -vx collsim | xargs rm -f)

# Verdicts hold for one product; those of survivors for one set of tests, too.
sum() { (cd "$tree" && xargs cksum) | cksum | cut -d' ' -f1; }
product=$(grep -E '\.(c|h|def|S|yaml|csv|html|sh)$' "$here/files" | grep -v '^tests/' | sum)
tests=$(grep '^tests/' "$here/files" | grep -vE '/(mutate\.sh|survivors)$' | sum)

echo "builds the tests and the product in build/mutate"
for build in "mutate programs" "reach build/reach/libcollsim.so"; do
    LD_LIBRARY_PATH=$tree/build/mutate make -C "$tree" --no-print-directory -j"$JOBS" V= \
        MODE="${build% *}" "${build#* }" >"$here/build.log" 2>&1 || {
        tail -20 "$here/build.log" >&2
        exit 3
    }
done
${CC:-cc} -D_GNU_SOURCE -O2 -o "$here/reach_tool" tests/mutate/reach.c || exit 3

# ---------------------------------------------------------------- what reaches what

[ "$(cat "$here/product" 2>/dev/null)" = "$product" ] || {
    rm -rf "$here/reach" "$here/answers" "$here/blocks" "$here/tests-of" "$here/results"
    mkdir -p "$here/reach" "$here/answers"
    echo "$product" >"$here/product"
}
grep -hv '^#' tests/portable/commands.txt tests/mutate/commands.txt >"$here/commands"
{
    sed -nE '/^tests\/golden\/.*\.t$/p; s/^(tests\/(unit|prop)\/.*_(test|prop))\.c$/\1/p
        s/^(tests\/fuzz\/fuzz_.*)\.c$/\1_replay/p' "$here/files"
    awk '{ print "commands/" NR }' "$here/commands"
} | grep -E "${BY:-.}" | sort >"$here/listed"
# A test that is known to be too long is not measured again.
touch "$here/took"
awk -v most="$TEST_SECONDS" '
    FILENAME ~ /took$/ { took[$1] = $2; next }
    took[$1] <= most + 0' "$here/took" "$here/listed" >"$here/programs"
echo "$(wc -l <"$here/programs") tests and command lines: what each reaches"
tr '\n' '\0' <"$here/programs" | xargs -0 -n 1 -P "$JOBS" "$0" --reach
cat "$here"/reach/*.time |
    awk 'FNR == NR { listed[$1] = 1; next } $1 in listed' "$here/programs" - >"$here/times"
awk '$3 != 0 { print "not used, it fails as it is: " $1 }' "$here/times"
awk '$1 !~ /^commands/ { took[$1] = NF == 2 ? $2 : $4 } END { for (name in took) print name, took[name] }' \
    "$here/took" "$here/times" | sort >"$here/took.new" && mv "$here/took.new" "$here/took"
awk -v most="$TEST_SECONDS" '
    FILENAME ~ /listed$/ { listed[$1] = 1; next }
    listed[$1] && $2 > most + 0 { print "not used, it takes " $2 " s: " $1 }' \
    "$here/listed" "$here/took"
awk -v most="$TEST_SECONDS" '$3 == 0 && $4 <= most' "$here/times" >"$here/tests"

pad='function pad(x) { while (length(x) < 16) x = "0" x; return x }'

# A block is from a call of the recorder to the next; the recorder notes its return.
[ -s "$here/blocks" ] || {
    library=$tree/build/reach/libcollsim.so
    {
        objdump -d --no-show-raw-insn "$library" | awk "$pad"'
            call != "" { sub(/:$/, "", $1); print pad(call), "block", $1; call = "" }
            /^[0-9a-f]+ <.*>:$/ { print pad($1), "function" }
            /call.*__sanitizer_cov_trace_pc/ { call = $1; sub(/:$/, "", call) }'
        objdump --dwarf=decodedline "$library" |
            awk 'NF >= 3 && $3 ~ /^0x/ { print substr($3, 3) }' >"$here/addresses"
        addr2line -e "$library" <"$here/addresses" >"$here/lines"
        paste "$here/addresses" "$here/lines" |
            awk -v tree="$tree/" "$pad"'
                index($2, tree) == 1 {
                    place = substr($2, length(tree) + 1)
                    sub(/^\.\//, "", place)
                    print pad($1), "row", place
                }'
    } | sort | awk '
        $2 == "function" { block = "" }
        $2 == "block" { block = $3 }
        $2 == "row" && block != "" { print block, $3 }' | sort -u -k2,2 -k1,1 >"$here/blocks"
}

# ---------------------------------------------------------------- the sample

part_of='function part_of(name) {
    if (name ~ /^sim\//) return "sim"
    if (name ~ /^algorithms\/bounds\//) return "bounds"
    if (name ~ /^algorithms\/libraries\//) return "costs"
    if (name ~ /^(topo\/(formats|documents)|algorithms\/schedules)\//) return "readers"
    if (name ~ /^algorithms\//) return "algorithms"
    if (name ~ /^scenarios\/train\//) return "train"
    if (name ~ /^scenarios\/plan\//) return "plan"
    return "other"
}'

# shellcheck disable=SC2086 # FILES is a list of words
if [ -n "${FILES-}" ]; then
    (cd "$tree" && find $FILES -name '*.c' ! -name main.c | sort)
else
    (cd "$tree" && find sim algorithms topo/formats topo/documents scenarios/train \
        scenarios/plan -name '*.c' | sort)
fi >"$here/sources"
(cd "$tree" && xargs awk -f tests/mutate/mutants.awk <"$here/sources") >"$here/mutants"

# As many of each part; the order is that of a hash of seed and name, so that a change of
# one file leaves the mutants of others in the sample.
if [ -n "${NAME-}" ]; then
    printf '%s\n' "$NAME"
elif [ -n "${NAMES-}" ]; then
    cat "$NAMES"
else
    awk -F '\t' -v seed="$SEED" "$part_of"'
        BEGIN { for (i = 32; i < 127; i++) ord[sprintf("%c", i)] = i }
        {
            h = seed
            for (i = 1; i <= length($1); i++)
                h = (h * 131 + ord[substr($1, i, 1)]) % 2147483647
            for (i = 0; i < 4; i++)
                h = (h * 48271 + 11) % 2147483647
            printf "%s\t%010d\t%s\n", part_of($1), h, $1
        }' "$here/mutants" | sort | awk -F '\t' -v mutants="$MUTANTS" '
        { place = $3; sub(/:[0-9]+ .*/, "", place) }
        place in seen { next }
        { seen[place] = 1; part[NR] = $1; name[NR] = $3; total[$1]++; order[NR] = total[$1] }
        END {
            for (p in total) parts++
            for (i = 1; i <= NR; i++)
                if (i in name && order[i] <= mutants / parts)
                    printf "%d\t%s\n", order[i], name[i]
        }' | sort -s -k1,1n | cut -f2-
fi >"$here/sample"

# A line without code of its own, as of a table, is reached by those that reach any code of
# its file.
cut -d: -f1,2 "$here/sample" | sort -u >"$here/sampled"
awk '
    { file = $2; sub(/:.*/, "", file) }
    FNR == NR { coded[$2] = 1; offsets[file] = offsets[file] " " $1; next }
    {
        file = $1
        sub(/:.*/, "", file)
        n = $1 in coded ? 0 : split(offsets[file], of, " ")
        for (i = 1; i <= n; i++) print of[i], $1
    }' "$here/blocks" "$here/sampled" >"$here/uncoded"
awk 'FNR == NR { wanted[$1] = 1; next } $2 in wanted' "$here/sampled" "$here/blocks" |
    cat - "$here/uncoded" | sort -k2,2 -k1,1 >"$here/wanted"
(cd "$here/reach" && awk '{ print $2 }' "$here/tests" |
    xargs "$here/reach_tool" tests "$here/wanted") >"$here/places"

# ---------------------------------------------------------------- the run

export results="$here/results"
: >>"$results"
[ "$(cat "$here/tests-of" 2>/dev/null)" = "$tests" ] || {
    grep -E '	(same|caught .*)$' "$results" >"$here/kept"
    mv "$here/kept" "$results"
    echo "$tests" >"$here/tests-of"
}
[ -z "${NAME-}${NAMES-}" ] || { results=$here/results.named; rm -f "$results"; }
: >>"$results"
cut -f1 "$results" | sort >"$here/done"
sort "$here/sample" | comm -12 - "$here/done" >"$here/known"
echo "$(wc -l <"$here/sample") mutants, $(wc -l <"$here/known") of them judged before"
awk -v file="$here/known" '
    BEGIN { while ((getline name <file) > 0) known[name] = 1 }
    !($0 in known)' "$here/sample" | tr '\n' '\0' | xargs -0 -r -n 1 -P "$JOBS" "$0" --one

# ---------------------------------------------------------------- the report

awk -F '\t' 'FNR == NR { wanted[$0] = 1; next } $1 in wanted' "$here/sample" "$results" |
    sort -u >"$here/verdicts"

# Each survivor with its line of code, which is how tests/mutate/survivors names it.
while IFS='	' read -r name said; do
    case $said in
    changed* | unseen | unreached)
        place=${name%% *}
        line=${place#*:}
        code=$(sed -n "${line%%:*}s/^ *//p" "$tree/${place%%:*}")
        why=$(key="${place%%:*}:${line#*:} ${name#* } in: $code" awk '
            /^[^ #]/ { found = $0 == ENVIRON["key"]; next }
            found { sub(/^ +/, ""); printf "%s ", $0 }' tests/mutate/survivors)
        printf '%s\t%s\t%s\t%s\n' "${said%% *}" "$name" "$code" "${why:-new}"
        ;;
    esac
done <"$here/verdicts" >"$here/survivors"

awk -F '\t' '{
    printf "%-9s %s\n          in: %s\n", $1, $2, $3
    if ($4 != "new") printf "          survives: %s\n", $4
}' "$here/survivors"

awk -F '\t' "$part_of"'
    FILENAME ~ /survivors$/ { if ($1 == "changed") { if ($4 == "new") fresh++; else known++ } next }
    {
        verdict = $2
        sub(/ .*/, "", verdict)
        if (verdict == "stale") stale++
        if (verdict == "same" || verdict == "stale") { same[part_of($1)]++; same["all"]++ }
        n[part_of($1) " " verdict]++
        n["all " verdict]++
        parts[part_of($1)] = 1
    }
    function row(p,    sees) {
        sees = n[p " caught"] + n[p " changed"]
        printf "%-10s %7d %7d %8d %7d %10d %8.1f %%\n", p, n[p " caught"], n[p " changed"],
            n[p " unseen"], n[p " unreached"], same[p], sees ? 100 * n[p " caught"] / sees : 100
    }
    END {
        printf "%-10s %7s %7s %8s %7s %10s %10s\n", "part", "caught", "changed", "unseen",
            "unreached", "same", "seen"
        split("sim algorithms bounds costs readers train plan other", names, " ")
        for (i = 1; i <= 8; i++)
            if (names[i] in parts)
                row(names[i])
        row("all")
        if (stale) printf "%d names fit no line\n", stale
        caught = n["all caught"] + 0
        sees = caught + n["all changed"]
        low = sees && caught < 0.9 * sees
        printf "mutants: %d passed, %d failed\n", caught + known, fresh
        exit fresh > 0 || low || stale > 0
    }' "$here/verdicts" "$here/survivors"
