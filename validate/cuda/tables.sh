#!/bin/sh
# Writes the programs that are measured: DIR/ALGORITHM-RANKS.table.
#
#     validate/cuda/tables.sh COLLSIM DIR
set -eu
collsim=$1
dir=$2

mkdir -p "$dir"
for algo in ring naive tree ps; do
    for ranks in 2 3 4 8 16; do
        "$collsim" export --algo $algo --topo switch:ranks=$ranks \
            --format table --out "$dir/$algo-$ranks.table"
    done
done
