"""The command build-agent: compiles the agent for the MPI of a compiler wrapper: `mpit-info build-agent --mpicc mpicc`.

The agents of all MPIs are in one folder of the user's cache, which is used before those of the installation. One agent
serves all MPIs of a binary interface; it is compiled with the newest standard for which a wrapper was given.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from mpit_info import agents, calls
from mpit_info.refusal import Refusal

HERE = pathlib.Path(__file__).resolve().parent
PRELOADED = ("preload.c", "entries.c", "finding.c")
PASSING_ON = ("calls/pass_on.c", "finding.c")
NAMING_REGIONS = ("regions/threads.c", "regions/sources.c", "regions/annotations.c", "finding.c")
FLAGS = ["-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-shared", "-Wl,-z,lazy"]
# An agent takes no values into the program, and reports nothing there. The layer that counts calls has variables of its own.
SILENT = ["-std=c++20", '-DMPIT_CONFIGURATION_VARIABLE=""']
ONLY_LOOKS = [*SILENT, "-DMPIT_ONLY_LOOKS=1"]
OWN_VARIABLES = [*SILENT, "-DMPIT_OWN_REGISTRY=1"]
# Binary interfaces with a layer that counts calls.
WITH_LAYER = ("mpich", "openmpi")
PROBE = """#include <mpi.h>
#if defined(OPEN_MPI)
kind openmpi
#elif defined(MPI_ABI_VERSION)
kind abi
#elif defined(MPICH_VERSION) || defined(MPICH_NAME)
kind mpich
#else
kind unknown
#endif
standard MPI_VERSION MPI_SUBVERSION
"""


def sources():
    """The folder with the agent's sources and that of the headers: of the wheel, of the installation or of the tree."""
    share = HERE.parent
    for place, include in ((HERE / "sources", HERE / "sources" / "include"), (share / "sources", share / "sources" / "include"),
                           (share, share.parent.parent / "include")):
        if (place / "agent" / "over_mpi.cpp").is_file() and (include / "mpit" / "version.hpp").is_file():
            return place, include
    raise Refusal("the sources of the agent are missing in this installation")


def run(command, what):
    """Runs a compiler; refuses with its first message."""
    try:
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as problem:
        raise Refusal(f"cannot run {command[0]}: {problem.strerror}") from None
    if ended.returncode:
        lines = [line for line in ended.stderr.splitlines() if "error" in line] or ended.stderr.splitlines() or ["no message"]
        hint = ""
        if "nlohmann" in ended.stderr:
            hint = "; the agent needs nlohmann-json (on Debian: apt-get install nlohmann-json3-dev)"
        raise Refusal(f"{what} failed: {lines[0].strip()}{hint}")
    return ended.stdout


def flags_of(wrapper):
    """The flags for headers and for libraries that a compiler wrapper adds."""
    shown = ""
    for option in ("-show", "--showme"):
        with contextlib.suppress(Refusal):
            shown = run([*wrapper, option], "the wrapper")
            break
    words = shlex.split(shown)[1:]
    if not words:
        raise Refusal(f"{shlex.join(wrapper)} does not show its flags with -show; give a compiler wrapper of an MPI")
    headers = [flag for word in words if word.startswith(("-I", "-isystem")) for flag in ("-isystem", word[2:])]
    return headers, [word for word in words if word.startswith(("-L", "-l", "-Wl,"))]


def probe(wrapper, folder):
    """The binary interface of the wrapper's MPI, and the version of the standard as two numbers."""
    file = pathlib.Path(folder) / "probe.c"
    file.write_text(PROBE, encoding="ascii")
    told = dict(line.split(" ", 1) for line in run([*wrapper, "-E", "-P", str(file)], shlex.join(wrapper)).splitlines()
                if line.startswith(("kind ", "standard ")))
    if told.get("kind") in (None, "unknown"):
        raise Refusal(f"the mpi.h of {shlex.join(wrapper)} has none of the binary interfaces mpich, openmpi and abi")
    return told["kind"], [int(number) for number in told["standard"].split()]


def compile_all(todo, made):
    """Runs compilers side by side, one for each processor, and prints each file with its time when it is there, to a terminal and to a
    file alike. Refuses with the first message of a compiler when those that run have ended."""
    def timed(file, command):
        began = time.monotonic()
        run([*command, "-o", str(made / file)], f"building {file}")
        return file, time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waited = [pool.submit(timed, file, command) for file, command in todo]
        try:
            for number, done in enumerate(concurrent.futures.as_completed(waited), 1):
                file, seconds = done.result()
                print(f"[{number}/{len(todo)}] {file}, {seconds:.1f} s", file=sys.stderr, flush=True)
                yield file
        finally:
            pool.shutdown(cancel_futures=True)


def known_in(folder):
    """What agents.json of a folder says; empty if there is none."""
    try:
        return json.loads((folder / "agents.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def build(options):
    """Builds what is missing or older; returns the exit status."""
    place, include = sources()
    folder = pathlib.Path(options.agents) if options.agents else agents.cache()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as made:
            build_in(options, place, include, folder, pathlib.Path(made))
    except OSError as problem:
        raise Refusal(f"cannot write {folder}: {problem.strerror}") from None
    return 0


def build_in(options, place, include, folder, made):
    """Compiles into `made`, and moves each file to its folder when it is whole."""
    wrapper, agent = shlex.split(options.mpicc), place / "agent"
    cc, cxx = (shlex.split(os.environ.get(name, otherwise)) for name, otherwise in (("CC", "cc"), ("CXX", "c++")))
    kind, standard = probe(wrapper, made)
    headers, libraries = flags_of(wrapper)
    name = options.name or kind
    known = known_in(folder)
    standards, programs = known.get("standards", {}), known.get("programs", {})
    start, library, layer = f"{agents.PREFIX}start-{name}", f"{agents.PREFIX}{kind}.so", f"{agents.PREFIX}calls-{kind}.so"
    is_newer = not (folder / library).is_file() or standards.get(kind, [0]) < standard or options.force
    todo = []
    for preloaded, files in ((agents.LIBRARY, PRELOADED), (calls.LIBRARY, PASSING_ON), (calls.REGIONS, NAMING_REGIONS)):
        if options.force or not (folder / preloaded).is_file():
            todo.append((preloaded, [*cc, *FLAGS, f"-I{made}", f"-Wl,--version-script={agent / 'versions.map'}",
                                     *(str(agent / file) for file in files), "-ldl"]))
    compiled = [*cxx, *ONLY_LOOKS, *FLAGS, f"-I{include}"]
    if options.force or not (folder / "mpit-info-index.so").is_file():
        todo.append(("mpit-info-index.so", [*compiled, str(agent / "over_index.cpp")]))
    if is_newer:
        todo.append((library, [*compiled, *headers, f'-DMPIT_INFO_INTERFACE="{kind}"', str(agent / "over_mpi.cpp")]))
    if kind in WITH_LAYER and (is_newer or not (folder / layer).is_file()):
        todo.append((layer, [*cxx, *OWN_VARIABLES, *FLAGS, f"-I{include}", *headers, f'-DMPIT_INFO_COUNTING_FILE="{made}/counting.inc"',
                             str(agent / "calls" / "layer.cpp")]))
    if options.force or not (folder / start).is_file():
        todo.append((start, [*cc, *headers, str(place / "start.c"), *libraries]))
    generate(agent / "calls", made / "passing.inc", "passing")
    generate(agent / "calls", made / "counting.inc", "counting", *wrapper)
    # Those that take longest begin first.
    for file in compile_all(todo[::-1], made):
        os.replace(made / file, folder / file)
    if is_newer:
        standards[kind] = standard
    programs[name] = start
    (made / "agents.json").write_text(json.dumps({"programs": programs, "standards": standards}), encoding="utf-8")
    os.replace(made / "agents.json", folder / "agents.json")
    copy_others(folder)
    print(f"{name}: MPI-{'.'.join(map(str, standard))} with the binary interface {kind}, in {folder}")


def generate(place, file, *words):
    """Writes what is made of the table of functions."""
    part, *more = words
    text = run([sys.executable, str(place / "generate.py"), part, str(place / "functions.txt"), *more], "generate.py")
    file.write_text(text, encoding="utf-8")


def copy_others(folder):
    """Takes the agents of the installation for other MPIs, since only one folder is used."""
    for candidate in agents.installed():
        for path in pathlib.Path(candidate).glob(agents.PREFIX + "*.so"):
            if not (folder / path.name).exists():
                shutil.copy(path, folder / path.name)
