#!/bin/sh
# Prepared causes: 'collsim why' names the right one first.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "$COLLSIM")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >causes <<'END'
fault           --topo dgx --algo ring --size 64MiB --fault gpu3-nvswitch:rate=50%
fault           --topo dgx-1 --algo multi-ring --size 64MiB --fault gpu0-gpu3:down
fault           --topo dgx-h100 --nodes 4 --fabric rail --algo multi-ring --size 256MiB --fault n1.nic2:down
straggler       --topo dgx --algo ring --size 64MiB --straggler rank=3,slow=30%
straggler       --topo switch:ranks=16 --algo tree --size 16MiB --straggler rank=5,slow=50%
jitter          --topo switch:ranks=16 --algo ring --size 1MiB --jitter exponential,mean=20us --runs 21
concurrent job  --topo dgx --algo ring --size 64MiB --with all-to-all:size=256MiB
concurrent job  --topo switch:ranks=16 --algo ring --size 16MiB --with all-reduce:size=64MiB
transport       --topo dgx --algo ring --size 64KiB --transport nccl-simple
placement       --topo dgx --nodes 4 --algo ring --size 64MiB --placement random
placement       --topo dgx --nodes 4 --algo ring --size 64MiB --placement round-robin
rank order      --topo dgx-1 --algo ring --size 64MiB --ring-order 0,5,1,4,2,7,3,6
small chunks    --topo switch:ranks=16 --algo chain --collective broadcast --size 64MiB --chunks 1
small chunks    --topo switch:ranks=16 --algo chain --collective broadcast --size 64MiB --chunks 4096
few channels    --topo dgx-h100 --nodes 2 --fabric rail --algo multi-ring --size 256MiB --channels 1
one ring        --topo dgx-1 --algo ring --size 64MiB
one ring        --topo dgx-h100 --nodes 2 --fabric rail --algo ring --size 256MiB
oversubscription --topo fat-tree:ranks=32,radix=8,oversubscription=3 --algo direct --collective all-to-all --size 64MiB
hash collisions --topo fat-tree:ranks=32,radix=8 --routing ecmp --algo direct --collective all-to-all --size 64MiB
packet loss     --topo switch:ranks=8,bandwidth=1.25GB/s --algo flat --collective gather --link-model packet --loss drop --buffer 64KiB --size 4MiB
few peers       --topo dgx --algo direct --collective all-to-all --size 1MiB --peers 1
END
total=$(wc -l <causes)
echo "1..1"
right=0
while read -r line; do
    name=$(echo "$line" | sed 's/  *--.*//')
    options=$(echo "$line" | sed 's/^[^-]* --/--/')
    # shellcheck disable=SC2086
    first=$("$program" why $options --csv 2>messages | sed -n 2p | cut -d, -f2)
    if [ "$first" = "$name" ]; then
        right=$((right + 1))
    else
        echo "# '$name' expected, '$first' first: $options"
        sed 's/^/#   /' messages
    fi
done <causes
if [ $((10 * right)) -ge $((9 * total)) ]; then
    echo "ok 1 - $right of $total prepared causes come first"
else
    echo "not ok 1 - $right of $total prepared causes come first"
fi
