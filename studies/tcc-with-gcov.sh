#!/usr/bin/env bash
# Builds tcc from Debian's source package so that it counts which of its lines run.
#
#   studies/tcc-with-gcov.sh DIR    leaves DIR/tcc, and in DIR/where the place of its sources
#
# Package lists are kept in DIR, so nothing of the system is changed.
set -euo pipefail

directory=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$directory"

mkdir -p apt/lists/partial apt/cache/archives/partial apt/sources
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >apt/sources/src.sources
else
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >apt/sources/src.list
fi
options=(
    -o "Dir::State::lists=$directory/apt/lists"
    -o "Dir::Cache=$directory/apt/cache"
    -o "Dir::Etc::sourcelist=/dev/null"
    -o "Dir::Etc::sourceparts=$directory/apt/sources"
    -o "APT::Sandbox::User=$(id -un)"
)
apt-get -qq "${options[@]}" update
apt-get -qq "${options[@]}" source --download-only tcc

mkdir -p sources && tar -xf tcc_*.orig.tar.* -C sources
cd sources
# Some versions bring a directory of their own.
if [ ! -f tcc.c ]; then cd -- */; fi
./configure >configure.log
gcc -O0 -w --coverage -o "$directory/tcc" tcc.c -ldl -lm -lpthread
pwd >"$directory/where"
