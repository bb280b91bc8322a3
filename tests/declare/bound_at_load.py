#!/usr/bin/env python3
# A program with variables that no tool looks at calls few functions of the C library at load, because the loader searches for each
# of them in every process, which costs 900 instructions: more than the work of most. Lazy binding only; where all symbols are
# bound at once, the loader searches for what is never called as well.
#     bound_at_load.py <include folder> <archive of the functions> <C++ compiler> -- <C compiler>

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Unoptimised code calls what compilers otherwise replace.
OF_COMPILERS = {"memcpy", "memset", "memcmp", "memmove", "strlen", "strchr", "strcmp", "strncmp"}
# What the registry takes: its discovery, its memory, calls of the system, handlers of fork(), the rights of the program.
EXPECTED = {"__cxa_atexit", "__environ", "environ", "dlsym", "dlopen", "dl_iterate_phdr", "__errno_location", "mmap", "syscall",
            "__register_atfork", "pthread_atfork", "getauxval", "__tls_get_addr"}
TABLE = """
#define MPIT_AUTOMATIC_TABLES
#include <mpit/declare.h>
static int limit;
static int describe(void* data) {
    const mpit_control controls[] = {MPIT_ROW_INT("TESTS_BOUND_LIMIT", &limit, "A limit"), MPIT_ROW_END};
    mpit_group* group = mpit_open(NULL, "tests_bound", "A group", NULL);
    (void)data;
    return mpit_add_controls(group, controls, NULL) + mpit_publish(group);
}
__attribute__((constructor)) static void wait_for_tools(void) { mpit_before_tools(describe, NULL); }
int declared_limit(void);
int main(void) { return declared_limit() == 7 && limit == 0 ? 0 : 1; }
"""
TREE = """
#include <mpit/mpit.hpp>
struct bound : mpit::category<"tests_declared", "Declared"> {
    mpit::control<int> limit{this, "TESTS_BOUND_DECLARED", "A limit", {.initial = {7}}};
    mpit::counter<> sent{this, "tests_bound_sent", "Messages sent"};
};
inline constexpr auto& all = mpit::registered<bound>;
extern "C" int declared_limit() { return all.limit; }
"""

# What parses values calls these. A library without a control variable has no value from outside, and none of that code.
OF_PARSERS = {"strspn", "strcspn"}


def called(file):
    """What an object calls in other ones."""
    return set(subprocess.run(["nm", "-u", file], capture_output=True, text=True, check=True).stdout.split()) - {"U", "w"}


def bound(program):
    """What the loader searches for, for this program."""
    run = subprocess.run([program], env={"LD_DEBUG": "bindings"}, capture_output=True, text=True, check=True)
    return set(re.findall(rf"file {re.escape(os.fspath(program))} .* symbol `(\w+)'", run.stderr))


def main():
    border = sys.argv.index("--")
    headers, functions, cpp, c = sys.argv[1], sys.argv[2], sys.argv[3:border], sys.argv[border + 1:]
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        (folder / "table.c").write_text(TABLE, encoding="ascii")
        (folder / "tree.cpp").write_text(TREE, encoding="ascii")
        names = ["-DMPIT_NAMES=tests_mpit_", "-I", headers, "-c"]
        subprocess.run([*c, *names, folder / "table.c", "-o", folder / "table.o"], check=True)
        subprocess.run([*cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti", *names, folder / "tree.cpp", "-o", folder / "tree.o"], check=True)
        (folder / "sums.cpp").write_text(re.sub(r"    mpit::control.*\n", "", TREE).replace("all.limit", "7"), encoding="ascii")
        subprocess.run([*cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti", *names, folder / "sums.cpp", "-o", folder / "sums.o"], check=True)
        if called(folder / "tree.o") >= OF_PARSERS and not called(folder / "sums.o") & OF_PARSERS:
            print("ok: only a library with a control variable reads values")
        else:
            print(f"failed: {called(folder / 'tree.o')} parses values, {called(folder / 'sums.o')} does not")
            return 1
        program, empty = folder / "program", folder / "empty"
        (folder / "empty.c").write_text("int main(void) { return 0; }\n", encoding="ascii")
        subprocess.run([*c, "-Wl,-z,lazy", folder / "empty.c", "-o", empty], check=True)
        subprocess.run([*c, "-Wl,-z,lazy", folder / "table.o", folder / "tree.o", functions, "-pthread", "-ldl", "-o", program], check=True)
        found, of_each = bound(program), bound(empty)
    if not found:
        print("skipped: this loader does not say what it binds")
        return 0
    more = found - of_each - EXPECTED - OF_COMPILERS
    print(f"{'failed' if more else 'ok'}: {', '.join(sorted(found))}")
    if more:
        print(f"bound at load as well: {', '.join(sorted(more))}")
    return 1 if more else 0


sys.exit(main())
