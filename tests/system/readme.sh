#!/bin/sh
# Every command of README.md, of the README.md of each folder, of the tutorials and every
# example of the man page runs, on files that are made here; those that need measurements of a GPU are left to golden/validate.t.  Behind "$ " the output
# contains the lines that README.md shows, in their order, with figures that differ
# by a fifth at most: each estimate of a parameter changes the last digits.
# Speaks TAP.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
tree=$(pwd)
readmes=$(find "$tree" -maxdepth 2 -name README.md | sort; ls "$tree"/scenarios/tutorials/*.md)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "$program" "$work/bin/collsim" && ln -s "$program" "$work"
cd "$work" || exit 1
PATH=$work/bin:$PATH
n=0

collsim topo export --topo dgx --format nccl >system.xml 2>messages
collsim topo export --topo dgx --format yaml >my.yaml 2>>messages
printf '%s\t%s\t%s\t%s\n' '' GPU0 GPU1 'CPU Affinity' GPU0 X NV12 0-31 \
    GPU1 NV12 X 0-31 >matrix.txt
collsim export --algo ring --ranks 8 --format msccl >mine.xml 2>>messages
collsim export --topo switch:ranks=1024 --algo recursive-doubling --size 1MiB \
    --format goal >x.bin 2>>messages
# Two GPUs exchange their parts of an all-gather.
gpu() {
    printf '%s\n' "{\"id\": $1, \"input_chunks\": 1, \"output_chunks\": 2,
        \"scratch_chunks\": 0, \"channels\": [
            {\"channel_type\": \"memory\", \"connected_to\": [$2]}],
        \"remote_buffers\": [{\"rank\": $2, \"type\": \"o\"}],
        \"threadblocks\": [{\"id\": 0,
            \"channels\": [{\"channel_type\": \"memory\", \"channel_ids\": [0]}],
            \"remote_buffer_refs\": [{\"access_channel_type\": \"memory\",
                \"remote_buffer_ids\": [0]}],
            \"ops\": [
                {\"name\": \"signal\", \"channel_type\": \"memory\",
                    \"channel_ids\": [0]},
                {\"name\": \"wait\", \"channel_type\": \"memory\",
                    \"channel_ids\": [0]},
                {\"name\": \"nop\"},
                {\"name\": \"put\", \"channel_type\": \"memory\",
                    \"src_buff\": [{\"type\": \"o\", \"index\": $1, \"size\": 1}],
                    \"dst_buff\": [{\"buffer_id\": 0, \"index\": $1,
                        \"size\": 1}]},
                {\"name\": \"nop\"},
                {\"name\": \"signal\", \"channel_type\": \"memory\",
                    \"channel_ids\": [0]},
                {\"name\": \"wait\", \"channel_type\": \"memory\",
                    \"channel_ids\": [0]}]}]}"
}
{
    echo '{"name": "swap", "collective": "allgather", "protocol": "Simple",
        "inplace": true, "gpus": ['
    gpu 0 1 && echo , && gpu 1 0 && echo ']}'
} >plan.json

for i in 1 2 3 4; do echo "step: $i  loss: 9.1  tps: 7,20$i"; done >train.log
printf '[%s]' '{"ph":"X","cat":"kernel","tid":7,"ts":1,"dur":9}' >trace.json

ln -s "$tree/validate" "$tree/scenarios" . # recorded runs, scenarios

printf 'topo: dgx\naxes:\n  size: [1KiB, 1MiB]\n' >sweep.yaml
for part in 1 2; do
    collsim sweep sweep.yaml --db part.db --shard $part/2 >messages 2>&1
done

# log_of SLOWNESS FACTOR: a log of nccl-tests from the rows of --csv, with a bus
# bandwidth of so many times the algorithm's.
log_of() {
    sed 's/,nodes=2//' | awk -F, -v slow="$1" -v factor="$2" 'BEGIN {
            print "# size count type redop root time algbw busbw #wrong" }
        NR > 1 { t = $7 * slow
            printf "%.0f %.0f float sum -1 %.5g %.2f %.2f 0\n", $6, $6 / 4,
                1e6 * t, $6 / t / 1e9, factor * $6 / t / 1e9 }'
}

# Of nodes with 4 adapters, to be compared with nodes of 8; of slow calls.
collsim --topo abci-a --nodes 2 --library nccl -b 4K -e 8G -f 4 --csv 2>>messages |
    log_of 1 1.875 >run.txt
collsim --topo dgx --library nccl -b 8 -e 8G -f 4 --csv 2>>messages |
    log_of 1.08 1.75 >slow.txt

printf 'allreduce,0,65536,tree,ll,-1,-1,-1,-1,-1\n' >tuner.csv

# The limit is processor time, as the wall clock of a loaded machine says nothing.
run() {
    # shellcheck disable=SC3045 # dash and busybox have it
    (ulimit -t 60 && eval "$1") >out 2>messages </dev/null
}

# The command ends where its description begins, two spaces on.
{
    # shellcheck disable=SC2086 # a list of files
    sed -n 's/^    \(collsim .*\)/\1/p' $readmes | sed 's/   *.*//' |
        grep -v measured
    sed -n '/^\.SH EXAMPLES/,$ { s/\\-/-/g; s/^\.B \(collsim .*\)/\1/p; }' \
        "$tree/scenarios/collsim.1"
} | awk '!seen[$0]++' >commands
while read -r command; do
    n=$((n + 1))
    if run "$command"; then
        echo "ok $n - $command"
    else
        echo "not ok $n - $command"
        tail -n 5 messages | sed 's/^/# /'
    fi
done <commands

# A file for each "$ command": the command, then the lines shown.
# shellcheck disable=SC2086
awk '/^    \$ / { out = sprintf("shown.%03d", ++count) }
    /^[^ ]/ { out = "" }
    out && /./ { sub(/^    (\$ )?/, ""); print >out }' $readmes
rm -f mine.yaml # of a command above
for shown in shown.*; do
    n=$((n + 1))
    command=$(sed -n '1s/   *#.*//;1p' "$shown")
    run "$command"
    if awk '
        function figure(word) { sub(/^\(/, "", word); return word ~ /^[0-9]/ ? word + 0 : -1 }
        function near(a, b) { return a >= 0 && (a - b) ^ 2 <= (a / 5) ^ 2 }
        function same(shown, words, i) {
            if (split(shown, words) != NF) return 0
            for (i = 1; i <= NF; i++)
                if (words[i] != $i && !near(figure(words[i]), figure($i))) return 0
            return 1
        }
        NR == FNR { if (NR > 1 && $0 != "...") want[++count] = $0; next }
        same(want[found + 1]) { found++ }
        END { if (found < count) print want[found + 1]; exit found < count }
        ' "$shown" out >missing; then
        printf 'ok %d - %s shows what a README.md does\n' $n "$command"
    else
        printf 'not ok %d - %s shows what a README.md does\n' $n "$command"
        sed 's/^/# not printed: /' missing
    fi
done
echo "1..$n"
