#!/bin/sh
# `make gpu` without a GPU, and with a collsim-cuda that cannot be rebuilt: a
# message, an exit status, nothing left behind.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
echo 1..5
. tests/tap.sh

# A key that no program writes is a measurement that no prediction sees.
sed -n '/^static const struct cs_line_field fields/,/^};/p' validate/gpu/measured.c |
    sed -nE 's/.*(FIELD|LIMITED)\("([a-z0-9_]*)".*/\2/p' >"$work/keys"
while read -r key; do
    suffix=${key#time_}
    grep -qF "\"$key\"" validate/cuda/*.cu validate/cuda/bench/*.cu validate/gpu/prediction_list.c ||
        grep -qF "{\"${suffix#event_}\"," validate/cuda/line.cu || echo "$key"
done <"$work/keys" >"$work/said"
[ -s "$work/keys" ] && [ ! -s "$work/said" ]
result 'collsim-cuda or the predictions write every key that is read' $?

# The sources, without anything built; one table, and no C compiler to make more.
mkdir "$work/tree" "$work/tables"
for entry in *; do
    case $entry in
    build | out | collsim | collsim-cuda) ;;
    *) ln -s "$PWD/$entry" "$work/tree/$entry" ;;
    esac
done
touch "$work/tables/ring-2.table"

# gpu NVCC: in that tree.
gpu() {
    env -u MAKEFLAGS make -C "$work/tree" --no-print-directory CC=false \
        NVCC="$1" CUDA_ARCH=90 TABLES="$work/tables" OUT="$work/out/gpu" gpu \
        >"$work/said" 2>&1
}

gpu false
[ $? != 0 ] && ! grep -q 'older binary' "$work/said" && [ ! -e "$work/out" ]
result 'without a collsim-cuda and without a working nvcc nothing is measured' $?

gpu ''
[ $? != 0 ] && grep -q "no program './collsim-cuda'" "$work/said" &&
    [ ! -e "$work/out" ]
result 'without nvcc the message names the program to bring along' $?

cat >"$work/tree/collsim-cuda" <<'END'
#!/bin/sh
case $1 in
--help) echo "Built with CUDA 13.0: needs NVIDIA's driver 580 or a newer one." ;;
machine)
    echo 'collsim-cuda: looking for GPUs: no CUDA-capable device is detected' >&2
    exit 3
    ;;
*) exit 1 ;;
esac
END
chmod +x "$work/tree/collsim-cuda"
gpu false
[ $? != 0 ] &&
    grep -q 'could not be rebuilt: the older binary measures' "$work/said"
result 'a binary older than its sources is reported' $?

gpu ''
[ $? != 0 ] && ! grep -q 'older binary' "$work/said" &&
    grep -q 'nothing can run here: .*no CUDA-capable device' "$work/said" &&
    grep -q "needs NVIDIA's driver 580" "$work/said" && [ ! -e "$work/out" ]
result 'without a GPU the reason is printed and no file is left' $?
