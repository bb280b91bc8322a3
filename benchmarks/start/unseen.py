#!/usr/bin/env python3
# What a program pays at load for variables that no tool looks at, in instructions more than an empty program, as valgrind's
# callgrind counts them: the functions alone, with 344 control variables in automatic and in static tables of C, and with 30
# declared variables (15 control variables and 15 counters) beside them. All symbols are bound lazily, and the environment has
# 1 and 40 entries.
#     unseen.py <include folder> <C++ compiler> <C compiler>

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import callgrind  # noqa: E402

ROWS, DECLARED, ENTRIES = 344, 15, (1, 40)
TABLE = """
{storage} const mpit_control controls[] = {{
{rows}
    MPIT_ROW_END}};
"""
PROGRAM = """
{head}
#include <mpit/declare.h>
static int values[{count}];
{outside}
static int describe(void* data) {{
    {inside}
    mpit_group* group = mpit_open(NULL, "coll", "Settings", NULL);
    (void)data;
    return group == NULL ? -1 : mpit_add_controls(group, {table}, NULL) + mpit_publish(group);
}}
__attribute__((constructor)) static void wait_for_tools(void) {{ mpit_before_tools(describe, NULL); }}
int main(void) {{ return values[0]; }}
"""
FUNCTIONS = "#include <mpit/mpi_t.hpp>\n#include <mpit/declare.hpp>\n"


def tables(is_automatic, count=ROWS):
    rows = "\n".join(f'    MPIT_ROW_INT("MPIR_CVAR_SETTING_{i}", &values[{i}], "Number {i} of the settings"),' for i in range(count))
    table = TABLE.format(storage="" if is_automatic else "static", rows=rows) if count else ""
    return PROGRAM.format(head="#define MPIT_AUTOMATIC_TABLES" if is_automatic else "", count=ROWS, table="controls" if count else "NULL",
                          inside=table if is_automatic else "", outside="" if is_automatic else table)


def declared():
    members = "".join(f'    mpit::control<int> limit_{i}{{this, "MPIR_CVAR_DECLARED_{i}", "Limit {i}"}};\n'
                      f'    mpit::counter<> sent_{i}{{this, "sent_{i}", "Messages {i}"}};\n' for i in range(DECLARED))
    return ('#include <mpit/mpit.hpp>\nstruct fabric : mpit::category<"fabric", "Fabric"> {\n' + members +
            "};\ninline constexpr auto& all = mpit::registered<fabric>;\nvoid count();\nvoid count() { ++all.sent_0; }\n")


def instructions(program, entries):
    environment = {"PATH": "/usr/bin:/bin"} | {f"JOB_ENTRY_{i}": f"/a/path/of/usual/length/{i}" for i in range(1, entries)}
    return callgrind.total([program], environment)


def sizes(program):
    """What the loader relocates at once, and the data in which it does."""
    shown = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True, check=True).stdout
    found = {name: int(size, 16) for name, size in re.findall(r" (\.[\w.]+) +\w+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) ", shown)}
    return f"{found['.rela.dyn'] // 24} relocations, {found.get('.data.rel.ro', 0):,} bytes of .data.rel.ro, {found['.data']:,} of .data"


def main():
    headers, cpp, c = sys.argv[1:]
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)

        def compiled(name, source, command):
            (folder / name).write_text(source, encoding="ascii")
            subprocess.run([*command, "-O2", "-I", headers, "-c", folder / name, "-o", folder / f"{name}.o"], check=True)
            return folder / f"{name}.o"

        functions = compiled("functions.cpp", FUNCTIONS, [cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti"])
        tree = compiled("tree.cpp", declared(), [cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti"])
        none, automatic, static = (compiled(name, tables(is_automatic, count), [c, "-std=c11"]) for name, is_automatic, count in (
            ("none.c", True, 0), ("automatic.c", True, ROWS), ("static.c", False, ROWS)))
        programs = {
            "an empty program": [compiled("empty.c", "int main(void) { return 0; }\n", [c])],
            "mpit_before_tools and the functions, no variable": [none, functions],
            f"with {ROWS} control variables in automatic tables": [automatic, functions],
            "in static tables": [static, functions],
            f"in automatic tables, and {2 * DECLARED} variables declared in C++": [automatic, functions, tree],
        }
        empty = None
        for words, objects in programs.items():
            program = folder / "program"
            subprocess.run([c, "-Wl,-z,lazy", *objects, "-o", program], check=True)
            counted = [instructions(program, entries) for entries in ENTRIES]
            empty = empty or counted
            more = [f"{all - base:,}" for all, base in zip(counted, empty)]
            print(f"{words}: {' and '.join(more)} instructions with {ENTRIES[0]} and {ENTRIES[1]} entries, {sizes(program)}")


if __name__ == "__main__":
    main()
