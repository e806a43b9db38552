#!/bin/sh
# A full disk: exit status 3, no database without runs, no half of a picture.
# Speaks TAP.  Disks of a few KiB are mounted where that is allowed; else files
# have a limit of as much, which programs see as an error of the same kind.
set -u
export LC_ALL=C
program=$(realpath "${COLLSIM-./collsim}")
work=$(mktemp -d) || exit 1
disk=$work/disk
mkdir "$disk"
trap 'umount "$disk" 2>/dev/null; rm -rf "$work"' EXIT
n=0

# is WHAT COMMAND...: the command succeeds.
is() {
    n=$((n + 1))
    what=$1
    shift
    if "$@"; then
        echo "ok $n - $what"
    else
        echo "not ok $n - $what"
        echo "# status $status"
        sed 's/^/# /' "$work/messages"
        ls -s "$disk" | sed 's/^/# /'
    fi
}

# Runs the program on a disk of $1 KiB: sets status.
on_disk() {
    size=$1
    shift
    if [ "$mounts" = yes ]; then
        umount "$disk" 2>/dev/null
        mount -t tmpfs -o "size=${size}k" full "$disk"
        "$program" "$@" >/dev/null 2>"$work/messages"
    else
        rm -rf "$disk"
        mkdir "$disk"
        # Of 512 bytes, as POSIX has it; bash counts 1024.
        (trap '' XFSZ && ulimit -f $((size / 2)) &&
            exec "$program" "$@" >/dev/null 2>"$work/messages")
    fi
    status=$?
}

# With a name space of our own for mounts this script runs itself in it.
mounts=no
if [ "${FULL_DISK-}" = mounts ]; then
    mounts=yes
elif unshare -rm sh -c "mount -t tmpfs -o size=4k full '$disk'" 2>/dev/null; then
    FULL_DISK=mounts COLLSIM=$program unshare -rm "$0"
    exit
fi

status='of another command'
"$program" --topo dgx --algo ring,tree --size 1MB,4MB --db "$work/runs.db" \
    >/dev/null 2>"$work/messages"

for size in 4 16; do
    on_disk $size --topo dgx --algo ring --size 1MB --db "$disk/new.db"
    is "no room for a run in $size KiB is exit status 3" [ "$status" = 3 ]
    is 'and leaves no database' [ ! -e "$disk/new.db" ]
done

if [ "$mounts" = yes ] && command -v gnuplot >/dev/null; then
    failures=0 halves=0 whole=0
    for size in 4 12 40 80 130 180 220 240 250 400; do
        on_disk $size report --db "$work/runs.db" --out "$disk/out"
        case $status in
        0) whole=$((whole + 1)) ;;
        3) failures=$((failures + 1)) ;;
        *) halves=100 ;;
        esac
        [ "$status" = 0 ] && for svg in "$disk"/out/*.svg; do
            grep -q '</svg>' "$svg" || halves=$((halves + 1))
        done
    done
    is 'no room for plots is exit status 3' [ $failures -gt 3 ]
    is 'plots that are said to be drawn are whole' [ $halves = 0 ]
    is 'with room enough they are drawn' [ $whole -gt 0 ]
    on_disk 4 explain --algo ring --out "$disk/ring.gif"
    is 'no room for a GIF is exit status 3' [ "$status" = 3 ]
fi

on_disk 4 explain --algo ring --ranks 8 --out "$disk/ring.html"
is 'no room for a page is exit status 3' [ "$status" = 3 ]
on_disk 4 --topo dgx --algo ring --memory "$disk/none/held.csv"
is 'a directory that is not there is exit status 2 all the same' \
    [ "$status" = 2 ]

# A plan, a trace and a sweep.
on_disk 4 plan --gpus 16 --mix all-reduce:1GiB --out "$disk/plan.html"
is 'no room for a plan is exit status 3' [ "$status" = 3 ]
is 'and leaves no page' [ -z "$(ls -A "$disk")" ]
on_disk 4 --topo dgx --algo ring --size 1MB --trace "$disk/trace.json"
is 'no room for a trace is exit status 3' [ "$status" = 3 ]
is 'and leaves no trace' [ -z "$(ls -A "$disk")" ]
on_disk 4 train --topo dgx --model vgg16 --batch 32 --system ddp \
    --trace "$disk/trace.json"
is 'no room for the trace of a step is exit status 3' [ "$status" = 3 ]

if [ "$mounts" = yes ] && command -v sqlite3 >/dev/null; then
    cat >"$work/s.yaml" <<'END'
topo: dgx
axes:
  algo: [ring, tree]
  seed: {from: 1, to: 20}
  size: {from: 1KiB, to: 512KiB, factor: 2}
END
    "$program" sweep "$work/s.yaml" --db "$work/whole.db" >/dev/null 2>&1
    sqlite3 "$work/whole.db" .dump >"$work/whole"
    lost=0 others=0 refused=0
    for size in 64 200 600 1500; do
        on_disk $size sweep "$work/s.yaml" --db "$disk/s.db" -j 2
        [ "$status" = 3 ] && refused=$((refused + 1))
        said=$(sed -n 's/^note: \([0-9]*\) of .* the same command runs.*/\1/p' "$work/messages")
        mount -o remount,size=20m "$disk"
        held=$(sqlite3 "$disk/s.db" 'select count(*) from runs' 2>/dev/null || echo 0)
        [ "${said:-0}" -le "$held" ] || lost=$((lost + 1))
        "$program" sweep "$work/s.yaml" --db "$disk/s.db" >/dev/null 2>&1
        sqlite3 "$disk/s.db" .dump | cmp -s - "$work/whole" || others=$((others + 1))
    done
    is 'no room for a sweep is exit status 3' [ $refused = 4 ]
    is 'a sweep loses no finished case on a full disk' [ $lost = 0 ]
    is 'and ends with the same database once there is room' [ $others = 0 ]
fi

for form in '' --csv --json; do
    "$program" --topo dgx --algo ring $form >/dev/full 2>"$work/messages"
    status=$?
    is "a full output is exit status 3 $form" [ "$status" = 3 ]
done
"$program" explain --algo ring --out /dev/full >/dev/null 2>"$work/messages"
status=$?
is 'so is a device that is full' [ "$status" = 3 ]
echo "1..$n"
