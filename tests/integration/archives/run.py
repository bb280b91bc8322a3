#!/usr/bin/env python3
# Links programs with archives of libraries: the variables of an archive are found by tools, or the linker says what is
# missing; they never vanish.
#     run.py <folder of the headers> <C++ compiler and its arguments>

import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shapes"))

from builder import SOURCES, is_clang, run_all  # noqa: E402
from linkers import COLLECT, LINKERS, SECTIONS, ways  # noqa: E402

HELD = ["-DHELD_ELSEWHERE"]
SHARED = ["-DSHARED_TREE"]
MISSING = "tree_holder<archived_variables>"


def archiver(build, flags):
    """Objects that the linker optimises need an archiver that can read them; None where it is not installed."""
    if not any(flag.startswith("-flto") for flag in flags):
        return build.tool("ar")
    return build.tool("llvm-ar") if is_clang(build.compiler) else shutil.which("gcc-ar") or build.tool("ar")


def linking(build, way, flags, links):
    """Everything for one way of compiling and linking: the flags of the compiler, and those of the linker."""
    def part(source, *more):
        return build.object(HERE / source, [*flags, *more])

    # The standard functions name no tree: one object of them serves all ways.
    shims = build.object(SOURCES / "shims.cpp", ["-O0", "-ffunction-sections", "-fdata-sections"])

    def program(defines, archive):
        return build.program([part("program.cpp"), part("use.cpp", *defines), shims, archive], links)

    def archive(*members, defines=tuple(HELD)):
        return build.archive([part(member, *defines) for member in members], archiver(build, flags))

    whole = ("holder.cpp", "functions.cpp", "private_tree.cpp")
    yield f"a program that counts, {way}", lambda: [
        program([*HELD, "-DCOUNTS"], archive(*whole)), "archived_calls", "1000", "1"]
    yield f"a program that includes the header and no more, {way}", lambda: [
        program([*HELD, "-DINCLUDES"], archive(*whole)), "archived_calls", "0", "1"]
    yield f"a program that calls a function of another member, {way}", lambda: [
        program(["-DCALLS_MEMBER"], archive(*whole)), "archived_calls", "0", "1"]
    yield f"a tree in every file that includes its header, {way}", lambda: [
        program(["-DINCLUDES", "-DCALLS_MEMBER"], archive("functions.cpp", defines=())), "archived_calls", "0", "1"]
    yield f"a tree in a source file, of which the program calls a function, {way}", lambda: [
        program(["-DCALLS_PRIVATE"], archive(*whole)), "private_calls", "1000", "1"]
    yield f"an archive that is linked as a whole, {way}", lambda: [
        build.program([part("program.cpp"), part("use.cpp"), shims, "-Wl,--whole-archive", archive(*whole), "-Wl,--no-whole-archive"],
                      links), "private_calls", "0", "2"]
    for defines in (["-DCOUNTS"], ["-DINCLUDES"]):
        yield f"nobody holds the tree, {' '.join(defines)}, {way}", lambda: refusal(
            build, lambda: program([*HELD, *defines], archive("functions.cpp")))


def refusal(build, link):
    """A command that does well when the linker refuses, and names what is missing."""
    try:
        build.wait_for(link())
    except RuntimeError as error:
        if MISSING in str(error):
            return ["true"]
        raise
    raise RuntimeError(f"linked, although {MISSING} is missing")


def shared_libraries(build):
    """An archive in a shared library, whose header the program includes."""
    def program(defines, parts, flags=(), links=()):
        return build.program([build.with_shims(HERE / "program.cpp", flags), build.object(HERE / "use.cpp", [*flags, *defines]),
                              *parts], links)

    def library(flags=tuple(SHARED)):
        members = build.archive([build.object(HERE / "holder.cpp", flags)])
        return build.shared([build.object(HERE / "functions.cpp", flags), members])

    for flags in ([], ["-fvisibility=hidden"]):
        yield f"a program that counts in the shared tree of a library, {' '.join(flags)}", lambda: [
            program([*SHARED, "-DCOUNTS", *flags], [library((*SHARED, *flags))]), "archived_calls", "1000", "1"]
    for defines, calls in (["-DCOUNTS"], "1000"), (["-DINCLUDES"], "0"):
        yield f"a program at a fixed address with the shared tree of a library, {defines[0]}", lambda: [
            program([*SHARED, *defines], [library()], ["-fno-pie"], ["-no-pie"]), "archived_calls", calls, "1"]
    yield "a program that includes the header of a shared tree, and does not need its library", lambda: [
        program([*SHARED, "-DINCLUDES"], [library()], links=["-Wl,--as-needed"]), "archived_calls", "0", "1"]
    yield "a program that includes the header of a tree that its library does not share", lambda: refusal(
        build, lambda: program([*HELD, "-DINCLUDES"], [library(tuple(HELD))]))
    yield "one archive with a shared tree in a program and in a library", lambda: [
        program([*SHARED, "-DCOUNTS", "-DCALLS_MEMBER"], [build.archive([build.object(HERE / "holder.cpp", SHARED)]), library()]),
        "archived_calls", "1000", "1"]


def link_ways(build):
    for level in ("-O0", "-O2"):
        yield level, [level], []
    for linker in LINKERS:
        use = [f"-fuse-ld={linker}"]
        if build.can_link(use, f"the linker {linker}"):
            yield f"linked by {linker}, without unused sections", SECTIONS, [*use, *COLLECT]
    for flags, links in ways(build):
        if archiver(build, flags) is None:
            build.untried.append(f"{' '.join(flags)}: llvm-ar is not installed")
            continue
        yield " ".join(links), flags, links
        if flags[-1] not in ("-ffat-lto-objects", "-flto=thin"):
            yield f"{' '.join(links)}, without unused sections", [*SECTIONS, *flags], [*links, *COLLECT]
    if build.can_link(["-static"], "a static program: the C library has no archive"):
        yield "-static, without unused sections", SECTIONS, ["-static", *COLLECT]


def shapes(build):
    for way in link_ways(build):
        yield from linking(build, *way)
    yield from shared_libraries(build)


# Two levels of optimisation and the shared libraries can be tried everywhere; what else cannot is counted as skipped.
sys.exit(run_all(shapes, 2 * 8 + 7, r".*, -O2|a program that .*library.*"))
