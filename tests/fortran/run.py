#!/usr/bin/env python3
# mpi_t_f08 over an installed MPI: the test of all procedures, and the example.
#     run.py mpich|openmpi      77, for skipped, where that MPI has no compiler of Fortran

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
MODULE = ROOT / "include" / "mpit" / "mpi_t_f08.f90"


def run(*command, folder):
    """What a command prints; the script ends where it fails."""
    variables = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    ended = subprocess.run([str(word) for word in command], cwd=folder, env=variables, timeout=300, check=False, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("+", *command, ended.stdout, sep="\n", flush=True)
    if ended.returncode != 0:
        sys.exit(f"exit status {ended.returncode}")
    return ended.stdout


def main():
    mpi = sys.argv[1]
    c, fortran = (shutil.which(f"{name}.{mpi}") for name in ("mpicc", "mpif90"))
    if not c or not fortran:
        print(f"skipped: {mpi} has no compiler of Fortran here")
        return 77
    variable = "MPIR_CVAR_BCAST_MIN_PROCS" if mpi == "mpich" else "mpi_abort_delay"
    with tempfile.TemporaryDirectory() as folder:
        run(c, "-c", HERE / "constants.c", folder=folder)
        run(fortran, "-std=f2018", "-Wall", "-Werror", "-c", MODULE, folder=folder)
        run(fortran, "mpi_t_f08.o", HERE / "checks.f90", HERE / "tool.f90", "constants.o", "-o", "tool", folder=folder)
        run(fortran, "mpi_t_f08.o", ROOT / "examples" / "20-fortran.f90", "-o", "example", folder=folder)
        is_right = run("./tool", folder=folder).endswith("Fortran sees what C sees\n")
        return 0 if is_right and "\nit is " in run("./example", variable, folder=folder) else 1


if __name__ == "__main__":
    sys.exit(main())
