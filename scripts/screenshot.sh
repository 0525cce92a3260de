#!/usr/bin/env bash
# Makes docs/report.png anew: a small campaign that finds the defect of tcc of
# docs/example.md, and a picture of its report with that finding opened.
#
#   scripts/screenshot.sh [mestra] [picture.png]
set -euo pipefail
cd "$(dirname "$0")/.."
mestra=$(realpath "${1:-target/release/mestra}")
picture=$(realpath -m "${2:-docs/report.png}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/seeds"
for seed in docs/example/lights.c corpora/{switch_fallthrough,bitfields_signed,linked_list,dead_code}.c; do
    cp "$seed" "$work/seeds"
done
status=0
(cd "$work" && "$mestra" campaign --seeds seeds --seeds csmith --count 2 -n 4 \
    --compiler gcc --compiler tcc -o campaign) || status=$?
if [ "$status" -ne 2 ]; then
    echo "the campaign should have found the defect of tcc, but ended with $status" >&2
    exit 1
fi
# As after a click on the first finding; the directory is no business of readers.
sed -e '0,/<details class="bucket"/s//<details open class="bucket"/' \
    -e "s#$work/##g" "$work/campaign/report.html" >"$work/report.html"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if ! "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
    --window-size=1100,1240 --screenshot="$picture" "file://$work/report.html" 2>"$work/said"; then
    cat "$work/said" >&2
    exit 1
fi
