#!/bin/sh
# A Debian package of what `make install` installs: deb.sh VERSION OUT, by `make deb`.
# dpkg-shlibdeps finds the packages of the libraries that the program needs.
set -eu
LC_ALL=C
export LC_ALL
version=$1 out=$2
if ! command -v dpkg-deb >/dev/null 2>&1 || ! command -v dpkg-shlibdeps >/dev/null 2>&1; then
    echo 'no dpkg-deb or dpkg-shlibdeps; type: sudo apt-get install dpkg-dev' >&2
    exit 3
fi
rm -rf "$out"
mkdir -p "$out/debian" "$out/root/DEBIAN"
root=$(cd "$out/root" && pwd)

make -s V= install DESTDIR="$root" PREFIX=/usr >/dev/null
strip "$root/usr/bin/collsim"
gzip -9n "$root/usr/share/man/man1/collsim.1"
install -D -m 644 LICENSE "$root/usr/share/doc/collsim/copyright"
cat >>"$root/usr/share/doc/collsim/copyright" <<'END'

These are the terms of the sources. The program links the GNU Scientific Library, which is under
the GNU General Public License, version 3 or later (/usr/share/common-licenses/GPL-3), as is the
program as a whole, therefore, where `ldd` shows libgsl.
END

printf 'Source: collsim\n\nPackage: collsim\nArchitecture: any\n' >"$out/debian/control"
needs=$(cd "$out" && dpkg-shlibdeps -O "root/usr/bin/collsim" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
architecture=$(dpkg --print-architecture)
cat >"$root/DEBIAN/control" <<END
Package: collsim
Version: $version
Architecture: $architecture
Section: science
Priority: optional
Maintainer: collsim <collsim@localhost>
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: $needs
Recommends: gnuplot-nox | gnuplot
Description: collective communication, simulated and modelled
 How long a collective of NCCL, RCCL or MPI takes on a machine, what the least time possible is,
 what the bottleneck is, and how we know.
END
chmod -R go-w "$root"
dpkg-deb --build --root-owner-group "$root" "$out/collsim_${version}_$architecture.deb" >/dev/null
echo "$out/collsim_${version}_$architecture.deb"
