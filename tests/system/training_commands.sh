#!/bin/sh
# The command of a published training step gives the prediction of its score, to
# the last digit.  COMMANDS=200 runs more than a sample of 25.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..2
. tests/tap.sh

# Lines "prediction<TAB>command" of the rows that are predicted.
"$COLLSIM" validate training --points --json 2>"$work/said" |
    sed -n 's/^ *"plain_s": \(.*\),$/\1/p; s/^ *"command": "\(.*\)"$/\1/p' |
    paste - - | grep 'collsim train' >"$work/all"
[ "$(wc -l <"$work/all")" -gt 3000 ]
result 'rows have a command' $?

awk -v seed="${COLLSIM_SEED:-1}" -v most="${COMMANDS:-25}" 'BEGIN { srand(seed) }
    { line[NR] = $0 }
    END {
        for (i = 1; i <= most && i <= NR; i++) {
            at = i + int(rand() * (NR - i + 1))
            print line[at]
            line[at] = line[i]
        }
    }' "$work/all" >"$work/sample"

tab=$(printf '\t')
while IFS=$tab read -r predicted command; do
    eval "\"\$COLLSIM\" ${command#collsim } --json" 2>"$work/err" |
        sed -n 's/^ *"step_s": \(.*\),$/\1/p' >"$work/step"
    [ "$(cat "$work/step")" = "$predicted" ] ||
        echo "$predicted in the score, $(cat "$work/step" "$work/err"): $command"
done <"$work/sample" >"$work/said"
[ -s "$work/sample" ] && [ ! -s "$work/said" ]
result 'a sample of the commands gives the predictions of the score' $?
