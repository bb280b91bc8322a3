"""The values of each interval as plain lines, for a pipe: `intervals = Intervals(1, history, choose); intervals(0, message)`.

An interval is printed once, when all ranks have reached its end, so that the lines depend on the samples and not on the time of their
arrival. A process is in the intervals from its first to its last sample. Each line has the time in front: grep finds the series of a
variable.
"""

import functools
import math
import os
import sys

from mpit_info import distributions, figures, quantities, regions, screen, words

# Seconds by the times of the samples, and intervals, for which a rank that sends nothing holds up the others.
PATIENCE, MOST_WAITING = 10.0, 100
# Seconds between two sentences in a pipe without an interval.
BETWEEN_SENTENCES = 20
# Samples with later times are left out.
LATEST = 1e10
# The widths of a value and of a rate: `1.23 MB`, `0.044 % of time`.
VALUE, RATE = 9, 15


def write(stream, text):
    """Writes whole lines at once: the program writes to the same stream."""
    stream.flush()
    data = text.encode(stream.encoding or "utf-8", "replace")
    while data:
        data = data[os.write(stream.fileno(), data):]


class Sentences:
    """Prints the first sentence of a launch, three times a minute."""

    def __init__(self, history, stream=None):
        self.history, self.stream, self.due = history, stream or sys.stdout, BETWEEN_SENTENCES
        self.name = str  # tells which launch this is, if there are several

    def __call__(self, *_):
        """Looks whether it is time, and whether all ranks have reached it."""
        if self.history.end >= self.due and (self.is_reached() or self.history.end >= self.due + PATIENCE):
            self.due = self.history.end + BETWEEN_SENTENCES
            told = [*regions.sentences(self.history), self.history.those_there() or "1 process"]
            write(self.stream, "  ".join(filter(None, [f"{self.history.end:.0f} s", self.name(), told[0]])) + "\n")

    def is_reached(self):
        """Whether the samples of all ranks have reached this time."""
        return not self.history.missing() and all(process.ended is not None or process.last[0] >= self.due for process in self.history.ordered())

    def finish(self):
        """The table has the rest."""


class Reached:
    """The values of a process at the ends of intervals, by their numbers; `number` is the next one without values, and `before` has the
    values of the latest printed one.
    """

    def __init__(self):
        self.before, self.last, self.values, self.number, self.has_ended = None, None, {}, 1, False


class OfLaunches:
    """What takes the messages of each launch, as Intervals; `make` makes it of a history."""

    def __init__(self, launches, make):
        self.launches, self.make, self.all = launches, make, {}

    def __call__(self, number, message):
        """Takes a message that the launches have accepted."""
        history = self.launches.of_process(number)
        if history is None:
            return
        if history not in self.all:
            self.all[history] = self.make(history)
            self.all[history].name = functools.partial(self.launches.name_of, history)
        self.all[history](number, message)

    def finish(self):
        """Prints what is left at the end of the run."""
        for each in self.all.values():
            each.finish()


class Intervals:
    """Takes each message after the history; `interval` is in seconds, the width in columns."""

    def __init__(self, interval, history, choose, width=screen.WIDE, stream=None):
        self.interval, self.history, self.choose, self.stream = interval, history, choose, stream or sys.stdout
        self.width = width
        self.reached, self.latest, self.printed, self.has_given_up = {}, 0.0, 0, False
        self.name = str  # tells which launch this is, if there are several

    def __call__(self, number, message):
        """Takes a message that the history has accepted; prints the intervals that it completes."""
        process = self.history.processes.get(number)
        if message is None or process is None:
            return
        reached = self.reached.setdefault(number, Reached())
        if message["message"] == "sample":
            moment = process.last[0]
            self.latest = max(self.latest, moment)
            self.reach(reached, moment, (moment, dict(zip(process.columns, process.last[1]))))
        elif message["message"] == "end":
            reached.has_ended = True
        self.print_complete()

    def reach(self, reached, moment, told):
        """Notes the values for the intervals that have ended by this moment."""
        if moment > LATEST:
            return
        if reached.last is None:
            reached.before, reached.number = told, max(math.ceil((moment - 1e-9) / self.interval), 1)
        # What is printed is not printed again for a process that starts later, or for one that the others have not waited for.
        reached.number = max(reached.number, self.printed + 1)
        # After a long gap only the last interval is printed.
        if moment / self.interval - reached.number > MOST_WAITING:
            reached.number = int(moment / self.interval)
        while reached.number * self.interval < moment - 1e-9:
            reached.values[reached.number] = reached.last
            reached.number += 1
        reached.last = told
        if reached.number * self.interval <= moment + 1e-9:
            reached.values[reached.number] = told
            reached.number += 1

    def waits(self, number):
        """Whether a rank has not yet reached the end of an interval, and the others still wait for it."""
        if self.latest > number * self.interval + PATIENCE:
            self.has_given_up = True
            return False
        known = [self.reached.get(process.number) for process in self.history.ordered()]
        if any(reached and len(reached.values) > MOST_WAITING for reached in known):
            return False
        return (self.history.missing() > 0 and not self.has_given_up
                or any(reached is None or reached.number <= number and not reached.has_ended and (reached.last or not self.has_given_up)
                       for reached in known))

    def print_complete(self, is_over=False):
        """Prints the intervals that no rank is missing in; at the end all that are left."""
        while True:
            number = min((min(reached.values) for reached in self.reached.values() if reached.values), default=None)
            if number is None or not is_over and self.waits(number):
                return
            self.print(number)

    def finish(self):
        """Prints what is left at the end of the run."""
        self.print_complete(is_over=True)

    def print(self, number):
        """Prints an interval, and forgets it."""
        told = []
        for process in self.history.ordered():
            reached = self.reached.get(process.number)
            if reached is None or reached.last is None:
                continue
            now = reached.values.get(number)
            # A process that has ended is in the interval of its last sample, and in no later one.
            if now is None and reached.has_ended and reached.number <= number and reached.last is not reached.before:
                now = reached.last
            if now is not None:
                told.append((process, reached.before, now))
                reached.before = now
        for reached in self.reached.values():
            reached.values.pop(number, None)
        self.printed = number
        known, columns, names = self.chosen()
        lines = [line for column in columns for line in self.lines(column, told, names)]
        lines += [line for each in known for line in self.lines_of_distribution(each, told, names)]
        time = "  ".join(filter(None, [f"{number * self.interval:.10g} s", self.name()]))
        lines = [line for cells in lines or [["no variable has changed"]] for line in self.folded([time, *cells])]
        write(self.stream, "".join(f"{line}\n" for line in lines))

    def chosen(self):
        """The distributions and the other columns that the user wants, and the width of their names."""
        known, columns = distributions.divided(self.history, self.choose())
        return known, columns, max(map(len, [*map(self.history.label, columns), *map(distributions.label, known)]), default=0)

    def folded(self, cells):
        """The cells as one line, or more of them if the width is limited."""
        line = ""
        for number, cell in enumerate(cells):
            if number > 1 and len(line) + 2 + len(cell) > self.width:
                yield line.rstrip()
                line = "   "
                cell = cell.strip()
            line += ("  " if line else "") + cell
        yield line.rstrip()

    def lines_of_distribution(self, of, told, names):
        """The cells of the line of a distribution with the samples of this interval, over all ranks; none without any."""
        parts = [now.minus(before) for process, *pair in told for before, now in [
            [distributions.of_values(process, of, values.get) for _, values in pair]] if now]
        yield from self.cells_of_distribution(of, distributions.together(parts), names)

    @staticmethod
    def cells_of_distribution(of, samples, names):
        """The cells of a line; none without samples."""
        if samples and samples.count:
            quantiles = [f"{title} {distributions.quantile_text(samples, share, of.unit)}".ljust(VALUE + len(title) + 1)
                         for title, share in distributions.QUANTILES]
            yield [distributions.label(of).ljust(names), *quantiles, words.plural(samples.count, "sample")]

    def lines(self, column, told, names):
        """The cells of the line of a variable if it has changed in this interval."""
        values = [(process, before[1].get(column), now[1].get(column), now[0] - before[0]) for process, before, now in told]
        values = [each for each in values if each[2] is not None]
        if all((before or 0) == now for _, before, now, _ in values):
            return
        unit, growing = quantities.unit_of(column, self.history.types.get(column)), column.class_ in words.GROWING
        mean = self.history.whole(figures.spread([now for _, _, now, _ in values]).mean, column)
        state = self.history.state(column, mean) if len(values) == 1 else None
        cells = [self.history.label(column).ljust(names), (state or quantities.text(mean, unit)).rjust(VALUE)]
        compared = [(now, process) for process, _, now, _ in values]
        rate_text = ""
        if growing:
            compared = [((now - (before or 0)) / seconds if seconds > 0 else 0, process) for process, before, now, seconds in values]
            rate = figures.spread([value for value, _ in compared]).mean
            rate_text = quantities.rate_text(rate, unit)
        cells.append(rate_text.rjust(RATE))
        imbalance = figures.spread([value for value, _ in compared]).imbalance
        if len(values) > 1 and column.class_ != "state" and imbalance is not None:
            most = f", most in {max(compared, key=lambda pair: pair[0])[1].title()}" if imbalance > 0 else ""
            cells.append(f"imbalance {figures.percent(imbalance)}{most}")
        yield cells
