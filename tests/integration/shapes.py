#!/usr/bin/env python3
# Builds the programs and the libraries of shapes/ in every shape in which they may meet in one process, and runs them:
# linked or loaded, seen or hidden, by one compiler or (from the side of clang) by two, optimised in any way.
#     shapes.py <folder of the headers> <C++ compiler and its arguments>

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "shapes"))

import linkers  # noqa: E402
from builder import SOURCES, is_clang, run_all  # noqa: E402

HIDDEN = ["-O2", "-fvisibility=hidden"]
COMMON = ["-DCOMMON_TREE"]
SHARED = [*COMMON, "-DSHARED_TREE"]
ONE_NAME = ["-DONE_NAME"]


def loaded(build):
    """A program that loads two modules: what the one or the other shows, and how they are bound."""
    for binding in ("local", "global", "deep"):
        yield f"modules, {binding}", lambda: build.loading(["-O2"], build.libraries(["-O2"]), binding)
        yield f"modules, {binding}, in a program with -rdynamic", lambda: build.loading(
            ["-O2"], build.libraries(["-O2"]), binding, ["-rdynamic"])
        yield f"hidden modules, {binding}, in a program with -rdynamic", lambda: build.loading(
            ["-O2"], build.libraries(HIDDEN), binding, ["-rdynamic"])
        yield f"-O0 modules in an -O2 program with -rdynamic, {binding}", lambda: build.loading(
            ["-O2"], build.libraries(["-O0"]), binding, ["-rdynamic"])
        yield f"-O2 modules in an -O0 program with -rdynamic, {binding}", lambda: build.loading(
            ["-O0"], build.libraries(["-O2"]), binding, ["-rdynamic"])
    for flags in (["-fvisibility-inlines-hidden"], ["-fno-plt"], ["-fno-exceptions", "-fno-rtti"],
                  ["-fvisibility=protected"] if is_clang(build.compiler) else ["-fno-gnu-unique"]):
        # Without optimisation more functions have symbols that can meet.
        yield f"modules with {' '.join(flags)}", lambda: build.loading(
            ["-O2"], build.libraries(["-O0", *flags]), "global", ["-rdynamic"])
    for link in ("-Wl,-Bsymbolic", "-Wl,-Bsymbolic-functions", "-Wl,-z,now", "-Wl,--exclude-libs,ALL", "-Wl,-z,norelro"):
        yield f"modules linked with {link}", lambda: build.loading(
            ["-O2"], build.libraries(["-O2"], [link]), "global", ["-rdynamic", link])
    for flags, link in ((["-fno-pie"], ["-no-pie"]), (["-fno-pie"], ["-no-pie", "-rdynamic"])):
        yield f"modules in a program with {' '.join(link)}", lambda: build.loading(
            ["-O0", *flags], build.libraries(["-O2"]), "global", link)
    yield "one hidden module, one that is seen", lambda: build.loading(
        ["-O2"], [build.libraries(HIDDEN)[0], build.libraries(["-O2"])[1]], "global", ["-rdynamic"])


def stripped(build):
    """What packagers take away from programs and libraries, and what they put elsewhere."""
    for tool in (["strip", "-s"], ["strip", "--remove-section=.comment", "--remove-section=.note"],
                 ["objcopy", "--strip-unneeded"], ["objcopy", "--compress-debug-sections"]):
        def command():
            words = build.loading(["-O0", "-g"], build.libraries(["-O0", "-g"]), "local", ["-rdynamic"])
            change = [build.tool(tool[0]), *tool[1:]]
            return [build.changed(word, change) if isinstance(word, pathlib.Path) else word for word in words]
        yield f"after {' '.join(tool)}", command


def mixed(build):
    """Two compilers in one process."""
    other = build.other
    if other is None:
        return
    # Without optimisation more functions have symbols that can meet.
    for flags in (["-O0"], ["-O0", "-fvisibility=hidden"]):
        for links in ([], ["-rdynamic"]):
            yield f"modules by {other[0]}, {' '.join(flags + links)}", lambda: build.loading(
                ["-O2"], build.libraries(flags, compiler=other), "local", links)
    yield f"a program by {other[0]} with modules of clang", lambda: build.loading(
        ["-O0"], build.libraries(["-O0"]), "global", ["-rdynamic"], other)
    yield f"objects, one of them by {other[0]}", lambda: build.linked(
        ["-O2", *COMMON],
        [build.library_object("first", ["-O0", *COMMON], other), build.library_object("second", ["-O0", *COMMON])])
    yield f"one tree in a program and libraries, one of them by {other[0]}", lambda: build.linked(
        ["-O2", *SHARED],
        [build.libraries(["-O0", *SHARED], compiler=other)[0], build.libraries(["-O2", *SHARED])[1]])
    for one, two in ((build.compiler, other), (other, build.compiler)):
        yield f"first a module by {one[-1]}, then one by {two[-1]}", lambda: build.loading(
            ["-O2"], [build.libraries(["-O0"], compiler=one)[0], build.libraries(["-O0"], compiler=two)[1]], "global")


def linked(build):
    """A program that is linked with its libraries."""
    yield "linked libraries", lambda: build.linked(["-O2"], build.libraries(["-O2"]))
    yield "linked libraries with hidden symbols", lambda: build.linked(["-O2"], build.libraries(HIDDEN))
    yield "linked libraries that bind to themselves", lambda: build.linked(
        ["-O2"], build.libraries(["-O2"], ["-Wl,-Bsymbolic"]))
    yield "linked libraries and a program at a fixed address", lambda: build.linked(
        ["-O0", "-fno-pie"], build.libraries(["-O2"]), ["-no-pie"])
    for program, library in (("-O2", "-O0"), ("-O0", "-O2"), ("-O2", "-O2")):
        yield f"one tree in a program with {program} and libraries with {library}", lambda: build.linked(
            [program, *SHARED], build.libraries([library, *SHARED]))


def one_name(build):
    """The trees of two libraries have one type name, and different sizes: each library has its own, and can be unloaded."""
    for binding in ("local", "global", "deep"):
        for flags in (["-O0"], ["-O2"], HIDDEN, ["-O0", "-fvisibility-inlines-hidden"]):
            yield f"two trees with one type name, {' '.join(flags)}, {binding}", lambda: build.loading(
                ["-O2"], build.libraries([*flags, *ONE_NAME]), binding, ["-rdynamic"])
    if other := build.other:
        yield f"two trees with one type name, one of them by {other[0]}", lambda: build.loading(
            ["-O2"], [build.libraries(["-O0", *ONE_NAME], compiler=other)[0], build.libraries(["-O2", *ONE_NAME])[1]], "global")
    yield "two trees with one type name in linked libraries", lambda: build.linked(
        ["-O2"], build.libraries(["-O2", *ONE_NAME]))


def one_tree_twice(build):
    """Two libraries with one tree in their header: it is one object only where the header says that it is shared."""
    def command(binding, trees, goes, modules):
        return [build.program([build.with_shims(SOURCES / "libraries_of_one_tree.cpp", ["-O2"])]), binding, trees, goes, *modules]

    def sharing(flags, compilers):
        """The second is linked with the first, which has the tree."""
        first = build.shared([build.library_object("first", [*flags, *SHARED], compilers[0])], compiler=compilers[0])
        second = build.library_object("second", [*flags, *SHARED], compilers[1])
        return [first, build.shared([second, first], compiler=compilers[1])]

    own = build.compiler
    for goes in ("first", "second"):
        for flags in (["-O0"], ["-O2"], HIDDEN):
            for binding in ("local", "global", "deep"):
                yield f"a tree of each library, {' '.join(flags)}, {binding}: the {goes} goes", lambda: command(
                    binding, "two", goes, build.libraries([*flags, *COMMON]))
            yield f"a shared tree, {' '.join(flags)}: the {goes} goes", lambda: command(
                "local", "one", goes, sharing(flags, [own, own]))
        if other := build.other:
            yield f"a tree of each library, one of them by {other[0]}: the {goes} goes", lambda: command("global", "two", goes, [
                build.libraries(["-O2", *COMMON])[0], build.libraries(["-O0", *COMMON], compiler=other)[1]])
            yield f"a shared tree, used by a library of {other[0]}: the {goes} goes", lambda: command(
                "global", "one", goes, sharing(["-O0"], [own, other]))


def without(build):
    """Modules in a program that knows nothing of the headers. Namespaces of the loader are processes of their own."""
    for flags in (["-O2"], HIDDEN):
        for binding in ("local", "global", "apart"):
            yield f"modules with {' '.join(flags)}, {binding}, in a program without the headers", lambda: [
                build.program([build.object(SOURCES / "program_without_headers.cpp", ["-O2"])]), binding, *build.libraries(flags)]


def shapes(build):
    for group in (loaded, stripped, mixed, linked, one_name, one_tree_twice, without, linkers.shapes):
        yield from group(build)


# Each way of meeting, with the options that most programs have.
SHORT = (r"modules, (local|global|deep)|hidden modules, global, .*|-O0 modules in an -O2 program.*global|linked libraries|"
         r"one tree in a program with -O. and libraries with -O2|two trees with one type name, -O2, global|"
         r"a (tree of each library|shared tree), -O2(, local)?: .*|modules with -O2, (local|apart), .*|objects|"
         r".* by g\+\+")

sys.exit(run_all(shapes, 56, SHORT))
