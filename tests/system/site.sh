#!/bin/sh
# `make docs`: a page for each text and each algorithm, whose links and pictures are
# there, with what Markdown marks as marks of HTML.  Speaks TAP.
set -u
program=$(realpath "${COLLSIM-./collsim}")
. tests/tap.sh

site=$work/site
reports/site/make.sh "$program" "$site" 1.2.3 >"$work/said" 2>&1
result 'the site is made' $?

# Every target within the site is a file, and every anchor an id of its page.
grep -oE '(href|src)="[^"]*"' "$site"/*.html | grep -v '"https\{0,1\}:' |
    sed 's/\.html:[a-z]*="/.html /; s/"$//' | sort -u | while read -r page target; do
    anchor=${target#*#}
    file=${target%%#*}
    there=$site/$file
    [ -n "$file" ] || there=$page
    [ -s "$there" ] || echo "$page: no $target"
    case $target in *'#'*) grep -q "id=\"$anchor\"" "$there" || echo "$page: no #$anchor" ;; esac
done >"$work/lost"
[ ! -s "$work/lost" ]
result 'no link leads nowhere' $?

"$program" list algorithms --csv | tail -n +2 | wc -l >"$work/listed"
[ "$(grep -c '<td><a href' "$site/algorithms-index.html")" -eq "$(cat "$work/listed")" ]
result 'each algorithm is in the index' $?

grep -q '<img src="all-reduce-ring.svg"' "$site/all-reduce-ring.html" &&
    grep -q 'Patarasuk' "$site/all-reduce-ring.html" &&
    grep -q '<svg' "$site/all-reduce-ring.svg"
result 'an algorithm has its picture and its source' $?

# Nothing of the marks is left in paragraphs, cells and headings.
sed '/<pre/,/<\/pre>/d; s/<code>[^<]*<\/code>//g' "$site"/*.html |
    grep -nE '\]\(|\*\*|^#|`' >"$work/marks"
[ ! -s "$work/marks" ]
result 'no mark of Markdown is left' $?
echo "1..$number"
