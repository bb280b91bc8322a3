"""The layer that counts calls of MPI functions: what the agents are asked for, `calls.request(options)`, and the libraries that are
preloaded for it, `calls.libraries(directory, request)`.
"""

import os

from mpit_info import agents

# Stands in front of the functions of an MPI, and passes the calls on until an agent counts them.
LIBRARY = "libmpit-calls.so"


def request(options):
    """The properties of the request; those that are false are left out."""
    flags = {name: True for name in ("split", "peers", "network") if getattr(options, name)}
    return {"calls": options.calls, **flags}


def libraries(directory, asked):
    """The libraries to preload, in their order."""
    counting = os.path.join(directory, LIBRARY)
    has_calls = asked.get("calls", "no") != "no" and os.path.exists(counting)
    return [os.path.join(directory, agents.LIBRARY), *([counting] if has_calls else [])]
