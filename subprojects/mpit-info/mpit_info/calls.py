"""The layer that counts calls of MPI functions, and the regions of the program: what the agents are asked for,
`calls.request(options)`, and the libraries that are preloaded for it, `calls.libraries(directory, request)`.
"""

import os

from mpit_info import agents

# Stands in front of the functions of an MPI, and passes the calls on until an agent counts them.
LIBRARY = "libmpit-calls.so"
# Knows the regions of each thread.
REGIONS = "libmpit-regions.so"
NVTX = "NVTX_INJECTION64_PATH"


def request(options):
    """The properties of the request; those that are false are left out."""
    flags = {name: True for name in ("split", "peers", "network", "regions") if getattr(options, name)}
    # Of most MPIs regions have nothing but their calls.
    return {"calls": "yes" if options.regions and options.calls == "auto" else options.calls, **flags}


def variables(directory, asked):
    """The variables of the environment by which NVTX finds the library of regions, unless the user has a tool for NVTX."""
    library = os.path.join(directory, REGIONS)
    if not asked.get("regions", False) or os.environ.get(NVTX) or not os.path.exists(library):
        return {}
    return {NVTX: library}


def libraries(directory, asked):
    """The libraries to preload, in their order."""
    wanted = [(LIBRARY, asked.get("calls", "no") != "no"), (REGIONS, asked.get("regions", False))]
    paths = [os.path.join(directory, library) for library, is_wanted in wanted if is_wanted]
    return [os.path.join(directory, agents.LIBRARY), *filter(os.path.exists, paths)]
