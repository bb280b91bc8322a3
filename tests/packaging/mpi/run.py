#!/usr/bin/env python3
# Builds clients that know nothing of the miniature runtime, and runs them: with CMake's FindMPI, which finds the wrapper in PATH or
# is told of it, with pkg-config, and with the wrappers themselves.
#     run.py <folder of the built runtime>      77, for skipped, where CMake is not installed

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAID = "mini has variables: yes, in 2011: yes\n"


def run(*command, **variables):
    """What a command prints; the script ends where it fails."""
    print("+", *command, flush=True)
    ended = subprocess.run([str(word) for word in command], env={**os.environ, **variables}, timeout=300, check=False, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        sys.exit(f"{ended.stdout}\nexit status {ended.returncode}")
    return ended.stdout


def expect(holds, what):
    """Ends the script where something does not hold."""
    print("ok     " if holds else "failed ", what, flush=True)
    if not holds:
        sys.exit(1)


def try_cmake(folder, runtime, arguments, **variables):
    """Configures, builds and runs both clients, which must be linked with this runtime and no other."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", *generator, "-S", HERE, "-B", folder, *arguments, **variables)
    run("cmake", "--build", folder, **variables)
    for client in ("client", "client_in_cpp"):
        expect(run(f"{folder}/{client}") == SAID, f"{client} runs")
        expect(f"{runtime}/libmpi.so" in run("ldd", f"{folder}/{client}"), f"{client} has this runtime")


def main():
    runtime = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("cmake"):
        print("skipped: cmake is not installed")
        return 77
    wrapper = {name: str(runtime / name) for name in ("mpicc", "mpicxx", "mpifort", "mpicc_abi", "mpiexec")}
    with tempfile.TemporaryDirectory() as folder:
        try_cmake(f"{folder}/told", runtime, [f"-DMPI_C_COMPILER={wrapper['mpicc']}", f"-DMPI_CXX_COMPILER={wrapper['mpicxx']}"])
        try_cmake(f"{folder}/found", runtime, [], PATH=f"{runtime}:{os.environ['PATH']}")

        run(wrapper["mpicc"], "-Wall", "-Werror", HERE / "client.c", "-o", f"{folder}/wrapped")
        expect(run(wrapper["mpiexec"], "-n", "1", f"{folder}/wrapped") == SAID, "a program of mpicc runs under mpiexec")
        run(wrapper["mpicc_abi"], HERE / "client.c", "-o", f"{folder}/abi")
        expect(run(f"{folder}/abi") == SAID, "a program of mpicc_abi runs")
        expect("libmpi_abi.so.1" in run("ldd", f"{folder}/abi"), "it has the library of the binary interface")

        for name in ("mpi-c", "mpi-cxx", "mpi-fort"):
            flags = run("pkg-config", "--cflags", "--libs", name, PKG_CONFIG_PATH=str(runtime)).split()
            expect("-lmpi" in flags, f"pkg-config knows {name}")
        shown = run(wrapper["mpicc"], "-show", "a.c", "-o", "a").split()
        expect("a.c" in shown and "-lmpi" in shown and "-show" not in shown, "mpicc -show has all of the command")
        expect("-lmpi" not in run(wrapper["mpicc"], "-show", "-c", "a.c").split(), "nothing is linked with -c")
        if shutil.which("gfortran"):
            sources = (HERE.parent.parent / "fortran" / name for name in ("checks.f90", "alone.f90"))
            run(wrapper["mpifort"], f"-J{folder}", *sources, "-o", f"{folder}/alone")
            expect("Fortran needs nothing else" in run(f"{folder}/alone"), "a program of mpifort runs")
        else:
            print("skipped: no Fortran compiler was found")
    return 0


sys.exit(main())
