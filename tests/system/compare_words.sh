#!/bin/sh
# Every number in a sentence of `collsim compare` is a value of its --json, in
# the unit of the sentence.  Speaks TAP.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
n=0

# Times of MACHINE ($1, with more arguments) as a log of nccl-tests, scaled by
# an expression of awk in t and size.
make_log() {
    scale=$1
    shift
    "$program" "$@" --library nccl -b 4K -e 8G -f 4 --csv 2>messages |
        sed 's/,nodes=[0-9]*//' | awk -F, 'BEGIN {
            print "# size count type redop root time algbw busbw #wrong" }
        NR > 1 { size = $6; t = $7; t = t * ('"$scale"')
            printf "%.0f %.0f float sum -1 %.4g %.2f %.2f 0\n", size, size / 4,
                1e6 * t, size / t / 1e9, 1.875 * size / t / 1e9 }'
}

# The sentences, a line each, and all other lines of the document.
check() {
    name=$1
    shift
    n=$((n + 1))
    "$program" compare --json "$@" >out.json 2>messages
    wrong=$(awk '
        function matches(number, value, k, text) {
            for (k = 1; k <= units; k++) {
                text = sprintf("%.4g", value * unit[k])
                if (text + 0 == number + 0) return 1
                if (sprintf("%.0f", value * unit[k]) == number) return 1
                if (sprintf("%.1f", value * unit[k]) == number) return 1
            }
            return 0
        }
        function found(number, i) {
            if (number == 90) return 1 # of the interval, by definition
            for (i = 1; i <= values; i++)
                if (matches(number, value[i])) return 1
            return 0
        }
        BEGIN {
            units = split("1 100 1e-9 1e3 1e6", unit, " ")
            for (e = 10; e <= 40; e += 10) unit[++units] = 1 / 2 ^ e
        }
        /^      "words": \[/ { inside = 1; next }
        inside && /\]/ { inside = 0; next }
        inside { sentences[++count] = $0; next }
        {
            rest = $0
            while (match(rest, /[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/)) {
                value[++values] = substr(rest, RSTART, RLENGTH) + 0
                rest = substr(rest, RSTART + RLENGTH)
            }
        }
        END {
            if (!count) print "no sentence"
            for (s = 1; s <= count; s++) {
                rest = sentences[s]
                gsub(/LL128/, "LL", rest)
                cites = 0
                while (match(rest, /[0-9]+(\.[0-9]+)?/)) {
                    number = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    cites++
                    if (!found(number)) print number " of" sentences[s]
                }
                all += cites
            }
            if (all < 3) print all " numbers in all sentences"
        }' out.json)
    if [ -z "$wrong" ]; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        echo "$wrong" | sed 's/^/# /'
    fi
}

make_log 1 --topo abci-a --nodes 2 >half.txt
check 'half of the adapters' --log half.txt --topo dgx --nodes 2
make_log 1.01 --topo dgx --nodes 2 >sound.txt
check 'a sound machine' --log sound.txt --topo dgx --nodes 2
make_log .6 --topo dgx --nodes 2 >fast.txt
check 'faster than expected' --log fast.txt --topo dgx --nodes 2
make_log 'size > 1e6 ? 7 : 1' --topo dgx --nodes 2 >odd.txt
check 'no known cause' --log odd.txt --topo dgx --nodes 2
{
    echo 'h:1:2 [0] NCCL INFO NCCL version 2.21.5+cuda12.4'
    echo 'h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eth0:10.0.0.1<0>'
    echo 'h:1:2 [0] NCCL INFO Using network IB'
    echo 'h:1:2 [0] NCCL INFO AllReduce: 1048576 Bytes -> Algo 1 proto 2 time 27.4'
    cat half.txt
} >facts.txt
check 'messages of the library' --log facts.txt --topo dgx --nodes 2
"$program" fit --from sound.txt --topo dgx --nodes 2 -o mine.yaml >out 2>&1
check 'in sample' --log sound.txt --topo dgx --nodes 2 --library mine.yaml \
    --in-sample
echo "1..$n"
