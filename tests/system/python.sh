#!/bin/sh
# The Python package: the wheel, its size, licence and tag, an empty environment without a
# network, and the package there beside the program.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=$(dirname "$(realpath "$COLLSIM")")
mode=$(basename "$build")
skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
case $mode in
release | debug) ;;
*) skip "the library is built by release and debug, not by $mode" ;;
esac
command -v python3 >/dev/null 2>&1 || skip 'no python3'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || skip 'python3 is older than 3.8'
python3 -c 'import venv, ensurepip' 2>/dev/null || skip 'python3 has no venv (apt-get install python3-venv)'
python3 -m venv "$work/env" >"$work/said" 2>&1 || skip 'python3 makes no environment'

make -s V= MODE="$mode" WHEELS="$work/wheels" wheel >"$work/said" 2>&1
result 'make wheel' $?
wheel=$(echo "$work"/wheels/*.whl)
[ "$(wc -l <"$work/said")" = 1 ] && [ "$(wc -c <"$wheel")" -lt 3000000 ]
result 'the wheel is below 3 MB' $?
python3 -m zipfile -l "$wheel" >"$work/said" && ! grep -iq gsl "$work/said" && grep -q LICENSE "$work/said"
result 'it is under the licence of the sources, without GSL' $?

# No index, no cache, no compiler: what a user's pip does with the file alone.
env -i PATH=/nonexistent HOME="$work" "$work/env/bin/python" -m pip install --no-index --no-cache-dir \
    --disable-pip-version-check "$wheel" >"$work/said" 2>&1
result 'pip installs it without network and compiler' $?
"$work/env/bin/python" tests/host/python_test.py "$COLLSIM" "$work" >"$work/tests" 2>&1
grep -v '^1\.\.' "$work/tests" | awk -v number="$number" '/^(not )?ok / { sub(/[0-9]+ /, ++number " ") } { print }'
echo "1..$((number + $(sed -n 's/^1\.\.//p' "$work/tests" | tail -1)))"
