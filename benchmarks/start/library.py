#!/usr/bin/env python3
# What a library pays for its variables, by their number: its text, its data and what it exports, and for a process that loads it
# instructions and memory of its own, without a tool and with one that asks for all of them. Everything is the difference to
# an empty library. Beside it the same variables as globals, with one call each that adds them to a map.
#     library.py [<compiler>] [<variables>...]      g++; 10 82 100 1000

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "compile")]
import callgrind  # noqa: E402
import sources  # noqa: E402

INCLUDE = HERE.parent.parent / "include"
FLAGS = ["-O2", "-fPIC", "-fvisibility=hidden", "-I", INCLUDE]
CPP = ["-std=c++20", "-fno-exceptions", "-fno-rtti"]
FUNCTIONS = "#include <mpit/mpi_t.hpp>\n"
MAP = """#include <string>
#include <unordered_map>
struct record { std::string category, description; void* storage; int kind, type, verbosity, scope; };
void register_variable(const char* category, const char* name, const char* description, void* storage, int kind, int type,
                       int verbosity, int scope) {
    static std::unordered_map<std::string, record> all;
    all.try_emplace(name, record{category, description, storage, kind, type, verbosity, scope});
}
"""
AT_LOAD = "[[gnu::constructor]] static void at_load() { register_all(); }\n"
# Prints the memory that the process has to itself, without a buffer on the heap.
PROGRAM = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef TOOL
#include <mpit/mpi_t.h>
static char name[256], described[1024];
static void use(void) {
    int provided, controls, all, n, d, e, scope, verbosity, kind, readonly, continuous, atomic;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&controls);
    MPI_T_pvar_get_num(&all);
    for (int i = 0; i < controls; i++) {
        n = sizeof name, d = sizeof described;
        MPI_T_cvar_get_info(i, name, &n, &verbosity, &type, &items, described, &d, &e, &scope);
    }
    for (int i = 0; i < all; i++) {
        n = sizeof name, d = sizeof described;
        MPI_T_pvar_get_info(i, name, &n, &verbosity, &kind, &type, &items, described, &d, &e, &readonly, &continuous, &atomic);
    }
    if (controls + all != TOOL) abort();
}
#else
static void use(void) {}
#endif
int main(void) {
    static char text[4096];
    use();
    const int file = open("/proc/self/smaps_rollup", O_RDONLY);
    if (read(file, text, sizeof text - 1) <= 0) return 1;
    printf("%ld\\n", atol(strstr(text, "Anonymous:") + 10));
    return 0;
}
"""


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE).stdout


class Bench:
    def __init__(self, folder, compiler):
        self.folder, self.compiler, self.made = folder, compiler, 0
        self.functions = self.compiled(FUNCTIONS)
        self.map = self.compiled(MAP, exceptions=True)

    def path(self, suffix):
        self.made += 1
        return self.folder / f"{self.made}{suffix}"

    def compiled(self, text, exceptions=False):
        source, result = self.path(".cpp"), self.path(".o")
        source.write_text(text, encoding="ascii")
        run(self.compiler, *FLAGS, *(["-std=c++20"] if exceptions else CPP), "-c", source, "-o", result)
        return result

    def measured(self, objects, tool=None):
        """Text, data and exported names of the library; instructions and KB of a process that has it."""
        library, source, program = self.path(".so"), self.path(".c"), self.path("")
        run(self.compiler, "-shared", "-Wl,--gc-sections", "-s", *objects, "-o", library)
        source.write_text(PROGRAM, encoding="ascii")
        run(self.compiler, "-x", "c", "-O2", "-I", INCLUDE, *([f"-DTOOL={tool}"] if tool else []), source, "-x", "none", "-Wl,--no-as-needed",
            library, f"-Wl,-rpath,{self.folder}", "-o", program)
        text, data, bss = map(int, run("size", library).splitlines()[1].split()[:3])
        names = len(run("nm", "-D", "--defined-only", library).splitlines())
        return [text, data + bss, names, callgrind.total([program]), min(int(run(program)) for _ in range(5))]


def main():
    compiler, counts = (sys.argv[1:] or ["g++"])[0], [int(word) for word in sys.argv[2:]] or [10, 82, 100, 1000]
    print("| variables | library | text, KB | data, KB | names exported | start, thousand instructions | memory of a process, KB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(pathlib.Path(folder), compiler)
        empty = bench.measured([bench.compiled("")])
        for count in counts:
            tree = bench.compiled(sources.tree(count) + sources.REGISTERED + sources.USE)
            rows = {"declared": bench.measured([tree]),
                    "declared, and the functions": bench.measured([tree, bench.functions]),
                    "the same, with a tool that asks for all": bench.measured([tree, bench.functions], count),
                    "globals with a call each": bench.measured([bench.compiled(sources.plain(count) + AT_LOAD, exceptions=True), bench.map])}
            for words, figures in rows.items():
                text, data, names, instructions, memory = (value - base for value, base in zip(figures, empty))
                print(f"| {count} | {words} | {text / 1024:.1f} | {data / 1024:.1f} | {names} | {instructions / 1000:,.0f} | {memory} |", flush=True)


if __name__ == "__main__":
    main()
