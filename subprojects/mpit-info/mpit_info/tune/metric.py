"""What is compared: `metric.parse("wall", "sum").of(outcome)` is a number, or a Refusal says why there is none.

A metric is the time of the whole program, a number in its output, or a performance variable at the end of the run.
"""

import contextlib
import re
import signal
import statistics

from mpit_info import figures, selection
from mpit_info.refusal import Refusal

# Of a processor, for a regular expression.
MOST_SECONDS = 5

OVER = {"sum": sum, "mean": statistics.fmean, "median": statistics.median, "minimum": min, "maximum": max,
        "last": lambda values: values[-1]}


class Wall:
    """Seconds from the start of the program to its end."""
    needs_agent, text, unit = False, "time of the program", "s"

    def of(self, outcome):
        """The seconds of an outcome."""
        return outcome.seconds


@contextlib.contextmanager
def within(seconds, sentence):
    """Refuses with the sentence if the block takes more seconds of a processor. In the main thread."""
    def end(*_):
        raise Refusal(sentence)

    before = signal.signal(signal.SIGVTALRM, end)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Pattern:
    """A number in the output: the group of a regular expression, over all places that match."""
    needs_agent, unit = False, ""

    def __init__(self, text, over):
        try:
            self.expression = re.compile(text, re.MULTILINE)
        except re.error as problem:
            raise Refusal(f"--metric {text} is not a regular expression: {problem}") from None
        if self.expression.groups != 1:
            raise Refusal(f"--metric {text} needs one group around the number, as in 'time: ([0-9.]+) s'")
        self.text, self.over = text, OVER[over or "last"]

    def of(self, outcome):
        """The number in the output."""
        with within(MOST_SECONDS, f"the search for --metric {self.expression.pattern} in the program's output takes more than "
                                  f"{MOST_SECONDS} s of a processor; repetitions in each other, as in '(a+)+', try all ways to divide "
                                  "a text"):
            places = self.expression.findall(outcome.output)
        found = [figures.number(text) for text in places]
        known = [value for value in found if value is not None]
        if not known:
            shown = outcome.output.strip().splitlines()[-1:] or ["nothing"]
            raise Refusal(f"no number in the program's output matches {self.text}; its last line is: {shown[0][:200]}")
        return self.over(known)


class Variable:
    """A performance variable, over the ranks: its last value, or of levels, sizes and percentages the mean over time."""
    needs_agent, unit = True, ""

    def __init__(self, name, over):
        self.name, self.text, self.over = name, f"{over or 'sum'} of {name}", OVER[over or "sum"]

    def of(self, outcome):
        """The number over all ranks, objects and elements of the variable."""
        history = outcome.history
        columns = [column for column in history.columns if selection.matches(column.name, [self.name])]
        values = [figure for process in history.ordered() for column in columns
                  for figure in [history.figure(process, column)] if figure is not None]
        if not values:
            known = ", ".join(list(dict.fromkeys(column.name for column in history.columns))[:8]) or "none"
            raise Refusal(f"{self.name} is not a performance variable that this program's ranks have sent; "
                          f"sampled were: {known}")
        return self.over(values)


def parse(text, over=None):
    """`wall`, a regular expression with one group, or the name of a performance variable."""
    if text == "wall":
        return Wall()
    return Pattern(text, over) if "(" in text else Variable(text, over)
