#!/usr/bin/env bash
# Builds a Debian package of what `make install` installs.
#
#   scripts/deb.sh [mestra] [directory for the package]
set -euo pipefail
cd "$(dirname "$0")/.."
mestra=$(realpath "${1:-target/release/mestra}")
to=$(realpath -m "${2:-target}")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n1)
machine=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

make -s install PREFIX=/usr DESTDIR="$root" MESTRA="$mestra"
strip "$root/usr/bin/mestra"
gzip -9n "$root"/usr/share/man/man1/*.1
install -Dm644 LICENSE-MIT "$root/usr/share/doc/mestra/copyright"
mkdir "$root/DEBIAN"
size=$(du -sk "$root/usr" | cut -f1)
cat >"$root/DEBIAN/control" <<END
Package: mestra
Version: $version
Architecture: $machine
Maintainer: the developers of Mestra <mestra@localhost>
Installed-Size: $size
Section: devel
Priority: optional
Depends: libc6, libgcc-s1, gcc, libc6-dev, clang, libclang1
Recommends: tcc, csmith, libcsmith-dev
Suggests: cvise, clang-format
Description: finds bugs in C compilers
 Makes variants of C programs that must behave the same, compiles them with many
 compilers and flags, and confirms, reduces, sorts and reports what goes wrong.
END
mkdir -p "$to"
package=$to/mestra_${version}_$machine.deb
dpkg-deb --root-owner-group -Zgzip --build "$root" "$package" >/dev/null
echo "$package"
