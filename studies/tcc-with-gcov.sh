#!/usr/bin/env bash
# Builds tcc from Debian's source package so that it counts which of its lines run.
#
#   studies/tcc-with-gcov.sh DIR    leaves DIR/tcc, and in DIR/where the place of its sources
#
# Package lists are kept in DIR, so nothing of the system is changed.
set -euo pipefail
. "$(dirname "$0")/../scripts/apt.sh"

directory=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$directory"

apt_below "$directory/apt"
apt_for_sources "$directory/apt"
apt-get -qq "${apt_options[@]}" update
apt-get -qq "${apt_options[@]}" source --download-only tcc

mkdir -p sources && tar -xf tcc_*.orig.tar.* -C sources
cd sources
# Some versions bring a directory of their own.
if [ ! -f tcc.c ]; then cd -- */; fi
./configure >configure.log
gcc -O0 -w --coverage -o "$directory/tcc" tcc.c -ldl -lm -lpthread
pwd >"$directory/where"
