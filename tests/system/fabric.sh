#!/bin/sh
# A fabric by ibnetdiscover has the times of the generator with the same switches, names
# the cables that are missing, and leaves out hosts without an adapter.  Speaks TAP.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
form=$(realpath tests/system/fabric.awk)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
n=0

# is WHAT EXPECTED: the file `got` has this text.
is() {
    n=$((n + 1))
    printf '%s\n' "$2" >expected
    if diff expected got >difference; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        sed 's/^/# /' difference
    fi
}

# fabric HOSTS DOWN SPINES TRUNK OUT: the file of four rails.
fabric() {
    awk -v hosts="$1" -v rails=4 -v down="$2" -v spines="$3" -v trunk="$4" -v out="$5" -f "$form"
}

run() {
    # shellcheck disable=SC3045 # dash and busybox have it
    (ulimit -t 10 && "$program" "$@") 2>messages
}

# Rails of 64 ports: leaves of 32 hosts, 32 spines.
fabric 128 32 32 1 '' >whole.txt
run --topo whole.txt --platform hgx-h100-4 --algo multi-ring,hierarchical \
    --size 1GiB --csv | cut -d, -f3-9 >got
is 'times are those of rail-only with the same switches' "$(
    run --topo hgx-h100-4 --nodes 128 --fabric rail-only \
        --algo multi-ring,hierarchical --size 1GiB --csv | cut -d, -f3-9)"

# The same by Slurm, which has no number of cables.
for leaf in 1 2 3 4; do
    echo "SwitchName=leaf$leaf Nodes=node[$(printf '%03d-%03d' $((32 * leaf - 31)) $((32 * leaf)))]"
done >topology.conf
echo 'SwitchName=top Switches=leaf[1-4]' >>topology.conf
run --topo topology.conf --platform hgx-h100-4 --algo multi-ring,hierarchical \
    --size 1GiB --csv | cut -d, -f3-9 >got
is 'times by a tree of Slurm are those of rail-only' "$(
    run --topo hgx-h100-4 --nodes 128 --fabric rail-only \
        --algo multi-ring,hierarchical --size 1GiB --csv | cut -d, -f3-9)"

# Two links up for four from below; a rack of 16 of its 18 trays.
sed 's/Nodes=.*/& LinkSpeed=200Gb\/s/' topology.conf >slow.conf
run topo check --topo slow.conf --platform hgx-h100-4 | grep -E 'leaf1|anomalies$' | tr -s ' ' |
    cut -d';' -f1 >got
is 'slower links upwards are an oversubscription' 'switch rail0.leaf1 794.4 GB/s - 2 x down to up
0 anomalies'
printf 'BlockName=a Nodes=n[01-16]\nBlockName=b Nodes=n[17-32]\nBlockSizes=16\n' >blocks.conf
run --topo blocks.conf --platform gb200-nvl72 --size 1GiB --csv | cut -d, -f2-9 >got
is 'times by blocks of Slurm are those of racks' "$(
    run --topo gb200-nvl72 --nodes 2 --gpus 64 --size 1GiB --csv | cut -d, -f2-9)"

fabric 128 32 8 4 'r1l2s3t0 r2l0s5t2' >thin.txt
run topo check --topo thin.txt --node hgx-h100-4 | grep -E '^anomaly|anomalies' |
    tr -s ' -' ' ' | cut -d'(' -f1 >got
is 'both missing cables are named' 'anomaly rail1 leaf2 3 of 4 cables to rail1 spine3
anomaly rail2 leaf0 3 of 4 cables to rail2 spine5
2 anomalies '

fabric 64 16 8 1 'r3l2s5t0' >lost.txt
run topo check --topo lost.txt --platform hgx-h100-4 | grep '^anomaly' | tr -s ' -' ' ' |
    sort -u >got
is 'a lost cable is named' 'anomaly rail3 leaf2 no cable to rail3 spine5, which rail3 leaf1 has
anomaly rail3 leaf2 no cable to rail3 spine5, which rail3 leaf3 has'

# The adapters of two hosts change places.
fabric 16 8 4 2 '' | sed 's/node3 mlx5_1/node3 X/; s/node3 mlx5_2/node3 mlx5_1/; s/node3 X/node3 mlx5_2/' |
    sed 's/^Ca\(.*\)node3 mlx5_1/Ca\1node3 mlx5_1/' >crossed.txt
run topo check --topo crossed.txt --platform hgx-h100-4 >got
n=$((n + 1))
if grep -q 'no cables join this adapter' messages; then
    echo "ok $n - an adapter on a rail without its like is refused"
else
    echo "not ok $n - an adapter on a rail without its like is refused"
    sed 's/^/# /' messages
fi

fabric 16 8 4 2 'r2h5' >missing.txt
run --topo missing.txt --platform hgx-h100-4 --algo ring --size 1MiB >got
grep 'left out' messages >got
is 'a host without an adapter is left out' \
    'note: 1 host is left out, with fewer than 4 adapters: node5'

fabric 16 8 4 2 '' >hosts.txt
run --topo hosts.txt --platform dgx --size 1MiB >got
cat messages >got
is 'a machine with other ports is refused' \
    'collsim: a dgx-a100 has 8 ports, and hosts have 4 adapters'
run --topo hosts.txt --size 1MiB >got
cat messages >got
is 'hosts with several adapters need a machine' \
    'collsim: hosts.txt: hosts have 4 adapters and nothing inside; expected --platform MACHINE, such as dgx-h100'
for option in '--nodes 2' '--gpus 2' '--fabric rail'; do
    # shellcheck disable=SC2086 # an option and its value
    run --topo hosts.txt --platform hgx-h100-4 $option --size 1MiB >got
    cat messages >got
    is "a fabric is no node of another cluster: $option" \
        "collsim: 'hosts.txt' is a whole fabric, not a node; leave --nodes, --gpus, --nics and --fabric out; --ranks N takes its first N"
done
echo "1..$n"
