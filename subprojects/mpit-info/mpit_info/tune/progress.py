"""The progress of many runs: `with Progress(sys.stderr) as shown: shown.expect("runs", 55); shown.step()`.

On a terminal it is a bar of rich; elsewhere a line at the start of each part, and one for each round.
"""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress as Bar, TextColumn, TimeRemainingColumn

from mpit_info import figures, screen
from mpit_info.document import clean
from mpit_info.tune import sweep


class Progress:
    """Each part of the work has an expected number of steps, which early ends reduce."""

    def __init__(self, stream, is_quiet=False):
        self.stream, self.is_quiet = stream, is_quiet or stream is None
        self.bar, self.task, self.rounds, self.title, self.total, self.done = None, None, 0, "", 0, 0
        if not self.is_quiet and screen.has_view(stream):
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                       TextColumn("{task.fields[latest]}"))
            console = Console(file=stream, markup=False, emoji=False, highlight=False)
            self.bar = Bar(*columns, console=console, transient=True)

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_):
        if self.bar:
            self.bar.stop()

    def line(self, text):
        """A line where no bar is drawn."""
        if not self.is_quiet and not self.bar:
            print(f"mpit-info: {text}", file=self.stream, flush=True)

    def expect(self, title, total):
        """Begins a part."""
        self.title, self.total, self.done, self.rounds = title, total, 0, 0
        if self.bar:
            if self.task is not None:
                self.bar.remove_task(self.task)
            self.task = self.bar.add_task(clean(title), total=total, latest="")
        self.line(f"{title} ({total})" if total > 1 else title)

    def step(self, latest="", left=None):
        """One step; `left` is the number of those that are still expected."""
        self.done += 1
        if self.bar:
            total = self.total if left is None else self.done + left
            self.bar.update(self.task, completed=self.done, total=max(total, self.done), latest=latest)

    def told(self, candidate, result):
        """A run of a candidate has ended."""
        self.step(f"{clean(sweep.label(candidate))}: {'failed' if result is None else figures.short(result)}")

    def told_of_race(self, race, candidate, result):
        """A run of a race has ended."""
        begun = len(race.rounds)
        self.step(f"{clean(sweep.label(candidate))}: {'failed' if result is None else figures.short(result)}", race.left)
        if begun > self.rounds:
            self.rounds = begun
            best = race.best()
            if best is not None:
                self.line(f"round {begun} of {race.repeat} done, best {clean(sweep.label(best))} "
                          f"{figures.short(race.medians()[best])}, {len(race.stopped)} stopped")
