#!/bin/sh
# The same answer on another architecture: builds the program for aarch64, runs each
# line of commands.txt by both programs, by qemu, and compares bytes and exit status.
# Needs gcc-aarch64-linux-gnu and qemu-user; the libraries are unpacked, not installed.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
libraries=build/aarch64-packages
other=build/aarch64/collsim

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    if ! command -v $tool >/dev/null; then
        echo "1..0 # SKIP no $tool; type: sudo apt-get install gcc-aarch64-linux-gnu qemu-user"
        exit 0
    fi
done
if [ ! -d $libraries/usr ] && ! .ci/packages --unpack $libraries arm64 2>"$work/said"; then
    echo "1..0 # SKIP $(cat "$work/said")"
    exit 0
fi
make -j"$(nproc)" V= CC="${CCACHE-} aarch64-linux-gnu-gcc" BUILD=build/aarch64 LDFLAGS=-static \
    PKG_CFLAGS="-I$libraries/usr/include" \
    PKG_LIBS="-L$libraries/usr/lib/aarch64-linux-gnu -lyaml -lexpat -lsqlite3 -lgsl -lgslcblas -lz" \
    $other >"$work/said" 2>&1
result 'the program is built for aarch64' $?
[ -x $other ] || exit 1

grep -v '^#' tests/portable/commands.txt >"$work/commands"
while read -r line; do
    eval "$COLLSIM $line" >"$work/here" 2>&1
    echo "status $?" >>"$work/here"
    eval "qemu-aarch64 $other $line" >"$work/there" 2>&1
    echo "status $?" >>"$work/there"
    diff "$work/here" "$work/there" >"$work/said"
    result "$line" $?
done <"$work/commands"
echo "1..$number"
