#!/usr/bin/env python3
# Builds the messaging layer of examples/fabric, its program and a tool, and runs them together: alone, or beside an MPI with
# two processes. What the tool has counted must be what the program says, and what libfabric reports must all be seen.
#     run.py <alone, mpich or openmpi> <C compiler>... -- <C++ compiler>...      77, for skipped, where something is missing

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LAYER = ROOT / "examples" / "fabric"
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
# The C++ interface that MPI-3.0 removed.
BESIDE = ["-DFABRIC_BESIDE_AN_MPI", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]
# One of each type for libfabric 1.x; 2.x knows two of them. What libfabric says of all others is that nobody has set them.
PARAMETERS = {"FI_TCP_TX_SIZE": "200", "FI_TCP_NODELAY": "yes", "FI_NET_NODELAY": "off", "FI_NET_MAX_SAVED": "7",
              "FI_NET_IFACE": "lo"}
PROVIDERS = ["tcp;ofi_rxm", "shm", "udp;ofi_rxd", "sockets"]
MESSAGES = 500


def run(*command, **variables):
    """Runs a command with these variables of the environment besides, and returns what it prints; ends where it fails."""
    print("+", *variables.items(), *command, flush=True)
    ended = subprocess.run([str(word) for word in command], env={**os.environ, **variables}, timeout=300, check=False,
                           text=True, stdout=subprocess.PIPE)
    print(ended.stdout, flush=True)
    if ended.returncode != 0:
        sys.exit(f"exit status {ended.returncode}")
    return ended.stdout


def flags_of_libfabric():
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "libfabric"], text=True, capture_output=True, check=False)
    return found.stdout.split() if found.returncode == 0 else None


def expect_whole(output, rank, ends, least_of_the_mpi):
    """Compares what a process says of itself with what the tool has seen in it."""
    def number(pattern):
        found = re.search(pattern.format(rank=rank), output)
        return int(found[1]) if found else sys.exit(f"nothing like {pattern} is printed")
    counted = {name: number("witness {rank}: fabric_" + name + r" (\d+)\n")
               for name in ("messages_sent", "messages_received", "messages_injected", "bytes_sent", "bytes_received",
                            "completions", "queue", "queue_highest")}
    total = sum(1 << number % 17 for number in range(MESSAGES)) * ends
    of_program = {
        "messages_sent": number(r"rank {rank} .*sent (\d+) messages"),
        "bytes_sent": number(r"rank {rank} .*sent \d+ messages \((\d+) bytes"),
        "messages_received": number(r"rank {rank} .*received (\d+)"),
        "bytes_received": number(r"rank {rank} .*received \d+ \((\d+) bytes"),
        "messages_injected": number(r"rank {rank}: (\d+) injected"),
        "completions": number(r"rank {rank}: .* (\d+) completions"),
    }
    variables = number(r"witness {rank}: (\d+) control variables")
    of_libfabric = number(r"witness {rank}: .* (\d+) FI,")
    facts = {
        "the tool finds nothing wrong": number(r"witness {rank}: (\d+) broken") == 0,
        "both count the same": all(counted[name] == value for name, value in of_program.items()),
        "messages are as many as were sent": of_program["messages_sent"] == of_program["messages_received"] == MESSAGES * ends,
        "bytes are as many as were sent": of_program["bytes_sent"] == of_program["bytes_received"] == total,
        "what was not injected was completed": counted["completions"] + counted["messages_injected"] == 2 * MESSAGES * ends,
        "the queue was used and is empty": counted["queue"] == 0 and 0 < counted["queue_highest"] <= 64 * ends,
        "the layer's control variables are seen": number(r"witness {rank}: .* (\d+) FABRIC") == 5,
        "libfabric's are all in their category": number(r"witness {rank}: .* (\d+) in the category") == of_libfabric > 50,
        "the environment is told": number(r"witness {rank}: .* (\d+) of") == number(r"witness {rank}: .* of (\d+) set") >= 2,
        "the MPI's own are seen": variables - of_libfabric - 5 >= least_of_the_mpi,
    }
    broken = [fact for fact, holds in facts.items() if not holds]
    if broken:
        sys.exit(f"rank {rank}: not true that {', that '.join(broken)}")


def main():
    mpi, border = sys.argv[1], sys.argv.index("--")
    c_compiler, compiler = sys.argv[2:border], sys.argv[border + 1:]
    libfabric = flags_of_libfabric()
    if libfabric is None:
        print("skipped: libfabric is not installed")
        return 77
    launch, beside, variables = [], [], {}
    if mpi != "alone":
        programs = [shutil.which(f"{name}.{mpi}") for name in ("mpicc", "mpicxx", "mpiexec")]
        if None in programs:
            print(f"skipped: {mpi} is not installed")
            return 77
        variables = {"MPICH_CC": " ".join(c_compiler), "MPICH_CXX": " ".join(compiler),
                     "OMPI_CC": " ".join(c_compiler), "OMPI_CXX": " ".join(compiler)}
        as_root = ["--allow-run-as-root", "--oversubscribe"] if mpi == "openmpi" else []
        launch = [programs[2], "-n", "2", *as_root]
        c_compiler, compiler, beside = [programs[0]], [programs[1]], BESIDE
    with tempfile.TemporaryDirectory() as folder:
        layer, tool, program = (f"{folder}/{name}" for name in ("libfabric_layer.so", "witness.so", "ping"))
        # Beside an MPI the same code runs as alone, where it is optimised.
        flags = ["-std=c++20", "-O0" if beside else "-O2", "-g", "-I", ROOT / "include", *WARNINGS, *beside]
        sources = [LAYER / name for name in ("fabric.cpp", "parameters.cpp", "shims.cpp")]
        run(*compiler, *flags, "-fPIC", "-shared", *sources, *libfabric, "-o", layer, **variables)
        run(*compiler, *flags, LAYER / "ping.cpp", layer, f"-Wl,-rpath,{folder}", "-o", program, **variables)
        run(*c_compiler, "-std=c11", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-I", ROOT / "include",
            *(["-DBESIDE_AN_MPI"] if beside else []), HERE / "witness.c", *libfabric, "-o", tool, **variables)
        preload = ["env", f"LD_PRELOAD={tool}", *(f"{name}={value}" for name, value in PARAMETERS.items())]
        for provider in PROVIDERS if mpi == "alone" else PROVIDERS[:2]:
            output = run(*launch, *preload, f"FABRIC_PROVIDER={provider}", program, MESSAGES)
            for rank in range(2 if launch else 1):
                expect_whole(output, rank, 1 if launch else 2, 100 if launch else 0)
    return 0


sys.exit(main())
