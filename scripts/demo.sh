#!/usr/bin/env bash
# Shows Mestra at work: every seed of corpora/ in a line, one profiled in full, and
# programs of Csmith.
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
echo "$count seeds read."
echo
echo "What one of them holds at each point (mestra profile corpora/switch_fallthrough.c):"
"$mestra" profile --profile-probability 1 corpora/switch_fallthrough.c | sed -n '1,40s/^/  /p'
echo "  ..."
echo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "Programs of Csmith, profiled with compilers that evaluate in different orders:"
for number in 1 2 3; do
    # Csmith leaves a file where it runs.
    (cd "$work" && csmith --no-packed-struct --seed "$number" >"csmith$number.c")
    # A program that does not end is refused, which is no failure of the demo.
    if "$mestra" profile "$work/csmith$number.c" >"$work/profile" 2>"$work/refusal"; then
        sed -n "1,2s#$work/#  #p" "$work/profile"
    else
        sed "s#$work/#  #" "$work/refusal"
    fi
done
