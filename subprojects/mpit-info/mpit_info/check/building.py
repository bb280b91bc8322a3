"""Compiles the program of all checks with the compiler of an MPI: `suite, facts = building.built(target, folder)`."""

import collections
import ctypes.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from mpit_info import agents, build_agent
from mpit_info.check import suite
from mpit_info.refusal import Refusal

# A header may declare a function with another type than the standard: some compilers end at a call of it.
FLAGS = ["-std=gnu99", "-O1", "-g", "-w", "-Wno-incompatible-pointer-types"]
LIBRARIES = ["-lpthread", "-ldl"]
# The checks that were compiled over the header of the standard's binary interface, beside the agents; they get the addresses of an MPI.
OVER_ABI = "libmpit-checks-abi.so"
START = [sys.executable, "-I", "-S", str(pathlib.Path(__file__).resolve().parent / "start.py")]
# The flags for a header without some names.
LACKING = {"-DHAS_CODES_OF_MPI_4=0": "MPI_T_ERR_NOT_(ACCESSIBLE|SUPPORTED)", "-DHAS_EVENTS=0": "MPI_T_(event|source|cb_safety|category_get_(num_)?events)"}
# `compiler` is a list of words, empty for the ABI; `launcher` the words that start two processes; `preload` a list of libraries.
Target = collections.namedtuple("Target", "compiler launcher preload")
Facts = collections.namedtuple("Facts", "library standard compiler codes names")


def target(options):
    """Which MPI is meant, by the words of a launcher, --mpi and --mpicc."""
    preload = [os.path.abspath(each) if "/" in each else each for each in options.preload]
    launcher = list(options.program)
    if options.mpi == "abi" or options.mpi and "/" in options.mpi:
        library = options.mpi if options.mpi != "abi" else ctypes.util.find_library("mpi_abi")
        if not library:
            raise Refusal(f"there is no {' or '.join(agents.LIBRARIES['abi'])}; --mpi takes the path of a library, too")
        if "/" in library and not os.path.exists(library):
            raise Refusal(f"there is no library {library}")
        return Target([], launcher or launcher_of("mpiexec"), [*preload, os.path.abspath(library) if "/" in library else library])
    compiler = shlex.split(options.mpicc or "")
    if not compiler and options.mpi:
        compiler = [f"mpicc.{options.mpi}"]
    if not compiler and launcher:
        compiler = [beside(launcher[0])]
    compiler = compiler or ["mpicc"]
    if not shutil.which(compiler[0]):
        raise Refusal(f"there is no {compiler[0]}; --mpicc names the C compiler of the MPI")
    return Target(compiler, launcher or launcher_of(f"mpiexec.{options.mpi}" if options.mpi else compiler[0].replace("mpicc", "mpiexec")), preload)


def beside(launcher):
    """The C compiler beside a launcher: mpicc.mpich for mpiexec.mpich."""
    folder, name = os.path.split(shutil.which(launcher) or launcher)
    for word in ("mpiexec", "mpirun"):
        if name.startswith(word) and shutil.which(os.path.join(folder, name.replace(word, "mpicc"))):
            return os.path.join(folder, name.replace(word, "mpicc"))
    return "mpicc"


def launcher_of(name):
    """The words that start two processes; none without a launcher."""
    found = shutil.which(name) or shutil.which("mpiexec")
    return [found, "-n", "2"] if found else []


def over_abi(options):
    """The words that start the checks that were compiled over the ABI."""
    for candidate in agents.candidates(options):
        if (path := pathlib.Path(candidate) / OVER_ABI).is_file():
            return [*START, str(path.resolve())]
    raise Refusal(f"{OVER_ABI} is not in {' or '.join(agents.candidates(options))}; --mpicc compiles the checks with the compiler of the MPI")


def compiled_suite(compiler, output):
    """The program of all checks; without the events or the error codes of MPI-4 if the header does not have them."""
    flags, sources = [], map(str, sorted(suite.folder().glob("*.c")))
    command = [*compiler, *FLAGS, *sources, "-o", str(output), *LIBRARIES]
    with build_agent.Compilers() as compilers:
        while True:
            try:
                compilers.run([*command, *flags], "the compilation of the checks")
                return [str(output)]
            except Refusal as refusal:
                lacks = next((flag for flag, names in LACKING.items() if flag not in flags and
                              re.search(f"unknown type name \\W*{names}|undeclared identifier \\W*{names}|{names}\\w*\\W* undeclared", str(refusal))), None)
                if not lacks:
                    raise
                flags.append(lacks)


def built(options, wanted, folder):
    """The words that start the checks, and what they say of their MPI."""
    program = compiled_suite(wanted.compiler, pathlib.Path(folder) / "checks") if wanted.compiler else over_abi(options)
    environment = environment_of(wanted)
    about, names = (subprocess.run([*program, word], check=False, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
                                   env=environment) for word in ("--about", "--list"))
    if about.returncode or names.returncode:
        said = (about.stderr or names.stderr).strip().splitlines() or [f"they end with the status {about.returncode}"]
        raise Refusal(f"the checks do not run with this MPI: {said[-1]}")
    facts, codes = {}, {}
    for line in about.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word == "code":
            codes[int(rest.split()[0])] = rest.split()[1]
        else:
            facts[word] = rest
    compiler = " ".join(map(os.path.basename, wanted.compiler))
    return program, Facts(" ".join(facts.get("library", "").split()), facts.get("standard", ""), compiler, codes, set(names.stdout.split()))


def environment_of(wanted):
    """The environment of the checks."""
    preload = " ".join(filter(None, [*wanted.preload, os.environ.get("LD_PRELOAD", "")]))
    return {**os.environ, **({"LD_PRELOAD": preload} if preload else {})}
