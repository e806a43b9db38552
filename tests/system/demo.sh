#!/bin/sh
# README's picture, reports/example.svg, is what `make demo` draws, and the
# bound in it is the one of its tables.  Speaks TAP.
#
# After a change of the pictures:
#     make demo && cp out/demo/time_size-dgx-a100-all-reduce-8-ranks-fifo.svg reports/example.svg
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
example=$(realpath reports/example.svg)
recipe=$(awk '/^demo:/ { on = 1; next }
    on && !/^\t/ { exit }
    on && (/^\t\.\/collsim/ || more) { print; more = /\\$/ }' Makefile)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
name=out/demo/time_size-dgx-a100-all-reduce-8-ranks-fifo
n=0

# is WHAT COMMAND...: the command succeeds.
is() {
    n=$((n + 1))
    what=$1
    shift
    if "$@" >difference 2>&1; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        head -20 difference messages | sed 's/^/# /'
    fi
}

ln -s "$program" collsim
mkdir out
is 'the commands of make demo run' sh -c "$recipe" 2>messages

# The last point of the bound, of 1 GiB, in seconds, as the table has it.
drawn=$(awk "/^# 'lower bound'/ { on = 1; next } on && NF == 2 { last = \$2 }
    on && NF == 0 { exit } END { print last }" $name.dat)
table=$("$program" --topo dgx.yaml --algo ring --csv | sed -n 2p | cut -d, -f9)
is 'the main bound is that of algorithms of ranks alone' [ "$drawn" = "$table" ]
is 'a bound with servers is another line' grep -q "lower bound (server)" $name.gp

version() {
    sed -n 's/.*Produced by GNUPLOT \(.*\) <.*/\1/p' "$1"
}

# Another gnuplot writes the same picture in other words: its texts are compared.
if ! command -v gnuplot >/dev/null; then
    n=$((n + 1))
    echo "ok $n - the picture of README is that of make demo # SKIP no gnuplot"
elif [ "$(version $name.svg)" = "$(version "$example")" ]; then
    is 'the picture of README is that of make demo' cmp $name.svg "$example"
else
    # Each writes them in an order of its own.
    grep '<text' $name.svg | sed 's/<[^>]*>//g' | sort >texts
    grep '<text' "$example" | sed 's/<[^>]*>//g' | sort >expected
    is 'the texts of README'\''s picture are those of make demo' diff expected texts
fi
echo "1..$n"
