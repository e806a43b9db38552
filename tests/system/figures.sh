#!/bin/sh
# README.md and validate/README.md state what the commands print: scores of published
# tables and steps, and the board of first scores, a line per search.  A figure may differ
# by one in its last digit, or by a hundredth: estimates move it.
# Speaks TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..26
. tests/tap.sh

# states FILE ROW FIGURE...: the line of FILE that begins with ROW has the figures in their order.
states() {
    file=$1
    row=$2
    shift 2
    awk -v row="$row" -v wanted="$*" '
        index($0, row) == 1 {
            line = substr($0, length(row) + 1)
            gsub(/[^0-9.]+/, " ", line)
            most = split(line, has, " ")
            count = split(wanted, want, " ")
            at = 1
            for (i = 1; i <= most && at <= count; i++) {
                far = has[i] - want[at]
                near = (has[i] ~ /[.][0-9]/ ? .1 : 1) + .01 * want[at]
                at += far <= near && -far <= near
            }
            found += count && at > count
        }
        END { if (!found) print "not stated: " row " " wanted; exit !found }' "$file" >"$work/said"
    result "$file states '$row'" $?
}

"$COLLSIM" validate published --scores --csv >"$work/scores.csv"
# score GROUP LIBRARY SIZES: tables, then median and 90 % of the model, of the library's tuner
# and of a ring.
score() {
    awk -F, -v group="$1" -v name="$2" -v sizes="$3" \
        '$1 == group && $2 == name && $3 == sizes {
            print $4, 100 * $6, 100 * $7, 100 * $13, 100 * $14, 100 * $11, 100 * $12 }' \
        "$work/scores.csv"
}
# shellcheck disable=SC2046 # figures
{
    states README.md '| NCCL and RCCL from 64 KiB, unseen |' $(score unseen nccl from-64KiB)
    states README.md '| below 64 KiB, unseen |' $(score unseen nccl below-64KiB)
    states README.md '| from 256 MiB, unseen |' $(score unseen nccl from-256MiB)
    states README.md '| MPI from 64 KiB |' $(score unseen mpi from-64KiB | cut -d' ' -f1-3)
}

# A machine is the mean of ln(1 + error) over its tables of NCCL and RCCL; fields of CSV in quotes
# have no comma afterwards.
unquoted() {
    awk -F'"' -v OFS= '{ for (i = 2; i <= NF; i += 2) gsub(/,/, ";", $i); print }' "$1"
}
unquoted validate/data/published/first_scores.csv | grep -v '^osu' >"$work/first"

# The same tables as predicted today, from 64 KiB.
"$COLLSIM" validate published --tables --csv >"$work/tables.csv"
awk -F, -v OFS=, 'NR == FNR { if ($4 == "from-64KiB") error[$1] = $6; next }
    { $5 = $7 = ""; $6 = error[$1]; print }' "$work/tables.csv" "$work/first" >"$work/today"

# search FILE PROGRAM: its tables and machines; median and 90 % over machines from 64 KiB, below, and
# from 256 MiB.
search() {
    awk -F, -v program="$2" '
        $4 == program {
            tables++
            machines += !seen[$2]++
            for (k = 5; k <= 7; k++)
                if ($k != "") { sum[k, $2] += log(1 + $k); count[k, $2]++ }
        }
        END { print tables, machines, both(6) both(5) both(7) }
        function both(k,   m, n, i, value, sorted) {
            for (m in seen)
                if (count[k, m]) {
                    value = sum[k, m] / count[k, m]
                    for (i = ++n; i > 1 && sorted[i - 1] > value; i--) sorted[i] = sorted[i - 1]
                    sorted[i] = value
                }
            return n ? " " at(sorted, n, .5) " " at(sorted, n, .9) : ""
        }
        function at(sorted, n, share,   x, i) {
            x = share * (n - 1) + 1
            i = int(x)
            return 100 * (exp(sorted[i] + (i < n ? (x - i) * (sorted[i + 1] - sorted[i]) : 0)) - 1)
        }' "$1"
}
# shellcheck disable=SC2046 # figures
for program in 1e1f497d 421a017c c43d9c53 b0e4dd84 e0186d04 43fbd183 557ec7e7 33bbb961 14bb934d; do
    states validate/README.md "| \`$program\`" $(search "$work/first" $program)
    states validate/README.md "| \`$program\`, today" $(search "$work/today" $program)
done

# Mean errors without a row, of tables that no parameter of kernels is from: dense, and with experts.
experts=$("$COLLSIM" validate training --points --csv |
    awk -F, '/ --ep / && !seen[$1]++ { printf "%s%s", bar, $1; bar = "|" }')
"$COLLSIM" validate training --csv 2>"$work/said" | sed '/^$/,$d' >"$work/steps.csv"
steps() {
    awk -F, -v experts="^($experts)\$" -v wanted="$1" '
        FNR == 1 { for (i = 1; i <= NF; i++) name[FILENAME, $i] = i }
        FNR == 1 { next }
        NR == FNR { kind[$1] = $3; next }
        kind[$1] != "configurations" && ($1 ~ experts) == wanted {
            value = $name[FILENAME, "plain_mean"]
            if (value != "") print 100 * value }
        ' validate/data/training/tables.csv "$work/steps.csv" | sort -g | awk '
        { value[NR] = $1 }
        END { print NR, value[1], value[NR], (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}
# shellcheck disable=SC2046 # figures
{
    states README.md '| training steps, dense, unseen |' $(steps 0)
    states README.md '| training steps, experts, unseen |' $(steps 1)
}

awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[$i] = i; next }
    { jobs += $name["language"]; over += $name["refused"] }
    END { printf "Of %d,%03d published jobs of language models %d exceed", jobs / 1000, jobs % 1000, over }
    ' "$work/steps.csv" >"$work/said"
grep -q "$(cat "$work/said")" scenarios/README.md
result 'scenarios/README.md has how many jobs exceed their memory' $?

# Each line of the two tables of steps has the rows of a table and its mean errors, with a row and without.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[$i] = i; next }
    { print $name["served"], 100 * $name["mean"], 100 * $name["plain_mean"] }' "$work/steps.csv" >"$work/means"
awk '
    function near(text, value) { return text == "-" || (text - value < .15 && value - text < .15) }
    NR == FNR { rows[NR] = $1; one[NR] = $2; none[NR] = $3; next }
    !/^[|]/ { plain = 0 }
    /^[|] table [|] rows [|] one row/ { plain = /median/ ? 6 : 5 }
    /^[|] table [|] rows [|] first/ { plain = 5; today = 1 }
    /^[|] table [|] rows [|] one row/ { today = 0 }
    plain && split($0, cell, / *[|] */) && cell[3] ~ /^[0-9]/ {
        found = 0
        for (i in rows)
            found += rows[i] == cell[3] && (today || near(number(cell[4]), one[i])) &&
                     near(number(cell[plain]), none[i])
        if (!found) print "not printed: " $0
        lines++
        lost += !found
    }
    function number(text) { return text == "-" ? text : text + 0 }
    END { exit lines < 52 || lost }' "$work/means" validate/README.md >"$work/said"
result 'validate/README.md has the errors of steps' $?
