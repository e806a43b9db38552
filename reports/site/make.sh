#!/bin/sh
# The site: static pages from the project's READMEs, tutorials and glossary, and an
# index of algorithms with a page for each: picture, closed form, who runs it, and
# what its source says about it.
#
#     reports/site/make.sh COLLSIM FOLDER [VERSION]
#
# FOLDER is made anew.  Runs in the root of the project; needs COLLSIM and awk.
set -eu
LC_ALL=C
export LC_ALL

[ $# -ge 2 ] || {
    sed -n 's/^#     /usage: /p' "$0" >&2
    exit 2
}
collsim=$1 folder=$2 version=${3-}
here=reports/site
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
rm -rf "$folder"/*.html "$folder"/*.svg "$folder"/style.css "$folder/simulator"
cp $here/style.css "$folder"

# A page that simulates, and the labs, where the program has the engine for it.
simulator=
mkdir -p "$folder/simulator"
if "$collsim" explain --algo ring --ranks 8 --out "$folder/simulator/index.html" 2>"$work/why" &&
    grep -q 'id="engine"' "$folder/simulator/index.html"; then
    simulator=simulator/index.html
fi
"$collsim" lab >"$work/labs"
while read -r lab _; do
    "$collsim" lab "$lab" --out "$folder/simulator/$lab.html" 2>"$work/why"
done <"$work/labs"

# Source, page and label in the menu.
tab=$(printf '\t')
{
    echo "README.md${tab}index.html${tab}collsim"
    echo "scenarios/tutorials/README.md${tab}tutorials.html${tab}tutorials"
    [ -z "$simulator" ] || echo "-${tab}$simulator${tab}simulator"
    echo "algorithms/index.md${tab}algorithms-index.html${tab}index of algorithms"
    echo "$here/glossary.md${tab}glossary.html${tab}glossary"
    for part in scenarios validate algorithms topo sim reports tests; do
        echo "$part/README.md${tab}$part.html${tab}$part"
    done
    for text in scenarios/tutorials/*.md; do
        echo "$text${tab}$(basename "$text" .md).html${tab}-"
    done
    while read -r lab _; do
        echo "scenarios/tutorials/simulator/$lab.html${tab}simulator/$lab.html${tab}-"
    done <"$work/labs"
} >"$work/pages"

# page SOURCE PATH: SOURCE stands in the place of PATH.
page() {
    name=$(awk -F "$tab" -v path="$2" '$1 == path { print $2; exit }' "$work/pages")
    place=$(dirname "$2")
    [ "$place" != . ] || place=
    awk -v pages="$work/pages" -v page="$name" -v folder="$place" -v images="$work/images" \
        -v version="$version" -f $here/markdown.awk "$1" >"$folder/$name"
}

tutorials() {
    printf '# Tutorials\n\nFifteen minutes each; every command of them is run by the tests.\n\n'
    for text in scenarios/tutorials/*.md; do
        printf -- '- [%s](%s)\n' "$(sed -n '1s/^# //p' "$text")" "$(basename "$text")"
    done
    printf '\n## Labs\n\nPredict, run, explain.\n\n'
    while read -r lab title; do
        printf -- '- [%s](simulator/%s.html)\n' "$title" "$lab"
    done <"$work/labs"
}

# The first comment of an algorithm's source.
said() {
    awk '/^ \*\// { exit } /^ \*/ { sub(/^ \* ?/, ""); print }' "$1"
}

# draw FILE ALGORITHM COLLECTIVE: on the first machine where it runs.
draw() {
    for machine in 'dgx --ranks 4' dgx-1 'cluster:node=dgx-h100,nodes=2' \
        'cluster:node=dgx-h100,nodes=2,fabric=fat-tree'; do
        # shellcheck disable=SC2086 # a machine and its options
        if "$collsim" explain --algo "$2" --collective "$3" --topo $machine --format svg \
            >"$1" 2>"$work/why" </dev/null; then
            return 0
        fi
    done
    rm -f "$1"
    return 1
}

# Rows of collective, algorithm, description, closed form, libraries.
"$collsim" list algorithms --json | awk '
    function value(s) { sub(/^[^:]*: "/, "", s); sub(/",?$/, "", s); gsub(/\\"/, "\"", s); return s }
    /^ *"collective"/ { c = value($0) }
    /^ *"algorithm"/ { a = value($0) }
    /^ *"description"/ { d = value($0) }
    /^ *"closed_form"/ { f = value($0) }
    /^ *"libraries"/ { print c "\t" a "\t" d "\t" f "\t" value($0) }' >"$work/algorithms"

{
    printf '# Index of algorithms\n\n'
    printf 'α: latency of a message, β: bandwidth, γ: time to reduce a byte, p: ranks, V: bytes of a vector.\n'
    last=
    while IFS="$tab" read -r collective algo about form libraries; do
        name=$collective-$algo
        echo "algorithms/$name.html${tab}$name.html${tab}-" >>"$work/pages"
        if [ "$collective" != "$last" ]; then
            printf '\n## %s\n\n| algorithm | what it does | run by |\n|---|---|---|\n' "$collective"
            last=$collective
        fi
        printf '| [%s](%s) | %s | %s |\n' "$algo" "$name.html" "$about" "$libraries"
        object=cs_algo_$(echo "$collective" | tr -d - | sed s/receive/recv/)_$(echo "$algo" | tr - _)
        source=$(grep -rl --include='*.c' "^const struct cs_algo $object = " algorithms)
        {
            printf '# %s %s\n\n%s.\n\n' "$algo" "$collective" "$about"
            printf -- '- closed form: `%s`\n' "${form:-none}"
            printf -- '- run by: %s\n' "${libraries:-no library that is modelled}"
            printf -- '- try it: `collsim explain --algo %s --collective %s`\n\n' "$algo" "$collective"
            if draw "$folder/$name.svg" "$algo" "$collective"; then
                printf '<img src="%s.svg" alt="messages of %s %s over time">\n\n' \
                    "$name" "$algo" "$collective"
            fi
            printf '## What its source says\n\n`%s`\n\n```\n' "$source"
            said "$source"
            printf '```\n'
        } >"$work/$name.md"
    done <"$work/algorithms"
} >"$work/index.md"

while IFS="$tab" read -r path name _; do
    case $path in
    - | scenarios/tutorials/simulator/*) ;; # are there
    algorithms/index.md) page "$work/index.md" "$path" ;;
    scenarios/tutorials/README.md) tutorials >"$work/tutorials.md" && page "$work/tutorials.md" "$path" ;;
    algorithms/*.html) page "$work/${name%.html}.md" "$path" ;;
    *) page "$path" "$path" ;;
    esac
done <"$work/pages"

sort -u "$work/images" | while read -r image; do
    cp "$image" "$folder/$(echo "$image" | tr / -)"
done
echo "wrote $folder/index.html and $(($(ls "$folder"/*.html | wc -l) - 1)) more pages" >&2
