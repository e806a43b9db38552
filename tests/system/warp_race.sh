#!/bin/sh
# The protocol of slots with real threads, under a thread sanitizer: release and
# acquire order all data, and without them the sanitizer finds that they do not.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

. tests/tap.sh
cc=${CC:-cc}

echo 'int main(void) { return 0; }' >"$work/empty.c"
if ! $cc -fsanitize=thread -o "$work/empty" "$work/empty.c" 2>/dev/null ||
    ! "$work/empty" 2>/dev/null; then
    echo "1..0 # SKIP no thread sanitizer here"
    exit 0
fi

parts='validate/cuda/plan.c validate/cuda/op_table.c sim/program/program.c
    sim/base/collections/vector.c
    sim/base/err.c sim/base/file.c sim/base/hint.c sim/base/mem.c
    sim/base/text.c
    '"$(echo sim/base/units*.c)"
# build NAME FLAG ...
build() {
    name=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    $cc -std=c17 -O1 -g -fsanitize=thread -I. -D_GNU_SOURCE "$@" \
        -o "$work/$name" tests/system/warp_race.c $parts -lm -lpthread -lz \
        2>"$work/said"
}

echo 1..4
for algo in ring tree; do
    "$COLLSIM" export --algo $algo --topo switch:ranks=4 --format table \
        --out "$work/$algo.table" >"$work/said" 2>&1
done
build ordered
for algo in ring tree; do
    "$work/ordered" "$work/$algo.table" >"$work/said" 2>&1
    result "$algo: exact sums, and no race" $?
done
for order in RELEASE ACQUIRE; do
    build relaxed -U__ATOMIC_$order -D__ATOMIC_$order=0 &&
        ! "$work/relaxed" "$work/ring.table" >"$work/said" 2>&1 &&
        grep -q 'data race' "$work/said"
    result "a race is found without $order" $?
done
