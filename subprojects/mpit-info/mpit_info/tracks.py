"""Counts events over time, in bins that grow with the run: `track.add(0.5, {"bytes": 8})`.

A track takes the memory of its bins, for any number of events.
"""

import copy

from mpit_info import figures

MOST_BINS = 1024
FIRST_WIDTH = 1 / 64
# The most elements for which ranges are stored.
MOST_ELEMENTS = 256


class Track:
    """One kind of event in one process.

    `totals` has the sums, extremes and histograms of all instances by the names of elements; it is empty if the process
    has sent single instances only.
    """

    def __init__(self):
        self.count, self.width, self.bins, self.elements = 0, FIRST_WIDTH, [], {}
        self.totals, self.placed, self.counted_until = {}, 0, None

    def add(self, moment, values):
        """Counts an event, and extends the ranges by its numbers."""
        # A total that is later than this instance has counted it.
        if self.counted_until is None or moment > self.counted_until:
            self.place(moment, 1)
            self.count = max(self.count, self.placed)
        for name, value in values.items():
            if isinstance(value, (int, float)) and (name in self.elements or len(self.elements) < MOST_ELEMENTS):
                low, high = self.elements.get(name, (value, value))
                self.elements[name] = (min(low, value), max(high, value))

    def set_totals(self, moment, count, totals):
        """Takes the number of all instances until this moment; those that were not sent are spread over the time since
        the total before.
        """
        missing = count - self.placed
        if missing > 0:
            begin = min(self.counted_until or 0.0, moment)
            first, last = (int(at / self.width) for at in (begin, moment))
            parts = min(max(last - first, 0) + 1, missing, MOST_BINS)
            for part in range(parts):
                share = missing * (part + 1) // parts - missing * part // parts
                self.place(begin + (moment - begin) * (part + 0.5) / parts, share)
        self.count, self.counted_until = max(count, self.count), moment
        for name, known in totals.items():
            if name in self.totals or len(self.totals) < MOST_ELEMENTS:
                self.totals[name] = known
                low, high = figures.number(known["minimum"]), figures.number(known["maximum"])
                if low is not None and high is not None:
                    self.elements[name] = (low, high)

    def frozen(self):
        """A copy that later events do not change."""
        kept = copy.copy(self)
        kept.bins, kept.elements, kept.totals = self.bins[:], dict(self.elements), dict(self.totals)
        return kept

    def place(self, moment, count):
        """Adds instances to the bin of a moment; bins are joined if the time is longer than all of them."""
        position = max(int(moment / self.width), 0)
        while position >= MOST_BINS:
            self.bins = [sum(self.bins[first:first + 2]) for first in range(0, len(self.bins), 2)]
            self.width *= 2
            position //= 2
        if position >= len(self.bins):
            self.bins += [0] * (position + 1 - len(self.bins))
        self.bins[position] += count
        self.placed += count

    def counted(self, begin, end):
        """The approximate number of events between two moments; a partial bin counts with its share."""
        total = 0.0
        first = max(int(begin / self.width), 0)
        for position in range(first, min(int(end / self.width) + 1, len(self.bins))):
            left, right = position * self.width, (position + 1) * self.width
            total += self.bins[position] * max(min(right, end) - max(left, begin), 0) / self.width
        return total
