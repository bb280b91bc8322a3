#!/bin/sh
# Builds the benchmarks in release mode, runs them all, writes one JSON file with the results and what they were measured
# on, and from it build/benchmarks/tables.md, the plots, and the tables of docs/performance.md. On a Debian machine root needs
# nothing else.
#     sh benchmarks/run.sh             ten to fifteen minutes; writes the document
#     sh benchmarks/run.sh --quick     two or three, for a first look: fewer parts, tables are printed and nothing else
# The results are in build/benchmarks/results.json (quick.json); CXX chooses the compiler. Tables and plots can be made
# again from stored results: python3 benchmarks/report.py results.json
set -eu
cd "$(dirname "$0")/.."
compiler=${CXX:-g++}
folder=build/benchmarks/$(basename "$compiler")
parts=$folder/parts
programs=$folder/benchmarks
results=build/benchmarks/results.json
repetitions=15 seconds=0.02 quick=
if [ "${1:-}" = --quick ]; then
    repetitions=3 seconds=0.004 quick=--quick results=build/benchmarks/quick.json
fi

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
    echo '#include <range/v3/version.hpp>' | g++ -E -x c++ - >/dev/null 2>&1 || echo librange-v3-dev
}

# Packages for the comparisons and the plots; without them the rest is measured.
missing_company() {
    command -v clang++ >/dev/null || echo clang
    command -v gperf >/dev/null || echo gperf
    command -v mpicxx.mpich >/dev/null || echo mpich libmpich-dev
    command -v mpicxx.openmpi >/dev/null || echo openmpi-bin libopenmpi-dev
    pkg-config --exists absl_flat_hash_map 2>/dev/null || echo libabsl-dev
    pkg-config --exists prometheus-cpp-core 2>/dev/null || echo prometheus-cpp-dev
    pkg-config --exists lttng-ust 2>/dev/null || echo liblttng-ust-dev
    has_matplotlib python3 || has_matplotlib /usr/bin/python3 || echo python3-matplotlib
}

has_matplotlib() { "$1" -c 'import matplotlib' 2>/dev/null; }

install_missing() {
    needed=$(missing_packages | tr '\n' ' ')
    company=$(missing_company | tr '\n' ' ')
    [ -n "$needed$company" ] || return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        [ -z "$needed" ] || give_up "please install first, as root: apt-get install $needed$company"
        say "left out, because they are not installed: $company"
        return 0
    fi
    say "install $needed$company"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086 # The packages are words of their own.
    apt-get install -qq -y --no-install-recommends $needed$company >/dev/null
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

# print_table <name of the part> <program and its arguments>
print_table() {
    part=$1
    shift
    say "measure $part"
    "$@" >"$parts/$part.txt" 2>"$parts/log" || give_up "$part failed: $(cat "$parts/log")"
}

# Cells of threads that have ended stay: each number of threads is a process of its own.
measure_others() {
    measure others-alone "$programs/others-benchmark" --benchmark_filter='-/(value|sample), '
    measure others-sample "$programs/others-benchmark" --benchmark_filter='/sample, '
    for threads in '1 thread' '16 threads' '256 threads'; do
        measure "others-value-${threads%% *}" "$programs/others-benchmark" --benchmark_filter="/value, $threads/"
    done
}

measure_all() {
    for names in 16 1000 16384 131072; do measure "index-$names" "$programs/index-benchmark" "$names"; done
    for names in 1000 16384; do
        measure "index-registering-$names" "$programs/index-benchmark" "$names" registering
    done
    seconds=0.04
    for room in hot events session batch; do measure "$room" "$programs/$room-benchmark"; done
    measure_others
    say "measure start"
    python3 benchmarks/start/run.py "$programs" "$parts/start" "$compiler" 15 >/dev/null
    say "measure compile"
    python3 benchmarks/compile/compile.py --json "$parts/compile.json" >/dev/null
    print_table library python3 benchmarks/start/library.py "$compiler" 82 1000
    print_table growth python3 benchmarks/growth/run.py "$programs"
    if [ -x "$programs/calls-benchmark" ]; then
        print_table calls python3 benchmarks/session/calls.py "$programs/calls-benchmark"
    fi
    # Parts that need a missing package are left out with a message.
    say "measure peers"
    python3 benchmarks/peers/run.py "$parts/peers" "$compiler" 15 0.005
    say "measure across"
    python3 benchmarks/across/run.py "$parts/across" "$compiler" 1 2 4 8 >/dev/null
}

measure_quickly() {
    measure index-1000 "$programs/index-benchmark" 1000 --benchmark_filter=-cold
    measure index-registering-1000 "$programs/index-benchmark" 1000 registering
    measure_others
    for room in hot events session batch; do
        measure "$room" "$programs/$room-benchmark" --benchmark_filter='-[18] handles'
    done
    say "measure start"
    python3 benchmarks/start/run.py "$programs" "$parts/start" "$compiler" 3 10 1000 >/dev/null
    say "measure peers"
    python3 benchmarks/peers/run.py "$parts/peers" "$compiler" 1 0.002
}

install_missing
rm -rf "$parts"
mkdir -p "$parts"
say "build with $compiler"
if [ ! -f "$folder/build.ninja" ]; then
    CXX=$compiler meson setup "$folder" --buildtype=release -Dtests=disabled -Dexamples=disabled -Dbenchmarks=enabled \
        >"$parts/log" || give_up "$(cat "$parts/log")"
fi
ninja -C "$folder" >"$parts/log" || give_up "$(cat "$parts/log")"

# shellcheck disable=SC2086 # Nothing, or one word.
python3 benchmarks/report.py $quick --stamp "$folder" "$parts/stamp.json"
say "look at the code of single lines"
python3 benchmarks/hot/code.py --json "$parts/code.json" >/dev/null
if [ -n "$quick" ]; then measure_quickly; else measure_all; fi

# Debian's Python packages are visible to Debian's interpreter only, which may not be the first in PATH.
python=python3
if ! has_matplotlib python3 && has_matplotlib /usr/bin/python3; then python=/usr/bin/python3; fi
if [ -n "$quick" ]; then
    "$python" benchmarks/report.py --print "$parts" "$results"
else
    "$python" benchmarks/report.py "$parts" "$results"
fi
say "the results are in $results"
