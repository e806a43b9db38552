#!/bin/sh
# How long random plausible calls take (calls.awk): seconds of all processes (user and system), memory
# of the largest, and status of each, slowest first, and then the percentiles.  No part of `make test`:
# 200 calls take minutes.
#
#     COLLSIM=build/release/collsim SEED=1 COUNT=200 tests/speed/calls.sh
#
# LIMIT: seconds of a processor after which a process is stopped, so that the load of the machine
# ends no call.  Needs time(1).
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.1"' EXIT

awk -v seed="${SEED:-1}" -v count="${COUNT:-200}" -f "$here/calls.awk" |
    while read -r call; do
        # shellcheck disable=SC2086 # words of a call
        (ulimit -t "${LIMIT:-20}" && exec env time -o "$rows.1" -f '%U %S %M %x' \
            "${COLLSIM:-build/release/collsim}" $call >/dev/null 2>&1 </dev/null)
        awk -v call="$call" '
            /signal/ { stopped = 1 }
            END {
                printf "%7.2f s %6.0f MB  %7s  %s\n", $1 + $2, $3 / 1000, stopped ? "stopped" : $4, call
            }' "$rows.1" >>"$rows"
    done

sort -rn "$rows" | awk '
    {
        print
        seconds[NR] = $1
        most = $3 > most ? $3 : most
        stopped += $5 == "stopped"
    }
    END {
        printf "\n%d calls: median %.2f s, p90 %.2f s, most %.2f s and %.0f MB, %d stopped\n",
               NR, seconds[int(NR / 2) + 1], seconds[int(NR / 10) + 1], seconds[1], most, stopped
    }'
