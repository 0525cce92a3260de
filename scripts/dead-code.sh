#!/usr/bin/env bash
# Lets the compiler find code that nobody uses. In a library it cannot, since whatever is
# public might be used from outside; so the sources are checked as one program, whose only
# user is its own main function.
#
# What tests, benches or studies need and the program does not is marked by a comment on a
# line of its own above it: `// Used by tests only.` A mark on something that the program
# does use is an error, too.
#
#   scripts/dead-code.sh
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$repository/target}
place=$CARGO_TARGET_DIR/dead-code
rm -rf "$place"
mkdir -p "$place"

for path in "$repository"/*; do
    case $(basename "$path") in
    src | target | Cargo.toml) ;;
    *) ln -s "$path" "$place/" ;;
    esac
done
cp -r "$repository/src" "$place/src"
find "$place/src" -name '*.rs' -exec sed -i -E \
    's,^( *)// Used by [a-z ]+ only\.$,\1#[expect(dead_code)],' {} +

# One crate: the library's modules, private, below the program's main function.
{
    echo '#![deny(dead_code, unfulfilled_lint_expectations)]'
    echo '#![allow(unused_imports)]'
    sed -n 's/^pub mod /mod /p' "$place/src/lib.rs"
    sed 's/mestra::/crate::/; /^\/\/!/d' "$place/src/main.rs"
} >"$place/main.rs"
mv "$place/main.rs" "$place/src/main.rs"
rm "$place/src/lib.rs"

# Without the targets that need a library.
awk '/^\[/ { drop = /^\[lib\]|^\[\[(test|bench)\]\]/ } !drop' \
    "$repository/Cargo.toml" >"$place/Cargo.toml"

cd "$place"
cargo check --quiet --locked --bin mestra
