"""Finds the agents and the installed MPIs: `agents.folder(options)`, `agents.empty_program(folder, "mpich")`.

Agents are libraries that are loaded into the program. An empty program starts a library of an MPI, and does nothing.
"""

import glob
import os
import pathlib
import sys

from mpit_info import VERSION
from mpit_info.document import clean
from mpit_info.refusal import Refusal

LIBRARY, PREFIX = "libmpit-info.so", "mpit-info-"
BUILD = "`mpit-info build-agent --mpicc mpicc`"
HERE = pathlib.Path(__file__).resolve().parent
# The libraries of the MPIs with each binary interface, by the names with which programs are linked.
LIBRARIES = {"mpich": ("libmpich.so.12", "libmpi.so.12"), "openmpi": ("libmpi.so.40",),
             "abi": ("libmpi_abi.so.1", "libmpi_abi.so.0")}
NO_LIBRARY = 127  # the status of an empty program that finds none


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
    found = [str(HERE / "agents")]
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
    return [kind for kind in LIBRARIES if (pathlib.Path(directory) / f"{PREFIX}{kind}.so").is_file()]


def missing(directory, without):
    """A sentence about MPIs, by version texts with their binary interfaces, that no agent can read."""
    library, interface = next(iter(without.items()))
    found = ", ".join(kinds(directory)) or "none"
    if interface == "unknown":
        return f"its MPI, {clean(library) or 'without a version text'}, has none of the binary interfaces that mpit-info reads"
    if interface in kinds(directory):
        return f"the agent for this MPI, {clean(library) or interface}, could not be loaded; with MPIT_INFO_DEBUG=1 it prints the reason"
    return f"no agent for this MPI, {clean(library) or interface} (found: {found}; build one with {BUILD})"


def libraries(directory, mpi):
    """The libraries of an MPI, by the name of its binary interface or by a path; without either of all that have an agent."""
    if mpi and "/" in mpi:
        return [os.path.abspath(mpi)]
    if mpi and mpi not in LIBRARIES:
        raise Refusal(f"unknown MPI {mpi}; --mpi accepts {', '.join(LIBRARIES)}, or the path of a library: /opt/mpi/lib/libmpi.so")
    if not mpi and not kinds(directory):
        raise Refusal(f"there is no agent for an MPI yet: {BUILD} builds one; or name a program: mpit-info -- ./program")
    return [name for kind in ([mpi] if mpi else kinds(directory)) for name in LIBRARIES[kind]]


def empty_program(names):
    """The words of a program that starts the MPI of the first of these libraries that is installed."""
    return [sys.executable, "-I", "-S", str(HERE / "empty_program.py"), *names]
