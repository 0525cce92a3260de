#!/bin/bash
# Checks the programs of this folder: every compiler and level must give the
# same output and exit status, and the sanitizers must have nothing to report.
#
# Usage: check.sh [PROGRAM.c ...]      (without arguments: all programs)
# JOBS=N sets how many programs are checked at a time (default: all cores).
#
# Prints one line for each failing program, then `N passed, N failed`.

set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
ulimit -c 0

# The words after a directive, one line each: directives KIND FILE.
# Directives come before anything else; a byte order mark or CR is let pass.
directives() {
    awk -v kind="$1" '
        { sub(/\r$/, "") }
        NR == 1 { sub(/^\xef\xbb\xbf/, "") }
        !/^\/\* mestra-(flags|run):.*\*\/$/ { exit }
        $2 == "mestra-" kind ":" {
            sub(/^\/\* mestra-[a-z]+: */, "")
            sub(/ *\*\/$/, "")
            print
        }' "$2"
}

# Runs one executable on all runs of the program: run_all EXE OUT ERR.
run_all() {
    local exe=$1 out=$2 err=$3 line
    : >"$out"
    : >"$err"
    for line in "${runs[@]}"; do
        (eval "exec timeout -k 1 20 \"\$exe\" $line" </dev/null) >>"$out" 2>>"$err"
        echo "[status $?]" >>"$out"
    done
}

# Checks one program and prints what is wrong with it, if anything.
check_one() {
    local source=$1 name work flags status label command wrong=""
    name=$(basename "$source")
    work=$scratch/${name%.c}
    mkdir -p "$work"
    cd "$(dirname "$source")" || return
    flags=$(directives flags "$name")
    mapfile -t runs < <(directives run "$name")
    [ ${#runs[@]} -gt 0 ] || runs=("")

    status=$(sed -n "s/^| \`$name\` |.*| *\([a-z]*\)[^|]*|\$/\1/p" "$here/README.md")
    case $status in
    yes | no) ;;
    *) wrong="$wrong; not in the table of README.md" ;;
    esac

    while IFS='|' read -r label command; do
        [ "$label" != tcc ] || [ "$status" = yes ] || continue
        # The flags are plain words.
        # shellcheck disable=SC2086
        if ! $command $flags -w "$name" -o "$work/exe" 2>"$work/messages"; then
            wrong="$wrong; $label: does not compile"
            continue
        fi
        run_all "$work/exe" "$work/out" "$work/err"
        if [ "$label" = "gcc -O0" ]; then
            cp "$work/out" "$work/expected"
            if grep -B1 '^\[status' "$work/out" | grep -v -e '^\[status' -e '^--$' |
                grep -q -v -E '^checksum = [0-9a-f]{8}$'; then
                wrong="$wrong; a run does not end in a checksum line"
            fi
            if grep -q '^\[status 124\]' "$work/out"; then
                wrong="$wrong; a run does not end in time"
            fi
        elif ! cmp -s "$work/out" "$work/expected"; then
            wrong="$wrong; $label: other output or status"
        fi
        case $label in
        *San*)
            if [ -s "$work/err" ]; then
                wrong="$wrong; $label: $(grep -m1 -o -E '(runtime error|ERROR|WARNING):? .*' "$work/err" | head -c 120)"
            fi
            ;;
        esac
    done <<'CONFIGURATIONS'
gcc -O0|gcc -O0
gcc -O2|gcc -O2
clang-19 -O0|clang-19 -O0
clang-19 -O2|clang-19 -O2
gcc -m32 -O0|gcc -m32 -O0
clang-14 -O1|clang-14 -O1
tcc|tcc
ASan and UBSan|clang-19 -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
MSan -O0|clang-19 -O0 -fsanitize=memory
MSan -O1|clang-19 -O1 -fsanitize=memory
CONFIGURATIONS
    rm -rf "$work"
    if [ -n "$wrong" ]; then
        echo "$name${wrong/#;/:}"
        echo "$name" >>"$scratch/failed"
    else
        echo "$name" >>"$scratch/passed"
    fi
}

# Called by xargs below for a single program.
if [ "${1-}" = --one ]; then
    scratch=$2
    check_one "$3"
    exit 0
fi

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
: >"$scratch/passed"
: >"$scratch/failed"
if [ $# -eq 0 ]; then
    set -- "$here"/*.c
fi
printf '%s\0' "$@" |
    xargs -0 -P "${JOBS:-$(nproc)}" -n 1 "$here/check.sh" --one "$scratch" 2>/dev/null
passed=$(wc -l <"$scratch/passed")
failed=$(wc -l <"$scratch/failed")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq $# ]
