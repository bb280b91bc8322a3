"""The command build-agent: compiles the agents for the MPIs of compiler wrappers: `mpit-info build-agent --mpicc mpicc`.

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
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mpit_info import agents, calls
from mpit_info.refusal import Refusal

HERE = pathlib.Path(__file__).resolve().parent
PRELOADED = ("preload.c", "entries.c", "finding.c")
PASSING_ON = ("calls/pass_on.c", "finding.c")
NAMING_REGIONS = ("regions/threads.c", "regions/sources.c", "regions/annotations.c", "finding.c")
FLAGS = ["-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-shared", "-s", "-Wl,-z,lazy"]
# An agent takes no values into the program, and reports nothing there. The layer that counts calls has variables of its own.
SILENT = ["-std=c++20", '-DMPIT_CONFIGURATION_VARIABLE=""']
ONLY_LOOKS = [*SILENT, "-DMPIT_ONLY_LOOKS=1"]
OWN_VARIABLES = [*SILENT, "-DMPIT_OWN_REGISTRY=1"]
# Seconds. A signal that comes just before the main thread waits has its effect behind the wait.
WAIT = 0.2
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


class Compilers:
    """Compilers that run, each with all that it starts: `with Compilers() as compilers: compilers.run(command, "building")`. The end of the
    block ends them."""

    def __init__(self):
        self.lock, self.running, self.is_over = threading.Lock(), set(), False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self.lock:
            self.is_over = True
            for each in self.running:
                with contextlib.suppress(OSError):
                    os.killpg(each.pid, signal.SIGKILL)

    def run(self, command, what):
        """Runs one, and refuses with its first message. Not in the main thread, in which a signal may end this at any place."""
        try:
            with self.lock:
                if self.is_over:
                    raise Refusal(f"{what} was interrupted")
                made = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        encoding="utf-8", errors="replace", start_new_session=True)
                self.running.add(made)
        except (OSError, ValueError) as problem:
            raise Refusal(f"cannot run {command[0]}: {getattr(problem, 'strerror', problem)}") from None
        output, errors = made.communicate()
        with self.lock:
            self.running.discard(made)
        if made.returncode:
            lines = [line for line in errors.splitlines() if "error" in line] or errors.splitlines() or ["no message"]
            hint = ""
            if "nlohmann" in errors:
                hint = "; the agent needs nlohmann-json (on Debian: apt-get install nlohmann-json3-dev)"
            raise Refusal(f"{what} failed: {lines[0].strip()}{hint}")
        return output


def flags_of(wrapper, run):
    """The flags for headers that a compiler wrapper adds."""
    words = []
    for option in ("-show", "--showme"):
        # What is no list of words, such as one with an open quote, is no answer.
        with contextlib.suppress(Refusal, ValueError):
            words = shlex.split(run([*wrapper, option], "the wrapper"))[1:]
            break
    if not words or not "".join(words).isprintable():
        raise Refusal(f"{shlex.join(wrapper)} does not show its flags with -show; give a compiler wrapper of an MPI, or the directory of mpi.h")
    return [flag for word in words if word.startswith("-I") for flag in ("-isystem", word[2:])]


def probe(mpicc, cc, folder, run):
    """The version of the standard of an MPI, by its wrapper or the directory of its mpi.h, as two numbers, its binary interface, and
    the flags for its headers."""
    place = ["-isystem", os.path.abspath(mpicc)] if os.path.isfile(os.path.join(mpicc, "mpi.h")) else None
    wrapper = [*cc, *place] if place else shlex.split(mpicc)
    file = pathlib.Path(folder) / "probe.c"
    file.write_text(PROBE, encoding="ascii")
    told = dict(line.split(" ", 1) for line in run([*wrapper, "-E", "-P", str(file)], mpicc).splitlines()
                if line.startswith(("kind ", "standard ")))
    standard = told.get("standard", "").split()
    if told.get("kind") not in agents.LIBRARIES or not standard or not all(map(str.isdecimal, standard)):
        raise Refusal(f"the mpi.h of {mpicc} has none of the binary interfaces {', '.join(agents.LIBRARIES)}")
    return [int(number) for number in standard], told["kind"], place or flags_of(wrapper, run)


def compile_all(todo, made, pool, run):
    """Runs compilers side by side, and prints each file with its time when it is there. Of a terminal the last line has those that are
    compiled. Refuses with the first message of a compiler."""
    begun = {}

    def timed(file, command):
        begun[file] = time.monotonic()
        run([*command, "-o", str(made / file)], f"building {file}")
        return file, time.monotonic() - begun.pop(file)

    def show(line):
        if sys.stderr.isatty():
            print("\r\x1b[K" + line[:shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)

    waited, number = {pool.submit(timed, file, command) for file, command in todo}, 0
    while waited:
        done, waited = concurrent.futures.wait(waited, WAIT, concurrent.futures.FIRST_COMPLETED)
        show("")
        for each in done:
            file, seconds = each.result()
            number += 1
            print(f"[{number}/{len(todo)}] {file}, {seconds:.1f} s", file=sys.stderr, flush=True)
            yield file
        if waited:
            show("compiling " + ", ".join(f"{file} {time.monotonic() - began:.0f} s" for file, began in list(begun.items())))


def result_of(call):
    """What a thread of the pool returns."""
    while not concurrent.futures.wait([call], WAIT).done:
        pass
    return call.result()


def standards_in(folder):
    """The version of the standard with which each agent of a folder was built; empty if none is known."""
    try:
        return dict(json.loads((folder / "agents.json").read_text(encoding="utf-8"))["standards"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def end_at_signals():
    """Lets the signals that end a process end this one in order: without the compilers and without what they have made. The first one
    has its effect, and further ones none."""
    numbers = [each for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) != signal.SIG_IGN]

    def end(number, _):
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for each in numbers:
        signal.signal(each, end)


def build(options):
    """Builds what is missing or older; returns the exit status."""
    place, include = sources()
    folder = pathlib.Path(options.agents) if options.agents else agents.cache()
    end_at_signals()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The compilers end first, then the threads that wait for them, one for each processor.
        with tempfile.TemporaryDirectory(dir=folder) as made, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
                Compilers() as compilers:
            build_in(options, place, include, folder, pathlib.Path(made), pool, compilers.run)
    except OSError as problem:
        raise Refusal(f"cannot write {folder}: {problem.strerror}") from None
    return 0


def build_in(options, place, include, folder, made, pool, run):  # pylint: disable=too-many-arguments
    """Compiles into `made`, and moves each file to its folder when it is whole."""
    agent, standards = place / "agent", standards_in(folder)
    cc, cxx = (shlex.split(os.environ.get(name, otherwise)) for name, otherwise in (("CC", "cc"), ("CXX", "c++")))
    mpis = [result_of(pool.submit(probe, each, cc, made, run)) for each in options.mpicc or ["mpicc"]]
    for part in ("passing", "counting"):
        result_of(pool.submit(generate, run, agent / "calls", made / f"{part}.inc", part))

    def is_wanted(file):
        return options.force or not (folder / file).is_file()

    todo = []
    for preloaded, files in ((agents.LIBRARY, PRELOADED), (calls.LIBRARY, PASSING_ON), (calls.REGIONS, NAMING_REGIONS)):
        if is_wanted(preloaded):
            todo.append((preloaded, [*cc, *FLAGS, f"-I{made}", f"-Wl,--version-script={agent / 'versions.map'}",
                                     *(str(agent / file) for file in files), "-ldl"]))
    compiled = [*cxx, *ONLY_LOOKS, *FLAGS, f"-I{include}"]
    if is_wanted("mpit-info-index.so"):
        todo.append(("mpit-info-index.so", [*compiled, str(agent / "over_index.cpp")]))
    # Of two with one binary interface the newer one.
    for kind, (standard, headers) in {kind: (standard, headers) for standard, kind, headers in sorted(mpis)}.items():
        library, layer = f"{agents.PREFIX}{kind}.so", f"{agents.PREFIX}calls-{kind}.so"
        is_newer = standards.get(kind, [0]) < standard
        if is_newer or is_wanted(library):
            todo.append((library, [*compiled, *headers, f'-DMPIT_INFO_INTERFACE="{kind}"', str(agent / "over_mpi.cpp")]))
            standards[kind] = standard
        if is_newer or is_wanted(layer):
            todo.append((layer, [*cxx, *OWN_VARIABLES, *FLAGS, f"-I{include}", f"-I{made}", *headers, str(agent / "calls" / "layer.cpp")]))
    # Those that take longest begin first.
    for file in compile_all(todo[::-1], made, pool, run):
        os.replace(made / file, folder / file)
    (made / "agents.json").write_text(json.dumps({"standards": standards}), encoding="utf-8")
    os.replace(made / "agents.json", folder / "agents.json")
    copy_others(folder, made)
    for standard, kind, _ in mpis:
        print(f"MPI-{'.'.join(map(str, standard))} with the binary interface {kind}, in {folder}")


def generate(run, place, file, part):
    """Writes what is made of the table of functions."""
    text = run([sys.executable, str(place / "generate.py"), part, str(place / "functions.txt")], "generate.py")
    file.write_text(text, encoding="utf-8")


def copy_others(folder, made):
    """Takes the agents of the installation for other MPIs, since only one folder is used."""
    for candidate in agents.installed():
        for path in pathlib.Path(candidate).glob(agents.PREFIX + "*.so"):
            if not (folder / path.name).exists():
                os.replace(shutil.copy(path, made), folder / path.name)
