"""Feeds the reader of messages with what hostile.py makes, and looks at all that is made of it.

    fuzz.py --messages 10000000 --seed 1        in process: connections that showed the token, and others
    fuzz.py --sockets 100000                     to the tool itself, which runs a job, over sockets; half of it without the token
"""

import argparse
import collections
import contextlib
import io
import json
import os
import pathlib
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import unicodedata

import hostile
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import connections, document, dot, find, live, manual_page, markdown_page, recording, report, schema  # noqa: E402
from mpit_info import screen, selection, summary, table, tree  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402

try:
    import jinja2  # noqa: F401
    CAN_WRITE_REPORT = (report.DYGRAPHS / "dygraph.min.js").is_file()
except ImportError:
    CAN_WRITE_REPORT = False
try:
    import jsonschema
    STREAM, DOCUMENT = (json.loads((tool.FRONT / name).read_text(encoding="utf-8")) for name in ("stream.json", "schema.json"))
except ImportError:
    jsonschema = None


def unsafe(text):
    """The characters of a text that do more on a screen than to be drawn; line ends may stand in all outputs."""
    if text.isascii() and text.isprintable():
        return set()
    return {character for character in set(text) - {"\n"}
            if unicodedata.category(character)[0] == "C" or character in "\u2028\u2029"}


def check_safe(text, what):
    """Raises for a text that must not be shown."""
    if found := unsafe(text):
        place = min(text.index(character) for character in found)
        raise AssertionError(f"{what} holds {[hex(ord(character)) for character in sorted(found)]}: "
                             f"...{ascii(text[max(place - 60, 0):place + 20])}")


class Source:
    """Stands in for a socket: each piece is what one call receives."""

    def __init__(self, pieces=()):
        self.pieces, self.is_closed = collections.deque(pieces), False

    def setblocking(self, _):
        pass

    def recv(self, size):
        if not self.pieces:
            raise BlockingIOError
        piece = self.pieces.popleft()
        if len(piece) > size:
            self.pieces.appendleft(piece[size:])
        return piece[:size]

    def close(self):
        self.is_closed = True


class Meeting:
    """Stands in for the place where all meet; `coming` are those that will be accepted."""

    def __init__(self, token):
        self.token, self.coming, self.listening = token, collections.deque(), self

    def accept(self):
        if not self.coming:
            raise BlockingIOError
        return self.coming.popleft(), None


class Ready:
    """Stands in for a selector."""

    def __init__(self):
        self.map = {}

    def register(self, source, _, data):
        self.map[source] = data

    def unregister(self, source):
        del self.map[source]

    def get_map(self):
        return self.map


class Fuzz:
    """Some runs one after the other, each with a history, a record, and connections of all kinds."""

    def __init__(self, seed, run_length=5_000, oracle=0, whole=0.1):
        self.messages, self.run_length, self.oracle, self.whole = hostile.Messages(seed), run_length, oracle, whole
        self.random, self.counts, self.now = self.messages.random, collections.Counter(), 0.0
        self.validators, self.options = {}, argparse.Namespace(command="list", width=100, colour="never", output=None)

    def begin(self, folder):
        self.token = secrets.token_hex(16) if self.random.random() < 0.5 else None
        self.meeting, self.ready = Meeting(self.token), Ready()
        self.connections = connections.Connections(self.meeting, self.ready, clock=lambda: self.now)
        rank = self.random.choice((None, None, 0, 1))
        self.launches = Launches(lambda: History(rank), ["./program", *self.random.sample(hostile.TEXTS, 2)])
        self.path = os.path.join(folder, "record.jsonl")
        self.recorder = recording.Recorder(self.path, [])
        self.messages.moment = 0.0
        # Only of some runs is everything made that can be made of what was told: that takes most of the time.
        self.is_whole = self.random.random() < self.whole

    def connect(self, *pieces):
        """Someone connects; the connection, or None where it was closed at once."""
        source = Source(pieces)
        self.meeting.coming.append(source)
        self.connections.accept()
        return self.ready.get_map().get(source)

    def read(self, connection, *pieces):
        """What has come on a connection is read; whether it is still open."""
        connection.source.pieces.extend(pieces)
        while connection.source.pieces and not connection.source.is_closed:
            for message in self.connections.read(connection):
                if connection.number is None:
                    raise AssertionError("a message of someone who has not shown the token was taken")
                self.counts["taken"] += 1
                if self.is_whole:
                    self.launches.accept(connection.number, message)
                    self.recorder.add(connection.number, message)
        return not connection.source.is_closed

    def process(self, limit):
        """One process of the program tells lines until it is closed; how many."""
        connection = self.connect(*([self.token.encode() + b"\n"] if self.token else []))
        told, last = 0, self.random.randrange(1, 200)
        while told < min(last, limit):
            line = self.messages.line()
            told += 1
            pieces = [line]
            if self.random.random() < 0.05:
                place = self.random.randrange(len(line))
                pieces = [line[:place], line[place:]] if place else [line]
            is_open = self.read(connection, *pieces)
            if self.oracle and self.random.random() < self.oracle:
                self.compare(line)
            if not is_open:
                self.counts["misfits"] += 1
                return told
        self.read(connection, b"")
        return told

    def stranger(self):
        """Someone without the token sends a line."""
        line = self.messages.line()
        connection = self.connect()
        if self.random.random() < 0.3:
            line = (self.token[:self.random.randrange(32)] if self.random.random() < 0.5 else secrets.token_hex(16)).encode() + line
        if connection and self.read(connection, *([line] if self.random.random() < 0.8 else [line[:5], line[5:] or b"x"])):
            self.now += self.random.random() * 0.3
            self.connections.expire()
        self.counts["strangers"] += 1

    def compare(self, line):
        """The verdict must be that of the package jsonschema, but for numbers such as 1.0, which are no integers here."""
        try:
            message = schema.parsed(line)
        except schema.Misfit:
            return
        kind = message.get("message") if isinstance(message, dict) else None
        if not isinstance(kind, str) or kind not in STREAM["$defs"] or "message" not in STREAM["$defs"][kind].get("properties", {}):
            return
        # Documents are compared by their own schema: the package loses its way from one file into the other.
        told, name, part = (message.get("document"), "schema.json", "") if kind == "snapshot" else (
            message, "stream.json", f"/$defs/{kind}")
        if kind not in self.validators:
            resolver = jsonschema.RefResolver(STREAM["$id"], STREAM, store={DOCUMENT["$id"]: DOCUMENT})
            self.validators[kind] = jsonschema.Draft202012Validator(DOCUMENT if kind == "snapshot" else STREAM["$defs"][kind],
                                                                    **({} if kind == "snapshot" else {"resolver": resolver}))
        wanted, here = self.validators[kind].is_valid(told), schema.problem(name, told, part)
        self.counts["compared"] += 1
        if wanted == bool(here) and not (wanted and re.search(r" is not an integer| is not one of integer", here)):
            raise AssertionError(f"jsonschema says {wanted}, schema.py says {here}: {line[:300]!r}")

    def run(self, messages):
        done = 0
        with tempfile.TemporaryDirectory() as folder:
            while done < messages:
                self.begin(folder)
                until = min(done + self.run_length // (5 if self.is_whole else 1), messages)
                while done < until:
                    if self.token and self.random.random() < 0.8:
                        for _ in range(10):
                            self.stranger()
                        done += 10
                    else:
                        done += self.process(until - done)
                self.finish()
        return done

    def finish(self):
        """Looks at all that can be made of what was told."""
        launches = self.launches
        left = sum(connection.size for connection in self.ready.get_map().values() if isinstance(connection, connections.Connection))
        if self.connections.unfinished != left:
            raise AssertionError(f"{self.connections.unfinished} bytes are said to be unfinished, and {left} are")
        for problem in self.connections.problems():
            check_safe(problem, "a problem")
        self.counts["runs"] += 1
        if not self.is_whole:
            return
        self.counts["whole runs"] += 1
        problems = self.connections.problems()
        launches.finish(0, problems + self.recorder.finish(0, problems))
        check_safe(pathlib.Path(self.path).read_bytes().decode("ascii"), "the record")
        if not launches.there():
            return
        self.show("the summary", summary.parts(launches, lambda history: list(history.columns), 100))
        for history in launches.there():
            self.show("the view", [live.view(history, list(history.columns), 100, 40, 10, launches=launches)])
        if CAN_WRITE_REPORT:
            check_safe(re.sub(r"<(script|style)[^>]*>.*?</\1>", "", report.text(launches, lambda history: list(history.columns)), flags=re.DOTALL), "the report")
        replay = recording.Replay(self.path, 0)
        again = Launches(launches.make)
        for number, message in replay.messages():
            again.accept(number, message)
        if replay.left_out or [(each.end, len(each.processes)) for each in again.all] != [(each.end, len(each.processes)) for each in launches.all]:
            raise AssertionError(f"the record is not what was told: {replay.problems()}")
        told = [process.final for history in launches.all for process in history.processes.values() if process.final][:3]
        for one in told:
            self.show_document(one)

    def show(self, what, parts):
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) as written:
            screen.show(self.options, parts)
            check_safe(written.buffer.getvalue().decode(), what)

    def show_document(self, one):
        wanted = selection.Wanted()
        part = selection.select(one, wanted)
        self.show("the table", table.parts(part, wanted, 100))
        self.show("the tree", tree.parts(part, wanted.shown()))
        self.show("what was found", find.parts(part, ["eager"], find.ranked(part, ["eager"]), 5, 100))
        for what, text in (("the manual", manual_page.text), ("the page", markdown_page.text), ("the graph", dot.text)):
            check_safe(text(part, wanted.shown()), what)
        if hasattr(document, "json_text"):
            check_safe(document.json_text(part), "the document")


# A line of watch in a pipe.
INTERVAL = re.compile(r"[0-9.e+]+ s  ")
# What the job of the tool does: it tells where to connect, prints for as long as others attack, and ends with a status of its own.
# Each line is one write, since the tool prints its intervals between them.
JOB = """
import os, sys, time
folder = sys.argv[1]
with open(folder + "/address", "w") as file:
    file.write(os.environ["MPIT_INFO_SOCKET"])
os.rename(folder + "/address", folder + "/there")
number = 0
while not os.path.exists(folder + "/over"):
    os.write(1, b"line %d\\n" % number)
    number += 1
    time.sleep(0.01)
os.write(1, b"lines %d\\n" % number)
sys.exit(7)
"""


def over_sockets(seed, count, *how):
    """Attacks a tool that watches a job, from inside and outside; what was printed and the counts."""
    messages, counts = hostile.Messages(seed), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        record, page = os.path.join(folder, "record.jsonl"), os.path.join(folder, "report.html")
        words = tool.command("watch", *how, "--record", record, *(["--report", page] if CAN_WRITE_REPORT else []), "--agents",
                             tool.agents(folder), "--", sys.executable, "-c", JOB, folder)
        with subprocess.Popen(words, env=tool.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            printed = []
            try:
                while not os.path.exists(folder + "/there"):
                    if running.poll() is not None:
                        raise AssertionError(running.stderr.read().decode())
                    time.sleep(0.01)
                attack(messages, counts, count, pathlib.Path(folder, "there").read_text(encoding="ascii"), running)
            finally:
                pathlib.Path(folder, "over").touch()
                printed = [stream.decode() for stream in running.communicate(timeout=120)]
        # The tool prints its intervals between the lines of the job.
        lines = [line for line in printed[0].splitlines() if not INTERVAL.match(line)]
        number = next(int(line.split()[1]) for line in lines if line.startswith("lines "))
        if running.returncode != 7 or lines[:number] != [f"line {each}" for each in range(number)]:
            raise AssertionError(f"the job was not left alone: status {running.returncode}, {printed[1][-2000:]}")
        for what, text in (("the output", printed[0]), ("what it complains about", printed[1]),
                           ("the record", pathlib.Path(record).read_text(encoding="ascii"))):
            check_safe(text, what)
        if os.path.exists(page):
            text = pathlib.Path(page).read_text(encoding="utf-8")
            check_safe(re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.DOTALL), "the report")
    return printed, counts


def attack(messages, counts, count, address, running):
    """Sends so many lines, over many connections, most of which misbehave."""
    place, kept = address, []
    if address.startswith("tcp:"):
        host, port, token = address[4:].split("/")
        place = (host, int(port))
    while counts["sent"] < count and running.poll() is None:
        with_token = not isinstance(place, tuple) or messages.random.random() < 0.5
        connection = socket.socket(socket.AF_INET if isinstance(place, tuple) else socket.AF_UNIX)
        connection.settimeout(30)
        connection.connect(place)
        # Closed by the tool at any moment.
        with contextlib.suppress(ConnectionError):
            if isinstance(place, tuple) and with_token:
                connection.sendall(token.encode() + b"\n")
            for _ in range(messages.random.randrange(1, 60) if with_token else 3):
                connection.sendall(messages.line())
                counts["sent"] += 1
                counts["with the token" if with_token else "without"] += 1
        # Some stay, and say nothing more.
        if messages.random.random() < 0.1:
            kept.append(connection)
        else:
            connection.close()
        if len(kept) > 100:
            kept.pop(0).close()
    for connection in kept:
        connection.close()


def main():
    """Runs what was asked for and prints counts and rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--sockets", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    if options.messages:
        fuzz = Fuzz(options.seed, oracle=0.001 if jsonschema else 0)
        done = fuzz.run(options.messages)
        elapsed = time.monotonic() - began
        print(f"seed {options.seed}: {done:,} messages in {elapsed:.0f} s, {done / elapsed:,.0f} a second; {dict(fuzz.counts)}", flush=True)
    for how in ((), ("--listen", "127.0.0.1")) if options.sockets else ():
        began = time.monotonic()
        printed, counts = over_sockets(options.seed, options.sockets // 2, *how)
        elapsed = time.monotonic() - began
        print(f"seed {options.seed}, {' '.join(how) or 'a file'}: {dict(counts)} in {elapsed:.0f} s")
        print("".join(line for line in printed[0].splitlines(keepends=True) if "closed" in line or "listened" in line)[:1500])


if __name__ == "__main__":
    main()
