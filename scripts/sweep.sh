#!/usr/bin/env bash
# Variants of every program of a directory, such as those of scripts/suites.sh, beside their
# seeds: five by all strategies, under gcc and clang, without and with optimisation, and
# under the address and undefined-behaviour sanitizers.
#
#   scripts/sweep.sh SEEDS RESULTS [MESTRA]
#
# Each program leaves a file in RESULTS, and one that has a file is not looked at again, so
# the sweep may be stopped at any time and goes on where it was. A file holds a line for each
# thing that was seen:
#
#   refused REASON            no variants
#   left-out WAY REASON       the seed does nothing to compare there: it does not compile, does
#                             not end, does something else the second time, or is reported
#   same WAY COUNT            variants that do what their seed does when built the same way
#   differs WAY VARIANT WHAT  one that does not; its directory is kept beside the file
#
# The totals are printed at the end, and the exit status is 1 if anything differs. One program
# is tried at a time; with SWEEP_PART=2/3, of every three the second, so that parts can run side
# by side into the same RESULTS. SWEEP_VARIANTS, SWEEP_SEED, SWEEP_GCC and SWEEP_CLANG say
# otherwise than 5, 0, gcc and the newest clang; SWEEP_CFLAGS are for all compilers.
#
# What differs is to be looked at: a seed that asks for __OPTIMIZE__, or that calls a function
# which is defined nowhere and counts on an optimiser to remove the call, is another program
# there, and a campaign knows that.
#
# Linkers are not looked at, so tcc links what it can: it takes a tenth of the time. What
# differs then is linked again by the compiler itself.
set -euo pipefail

usage="usage: scripts/sweep.sh SEEDS RESULTS [MESTRA]"
seeds=$(cd "${1:?"$usage"}" && pwd)
results=${2:?"$usage"}
mestra=$(realpath "${3:-$(dirname "$0")/../target/release/mestra}")
mkdir -p "$results" && results=$(cd "$results" && pwd)
variants=${SWEEP_VARIANTS:-5}
gcc=${SWEEP_GCC:-gcc}
clang=${SWEEP_CLANG:-$(compgen -c clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -n 1)}
read -ra for_all <<<"${SWEEP_CFLAGS:-}"
sanitizers="$clang -O0 -g1 -fsanitize=address,undefined -shared-libsan"
ways=("$gcc -O0" "$gcc -O2" "$clang -O0" "$clang -O2" "$sanitizers")
# Linking with the shared library of the sanitizers takes half the time.
library=$(dirname "$("$clang" -print-file-name=libclang_rt.asan-x86_64.so)")
IFS=/ read -r part parts <<<"${SWEEP_PART:-1/1}"
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
work=$(mktemp -d "$memory/sweep.XXXXXX")
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=$library

# Links what was compiled in a directory.
link() { # link DIRECTORY LINKER…
    local directory=$1
    shift
    (cd "$directory" && "$@" -o program program.o -lm) >"$directory/linking" 2>&1
}

# Runs the program of a directory and leaves what it did in a file there.
run() { # run DIRECTORY FILE
    local status=0
    # What the shell says of a program that was killed is not the program's.
    {
        (
            cd "$1"
            ulimit -c 0 && ulimit -s "$stack"
            exec timeout -k 1 10 ./program
        ) >"$1/out" 2>"$1/err" </dev/null || status=$?
    } 2>"$1/shell"
    { cat "$1/out" && echo "--- $status" && cat "$1/err"; } >"$1/$2"
}

# Builds the text of a directory in one way and leaves what it did in a file there.
try() { # try DIRECTORY WAY FILE [EXPECTED]: fails if it does not compile
    local directory=$1 file=$3 expected=${4:-} words
    read -ra words <<<"$2"
    words+=(-w -ffp-contract=off "${for_all[@]}" "${flags[@]}")
    if ! (cd "$directory" && timeout 120 "${words[@]}" -I "$seeds" -c -o program.o "$name.c") \
        >"$directory/compiling" 2>&1; then
        { echo "does not compile" && head -n 3 "$directory/compiling"; } >"$directory/$file"
        return 1
    fi
    if [[ $2 != *-fsanitize* && " ${flags[*]}" =~ $for_no_linker ]] && link "$directory" tcc; then
        run "$directory" "$file"
        if [ -n "$expected" ] && cmp -s "$directory/$file" "$expected"; then return; fi
    fi
    if ! link "$directory" "${words[@]}"; then
        { echo "does not link" && head -n 3 "$directory/linking"; } >"$directory/$file"
        return 1
    fi
    run "$directory" "$file"
}

# Flags that mean nothing to a linker.
for_no_linker='^( +(-std=|-I|-D|-U)[^ ]*)* *$'

is_report='runtime error:|ERROR: AddressSanitizer|WARNING: MemorySanitizer'

# Whether a variant may differ in this way: instrumented frames are many times as large.
is_excused() { # is_excused FILE
    grep -q 'AddressSanitizer: stack-overflow' "$1"
}

# Everything about one program.
sweep() { # sweep FILE
    local said way number base same
    name=$(basename "$1" .c)
    flags=()
    if [ -e "$1.mestra" ]; then
        read -ra flags <<<"$(sed -n 's/^mestra-flags: //p' "$1.mestra")"
    fi
    rm -rf "$work"/* && mkdir -p "$work/seed"
    if ! said=$("$mestra" mutate --jobs 1 --strategy all -n "$variants" --seed "${SWEEP_SEED:-0}" \
        -o "$work/made" "$1" -- "${for_all[@]}" 2>&1 >/dev/null); then
        echo "refused ${said//$'\n'/ }"
        return
    fi
    cp "$1" "$work/seed/$name.c"
    for way in "${ways[@]}"; do
        stack=8192
        if ! try "$work/seed" "$way" once; then
            echo "left-out ${way// /_} $(head -n 2 "$work/seed/once" | tr '\n' ' ')"
            continue
        fi
        if grep -qE "$is_report" "$work/seed/once"; then
            echo "left-out ${way// /_} $(grep -m 1 -E "$is_report" "$work/seed/once")"
            continue
        fi
        if grep -qx -e '--- 124' "$work/seed/once"; then
            echo "left-out ${way// /_} does not end"
            continue
        fi
        run "$work/seed" twice
        if ! cmp -s "$work/seed/once" "$work/seed/twice"; then
            echo "left-out ${way// /_} does something else the second time"
            continue
        fi
        same=0
        stack=524288
        for number in $(seq "$variants"); do
            base=$(printf '%s/made/%s.v%03d.c' "$work" "$name" "$number")
            [ -e "$base" ] || continue
            mkdir -p "$work/$number" && cp "$base" "$work/$number/$name.c"
            try "$work/$number" "$way" seen "$work/seed/once" || true
            if cmp -s "$work/$number/seen" "$work/seed/once" || is_excused "$work/$number/seen"; then
                same=$((same + 1))
            else
                said=$(diff "$work/seed/once" "$work/$number/seen" | head -n 4 | tr '\n' ' ' || true)
                echo "differs ${way// /_} $number $said"
                rm -rf "$results/$name" && mkdir -p "$results/$name" && cp -r "$work"/* "$results/$name"
            fi
        done
        echo "same ${way// /_} $same"
    done
}

index=0
for file in "$seeds"/*.c; do
    index=$((index + 1))
    [ $((index % parts)) = $((part % parts)) ] || continue
    result=$results/$(basename "$file" .c).txt
    [ -e "$result" ] && continue
    sweep "$file" >"$work.part" 2>&1
    mv "$work.part" "$result"
done

cat "$results"/*.txt >"$work/all"
echo "$(ls "$results"/*.txt | wc -l) programs, $(grep -c '^refused' "$work/all" || true) refused"
awk '$1 == "same" { variants[$2] += $3; programs[$2]++ }
    END {
        for (way in programs)
            print way ": " programs[way] " programs, " variants[way] " variants as their seeds"
    }' "$work/all" | sort
if grep -q '^differs' "$work/all"; then
    grep '^differs' "$results"/*.txt | sed "s,^$results/,,"
    exit 1
fi
