#!/bin/sh
# Every option of every command is in the man page and offered by the shell's
# completion, and so is every command.  Speaks TAP.
set -u
program=$(realpath "${COLLSIM-./collsim}")
cd "$(dirname "$0")/../.." || exit 1
page=$(sed 's/\\-/-/g' scenarios/collsim.1)
n=0

commands=$("$program" --help | sed -n '/^commands/,/^$/s/^  \([a-z-]*\) .*/\1/p')
options() {
    "$program" "$1" --help all | grep -oE '^  (-[a-z], )?--[a-z0-9-]+' |
        grep -oE -e '--[a-z0-9-]+'
}

# What the completion offers for the words; the last one is being typed.
completed() {
    bash -c '
        source scenarios/collsim.bash
        program=$1
        shift
        COMP_WORDS=("$program" "$@")
        COMP_CWORD=$#
        compopt() { :; }
        _collsim "$program"
        printf "%s\n" "${COMPREPLY[@]}"' - "$program" "$@"
}

# missing FROM IN: the words of FROM that are no words of IN.
missing() {
    for word in $1; do
        printf '%s\n' "$2" | grep -qE -e "(^|[^a-z0-9-])$word([^a-z0-9-]|\$)" ||
            printf '%s ' "$word"
    done
}

told() {
    n=$((n + 1))
    if [ -n "$2" ] && [ -z "$3" ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1: ${3:-nothing to look for}"
    fi
}

told 'the man page has every command' "$commands" "$(missing "$commands" "$page")"
if command -v bash >/dev/null; then
    told 'the completion has every command' "$commands" \
        "$(missing "$commands" "$(completed '')")"
fi
for command in $commands; do
    all=$(options "$command")
    told "the man page has every option of $command" "$all" \
        "$(missing "$all" "$page")"
    command -v bash >/dev/null || continue
    told "the completion has every option of $command" "$all" \
        "$(missing "$all" "$(completed "$command" --)")"
done
echo "1..$n"
