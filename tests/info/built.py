"""The agents that were built, and the MPIs that they were built for: `built.program("mpich")`."""

import os
import shutil

FOLDER = os.environ.get("MPIT_INFO_BUILT", "")
# Open MPI's mpiexec asks for it.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def program(mpi):
    """A program that starts and ends an MPI, or None where that is not here."""
    path = os.path.join(FOLDER, f"mpit-info-start-{mpi}")
    return path if os.path.exists(path) and shutil.which(f"mpiexec.{mpi}") else None
