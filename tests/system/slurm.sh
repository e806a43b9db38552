#!/bin/sh
# A sweep as an array of Slurm jobs, of which two are cancelled in the middle and
# put into the queue again, ends with the database of one process.  A controller
# and a daemon of Slurm run on the loopback, without munge.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${COLLSIM-./collsim}")
PATH=$PATH:/usr/sbin
for needed in slurmctld slurmd sbatch squeue scancel scontrol sqlite3; do
    if ! command -v $needed >/dev/null 2>&1; then
        echo "1..0 # SKIP no $needed"
        exit 0
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "1..0 # SKIP slurmd without root"
    exit 0
fi

work=$(mktemp -d) || exit 1
controller='' daemon=''

# Jobs first: a step outlives the daemon that started it.
clean_up() {
    if [ -n "$daemon" ]; then
        scancel --user "$(id -un)" >/dev/null 2>&1
        wait_for 100 no_jobs
        kill "$daemon" 2>/dev/null
    fi
    [ -z "$controller" ] || kill "$controller" 2>/dev/null
    wait
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# wait_for TENTHS COMMAND...: until the command succeeds.
wait_for() {
    tenths=$1
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$tenths" -gt 0 ] || return 1
        tenths=$((tenths - 1))
        sleep 0.1
    done
}

no_jobs() {
    [ -z "$(squeue --noheader 2>/dev/null)" ]
}

node_is_idle() {
    [ "$(sinfo --noheader --format=%T)" = idle ]
}

# task_is STATE TASK
task_is() {
    squeue --noheader --array --format='%K %T' | grep -qx "$2 $1"
}

# cases DATABASE
cases() {
    sqlite3 "$1" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0
}

has_begun() {
    [ "$(cases "$1")" -gt 0 ]
}

# Two free ports in a range that systems leave alone.
port=$((20000 + $$ % 10000))
node=$(hostname -s)
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<END
ClusterName=collsim
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/controller.pid
SlurmdPidFile=$work/daemon.pid
SlurmctldLogFile=$work/controller.log
SlurmdLogFile=$work/daemon.log
SchedulerParameters=sched_interval=1,sched_min_interval=100000
KillWait=5
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 Sockets=1 CoresPerSocket=4 RealMemory=100
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT

slurmctld -D -i >/dev/null 2>&1 &
controller=$!
slurmd -D >/dev/null 2>&1 &
daemon=$!
if ! wait_for 200 node_is_idle; then
    echo "1..0 # SKIP Slurm does not start here"
    exit 0
fi

echo 1..6
cd "$work" || exit 1
cat >s.yaml <<'END'
topo: dgx
axes:
  algo: [ring, tree, naive, double-tree, multi-ring]
  seed: {from: 1, to: 200}
  size: {from: 1KiB, to: 512KiB, factor: 2}
END
cases=10000
"$program" sweep s.yaml --db whole.db -j 1 >/dev/null 2>messages ||
    sed 's/^/# /' messages
sqlite3 whole.db .dump >whole

# The packing follows the estimated cost; the test wants eight tasks.
"$program" sweep s.yaml --db s.db --emit slurm >emitted 2>messages
grep -q '^#SBATCH --array=1-' emitted && grep -q '^#SBATCH --requeue' emitted &&
    echo 'ok 1 - the sweep writes a batch script' || {
    echo 'not ok 1 - the sweep writes a batch script'
    sed 's/^/# /' emitted messages
}
sed 's/^#SBATCH --array=.*/#SBATCH --array=1-8/' emitted >job.sh
job=$(sbatch --parsable job.sh)
for task in 2 3; do
    wait_for 300 has_begun "s.$task-of-8.db"
    scancel "${job}_$task"
done
wait_for 1200 no_jobs
lost=0
for task in 2 3; do
    [ "$(cases "s.$task-of-8.db")" -lt $((cases / 8)) ] && lost=$((lost + 1))
done
[ $lost = 2 ] && echo 'ok 2 - two tasks are cancelled in the middle' ||
    echo "not ok 2 - two tasks are cancelled in the middle: $lost"
"$program" merge --out part.db s.*-of-8.db >/dev/null 2>messages
[ "$(cases part.db)" -lt $cases ] &&
    echo 'ok 3 - the union lacks their cases' ||
    echo 'not ok 3 - the union lacks their cases'

# Slurm holds a requeued job for two minutes, unless its start is set.
starts_again() {
    scontrol requeue "${job}_$1" &&
        scontrol update JobId="${job}_$1" StartTime=now
}
starts_again 2 && starts_again 3 &&
    wait_for 1200 no_jobs && echo 'ok 4 - the two run again' ||
    echo 'not ok 4 - the two run again'
"$program" merge --out all.db s.*-of-8.db >/dev/null 2>messages ||
    sed 's/^/# /' messages
sqlite3 all.db .dump >all
[ "$(cases all.db)" = $cases ] && echo 'ok 5 - no case is lost, none is twice' ||
    echo "not ok 5 - no case is lost, none is twice: $(cases all.db)"
cmp -s whole all && echo 'ok 6 - the database is that of one process' ||
    echo 'not ok 6 - the database is that of one process'
