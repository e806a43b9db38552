#!/bin/sh
# What depends on the terminal: colour, the line of progress, what is left of a
# file that could not be written.  Speaks TAP.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
if ! command -v script >/dev/null 2>&1; then
    echo "1..0 # SKIP no script (util-linux) here to make a terminal"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
escape=$(printf '\033')
n=0
unset NO_COLOR

# on VARIABLES ARGUMENTS: runs the program on a terminal, into the file `out`.
on() {
    script -qec "env $1 $program $2" /dev/null </dev/null >out 2>&1
}

# has yes|no PATTERN WHAT
has() {
    n=$((n + 1))
    grep -q "$2" out && found=yes || found=no
    if [ "$found" = "$1" ]; then
        echo "ok $n - $3"
    else
        echo "not ok $n - $3"
        sed 's/^/# /' out | head -20
    fi
}

# is NUMBER NUMBER WHAT
is() {
    n=$((n + 1))
    if [ "$1" = "$2" ]; then
        echo "ok $n - $3"
    else
        echo "not ok $n - $3"
        echo "# $1, expected $2"
    fi
}

run='--topo dgx --size 1MB'
on TERM=xterm "$run"
has yes "$escape" 'a terminal shows colour'
on TERM=dumb "$run"
has no "$escape" 'a dumb terminal shows none'
on 'TERM=xterm NO_COLOR=1' "$run"
has no "$escape" 'nor does any with NO_COLOR'
on 'TERM=xterm NO_COLOR=' "$run"
has yes "$escape" 'which is not set where it is empty'

long='--topo switch:ranks=50000,latency=1us --algo ring --fold off --no-proof'
long="timeout --foreground -s INT -k 20 2.5 $program $long"
script -qec "env TERM=xterm $long" /dev/null </dev/null >out 2>&1
has yes "$escape\[K" 'a terminal shows progress in one line'
script -qec "env TERM=dumb $long" /dev/null </dev/null >out 2>&1
has no "$escape" 'a dumb terminal shows no escape'
has yes 'stopped at' 'and what was known when it was stopped'

# A machine that never comes keeps a run in its planning on the fastest host too.
mkfifo slow.yaml
sleep 60 >slow.yaml &
writer=$!
slow="timeout --foreground -s INT -k 20 3 $program --topo slow.yaml --algo tree"
script -qec "env TERM=xterm $slow" /dev/null </dev/null >out 2>&1
has yes 'planning the run' 'a terminal shows within two seconds that a run is planned'
script -qec "env TERM=dumb $slow" /dev/null </dev/null >out 2>&1
has no 'planning the run' 'and a dumb terminal does not'
kill "$writer" 2>/dev/null

# A file is whole or is not there.
(
    ulimit -f 1
    exec "$program" export --topo switch:ranks=64 --algo ring -o big.xml
) >out 2>&1
is $? 3 'a file that grows too large cannot be written'
has yes "cannot write 'big.xml': File too large" 'which is said'
is "$(find . -name '*big*')" '' 'and nothing of it is left'
echo old >kept.xml
"$program" export --topo switch:ranks=4 --algo nosuch -o kept.xml >out 2>&1
is "$(cat kept.xml)" old 'an export that fails leaves the old file'
"$program" export --topo switch:ranks=4 --algo ring -o kept.xml >out 2>&1
is $? 2 'and so does one without --force'
is "$(cat kept.xml)" old 'which leaves the old file'
"$program" export --topo switch:ranks=4 --algo ring -o kept.xml --force \
    >out 2>&1
is "$(head -c 5 kept.xml)" '<algo' 'one that succeeds replaces it'
timeout -s INT 0.3 "$program" export --topo switch:ranks=2000 --algo direct \
    -o stopped.xml >out 2>&1
is "$(find . -name '*.part')" '' 'a draft is never left'

# A file is never taken for the output or the messages.
"$program" --topo switch:ranks=4 --algo all --db closed.db >out 2>&-
is "$? $(head -c 15 closed.db)" '0 SQLite format 3' \
    'a database is not written into where there are no messages'
"$program" --topo dgx --db closed.db >&- 2>out
is $? 3 'no output is an error'
is "$(head -c 15 closed.db)" 'SQLite format 3' 'and is not in the database'
echo "1..$n"
