#!/usr/bin/env bash
# Shows Mestra at work: every seed of corpora/ in a line, one profiled in full,
# variants of it and of programs of Csmith, the former verified, and a short campaign.
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
for number in 1 2 3; do
    # Csmith leaves a file where it runs.
    (cd "$work" && csmith --no-packed-struct --seed "$number" >"csmith$number.c")
done
echo "Variants of that seed and of programs of Csmith (mestra mutate -n 5 ...):"
# A program of Csmith that does not end is refused, which is no failure of the demo.
"$mestra" mutate -n 5 -o "$work/variants" corpora/switch_fallthrough.c "$work"/csmith*.c 2>&1 |
    sed "s#$work/##; s/^/  /" || true
echo
echo "Do they do what their seed does, without undefined behaviour? (mestra verify ...)"
"$mestra" verify corpora/switch_fallthrough.c "$work"/variants/switch_fallthrough.v*.c |
    sed "s#$work/##; s/^/  /"
echo
echo "A short campaign with seeds of corpora/ and Csmith (mestra campaign --time 40s ...):"
mkdir "$work/seeds"
cp corpora/switch_fallthrough.c corpora/bitfields_signed.c "$work/seeds"
status=0
"$mestra" campaign --seeds "$work/seeds" --seeds csmith --count 2 -n 3 --time 40s \
    --flag-set=-O0 --flag-set=-O2 --compiler gcc --compiler tcc --reduce-time 30s -o "$work/campaign" 2>&1 |
    sed "s#$work/##g; s/^/  /" || status=$?
# Findings are what a campaign is for, and no failure of the demo.
if [ "$status" -ne 0 ] && [ "$status" -ne 2 ]; then exit "$status"; fi
for finding in "$work"/campaign/findings/*/; do
    if [ -d "$finding" ]; then
        echo "  $(basename "$finding") again, by its repro.sh:"
        "$finding/repro.sh" 2>&1 | sed -n '1,10s/^/    /p' || true
    fi
done
