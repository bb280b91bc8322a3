"""The command resident: runs a program in whose processes agents sleep, or prints the variables for a job script.

    mpit-info resident -- mpiexec -n 4 ./program        eval "$(mpit-info resident)"
"""

import os
import shlex

from mpit_info import agents, call_folders, calls, job_environment
from mpit_info.refusal import Refusal


def show(options):
    """Replaces the tool by the program, or prints the variables."""
    directory = agents.folder(options)
    asked = {"calls": "auto", "regions": options.regions}
    more = {"MPIT_AGENT": "resident", "MPIT_INFO_AGENTS": directory, **calls.variables(directory, asked)}
    if options.log_calls:
        more[call_folders.VARIABLE] = call_folders.of_user() or call_folders.new()
    environment = job_environment.of_the_job(calls.libraries(directory, asked), **more)
    if not options.program:
        for name in (*more, "LD_PRELOAD", "ASAN_OPTIONS"):
            print(f"export {name}={shlex.quote(environment[name])}")
        return 0
    try:
        return os.execvpe(options.program[0], options.program, environment)
    except OSError as problem:
        status = 127 if isinstance(problem, FileNotFoundError) else 126
        raise Refusal(f"cannot run {options.program[0]}: {problem.strerror}", status) from None
