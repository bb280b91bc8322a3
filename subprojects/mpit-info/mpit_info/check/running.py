"""Runs each check as a process of its own: `for result in running.results(program, facts, wanted, checks, limit): ...`."""

import collections
import concurrent.futures
import os
import re
import resource
import signal
import subprocess

from mpit_info import words
from mpit_info.check import suite

# `verdict` is one of VERDICTS; `seen` what the check saw, `at` the variable at which it was, `calls` the calls that led
# there, and `since` those of them for the variable.
Result = collections.namedtuple("Result", "check verdict seen at calls since in_callback")
VERDICTS = {"passed": "passed", "failed": "failed", "crashed": "ended the process", "hung": "did not end", "open": "the MPI's choice",
            "nothing": "nothing to check"}
BROKEN = ("failed", "crashed", "hung")
# The checks that allocate a handle of each variable: what ends them is left out of the others.
FIRST = ("CVAR-11", "HNDL-01")
MOST_LEFT_OUT = 100
NOTHING = 77


class Runner:
    """Runs checks with a program; `left_out` are the variables that have ended one of the first checks. A check of one process works in
    `folder`, because libraries such as psm2 write files where a process ends by a signal."""

    def __init__(self, program, facts, wanted, environment, limit, folder):
        self.program, self.facts, self.wanted, self.environment, self.limit, self.folder = program, facts, wanted, environment, limit, folder
        self.left_out = []

    def output_of(self, check):
        """What the processes of a check print, and their status; None as the status if they did not end in time."""
        launcher = self.wanted.launcher if check.processes else []
        left_out = "".join(f"\n{each}" for each in self.left_out) + "\n"
        process = subprocess.Popen([*launcher, *self.program, suite.function(check.name)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True,
                                   cwd=None if check.processes else self.folder,
                                   env={**self.environment, "MPIT_INFO_CHECK_WITHOUT": left_out},
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        try:
            output, errors = process.communicate(timeout=self.limit)
            return output, errors, process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            return output, errors, None

    def run(self, check):
        """The result of one check."""
        if suite.function(check.name) not in self.facts.names:
            return Result(check, "nothing", f"the MPI's header is of MPI-{self.facts.standard}, without events", "", [], [], [])
        if check.processes and not self.wanted.launcher:
            return Result(check, "nothing", "there is no launcher for two processes", "", [], [], [])
        output, errors, status = self.output_of(check)
        return self.result_of(check, output.splitlines(), errors, status)

    def result_of(self, check, lines, errors, status):
        """The result, from what the processes have printed."""
        verdicts = [int(line.split()[1]) for line in lines if re.fullmatch(r"result \d+", line)]
        # Only what came before the verdict belongs to it; of several processes, before that of the first one that is wrong.
        wrong = "result 1" if 1 in verdicts else "result "
        lines = lines[:next((number for number, line in enumerate(lines) if line.startswith(wrong)), len(lines))]
        calls, since, in_callback, at = trace(lines)
        seen = [line for line in lines if not re.match(r"(do |at |result |in callback: )", line)]
        if status is None:
            return Result(check, "hung", f"no end in {self.limit:g} s", at, calls, since, in_callback)
        if not verdicts or check.processes and status != 0 and 1 not in verdicts:
            return Result(check, "crashed", how_ended(status, errors), at, calls, since, in_callback)
        seen = seen[-1] if seen else ""
        if calls and re.match(r"MPI_T_\w+\(", seen):
            # The call with its values in the place of the expressions of the check.
            seen = re.sub(r"^MPI_T_\w+\(.*?\)(?= returned)", lambda _: calls[-1], seen)
        verdict = "failed" if 1 in verdicts else "nothing" if NOTHING in verdicts else "open" if check.kind == "open" else "passed"
        if verdict == "passed":
            return Result(check, verdict, "", "", [], [], [])
        return Result(check, verdict, self.named(seen), at if verdict == "failed" else "",
                      calls if verdict == "failed" else [], since, in_callback)

    def named(self, sentence):
        """The sentence with the names of error codes in the place of their numbers."""
        sentence = re.sub(r"returned (-?\d+), not -?\d+, (\w+)", lambda found: f"returned {self.code(found[1])}, not {found[2]}", sentence)
        return re.sub(r"returned (-?\d+)(?! \()", lambda found: f"returned {self.code(found[1])}", sentence)

    def code(self, number):
        """The name of an error code."""
        return self.facts.codes.get(int(number), f"the code {number}")

    def run_first(self, check):
        """The result of a check that finds the variables that end the process; they are left out, and the check is run again."""
        results = []
        while len(results) < MOST_LEFT_OUT:
            result = self.run(check)
            results.append(result)
            found = re.match(r"((?:control|performance) variable \d+)\b", result.at)
            if result.verdict not in ("crashed", "hung") or not found or found[1] in self.left_out:
                break
            self.left_out.append(found[1])
        ended = [each for each in results if each.verdict in ("crashed", "hung")]
        if not ended:
            return results[-1]
        names = [each.at.partition(", ")[2] for each in ended]
        more = f"; in all {len(names)} variables: {', '.join(names)}" if len(names) > 1 else ""
        return ended[0]._replace(seen=ended[0].seen + more)


def trace(lines):
    """The calls of a failure: those before the first variable, and those since the last one, and those of a callback."""
    before, since, in_callback, at = [], [], [], ""
    for line in lines:
        if line.startswith("at "):
            at, since, in_callback = line[3:], [], []
        elif line.startswith("do "):
            (since if at else before).append(line[3:])
        elif line.startswith("in callback: ") and line[13:] not in in_callback:
            in_callback.append(line[13:])
    return before + since, since, in_callback, at


def how_ended(status, errors):
    """How the process ended: the signal, and the last line that it has printed about it."""
    last = next((line.strip() for line in reversed(errors.splitlines()) if re.match(r"(?![\d\[/]).*(?i:assert|abort|fatal)", line.strip())), "")
    number = -status if status < 0 else status - 128 if 128 < status < 160 else 0
    name = f"it ended by {signal.Signals(number).name}" if number else f"it ended with the status {status}"
    return f"{name}: {last}" if last else name


def results(runner, checks, progress):
    """The results in the order of the checks; `progress(n)` is told how many are there."""
    first = [check for check in checks if check.name in FIRST]
    done = {}
    for check in first:
        done[check.name] = runner.run_first(check)
        progress(len(done))
    with concurrent.futures.ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        waited = {pool.submit(runner.run, check): check for check in checks if check not in first and not check.processes}
        for each in concurrent.futures.as_completed(waited):
            done[waited[each].name] = each.result()
            progress(len(done))
    # Launchers have all processors for themselves.
    for check in checks:
        if check.name not in done:
            done[check.name] = runner.run(check)
            progress(len(done))
    return [done[check.name] for check in checks]


def summary(found):
    """The sentence about all results."""
    required = [each for each in found if each.check.kind == "required"]
    broken = [each for each in required if each.verdict in BROKEN]
    advised = [each for each in found if each.check.kind == "recommended" and each.verdict in BROKEN]
    kept = [each for each in required if each.verdict == "passed"]
    nothing = [each for each in found if each.verdict == "nothing"]
    return (f"Of {words.plural(len(required), 'required rule')} {len(kept)} are kept and {len(broken)} broken; "
            f"{words.plural(len(advised), 'recommendation')} {'is' if len(advised) == 1 else 'are'} not followed; "
            f"{words.plural(len(nothing), 'check')} had nothing to check.")
