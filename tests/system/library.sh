#!/bin/sh
# libcollsim as a host sees it: symbols, names, pkg-config, an example in C, static and
# shared, ten thousand runs without growth, and Ctrl-C as the host wants it.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=$(dirname "$(realpath "$COLLSIM")")
mode=$(basename "$build")
case $mode in
release | debug) ;;
*)
    echo "1..0 # SKIP the library is built by release and debug, not by $mode"
    exit 0
    ;;
esac
if ! command -v pkg-config >/dev/null 2>&1; then
    echo '1..0 # SKIP no pkg-config'
    exit 0
fi

make -s V= MODE="$mode" library >"$work/said" 2>&1
result 'make library' $?
lib=$build/host/lib
version=$("$COLLSIM" version | cut -d' ' -f2)

nm -D --defined-only "$lib/libcollsim.so" | awk '$3 !~ /^collsim_/' >"$work/said" 2>&1
[ ! -s "$work/said" ]
result 'the public calls are the only symbols of the shared library' $?
nm -g --defined-only "$lib/libcollsim.a" | awk 'NF == 3 && $3 !~ /^collsim_/' >"$work/said" 2>&1
[ ! -s "$work/said" ]
result 'and of the archive' $?
objdump -p "$lib/libcollsim.so" | grep SONAME >"$work/said"
grep -q "libcollsim.so.$(echo "$version" | sed 's/^\(0\.[0-9]*\).*/\1/; t; s/\..*//')\$" "$work/said" &&
    [ -e "$lib/$(awk '{ print $2 }' "$work/said")" ]
result 'the name of the library changes with what may break' $?

# A host knows pkg-config alone.
make -s V= MODE="$mode" install-library DESTDIR="$work" PREFIX=/away >"$work/said" 2>&1
result 'make install-library' $?
export PKG_CONFIG_PATH="$work/away/lib/pkgconfig"
[ "$(pkg-config --modversion collsim)" = "$version" ]
result 'pkg-config has the version of the program' $?
# shellcheck disable=SC2046
cc -Wall -Werror tests/host/ring.c $(pkg-config --cflags --libs collsim) -o "$work/ring" >"$work/said" 2>&1 &&
    LD_LIBRARY_PATH=$work/away/lib "$work/ring" >"$work/shared" 2>"$work/said"
result 'the example runs with the shared library' $?
# shellcheck disable=SC2046
cc -Wall -Werror tests/host/ring.c $(pkg-config --cflags collsim) "$work/away/lib/libcollsim.a" \
    $(sed -n 's/^Requires.private: //p' "$PKG_CONFIG_PATH/collsim.pc" | xargs pkg-config --libs) -lm \
    -o "$work/ring-static" >"$work/said" 2>&1 && "$work/ring-static" >"$work/static" 2>"$work/said" &&
    cmp "$work/shared" "$work/static" >"$work/said"
result 'and the same with the archive' $?
if command -v c++ >/dev/null 2>&1; then
    # shellcheck disable=SC2046
    echo '#include <collsim.h>' | c++ -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ \
        $(pkg-config --cflags collsim) - >"$work/said" 2>&1
    result 'the header is one of C++, too' $?
else
    result 'the header in C++ # SKIP no c++' 0
fi
sed -n '/^static const char machine/,/;$/s/^[^"]*"\(.*\)\\n".*/\1/p' tests/host/ring.c |
    sed 's/\\"/"/g' >"$work/star.yaml"
{
    "$COLLSIM" --topo "$work/star.yaml" --algo ring --size 1MiB,16MiB,256MiB --csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { printf "%dMiB %.3f us %.2f GB/s\n", $at["bytes"] / 1048576, 1e6 * $at["time_s"],
                1e-9 * $at["busbw_Bps"] }'
    echo "status 130, 'stopped', asked 1 time"
} >"$work/expected"
diff "$work/expected" "$work/shared" >"$work/said" 2>&1
result 'its figures are those of the program' $?

# Ten thousand runs, of which each has its machine, options and document: memory is the
# resident set after a thousand runs and at the end.
cat >"$work/many.c" <<'C'
#include <collsim.h>
#include <stdio.h>
#include <sys/resource.h>
static long peak(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss;
}
int main(void)
{
    struct collsim *run = collsim_new("run");
    long before = 0;
    collsim_set(run, "topo", "dgx");
    collsim_set(run, "algo", "ring");
    collsim_set(run, "size", "1MiB");
    for (int i = 0; i < 10000; i++) {
        if (collsim_run(run) != COLLSIM_OK)
            return 1;
        if (i == 1000)
            before = peak();
    }
    printf("%ld KiB after 1000 runs, %ld after 10000\n", before, peak());
    return peak() > before + 256;
}
C
# shellcheck disable=SC2046
cc "$work/many.c" $(pkg-config --cflags --libs collsim) -o "$work/many" >"$work/said" 2>&1 &&
    (ulimit -S -t 30 && LD_LIBRARY_PATH=$work/away/lib exec "$work/many") >"$work/said" 2>&1
result 'ten thousand runs in 30 s of a core, without growth' $?

# 4 million links do not fit; the call before and the call after do.
cat >"$work/lack.c" <<'C'
#include <collsim.h>
#include <sys/resource.h>
static int run(const char *topo)
{
    struct collsim *run = collsim_new("run");
    int status;
    collsim_set(run, "topo", topo);
    status = collsim_run(run);
    collsim_free(run);
    return status;
}
int main(void)
{
    struct rlimit limit = {100 << 20, 100 << 20};
    setrlimit(RLIMIT_AS, &limit);
    return run("dgx") != COLLSIM_OK || run("mesh:ranks=2048") != COLLSIM_CANNOT ||
           run("dgx") != COLLSIM_OK;
}
C
# shellcheck disable=SC2046
cc "$work/lack.c" $(pkg-config --cflags --libs collsim) -o "$work/lack" >"$work/said" 2>&1 &&
    LD_LIBRARY_PATH=$work/away/lib "$work/lack" >"$work/said" 2>&1
result 'a run that lacks memory is an error of the run, and the next one goes on' $?

# A host's own action of Ctrl-C stays, while a run goes on.
cat >"$work/signal.c" <<'C'
#include <collsim.h>
#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t came;
static void note(int number)
{
    came = number;
}
static int stop(void *context, const char *phase, double share)
{
    (void)context, (void)phase, (void)share;
    raise(SIGINT);
    return came == SIGINT;
}
int main(void)
{
    struct collsim *run = collsim_new("run");
    signal(SIGINT, note);
    collsim_set(run, "topo", "dgx");
    collsim_watch(run, stop, NULL);
    printf("%d ", collsim_run(run));
    printf("%d\n", (int)came);
    collsim_free(run);
    return 0;
}
C
# shellcheck disable=SC2046
cc "$work/signal.c" $(pkg-config --cflags --libs collsim) -o "$work/signal" >"$work/said" 2>&1 &&
    LD_LIBRARY_PATH=$work/away/lib "$work/signal" >"$work/said" 2>&1 && [ "$(cat "$work/said")" = '130 2' ]
result "Ctrl-C is the host's own" $?
make -s V= MODE="$mode" uninstall DESTDIR="$work" PREFIX=/away >"$work/said" 2>&1
find "$work/away" ! -type d >>"$work/said"
! grep -q "/away/.*collsim" "$work/said"
result 'make uninstall takes it away' $?
echo "1..$number"
