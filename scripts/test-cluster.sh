#!/usr/bin/env bash
# A campaign on a cluster, compared with the same campaign in one piece: on a Slurm of two
# virtual nodes, which this script starts and stops, with tasks that are cancelled and killed
# and a node that is drained; by the container command of the Kubernetes manifest; by GNU
# parallel; by make over ssh. Nothing outside a temporary directory is touched.
#
#   scripts/test-cluster.sh MESTRA [slurm|kubernetes|parallel|make]…   all by default
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
mestra=$(realpath "${1:?which mestra}")
shift
wanted=${*:-slurm kubernetes parallel make}
place=$(mktemp -d /tmp/mestra-cluster-XXXXXX)
pids=()

finish() {
    local status=$?
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for file in "$place"/run/*.pid; do
        if [ -s "$file" ]; then kill "$(cat "$file")" 2>/dev/null || true; fi
    done
    if [ "$status" -eq 0 ]; then
        rm -rf "$place"
    else
        tail -n 5 "$place"/run/*.log "$place"/*/log/*.log 2>/dev/null || true
        echo "test-cluster: failed; see $place" >&2
    fi
}
trap finish EXIT

say() { echo "test-cluster: $*"; }
fail() {
    say "$*" >&2
    exit 1
}

# wait_for SECONDS WHAT COMMAND…
wait_for() {
    local left=$(($1 * 5)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        if [ "$left" -le 0 ]; then fail "waited in vain for $what"; fi
        sleep 0.2
    done
}

# The campaign: small seeds, and a compiler that is wrong about every variant.
prepare() {
    mkdir -p "$place/seeds" "$place/bin" "$place/run"
    local number
    for number in $(seq 8); do
        sed "s/ROUNDS/$((number + 3))/" >"$place/seeds/seed$number.c" <<'C'
#include <stdio.h>
static int calls, total;
static int step(int by)
{
    int mine = calls;
    calls++;
    total += by;
    if (mine >= 0)
        total ^= 1;
    return 10 + by;
}
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < ROUNDS; i++) {
        sum += step(3);
        if (i & 1)
            sum += total;
    }
#ifdef WRONG
    sum++;
#endif
    printf("sum = %d\n", sum);
    return 0;
}
C
    done
    cat >"$place/bin/tcc-wrong" <<'SH'
#!/bin/sh
case "$*" in --version) echo "wrong 1.0"; exit 0 ;; esac
source=
for word; do case $word in *.c) source=$word ;; esac; done
if [ -n "$source" ] && grep -q 'mestra_[0-9]' "$source"; then exec tcc -DWRONG "$@"; fi
exec tcc "$@"
SH
    chmod +x "$place/bin/tcc-wrong"
    cat >"$place/mestra.toml" <<TOML
seeds = ["$place/seeds"]
compilers = ["tcc", "$place/bin/tcc-wrong"]
variants = 4
profile-probability = 1.0
strategies = ["hermes"]
swarm = false
TOML
}

# What two campaigns must have in common: all that was counted, and all findings.
summary() { # summary CAMPAIGN
    # How long compilers took differs from run to run.
    "$mestra" merge "$1.again" "$1" | grep -v 'CPU time\|mestra itself' |
        sed 's/variants take [^)]*), //' || true
    rm -rf "$1.again"
    (cd "$1/findings" && find . -type f -not -path '*/reduced/*' | sort | xargs sha256sum)
}

undivided() {
    local status=0
    "$mestra" campaign --config "$place/mestra.toml" --no-reduce --out "$place/undivided" \
        >"$place/run/undivided.log" || status=$?
    [ "$status" -eq 2 ] || fail "the undivided campaign ended with $status"
    summary "$place/undivided" >"$place/expected"
    local findings
    findings=$(find "$place/undivided/findings" -mindepth 1 -maxdepth 1 | wc -l)
    [ "$findings" -ge 16 ] || fail "the undivided campaign has only $findings findings"
    say "undivided: $findings findings"
}

compare() { # compare WHAT CAMPAIGN
    summary "$2" >"$place/found"
    diff "$place/expected" "$place/found" || fail "$1: not what the undivided campaign found"
    say "$1: the same as the undivided campaign, finding for finding"
}

cluster() { # cluster NAME OPTION…
    "$mestra" cluster --config "$place/mestra.toml" --shards 8 --cpus 1 --sync-every 1s \
        --alike 2 --reduce-time 20s --shared "$place/$1" --name "$1" --out "$place/$1-jobs" "${@:2}" >/dev/null
}

start_slurm() {
    local run=$place/run host
    host=$(hostname -s)
    dd if=/dev/urandom of="$run/munge.key" bs=1024 count=1 status=none
    chmod 600 "$run/munge.key"
    chmod 755 "$place" "$run"
    munged --force --key-file="$run/munge.key" --socket="$run/munge.socket" \
        --pid-file="$run/munged.pid" --log-file="$run/munged.log" \
        --seed-file="$run/munged.seed"
    mkdir -p "$run/state" "$run/spool-n1" "$run/spool-n2"
    cat >"$run/slurm.conf" <<CONF
ClusterName=mestra
SlurmctldHost=$host
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=16817
AuthType=auth/munge
CredType=cred/munge
# Credentials that end soon let requeued jobs start soon.
AuthInfo=socket=$run/munge.socket,cred_expire=5
SlurmctldPidFile=$run/slurmctld.pid
SlurmdPidFile=$run/slurmd-%n.pid
SlurmctldLogFile=$run/slurmctld.log
SlurmdLogFile=$run/slurmd-%n.log
StateSaveLocation=$run/state
SlurmdSpoolDir=$run/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=20
JobRequeue=1
PropagateResourceLimits=NONE
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16821 CPUs=2 RealMemory=40000 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16822 CPUs=2 RealMemory=40000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONF
    export SLURM_CONF=$run/slurm.conf
    slurmctld -D >"$run/slurmctld.out" 2>&1 &
    pids+=($!)
    wait_for 30 "the controller of Slurm" scontrol ping
    local node
    for node in n1 n2; do
        slurmd -D -N "$node" >"$run/slurmd-$node.out" 2>&1 &
        pids+=($!)
    done
    wait_for 30 "two idle nodes" are_idle
    say "Slurm $(slurmctld -V | cut -d' ' -f2) runs with two nodes"
}

are_idle() { [ "$(sinfo -h -o %T -N | grep -c '^idle$')" -eq 2 ]; }
is_over() { [ -z "$(squeue -h 2>/dev/null)" ]; }
# Whether a shard has done a part of its work.
has_begun() { [ -f "$place/slurm/parts/$1/campaign.db" ]; }
on_node() { [ -n "$(squeue -h -w "$1" -t running -o x)" ]; }
# The campaign of a shard, as a process.
workers() { pgrep -f -- "--shard $1/8 .*--out $place/" || true; }

test_slurm() {
    start_slurm
    # Virtual nodes share the machine, so each gets a directory of its own.
    cluster slurm --local "$place/local-\$SLURMD_NODENAME"
    local jobs array task
    jobs=$("$place/slurm-jobs/slurm-submit.sh")
    array=$(sed 's/shards: \([0-9]*\),.*/\1/' <<<"$jobs")

    # Of the four tasks that run first, one is cancelled, one killed, and the others lose
    # their node.
    wait_for 60 "the first shards" has_begun 1
    wait_for 60 "the second shard" has_begun 2
    scancel "${array}_1"
    say "task 1 is cancelled"
    local worker
    worker=$(workers 2)
    [ -n "$worker" ] || fail "task 2 is over before it could be killed"
    kill -9 $worker
    say "task 2 is killed"
    wait_for 60 "a task on the second node" on_node n2
    scontrol update NodeName=n2 State=DRAIN Reason=test
    local moved
    moved=$(squeue -h -w n2 -t running -o %K)
    for task in $moved; do scontrol requeue "${array}_$task"; done
    say "node n2 is drained; from there go the tasks $(echo $moved)"

    wait_for 600 "the end of all jobs" is_over
    for task in 2 $moved; do
        grep -q ", restarted 1 times" "$place"/slurm/log/*_"$task".log ||
            fail "task $task was not started again"
    done
    say "all jobs are over, and the tasks that were interrupted have been started again"

    # The cancelled task is all that is submitted again.
    summary "$place/slurm/whole" >"$place/found"
    if cmp -s "$place/expected" "$place/found"; then
        fail "the task was done before it was cancelled"
    fi
    "$place/slurm-jobs/slurm-submit.sh" 1 >/dev/null
    wait_for 600 "the end of the second submission" is_over
    compare "Slurm" "$place/slurm/whole"
    [ -f "$place/slurm/report/report.html" ] || fail "there is no report"
    local reduced
    reduced=$(find "$place/slurm/whole/findings" -name reduced -type d | wc -l)
    [ "$reduced" -gt 0 ] || fail "nothing was reduced"
    say "Slurm: the report is there, and $reduced findings are reduced"
}

# The container of the manifest: its own root, process 1, and only the volumes it mounts.
container() { # container INDEX
    local directories=() name
    for name in usr etc opt root; do
        if [ -d "/$name" ]; then directories+=(--ro-bind "/$name" "/$name"); fi
    done
    for name in bin sbin lib lib32 lib64; do
        if [ -L "/$name" ]; then directories+=(--symlink "usr/$name" "/$name"); fi
    done
    mkdir -p "$place/container/plan" "$place/container/shared" "$place/container/local$1"
    bwrap --tmpfs / "${directories[@]}" --proc /proc --dev /dev --tmpfs /tmp \
        --ro-bind "$place/seeds" "$place/seeds" --ro-bind "$place/bin" "$place/bin" \
        --ro-bind "$mestra" /image/mestra --setenv PATH "/image:$PATH" \
        --ro-bind "$place/container/plan" /plan --bind "$place/container/shared" /shared \
        --bind "$place/container/local$1" /local --unshare-pid --as-pid-1 \
        --setenv JOB_COMPLETION_INDEX "$1" "${command[@]}"
}
has_copy() { [ -f "$place/container/shared/parts/$1/campaign.db" ]; }

test_kubernetes() {
    cluster kubernetes
    local check=$repository/scripts/cluster/check-manifest.py
    mkdir -p "$place/container/plan"
    /usr/bin/python3 "$check" "$place/kubernetes-jobs/kubernetes.yaml" "$place/container/plan" \
        >"$place/container/command"
    /usr/bin/python3 "$check" "$place/kubernetes-jobs/kubernetes-finish.yaml" \
        "$place/container/plan" >"$place/container/finish"
    say "Kubernetes: the manifests have the form that the API asks for"
    local command index status
    mapfile -d '' -t command <"$place/container/command"
    # The first pod is evicted once, and saves.
    container 0 >"$place/run/pod.log" 2>&1 &
    local pod=$!
    wait_for 60 "the first pod's copy" has_copy 1
    kill -TERM "$(pgrep -f "^/bin/sh /plan/shard.sh 1$" | head -n 1)"
    status=0
    wait "$pod" || status=$?
    [ "$status" -eq 75 ] || fail "the pod that was asked to stop ended with $status"
    for index in $(seq 0 7); do container "$index" >>"$place/run/pod.log" 2>&1; done
    mapfile -d '' -t command <"$place/container/finish"
    container 0 >>"$place/run/pod.log" 2>&1
    compare "Kubernetes" "$place/container/shared/whole"
    [ -f "$place/container/shared/report/report.html" ] || fail "there is no report"
}

test_parallel() {
    cluster parallel --local "$place/local-parallel"
    local jobs=$place/parallel-jobs
    parallel --will-cite -j 2 "$jobs/shard.sh" ::: $(seq 8) >"$place/run/parallel.log" 2>&1
    "$jobs/finish.sh" >>"$place/run/parallel.log"
    "$jobs/report.sh" >>"$place/run/parallel.log"
    compare "GNU parallel" "$place/parallel/whole"
}

# Two hosts that are this machine, by a server of our own.
start_sshd() {
    local run=$place/run
    ssh-keygen -q -t ed25519 -N '' -f "$run/host"
    ssh-keygen -q -t ed25519 -N '' -f "$run/user"
    cp "$run/user.pub" "$run/authorized"
    mkdir -p /run/sshd 2>/dev/null || true
    cat >"$run/sshd.conf" <<CONF
ListenAddress 127.0.0.1:16830
HostKey $run/host
AuthorizedKeysFile $run/authorized
PidFile $run/sshd.pid
StrictModes no
UsePAM no
CONF
    cat >"$run/ssh.conf" <<CONF
Host one two
    HostName 127.0.0.1
    Port 16830
    IdentityFile $run/user
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile $run/known
CONF
    /usr/sbin/sshd -f "$run/sshd.conf" -E "$run/sshd.log"
    wait_for 10 "the SSH server" ssh -F "$run/ssh.conf" one true
}

test_make() {
    start_sshd
    cluster make --local "$place/local-make"
    make -s -f "$place/make-jobs/make.mk" -j 2 HOSTS="one two" SSH="ssh -F $place/run/ssh.conf" \
        >"$place/run/make.log" 2>&1
    compare "make over ssh" "$place/make/whole"
}

prepare
undivided
for engine in $wanted; do "test_$engine"; done
say "done"
