#!/usr/bin/env python3
# A research library as they are: C++17 with flat globals, one of which is computed when the program starts, a boolean and an
# enumeration, as a shared object and as an archive, with functions of the interface that know no MPI. Its files are relay*, the
# commands are those of docs/guide.md. In programs without an MPI, with MPICH, with Open MPI and with the miniature runtime, linked in
# every order and preloaded, tools see what the MPI shows without the library; without an MPI they see the library.
# An MPI that is not installed is skipped, and Open MPI where MPIT_SHORT_TESTS is 1.
#     run.py <libmpi of the runtime, or -> <C compiler>... -- <C++ compiler>...

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
INCLUDE = ROOT / "include"
PAGE = ROOT / "docs" / "guide.md"
BLOCK = re.compile(r"^<!-- (.*?) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = ["-Wall", "-Wextra", "-Werror"]
WITHOUT_OLD = ["-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Workshop:
    """A folder with the files of the library, and the compilers that stand for those of its commands."""

    def __init__(self, folder, compilers):
        self.folder, self.compilers, self.failures, self.mpi = pathlib.Path(folder), compilers, 0, "alone"
        self.blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        for name in ("program.c", "relay.hpp", "relay.cpp", "relay_variables.cpp"):
            shutil.copy(HERE / name, self.folder)

    def run(self, *command, status=0, **variables):
        """Runs a command in the folder and returns what it prints; the script ends where it fails."""
        words = [str(word) for word in command]
        words = self.compilers.get(words[0], words[:1]) + words[1:]
        print("+", *(f"{name}={value}" for name, value in variables.items()), *words, flush=True)
        environment = {**os.environ, **AS_ROOT, **variables}
        ended = subprocess.run(words, cwd=self.folder, env=environment, timeout=300, check=False, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if ended.returncode != status:
            sys.exit(f"exit status {ended.returncode}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}")
        self.errors = ended.stderr
        return ended.stdout

    def run_block(self, mark):
        """Runs the commands of the page's blocks of a kind. Returns what each program prints, by its name."""
        printed = {}
        for command in "".join(text for kind, text in self.blocks if kind == mark).splitlines():
            words = shlex.split(command.replace("-I include", f"-I {INCLUDE}"))
            variables = {}
            while "=" in words[0]:
                name, value = words.pop(0).split("=", 1)
                variables[name] = value
            printed[" ".join([*variables.values(), words[0]])] = self.run(*words, **variables)
        return printed

    def check(self, holds, what):
        print("ok    " if holds else "failed", f"{self.mpi}: {what}", flush=True)
        self.failures += not holds


def library_itself(here):
    """Everything that must hold in a process without an MPI."""
    for name, printed in here.run_block("run by the test").items():
        if name.startswith("./"):
            here.check("RELAY_WINDOW" in printed and "1 1 control variables" in printed, f"{name} lists the library")
            here.check("closed 1, opened 0, again 0" in printed, f"{name} opens its interface")
            here.check("5 performance variables, session 0" in printed and "still open 1" in printed, f"{name} has a session")
    here.check("= 8\n" in here.run("./alone", RELAY_WINDOW="8"), "a value from the environment is listed")
    symbols = here.run("nm", "-D", "--defined-only", "librelay.so")
    here.check(symbols.count("MPI_T_") == 102, "both names of the 51 functions are exported")
    here.check("MPI_Info_" not in symbols and "mpi_" not in symbols and "set_name" not in symbols,
               "functions on info objects, names and Fortran are exported only where asked for")


def other_parts(here):
    """What else programs are made of, with each MPI: a second library, one of which nothing is hidden, and a tool."""
    here.run("c++", "-std=c++20", "-O0", "-fPIC", "-shared", "-I", INCLUDE, *FLAGS, HERE / "other.cpp", "-o", "libother.so")
    here.run("c++", "-std=c++20", "-O0", "-fPIC", "-I", INCLUDE, *FLAGS, "-c", "relay_variables.cpp", "-o", "visible.o")
    here.run("c++", "-shared", "relay.o", "visible.o", "-o", "libvisible.so")
    here.run("cc", "-O1", "-fPIC", "-shared", HERE / "tool.c", "-o", "libtool.so", "-ldl")


def of_the_mpi(listed):
    """Without the library's variables and without counts: a runtime that embeds mpit shares its registry with the library."""
    return "".join(line for line in listed.splitlines(keepends=True)
                   if not re.match(r"0 (relay|other)|.* (control|performance) variables", line, re.IGNORECASE))


def of_open_mpi(listed):
    """Without the values of control variables that Open MPI 5.0.7 never sets: each run shows others."""
    return re.sub(r"^(\d+ (?:coll_ftagree_agreement|mpi_ft_verbose) .*= )-?\d+$", r"\1…", listed, flags=re.MULTILINE)


def beside_an_mpi(here, link, as_shown):
    """Everything that must hold in a process with an MPI. `link` has the words that link the MPI, `as_shown` makes what is
    compared of what a program prints."""
    run = here.run
    here.run = lambda *words, **more: as_shown(run(*words, **more)) if "./" in str(words[0]) else run(*words, **more)
    programs = {name: printed for name, printed in here.run_block("run by the test with each MPI").items() if "./" in name}
    alone = here.run("./without_relay")
    for name, printed in programs.items():
        here.check(printed == alone, f"{name} lists what the program lists without the library")
    here.check(len(programs) == 3, "three programs are on the page")
    found = re.search(r"^1 (\d+) control variables$", run("./without_relay"), re.MULTILINE)
    here.check(int(found[1]) > 10 and "RELAY" not in alone, f"the MPI's own are listed: {found[1]}")
    here.check('given 0\nkept 0, "of the program" 1\n' in alone, "info objects are the MPI's")
    paths = ["-L.", "-Wl,-rpath,.", "-Wl,--no-as-needed"]
    for name, parts in {
        "the MPI first": [*link, "-lrelay"],
        "the MPI last": ["-lrelay", *link],
        "default visibility": ["-lvisible", *link],
        "two libraries": ["-lother", "-lrelay", *link],
        "two libraries, the other way round": ["-lrelay", "-lother", *link],
        "a library and an archive": ["-lother", "librelay.a", "-lstdc++", *link],
        "an archive of which nothing is hidden": ["librelay.a", "-lstdc++", "-rdynamic", *link],
        "an archive behind the MPI": [*link, "librelay.a", "-lstdc++"],
        "the whole archive": ["-Wl,--whole-archive", "librelay.a", "-Wl,--no-whole-archive", "-lstdc++", *link],
    }.items():
        here.run("mpicc", "program.c", *paths, *parts, "-o", "program")
        here.check(here.run("./program") == alone, f"linked: {name}")
    here.check(here.run("./without_relay", LD_PRELOAD="./librelay.so ./libother.so") == alone, "two libraries are preloaded")
    seen = here.run("./without_relay", LD_PRELOAD="./librelay.so ./libtool.so")
    here.check(seen == alone and here.errors.count("tool: counted") > 0, "a tool between library and MPI sees each call")
    late_mpi(here, alone)
    here.run = run
    stacked_order(here, alone)


def stacked_order(here, alone):
    """Where a library on top of the MPI is loaded as well, tools see both, whatever comes first."""
    here.run("mpicxx", "-std=c++20", "-O0", "-fPIC", "-shared", "-I", INCLUDE, *FLAGS, *WITHOUT_OLD, HERE.parent / "stacked.cpp",
             "-o", "libstacked.so")
    names = set(re.findall(r"^0 (\S+) \d+", alone, re.MULTILINE))
    for order in (("relay", "stacked"), ("stacked", "relay"), ("other", "stacked", "relay")):
        printed = here.run("./without_relay", LD_PRELOAD=" ".join(f"./lib{name}.so" for name in order))
        listed = set(re.findall(r"^0 (\S+) \d+", printed, re.MULTILINE))
        here.check("RELAY_WINDOW" in listed and "relay_messages" in listed, f"the library is listed: {', '.join(order)}")
        here.check(len(names - listed) < len(names) / 5, f"and the MPI's own are: {', '.join(order)}")


def late_mpi(here, alone):
    """The MPI comes with a plugin, when the library's interface is open already."""
    here.run("cc", "-I", INCLUDE, HERE / "late.c", "-L.", "-lrelay", "-Wl,-rpath,.", "-Wl,--no-as-needed", "-o", "late", "-ldl")
    here.run("mpicc", "-fPIC", "-shared", "-I", HERE, HERE / "plugin.c", "-o", "plugin.so")
    here.check(here.run("./late", "./plugin.so") == alone, "an MPI that comes with a plugin is served")


def link_words(here, mpi, runtime, c_compiler, compiler):
    """Takes the compilers of an MPI for those of the commands. Returns the words that link it, or none where it is not here."""
    if mpi == "abi":
        if runtime == "-":
            print("skipped: the miniature runtime was not built")
            return None
        folder = pathlib.Path(runtime).parent
        words = ["-I", str(ROOT / "examples" / "runtime" / "include"), "-L", str(folder), f"-Wl,-rpath,{folder}"]
        # A compiler's wrapper puts the MPI last.
        for name, of in (("mpicc", c_compiler), ("mpicxx", compiler)):
            wrapper = here.folder / f"{name}.abi"
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(of)} "$@" {shlex.join(words)} -lmpi\n', encoding="utf-8")
            wrapper.chmod(0o755)
            here.compilers[name] = [str(wrapper)]
        return ["-lmpi"]
    programs = {name: shutil.which(f"{name}.{mpi}") for name in ("mpicc", "mpicxx")}
    if None in programs.values():
        print(f"skipped: {mpi} is not installed")
        return None
    here.compilers |= {name: [path] for name, path in programs.items()}
    return ["-lmpich"] if mpi == "mpich" else ["-lmpi"]


def main():
    runtime = sys.argv[1]
    border = sys.argv.index("--")
    c_compiler, compiler = sys.argv[2:border], sys.argv[border + 1:]
    for variable, of in (("CC", c_compiler), ("CXX", compiler)):
        os.environ |= {f"MPICH_{variable}": shlex.join(of), f"OMPI_{variable}": shlex.join(of)}
    with tempfile.TemporaryDirectory() as folder:
        here = Workshop(folder, {"gcc": c_compiler, "cc": c_compiler, "g++": compiler, "c++": compiler})
        library_itself(here)
        other_parts(here)
        for mpi, as_shown in (("mpich", str), ("openmpi", of_open_mpi), ("abi", of_the_mpi)):
            here.mpi = mpi
            if mpi == "openmpi" and os.environ.get("MPIT_SHORT_TESTS") == "1":
                print("skipped: Open MPI in a short run")
                continue
            link = link_words(here, mpi, runtime, c_compiler, compiler)
            if link is None:
                continue
            beside_an_mpi(here, link, as_shown)
    print(f"{here.failures} failures")
    return 1 if here.failures else 0


sys.exit(main())
