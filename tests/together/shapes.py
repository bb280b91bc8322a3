#!/usr/bin/env python3
# Builds the program and the libraries of shapes/ in every shape in which they may meet in one process, and runs them:
# linked or loaded, seen or hidden, by one compiler or by two, optimised in any way.
#     shapes.py <folder of the headers> <C++ compiler and its arguments>

import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "shapes"
HEADERS, *COMPILER = sys.argv[1:]
FLAGS = ["-std=c++20", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-I", HEADERS]
OTHERS = [[other] for other in ("g++", "clang++") if shutil.which(other)]

SECTIONS = ["-O2", "-ffunction-sections", "-fdata-sections"]
COLLECT = ["-Wl,--gc-sections"]
SHARED = ["-DSHARED_TREE"]


class Builder:
    """Compiles and links in one folder; what was compiled once is not compiled again."""

    def __init__(self, folder):
        self.folder = folder
        self.made = {}

    def run(self, command):
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}")

    def once(self, ending, command):
        key = tuple(map(str, command))
        if key not in self.made:
            self.made[key] = self.folder / f"{len(self.made)}{ending}"
            self.run([*command, "-o", self.made[key]])
        return self.made[key]

    def program_object(self, flags, compiler=None):
        return self.once(".o", [*(compiler or COMPILER), *FLAGS, *flags, "-c", SOURCES / "program.cpp"])

    def library_object(self, name, flags, compiler=None):
        return self.once(".o", [*(compiler or COMPILER), *FLAGS, *flags, f"-DLIBRARY={name}", "-c", SOURCES / "library.cpp"])

    def libraries(self, flags, links=(), compiler=None):
        return [self.once(".so", [*(compiler or COMPILER), "-shared", *links, self.library_object(name, flags, compiler)])
                for name in ("first", "second")]

    def loading(self, program, modules, binding="local", links=(), program_compiler=None):
        """The command of a program that loads its modules."""
        made = self.once("", [*(program_compiler or COMPILER), *links, self.program_object(program, program_compiler),
                              "-ldl", "-lpthread"])
        return [made, binding, *modules]

    def linked(self, program, parts, links=()):
        """The command of a program that is linked with its libraries, or with their objects."""
        return [self.once("", [*COMPILER, *links, self.program_object(["-DLINKED", *program]), *parts, "-ldl", "-lpthread"])]

    def can_link(self, flags):
        source = self.folder / "empty.cpp"
        source.write_text("int main() {}\n", encoding="utf-8")
        try:
            self.once("", [*COMPILER, *flags, source])
        except RuntimeError:
            return False
        return True


def objects(build, flags):
    return [build.library_object(name, flags) for name in ("first", "second")]


def shapes(build):
    """Yields the name of a shape and the function that makes its command."""
    for binding in ("local", "global"):
        yield f"modules, {binding}", lambda: build.loading(["-O2"], build.libraries(["-O2"]), binding)
        yield f"modules, {binding}, in a program with -rdynamic", lambda: build.loading(
            ["-O2"], build.libraries(["-O2"]), binding, ["-rdynamic"])
        yield f"hidden modules, {binding}, in a program with -rdynamic", lambda: build.loading(
            ["-O2"], build.libraries(["-O2", "-fvisibility=hidden"]), binding, ["-rdynamic"])
        yield f"-O0 modules in an -O2 program with -rdynamic, {binding}", lambda: build.loading(
            ["-O2"], build.libraries(["-O0"]), binding, ["-rdynamic"])
        yield f"-O2 modules in an -O0 program with -rdynamic, {binding}", lambda: build.loading(
            ["-O0"], build.libraries(["-O2"]), binding, ["-rdynamic"])
    for other in OTHERS:
        for flags in (["-O2"], ["-O2", "-fvisibility=hidden"]):
            for links in ([], ["-rdynamic"]):
                yield f"modules by {other[0]}, {' '.join(flags + links)}", lambda: build.loading(
                    ["-O2"], build.libraries(flags, compiler=other), "local", links)
    if len(OTHERS) == 2:
        yield "one module by each compiler", lambda: build.loading(
            ["-O2"], [build.libraries(["-O2"], compiler=OTHERS[0])[0], build.libraries(["-O2"], compiler=OTHERS[1])[1]], "global")

    yield "linked libraries", lambda: build.linked(["-O2"], build.libraries(["-O2"]))
    yield "linked libraries with hidden symbols", lambda: build.linked(
        ["-O2"], build.libraries(["-O2", "-fvisibility=hidden"]))
    yield "linked libraries that bind to themselves", lambda: build.linked(
        ["-O2"], build.libraries(["-O2"], ["-Wl,-Bsymbolic"]))
    for program, library in (("-O2", "-O0"), ("-O0", "-O2"), ("-O2", "-O2")):
        yield f"one tree in a program with {program} and libraries with {library}", lambda: build.linked(
            [program, *SHARED], build.libraries([library, *SHARED]))

    yield "objects", lambda: build.linked(["-O2"], objects(build, ["-O2"]))
    yield "objects with one tree", lambda: build.linked(["-O0", *SHARED], objects(build, ["-O2", *SHARED]))
    yield "objects without unused sections", lambda: build.linked(SECTIONS, objects(build, SECTIONS), COLLECT)
    yield "modules without unused sections", lambda: build.loading(
        SECTIONS, build.libraries(SECTIONS, COLLECT), "local", COLLECT)
    if build.can_link(["-static-pie"]):
        yield "static, at any address", lambda: build.linked(["-O2"], objects(build, ["-O2"]), ["-static-pie"])
    if build.can_link(["-static"]):
        yield "static", lambda: build.linked(["-O2"], objects(build, ["-O2"]), ["-static"])
    for linker in ("lld", "gold"):
        if build.can_link([f"-fuse-ld={linker}"]):
            use = [f"-fuse-ld={linker}"]
            yield f"linked by {linker}", lambda: build.loading(
                SECTIONS, build.libraries(SECTIONS, [*COLLECT, *use]), "local", [*COLLECT, *use])
    # What clang leaves for the linker to optimise needs a linker that is made for it.
    for linker in ([], ["-fuse-ld=lld"]):
        optimise = ["-O2", "-flto"]
        if build.can_link([*optimise, *linker]):
            links = [*optimise, *linker]
            yield f"modules after {' '.join(links)}", lambda: build.loading(
                optimise, build.libraries(optimise, links), "local", links)


def main():
    count = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        build = Builder(pathlib.Path(folder))
        for name, command in shapes(build):
            count += 1
            try:
                done = subprocess.run(command(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
                complaint = "" if done.returncode == 0 else f"status {done.returncode}\n{done.stdout}"
            except RuntimeError as error:
                complaint = str(error)
            print("failed " if complaint else "ok     ", name)
            if complaint:
                print(complaint)
                failed += 1
    print(f"{count} shapes, {failed} failed")
    return 1 if failed or count < 20 else 0


sys.exit(main())
