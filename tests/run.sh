#!/bin/sh
# Builds and runs the tests. On a Debian machine root needs nothing else: what is missing gets installed first.
#     sh tests/run.sh                  the tests of the library with g++, without house rules; of those that build hundreds of programs, a part
#     sh tests/run.sh all              all legs, as .ci/run calls them: lint gcc clang asan tsan fuzz packaging info
#     sh tests/run.sh info             mpit-info, the tool, alone
#     sh tests/run.sh cross            for other processors, under QEMU; not a part of all
#     sh tests/run.sh asan clang-19    only these legs; clang-<number> is that version of clang
# The last line is the sum over all legs, `N passed, N failed, N skipped`; what a test could not try on this machine is listed
# at the end of its leg, and counts as skipped even where the rest of the test has passed. JOBS sets how many compilers run at
# once, FUZZ_SECONDS how long the leg fuzz calls.
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc)}
passed=0
failed=0
skipped=0

say() { printf '\n== %s\n' "$*"; }

give_up() {
    printf 'tests/run.sh: %s\n' "$*" >&2
    exit 1
}

has_header() { printf '#include <%s>\n' "$1" | g++ -E -x c++ - >/dev/null 2>&1; }

# The newest clang++ is the last choice and the plain name the first, since that is the one a user of the machine means.
find_clang() {
    for candidate in clang++ $(seq -f 'clang++-%.0f' 30 -1 14); do
        version=$("$candidate" -dumpversion 2>/dev/null) || continue
        [ "${version%%.*}" -ge 14 ] && echo "$candidate" && return 0
    done
    return 1
}

# c_of <clang++>
c_of() { echo "$1" | sed 's/clang++/clang/'; }

# has_runtime <compiler> <part of the runtime of sanitizers>
has_runtime() { ls "$("$1" -print-resource-dir)"/lib/*/libclang_rt."$2"* >/dev/null 2>&1; }

# Fuzzing wants the newest one that has libFuzzer: the leg lint brings a clang without it.
fuzzing_clang() {
    for candidate in $(seq -f 'clang++-%.0f' 30 -1 14) clang++; do
        command -v "$candidate" >/dev/null && has_runtime "$candidate" fuzzer && echo "$candidate" && return 0
    done
    find_clang
}

# missing_runtime <compiler, or nothing where clang is not here> <part of the runtime of sanitizers>
missing_runtime() {
    [ -n "$1" ] || { echo clang libclang-rt-dev; return; }
    version=$("$1" -dumpversion)
    has_runtime "$1" "$2" || echo "libclang-rt-${version%%.*}-dev"
}

can_install() { [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; }

# Both MPIs, side by side, libfabric and a Fortran compiler. Whoever cannot install them sees their tests skipped.
missing_mpis() {
    can_install || return 0
    command -v mpicxx.mpich >/dev/null || echo mpich libmpich-dev
    command -v mpicxx.openmpi >/dev/null || echo openmpi-bin libopenmpi-dev
    has_header rdma/fabric.h || echo libfabric-dev
}

missing_fortran() {
    can_install || return 0
    command -v gfortran >/dev/null || echo gfortran
}

# CMake finds mpit, and the miniature runtime.
missing_cmake() {
    can_install || return 0
    command -v cmake >/dev/null || echo cmake
}

# What mpit-info and its tests want: JSON for its agents, Python's packages, and programs that judge what it writes. Whoever
# cannot install them sees these tests skipped.
missing_for_info() {
    can_install || return 0
    has_header nlohmann/json.hpp || echo nlohmann-json3-dev
    for package in rich jinja2 jsonschema pyte markdown yaml matplotlib pandas pip setuptools wheel mpi4py; do
        /usr/bin/python3 -c "import $package" 2>/dev/null || echo "python3-$package"
    done
    /usr/bin/python3 -c "import prometheus_client" 2>/dev/null || echo python3-prometheus-client
    command -v fish >/dev/null || echo fish
    [ -f /usr/share/javascript/dygraphs/dygraph.min.js ] || echo libjs-dygraphs
    # Not every Debian has it.
    grep -q bookworm /etc/os-release && ! /usr/bin/python3 -c "import optuna" 2>/dev/null && echo python3-optuna
    command -v chromium >/dev/null || echo chromium
    command -v dot >/dev/null || echo graphviz
    command -v groff >/dev/null || echo groff
    command -v mandoc >/dev/null || echo mandoc
    command -v ip >/dev/null || echo iproute2
}

# Other versions format in another way.
missing_for_lint() {
    can_install || return 0
    command -v clang-format-19 >/dev/null || echo clang-format-19
    command -v clang-tidy-19 >/dev/null || echo clang-tidy-19
}

missing_for_cross() {
    command -v qemu-aarch64-static >/dev/null || echo qemu-user-static
    for processor in aarch64 powerpc64le riscv64; do
        command -v "$processor-linux-gnu-g++" >/dev/null || echo "g++-$processor-linux-gnu"
    done
}

missing_packages() {
    command -v g++ >/dev/null || echo g++
    command -v meson >/dev/null || echo meson
    command -v ninja >/dev/null || echo ninja-build
    command -v pkg-config >/dev/null || echo pkg-config
    command -v python3 >/dev/null || echo python3
    has_header catch2/catch.hpp || has_header catch2/catch_test_macros.hpp || echo catch2
    has_header range/v3/version.hpp || echo librange-v3-dev
    for leg in "$@"; do
        case $leg in
            gcc | clang | clang-*) missing_mpis ;;
            info) missing_mpis && missing_for_info ;;
        esac
        case $leg in
            gcc | clang | clang-* | asan | tsan | info) missing_fortran ;;
        esac
        case $leg in
            lint) missing_for_lint ;;
            gcc | packaging) missing_cmake ;;
        esac
        [ "$leg" != gcc ] || has_header benchmark/benchmark.h || echo libbenchmark-dev
        case $leg in
            clang) find_clang >/dev/null || echo clang ;;
            clang-*) command -v "clang++-${leg#clang-}" >/dev/null || echo "$leg" ;;
            asan) missing_runtime "$(find_clang)" asan ;;
            fuzz) missing_runtime "$(fuzzing_clang)" fuzzer ;;
            cross) missing_for_cross ;;
        esac
    done
}

install_missing() {
    packages=$(missing_packages "$@" | tr '\n' ' ')
    [ -n "$packages" ] || return 0
    if ! can_install; then
        give_up "please install first, as root: apt-get install $packages"
    fi
    say "install $packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || give_up "apt-get update failed"
    # shellcheck disable=SC2086 # The packages are words of their own.
    apt-get install -qq -y --no-install-recommends $packages || give_up "apt-get install $packages failed"
}

# The system that the tests run on: what fails is often that of one compiler, C library or MPI.
say_machine() {
    say "machine"
    (
        # shellcheck disable=SC1091 # Not every system has it.
        . /etc/os-release && echo "$PRETTY_NAME $(cat /etc/debian_version 2>/dev/null)"
    ) 2>/dev/null
    echo "Linux $(uname -r), $(getconf GNU_LIBC_VERSION 2>/dev/null || echo "another C library")"
    for mpi in mpich openmpi; do
        ! command -v "mpiexec.$mpi" >/dev/null || echo "$mpi $("mpiexec.$mpi" --version 2>/dev/null | grep -o -m 1 '[0-9][0-9.]*[0-9].*')"
    done
}

# count_leg <name> <passed> <failed> <skipped>
count_leg() {
    echo "$1: $2 passed, $3 failed, $4 skipped"
    passed=$((passed + $2))
    failed=$((failed + $3))
    skipped=$((skipped + $4))
}

# test_leg <name> <C compiler> <C++ compiler> <options of meson test> <options of meson setup>...
# A leg that cannot be configured or built counts as one failure, so that it never passes unseen.
test_leg() {
    name=$1 c_compiler=$2 cpp_compiler=$3 test_options=$4
    shift 4
    folder=build/$name
    log=$folder/meson-logs/testlog.json
    rm -f "$log"
    if [ -f "$folder/build.ninja" ]; then set -- --reconfigure "$@"; else rm -rf "$folder"; fi
    say "$name: configure with $cpp_compiler, $("$cpp_compiler" --version | head -n 1)"
    # Catch2 tells the line of a failure. Where a report has none, line numbers cost a quarter less time than all of -g, and none a tenth
    # less than these.
    if CC=$c_compiler CXX=$cpp_compiler meson setup "$folder" -Dc_args=-g0 -Dcpp_args=-g0 "$@" &&
        say "$name: build" && ninja -C "$folder" -j "$jobs"; then
        say "$name: test"
        # Two tests more than there are cores, since many of them wait for a program.
        # shellcheck disable=SC2086 # The options are words of their own, and so is the launcher.
        $launcher meson test --num-processes $((jobs + 2)) -C "$folder" --no-rebuild --print-errorlogs $test_options
    fi
    if [ -s "$log" ]; then python3 tests/skipped.py "$log"; fi
    # shellcheck disable=SC2046 # Three numbers.
    if [ -s "$log" ]; then set -- $(python3 tests/skipped.py --count "$log"); else set -- 0 1 0; fi
    count_leg "$name" "$@"
}

# fuzz_target <name> <source> <length of inputs> <seconds>
# On one core, from a fixed seed and the stored inputs; the targets run side by side. What is found beyond them stays in build/fuzz.
fuzz_target() {
    mkdir -p "build/fuzz/$1"
    say "fuzz: build $1 with $compiler, $("$compiler" --version | head -n 1)"
    if "$compiler" -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Iinclude \
        "tests/fuzz/$2" -o "build/fuzz/$1.run" && python3 tests/fuzz/corpus.py unpack "tests/fuzz/corpus/$1.txt" "build/fuzz/$1" &&
        say "fuzz: $4 seconds of $1" &&
        "build/fuzz/$1.run" -seed=1 -max_len="$3" -len_control=0 -max_total_time="$4" -timeout=30 -print_final_stats=1 \
            -artifact_prefix=build/fuzz/ "build/fuzz/$1" >"build/fuzz/$1.log" 2>&1; then
        grep -E '^Done|number_of_executed_units|average_exec_per_sec' "build/fuzz/$1.log"
        return 0
    fi
    [ ! -f "build/fuzz/$1.log" ] || tail -n 60 "build/fuzz/$1.log"
    return 1
}
fuzz_leg() {
    compiler=$(fuzzing_clang)
    seconds=${FUZZ_SECONDS:-60}
    rm -rf build/fuzz
    good=0
    fuzz_target calls target.cpp 4096 "$seconds" &
    calls=$!
    fuzz_target settings settings.cpp 300 $((seconds / 6 + 1)) && good=$((good + 1))
    wait "$calls" && good=$((good + 1))
    count_leg fuzz "$good" $((2 - good)) 0
}

# Without an MPI, and without what compiles at run time. Programs that other programs start need the kernel's help; root registers QEMU.
cross_leg() {
    kinds=/proc/sys/fs/binfmt_misc
    [ -e "$kinds/register" ] || mount -t binfmt_misc binfmt_misc "$kinds" 2>/dev/null
    for processor in aarch64 ppc64le riscv64; do
        version=$("qemu-$processor-static" --version | sed -n 's/.* version \([0-9]*\.[0-9]*\).*/\1/p')
        # stqcx. never succeeds in the older ones.
        if [ "$processor" = ppc64le ] && [ "$(printf '%s\n8.1\n' "$version" | sort -V | head -n 1)" != 8.1 ]; then
            echo "skipped: QEMU $version does not exchange 16 bytes for ppc64le; that of bookworm-backports does"
            count_leg "cross-$processor" 0 0 1
            continue
        fi
        [ -e "$kinds/qemu-$processor" ] || cat "/usr/lib/binfmt.d/qemu-$processor.conf" >"$kinds/register" 2>/dev/null
        case $processor in ppc64le) prefix=powerpc64le ;; *) prefix=$processor ;; esac
        export QEMU_LD_PREFIX="/usr/$prefix-linux-gnu"
        test_leg "cross-$processor" gcc g++ "--no-suite house --no-suite compile_fail --no-suite documents --no-suite mpi \
            --no-suite fabric --no-suite fortran --no-suite porting --timeout-multiplier 20" \
            --cross-file "tests/cross/$processor.ini" --buildtype=debug
        unset QEMU_LD_PREFIX
    done
}

lint_leg() {
    good=0
    mkdir -p build
    say "lint: format"
    python3 tests/format.py && good=$((good + 1))
    say "lint: clang-tidy of the headers"
    python3 tests/tidy.py - >build/tidy.log 2>&1 && good=$((good + 1))
    grep -v '^ok ' build/tidy.log
    count_leg lint "$good" $((2 - good)) 0
}

packaging_leg() {
    say "packaging: install, then build a consumer in every way"
    rm -rf build/packaging
    mkdir -p build/packaging
    python3 tests/packaging/run.py build/packaging | tee build/packaging/log
    # shellcheck disable=SC2046 # Three numbers.
    set -- $(grep -c '^ok ' build/packaging/log) $(grep -c '^failed ' build/packaging/log) \
        $(grep -c '^skipped ' build/packaging/log)
    [ "$1" -gt 0 ] || set -- 0 $(($2 + 1)) "$3"
    count_leg packaging "$@"
}

if [ $# -eq 0 ]; then
    set -- gcc
    export MPIT_SHORT_TESTS=1
fi
[ "$*" != all ] || set -- lint gcc clang asan tsan fuzz packaging info
for leg in "$@"; do
    case $leg in
        lint | gcc | clang | clang-[1-9]* | asan | tsan | fuzz | packaging | info | cross) ;;
        *) give_up "no leg is named $leg; there are lint, gcc, clang, clang-<number>, asan, tsan, fuzz, packaging, info and cross; all stands for the first ones" ;;
    esac
done
install_missing "$@"
say_machine

# Catch2 handles signals itself, and would hide the report of the address sanitizer. What the search for leaks notes of a module's
# thread storage is wrong after dlclose(): clang 14 stopped there in 1 of 9 runs under load.
export ASAN_OPTIONS=allow_user_segv_handler=0:intercept_tls_get_addr=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
launcher=
# gold links the many programs in half of the processor time. The legs of clang keep the linker of users: gold warns of each symbol of
# the address sanitizer.
if command -v ld.gold >/dev/null; then quick_linker=gold; else quick_linker=; fi
# With a sanitizer, g++ 12 warns of code in its own library: only the first legs take warnings for errors.
for leg in "$@"; do
    case $leg in
        gcc | tsan | info) export CC_LD="$quick_linker" CXX_LD="$quick_linker" ;;
        *) unset CC_LD CXX_LD ;;
    esac
    case $leg in
        gcc)
            test_leg gcc gcc g++ "${MPIT_SHORT_TESTS:+--no-suite house}" --werror --buildtype=debug
            [ -z "${MPIT_SHORT_TESTS:-}" ] || echo "The house rules are left out: sh tests/run.sh gcc runs them."
            ;;
        clang)
            clang=$(find_clang)
            test_leg clang "$(c_of "$clang")" "$clang" "" --werror --buildtype=debug
            ;;
        clang-*) test_leg "$leg" "$leg" "clang++-${leg#clang-}" "" --werror --buildtype=debug ;;
        asan)
            # Without optimization everything is still there to be looked at. clang compiles these checks in half of the time of
            # g++; its check of the types of functions needs a runtime that programs of C do not have.
            clang=$(find_clang)
            test_leg asan "$(c_of "$clang")" "$clang" "--no-suite house --no-suite compile_fail --timeout-multiplier 3" \
                -Db_sanitize=address,undefined -Doptimization=0 -Ddebug=true -Db_lundef=false \
                "-Dcpp_args=-g1 -fno-sanitize=function"
            ;;
        tsan)
            # The thread sanitizer of g++ 12 does not bear the address space layout of newer kernels.
            if setarch -R true 2>/dev/null; then launcher="setarch -R"; fi
            test_leg tsan gcc g++ "--no-suite house --no-suite compile_fail --timeout-multiplier 5" \
                -Db_sanitize=thread -Doptimization=1 -Ddebug=true -Dcpp_args=-g1
            launcher=
            ;;
        fuzz) fuzz_leg ;;
        packaging) packaging_leg ;;
        lint) lint_leg ;;
        info)
            test_leg info gcc g++ "--suite mpit-info" --werror --buildtype=debug -Dtests=disabled -Dinfo=enabled -Dmpit-info:tests=enabled
            ;;
        cross) cross_leg ;;
    esac
done

printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
