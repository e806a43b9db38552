#!/bin/sh
# Every option of every command is in the man page and offered by the shell's
# completion, and so is every command.  Speaks TAP.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-build/release/collsim}")
cd "$(dirname "$0")/../.." || exit 1
build=$(dirname "$program")
page=$(sed 's/\\-/-/g' "$build/collsim.1")
n=0

commands=$("$program" --help | sed -n '/^commands/,/^$/s/^  \([a-z-]*\) .*/\1/p')
options() {
    "$program" "$1" --help all | grep -oE '^  (-[a-z], )?--[a-z0-9-]+' |
        grep -oE -e '--[a-z0-9-]+'
}

# What the completion offers for the words; the last one is being typed.
completed() {
    bash -c '
        source "$1/collsim.bash"
        shift
        program=$1
        shift
        COMP_WORDS=("$program" "$@")
        COMP_CWORD=$#
        compopt() { :; }
        _collsim "$program"
        printf "%s\n" "${COMPREPLY[@]}"' - "$build" "$program" "$@"
}

# first LISTING: its first column; of "listings" the listings.
first() {
    [ "$1" = listings ] && set --
    "$program" list "$@" --csv | sed 1d | cut -d, -f1 | sort -u
}

# missing FROM IN: the words of FROM that are no words of IN.
missing() {
    for word in $1; do
        printf '%s\n' "$2" | grep -qE -e "(^|[^a-z0-9-])$word([^a-z0-9-]|\$)" ||
            printf '%s ' "$word"
    done
}

expect() {
    n=$((n + 1))
    if [ -n "$2" ] && [ -z "$3" ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1: ${3:-nothing to look for}"
    fi
}

expect 'the man page has every command' "$commands" "$(missing "$commands" "$page")"
if command -v bash >/dev/null; then
    expect 'the completion has every command' "$commands" \
        "$(missing "$commands" "$(completed '')")"
fi
for command in $commands; do
    all=$(options "$command")
    expect "the man page has every option of $command" "$all" \
        "$(missing "$all" "$page")"
    command -v bash >/dev/null || continue
    expect "the completion has every option of $command" "$all" \
        "$(missing "$all" "$(completed "$command" --)")"
done

# "command --option" for each option that the paragraph of a command names; what `measure
# --with` passes on and the words on options in general are no options of the command.
described() {
    awk -v commands=" $(echo "$commands" | tr '\n' ' ') " '
        /^\.SH/ { on = /COMMANDS/; command = "" }
        on && /^\.TP/ { getline; if ($1 == ".B" && index(commands, " " $2 " ")) command = $2 }
        command == "bench" && /A value follows/ { command = "" }
        command { while (match($0, /\\-\\-[a-z]([a-z0-9]|\\-[a-z0-9])*/)) {
            name = substr($0, RSTART, RLENGTH); gsub(/\\/, "", name); print command, name
            $0 = substr($0, RSTART + RLENGTH) } }' scenarios/collsim.1 |
        grep -vx -e 'measure --budget' -e 'measure --dry' -e 'measure --from' | sort -u
}
named=$(described)
for command in $commands; do
    of=$(echo "$named" | sed -n "s/^$command //p")
    [ -z "$of" ] || expect "$command has the options that the man page names" "$of" \
        "$(missing "$of" "$("$program" "$command" --help all)")"
done

# formats COMMAND: its formats in the listing.
formats() {
    "$program" list formats --csv | sed -n "s/^$1,\([^,]*\),.*/\1/p"
}

# offered WORDS COMMAND...: the completion of the command has the words.
offered() {
    words=$1
    shift
    expect "the completion has the words of $*" "$words" \
        "$(missing "$words" "$(completed "$@" '')")"
}
if command -v bash >/dev/null; then
    offered "$(first transports)" --transport
    offered "$(first topologies | grep -v '[+]')" --platform
    offered "$(first gpus)" --gpu
    offered "$(first models)" --link-model
    offered "$(first fabrics)" --fabric
    offered "$(first dtypes)" -d
    offered "$(first collectives)" --with
    offered "$(first views)" topo
    offered "$(first listings)" list
    offered "$(formats topo)" topo export --format
    offered "$(formats export)" export --format
    offered 'text html svg gif' explain --format
    offered 'auto on off' --fold
    offered 'cut store' --switching
    offered 'each-link each-switch each-nic' --what-if
    offered 'credits pfc drop' --loss
    offered 'spread ecmp shortest' --routing
    offered 'packed round-robin random file' --placement
fi
echo "1..$n"
