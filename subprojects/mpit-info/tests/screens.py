"""Reads what a program draws on a terminal: `Terminal(["mpit-info", ...]).until(lambda text: "words" in text)`."""

import codecs
import fcntl
import os
import select
import struct
import subprocess
import termios
import time

import pyte

import tool


# What a terminal sends for keys that are no characters.
KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "page down": "\x1b[6~", "page up": "\x1b[5~",
        "home": "\x1b[H", "end": "\x1b[F", "escape": "\x1b", "enter": "\r", "backspace": "\x7f"}


class Screen(pyte.HistoryScreen):
    """A screen whose margins go when they are set to nothing, as those of a VT100 do."""

    def set_margins(self, top=None, bottom=None):
        if not top and not bottom:
            self.margins = None
        else:
            super().set_margins(top, bottom)

    def resize(self, lines=None, columns=None):
        """Keeps the cursor with its text, as tmux does: lines below the cursor go first, then those at the top, which come back later."""
        rows = [self.buffer.pop(number, None) for number in range(self.lines)]
        if lines < len(rows):
            del rows[max(self.cursor.y + 1, lines):]
            gone = len(rows) - lines
            self.history.top.extend(row for row in rows[:gone] if row is not None)
            rows = rows[gone:]
        else:
            gone = -min(lines - len(rows), len(self.history.top))
            rows = [self.history.top.pop() for _ in range(-gone)][::-1] + rows
        self.cursor.y -= gone
        self.buffer.update((number, row) for number, row in enumerate(rows) if row is not None)
        self.lines, self.columns, self.margins = lines, columns, None
        self.dirty.update(range(lines))


class Terminal:
    """A program on a terminal of this size; `screen` is what people would see. The terminal controls it if it has a session of its
    own; its standard input may be something else.
    """

    def __init__(self, command, columns=100, lines=30, stdin=None, has_session=False, **variables):
        self.screen = Screen(columns, lines, history=10_000)
        self.stream = pyte.Stream(self.screen)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.leader, follower = tool.terminal()
        self.name, self.written = os.ttyname(follower), bytearray()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.running = subprocess.Popen(command, env=tool.environment(**{"TERM": "xterm-256color", **variables}),
                                        stdin=follower if stdin is None else stdin, stdout=follower, stderr=follower,
                                        preexec_fn=self.begin_session if has_session else os.setpgrp)
        os.close(follower)

    @staticmethod
    def begin_session():
        """Makes the standard output the controlling terminal of a new session."""
        os.setsid()
        fcntl.ioctl(1, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.running.poll() is None:
            self.running.terminate()
        # Who writes into a terminal that nobody reads would wait for ever.
        while self.read(1):
            pass
        self.running.wait()
        os.close(self.leader)

    def resize(self, columns, lines):
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, *keys):
        for key in keys:
            os.write(self.leader, KEYS.get(key, key).encode())

    def is_raw(self):
        """Whether the terminal passes on each key at once, and shows none."""
        return not termios.tcgetattr(self.leader)[3] & (termios.ICANON | termios.ECHO)

    def lines(self):
        """The lines that are seen, without those that are empty at the end."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().splitlines()

    def scrolled(self):
        """The lines that have gone at the top, and those that are seen."""
        gone = ["".join(row[column].data for column in range(self.screen.columns)).rstrip()
                for row in self.screen.history.top]
        return gone + self.lines()

    def read(self, seconds):
        """Takes over what is written within this time; False at the end."""
        if not select.select([self.leader], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.leader, 65536)
        except OSError:
            return False
        self.written += data
        self.stream.feed(self.decoder.decode(data))
        return bool(data)

    def is_amid_drawing(self):
        """Whether the rest of a drawing of the view is still to come: it begins by keeping the place of the cursor."""
        return self.written.rfind(b"\x1b7") > self.written.rfind(b"\x1b8") and self.running.poll() is None

    def until(self, holds, limit=30):
        """Reads until something holds for what is seen; the screen of that moment."""
        end = time.monotonic() + limit
        while self.is_amid_drawing() or not holds("\n".join(self.lines())):
            if time.monotonic() > end or not self.read(1):
                raise AssertionError("never seen; the last screen is:\n" + "\n".join(self.lines()))
        return self.lines()

    def finish(self, limit=60):
        """Reads until the program ends; its status."""
        end = time.monotonic() + limit
        while self.read(1):
            if time.monotonic() > end:
                raise AssertionError("the program does not end")
        return self.running.wait(timeout=10)
