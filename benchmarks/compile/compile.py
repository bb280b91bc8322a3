#!/usr/bin/env python3
# What the headers cost a compiler, and what 1000 variables cost a program when it starts.
#     compile.py [--quick] [--json FILE] [--compilers g++ clang++]
# Each source is compiled by each compiler in turn, round after round, so that a slow minute of the machine falls on all
# of them alike. Every number is a median with the smallest and the largest; only the compiler itself is counted.

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"
FLAGS = ["-std=c++20", "-O2", "-I", str(INCLUDE)]
CATEGORIES, VARIABLES_OF_A_CATEGORY = 40, 25

# One of each kind after the other; {n} is a number that makes the name unique.
DECLARATIONS = [
    'mpit::control<int> limit_{n}{{this, "BENCH_EAGER_LIMIT_{n}", "Largest message sent at once, in bytes",'
    ' {{.initial = {{4096, 0, 1 << 20}}, .verbosity = mpit::verbosity::tuner_basic}}}};',
    'mpit::counter<> messages_{n}{{this, "messages_sent_{n}", "Messages that a send was called for"}};',
    'mpit::level<> queued_{n}{{this, "unexpected_queue_length_{n}", "Messages that nobody has asked for yet"}};',
    'mpit::high_watermark<> longest_{n}{{this, "unexpected_queue_longest_{n}", "Most messages nobody had asked for"}};',
    'mpit::timer waiting_{n}{{this, "time_waiting_{n}", "Seconds that threads waited for the end of a message"}};',
    'mpit::aggregate<> bytes_{n}{{this, "bytes_sent_{n}", "Bytes of the messages sent"}};',
    'mpit::control<double> pause_{n}{{this, "BENCH_BLOCK_SECONDS_{n}", "Longest sleep of a thread that waits"}};',
    'mpit::control<char[64]> device_{n}{{this, "BENCH_DEVICE_NAME_{n}", "Name of the device that is used"}};',
    'mpit::state<engine> engine_{n}{{this, "engine_state_{n}", "What the engine does"}};',
    'mpit::counter<unsigned long[4]> kinds_{n}{{this, "messages_by_size_{n}", "Messages, by their length"}};',
]
# The same variables as a library would keep them without mpit, with the attributes in one call each.
PLAIN = [
    ("int limit_{n} = 4096;", '"BENCH_EAGER_LIMIT_{n}", "Largest message sent at once, in bytes", &limit_{n}'),
    ("unsigned long messages_{n};", '"messages_sent_{n}", "Messages that a send was called for", &messages_{n}'),
    ("unsigned long queued_{n};",
     '"unexpected_queue_length_{n}", "Messages that nobody has asked for yet", &queued_{n}'),
    ("unsigned long longest_{n};",
     '"unexpected_queue_longest_{n}", "Most messages nobody had asked for", &longest_{n}'),
    ("double waiting_{n};", '"time_waiting_{n}", "Seconds that threads waited for the end of a message", &waiting_{n}'),
    ("unsigned long bytes_{n};", '"bytes_sent_{n}", "Bytes of the messages sent", &bytes_{n}'),
    ("double pause_{n};", '"BENCH_BLOCK_SECONDS_{n}", "Longest sleep of a thread that waits", &pause_{n}'),
    ("char device_{n}[64];", '"BENCH_DEVICE_NAME_{n}", "Name of the device that is used", &device_{n}'),
    ("int engine_{n};", '"engine_state_{n}", "What the engine does", &engine_{n}'),
    ("unsigned long kinds_{n}[4];", '"messages_by_size_{n}", "Messages, by their length", &kinds_{n}'),
]

# A payload with eight members, and an event with one of its own kind.
PAYLOAD = ("struct payload_{n} {{ int source; int tag; unsigned long bytes; double seconds; unsigned kind;"
           " unsigned long long sequence; long offset; int device; }};")
EVENT = ('mpit::event<payload_{n}> event_{n}{{this, "unexpected_message_{n}", "A message that nobody has asked for yet",'
         ' {{.verbosity = mpit::verbosity::tuner_basic}}}};')

TREE_HEAD = """#include <mpit/mpit.hpp>
enum class engine { idle, polling };
template <>
inline constexpr auto mpit::enumeration_of<engine> =
    mpit::enumerators<engine>("engine", {{"idle", engine::idle}, {"polling", engine::polling}});
"""
SMALL_TREE = """#include <mpit/mpit.hpp>
struct small_variables : mpit::category<"small_tree", "One variable"> {
    mpit::counter<> calls{this, "calls_made", "Calls made"};
};
inline constexpr auto& small = mpit::enrolled<small_variables>;
void call() { ++small.calls; }
"""
EXTERN_TREE = "extern template struct mpit::tree_holder<thousand_variables>;\n"
ENROLLED = "inline constexpr auto& thousand = mpit::enrolled<thousand_variables>;\n"
USE = "void call() { ++thousand.category_0.messages_1; }\n"
ENROLS_ITSELF = """#include <cstdio>
#include <sys/resource.h>
static long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}
int main() {
    mpit::index::the_index();
    mpit::describe::category& tree = mpit::tree_holder<thousand_variables>::held.tree;
    const long faults_before = page_faults();
    const auto before = mpit::base::nanoseconds();
    mpit::index::enrol(tree, "thousand_variables");
    const auto after = mpit::base::nanoseconds();
    std::printf("%llu %ld %d\\n", static_cast<unsigned long long>(after - before), page_faults() - faults_before,
                mpit::index::the_index()->count(mpit::describe::kind::control) +
                    mpit::index::the_index()->count(mpit::describe::kind::performance));
}
"""


def tree():
    """The struct of 1000 variables."""
    lines = ['struct thousand_variables : mpit::category<"thousand_variables", "All of them"> {']
    number = 0
    for category in range(CATEGORIES):
        lines.append(f'struct : mpit::category<"thousand_category_{category}", "The category {category}"> {{')
        for _ in range(VARIABLES_OF_A_CATEGORY):
            lines.append("    " + DECLARATIONS[number % len(DECLARATIONS)].format(n=number))
            number += 1
        lines.append(f"}} category_{category}{{this}};")
    return TREE_HEAD + "\n".join(lines) + "\n};\n"


def events(count):
    """A struct of events, each with a payload of its own, and a raise of each."""
    return ("#include <mpit/mpit.hpp>\n"
            + "\n".join(PAYLOAD.format(n=n) for n in range(count))
            + '\nstruct some_events : mpit::category<"some_events", "All of them"> {\n'
            + "\n".join(EVENT.format(n=n) for n in range(count))
            + "\n};\ninline constexpr auto& some = mpit::enrolled<some_events>;\nvoid call() {\n"
            + "\n".join(f'    some.event_{n}({n}, 2, 3ul, 0.5, 4u, 5ull, 6l, 7);' for n in range(count))
            + "\n}\n")


def plain():
    """The same as globals, with a call for each."""
    count = CATEGORIES * VARIABLES_OF_A_CATEGORY
    variables = [PLAIN[n % len(PLAIN)] for n in range(count)]
    return ("void register_variable(const char* category, const char* name, const char* description, void* storage,\n"
            "                       int kind, int type, int verbosity, int scope);\n"
            + "\n".join(declared.format(n=n) for n, (declared, _) in enumerate(variables))
            + "\nvoid register_all() {\n"
            + "\n".join(f'    register_variable("category_{n // VARIABLES_OF_A_CATEGORY}", {said.format(n=n)},'
                        f" {n % len(PLAIN)}, 1, 2, 3);" for n, (_, said) in enumerate(variables))
            + "\n}\n")


def write_sources(folder):
    """Writes all sources; returns their names in the order of the table."""
    sources = {
        "empty file": "\n",
        "#include <mpit/mpit.hpp>": "#include <mpit/mpit.hpp>\n",
        "one enrolled tree": SMALL_TREE,
        "1000 variables": tree() + ENROLLED + USE,
        "1000 variables, extern template": tree() + EXTERN_TREE + ENROLLED + USE,
        "100 events of 8 members": events(100),
        "1000 globals and calls": plain(),
    }
    for number, text in enumerate(sources.values()):
        (folder / f"source{number}.cpp").write_text(text, encoding="utf-8")
    (folder / "start.cpp").write_text(tree() + ENROLS_ITSELF, encoding="utf-8")
    return list(sources)


def compile_once(compiler, source, result):
    """Compiles to an object; returns seconds of the processor and megabytes at most."""
    command = [compiler, *FLAGS, "-c", str(source), "-o", str(result)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def size_of_sections(result):
    """Bytes of the object that a program would load or keep."""
    printed = subprocess.run(["size", str(result)], check=True, text=True, stdout=subprocess.PIPE).stdout
    return int(printed.splitlines()[1].split()[3])


def summary(samples):
    return {"median": statistics.median(samples), "minimum": min(samples), "maximum": max(samples)}


def measure_compilers(compilers, names, folder, rounds):
    samples = {(name, compiler): [] for name in names for compiler in compilers}
    sizes = {}
    for _ in range(rounds):
        for number, name in enumerate(names):
            for compiler in compilers:
                result = folder / "object.o"
                samples[name, compiler].append(compile_once(compiler, folder / f"source{number}.cpp", result))
                sizes[name, compiler] = (result.stat().st_size, size_of_sections(result))
    return [{"source": name, "compiler": compiler,
             "seconds": summary([seconds for seconds, _ in taken]),
             "megabytes": summary([megabytes for _, megabytes in taken]),
             "object_bytes": sizes[name, compiler][0], "loaded_bytes": sizes[name, compiler][1]}
            for (name, compiler), taken in samples.items()]


def measure_start(compilers, folder, processes):
    """The time that the enrolment of 1000 variables takes in a fresh process."""
    programs = {compiler: str(folder / f"start-{compiler}") for compiler in compilers}
    for compiler, program in programs.items():
        subprocess.run([compiler, *FLAGS, str(folder / "start.cpp"), "-o", program], check=True)
    samples = {compiler: [] for compiler in compilers}
    faults = {compiler: [] for compiler in compilers}
    for _ in range(processes):
        for compiler, program in programs.items():
            printed = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE).stdout
            nanoseconds, page_faults, variables = map(int, printed.split())
            if variables != CATEGORIES * VARIABLES_OF_A_CATEGORY:
                raise SystemExit(f"{variables} variables were enrolled")
            samples[compiler].append(nanoseconds / 1000)
            faults[compiler].append(page_faults)
    return [{"compiler": compiler, "microseconds": summary(samples[compiler]), "page_faults": summary(faults[compiler])}
            for compiler in compilers]


def with_spread(of, digits):
    return f"{of['median']:.{digits}f} ({of['minimum']:.{digits}f} to {of['maximum']:.{digits}f})"


def print_tables(compiled, started):
    print(f"{'source':<33}{'compiler':<10}{'seconds':<22}{'MB':>5}{'object KB':>11}{'loaded KB':>11}")
    for row in compiled:
        print(f"{row['source']:<33}{row['compiler']:<10}{with_spread(row['seconds'], 2):<22}"
              f"{row['megabytes']['median']:>5.0f}{row['object_bytes'] / 1024:>11.0f}"
              f"{row['loaded_bytes'] / 1024:>11.0f}")
    for row in started:
        print(f"enrolment of 1000 variables, {row['compiler']}: {with_spread(row['microseconds'], 0)} microseconds, "
              f"{row['page_faults']['median']:.0f} page faults")


def main():
    parser = argparse.ArgumentParser(description="What the headers cost a compiler, and 1000 variables a start.")
    parser.add_argument("--quick", action="store_true", help="one round instead of seven")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results to this file")
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++"])
    chosen = parser.parse_args()
    compilers = [compiler for compiler in chosen.compilers if shutil.which(compiler)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names = write_sources(folder)
        compiled = measure_compilers(compilers, names, folder, 1 if chosen.quick else 7)
        started = measure_start(compilers, folder, 21)
    print_tables(compiled, started)
    if chosen.json:
        chosen.json.write_text(json.dumps({"compile": compiled, "start": started}, indent=1), encoding="utf-8")


main()
