"""The lines of a run of many nodes for a pipe: `lines = NodesIntervals(1, history, choose, width); lines(0, message)`."""

from mpit_info import distributions, figures, quantities, words
from mpit_info.intervals import RATE, VALUE, Intervals, write
from mpit_info.nodes.sentences import title


class NodesIntervals(Intervals):
    """Prints a block at the first summary after each interval."""

    def __init__(self, interval, history, choose, width, stream=None):  # pylint: disable=too-many-arguments
        super().__init__(interval, history, choose, width, stream)
        self.due, self.sums, self.before = interval, {}, {}

    def __call__(self, number, message):
        """Takes a message that the history has accepted."""
        if message is None or message["message"] != "summary" or self.history.end < self.due - 1e-6:
            return
        self.due = (int(self.history.end / self.interval + 1e-6) + 1) * self.interval
        known, columns, names = self.chosen()
        cells = [found for column in columns for found in self.cells(column, names)]
        for each in known:
            if now := distributions.merged(self.history, each):
                before = self.before.get(each[:2])
                # The sums shrink with each node that is lost: what has come since is not known.
                if before is None or all(one >= other for one, other in zip(now.counts, before.counts)):
                    cells += self.cells_of_distribution(each, now.minus(before), names)
                self.before[each[:2]] = now
        time = f"{self.history.end:.3g} s"
        lines = [line for each in cells or [["no variable has changed"]] for line in self.folded([time, *each])]
        write(self.stream, "".join(f"{line}\n" for line in [f"{time}  {self.history.those_there()}", *lines]))

    def finish(self):
        """The table is all that follows."""

    def cells(self, column, names):
        """The cells of a variable if it has changed."""
        measured = self.history.latest.get(column)
        if measured is None or self.sums.get(column, 0) == measured.value.sum:
            return
        self.sums[column] = measured.value.sum
        unit, of = quantities.unit_of(column, self.history.types.get(column)), measured.rate or measured.value
        rate = ""
        if measured.rate and column.class_ in words.GROWING:
            rate = quantities.rate_text(of.mean, unit)
        found = [self.history.label(column).ljust(names), quantities.text(self.history.whole(measured.value.mean, column), unit).rjust(VALUE), rate.rjust(RATE)]
        if of.count > 1 and column.class_ != "state" and of.mean > 0:
            most = f", most in {title(of.highest[0][1])}" if of.maximum > of.mean else ""
            found.append(f"imbalance {figures.percent(of.maximum / of.mean - 1)}{most}")
        yield found
