#!/bin/sh
# Line coverage of what the tests ran: tests/cov.sh build/cov
set -u
export LC_ALL=C

build=$1
if command -v gcovr >/dev/null 2>&1; then
    exec gcovr --root . --exclude 'tests/' --exclude "$build" "$build"
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
root=$(pwd)

# gcov names every source of an object, headers too; the .c is what counts.
# From the .gcno, so that what was never run counts as well.
find "$build" -path "$build/tests" -prune -o -name '*.gcno' -print |
    sort | while read -r data; do
    (cd "$root" && gcov -n "$data" 2>/dev/null)
done | awk '
    /^File / { file = substr($0, 7, length($0) - 7); next }
    /^Lines executed:/ && file ~ /^[a-z].*\.c$/ && file !~ /^build\// {
        split($0, part, /[:% ]+/)
        percent = part[3]; lines = part[5]
        printf "%7.1f %%  %5d lines  %s\n", percent, lines, file
        hit += percent * lines / 100; all += lines
        file = ""
    }
    END { if (all) printf "%7.1f %%  %5d lines  in all\n", 100 * hit / all, all }'
