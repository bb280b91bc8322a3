"""Stores messages in a file and replays them: `Recorder(path, command)`, `Replay(path, 1).messages()`.

The file has one JSON object a line: a first line about the run, messages with the number of their process, and a last
line with the status.
"""

import json
import time

from mpit_info import measured, messages, schema, words
from mpit_info.refusal import Refusal

FORMAT = "mpit-info stream 1"
BUFFER = 8192


class Recorder:
    """Writes a record; `with` closes it. A full disk ends the record and nothing else."""

    def __init__(self, path, command, **facts):
        self.path, self.problem = path, None
        try:
            # A killed run loses the buffer. Python 3.14 would have one of 128 KB.
            self.file = open(path, "w", buffering=BUFFER, encoding="ascii")
        except OSError as problem:
            raise Refusal(f"cannot write {path}: {problem.strerror}") from None
        job = measured.job_of()
        self.write({"message": "recording", "format": FORMAT, "program": command, **({"job": job} if job else {}), **facts})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def write(self, message):
        """Writes one line of printable ASCII."""
        if self.file.closed:
            return
        try:
            self.file.write(json.dumps(message, separators=(",", ":")).replace("\x7f", "\\u007f") + "\n")
        except OSError as problem:
            self.problem = problem.strerror
            self.close()

    def close(self):
        """Ends the record."""
        try:
            self.file.close()
        except OSError as problem:
            self.problem = self.problem or problem.strerror

    def flush(self):
        """Writes everything to the file, for readers of a run that has not ended."""
        try:
            if not self.file.closed:
                self.file.flush()
        except OSError as problem:
            self.problem = problem.strerror
            self.close()

    def add(self, number, message):
        """Stores a message of a process."""
        self.write({"process": number, **message})

    def finish(self, status, problems=()):
        """Stores the status of the program and the omissions; returns sentences about messages missing in the record.
        """
        self.write({"message": "status", "status": status, **({"problems": list(problems)} if problems else {})})
        self.close()
        return [f"the record {self.path} ends too early: {self.problem}"] if self.problem else []


class Replay:
    """A record instead of a program; it has the interface of launch.Run."""

    runs_program = False

    def __init__(self, path, speed):
        self.path, self.speed, self.status, self.command = path, speed, None, []
        self.left_out, self.told = {}, []
        try:
            self.file = open(path, "rb")
            head = messages.checked(schema.parsed(self.file.readline(messages.LONGEST)), of_record=True)
            if not head or head["message"] != "recording":
                raise schema.Misfit
            self.command, self.job, self.of_nodes = head.get("program", []), head.get("job", ""), head.get("nodes", False)
        except OSError as problem:
            raise Refusal(f"cannot read {path}: {problem.strerror}") from None
        except schema.Misfit:
            raise Refusal(f"{path} is not a record; write records with `mpit-info watch --record`") from None

    def problems(self):
        """Sentences about what was left out when the record was written, and now."""
        return self.told + words.first_few(
            [f"{self.path}, line {line} {why}; it was left out" for line, why in self.left_out.items()],
            lambda more: f"{more} more lines were left out")

    def lines(self):
        """Yields each complete and valid line, as the number of its process and its message."""
        with self.file:
            for number, line in enumerate(iter(lambda: self.file.readline(messages.LONGEST + 1000), b""), 2):
                # A killed run leaves an incomplete last line.
                if not line.endswith(b"\n"):
                    return
                try:
                    whole = schema.parsed(line)
                    message = messages.checked(whole, of_record=True)
                    process = whole.get("process", 0)
                    if type(process) is not int or not 0 <= process < 1 << 31:
                        raise schema.Misfit("has no process number")
                except schema.Misfit as misfit:
                    self.left_out[number] = str(misfit)
                    continue
                if message is not None:
                    yield process, message

    def messages(self):
        """Yields pairs of a process's number and its message; with a speed, not before the time when they came."""
        began, first, late = time.monotonic(), None, {}
        for process, message in self.lines():
            if message["message"] == "status":
                self.status, self.told = message["status"], message.get("problems", [])
                continue
            if message["message"] == "hello":
                # By the clock of the tool, if the record has it.
                heard = message.get("heard", message.get("began", first))
                first = heard if first is None else first
                late[process] = max(heard - first, 0) if heard is not None else 0
            due = (late.get(process, 0) + message["time"]) / self.speed if self.speed and "time" in message else 0
            while time.monotonic() - began < due:
                time.sleep(min(0.05, max(due - (time.monotonic() - began), 0.001)))
                yield None, None
            yield process, message
