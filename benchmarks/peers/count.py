# The same comparison without noise: the instructions of each call, the MPI's among them, as valgrind's callgrind counts
# them in the programs that run.py has built.
#     count.calls(folder, pool)

import collections
import os
import pathlib
import re
import subprocess
import tempfile

FUNCTION = re.compile(r"^P?MPI_T_(\w+)$")
# Which calls of which leg.
WANTED = {"own": ["own", "all"], "mpich": ["host", "all"], "mpich-stacked": ["own", "host", "all"],
          "openmpi": ["host", "all"], "openmpi-stacked": ["own", "host", "all"]}


def profile_of(folder, leg, owner):
    """What callgrind has written about all calls of one owner."""
    mpi = leg.split("-")[0]
    variables = {"OMPI_MCA_ess_singleton_isolated": "1"}
    if "stacked" in leg:
        variables["LD_PRELOAD"] = str(folder / f"{mpi}.so")
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", "--compress-strings=no",
                   "--compress-pos=no", folder / f"peers-{mpi}",
                   "--benchmark_min_time=0.01", f"--benchmark_filter=^peers/{owner}/"]
        subprocess.run([str(word) for word in command], env={**os.environ, **variables}, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return pathlib.Path(out.name).read_text(encoding="utf-8", errors="replace")


def instructions_in(profile):
    """The instructions of one call of each function, on the average, at the place that calls it most often."""
    places = collections.defaultdict(lambda: [0, 0])
    caller = callee = None
    calls = 0
    for line in profile.splitlines():
        if line.startswith("fn="):
            caller = line[3:]
        elif line.startswith("cfn="):
            callee = line[4:]
        elif line.startswith("calls="):
            calls = int(line[6:].split()[0])
        elif calls != 0:
            function = FUNCTION.match(callee.split("'")[0])
            # Functions that the shims call are part of the call.
            if function and "mpit::" not in caller and not FUNCTION.match(caller.split("'")[0]):
                place = places[function[1], caller]
                place[0] += calls
                place[1] += int(line.split()[1])
            calls = 0
    most = {}
    for (function, _), (count, instructions) in places.items():
        if count > most.get(function, (10, 0))[0]: # fewer belong to the preparation
            most[function] = (count, instructions)
    return {function: instructions / count for function, (count, instructions) in most.items()}


def calls(folder, pool):
    """The instructions of one call, by leg, owner and function; a pool of threads runs the legs."""
    started = {(leg, owner): pool.submit(profile_of, folder, leg, owner) for leg, owners in WANTED.items()
               if (folder / f"peers-{leg.split('-')[0]}").is_file() for owner in owners}
    return {f"{leg}/{owner}/{function}": instructions for (leg, owner), profile in started.items()
            for function, instructions in instructions_in(profile.result()).items()}
