"""The environment of the job, apart from that of the tool: `job_environment.keep_for_the_job()`, `job_environment.of_the_job(...)`.

A user preloads libraries for the job. The tool restarts itself without them, since a library for an MPI may change the
handling of signals or the end of a process. The job gets them unchanged.
"""

import os
import sys

from mpit_info.refusal import Refusal

# Variables that make the dynamic linker load libraries, and the variables that keep their values for the job.
KEPT = {"LD_PRELOAD": "MPIT_INFO_KEPT_PRELOAD", "LD_AUDIT": "MPIT_INFO_KEPT_AUDIT"}


def keep_for_the_job():
    """Restarts this process without preloaded libraries; returns if there are none."""
    kept = {name: os.environ[name] for name in KEPT if os.environ.get(name)}
    if not kept or not sys.executable:
        return
    environment = {name: value for name, value in os.environ.items() if name not in (*KEPT, *KEPT.values())}
    environment.update({KEPT[name]: value for name, value in kept.items()})
    # Python 3.9 does not keep its own arguments.
    with open("/proc/self/cmdline", "rb") as file:
        words = [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    os.execve(sys.executable, [sys.executable, *words[1:]], environment)


def as_given():
    """The environment with which the tool was started."""
    environment = {name: value for name, value in os.environ.items() if name not in KEPT.values()}
    return {**environment, **{name: os.environ[kept] for name, kept in KEPT.items() if kept in os.environ}}


def of_the_job(libraries, **more):
    """The environment with which the tool was started, with these libraries before all preloaded libraries."""
    for path in libraries:
        if any(letter in path for letter in " :$"):
            raise Refusal(f"{path} has a blank, a colon or a dollar sign in its path, which LD_PRELOAD cannot name")
    library = ":".join(libraries)
    environment = as_given()
    before = environment.get("LD_PRELOAD")
    # The address sanitizer refuses a program with a library before its own, which is harmless here.
    asked = [environment["ASAN_OPTIONS"]] if environment.get("ASAN_OPTIONS") else []
    return {**environment, "LD_PRELOAD": f"{library}:{before}" if before else library,
            "ASAN_OPTIONS": ":".join([*asked, "verify_asan_link_order=0"]), **more}
