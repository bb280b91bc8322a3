#!/bin/sh
# The demonstration: builds the miniature runtime and a small tool, runs a program under load and lets the tool watch it
# and change it, and records the events of another program as a trace. On a Debian machine root needs nothing else: what
# is missing gets installed first.
#     sh examples/demo.sh
set -u
cd "$(dirname "$0")/.." || exit 1
folder=build/demo

say() { printf '== %s\n' "$*"; }

give_up() {
    printf 'examples/demo.sh: %s\n' "$*" >&2
    exit 1
}

missing_packages() {
    command -v g++ >/dev/null || echo g++
    command -v meson >/dev/null || echo meson
    command -v ninja >/dev/null || echo ninja-build
    command -v pkg-config >/dev/null || echo pkg-config
}

install_missing() {
    packages=$(missing_packages | tr '\n' ' ')
    [ -n "$packages" ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        give_up "please install first, as root: apt-get install $packages"
    fi
    say "install $packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || give_up "apt-get update failed"
    # shellcheck disable=SC2086 # The packages are words of their own.
    apt-get install -qq -y --no-install-recommends $packages >/dev/null || give_up "apt-get install $packages failed"
}

# A step that is quiet unless it fails.
quietly() {
    "$@" >"$folder.log" 2>&1 && return 0
    cat "$folder.log"
    give_up "$1 failed"
}

install_missing
mkdir -p build
say "build the runtime, the program and the tool (some 10 seconds the first time)"
if [ ! -f "$folder/build.ninja" ]; then
    rm -rf "$folder"
    quietly env CC=gcc CXX=g++ meson setup "$folder" -Dtests=disabled -Dexamples=enabled -Doptimization=0 -Ddebug=false
fi
quietly ninja -C "$folder" examples/runtime/load examples/runtime/libmpi_abi.so.1 examples/demo/libwatch.so examples/07-trace

say "run the program for 7 seconds, with the tool inside"
LD_PRELOAD=$folder/examples/demo/libwatch.so "$folder/examples/runtime/load" 7 || exit 1

say "record the events of a small program; open $folder/trace.json in https://ui.perfetto.dev"
"$folder/examples/07-trace" "$folder/trace.json"
