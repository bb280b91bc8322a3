"""Finds the agent and the empty programs: `agents.folder(options)`, `agents.empty_program(folder, "mpich")`.

The agent is a library that is preloaded into the program; `agents.json` in the same directory names the programs that
were built for each MPI.
"""

import glob
import json
import os
import pathlib

from mpit_info import VERSION
from mpit_info.document import clean
from mpit_info.refusal import Refusal

LIBRARY, PREFIX = "libmpit-info.so", "mpit-info-"
BUILD = "`mpit-info build-agent --mpicc mpicc`"
HERE = pathlib.Path(__file__).resolve().parent


def candidates(options):
    """The folders that may contain the agent, the most explicit first."""
    if options.agents:
        return [options.agents]
    if os.environ.get("MPIT_INFO_AGENTS"):
        return [os.environ["MPIT_INFO_AGENTS"]]
    return [str(cache()), *installed()]


def installed():
    """The folders of the agents that were installed with the tool."""
    prefix = HERE.parent.parent.parent
    found = [str(HERE.parent)]
    for library in ("lib", "lib64", "lib/*"):
        found += sorted(glob.glob(str(prefix / library / "mpit-info")))
    return found


def folder(options):
    """The folder that holds the agent."""
    for candidate in candidates(options):
        if (pathlib.Path(candidate) / LIBRARY).is_file():
            return str(pathlib.Path(candidate).resolve())
    raise Refusal(f"{LIBRARY} is not in {' or '.join(candidates(options))}; {BUILD} builds it, --agents names the directory")


def cache():
    """The folder of the agents that build-agent has built for this version."""
    place = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(place) / "mpit-info" / VERSION


def kinds(directory):
    """The binary interfaces for which a folder has an agent."""
    found = sorted(path.name[len(PREFIX):-3] for path in pathlib.Path(directory).glob(PREFIX + "*.so"))
    return [kind for kind in found if kind != "index"]


def missing(directory, without):
    """A sentence about MPIs, by version texts with their binary interfaces, that no agent can read."""
    library, interface = next(iter(without.items()))
    found = ", ".join(kinds(directory)) or "none"
    if interface == "unknown":
        return f"its MPI, {clean(library) or 'without a version text'}, has none of the binary interfaces that mpit-info reads"
    return f"no agent for this MPI, {clean(library) or interface} (found: {found}; build one with {BUILD})"


def programs_of(directory):
    """The programs that only start an MPI, by the names of the MPIs."""
    try:
        programs = json.loads((pathlib.Path(directory) / "agents.json").read_text(encoding="utf-8"))["programs"]
        return {name: str(pathlib.Path(directory) / program) for name, program in programs.items()}
    except (OSError, ValueError, KeyError):
        return {}


def empty_programs(directory, library):
    """The programs for an MPI with this version text."""
    kind = "openmpi" if library.startswith("Open MPI") else "mpich"
    return [program for name, program in programs_of(directory).items() if name.startswith(kind)]


def empty_program(directory, mpi):
    """The program that only starts the MPI of this name; without a name the first one."""
    programs = programs_of(directory)
    if not programs:
        raise Refusal(f"there is no agent for an MPI yet: {BUILD} builds one; or name a program: mpit-info -- ./program")
    name = mpi or next(iter(programs))
    if name not in programs:
        raise Refusal(f"unknown MPI {name}; --mpi accepts {', '.join(programs)}")
    return programs[name]
