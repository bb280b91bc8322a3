#!/usr/bin/env python3
# The tables that examples/porting/from_mpich.py writes for declared.c compile without a warning, a tool sees what was declared, the
# environment has all names and texts of any length, and a mistake in a source ends the program with a line that names it. A white line in a
# block, a variable declared twice and a category without a description do not.
#     run.py <root of the project> <C compiler and its arguments> -- <C++ compiler and its arguments>

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "/*\n=== BEGIN_MPI_T_CVAR_INFO_BLOCK ===\n"
TAIL = "=== END_MPI_T_CVAR_INFO_BLOCK ===\n*/\n"
CATEGORY = "categories:\n  - name: LAB\n    description: x\n"
VARIABLE = """cvars:
  - name: MPIR_CVAR_A
    category: LAB
    type: int
    default: 1
    verbosity: MPI_T_VERBOSITY_USER_BASIC
    scope: MPI_T_SCOPE_LOCAL
    description: x
"""
MISTAKES = {
    "an unknown type": (CATEGORY + VARIABLE.replace("type: int", "type: integer"), ":7: MPIR_CVAR_A has the unknown type integer"),
    "a name that is declared twice": (CATEGORY + VARIABLE + VARIABLE.replace("cvars:\n", "").replace("default: 1", "default: 2"), ":14: MPIR_CVAR_A is declared in"),
    "a verbosity that is none": (CATEGORY + VARIABLE.replace("USER_BASIC", "USER"), "has MPI_T_VERBOSITY_USER, which is none of"),
    "an enumeration without its default": (CATEGORY + VARIABLE.replace("type: int", "type: enum"), "the default of MPIR_CVAR_A is none of the items"),
    "another beginning": (CATEGORY + VARIABLE.replace("MPIR_CVAR_A", "OTHER_A"), "OTHER_A does not begin with MPIR_CVAR_"),
    "no description": (CATEGORY + VARIABLE.replace("    description: x\n", ""), "a control variable has no description"),
    "text that is no YAML": (CATEGORY + "cvars: [\n", "expected"),
}


def run(command, **more):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)


def written(root, folder, source, *more):
    return run([sys.executable, root / "examples/porting/from_mpich.py", *more, "--output", folder, source])


def program(root, folder, c, cpp, source="tool.c"):
    """Compiles what was written; complaints are printed."""
    include = ["-I", root / "include", "-I", folder]
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
    functions = folder / "functions.cpp"
    functions.write_text("#include <mpit/declare.hpp>\n#include <mpit/mpi_t.hpp>\n", encoding="utf-8")
    commands = [[*c, "-std=c99", *warnings, *include, "-c", folder / "cvars.c", "-o", folder / "cvars.o"],
                [*c, "-std=gnu11", *warnings, *include, "-c", HERE / source, "-o", folder / "tool.o"],
                [*cpp, "-std=c++20", "-fno-exceptions", *include, "-c", functions, "-o", folder / "functions.o"],
                [*c, folder / "cvars.o", folder / "tool.o", folder / "functions.o", "-o", folder / "tool"]]
    for command in commands:
        done = run(command)
        if done.returncode != 0:
            print(done.stdout)
            return None
    return folder / "tool"


def addresses(folder, c, include):
    """How many addresses the loader would write into the tables of cvars.c, as part of a shared library."""
    run([*c, "-std=gnu11", "-O2", "-fPIC", "-I", include, "-c", folder / "cvars.c", "-o", folder / "shared.o"])
    return sum("R_X86_64_64 " in line or "R_AARCH64_ABS64" in line for line in run(["readelf", "-rW", folder / "shared.o"]).stdout.splitlines())


def compare(name, found, expected):
    if found == expected:
        print(f"ok      {name}")
        return 0
    print(f"failed  {name}\n{found}expected\n{expected}")
    return 1


def later(root, folder, c, cpp):
    """What releases of MPICH from 4.1 on have somewhere: a white line, no category, a second declaration, a notice; what is written of it."""
    folder.mkdir()
    source = folder / "later.c"
    source.write_text((HERE / "later.c").read_text(encoding="utf-8").replace("\n\n    - name ", "\n\t\n    - name "), encoding="utf-8")
    (folder / "codes.h").write_text("#define LAB_ERROR 15\n", encoding="utf-8")
    done = written(root, folder, source, "--include", "codes.h", "--rejection-code", "LAB_ERROR").stdout.replace(f"{folder}/", "")
    failed = compare("warnings", done, "warning: later.c:37: MPIR_CVAR_LAB_LIMIT is declared in later.c:26 already, in the same way\n"
                     "warning: later.c:26: no block describes the category NOWHERE of MPIR_CVAR_LAB_LIMIT, its description is empty\n"
                     "2 control variables, 0 performance variables, 0 left\n")
    failed += compare("names in the environment, for readers", (folder / "README.envvar").read_text(encoding="utf-8"),
                      (HERE / "expected_readme.txt").read_text(encoding="utf-8"))
    header = (folder / "cvars.h").read_text(encoding="utf-8").replace(f"{folder}/", "")
    failed += compare("the notice of the sources, and the place of a declaration",
                      header.split(" * The")[0] + "".join(f"{line}\n" for line in header.splitlines() if line.startswith("extern")),
                      "/*\n * Copyright (C) by nobody\n *     See LICENSE of the lab\n *\n"
                      "extern int MPIR_CVAR_LAB_ALGORITHM; /* later.c:14 */\nextern int MPIR_CVAR_LAB_LIMIT; /* later.c:26 */\n")
    tool = program(root, folder, c, cpp, "rejected.c")
    if tool is None:
        return failed + 1
    for value, expected in (("many", "refused 0, rejected 15, then 0, limit 5\n"), ("7", "refused 0, rejected 0, then 0, limit 7\n")):
        said = run([tool], env={**os.environ, "MPICH_LAB_LIMIT": value}).stdout.splitlines()[-1] + "\n"
        failed += compare(f"a value from outside that is {value}", said, expected)
    return failed


def main():
    try:
        import yaml  # noqa: F401
    except ImportError:
        print("skipped: python3-yaml is not installed")
        return 77
    root, *rest = sys.argv[1:]
    root, border = pathlib.Path(root), rest.index("--")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = written(root, folder, HERE / "declared.c")
        failed += compare("what is left", done.stdout.replace(f"{HERE}/", ""),
                          "left to its author: declared.c:100: lab_state, state, dynamic\n8 control variables, 3 performance variables, 1 left\n")
        tool = program(root, folder, rest[:border], rest[border + 1:])
        if tool is None:
            return 1
        failed += compare("what a tool sees", run([tool]).stdout, (HERE / "expected.txt").read_text(encoding="utf-8"))
        failed += compare("addresses that the loader writes, those of the defaults of texts", f"{addresses(folder, rest[:border], root / 'include')}\n",
                          "2\n")
        given = {"MPICH_LAB_EAGER_LIMIT": "3", "MPICH_LAB_NETWORK": "ib0", "MPIR_PARAM_LAB_PORTS": "5:6", "MPIR_CVAR_LAB_ALGORITHM": "ring",
                 "MPICH_LAB_CHECKS": "no", "MPIR_CVAR_LAB_HOST": ""}
        failed += compare("names in the environment", run([tool], env={**os.environ, **given}).stdout.splitlines()[-1] + "\n",
                          "limit 3, checks 0, network ib0, host , ports 5 to 6, ring 1\n")
        given = {"MPIR_CVAR_LAB_OLD_LIMIT": "5", "MPIR_PARAM_LAB_EAGER_LIMIT": "6"}
        failed += compare("the strongest name", run([tool], env={**os.environ, **given}).stdout.splitlines()[-1][:8] + "\n", "limit 6,\n")
        path = "/of/" + "x" * 1000
        said = run([tool], env={**os.environ, "MPICH_LAB_HOST": path}).stdout.splitlines()
        failed += compare("a text longer than tools see", "".join(f"{line}\n" for line in said if "/of/" in line),
                          f'MPIR_CVAR_LAB_HOST: Which host, 0, 0, "{path[:383]}"\n'
                          f"limit 65536, checks 1, network none, host {path}, ports 1024 to 2048, ring 0\n")
        tool = program(root, folder, rest[:border], rest[border + 1:], "texts.c")
        if tool is None:
            return 1
        failed += compare("a longer text, written and opened again", run([tool], env={**os.environ, "MPICH_LAB_HOST": path}).stdout,
                          "opened: 1004, /of/\nclosed: 1004, /of/\nopened again: 1004, /of/\ncopied again: 0\n"
                          "without the environment: 1004, /of/\n384 bytes, written: 1, by a tool: 4, tool\nby a shorter one: 5, shor\n")
        of_macros = folder / "macros"
        failed += compare("what is left for macros", written(root, of_macros, HERE / "measured.c", "--macros").stdout,
                          "1 control variables, 4 performance variables, 0 left\n")
        tool = program(root, of_macros, rest[:border], rest[border + 1:], "measured.c")
        if tool is None:
            return 1
        failed += compare("what a tool sees of macros", run([tool]).stdout, (HERE / "expected_of_macros.txt").read_text(encoding="utf-8"))
        failed += compare("addresses of macros", f"{addresses(of_macros, rest[:border], root / 'include')}\n", "0\n")
        # Functions with one call are parts of their caller, and see constants.
        of_each = folder / "of_each"
        source = folder / "of_each.c"
        source.write_text(HEAD + CATEGORY + VARIABLE.replace("type: int", "type: enum").replace("default: 1", "default: ring").replace(": x", ": ring - one") +
                          VARIABLE.replace("cvars:\n", "").replace("CVAR_A", "CVAR_B").replace("type: int", "type: string").replace("1", "NULL") + TAIL,
                          encoding="utf-8")
        written(root, of_each, source)
        failed += compare("addresses where there is one of each", f"{addresses(of_each, rest[:border], root / 'include')}\n", "0\n")
        failed += later(root, folder / "later", rest[:border], rest[border + 1:])
        for what, (text, words) in MISTAKES.items():
            source = folder / "wrong.c"
            source.write_text(HEAD + text + TAIL, encoding="utf-8")
            done = written(root, folder, source)
            is_good = done.returncode == 1 and words in done.stdout and f"{source}:" in done.stdout and done.stdout.count("\n") == 1
            failed += compare(what, "" if is_good else done.stdout, "")
    return 1 if failed else 0


sys.exit(main())
