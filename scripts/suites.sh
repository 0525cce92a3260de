#!/usr/bin/env bash
# Seeds from the C tests of GCC and of clang, taken from Debian's source packages: nothing
# of them is part of Mestra.
#
#   scripts/suites.sh [DIR]    leaves seeds in directories of DIR, and in DIR/set-aside.txt
#                              the tests that are none, with the reason
#
#   gcc-compile, gcc-execute   GCC's torture tests
#   gcc-dg, gcc-dg-run         its other tests, by what `dg-do` says is done with them
#   clang-compile              clang's tests; none of them is run
#
# DIR is $MESTRA_CACHE/suites or ~/.cache/mestra/suites unless it is given. The flags that
# a test asks for (`dg-options`, `dg-additional-options`, `RUN:`) stand in a file beside the
# seed, NAME.c.mestra; those about optimisation levels, warnings and dumps are left out,
# since levels are for configs to choose. A test in old C gets -std=gnu89. SUITES="gcc" or
# "llvm" takes one of the two, SUITE_GCC and SUITE_LLVM name other source packages, such as
# gcc-14 and llvm-toolchain-19, and SUITE_FROM another suite of the distribution to take them
# from: with SUITE_FROM=sid SUITE_GCC=gcc-16 an older Debian gets the tests that GCC has added
# since, most of them for defects that older versions still have. Package lists are kept in
# DIR, so nothing of the system is changed. Where one of the two cannot be had, the other is
# taken alone; the exit code is 0 if there is one.
#
# LLVM's own test-suite of whole programs is not to be had in this way: Debian has no
# package of it.
set -euo pipefail

directory=${1:-${MESTRA_CACHE:-$HOME/.cache/mestra}/suites}
mkdir -p "$directory" && directory=$(cd "$directory" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/apt.sh"
suites=${SUITES:-gcc llvm}
# The newest clang is the strictest.
clang=$(compgen -c clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -n 1 || true)
clang=${clang:-clang}
gcc_source=${SUITE_GCC:-gcc-$(gcc -dumpversion | cut -d. -f1)}
llvm_source=${SUITE_LLVM:-llvm-toolchain-$("$clang" -dumpversion | cut -d. -f1)}
export here clang
cd "$directory"

# Downloads a source package. What apt says of one that is not to be had takes many lines and
# names servers; the first of its errors becomes part of a sentence.
download() { # download SOURCE
    local said
    rm -f "$1"_*
    apt_below "$directory/apt" &&
        apt_for_sources "$directory/apt" ${SUITE_FROM:+"$SUITE_FROM"} || return 1
    if ! said=$({ apt-get -qq "${apt_options[@]}" update &&
        apt-get -qq "${apt_options[@]}" source --download-only "$1"; } 2>&1); then
        said=$(sed -n 's/^E: //p' <<<"$said" | head -n 1)
        echo "suites.sh: the source package $1 cannot be fetched: ${said:-no reason given}" >&2
        rm -f "$1"_*
        return 1
    fi
}

# The functions below are called where their failure is looked at, so a shell does not end at the
# first command that fails: each has to say so itself.
fetch_gcc() {
    local outer inner
    download "$gcc_source" || return 1
    outer=$(ls "${gcc_source}"_*.orig.tar.*) || return 1
    # Debian puts GCC's own archive into another.
    inner=$(tar -tf "$outer" | grep -E '/gcc-[0-9.]+[^/]*\.tar\.[a-z0-9]+$' | head -n 1) || return 1
    rm -rf new && mkdir new || return 1
    tar -xOf "$outer" "$inner" | tar -xJ -C new --strip-components=3 --wildcards \
        '*/gcc/testsuite/gcc.c-torture/compile' '*/gcc/testsuite/gcc.c-torture/execute' \
        '*/gcc/testsuite/gcc.dg' || return 1
    rm -rf gcc && mv new gcc && rm -f "${gcc_source}"_*
}

# The newest of Debian's versions of clang, other than the one that is wanted; nothing if there is
# none.
other_llvm() {
    sed -n 's/^Package: \(llvm-toolchain-[0-9]*\)$/\1/p' apt/lists/*Sources* 2>/dev/null |
        grep -Fxv "$llvm_source" | sort -V | tail -n 1 || true
}

fetch_llvm() {
    # The newest clang may come from elsewhere; any of Debian's will do.
    if ! download "$llvm_source"; then
        llvm_source=$(other_llvm)
        [ -n "$llvm_source" ] || return 1
        echo "suites.sh: taking $llvm_source instead" >&2
        download "$llvm_source" || return 1
    fi
    rm -rf new && mkdir new || return 1
    tar -xf "$(ls "${llvm_source}"_*.orig.tar.*)" -C new --strip-components=1 --wildcards \
        '*/clang/test/*.c' || return 1
    rm -rf clang && mv new/clang/test clang && rm -rf new && rm -f "${llvm_source}"_*
}

# Whether a compiler takes a file; prints its first error if it does not.
takes() { # takes COMPILER FILE FLAG…
    local compiler=$1 file=$2 said
    shift 2
    if ! said=$(timeout 20 "$compiler" -w -fsyntax-only "$@" "$file" 2>&1); then
        said=$(sed -n 's/.*error: //p' <<<"$said" | head -n 1)
        echo "${said:-no reason given}"
        return 1
    fi
}

# Makes a seed of one test, or says why not.
seed() { # seed SUITE KIND FILE: a file of `gcc` or `llvm` that is to `compile` or to `run`
    local suite=$1 kind=$2 file=$3 asked flags words judge to said
    local name=${file#*/}
    name=${name#gcc.dg/} name=${name#gcc.c-torture/compile/} name=${name#gcc.c-torture/execute/}
    name=${name//\//-}
    asked=$(awk -v kind="$kind" -f "$here/suites-$suite.awk" "$file")
    case $suite/$file in
    gcc/gcc/gcc.c-torture/compile/*) to=gcc-compile ;;
    gcc/gcc/gcc.c-torture/execute/*) to=gcc-execute ;;
    gcc/*) case $asked in run*) to=gcc-dg-run ;; *) to=gcc-dg ;; esac ;;
    llvm/*) to=clang-compile ;;
    esac
    case $asked in
    aside*) echo "$to/$name: ${asked#aside }" && return ;;
    esac
    if [ -e "${file%.c}.x" ]; then
        echo "$to/$name: has a script of its own" && return
    fi
    flags=${asked#* }
    if [ "$flags" = "$asked" ]; then flags=; fi
    read -ra words <<<"$flags"
    case $suite in
    gcc) judge=gcc ;;
    llvm) judge=$clang ;;
    esac
    if ! said=$(takes "$judge" "$file" "${words[@]}"); then
        if [ "$suite" = gcc ] || ! takes "$judge" "$file" -std=gnu89 "${words[@]}" >/dev/null; then
            echo "$to/$name: $judge rejects it: $said" && return
        fi
    fi
    # What C once allowed, clang has come to reject.
    if ! takes "$clang" "$file" "${words[@]}" >/dev/null &&
        takes "$clang" "$file" -std=gnu89 "${words[@]}" >/dev/null; then
        flags="-std=gnu89 $flags"
    fi
    # What it includes stays where it was.
    if grep -q '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file"; then
        flags="$flags -I$PWD/$(dirname "$file")"
    fi
    cp "$file" "$to/$name"
    if [ -n "${flags// /}" ]; then
        echo "mestra-flags: $flags" >"$to/$name.mestra"
    fi
}
export -f seed takes

# Makes seeds of all files that are listed on standard input.
seeds() { # seeds SUITE KIND
    xargs -P "$(nproc)" -I{} bash -c 'seed "$@"' _ "$1" "$2" {} >>new-set-aside
}

: >new-set-aside
# What was said of another suite stays.
case $suites in
gcc) grep '^clang-' set-aside.txt >new-set-aside 2>/dev/null || true ;;
llvm) grep '^gcc-' set-aside.txt >new-set-aside 2>/dev/null || true ;;
esac
missing=()
there=0
for suite in $suites; do
    case $suite in
    gcc)
        [ -d gcc/gcc.dg ] || fetch_gcc || {
            missing+=("GCC's tests")
            continue
        }
        kinds="gcc-compile gcc-execute gcc-dg gcc-dg-run"
        rm -rf $kinds && mkdir $kinds
        ls gcc/gcc.c-torture/execute/*.c gcc/gcc.c-torture/execute/ieee/*.c | seeds gcc run
        ls gcc/gcc.c-torture/compile/*.c gcc/gcc.dg/*.c gcc/gcc.dg/t*/*.c | seeds gcc compile
        ;;
    llvm)
        [ -d clang ] || fetch_llvm || {
            missing+=("clang's tests")
            continue
        }
        kinds="clang-compile"
        rm -rf $kinds && mkdir $kinds
        find clang -name '*.c' -not -path '*/Inputs/*' | sort | seeds llvm compile
        ;;
    *)
        echo "suites.sh: SUITES names gcc, llvm or both" >&2
        exit 1
        ;;
    esac
    there=1
    for kind in $kinds; do
        echo "$(find "$kind" -name '*.c' | wc -l) seeds in $directory/$kind"
    done
done
sort new-set-aside >set-aside.txt && rm new-set-aside
echo "$(wc -l <set-aside.txt) tests set aside: $directory/set-aside.txt"
for one in "${missing[@]}"; do
    echo "$one are missing; SUITE_GCC, SUITE_LLVM and SUITE_FROM name other packages to take them from"
done
# One of the two is enough to hunt with.
[ "$there" = 1 ]
