#!/usr/bin/env python3
# Libraries whose files are compiled with -DMPIT_SEPARATE_COMPILATION=1: each variable, event and call of an author works as in any other
# library, in objects, archives and shared libraries; without <mpit/implementation.hpp> the linker names it; nothing more is exported.
#     run.py <folder of the headers> <C++ compiler and its arguments>

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shapes"))

from builder import SOURCES, run_all  # noqa: E402
from linkers import COLLECT, SECTIONS, ways  # noqa: E402

SEPARATE = "-DMPIT_SEPARATE_COMPILATION=1"
MISSING = "one_file_includes_mpit_implementation_hpp"
FILES = ("values.cpp", "happenings.cpp", "implementation.cpp")
os.environ.update({"SEPARATE_LIMIT": "64k", "SEPARATE_WIDTH": "7", "SEPARATE_ADOPTED": "9", "SEPARATE_SHARE": "0.25",
                   "SEPARATE_MODE": "Polling", "SEPARATE_DEVICE": "card0"})


def parts(build, flags, files=FILES, separate=(SEPARATE,)):
    return [build.object(HERE / name, [*flags, *separate]) for name in files]


def shims(build, flags, separate=(SEPARATE,)):
    return build.object(SOURCES / "shims.cpp", ["-O0", *flags, *separate])


def program(build, flags):
    return build.object(HERE / "program.cpp", flags)


def linked(build, way, flags, links):
    """As objects, as an archive and as a shared library, for one way of compiling and linking."""
    yield f"objects, {way}", lambda: [build.program([program(build, flags), *parts(build, flags), shims(build, [])], links)]
    yield f"an archive, {way}", lambda: [
        build.program([program(build, flags), shims(build, []), build.archive(parts(build, flags))], links)]
    yield f"a shared library, {way}", lambda: [
        build.program([program(build, flags), build.shared([*parts(build, flags), shims(build, [])], links)], links)]


def refused(build, files):
    """A command that does well when the linker refuses, and names the header."""
    try:
        build.wait_for(build.program([program(build, ["-O1"]), *parts(build, ["-O1"], files), shims(build, [])]))
    except RuntimeError as error:
        if MISSING in str(error):
            return ["true"]
        raise
    raise RuntimeError("linked without a file that includes the header")


def exporting_nothing(build, flags):
    """A command that does well when a library exports its own functions and nothing of mpit."""
    library = build.shared(parts(build, flags))
    build.wait_for(library)
    printed = subprocess.run([build.tool("nm"), "-DC", "--defined-only", str(library)], text=True, stdout=subprocess.PIPE, check=True).stdout
    names = [line.split(maxsplit=2)[2] for line in printed.splitlines()]
    of_mpit = [name for name in names if "mpit::" in name and not name.startswith(("send", "begin", "make", "last"))]
    if of_mpit or not names:
        raise RuntimeError(f"exported: {of_mpit}")
    return ["true"]


def raising_out_of_line(build, flags, links, separate):
    """A command that does well when link-time optimisation leaves the delivery of events out of the functions that raise them."""
    made = build.program([program(build, flags), *parts(build, flags, separate=separate), shims(build, [], separate)], links)
    build.wait_for(made)
    printed = subprocess.run([build.tool("nm"), "-C", str(made)], text=True, stdout=subprocess.PIPE, check=True).stdout
    if not any("internal::raise(" in line for line in printed.splitlines()):
        raise RuntimeError("no function raises")
    return ["true"]


def separate(build):
    for flags in (["-O0"], ["-O2", "-fvisibility=hidden"]):
        yield from linked(build, " ".join(flags), flags, [])
    yield from linked(build, "sections that nobody refers to thrown away", SECTIONS, COLLECT)
    for flags, links in ways(build):
        yield from linked(build, " ".join(flags), flags, links)
        if flags[-1] == "-flto":
            for mode in ([], [SEPARATE]):
                name = " ".join(["raising stays a function after", *links, *mode])
                yield name, lambda mode=mode: raising_out_of_line(build, flags, links, mode)
    yield "objects, of which one is not compiled so", lambda: [build.program([
        program(build, ["-O1"]), *parts(build, ["-O1"], ["values.cpp"], []), *parts(build, ["-O1"], FILES[1:]), shims(build, [], [])])]
    yield "two libraries of one program", lambda: [build.program([
        program(build, ["-O1"]), build.shared([*parts(build, ["-O1"]), shims(build, [])]), *parts(build, ["-O1"], ["implementation.cpp"])])]
    yield "the header where nothing is compiled so", lambda: [build.program([
        program(build, ["-O1"]), *parts(build, ["-O1"], separate=[]), shims(build, [], [])])]
    yield "no file includes the header", lambda: refused(build, FILES[:2])
    for flags in (["-O1"], ["-O2"]):
        yield f"nothing is exported, {' '.join(flags)}", lambda: exporting_nothing(build, flags)


SHORT = r"objects, -O0|a shared library, -O2 -fvis.*|no file.*|nothing is exported, -O2|objects, of which.*"

sys.exit(run_all(separate, 15, SHORT))
