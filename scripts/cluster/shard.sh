#!/bin/sh
# shard.sh K: works on shard K of @SHARDS@, from wherever it was to its end. Any scheduler may
# start it, on any machine that sees @SHARED@, and start it again.
#
# Exit status: 0 if the shard is done, with or without findings; 75 if it was asked to stop
# and is to be started again; otherwise it failed.
set -u
shard=$1
local="@LOCAL@/@NAME@-$shard"
stopped= signalled= child=

stop() {
    stopped=yes signalled=yes
    if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null; fi
}
trap stop TERM INT

mkdir -p "@LOCAL@"
"@MESTRA@" campaign --config "@PLAN@" --shard "$shard/@SHARDS@" --jobs @CPUS@@TIME@ \
    --out "$local" --sync "@SHARED@/parts/$shard" --sync-every @EVERY@ --no-reduce &
child=$!
while :; do
    signalled=
    wait "$child"
    code=$?
    # A signal ends the waiting, but not the child.
    if [ -z "$signalled" ]; then break; fi
done
if [ -n "$stopped" ]; then exit 75; fi
case $code in
0 | 2 | 3 | 5 | 6)
    rm -rf "$local"
    exit 0
    ;;
130) exit 75 ;;
*) exit "$code" ;;
esac
