#!/usr/bin/env bash
# Shows Mestra at work in two minutes: a variant of a small program with what was changed
# and why that is safe, and a real bug of tcc, found, reduced and reported.
#
#   scripts/demo.sh [mestra]
set -euo pipefail
cd "$(dirname "$0")/.."
mestra=${1:-target/release/mestra}
out=demo
rm -rf "$out"
echo "The report of this demo will be $PWD/$out/hunt/report.html"
echo

seed=docs/example/rain.c
echo "1. A variant of $seed (mestra mutate)"
"$mestra" mutate -n 3 --seed 7 --profile-probability 1 -o "$out/variants" "$seed" | sed 's/^/  /'
echo
echo "2. What its first change is, and why the program does the same (mestra explain)"
record=$out/variants/rain.v001.json
first=$(sed -n 's/.*"mutations":\[{"id":\([0-9]*\).*/\1/p' "$record")
"$mestra" explain --only "${first:-1}" "$seed" "$record" | sed -n '1,40s/^/  /p'
echo
echo "3. Do the variants do what the seed does, without undefined behaviour? (mestra verify)"
"$mestra" verify "$seed" "$out"/variants/rain.v*.c | sed 's/^/  /'
echo
echo "4. A campaign against tcc (mestra campaign)"
status=0
"$mestra" campaign --seeds docs/example/lights.c --seeds "$seed" --compiler tcc -n 2 \
    --time 60s -o "$out/hunt" 2>&1 | sed 's/^/  /' || status=$?
# Findings are what a campaign is for, and no failure of the demo.
if [ "$status" -ne 0 ] && [ "$status" -ne 2 ]; then exit "$status"; fi
for finding in "$out"/hunt/findings/*/; do
    if [ -f "$finding/reduced/reduced.c" ]; then
        echo
        echo "5. The bug, as small as it became ($finding)"
        sed 's/^/  /' "$finding/reduced/reduced.c"
        "$finding/reduced/repro.sh" 2>&1 | sed -n '1,10s/^/  /p' || true
        break
    fi
done
echo
echo "The report: $PWD/$out/hunt/report.html (mestra serve $out/hunt shows it, too)"
