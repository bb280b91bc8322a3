#!/usr/bin/env python3
# Checks the rules of the house on every header: includes go down the floors, only ranges.hpp knows range-v3, no header
# knows an mpi.h by name, macros live in config.hpp and in plain C, one header has the switch for separate compilation, headers are short, begin with their licence, open the
# namespace of this version, and each of them compiles alone: itself, or as the first line of one that does. Those that users include
# compile in both orders of their names, with MPIT_SEPARATE_COMPILATION too, and behind globals of a program that are called as their
# parameters, and define the functions that their inline functions call.
#     houserules.py <C++ compiler and its arguments> -- <C compiler and its arguments>

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "mpit"
# From the ground up: a file includes what stands before its folder, and its own folder. A user includes the files at the top,
# each of which stands over the folder that it opens.
FLOORS = [
    "begin.hpp", "config.hpp", "version.hpp", "core", "concurrency", "info.hpp", "object_name.hpp", "descriptor", "variable", "event",
    "info", "registry", "config", "module", "report_handler.hpp", "implementation.hpp", "end.hpp", "policy.hpp", "mpit.hpp", "session", "dynamic",
    "dynamic.hpp", "declare", "declare.h", "declare.hpp", "settings", "settings.hpp", "mpi_t.h", "mpi_t", "mpi_t.hpp", "host", "over_mpi", "over_mpi.hpp", "batch", "tool",
    "batch.hpp", "tool.hpp", "ranges.hpp", "collective", "collective.hpp", "compat.h", "compat", "compat.hpp",
]
LINES_AT_MOST = 600
# What calls an MPI, whose header is not there; it is compiled where one is.
OVER_AN_MPI = ["collective.hpp", "collective/description.hpp"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wundef", "-Wredundant-decls", "-Werror"]

# What begin.hpp silences around the headers that users do not include themselves.
SILENCED = ["-Wno-attributes", "-Wno-invalid-offsetof"]

# Globals of a program that stand before the headers, with names that parameters and variables have in them: under -Wshadow no header that
# a user includes warns of them.
GLOBALS = ("amount cell chosen count data description event found handle initial items level list made name number owner payload place present "
           "room scope size source state storage text_of texts there timer type_of unit value variable word").split()
INCLUDED_INSIDE = ("tool/distribution.hpp", "tool/over_mpi.hpp", "tool/over_registry.hpp", "tool/library.hpp", "tool/info.hpp", "tool/to_string.hpp",
                   "info/object_names.hpp", "mpi_t/fortran_call.hpp")
# What public headers begin and end with; the second one includes the definitions of functions that lower headers declare.
AROUND = ("begin.hpp", "end.hpp")

LICENCE = {".hpp": "// SPDX-License-Identifier: BSD-3-Clause", ".h": "/* SPDX-License-Identifier: BSD-3-Clause */",
           ".def": "/* SPDX-License-Identifier: BSD-3-Clause */"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)")
NAMESPACE = re.compile(r"^namespace (mpit\S*(?: v\w+)?)")
# Copies of different versions in one process must not share code: every version has a namespace of its own.
VERSION = re.findall(r"int (?:major|minor) = (\d+)", (HEADERS / "version.hpp").read_text(encoding="utf-8"))
VERSIONED = f"mpit::inline v{'_'.join(VERSION)}"


def height(inside):
    """The floor of a path inside include/mpit as a number, or None for a place that is not in the list."""
    return FLOORS.index(inside.parts[0]) if inside.parts[0] in FLOORS else None


def included_path(header, line):
    """The path inside include/mpit that a line includes, or None for any other line."""
    found = INCLUDE.match(line)
    if not found:
        return None
    name = found[found.lastindex]
    beside = header.parent / name
    target = (beside if found[2] and beside.is_file() else HEADERS.parent / name).resolve()
    return target.relative_to(HEADERS) if target.is_relative_to(HEADERS) else None


def first_included(inside):
    """The header of mpit that another one begins with, or nothing. Where the one compiles alone, so does the other."""
    header = HEADERS / inside
    lines = header.read_text(encoding="utf-8").splitlines()
    first = next((line for line in lines if re.match(r"\s*#(?!pragma once)", line)), "")
    target = included_path(header, first)
    return target.as_posix() if target else None


def broken_rules(header):
    """Yields a sentence for every rule that the text of a header breaks."""
    inside = header.relative_to(HEADERS)
    lines = header.read_text(encoding="utf-8").splitlines()
    floor = height(inside)
    if floor is None:
        yield f"{inside}: FLOORS has no place named {inside.parts[0]}"
        return
    if not lines or lines[0] != LICENCE.get(header.suffix):
        yield f"{inside}:1: the first line is {LICENCE.get(header.suffix)}"
    if len(lines) > LINES_AT_MOST:
        yield f"{inside}: {len(lines)} lines are more than {LINES_AT_MOST}"
    for number, line in enumerate(lines, start=1):
        target = included_path(header, line)
        # The table of functions is data for headers of any height. The definitions at the end of a public header may stand over it.
        is_end = target is not None and target.name in AROUND and is_of_users(inside.as_posix())
        if target is not None and target.suffix != ".def" and not is_end and (height(target) is None or height(target) > floor):
            yield f"{inside}:{number}: includes {target}, which stands higher in the list"
        found = INCLUDE.match(line)
        name = found[found.lastindex] if found else ""
        if name.startswith("range/v3/") and inside.name != "ranges.hpp":
            yield f"{inside}:{number}: only ranges.hpp includes range-v3"
        if pathlib.PurePath(name).name == "mpi.h":
            yield f"{inside}:{number}: an mpi.h is included through MPIT_MPI_HEADER only"
        opened = NAMESPACE.match(line)
        if opened and opened[1] != VERSIONED:
            yield f"{inside}:{number}: opens {opened[1]}; every header opens {VERSIONED}"
        defined = DEFINE.match(line)
        if defined and inside.parts[0] not in ("config.hpp", "mpi_t", "host", "over_mpi.hpp") and inside.suffix not in (".h", ".def"):
            yield f"{inside}:{number}: the macro {defined[1]} belongs in config.hpp"
        if re.match(r"\s*#\s*(if|elif)\b.*MPIT_SEPARATE_COMPILATION", line) and inside.name not in ("config.hpp", "end.hpp"):
            yield f"{inside}:{number}: end.hpp alone depends on MPIT_SEPARATE_COMPILATION"


def is_of_users(path):
    return "/" not in path or path in INCLUDED_INSIDE


def compile_includes(paths, command, language, flags):
    """Compiles include lines, because compilers warn about `#pragma once` in a main file. Returns the complaint."""
    folders = ["-I", str(ROOT / "include"), "-isystem", str(ROOT / "subprojects" / "range-v3" / "include")]
    are_of_users = all(map(is_of_users, paths))
    begin = "".join(f"extern int {name}; int {name};\n" for name in GLOBALS) if are_of_users else ""
    warnings = WARNINGS if are_of_users or language == "c" else [*WARNINGS, *SILENCED]
    compiled = subprocess.run(
        [*command, *flags, *warnings, *folders, "-fsyntax-only", "-x", language, "-"],
        input=begin + "".join(f"#include <mpit/{path}>\n" for path in paths), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if compiled.returncode == 0 else f"{' '.join(paths)}: does not compile as {flags[0]}:\n{compiled.stdout}"


def lacks_definitions(path, command, flags):
    """Links a file with nothing but a header of users and all its inline functions, which find what they call. Returns the complaint."""
    with tempfile.TemporaryDirectory() as folder:
        linked = subprocess.run(
            [*command, *flags, "-fkeep-inline-functions", "-fPIC", "-shared", "-I", str(ROOT / "include"), "-x", "c++", "-", "-o", f"{folder}/library"],
            input=f"#include <mpit/{path}>\n", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if linked.returncode == 0 else f"{path}: lacks definitions of functions:\n{linked.stdout}"


def main():
    border = sys.argv.index("--")
    cpp, c = sys.argv[1:border], sys.argv[border + 1:]
    # The module of Fortran is compiled by its own tests.
    headers = sorted(path for path in HEADERS.rglob("*") if path.is_file() and path.suffix != ".f90")
    complaints = [complaint for header in headers for complaint in broken_rules(header)]

    inside = [path.relative_to(HEADERS).as_posix() for path in headers]
    cpp_flags, c_flags = ["-std=c++20", "-fno-exceptions", "-fno-rtti"], ["-std=c99", "-pedantic"]
    # What a header lacks is the same for every compiler of a machine: clang looks at those of users, which include the others.
    is_clang = "clang" in pathlib.Path(cpp[-1]).name
    alone = [path for path in inside if path not in (*OVER_AN_MPI, *AROUND) and not path.endswith(".def") and (not is_clang or is_of_users(path))]
    begins = {first_included(path) for path in alone}
    alone = [path for path in alone if path not in begins or is_of_users(path)]
    jobs = [([path], cpp, "c++", cpp_flags) for path in alone]
    jobs += [([path], c, "c", c_flags) for path in inside if path.endswith(".h")]
    # A user includes them in any order; mpi_t.hpp and over_mpi.hpp exclude each other.
    at_the_top = [path for path in inside if "/" not in path and path not in (*OVER_AN_MPI, *AROUND, "over_mpi.hpp")]
    separate = [*cpp_flags, "-DMPIT_SEPARATE_COMPILATION=1"]
    jobs += [(order, cpp, "c++", flags) for order in (at_the_top, at_the_top[::-1]) for flags in (cpp_flags, separate)]
    jobs += [([path], cpp, "c++", separate) for path in at_the_top if path.endswith(".hpp")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (paths, _, _, flags), complaint in zip(jobs, pool.map(lambda job: compile_includes(*job), jobs)):
            print(f"{'failed' if complaint else 'ok':7} {' '.join(paths)} as {flags[0]}{' in separate files' if flags is separate else ''}", flush=True)
            complaints += [complaint] if complaint else []
        # clang has no such option, and ranges.hpp needs another library.
        of_users = [path for path in alone if not is_clang and is_of_users(path) and path.endswith(".hpp") and path != "ranges.hpp"]
        for path, complaint in zip(of_users, pool.map(lambda path: lacks_definitions(path, cpp, cpp_flags), of_users)):
            print(f"{'failed' if complaint else 'ok':7} {path} as a library", flush=True)
            complaints += [complaint] if complaint else []

    print("\n".join(complaints))
    print(f"{len(headers)} headers, {len(complaints)} complaints")
    return 1 if complaints or not headers else 0


sys.exit(main())
