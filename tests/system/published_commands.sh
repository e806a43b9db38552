#!/bin/sh
# The command of a published row of a collective gives the prediction of its score, to
# the picosecond.  COMMANDS=200 runs more than a sample of 25.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..2
. tests/tap.sh

# Lines "prediction<TAB>command" of the rows that are predicted.
"$COLLSIM" validate published --points --json 2>"$work/said" |
    sed -n 's/^ *"predicted_s": \(.*\),$/\1/p; s/^ *"command": "\(.*\)"$/\1/p' |
    paste - - | grep 'collsim run' >"$work/all"
[ "$(wc -l <"$work/all")" -gt 5000 ]
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

# Whether both are equal in picoseconds; "run" shows no less than the lower bound of the
# machine's links, and says so.
equal() {
    awk -v a="$1" -v b="$2" -v raised="$(grep -c 'was below the lower bound' "$3")" \
        'BEGIN { a = sprintf("%.0f", a * 1e12) + 0; b = sprintf("%.0f", b * 1e12) + 0
                 exit !(b != 0 && (a == b || raised && a < b)) }'
}

tab=$(printf '\t')
while IFS=$tab read -r predicted command; do
    eval "\"\$COLLSIM\" ${command#collsim } --json" 2>"$work/err" |
        sed -n 's/^ *"time_s": \(.*\),$/\1/p' >"$work/time"
    equal "$predicted" "$(cat "$work/time")" "$work/err" ||
        echo "$predicted in the score, $(cat "$work/time" "$work/err"): $command"
done <"$work/sample" >"$work/said"
[ -s "$work/sample" ] && [ ! -s "$work/said" ]
result 'a sample of the commands gives the predictions of the score' $?
