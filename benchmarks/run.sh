#!/bin/sh
# Builds the benchmarks in release mode, runs them all, prints the tables of README.md and writes one JSON file with the
# results and what they were measured on. On a Debian machine root needs nothing else.
#     sh benchmarks/run.sh             some minutes
#     sh benchmarks/run.sh --quick     a minute or two, for a first look
# The results are in build/benchmarks/results.json; CXX chooses the compiler.
set -eu
cd "$(dirname "$0")/.."
compiler=${CXX:-g++}
folder=build/benchmarks/$(basename "$compiler")
parts=$folder/parts
repetitions=15 seconds=0.1 quick= turns=15 ranks='1 2 4 8'
if [ "${1:-}" = --quick ]; then repetitions=3 seconds=0.01 quick=--quick turns=3 ranks='1 2'; fi

say() { printf '== %s\n' "$*" >&2; }

give_up() {
    printf 'benchmarks/run.sh: %s\n' "$*" >&2
    exit 1
}

missing_packages() {
    command -v g++ >/dev/null || echo g++
    command -v meson >/dev/null || echo meson
    command -v ninja >/dev/null || echo ninja-build
    command -v pkg-config >/dev/null || echo pkg-config
    command -v size >/dev/null || echo binutils
    pkg-config --exists benchmark 2>/dev/null || echo libbenchmark-dev
    pkg-config --exists absl_flat_hash_map 2>/dev/null || echo libabsl-dev
}

install_missing() {
    packages=$(missing_packages | tr '\n' ' ')
    [ -n "$packages" ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        give_up "please install first, as root: apt-get install $packages"
    fi
    say "install $packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086 # The packages are words of their own.
    apt-get install -qq -y --no-install-recommends $packages >/dev/null
}

# measure <name of the part> <program and its arguments>
# The repetitions of all benchmarks of a program run in a random order, so that a slow moment falls on no single one.
measure() {
    part=$1
    shift
    say "measure $part"
    "$@" --benchmark_out="$parts/$part.json" --benchmark_out_format=json --benchmark_repetitions="$repetitions" \
        --benchmark_min_time="$seconds" --benchmark_enable_random_interleaving=true >/dev/null 2>"$parts/log" ||
        give_up "$part failed: $(cat "$parts/log")"
}

install_missing
mkdir -p "$parts"
say "build with $compiler"
if [ ! -f "$folder/build.ninja" ]; then
    CXX=$compiler meson setup "$folder" --buildtype=release -Dtests=disabled -Dexamples=disabled -Dbenchmarks=enabled \
        >"$parts/log" || give_up "$(cat "$parts/log")"
fi
ninja -C "$folder" >"$parts/log" || give_up "$(cat "$parts/log")"

python3 benchmarks/report.py --stamp "$folder" "$parts/stamp.json"
for names in 16 1000 16384 131072; do measure "index-$names" "$folder/benchmarks/index-benchmark" "$names"; done
for names in 1000 16384; do
    measure "index-registering-$names" "$folder/benchmarks/index-benchmark" "$names" registering
done
measure hot "$folder/benchmarks/hot-benchmark"
measure events "$folder/benchmarks/events-benchmark"
measure session "$folder/benchmarks/session-benchmark"
say "measure compile"
# shellcheck disable=SC2086 # Nothing, or one word.
python3 benchmarks/compile/compile.py $quick --json "$parts/compile.json" >/dev/null
# What is not installed is left out, and said.
say "measure peers"
python3 benchmarks/peers/run.py "$parts/peers" "$compiler" "$turns" 0.005
say "measure across"
rm -rf "$parts/across"
# shellcheck disable=SC2086 # The numbers are words of their own.
python3 benchmarks/across/run.py "$parts/across" "$compiler" $ranks >/dev/null
python3 benchmarks/report.py "$parts" build/benchmarks/results.json
say "the results are in build/benchmarks/results.json"
