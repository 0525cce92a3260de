#!/usr/bin/env bash
# Makes compilers for WebAssembly and the engines that run their programs, below target/, and
# prints the directory to put on PATH. Zig, for its clang and its libc, and wasmtime come from
# PyPI; V8 is that of an installed node.
#
#   PATH=$(scripts/wasm.sh):$PATH mestra campaign --config docs/wasm.toml -o wasm
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD/target/hunt/wasm
bin=$home/bin
mkdir -p "$bin"
version=0.13.0
if [ ! -x "$home/zig/ziglang/zig" ]; then
    python3 -m pip install --quiet --no-deps --target "$home/zig" "ziglang==$version" >&2
fi
if [ ! -d "$home/python/wasmtime" ]; then
    python3 -m pip install --quiet --no-deps --target "$home/python" wasmtime >&2
fi

# A command of that name.
command_of() { # command_of NAME <TEXT
    { echo '#!/bin/sh'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

# What an engine is called, and what runs a program in it.
engine() { # engine NAME COMMAND…
    local name=$1
    shift
    command_of "run-$name" <<SCRIPT
exec env PYTHONPATH='$home/python' $* "\$@"
SCRIPT
    # One compiler for each engine, so that reports tell them apart. What makes the types of
    # x86 like those of WebAssembly means nothing to it.
    command_of "clang-$name" <<SCRIPT
for word; do
    shift
    case \$word in -m32 | -malign-double) ;; *) set -- "\$@" "\$word" ;; esac
done
export ZIG_GLOBAL_CACHE_DIR='$home/cache' ZIG_LOCAL_CACHE_DIR="\${PWD}/zig"
exec '$home/zig/ziglang/zig' cc -target wasm32-wasi "\$@"
SCRIPT
    # Zig builds its libc now, without a campaign's limits: one for each of its own levels.
    echo 'int main(void) { return 0; }' >"$home/first.c"
    for level in -O0 -O2 -Os; do
        (cd "$home" && "$bin/clang-$name" "$level" -o first first.c && "$bin/run-$name" ./first) >&2
    done
}

python=$(command -v python3)
engine cranelift-none "$python" "'$PWD/scripts/wasm/cranelift.py'" none
engine cranelift-speed "$python" "'$PWD/scripts/wasm/cranelift.py'" speed
if node=$(command -v node); then
    # Programs under test have four gigabytes of addresses; the trap handler wants ten.
    v8=("$node" --no-warnings --disable-wasm-trap-handler)
    engine liftoff "${v8[@]}" --liftoff --no-wasm-tier-up "'$PWD/scripts/wasm/v8.mjs'"
    engine turbofan "${v8[@]}" --no-liftoff "'$PWD/scripts/wasm/v8.mjs'"
else
    echo 'wasm.sh: there is no node, so V8 is left out' >&2
fi
echo "$bin"
