#!/bin/sh
# The picture of a trace in the README is that of the program's trace.
#
#     collsim ... --trace trace.json; awk -f reports/timeline/picture.awk trace.json
#
# A change of the simulated times changes the picture: draw it again then.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo "1..2"

"$COLLSIM" --topo cluster:node=hgx-a100-4,nodes=2,fabric=rail --algo ring --size 8MiB \
    --trace "$work/trace.json" >/dev/null
awk -f reports/timeline/picture.awk "$work/trace.json" >"$work/trace.svg"
if cmp -s "$work/trace.svg" reports/timeline/trace.svg; then
    echo "ok 1 - the picture is up to date"
else
    echo "not ok 1 - the picture is up to date"
    diff "$work/trace.svg" reports/timeline/trace.svg | head -5 | sed 's/^/# /'
fi

if ! command -v xmllint >/dev/null 2>&1; then
    echo "ok 2 - and well-formed # SKIP no xmllint"
elif xmllint --noout reports/timeline/trace.svg; then
    echo "ok 2 - and well-formed"
else
    echo "not ok 2 - and well-formed"
fi
