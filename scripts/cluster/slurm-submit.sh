#!/bin/bash
# slurm-submit.sh [TASKS]: submits the campaign to Slurm, and the job that merges and goes on
# from there. To be run again if tasks were cancelled: what is done is not done again. With
# TASKS, such as 3,5-7, only those tasks are submitted.
set -eu
here="@HERE@"
cd "@DIRECTORY@"
mkdir -p "@SHARED@/parts" "@SHARED@/log"
array=()
if [ $# -gt 0 ]; then array=(--array="$1"); fi
shards=$(sbatch --parsable "${array[@]}" "$here/slurm-shards.sbatch")
finish=$(sbatch --parsable --dependency="afterany:$shards" "$here/slurm-finish.sbatch")
echo "shards: $shards, finish: $finish"
