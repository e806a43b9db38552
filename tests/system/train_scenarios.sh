#!/bin/sh
# Every scenario of scenarios/library is a job that fits its machine, and says
# what it is about.
set -u
cd "$(dirname "$0")/../.." || exit 1

echo "1..$(find scenarios/library -maxdepth 1 -name '*.yaml' | wc -l)"
number=0
for scenario in scenarios/library/*.yaml; do
    number=$((number + 1))
    if grep -q '^about: .' "$scenario" &&
        said=$("$COLLSIM" train --scenario "$scenario" 2>&1); then
        echo "ok $number - $scenario"
    else
        echo "not ok $number - $scenario"
        echo "$said" | sed 's/^/# /'
    fi
done
