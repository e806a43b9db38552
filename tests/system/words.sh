#!/bin/sh
# Every word of an option has a name in what the program prints: none prints
# (null), in an answer or in a message.  Speaks TAP.
set -u
program=$(realpath "${COLLSIM-./collsim}")
. tests/tap.sh

"$program" help bash >"$work/help"

# words COMMAND OF BASE: runs BASE with each word of each option of command OF.
words() {
    command=$1 of=$2 base=$3
    awk -v of="$of" '
        $1 == of && $2 != "--help" && $2 != "--format" {
            for (i = $3 ~ /^-/ ? 4 : 3; i <= NF; ++i)
                if ($i ~ /^[a-z0-9][a-z0-9_-]*$/ && $i != "file" && $i != "dir")
                    print $2, $i
        }' "$work/help" >"$work/list"
    : >"$work/said"
    while read -r option word; do
        # shellcheck disable=SC2086 # words
        (cd "$work" && "$program" "$command" $base "$option" "$word" </dev/null 2>&1) |
            grep -a '(null)' | sed "s/^/$option $word: /" >>"$work/said"
    done <"$work/list"
    [ -s "$work/list" ] && [ ! -s "$work/said" ]
    result "words of $of in $command" $?
}

collective='--topo 10gbe-4 --algo ring --size 64KiB'
for of in run explain check export; do
    words $of $of "$collective"
done
words run run "$collective --link-model packet"
words why why "--topo 10gbe-4 --size 64KiB"
words train train '--topo dgx-1 --model bert-base --micro-batch 1'
words plan train '--gpus 16 --node dgx-h100 --model llama2-7b --tp 2 --micro-batch 1 --global-batch 64'
echo "1..$number"
