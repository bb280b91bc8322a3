"""Runs a program alone and under mpit-info, and tells where the two differ: `comparison.differences(comparison.Entry(["program"]), "watch")`.

Each run has an environment variable of its own, by which its processes are found again: none of them outlives its entry.
"""

import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import time
import typing
import uuid

import built
import tool

# After so long, a run hangs: many times what it takes on a machine that does nothing else.
LIMIT = 100
MARK = "MPIT_INFO_TORTURED"
# The ways to run the tool. What it has to say itself goes nowhere, so that the outputs are those of the program alone.
TOOLS = {
    "init": ["--output", "/dev/null"],
    "end": ["--at", "end", "--output", "/dev/null"],
    "watch": ["watch", "--rate", "1000", "--output", "/dev/null"],
    "screen": ["watch", "--output", "/dev/null"],
}
OWN_LINE = re.compile(rb"mpit-info: [^\n]*\n")
# Of a terminal: what is drawn elsewhere before the cursor comes back, and other sequences.
ESCAPE = re.compile(rb"(?s)\x1b7.*?\x1b8|\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[0-Z\\-_=>])")

# Sequences of the view, and keys that the terminal shows as soon as they are typed.
TYPED = re.compile(ESCAPE.pattern + rb"|\^[CZ\\]")


@dataclasses.dataclass
class Entry:
    """What is run: `{file}` in its words is a file of the run, whose content is compared as well."""
    words: list
    around: list = dataclasses.field(default_factory=list)  # words in front of all others, those of the tool as well
    options: list = dataclasses.field(default_factory=list)  # of the tool
    given: bytes = b""                                       # standard input
    typed: list = dataclasses.field(default_factory=list)   # on a terminal: pairs of what is awaited and what is typed then
    drive: typing.Callable = None                            # is called with the process, when the program has printed "ready"
    normal: typing.Callable = bytes                          # takes out of outputs what differs between two runs
    variables: dict = dataclasses.field(default_factory=dict)
    shown: bool = False                                      # what the tool has to say follows the output of the program
    ended: bool = False                                      # a listing ends the program where its MPI has started
    killed: bool = False                                     # the tool does not live to tell a status


@dataclasses.dataclass
class Outcome:
    status: object
    output: bytes
    errors: bytes
    file: bytes
    left: int


def processes_of(mark):
    wanted = f"{MARK}={mark}".encode()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def end_all(mark, patience):
    """Gives the processes of a run some time to end, then kills them; how many that were."""
    limit = time.monotonic() + patience
    while (left := list(processes_of(mark))) and time.monotonic() < limit:
        time.sleep(0.05)
    for process in left:
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
    return len(left)


def awaited(running, wanted=b"ready\n"):
    """Reads from the process until it has printed this; what was read."""
    read = b""
    while wanted not in read:
        if not select.select([running.stdout], [], [], LIMIT)[0]:
            break
        data = os.read(running.stdout.fileno(), 4096)
        if not data:
            break
        read += data
    return read


def through_pipes(entry, words, environment):
    with subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          bufsize=0, start_new_session=True) as running:
        begin = b""
        try:
            if entry.drive:
                begin = awaited(running)
                entry.drive(running)
            output, errors = running.communicate(entry.given, timeout=LIMIT)
            return running.returncode, begin + output, errors
        except subprocess.TimeoutExpired as late:
            end_all(environment[MARK], 0)
            return "hangs", begin + (late.output or b""), late.stderr or b""


def on_terminal(entry, words, environment):
    """Runs the words on a terminal that controls them; the status and what the terminal got."""
    leader, follower = tool.terminal()
    with subprocess.Popen(["setsid", "--ctty", *words], env={**environment, "TERM": "xterm-256color"}, stdin=follower,
                          stdout=follower, stderr=follower) as running:
        os.close(follower)
        read, seen, typed = bytearray(), 0, list(entry.typed)
        limit = time.monotonic() + LIMIT
        while time.monotonic() < limit:
            if select.select([leader], [], [], 0.1)[0]:
                try:
                    data = os.read(leader, 1 << 16)
                except OSError:
                    break
                read += data
                if not data:
                    break
            if typed and (at := read.find(typed[0][0], seen)) >= 0:
                seen = at + len(typed[0][0])
                answer = typed.pop(0)[1]
                if callable(answer):
                    answer(running)
                else:
                    os.write(leader, answer)
            if running.poll() is not None and not select.select([leader], [], [], 0)[0]:
                break
        hangs = running.poll() is None and time.monotonic() >= limit
        if hangs:
            end_all(environment[MARK], 0)
        os.close(leader)
        status = running.wait()
        return "hangs" if hangs else status, bytes(read), b""


def run(entry, way=None):
    """Runs the entry alone, or under the tool. The way is None or "terminal", a key of TOOLS, a tuple of words of the tool, or a
    function that runs a program: it takes the entry, the words and the environment, and returns the status and both outputs."""
    mark = uuid.uuid4().hex
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "file")
        words = [str(word).replace("{file}", file) for word in entry.words]
        if way not in (None, "terminal") and not callable(way):
            options = way if isinstance(way, tuple) else TOOLS[way]
            options = options[:-2] if entry.shown else options
            own = [word.replace("{file}", file + ".own") for word in entry.options]
            words = tool.command(*options, *own, "--agents", built.FOLDER, "--", *words)
        environment = tool.environment(**{**built.AS_ROOT, MARK: mark, "TMPDIR": folder, **entry.variables})
        through = way if callable(way) else on_terminal if way in ("terminal", "screen") else through_pipes
        status, output, errors = through(entry, [*entry.around, *words], environment)
        left = end_all(mark, 5)
        content = pathlib.Path(file).read_bytes() if os.path.exists(file) else b""
    return Outcome(status, output, errors, content, left)


def shell_status(outcome):
    """The status as a shell sees it, which is what the tool ends with."""
    return 128 - outcome.status if isinstance(outcome.status, int) and outcome.status < 0 else outcome.status


def place(text, other):
    at = next((i for i, (a, b) in enumerate(zip(text, other)) if a != b), min(len(text), len(other)))
    return f"at byte {at} of {len(other)}: {text[max(at - 40, 0):at + 120]!r}, alone {other[max(at - 40, 0):at + 120]!r}"


def compared(entry, way, alone, under):
    """Yields what is not as it was alone."""
    if under.status == "hangs":
        yield f"hangs, after {under.output[-200:]!r} {under.errors[-400:]!r}"
        return
    if way == "init":
        # The status of a listing is its own: 2 where no process had anything to tell.
        if under.status not in (0, 2):
            yield f"status {under.status}"
    elif shell_status(under) != (128 + signal.SIGKILL if entry.killed else shell_status(alone)):
        yield f"status {under.status}, alone {alone.status}"
    if way == "screen":
        text, at = TYPED.sub(b"", under.output), 0
        for line in filter(None, (line.strip(b"\r") for line in TYPED.sub(b"", alone.output).split(b"\n"))):
            found = text.find(line, at)
            if found < 0:
                yield f"the line {line[:100]!r} does not come, where there is {text[at:at + 300]!r}"
                break
            at = found + len(line)
    else:
        outputs = [("output", entry.normal(under.output), entry.normal(alone.output)),
                   ("errors", entry.normal(OWN_LINE.sub(b"", under.errors)), entry.normal(alone.errors))]
        for name, text, other in outputs:
            if way == "init" and entry.ended:
                if not other.startswith(text):
                    yield f"{name}, {place(text, other)}"
            elif entry.shown and name == "output" and text.startswith(other):
                continue
            elif text != other:
                yield f"{name}, {place(text, other)}"
    if under.file != alone.file and not (way == "init" and entry.ended):
        yield f"file, {place(under.file, alone.file)}"
    if b"Traceback" in under.errors:
        yield under.errors[-500:].decode(errors="replace")
    if under.left > alone.left:
        yield f"{under.left} processes are left, alone {alone.left}"


class Runs:
    """All runs of some entries, at the same time: `Runs(entries).differences(name)`."""

    def __init__(self, entries, workers):
        self.pool = concurrent.futures.ThreadPoolExecutor(workers)
        self.entries, self.started = entries, {}
        for name, (entry, ways) in entries.items():
            self.started[name] = {way: self.pool.submit(run, entry, way) for way in ways}

    def differences(self, name):
        """A list of what differs, each with the way in which the tool was run; the first of the ways is the one without it."""
        entry, ways = self.entries[name]
        runs = {way: started.result() for way, started in self.started[name].items()}
        alone = runs[ways[0]]
        found = [f"alone it hangs: {alone.output[-300:]!r} {alone.errors[-300:]!r}"] if alone.status == "hangs" else []
        for way in ways[1:]:
            found += [f"{way}: {what}" for what in compared(entry, way, alone, runs[way])]
        return found
