"""One process of a run: its samples, one row of values for each moment, and its events: `process.add(0.1, [3, 4], 0)`.

If a process has sent many samples, every second one is discarded, repeatedly.
"""

import bisect
import collections
import copy

from mpit_info import words
from mpit_info.call_distributions import CallDistributions
from mpit_info.region_totals import Regions

# The most samples and values of a process that are stored.
MOST_SAMPLES, MOST_VALUES = 4096, 1 << 23
# Seconds for one block in the graphs of the view.
SLOT = 0.25


class Process:
    """One process: its samples, one row of values for each moment, and its events."""

    def __init__(self, number):
        self.number, self.rank, self.processes, self.host, self.began = number, -1, 1, "", None
        self.shift, self.columns, self.position, self.document, self.final = 0.0, [], {}, None, None
        self.times, self.rows, self.taken, self.stride = [], [], 0, 1
        self.last, self.first, self.marks = (0.0, []), None, {}
        # The mark before the last one; whether a sample is missing since.
        self.earlier, self.is_still = None, False
        # The last rows of the latest time slots, for rates of the last second.
        self.recent = collections.deque(maxlen=round(1 / SLOT))
        self.sums, self.counts = [], []
        # Columns that were not in the first row: sums among them began at zero.
        self.added = set()
        # Columns that are sampled no more, since their library was closed, with the time and the value of their last sample. They are
        # behind the others: the next rows have the first `sampled` columns.
        self.former, self.sampled, self.pid, self.is_replaced = {}, 0, None, False
        self.tracks, self.ended, self.cost, self.regions = {}, None, None, Regions()
        self.bounds = {}  # of the buckets of its distributions, by their names
        self.distributions = CallDistributions()
        self.settings = []  # the names of variables of its environment that may set control variables
        self.calls = None  # the call log, while no call begins or ends
        self.is_cut = False  # whether its end came before everything was sent

    def interval(self):
        """The mean time between two samples."""
        return (self.last[0] - self.first[0]) / max(self.taken - 1, 1) if self.first else 0.0

    def title(self):
        """The label of the process."""
        return f"rank {self.rank}" if self.rank >= 0 else f"process {self.number}"

    def follow_columns(self, columns):
        """Sets the columns of the samples that follow; what is known of others is kept."""
        told = set(columns)
        gone = [column for column in self.columns if column not in told]
        for column in gone:
            value = self.value(column)
            if column not in self.former and value is not None:
                self.former[column] = self.last[0], value
        # A library that is opened again counts from zero.
        self.added |= told & set(self.former)
        for column in columns:
            self.former.pop(column, None)
        self.set_columns([*columns, *gone])
        self.sampled = len(columns)

    def set_columns(self, columns):
        """Sets the columns of the following rows; earlier rows are reordered."""
        before = self.position
        self.columns = columns
        self.position = {column: place for place, column in enumerate(columns)}
        places = [before.get(column) for column in columns]
        if self.first:
            self.added |= set(columns) - set(before)

        def moved(row):
            return [None if place is None or place >= len(row) else row[place] for place in places]

        self.rows = [moved(row) for row in self.rows]
        self.last = (self.last[0], moved(self.last[1]))
        self.first = self.first and (self.first[0], moved(self.first[1]))
        self.marks = {slot: (moment, moved(row)) for slot, (moment, row) in self.marks.items()}
        self.earlier = self.earlier and (self.earlier[0], moved(self.earlier[1]))
        self.recent = collections.deque(((moment, moved(row)) for moment, row in self.recent), self.recent.maxlen)
        self.sums, self.counts = ([value or 0 for value in moved(kept)] for kept in (self.sums, self.counts))

    def add(self, moment, row, slot):
        """Stores one row, and marks the time slot to which it belongs."""
        self.last = (moment, row)
        self.first = self.first or self.last
        self.marks[slot] = self.last
        for place, value in enumerate(row[:len(self.sums)]):
            if value is not None:
                self.sums[place] += value
                self.counts[place] += 1
        if self.taken % self.stride == 0:
            self.times.append(moment)
            self.rows.append(row)
            if len(self.times) > min(MOST_SAMPLES, max(MOST_VALUES // max(len(row), 1), 2)):
                self.times, self.rows, self.stride = self.times[::2], self.rows[::2], 2 * self.stride
        self.taken += 1

    def skip_to(self, slot):
        """Removes the marks before a slot, except the last one, which is valid until then."""
        kept = {known: mark for known, mark in self.marks.items() if known >= slot}
        if len(kept) < len(self.marks) and slot not in kept:
            kept[slot] = self.marks[max(known for known in self.marks if known < slot)]
        self.marks = kept

    def value(self, column):
        """The last value of a variable."""
        return self.former[column][1] if column in self.former else of_row(self.last[1], self.position.get(column))

    def mean(self, column):
        """The mean of a variable over the time."""
        place = self.position.get(column)
        return self.sums[place] / self.counts[place] if place is not None and self.counts[place] else None

    def recent_rate(self, column):
        """The growth of a variable over the last second, or between the two last samples; None if it is unknown."""
        if self.recent and self.last[0] > self.recent[0][0]:
            return self.growth_a_second(column, self.recent[0], self.last)
        return 0 if self.is_still else self.growth_a_second(column, self.earlier, self.last)

    def growth_a_second(self, column, before, after):
        """The growth of a variable between two samples; None if it is unknown."""
        place = self.position.get(column)
        first, last = (of_row(sample[1], place) if sample else None for sample in (before, after))
        return None if first is None or last is None or after[0] <= before[0] else (last - first) / (after[0] - before[0])

    def values_at(self, column, moments):
        """The values at ascending moments: those of the last stored row until then, of sums on a straight line to the next one; None before
        the first row.
        """
        place, found = self.position.get(column), []
        for moment in moments:
            after = bisect.bisect_right(self.times, moment)
            row = self.last[1] if moment >= self.last[0] else self.rows[after - 1] if after else []
            value, later = of_row(row, place), of_row(self.rows[after], place) if 0 < after < len(self.rows) else None
            if value is not None and later is not None and column.class_ in words.GROWING:
                value += (later - value) * (moment - self.times[after - 1]) / (self.times[after] - self.times[after - 1])
            found.append(value)
        return found

    def frozen(self):
        """A copy that later messages do not change; the rows are shared."""
        kept = copy.copy(self)
        kept.times, kept.rows, kept.sums, kept.counts = self.times[:], self.rows[:], self.sums[:], self.counts[:]
        kept.marks, kept.recent, kept.added = dict(self.marks), self.recent.copy(), set(self.added)
        kept.former = dict(self.former)
        kept.tracks = {name: track.frozen() for name, track in self.tracks.items()}
        kept.regions, kept.distributions = self.regions.frozen(), self.distributions.frozen()
        return kept

    def rate(self, column):
        """The growth of a variable a second, over the whole run."""
        place = self.position.get(column)
        if self.first is None or self.last[0] <= self.first[0]:
            return None
        before, after = of_row(self.first[1], place), self.value(column)
        before = 0 if column in self.added and column.class_ in words.GROWING else before
        return None if before is None or after is None else (after - before) / (self.last[0] - self.first[0])


def of_row(row, place):
    """The value at an index of a row, which may be shorter."""
    return row[place] if place is not None and place < len(row) else None
