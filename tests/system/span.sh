#!/bin/sh
# What the threads of a block do with a span, one after the other on the host.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

cxx=$(command -v c++ || command -v g++ || command -v clang++)
if [ -z "$cxx" ]; then
    echo '1..0 # SKIP no C++ compiler here'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..1
if "$cxx" -std=c++17 -O1 -Wno-unknown-pragmas -I. -Itests/system/host_cuda \
    -o "$work/span" tests/system/span.cc >"$work/said" 2>&1 &&
    "$work/span" >>"$work/said" 2>&1; then
    echo 'ok 1 - exactly the bytes of a span are copied or reduced'
else
    echo 'not ok 1 - exactly the bytes of a span are copied or reduced'
    sed 's/^/# /' "$work/said" | head -20
fi
