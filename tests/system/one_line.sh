#!/bin/sh
# Adding an algorithm is one file and one line: each line of algorithms.def has
# a file that defines its struct, each such file has a line, and no other source
# knows the struct by name.  Speaks TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

sources() {
    find sim topo algorithms validate reports scenarios -name '*.[ch]'
}

lines=$(sed -n 's/^ALGO(\([a-z]*\), \([a-z_]*\), [A-Z_ |]*)$/\1_\2/p' \
    algorithms/algorithms.def)
n=0
for name in $lines; do
    n=$((n + 1))
    users=$(sources | xargs grep -lw "cs_algo_$name" | tr '\n' ' ')
    file=algorithms/${name%%_*}/${name#*_}.c
    mirrored=$(grep -lw "cs_algo_$name = {" algorithms/mirrors/*.c)
    if [ "$users" = "${mirrored:-$file} " ]; then
        echo "ok $n - $name is ${mirrored:-$file} and a line"
    else
        echo "not ok $n - $name is known to: $users"
    fi
done

n=$((n + 1))
# A file of mirrors/ has several collectives.
files=$({
    find algorithms -mindepth 2 -name '*.c' |
        grep -Ev '^algorithms/(shared|bounds|schedules|libraries|mirrors)/' |
        sed 's|algorithms/\([a-z]*\)/\([a-z_]*\)\.c|\1_\2|'
    sed -n 's/^const struct cs_algo cs_algo_\([a-z_]*\) = {$/\1/p' algorithms/mirrors/*.c
} | sort)
if [ "$files" = "$(echo "$lines" | sort)" ]; then
    echo "ok $n - every file of an algorithm has its line"
else
    echo "not ok $n - files and lines differ"
fi
echo "1..$n"
