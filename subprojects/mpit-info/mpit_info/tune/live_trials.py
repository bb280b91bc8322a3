"""Measurements within one run, for `tune --live`: `trials.measure(candidate)` sets the values in the running program, and returns what
a performance variable does in the seconds after that.

The program is started as by `mpit-info resident`, and again when it has ended.
"""

import contextlib
import subprocess
import tempfile
import time
import types

from mpit_info import attach, call_folders, calls, job_end, job_environment, reaching, signals, words
from mpit_info.document import clean
from mpit_info.history import History
from mpit_info.refusal import Refusal
from mpit_info.tune import at_once, setting, trial

# Seconds until all processes must answer, between two looks, and from the end of a process to that of its launcher; the samples of a
# measurement.
PATIENCE, PAUSE, LAUNCHER, SAMPLES = 60.0, 0.05, 5.0, 20
# Seconds for the first call of a function, which has no variables before.
FIRST_CALL = 10.0
NEVER = "MPI_T_ERR_CVAR_SET_NEVER"


class Change:
    """A performance variable within one measurement: the growth a second, or of other classes the mean."""
    needs_agent, unit = True, ""

    def __init__(self, of):
        self.name, self.over, self.of_run = of.name, of.over, of
        self.text = f"{of.text}, a second if it grows"

    def of(self, outcome):
        """The number over all ranks, objects and elements of the variable."""
        history = outcome.history
        for process in history.ordered():
            if process.first and process.last[0] > process.first[0]:
                break
        else:
            raise trial.Failure("sent fewer than two samples")
        return self.of_run.of(types.SimpleNamespace(history=Changes(history)))


class Changes:
    """A history whose figures are changes."""

    def __init__(self, history):
        self.history, self.columns = history, history.columns

    def ordered(self):
        """The processes."""
        return self.history.ordered()

    def figure(self, process, column):
        """The growth a second since the first sample, or a mean."""
        return process.rate(column) if column.class_ in words.GROWING else process.mean(column)


def changed_at_once(names, document):
    """Those of the control variables that several processes must change together, by their scope."""
    scopes = {control["name"]: control["scope"] for control in document["control_variables"]}
    return [name for name in names if document["mpi"]["processes"] > 1 and scopes.get(name, "").startswith(("group", "all"))]


class LiveTrials(trial.Trials):
    """The measurements of one command, each so many seconds long."""

    def __init__(self, command, metric, directory, seconds, listen=None):
        super().__init__(command, Change(metric), directory, None, listen)
        self.seconds, self.present, self.ranks, self.program, self.pids, self.starts = seconds, {}, 1, None, [], 0
        self.at_once, self.taken = [], {}
        self.output = tempfile.TemporaryFile()

    def close(self):
        """Ends the program."""
        if self.program:
            job_end.end(self.program)
        self.output.close()

    def check(self, ways, present, document):
        """Takes what is known of the program. Refuses settings that no running program has."""
        for name, way in ways.items():
            if not way.control or present.get(name) is None:
                raise Refusal(f"--live changes control variables while the program runs; {name} is none that it has")
        self.present, self.ranks = present, max(document["mpi"]["processes"], 1)
        self.at_once = changed_at_once(ways, document)

    def start(self):
        """Starts the program unless it runs, and waits for all of its processes."""
        if self.program and self.program.poll() is None and self.pids:
            return
        if self.program:
            job_end.end(self.program)
        asked = {"calls": "auto"}
        # The operations of a rank are counted from the start on.
        more = {"MPIT_INFO_AGENTS": self.directory, "MPIT_AGENT": "resident", call_folders.VARIABLE: call_folders.NO_FILE}
        environment = job_environment.of_the_job(calls.libraries(self.directory, asked), **more, **setting.environment(self.ways, ()))
        try:
            self.program = subprocess.Popen(setting.command(self.ways, (), self.command), env=environment, stdin=subprocess.DEVNULL,
                                            stdout=self.output, stderr=self.output)
        except OSError as problem:
            raise Refusal(f"cannot run {self.command[0]}: {problem.strerror}") from None
        self.starts += 1
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit and self.program.poll() is None:
            self.pids = reaching.with_agents(reaching.below(self.program.pid))
            if len(self.pids) >= self.ranks:
                return
            time.sleep(PAUSE)
        last = clean((trial.tail_of(self.output).strip().splitlines() or [""])[-1])
        raise Refusal(f"not all of the {words.plural(self.ranks, 'process')} answered" + (f"; the last line is: {last}" if last else ""), 1)

    def assign(self, candidate):
        """Sets these values in all processes, and the present ones of the other variables."""
        try:
            with at_once.held(self.pids) if self.at_once else contextlib.nullcontext(lambda: None) as check:
                try:
                    self.write({**self.present, **dict(candidate)})
                    check()
                except (trial.Failure, at_once.Apart):
                    with contextlib.suppress(trial.Failure):
                        self.write(self.present)
                    raise
        except at_once.Apart as problem:
            raise trial.Failure(f"does not change {' and '.join(map(clean, self.at_once))}: {problem}") from None

    def write(self, values):
        """Writes these values in one process after the other."""
        for name, value in values.items():
            for pid in self.pids:
                request = {"want": "set", "name": name, "value": self.taken.get((name, value), str(value))}
                for one in reaching.answer(pid, request)["values"]:
                    if "error" in one:
                        hint = "; without --live, tune starts the program again for each value" if one["error"] == NEVER else ""
                        raise trial.Failure(f"does not take {name}={value}: {clean(str(one.get('problem', one['error'])))}{hint}")

    def with_values(self, candidate, work):
        """What the work returns in the program with these values. If the program ends meanwhile, both are done in a new run, once."""
        for is_last in (False, True):
            try:
                self.start()
                self.assign(candidate)
                return work()
            except (Refusal, trial.Failure):
                if is_last or not self.has_ended():
                    raise
        return None

    def has_ended(self):
        """Whether the program, or the MPI of one of its processes, has ended. A launcher ends after its processes."""
        for seconds in (PAUSE, LAUNCHER):
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.program is not None and self.program.wait(seconds) is not None
            if len(reaching.with_agents(self.pids)) == len(self.pids):
                return False
        self.pids = []
        return True

    def measure(self, candidate):
        """The result of a measurement, and its time."""
        began = time.monotonic()
        result = self.with_values(candidate, lambda: self.metric.of(types.SimpleNamespace(history=self.watched())))
        return result, time.monotonic() - began

    def check_value(self, name, value, taken):
        """Raises Failure if the program does not take this value, which was `taken` in a start with it."""
        self.taken[name, value] = taken
        self.with_values(((name, value),), lambda: None)

    def is_enough(self, history):
        """Whether the samples of all processes span the time."""
        told = [process for process in history.processes.values() if process.first]
        return len(told) == len(self.pids) and all(process.last[0] - process.first[0] >= self.seconds for process in told)

    def watched(self):
        """What the processes send until the samples of each of them span these seconds."""
        request = {"want": "watch", "rate": max(SAMPLES / self.seconds, 1), "variables": [self.metric.name], "events": [], "calls": "yes"}
        source, history, begin = attach.Attached(self.pids, request), History(), time.monotonic()
        with contextlib.closing(source.messages()) as messages:
            for process, message in messages:
                if message is not None:
                    history.accept(process, message)
                more = time.monotonic() - begin - self.seconds
                if self.is_enough(history) and (history.columns or more > FIRST_CALL) or more > PATIENCE:
                    break
        for number in source.received:
            raise signals.Interrupted(number)
        if not self.is_enough(history):
            raise trial.Failure("ends before a measurement does")
        return history
