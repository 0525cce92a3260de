#!/usr/bin/env bash
# A campaign against one of six groups of compilers, which it installs first (Debian
# and Ubuntu; those of Zig come from PyPI and stay below target/).
#
#   scripts/hunt.sh native DIRECTORY [options of mestra campaign…]
#
#   native   every gcc and clang on PATH
#   frontier gcc from 13 on, its snapshot and the newest clangs of Debian's newest suites, by
#            frontier.sh; each also with -flto. Unless options say otherwise, at two levels and
#            with random flags, which have the other levels: there are many compilers
#   small    tcc and pcc
#   cross    gcc and the newest clang for other machines, under qemu-user: those whose
#            types are the same as here
#   zig      the clangs inside Zig, of versions that Debian does not have
#   wasm     Zig's clang for WebAssembly, with wasmtime and V8 at two levels each, by wasm.sh
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-}
directory=${2:?"usage: scripts/hunt.sh native|frontier|small|cross|zig|wasm DIRECTORY [OPTION…]"}
shift 2

# The names on PATH that are a compiler's with a version, such as clang-16.
versions_of() {
    compgen -c "$1-" | grep -E "^$1-[0-9]+\$" | sort -t- -k2n -u
}

# A script that is one of Zig's clangs. Zig keeps what it compiles of libc between runs;
# what it compiles of ours goes where the campaign cleans up.
zig_cc() { # zig_cc VERSION
    local home=$PWD/target/hunt/zig-$1 script=$PWD/target/hunt/zig-cc-$1
    if [ ! -x "$home/ziglang/zig" ]; then
        python3 -m pip install --quiet --no-deps --target "$home" "ziglang==$1" >&2
    fi
    cat >"$script" <<SCRIPT
#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='$home/cache' ZIG_LOCAL_CACHE_DIR="\${PWD}/zig"
exec '$home/ziglang/zig' cc "\$@"
SCRIPT
    chmod +x "$script"
    # Its own libraries are built now, without a campaign's limits.
    echo 'int main(void) { return 0; }' >"$home/first.c"
    (cd "$home" && "$script" -o first first.c)
    echo "$script"
}

compilers=()
options=()
case $what in
native)
    scripts/setup.sh all
    mapfile -t compilers < <(versions_of gcc; versions_of clang)
    ;;
frontier)
    scripts/setup.sh
    mapfile -t compilers < <(scripts/frontier.sh)
    for compiler in "${compilers[@]}"; do
        compilers+=("$compiler -flto")
    done
    case " $*" in
    *" --flag-set"* | *" --random-flags"*) ;;
    *) options=(--flag-set=-O2 --flag-set=-O3 --random-flags true) ;;
    esac
    ;;
small)
    scripts/setup.sh all
    compilers=(tcc pcc)
    ;;
cross)
    scripts/setup.sh cross
    clang=$(versions_of clang | tail -1)
    # target, flags, emulator
    while read -r target flags emulator; do
        compilers+=("$target-gcc $flags | $emulator")
        # clang has no code for Alpha.
        if [ "$target" != alpha-linux-gnu ]; then
            compilers+=("$clang --target=$target $flags | $emulator")
        fi
    done <<TARGETS
aarch64-linux-gnu        -fsigned-char  qemu-aarch64 -L /usr/aarch64-linux-gnu
riscv64-linux-gnu        -fsigned-char  qemu-riscv64 -L /usr/riscv64-linux-gnu
powerpc64le-linux-gnu    -fsigned-char  qemu-ppc64le -L /usr/powerpc64le-linux-gnu
mips64el-linux-gnuabi64  -fsigned-char  qemu-mips64el -L /usr/mips64el-linux-gnuabi64
alpha-linux-gnu          -mieee         qemu-alpha -L /usr/alpha-linux-gnu
TARGETS
    ;;
zig)
    scripts/setup.sh
    # clang 17, 18, 20 and 21.
    for version in 0.12.1 0.13.0 0.15.2 0.16.0; do
        compilers+=("$(zig_cc "$version")")
    done
    ;;
wasm)
    scripts/setup.sh
    PATH=$(scripts/wasm.sh):$PATH
    options=(--config docs/wasm.toml)
    ;;
*)
    echo "hunt.sh: no compilers are called '$what'" >&2
    exit 1
    ;;
esac

cargo build --release --locked
arguments=()
for compiler in "${compilers[@]}"; do
    arguments+=(--compiler "$compiler")
done
exec "${CARGO_TARGET_DIR:-target}/release/mestra" campaign -o "$directory" "${arguments[@]}" \
    "${options[@]}" "$@"
