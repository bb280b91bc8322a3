"""The live view on a terminal, with its keys: `with View(options, source, launches, choose) as view: view.step()`.

The terminal is restored at the end of `with`, when the view or the tool is stopped, and before a signal ends the tool.
"""

import contextlib
import io
import os
import signal
import sys
import time

from mpit_info import live
from mpit_info.console import console_for
from mpit_info.job_input import JobInput, is_launcher
from mpit_info.keys import Keys
from mpit_info.panel import Panel
from mpit_info.view_state import ViewState

FRAMES_A_SECOND, LOOKS_A_SECOND = 4, 50
WIDEST = 1000
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def keyboard(options, program):
    """The descriptor of a terminal for the keys, and whether the program has to read something else; None without keys."""
    if options.keys == "no":
        return None, False
    if sys.stdin is not None and sys.stdin.isatty():
        if program and options.keys == "auto" and not is_launcher(program):
            return None, False
        return sys.stdin.fileno(), bool(program)
    try:
        return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY), False
    except OSError:
        return None, False


class View:
    """`choose` returns the columns of a history that are shown; `has_program` is false if the view shows what does not depend on the tool."""

    def __init__(self, options, source, launches, choose):
        self.options, self.source, self.launches, self.choose = options, source, launches, choose
        self.has_program = source.runs_program
        self.panel, self.console = Panel(sys.stdout.fileno()), console_for(options, sys.stdout, moving=True)
        terminal, is_taken = keyboard(options, source.command if self.has_program else None)
        self.keys = None if terminal is None else Keys(terminal)
        self.job = JobInput() if is_taken else None
        self.state = None if self.keys is None else ViewState(has_job_input=is_taken)
        self.note = "no keys: see --keys" if self.keys is None and options.keys == "auto" else ""
        self.frozen, self.handlers, self.looked, self.drawn = None, {}, 0.0, 0.0
        self.is_over = False

    @property
    def has_quit(self):
        """Whether the user has ended the view."""
        return self.state is not None and self.state.has_quit

    def __enter__(self):
        for number in (*ENDING, *(() if self.has_program else (signal.SIGTSTP,))):
            if signal.getsignal(number) is signal.SIG_DFL:
                self.handlers[number] = signal.signal(number, self.stop if number == signal.SIGTSTP else self.end_by)
        # A program is stopped together with the tool, in another thread.
        self.source.on_stop, self.source.on_continue = self.leave, self.come_back
        if self.job:
            self.source.streams["stdin"], self.source.on_start = self.job.reading, self.job.started
        self.panel.__enter__()
        return self

    def __exit__(self, *raised):
        if self.keys:
            self.keys.leave()
        if self.job:
            self.job.__exit__()
        self.panel.__exit__(*raised)
        for number, handler in self.handlers.items():
            signal.signal(number, handler)

    def leave(self):
        """Restores the terminal until come_back()."""
        if self.keys:
            self.keys.leave()
        self.panel.leave()

    def come_back(self):
        """Takes the terminal again."""
        if self.keys and self.launches.has_processes() and not self.is_over:
            self.keys.begin()

    def end(self):
        """Restores the terminal for the rest of the run."""
        if not self.is_over:
            self.is_over = True
            if self.keys:
                self.keys.leave()
            self.panel.end()

    def end_by(self, number, *_):
        """Restores the terminal before a signal ends the tool."""
        self.end()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def stop(self, number, *_):
        """Restores the terminal while the tool is stopped."""
        self.leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self.stop)
        self.come_back()

    def step(self):
        """Takes keys and draws, as often as that is due."""
        now = time.monotonic()
        if now - self.looked < 1 / LOOKS_A_SECOND:
            return
        self.looked = now
        if self.is_over:
            self.pass_on()
            return
        has_pressed = self.take_keys()
        if self.has_quit:
            self.end()
        elif has_pressed or now - self.drawn >= 1 / FRAMES_A_SECOND:
            self.draw()
            self.drawn = time.monotonic()

    def take_keys(self):
        """Does what was typed; whether that was anything."""
        if self.keys is None:
            return False
        if not self.keys.has_begun and self.launches.has_processes():
            # Until then a launcher may ask for a password.
            self.keys.begin()
        pressed = self.keys.pressed()
        for number, key in enumerate(pressed):
            if number > 0 and not self.state.typing:
                # Of keys that are typed fast each one finds the rows that the one before has left.
                history = self.shown().history_at(self.state.launch)
                live.refresh(history, self.choose(history), self.state)
            self.state.press(key)
        for line in self.state.to_send if self.job else ():
            if line is None:
                self.job.end()
            else:
                self.job.send(line)
        self.state.to_send.clear()
        if self.state.is_paused != (self.frozen is not None):
            self.frozen = self.launches.frozen() if self.state.is_paused else None
        return bool(pressed)

    def shown(self):
        """The launches as they are, or as they were at the beginning of a pause."""
        return self.frozen or self.launches

    def pass_on(self):
        """After the end of the view: gives the job what is typed."""
        if self.job is None or self.job.writing is None:
            return
        with contextlib.suppress(OSError):
            data = self.keys.read()
            if data is None:
                self.job.end()
            elif data or self.job.unsent:
                self.job.send(data.decode(errors="replace"))

    def draw(self):
        """Draws the present state."""
        self.console.width = min(self.options.width or WIDEST, self.panel.size().columns)
        self.console.file = io.StringIO()
        history = self.shown().history_at(self.state.launch if self.state else 0)
        self.console.print(live.view(history, self.choose(history), self.console.width, self.panel.most(),
                                     None if self.options.replay else self.options.rate, self.state, self.note, self.shown()))
        self.panel.draw(self.console.file.getvalue().split("\n")[:-1])
