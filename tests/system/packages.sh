#!/bin/sh
# The Debian package in a clean root, and the static program in an empty one.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=$(dirname "$(realpath "$COLLSIM")")
mode=$(basename "$build")
case $mode in
release | debug) ;;
*)
    echo "1..0 # SKIP packages are of release and debug, not of $mode"
    exit 0
    ;;
esac
"$COLLSIM" --topo dgx --algo all --size 1MiB --json >"$work/expected" 2>/dev/null

# What the names mean stays in the build; as root or not, the root is of this test.
if command -v dpkg-shlibdeps >/dev/null 2>&1; then
    make -s V= MODE="$mode" deb >"$work/said" 2>&1
    result 'make deb' $?
    package=$(tail -1 "$work/said")
    root=$work/root
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
    : >"$root/var/lib/dpkg/status"
    PATH=$PATH:/usr/sbin:/sbin dpkg --root="$root" --force-not-root --force-depends -i "$package" \
        >"$work/said" 2>&1 && "$root/usr/bin/collsim" --topo dgx --algo all --size 1MiB --json \
        >"$work/got" 2>/dev/null && cmp "$work/expected" "$work/got" >"$work/said" 2>&1
    result 'it installs in a clean root and gives the same answer' $?
    dpkg-deb -f "$package" Depends >"$work/said" && grep -q 'libc6 (>= ' "$work/said" &&
        grep -q libsqlite3-0 "$work/said" && [ "$(dpkg-deb -f "$package" Version)" = \
        "$("$COLLSIM" version | cut -d' ' -f2)" ] && [ -s "$root/usr/share/man/man1/collsim.1.gz" ]
    result 'it names its version and the packages that it needs' $?
else
    result 'a Debian package # SKIP no dpkg-dev' 0
fi

# Some systems have no static libraries.
mkdir "$work/empty"
if make -s V= MODE="$mode" static >"$work/said" 2>&1; then
    cp "$build/static/collsim" "$work/empty"
    [ "$(wc -c <"$work/empty/collsim")" -lt 7000000 ]
    result 'the static program is below 7 MB' $?
    if unshare -r chroot "$work/empty" /collsim version >"$work/said" 2>&1; then
        unshare -r chroot "$work/empty" /collsim --topo dgx --algo all --size 1MiB --json \
            >"$work/got" 2>/dev/null
        cmp "$work/expected" "$work/got" >"$work/said" 2>&1
        result 'it gives the same answer in an empty root' $?
        gzip -c topo/library/dgx-1.yaml |
            unshare -r chroot "$work/empty" /collsim --topo - --size 1MiB 2>&1 | grep -q 'on dgx-1, 8 ranks'
        result 'and reads its standard input there' $?
    else
        result 'an empty root # SKIP unshare and chroot are refused here' 0
    fi
elif grep -q 'cannot find -l' "$work/said"; then
    result 'a static program # SKIP no static libraries' 0
else
    result 'make static' 1
fi
echo "1..$number"
