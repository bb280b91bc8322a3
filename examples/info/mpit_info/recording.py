"""What the processes told, kept in a file and shown again: `Recorder(path, command)`, `Replay(path, 1).messages()`.

The file has one JSON object a line: each is a message with the number of its process, between a first line about the
run and a last one with its status.
"""

import json
import time

from mpit_info.refusal import Refusal

FORMAT = "mpit-info stream 1"


class Recorder:
    """Writes a record; `with` closes it."""

    def __init__(self, path, command):
        try:
            self.file = open(path, "w", encoding="utf-8")
        except OSError as problem:
            raise Refusal(f"cannot write {path}: {problem.strerror}") from None
        self.write({"message": "recording", "format": FORMAT, "program": command})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, message):
        """Writes one line."""
        json.dump(message, self.file, separators=(",", ":"), ensure_ascii=False)
        self.file.write("\n")

    def add(self, number, message):
        """Keeps what a process has told."""
        self.write({"process": number, **message})

    def finish(self, status):
        """Keeps how the program ended."""
        self.write({"message": "status", "status": status})


class Replay:
    """A record in place of a program; it has the same face as launch.Run."""

    def __init__(self, path, speed):
        self.path, self.speed, self.status, self.command = path, speed, None, []
        try:
            self.file = open(path, encoding="utf-8")
            head = json.loads(self.file.readline())
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise ValueError
            self.command = head.get("program", [])
        except OSError as problem:
            raise Refusal(f"cannot read {path}: {problem.strerror}") from None
        except ValueError:
            raise Refusal(f"{path} is no record: it wants what `mpit-info watch --record` writes") from None

    def messages(self):
        """Yields pairs of a process's number and its message, no earlier than they came where there is a speed."""
        began = time.monotonic()
        with self.file:
            for line in self.file:
                try:
                    message = json.loads(line)
                except ValueError:
                    # A run that was killed leaves a last line that is not whole.
                    return
                if message.get("message") == "status":
                    self.status = message["status"]
                    continue
                due = message["time"] / self.speed if self.speed and "time" in message else 0
                while time.monotonic() - began < due:
                    time.sleep(min(0.05, max(due - (time.monotonic() - began), 0.001)))
                    yield None, None
                yield message.pop("process", 0), message
