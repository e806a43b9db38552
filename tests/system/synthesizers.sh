#!/bin/sh
# Schedules of other synthesizers: the column of algorithms/README.md with ours is
# what `collsim synth` simulates on their machines, and the share is the quotient.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

. tests/tap.sh
program=${COLLSIM-./collsim}

# Rows: | `machine` | size | tool | published | its search | ours | of it | our search |
awk -F'|' '/^\| `/ { gsub(/[` %]/, ""); print $2, $3, $5, $7, $8 }' algorithms/README.md |
    grep -E '^[a-z0-9-]+ [0-9]+Gi*B ' >"$work/rows"
echo "1..$(wc -l <"$work/rows")"
while read -r machine size published ours share; do
    rate=$("$program" synth --topo "tests/system/synthesizers/$machine.yaml" \
        --collective all-gather --size "$size" --csv 2>"$work/said" |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "algbw_Bps") at = i }
                 NR == 2 { printf "%.2f", $at / 1e9 }')
    [ "$rate" = "$ours" ] && awk "BEGIN { exit sprintf(\"%.1f\", 100 * $ours / $published) != \"$share\" }"
    result "$machine: $rate GB/s, published $published" $?
done <"$work/rows"
