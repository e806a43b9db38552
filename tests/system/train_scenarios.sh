#!/bin/sh
# Every scenario of scenarios/library is a job that fits its machine, says what it
# is about, and has cases that draw a picture and lie within 10 % of published
# measurements.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The picture of the scenario's cases, where gnuplot is installed.
draws() {
    if command -v gnuplot >/dev/null; then
        "$COLLSIM" train --scenario "$1" --plot "$work/$2.svg" 2>&1 &&
            [ -s "$work/$2.svg" ]
    else
        echo 'gnuplot is not installed: no picture is drawn'
        "$COLLSIM" train --scenario "$1" --cases 2>&1
    fi
}

# Cases with a measurement far from it; the last column is the error.
missed() {
    "$COLLSIM" train --scenario "$1" --cases --csv 2>/dev/null |
        awk -F, 'NR > 1 && ($NF + 0 > .1 || $NF + 0 < -.1)' | grep .
}

echo "1..$(find scenarios/library -maxdepth 1 -name '*.yaml' | wc -l)"
number=0
for scenario in scenarios/library/*.yaml; do
    number=$((number + 1))
    if grep -q '^about: .' "$scenario" &&
        said=$("$COLLSIM" train --scenario "$scenario" 2>&1) &&
        said=$(draws "$scenario" "$(basename "$scenario" .yaml)") &&
        ! said=$(missed "$scenario"); then
        echo "ok $number - $scenario"
    else
        echo "not ok $number - $scenario"
        echo "$said" | sed 's/^/# /'
    fi
done
