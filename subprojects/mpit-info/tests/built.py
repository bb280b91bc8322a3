"""The agents that were built, and the MPIs that they were built for: `built.run("--json", "--", built.program("mpich"))`."""

import os
import shutil
import subprocess
import tempfile
import unittest

import tool

FOLDER = os.environ.get("MPIT_INFO_BUILT", "")
PROGRAMS = os.environ.get("MPIT_INFO_PROGRAMS", "")
# Open MPI's mpiexec asks for it.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def program(mpi):
    """A program that starts and ends an MPI, or None where that is not here."""
    path = os.path.join(PROGRAMS, f"start-{mpi}")
    return path if os.path.exists(path) and shutil.which(f"mpiexec.{mpi}") else None


def mpis():
    return [mpi for mpi in ("mpich", "openmpi") if program(mpi)]


def sample(name):
    """The path of one of the programs and libraries of the tests; the case is skipped where its MPI or compiler is missing."""
    path = os.path.join(PROGRAMS, name)
    if not FOLDER or not os.path.exists(path):
        raise unittest.SkipTest(f"{name} was not built")
    return path


def ranks(mpi, count, *words):
    """The words that start so many ranks. Open MPI 5 complains about the network of a machine that has none."""
    more = ["--oversubscribe", "--mca", "btl", "^tcp"] if mpi == "openmpi" else []
    return [f"mpiexec.{mpi}", *more, "-n", str(count), *words]


def run(*arguments, place=list, variables=None, agents=FOLDER):
    """Runs the tool with these agents; `place` puts words in front of its own. Both outputs are texts."""
    options = arguments.index("--") if "--" in arguments else len(arguments)
    words = tool.command(*arguments[:options], "--agents", agents, *arguments[options:])
    return subprocess.run(place(words), env=tool.environment(**AS_ROOT, **(variables or {})), text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def recorded(*arguments, status=0, **settings):
    """Watches a program with these agents, which must end with this status: the messages of its record, and the finished tool."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.jsonl")
        finished = run("watch", "--record", record, *arguments, **settings)
        if finished.returncode != status:
            raise AssertionError(f"exit status {finished.returncode}: {finished.stdout}{finished.stderr}")
        return tool.messages(record), finished
