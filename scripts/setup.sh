#!/usr/bin/env bash
# Installs what Mestra and its tests need, on Debian and Ubuntu; elsewhere says
# what is missing and stops. Quick when nothing is missing.
#
#   scripts/setup.sh        what `make demo` and `make test` need
#   scripts/setup.sh all    also the further compilers that `make test-long` tries
#   scripts/setup.sh cross  also compilers for other machines, for scripts/hunt.sh
#   scripts/setup.sh cluster
#                           also Slurm and others, for `make test-cluster`
set -euo pipefail

oldest_clang=14
newest_clang=30

have() { command -v "$1" >/dev/null 2>&1; }

# Packages to install, and the same in words for other systems.
packages=()
wishes=()
want() { # want "in words" package…
    wishes+=("$1")
    shift
    packages+=("$@")
}

installed_clangs() {
    local version
    for ((version = newest_clang; version >= oldest_clang; version--)); do
        if have "clang-$version"; then echo "$version"; fi
    done
}

# The newest versions of clang that the package lists offer, one a line.
offered_clangs() {
    apt-cache pkgnames clang- 2>/dev/null | sed -n 's/^clang-\([0-9]\+\)$/\1/p' |
        sort -rn | awk -v oldest="$oldest_clang" '$1 >= oldest'
}

has_libclang() {
    local file
    for file in "${LIBCLANG_PATH:-/nonexistent}"/libclang*.so* "${LIBCLANG_PATH:-/nonexistent}" \
        /usr/lib/llvm-*/lib/libclang-*.so.1 /usr/lib/*/libclang*.so* \
        /usr/lib/libclang.so* /usr/lib64/libclang.so* /usr/local/lib/libclang.so*; do
        if [ -f "$file" ]; then return 0; fi
    done
    return 1
}

# MSan exists only in clang's runtimes, and each clang needs its own.
has_sanitizers() {
    local file
    for file in /usr/lib/llvm-"$1"/lib/clang/*/lib/linux/libclang_rt.msan-*.a; do
        if [ -f "$file" ]; then return 0; fi
    done
    return 1
}

has_csmith_headers() {
    [ -f /usr/include/csmith/csmith.h ] || [ -f /usr/local/include/csmith/csmith.h ] ||
        [ -f "${CSMITH_HOME:-/nonexistent}/include/csmith.h" ]
}

has_32_bit() {
    [ "$(uname -m)" != x86_64 ] || [ -f /usr/include/x86_64-linux-gnu/gnu/stubs-32.h ] ||
        [ -f /usr/include/gnu/stubs-32.h ]
}

# Debian's name of the C library for compilers that make programs for another machine.
libc_for() {
    case $1 in
    aarch64-*) echo libc6-dev-arm64-cross ;;
    powerpc64le-*) echo libc6-dev-ppc64el-cross ;;
    alpha-*) echo libc6.1-dev-alpha-cross ;;
    *) echo "libc6-dev-${1%%-*}-cross" ;;
    esac
}

find_missing() {
    packages=() wishes=()
    have gcc || want "gcc" gcc libc6-dev
    # Generated programs are C++, too.
    have g++ || want "g++" g++
    has_32_bit || want "gcc for -m32 (32-bit libraries)" gcc-multilib
    have csmith && has_csmith_headers || want "csmith with its headers" csmith libcsmith-dev
    have tcc || want "tcc" tcc
    have cvise || want "C-Vise" cvise
    # The tests look at the report's page with it.
    have chromium || have chromium-browser || have google-chrome || want "Chromium" chromium

    # Two clangs, the newest and an old one, and libclang.
    local clangs=() offered=() pair
    mapfile -t clangs < <(installed_clangs)
    if [ "${#clangs[@]}" -lt 2 ]; then
        mapfile -t offered < <(offered_clangs)
        if [ "${#offered[@]}" -gt 0 ]; then
            pair="${offered[0]} ${offered[-1]}"
        else
            pair="19 14"
        fi
        for version in $pair; do
            have "clang-$version" || want "clang-$version with libclang and its sanitizer runtimes" \
                "clang-$version" "libclang1-$version" \
                "libclang-common-$version-dev" "libclang-rt-$version-dev"
        done
    else
        has_libclang || want "libclang $oldest_clang or newer" "libclang1-${clangs[0]}" \
            "libclang-common-${clangs[0]}-dev"
        has_sanitizers "${clangs[0]}" || want "the sanitizer runtimes of clang-${clangs[0]}" \
            "libclang-rt-${clangs[0]}-dev"
    fi

    if [ "${1:-}" = all ]; then
        have gcc-11 || want "gcc-11" gcc-11
        have pcc || want "pcc" pcc
        for version in 13 15 16 19; do
            have "clang-$version" || want "clang-$version" "clang-$version"
        done
    fi

    if [ "${1:-}" = cross ]; then
        have qemu-alpha || want "QEMU's user mode" qemu-user
        local target
        for target in aarch64-linux-gnu riscv64-linux-gnu powerpc64le-linux-gnu \
            mips64el-linux-gnuabi64 alpha-linux-gnu; do
            have "$target-gcc" || want "gcc for $target" "gcc-$target" "$(libc_for "$target")"
        done
    fi

    if [ "${1:-}" = cluster ]; then
        have slurmctld && have slurmd && have sbatch ||
            want "Slurm" slurmctld slurmd slurm-client
        have munged || want "munge" munge
        have parallel || want "GNU parallel" parallel
        have sshd || [ -x /usr/sbin/sshd ] || want "an SSH server" openssh-server
        have bwrap || want "bubblewrap" bubblewrap
        /usr/bin/python3 -c 'import yaml, jsonschema' 2>/dev/null ||
            want "Python with YAML and JSON schemas" python3 python3-yaml python3-jsonschema
    fi
}

# The first version of Rust that builds Mestra, as Cargo.toml says.
rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
found=$(cargo --version 2>/dev/null | cut -d' ' -f2)
if [ "$(printf '%s\n' "$rust" "${found:-0}" | sort -V | head -n1)" != "$rust" ]; then
    echo "mestra: Rust $rust or newer is needed, and there is ${found:-none}; get it with" >&2
    echo "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" >&2
    exit 1
fi

find_missing "$@"
if [ "${#packages[@]}" -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n)
fi
if have apt-get && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
    "${as_root[@]}" apt-get update -q >&2
    find_missing "$@" # the lists may offer more now
    echo "mestra: installing ${packages[*]}" >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${packages[@]}" >&2
    exit 0
fi

{
    echo "mestra: please install:"
    printf '  %s\n' "${wishes[@]}"
    if have apt-get; then
        echo "On this system, as root: apt-get install ${packages[*]}"
    fi
} >&2
exit 1
