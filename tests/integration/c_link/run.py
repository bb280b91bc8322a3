#!/usr/bin/env python3
# A library with variables as the linker sees it. A program in C is linked with it by the C compiler, as a shared object and
# as an archive: nothing of the C++ runtime library is needed. With the flags of the README, default visibility included, the
# library exports the functions for tools and its own, no symbol is unique in the process, and there is no warning.
#     run.py <folder of the headers> <C++ compiler and its arguments>

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shapes"))

from builder import run_all  # noqa: E402

RUNTIME = re.compile(r"__cxa_(?!atexit|finalize)\w+|__gxx_personality\w*|_Zn[wa]\w*|_Zd[la]\w*|_ZTV\w*|_ZSt\w*|_ZNK?St\w*|_Unwind_\w+")
OWN = re.compile(r"P?MPI_|call_linked$|linked::|__bss_start|_edata|_end|_init|_fini")


def printed(*command):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, check=True).stdout


def c_compiler(compiler):
    *before, name = compiler
    return [*before, "cc" if name == "c++" else name.replace("clang++", "clang").replace("g++", "gcc")]


def needs(path):
    """A complaint where a file needs something of the C++ runtime library."""
    symbols = [line.split()[-1].split("@")[0] for line in printed("nm", "-u", path).splitlines()
               if line.startswith(" ") and RUNTIME.fullmatch(line.split()[-1].split("@")[0])]
    libraries = re.findall(r"lib(?:stdc|c)\+\+\S*", printed("readelf", "-d", path))
    return f"needs {' '.join([*symbols, *libraries])}" if symbols or libraries else ""


def exports(path):
    """A complaint where a library exports what is mpit's own, or something that is unique in the process."""
    bad = []
    for line in printed("nm", "-DC", "--defined-only", path).splitlines():
        _, kind, name = line.split(maxsplit=2)
        if kind == "u" or "mpit::" in name or not OWN.match(name.removeprefix("guard variable for ")):
            bad.append(f"{kind} {name}")
    return "exports\n" + "\n".join(bad) if bad else ""


def with_compiler(build, compiler, level):
    cc = c_compiler(compiler)
    way = f"{' '.join(compiler)} {level}"

    def program(part, *links):
        main = build.once(".o", [*cc, "-std=c11", "-fPIC", "-I", build.headers, level, "-c", HERE / "program.c"])
        return build.once("", [*cc, *links, main, part, "-ldl", "-lpthread", *build.atomic_library])

    def library(*flags):
        return build.object(HERE / "library.cpp", [level, *flags], compiler)

    def shared():
        return build.once(".so", [*cc, "-shared", library("-fno-exceptions"), *build.atomic_library])

    def archive():
        return build.archive([library("-fno-exceptions")])

    yield (f"a program in C with a shared object, {way}", lambda: [program(shared())], lambda _: needs(program(shared())),
           lambda _: needs(shared()))
    yield (f"a program in C with an archive, {way}", lambda: [program(archive())], lambda _: needs(program(archive())))
    # Without optimisation each function has a symbol, which a library with hidden ones must not export.
    for flags in ([], *([["-fvisibility=hidden"]] if level == "-O0" else [])):
        def whole(flags=flags):
            return build.shared([library("-fno-exceptions", *flags)], compiler=compiler)

        yield (f"what a library exports, {' '.join([way, *flags])}", lambda: ["true", whole()], lambda _, of=whole: exports(of()))


def shapes(build):
    for level in ("-O0", "-O2"):
        yield from with_compiler(build, build.compiler, level)


sys.exit(run_all(shapes, 7, ".* -O0"))
