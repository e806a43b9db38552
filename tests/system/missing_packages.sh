#!/bin/sh
# Which packages are missing is asked of the compiler: a header without its library is
# missing, and a set names nothing of another.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
# A compiler that has neither the header nor the library $REFUSED.
mkdir "$work/bin"
cat >"$work/bin/cc" <<END
#!/bin/sh
case \$1 in -print*) exit ;; esac
cat >"$work/source.c"
case " \$* " in *" -Wl,--no-as-needed \$REFUSED "*) exit 1 ;; esac
grep -q "<\$REFUSED>" "$work/source.c" && exit 1
exit 0
END
chmod +x "$work/bin/cc"

# names SET REFUSED PACKAGE: of libraries the set names the package alone.
names() {
    REFUSED=$2 PATH=$work/bin:$PATH .ci/packages --missing "$1" 2>&1 |
        tr ' ' '\n' | grep -- '-dev$' >"$work/said"
    [ "$(cat "$work/said")" = "$3" ]
    result "$1 without $2: ${3:-nothing is missing}" $?
}

names build yaml.h libyaml-dev
names build -lyaml libyaml-dev
names build -lexpat libexpat1-dev
names build -lsqlite3 libsqlite3-dev
names build -lz zlib1g-dev
names build none.h ''
names build cmocka.h ''
names demo cmocka.h ''
names all cmocka.h libcmocka-dev
names all -lcmocka libcmocka-dev
names demo -lyaml libyaml-dev
echo "1..$number"
