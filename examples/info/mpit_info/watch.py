"""The command watch: runs a program or shows a record, draws the view, and writes what was asked for at the end."""

import contextlib
import shutil
import sys
import time

from rich.live import Live
from rich.text import Text

from mpit_info import agents, launch, listing, live, recording, report, screen, selection, summary
from mpit_info.history import History
from mpit_info.refusal import Refusal

FRAMES_A_SECOND = 4


class Lines:
    """Prints what the program writes above the view, line by line."""

    def __init__(self, console):
        self.console, self.rest = console, b""

    def add(self, data):
        """Prints the lines that are whole, all at once, since the view is drawn again each time."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        if lines:
            texts = [Text.from_ansi(line.decode(errors="replace").rstrip("\r")) for line in lines]
            self.console.print(Text("\n").join(texts), soft_wrap=True)

    def finish(self):
        """Prints what has no end of line."""
        if self.rest:
            self.add(b"\n")


def chosen_columns(history, wanted, patterns):
    """The variables that the patterns and the filters let through, in the order of the program."""
    told = history.told()
    columns = [column for column in history.columns
               if selection.matches(column.name, wanted.names) and selection.matches(column.name, patterns)]
    if not told or not wanted.narrows():
        return columns
    kept = {(member["name"], member["class"])
            for member in selection.select(told, wanted)["performance_variables"]}
    return [column for column in columns if (column.name, column.class_) in kept]


def source_of(options, with_view):
    """What tells the messages: a record, or a program with the agent inside."""
    if options.replay:
        speed = options.speed if options.speed is not None else (1 if with_view else 0)
        return recording.Replay(options.replay, speed)
    request = {"want": "watch", "rate": options.rate, "variables": options.variable or options.name or ["*"],
               "events": options.event}
    return launch.Run(options.program, request, agents.folder(options), through_terminal=with_view,
                      listen=options.listen)


def follow(source, history, recorder, draw, lines):
    """Takes over all messages until the source has no more."""
    drawn = 0.0
    # Whatever goes wrong here, the program must not be left behind.
    with contextlib.closing(source.messages()) as messages:
        for process, message in messages:
            if process is launch.OUTPUT:
                lines.add(message)
            elif message is not None:
                history.accept(process, message)
                if recorder:
                    recorder.add(process, message)
            if draw and time.monotonic() - drawn >= 1 / FRAMES_A_SECOND:
                draw()
                drawn = time.monotonic()
    history.status = source.status
    if recorder:
        recorder.finish(source.status)


def follow_in_view(options, source, history, recorder, wanted):
    """The same on a terminal, where the view is drawn over and over below what the program prints."""
    console = screen.console_for(options, sys.stdout, moving=True)
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False,
              redirect_stderr=False, vertical_overflow="crop") as region:
        lines = Lines(console)

        def draw():
            size = shutil.get_terminal_size()
            width = options.width or size.columns
            console.width, console.height = width, size.lines
            region.update(live.view(history, chosen_columns(history, wanted, options.variable), width, size.lines - 1,
                                    None if options.replay else options.rate), refresh=True)

        follow(source, history, recorder, draw, lines)
        lines.finish()


def show(options):
    """Watches; the exit status is that of the program."""
    wanted = listing.wanted_of(options)
    # What is wrong with a name should not be found out after a long run.
    wanted.check()
    if options.report:
        report.check(options.report)
    with_view = screen.has_view(sys.stdout)
    source = source_of(options, with_view)
    history = History(options.rank)
    history.command = source.command
    with contextlib.ExitStack() as closing:
        recorder = closing.enter_context(recording.Recorder(options.record, source.command)) if options.record else None
        if with_view:
            follow_in_view(options, source, history, recorder, wanted)
        else:
            follow(source, history, recorder, None, None)
    if not history.processes:
        if options.replay:
            raise Refusal(f"no process has told anything in {options.replay}")
        raise Refusal(listing.silence(source.command, source))
    if not history.ordered():
        raise Refusal(f"there is no rank {options.rank}; "
                      f"{', '.join(str(process.rank) for process in history.processes.values())} answered")
    chosen = chosen_columns(history, wanted, options.variable)
    if options.report:
        report.write(options.report, history, chosen)
    screen.show(options, summary.parts(history, chosen, screen.width(options)))
    return history.status or 0
