#!/bin/sh
# Every option of every command is in the man page and offered by the shell's
# completion, and so is every command.  Speaks TAP.
set -u
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

# The words that an option takes, as the program says when it refuses one.
words_of() {
    command=$1
    shift
    [ "$command" = measure ] && command='measure cuda'
    # shellcheck disable=SC2086 # two words
    "$program" $command "$@" '?' '--?' 2>&1 |
        sed -nE "s/.* called '\?'; (there is:|expected) //p" | sed 's/,//g; s/ or / /g'
}

# first LISTING: its first column.
first() {
    "$program" list "$1" --csv | sed 1d | cut -d, -f1 | sort -u
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
seen=
for command in $commands; do
    all=$(options "$command")
    expect "the man page has every option of $command" "$all" \
        "$(missing "$all" "$page")"
    command -v bash >/dev/null || continue
    expect "the completion has every option of $command" "$all" \
        "$(missing "$all" "$(completed "$command" --)")"
    for option in $all; do
        # Of options that several commands have, once.
        case " $seen " in *" $option "*) continue ;; esac
        words=$(words_of "$command" "$option")
        [ -z "$words" ] ||
            expect "the completion has every word of $command $option" "$words" \
                "$(missing "$words" "$(completed "$command" "$option" '')")"
    done
    [ "$command" = run ] && seen=$(echo "$all" | tr '\n' ' ')
done

# offered OPTION WORDS: these that are in no message, and some that are.
offered() {
    expect "the completion has the words of $1" "$2" \
        "$(missing "$2" "$(completed "$1" '')")"
}
if command -v bash >/dev/null; then
    offered --transport "$(first transports)"
    offered --platform "$(first topologies | grep -v '[+]')"
    offered --gpu "$(first gpus)"
    offered --fold 'auto on off'
    offered --compat 'astra astra-unaware simgrid simgrid-cm02'
    offered --switching 'cut store'
    offered --what-if 'each-link each-switch each-nic'
    offered --loss 'credits pfc drop'
    offered --routing 'spread ecmp shortest'
    offered --placement 'packed round-robin random file'
    offered --fabric 'star rail fat-tree dragonfly torus hypercube ring mesh'
    offered -d 'fp32 bf16'
    offered --with "$(first collectives)"
fi
echo "1..$n"
