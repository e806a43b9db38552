# shellcheck shell=sh disable=SC2034,SC2154
# What tests in shell share; a test reads it with `.` from the top of the sources.
#
#   $work                a folder for files of the test, removed at its end
#   result NAME STATUS   prints a line of TAP; of a failed test also what the
#                        program said, from $work/said

export LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

result() {
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/said"
    fi
}
