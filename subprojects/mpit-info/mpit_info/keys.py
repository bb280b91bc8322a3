"""The keys of a terminal, while it also shows the output of a program: `keys = Keys(0); keys.pressed()` is ["down", "q"].

Only the echo and the buffering of lines are off; Ctrl-C, Ctrl-Z and Ctrl-\\ send their signals as before. leave() restores
the terminal. In the background nothing is read and nothing is changed.
"""

import codecs
import contextlib
import os
import select
import signal
import termios
import threading

# The sequences, behind ESC, that terminals send for keys without a character.
SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[5~": "page up", "[6~": "page down", "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end",
    "[7~": "home", "[8~": "end", "[Z": "back tab",
}
CHARACTERS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\t": "tab", "\x1b": "escape", " ": "space",
              "\x15": "erase line", "\x04": "end of input"}
FINAL = range(0x40, 0x7f)
PIECE = 1024


@contextlib.contextmanager
def unstopped():
    """Without the signals that stop a process in the background; a call fails instead."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTIN, signal.SIGTTOU})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def is_in_front(terminal):
    """Whether this process is in the foreground of a terminal; true for one that does not control it."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return True


def split(text, is_all):
    """The keys of a text, and its rest, which may be the beginning of another key unless that is all."""
    found = []
    while text:
        if text[0] != "\x1b" or len(text) == 1 and is_all:
            character, text = text[0], text[1:]
            key = CHARACTERS.get(character, character)
            if len(key) > 1 or key.isprintable():
                found.append(key)
            continue
        length = sequence_length(text)
        if length is None and not is_all:
            break
        sequence, text = text[1:length], text[length or len(text):]
        if sequence in SEQUENCES:
            found.append(SEQUENCES[sequence])
        elif sequence == "\x1b":
            found.append("escape")
    return found, text


def sequence_length(text):
    """The length of the escape sequence at the beginning; None if its end is missing."""
    if len(text) < 2:
        return None
    if text[1] == "O":
        return 3 if len(text) > 2 else None
    if text[1] != "[":
        # Alt with a key; it has no meaning here.
        return 2
    return next((place + 1 for place in range(2, len(text)) if ord(text[place]) in FINAL), None)


class Keys:
    """Reads a terminal. No key is read before begin(): a launcher may ask for a password."""

    def __init__(self, terminal):
        self.terminal, self.before, self.rest, self.has_begun = terminal, None, "", False
        # A thread leaves the terminal before the tool is stopped; a handler of a signal may come in between.
        self.changing = threading.RLock()
        self.decoder = codecs.getincrementaldecoder("utf-8")("ignore")

    def begin(self):
        """Allows reading; again after leave()."""
        self.has_begun = True

    def enter(self):
        """Turns echo and buffering off; false in the background and before begin()."""
        with self.changing:
            if self.has_begun and self.before is None and is_in_front(self.terminal):
                with contextlib.suppress(termios.error), unstopped():
                    before = termios.tcgetattr(self.terminal)
                    wanted = [*before[:3], before[3] & ~(termios.ICANON | termios.ECHO), *before[4:6], list(before[6])]
                    wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
                    self.before = before
                    # It does not wait for output that a stopped terminal holds back.
                    termios.tcsetattr(self.terminal, termios.TCSANOW, wanted)
                    if self.before is None:
                        termios.tcsetattr(self.terminal, termios.TCSANOW, before)
            return self.before is not None

    def leave(self):
        """Restores the terminal until begin() is called again."""
        with self.changing:
            self.has_begun = False
            before, self.before = self.before, None
            if before is not None:
                with contextlib.suppress(termios.error), unstopped():
                    termios.tcsetattr(self.terminal, termios.TCSANOW, before)

    def read(self):
        """What was typed and is not yet read, without waiting; None at the end of the terminal."""
        data = b""
        with contextlib.suppress(OSError), unstopped():
            while is_in_front(self.terminal) and select.select([self.terminal], [], [], 0)[0]:
                piece = os.read(self.terminal, PIECE)
                if not piece:
                    return data or None
                data += piece
        return data

    def pressed(self):
        """The keys since the last call. Half a sequence waits for its rest until the next call."""
        if not self.enter():
            return []
        data = self.read()
        if data is None:
            self.leave()
            return []
        keys, self.rest = split(self.rest + self.decoder.decode(data), is_all=bool(self.rest))
        return keys
