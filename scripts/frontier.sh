#!/usr/bin/env bash
# Brings the compilers of Debian's newest suites onto an older Debian (or Ubuntu) without
# touching the system: their packages are unpacked into a cache directory, with the C
# library that they need, and a script for each starts it there. What they compile uses
# this machine's headers and C library, so it runs here like any other program.
#
#   scripts/frontier.sh            prints the scripts, one a line; quick once they are there
#   scripts/frontier.sh update     looks for newer packages first
#
# MESTRA_CACHE is the cache directory; all of them take 4.5 GB there, without the snapshot
# of gcc 1.8 GB.
# MESTRA_FRONTIER names packages to take instead of all: "gcc-16 clang-24".
set -euo pipefail
. "$(dirname "$0")/apt.sh"

cache=${MESTRA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mestra}/frontier
complain() { echo "frontier.sh: $*" >&2; }

for tool in apt-get dpkg-deb; do
    if ! command -v "$tool" >/dev/null; then
        complain "needs $tool: it works on Debian and Ubuntu only"
        exit 1
    fi
done
if [ "$(dpkg --print-architecture)" != amd64 ]; then
    complain "knows the packages for x86-64 only"
    exit 1
fi

# The suites that are newer than any release, by distribution.
case $(. /etc/os-release && echo "$ID") in
debian) suites="sid experimental" ;;
ubuntu) suites="devel" ;;
*)
    complain "does not know the newest suite of this system"
    exit 1
    ;;
esac

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9 # One at a time.

apt_below "$cache/apt"
apt_options+=(-o "APT::Default-Release=${suites%% *}")

update_lists() {
    # shellcheck disable=SC2086 # Several suites are several words.
    apt_for_suites "$cache/apt" $suites
    apt-get "${apt_options[@]}" update >&2
}

# The compilers that the lists offer: gcc from 13 on, its snapshot, the newest clangs.
offered() {
    apt-cache "${apt_options[@]}" pkgnames | grep -E '^(gcc-1[3-9]|gcc-[2-9][0-9]|gcc-snapshot)$'
    apt-cache "${apt_options[@]}" pkgnames clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -3
}

root=$cache/root
libraries=$root/usr/lib/x86_64-linux-gnu
loader=$libraries/ld-linux-x86-64.so.2

# Makes a script of a program that starts it with the loader and libraries unpacked here.
# (patchelf would save the shell, but the cc1 that it makes crashes.)
start_here() { # start_here PROGRAM
    local program
    program=$(readlink -f "$1")
    if head -c 4 "$program" | grep -q ELF; then
        mv "$program" "$program.elf"
        cat >"$program" <<SCRIPT
#!/bin/sh
exec '$loader' --argv0 "\$0" --library-path '$libraries' '$program.elf' "\$@"
SCRIPT
        chmod +x "$program"
    fi
}

# Writes the script that people call.
front() { # front NAME COMMAND…
    local name=$cache/bin/$1
    shift
    printf '#!/bin/sh\nexec' >"$name"
    printf " '%s'" "$@" >>"$name"
    printf ' "$@"\n' >>"$name"
    chmod +x "$name"
}

set_up_gcc() { # set_up_gcc NAME DRIVER DIRECTORY-OF-CC1
    local program
    for program in "$2" "$3"/{cc1,collect2,lto1,lto-wrapper}; do
        if [ -e "$program" ]; then start_here "$program"; fi
    done
    front "$1" "$2" "-B$root/usr/bin/"
}

set_up() { # set_up PACKAGE
    local version=${1#*-} home
    case $1 in
    gcc-snapshot)
        home=$root/usr/lib/gcc-snapshot
        set_up_gcc "$1" "$home/bin/gcc" "$(dirname "$(find "$home/libexec" -name cc1)")"
        ;;
    gcc-*)
        set_up_gcc "$1" "$root/usr/bin/x86_64-linux-gnu-gcc-$version" \
            "$root/usr/libexec/gcc/x86_64-linux-gnu/$version"
        ;;
    clang-*)
        home=$root/usr/lib/llvm-$version
        start_here "$home/bin/clang"
        # It would look for its headers beside the loader, and this machine's linker
        # cannot load its plugin for -flto.
        front "$1" "$home/bin/clang" --start-no-unused-arguments -no-canonical-prefixes \
            "-resource-dir=$home/lib/clang/$version" \
            "--ld-path=$root/usr/bin/x86_64-linux-gnu-ld.bfd" --end-no-unused-arguments
        ;;
    esac
}

# Whether it compiles a program that runs here and includes its own and our headers.
works() { # works NAME FLAGS…
    local name=$1 answer
    shift
    cat >"$cache/probe.c" <<'PROGRAM'
#include <limits.h>
#include <stdio.h>
int main(void) { return printf("%d\n", INT_MAX) < 0; }
PROGRAM
    "$cache/bin/$name" "$@" -o "$cache/probe" "$cache/probe.c" 2>"$cache/probe.log" &&
        answer=$("$cache/probe") && [ "$answer" = 2147483647 ]
}

bring() {
    local packages=() package
    update_lists
    mapfile -t packages < <(offered | sort -V)
    if [ -n "${MESTRA_FRONTIER:-}" ]; then
        read -ra packages <<<"$MESTRA_FRONTIER"
    fi
    if [ "${#packages[@]}" -eq 0 ]; then
        complain "the suites $suites offer no compiler"
        exit 1
    fi
    complain "fetching ${packages[*]} into $cache"
    for package in "${packages[@]}"; do
        # One by one: a suite in motion may have one that cannot be installed just now.
        if ! apt-get "${apt_options[@]}" install -y --download-only --no-install-recommends \
            "$package" >"$cache/apt.log" 2>&1; then
            complain "$package is not to be had: $(grep -m1 '^E:' "$cache/apt.log" || echo "see $cache/apt.log")"
        fi
    done
    rm -rf "$root" "$cache/bin" "$cache/ready"
    mkdir -p "$root" "$cache/bin"
    local archive
    for archive in "$cache"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$archive" "$root"
    done
    rm -f "$cache"/apt/cache/archives/*.deb
    start_here "$root/usr/bin/x86_64-linux-gnu-as"
    start_here "$root/usr/bin/x86_64-linux-gnu-ld.bfd"
    for package in "${packages[@]}"; do
        if ! set_up "$package" 2>"$cache/probe.log" || ! works "$package" -O2; then
            rm -f "$cache/bin/$package"
            complain "$package does not work here: $(head -1 "$cache/probe.log")"
        elif ! works "$package" -O2 -flto; then
            complain "$package works, but not with -flto: $(head -1 "$cache/probe.log")"
        fi
    done
    touch "$cache/ready"
}

if [ "${1:-}" = update ] || [ ! -f "$cache/ready" ]; then
    bring
fi
find "$cache/bin" -type f | sort -V
