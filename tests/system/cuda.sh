#!/bin/sh
# collsim-cuda: builds where nvcc is, says why it cannot run where no GPU is,
# and gives exact sums where one is.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
    echo '1..0 # SKIP no nvcc here: collsim-cuda is not built'
    exit 0
fi
echo 1..5
. tests/tap.sh

arch=$("$nvcc" --list-gpu-arch | sed -n 's/^compute_90$/90/p')
# shellcheck disable=SC2086 # no word at all, or one
env -u MAKEFLAGS make ${arch:+CUDA_ARCH=$arch} collsim-cuda >"$work/said" 2>&1
result 'collsim-cuda is built with nvcc and libc alone' $?

./collsim-cuda run --tabel x >"$work/said" 2>&1
status=$?
[ $status = 2 ] && grep -q "did you mean '--table'" "$work/said"
result 'a wrong option is reported with the nearest right one' $?

./collsim-cuda machine >"$work/said" 2>&1
status=$?
if [ $status = 0 ]; then
    "$COLLSIM" export --algo ring --ranks 4 --topo switch:ranks=4 \
        --format table >"$work/ring.table"
    ./collsim-cuda run --table "$work/ring.table" -b 1KiB -e 1MiB -f 32 \
        --dtype fp32,fp16 --runs 3 >"$work/said" 2>&1 &&
        ! grep -v '"wrong": 0}' "$work/said"
    result 'a ring on the GPU gives exact sums' $?
else
    [ $status = 3 ] && grep -q 'cuda[A-Z]' "$work/said"
    result 'without a GPU the reason is CUDA'"'"'s own' $?
fi

printf 'collsim-table 1\nalgorithm a\n' >"$work/cut.table"
./collsim-cuda run --table "$work/cut.table" >"$work/said" 2>&1
status=$?
[ $status = 2 ] && grep -q 'cut.table:2' "$work/said"
result 'a table that is cut off is refused, with a GPU or without' $?

env -u MAKEFLAGS make TABLES="$work/tables" cuda-tables >"$work/said" 2>&1
same=$?
for table in ring-8 naive-3 tree-4 ps-16; do
    "$COLLSIM" export --algo "${table%-*}" --topo "switch:ranks=${table#*-}" \
        --format table >"$work/exported" 2>>"$work/said"
    cmp "$work/exported" "$work/tables/$table.table" >>"$work/said" 2>&1 ||
        same=1
done
result 'tables are written with a C compiler alone, as collsim exports them' $same
