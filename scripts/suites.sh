#!/usr/bin/env bash
# Seeds from the C torture tests of GCC, taken from Debian's source package: nothing of
# them is part of Mestra.
#
#   scripts/suites.sh [DIR]    leaves seeds in DIR/gcc-compile and DIR/gcc-execute, and in
#                              DIR/set-aside.txt the tests that are none, with the reason
#
# DIR is $MESTRA_CACHE/suites or ~/.cache/mestra/suites unless it is given. The flags that
# a test asks for (`dg-options`, `dg-additional-options`) stand in a file beside the seed,
# NAME.c.mestra; those about optimisation levels, warnings and dumps are left out, since
# levels are for configs to choose. SUITE_SOURCE names another source package, such as
# gcc-14. Package lists are kept in DIR, so nothing of the system is changed.
set -euo pipefail

directory=${1:-${MESTRA_CACHE:-$HOME/.cache/mestra}/suites}
mkdir -p "$directory" && directory=$(cd "$directory" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/apt.sh"
source=${SUITE_SOURCE:-gcc-$(gcc -dumpversion | cut -d. -f1)}
cd "$directory"

# Downloads and unpacks the two directories of tests.
fetch() {
    apt_below "$directory/apt"
    apt_for_sources "$directory/apt"
    apt-get -qq "${apt_options[@]}" update
    apt-get -qq "${apt_options[@]}" source --download-only "$source"
    local outer inner
    outer=$(ls "${source}"_*.orig.tar.*)
    # Debian puts GCC's own archive into another.
    inner=$(tar -tf "$outer" | grep -E '/gcc-[0-9.]+[^/]*\.tar\.[a-z0-9]+$' | head -n 1)
    rm -rf new && mkdir new
    tar -xOf "$outer" "$inner" | tar -xJ -C new --strip-components=4 --wildcards \
        '*/gcc/testsuite/gcc.c-torture/compile' '*/gcc/testsuite/gcc.c-torture/execute'
    rm -rf torture && mv new torture
    rm -f "$outer" "${source}"_*
}

# What a test's directives ask for: `flags WORD…`, or `aside REASON`.
directives() { # directives FILE
    awk -f "$here/suites.awk" "$1"
}

# Makes a seed of one test, or says why not.
seed() { # seed FILE DESTINATION
    local file=$1 to=$2 asked flags words
    local name=${to##*/}/${file##*/}
    if [ -e "${file%.c}.x" ]; then
        echo "$name: has a script of its own" && return
    fi
    asked=$(directives "$file")
    case $asked in
    aside*) echo "$name: ${asked#aside }" && return ;;
    esac
    flags=${asked#flags}
    read -ra words <<<"$flags"
    local said
    if ! said=$(timeout 20 gcc -w -fsyntax-only "${words[@]}" "$file" 2>&1); then
        said=$(sed -n 's/.*error: //p' <<<"$said" | head -n 1)
        echo "$name: gcc rejects it: ${said:-no reason given}" && return
    fi
    cp "$file" "$to/"
    if [ -n "${flags// /}" ]; then
        echo "mestra-flags:$flags" >"$to/${file##*/}.mestra"
    fi
}

[ -d torture/compile ] && [ -d torture/execute ] || fetch
: >new-set-aside
for kind in compile execute; do
    rm -rf "gcc-$kind" && mkdir "gcc-$kind"
    for file in torture/"$kind"/*.c; do
        seed "$file" "$directory/gcc-$kind" >>new-set-aside
    done
    echo "$(find "gcc-$kind" -name '*.c' | wc -l) seeds in $directory/gcc-$kind"
done
mv new-set-aside set-aside.txt
echo "$(wc -l <set-aside.txt) tests set aside: $directory/set-aside.txt"
