"""A view in the lower lines of a terminal: `with Panel(sys.stdout.fileno()) as panel: panel.draw(lines)`.

Output of other processes scrolls above these lines and is not changed: the terminal's scrolling region separates the
lines, and each drawing is one write that restores the cursor and the colours. A thread writes, so that a terminal that
is stopped or slow delays only the view.
"""

import os
import queue
import signal
import threading

from mpit_info.keys import is_in_front

SAVE, RESTORE = "\x1b7\x1b[m", "\x1b8"
WHOLE_SCREEN, ONE_DOWN, ONE_UP, ERASE_LINE, ERASE_BELOW = "\x1b[r", "\x1bD", "\x1b[A", "\x1b[2K", "\x1b[J"
# The least number of lines for the program, and its least share of all lines.
LEAST_LEFT, SHARE_LEFT = 2, 5
# Seconds to wait for a drawing that is being written when the view ends or is removed.
PATIENCE = 1.0


class Panel:
    """Draws at the bottom of a terminal until `with` ends; then restores the terminal, with the cursor at the start of
    a line.
    """

    def __init__(self, terminal):
        self.terminal = terminal
        self.columns, self.rows, self.height, self.is_over = 0, 0, 0, False
        # put() takes no lock that a signal could leave locked.
        self.waiting, self.drawing = queue.SimpleQueue(), threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.waiting.put(None)
        self.thread.join(PATIENCE)
        if self.height:
            # Blanks up to the last column move to the next line unless the cursor is in the first column.
            self.write(self.given_back() + "\x1b[m" + " " * (self.columns - 1) + "\r\x1b[K")

    def size(self):
        """The columns and lines of the terminal, regardless of the environment."""
        try:
            size = os.get_terminal_size(self.terminal)
        except OSError:
            size = (0, 0)
        return os.terminal_size((size[0] or 80, size[1] or 24))

    def most(self):
        """The number of lines for the view; 0 on a terminal with too few lines."""
        rows = self.size().lines
        return max(rows - max(LEAST_LEFT, rows // SHARE_LEFT), 0)

    def draw(self, lines):
        """Draws these lines as soon as the terminal accepts them; drops them if a drawing is already waiting."""
        if self.waiting.qsize() < 2:
            self.waiting.put(lines)

    def run(self):
        """The function of the thread; no signal interrupts a drawing."""
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while (lines := self.waiting.get()) is not None:
            with self.drawing:
                if not self.is_over and is_in_front(self.terminal):
                    self.write(self.drawn(lines))

    def drawn(self, lines):
        """The bytes that draw these lines; the height is that of the highest drawing so far."""
        columns, rows = self.size()
        height = max(min(len(lines), self.most()), min(self.height, self.most()))
        room = ""
        if (columns, rows, height) != (self.columns, self.rows, self.height):
            # Moving down and up again returns to the same text, scrolled as far as necessary.
            room = self.given_back() + (ONE_DOWN * height + f"\x1b[{height}A" if height else "")
            self.columns, self.rows, self.height = columns, rows, height
        if not height:
            return room
        first = rows - height + 1
        lines = (lines + [""] * height)[:height]
        return (room + SAVE + f"\x1b[1;{max(first - 1, 1)}r"
                + "".join(f"\x1b[{first + number};1H{ERASE_LINE}{line}\x1b[m" for number, line in enumerate(lines)) + RESTORE)

    def given_back(self):
        """The bytes that restore the terminal, with the cursor unmoved."""
        if self.height and self.size() != (self.columns, self.rows):
            # A terminal of another size has moved the view, and may have folded its lines: it is all that is below the cursor.
            return SAVE + WHOLE_SCREEN + RESTORE + ONE_DOWN + ERASE_LINE + ERASE_BELOW + ONE_UP
        first = self.rows - self.height + 1
        erased = f"\x1b[{first};1H{ERASE_BELOW}" if self.height else ""
        return SAVE + erased + WHOLE_SCREEN + RESTORE

    def leave(self):
        """Restores the terminal until the next drawing; False if it does not accept output now."""
        if not self.drawing.acquire(timeout=PATIENCE):
            return False
        try:
            if self.height:
                self.write(self.given_back())
                self.height = 0
        finally:
            self.drawing.release()
        return True

    def end(self):
        """Restores the terminal; nothing is drawn any more."""
        self.is_over = True
        self.leave()

    def write(self, text):
        """Writes all at once; after an error nothing more is written."""
        data = text.encode(errors="replace")
        try:
            while data:
                data = data[os.write(self.terminal, data):]
        except OSError:
            pass
