#!/bin/sh
# Prints a file of validate/cuda as C++ for a host compiler, with the deliberate
# bugs in it, which are off; status 1 where some CUDA of it is not known.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

text=$({ echo "#line 1 \"$1\"" && cat "$1"; } |
    sed -z -E -f tests/cuda/rewrite.sed -f tests/cuda/mutants.sed) || exit 1
if printf '%s\n' "$text" |
    grep -E 'asm volatile|<<<|__shared__|__CUDA_ARCH__' >&2; then
    echo "$1: CUDA that tests/cuda/rewrite.sed does not know" >&2
    exit 1
fi
printf '%s\n' "$text"
