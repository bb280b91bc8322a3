"""The lower lines of a terminal, for a view that stays there: `with Panel(sys.stdout.fileno()) as panel: panel.draw(lines)`.

What others write into the terminal scrolls above these lines and is touched nowhere: the terminal itself keeps the lines
apart (its scrolling region), and each drawing is one write that leaves the cursor and the colours as they were. A thread
writes, so that a terminal that is stopped or slow stops nothing but the view.
"""

import os
import queue
import signal
import threading

SAVE, RESTORE = "\x1b7\x1b[m", "\x1b8"
WHOLE_SCREEN, ONE_DOWN, ERASE_LINE, ERASE_BELOW = "\x1b[r", "\x1bD", "\x1b[2K", "\x1b[J"
# Lines that are left to the program, at least, and as a share of all.
LEAST_LEFT, SHARE_LEFT = 2, 5
# Seconds for a drawing that is under way when the view ends, or is to leave.
PATIENCE = 1.0


class Panel:
    """Draws at the bottom of a terminal until `with` ends; then the terminal is as it was, and the cursor begins a line."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.columns, self.rows, self.height = 0, 0, 0
        # Putting something in takes no lock that a signal could leave taken.
        self.waiting, self.drawing = queue.SimpleQueue(), threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.waiting.put(None)
        self.thread.join(PATIENCE)
        if self.height:
            # Blanks up to the last column lead to the next line unless the cursor is in the first.
            self.write(self.given_back() + "\x1b[m" + " " * (self.columns - 1) + "\r\x1b[K")

    def size(self):
        """How many columns and lines there are, whatever the environment says."""
        try:
            size = os.get_terminal_size(self.terminal)
        except OSError:
            size = (0, 0)
        return os.terminal_size((size[0] or 80, size[1] or 24))

    def most(self):
        """How many lines may be drawn now; none on a terminal that is too low."""
        rows = self.size().lines
        return max(rows - max(LEAST_LEFT, rows // SHARE_LEFT), 0)

    def draw(self, lines):
        """Draws these lines as soon as the terminal takes them; leaves them out where others wait for it already."""
        if self.waiting.qsize() < 2:
            self.waiting.put(lines)

    def run(self):
        """What the thread does; no signal interrupts it in the middle of a drawing."""
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while (lines := self.waiting.get()) is not None:
            with self.drawing:
                if self.is_in_front():
                    self.write(self.drawn(lines))

    def drawn(self, lines):
        """What has to be written for these lines; they take as much room as the highest before them."""
        columns, rows = self.size()
        height = max(min(len(lines), self.most()), min(self.height, self.most()))
        room = ""
        if (columns, rows, height) != (self.columns, self.rows, self.height):
            # Going down and up again leads to the same place of what was written, scrolled as far as it must be.
            room = self.given_back() + (ONE_DOWN * height + f"\x1b[{height}A" if height else "")
            self.columns, self.rows, self.height = columns, rows, height
        if not height:
            return room
        first = rows - height + 1
        lines = (lines + [""] * height)[:height]
        return (room + SAVE + f"\x1b[1;{max(first - 1, 1)}r"
                + "".join(f"\x1b[{first + number};1H{ERASE_LINE}{line}\x1b[m" for number, line in enumerate(lines)) + RESTORE)

    def given_back(self):
        """What has to be written so that the terminal is as it was, with the cursor where it is."""
        first = self.rows - self.height + 1
        erased = f"\x1b[{first};1H{ERASE_BELOW}" if self.height and first <= self.size().lines else ""
        return SAVE + erased + WHOLE_SCREEN + RESTORE

    def leave(self):
        """Gives the terminal back until the next drawing; False where it takes nothing just now."""
        if not self.drawing.acquire(timeout=PATIENCE):
            return False
        try:
            if self.height:
                self.write(self.given_back())
                self.height = 0
        finally:
            self.drawing.release()
        return True

    def is_in_front(self):
        """Whether the terminal is for this process; in the background it belongs to a shell."""
        try:
            return os.tcgetpgrp(self.terminal) == os.getpgrp()
        except OSError:
            # The terminal does not control processes: there is no background.
            return True

    def write(self, text):
        """Writes all at once; a terminal that has gone takes nothing more."""
        data = text.encode(errors="replace")
        try:
            while data:
                data = data[os.write(self.terminal, data):]
        except OSError:
            pass
