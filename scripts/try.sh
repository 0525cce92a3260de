#!/usr/bin/env bash
# Which programs of our own a compiler gets wrong: no variants, no witnesses, no findings, just
# what `mestra generate` predicts against what comes out. For whoever works on the generator.
#
#   scripts/try.sh COMPILER [FIRST [COUNT [OPTION…]]]
#
# Makes the programs FIRST (1), FIRST + 1, … of `mestra generate --mode snippets` with the OPTIONs,
# COUNT (100) of them, and compiles each at the levels in LEVELS (-O1 -O2 -O3). One that fails
# stays in the current directory as own-NUMBER.c, and a line says at which level, what it prints
# first, and which passes of gcc mend it when they are switched off. MESTRA names the program.
set -euo pipefail

compiler=${1:?scripts/try.sh COMPILER [FIRST [COUNT [OPTION…]]]}
first=${2:-1}
count=${3:-100}
shift $(($# < 3 ? $# : 3))
mestra=${MESTRA:-$(dirname "$0")/../target/release/mestra}
levels=${LEVELS:--O1 -O2 -O3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What is wrong with a program built with some flags; nothing if it is right.
wrong() { # wrong FILE FLAG…
    local file=$1 said
    shift
    if ! "$compiler" -w "$@" "$file" -o "$scratch/own" 2>"$scratch/errors"; then
        grep -m 1 -E 'error|PLEASE' "$scratch/errors" || echo "does not compile"
        return
    fi
    said=$(timeout 20 "$scratch/own" 2>&1) || true
    [ "$said" = "as predicted" ] || head -n 1 <<<"${said:-ends with nothing said}"
}

# The passes of gcc that are on at a level.
passes() { # passes LEVEL
    "$compiler" "$1" -Q --help=optimizers 2>/dev/null |
        sed -n 's/^ *-f\([a-z0-9-]*\)[[:space:]]*\[enabled\]$/\1/p'
}

for ((number = first; number < first + count; number++)); do
    file=$scratch/own.c
    "$mestra" generate --mode snippets --check asserts "$@" --seed "$number" >"$file"
    for level in $levels; do
        what=$(wrong "$file" "$level")
        [ -n "$what" ] || continue
        cp "$file" "own-$number.c"
        mending=()
        for pass in $(passes "$level"); do
            [ -n "$(wrong "$file" "$level" "-fno-$pass")" ] || mending+=("$pass")
        done
        echo "own-$number.c $level: $what; mended without ${mending[*]:-nothing known}"
    done
done
