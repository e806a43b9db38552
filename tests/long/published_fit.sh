#!/bin/sh
# Fits to each published machine, and what they predict of its other tables.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..1
. tests/tap.sh

"$COLLSIM" validate published --fit --gated >/dev/null 2>"$work/said"
result 'a fit to other sizes, a collective or fewer nodes makes no score worse' $?
