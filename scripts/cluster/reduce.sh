#!/bin/sh
# reduce.sh N [K]: reduces the findings on lines K, K + N, K + 2 N … of the list. Slurm says
# which K.
set -u
sed -n "${2:-$SLURM_ARRAY_TASK_ID}~$1p" "@SHARED@/reduce.txt" | while IFS= read -r finding; do
    "@MESTRA@" reduce --time @REDUCE@ --jobs @CPUS@ "$finding" </dev/null
done
