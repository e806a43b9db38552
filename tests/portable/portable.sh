#!/bin/sh
# The same answer on another architecture: builds the program for aarch64, runs each
# line of commands.txt by both programs, by qemu, and compares bytes and exit status.
# Needs gcc-aarch64-linux-gnu and qemu-user or qemu-user-static; the libraries are
# unpacked, not installed.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
libraries=build/aarch64-packages
other=build/aarch64/collsim

qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
if [ -z "$qemu" ] || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    echo "1..0 # SKIP no compiler or qemu; type: sudo apt-get install gcc-aarch64-linux-gnu qemu-user"
    exit 0
fi
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

# Lines of progress are dropped: they depend on the time that a program takes.
answer() {
    eval "$1 $line" >"$work/answer" 2>&1
    echo "status $?" >>"$work/answer"
    progress='(, about [^,;]* to go| for [0-9]+ (s|min|h))(;|$)| takes over 10 s$|^the run took '
    grep -vE "$progress" "$work/answer"
}

grep -v '^#' tests/portable/commands.txt >"$work/commands"
while read -r line; do
    answer "$COLLSIM" >"$work/here"
    answer "$qemu $other" >"$work/there"
    diff "$work/here" "$work/there" >"$work/said"
    result "$line" $?
done <"$work/commands"
echo "1..$number"
