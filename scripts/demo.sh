#!/usr/bin/env bash
# Shows Mestra's front end at work: every seed of corpora/ in a line, then one in full.
set -euo pipefail
cd "$(dirname "$0")/.."
mestra=${1:-target/release/mestra}

echo "Mestra reads the seeds of corpora/:"
count=0
for seed in corpora/*.c; do
    # A reader that stops after one line must not end the script.
    summary=$("$mestra" dump "$seed" | sed -n 1p)
    echo "  $summary"
    count=$((count + 1))
done
echo
echo "One of them in full (mestra dump corpora/switch_fallthrough.c):"
"$mestra" dump corpora/switch_fallthrough.c | sed 's/^/  /'
echo
echo "$count seeds lowered."
