"""One run of the program with the values of a candidate: `Trials(...).measure(candidate)`.

A metric of the agent loads it into the program; otherwise the program runs alone. Output is stored in files, and shown
if the program fails.
"""

import contextlib
import os
import subprocess
import tempfile
import time

from mpit_info import job_end, job_environment, launch, signals
from mpit_info.document import one_line
from mpit_info.history import History
from mpit_info.refusal import Refusal
from mpit_info.tune import setting, sweep

LONGEST_OUTPUT = 64 << 20


class Failure(Exception):
    """A run without a result, with the reason as a sentence."""


class Outcome:
    """A run that has ended: its time, output and history."""

    def __init__(self, seconds, output, history=None):
        self.seconds, self.output, self.history = seconds, output, history


class Trials:
    """The runs of one command; `limit` is the most seconds of one."""

    def __init__(self, command, metric, directory=None, limit=None, listen=None):
        self.command, self.metric, self.directory = command, metric, directory
        self.limit, self.listen, self.ways = limit, listen, {}

    def close(self):
        """Nothing runs between two runs."""

    def documents(self, candidate=sweep.AS_IT_IS, ways=None):
        """The documents of the program after MPI_Init with these values, by process; none without an agent."""
        if self.directory is None:
            return []
        found = {}
        with tempfile.TemporaryFile() as output:
            run = self.agent_run(candidate, {"want": "snapshot", "at": "init"}, output, ways or self.ways)
            for process, message in self.until_limit(run):
                if message and message.get("message") == "snapshot":
                    found[process] = message["document"]
        return [found[process] for process in sorted(found)]

    def agent_run(self, candidate, request, output, ways):
        """A run with the agent inside."""
        return launch.Run(setting.command(ways, candidate, self.command), request, self.directory, listen=self.listen,
                          variables=setting.environment(ways, candidate),
                          streams={"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output})

    def until_limit(self, run):
        """The messages of a run, which is ended if it takes longer than the limit, or by a signal."""
        began = time.monotonic()
        with contextlib.closing(run.messages()) as messages:
            for process, message in messages:
                yield process, message
                if run.received.intersection(signals.ENDS):
                    break
                if self.limit and time.monotonic() - began > self.limit:
                    job_end.end(run.program)
                    raise Failure(f"took longer than {self.limit:.3g} s")
            for number in run.received.intersection(signals.ENDS):
                job_end.end(run.program, number)
                raise signals.Interrupted(number)

    def measure(self, candidate):
        """The result of a run; raises Failure if the program fails."""
        with tempfile.TemporaryFile() as output:
            outcome = self.watched(candidate, output) if self.metric.needs_agent else self.alone(candidate, output)
        return self.metric.of(outcome), outcome.seconds

    def watched(self, candidate, output):
        """A run with the agent inside."""
        request = {"want": "watch", "rate": 10, "variables": [self.metric.name], "events": [], "calls": "auto"}
        run, history, began = self.agent_run(candidate, request, output, self.ways), History(), time.monotonic()
        for process, message in self.until_limit(run):
            if message is not None:
                history.accept(process, message)
        return self.outcome(run.program, run.status, time.monotonic() - began, output, history)

    def alone(self, candidate, output):
        """A run without the agent."""
        words = setting.command(self.ways, candidate, self.command)
        environment = {**job_environment.as_given(), **setting.environment(self.ways, candidate)}
        began = time.monotonic()
        try:
            program = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        except OSError as problem:
            raise Refusal(f"cannot run {words[0]}: {problem.strerror}",
                          127 if isinstance(problem, FileNotFoundError) else 126) from None
        try:
            status = program.wait(self.limit)
        except subprocess.TimeoutExpired:
            job_end.end(program)
            raise Failure(f"took longer than {self.limit:.3g} s") from None
        except KeyboardInterrupt as interruption:
            job_end.end(program, signals.status_of(interruption) - 128)
            raise
        return self.outcome(program, status if status >= 0 else 128 - status, time.monotonic() - began, output)

    def outcome(self, program, status, seconds, output, history=None):  # pylint: disable=too-many-arguments
        """The outcome of a program that has ended; of one that has failed nothing may run beside the next measurements."""
        text = tail_of(output)
        if status != 0:
            job_end.end(program)
            last = one_line((text.strip().splitlines() or [""])[-1])[:200]
            raise Failure(f"ended with status {status}" + (f": {last}" if last else ""))
        return Outcome(seconds, text, history)


def tail_of(output):
    """The end of an output, as a text."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(size - LONGEST_OUTPUT, 0))
    return output.read().decode(errors="replace")
