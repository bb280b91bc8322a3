"""Counts events over time, in bins that grow with the run: `track.add(0.5, {"bytes": 8})`.

A track takes the memory of its bins, for any number of events.
"""

MOST_BINS = 1024
FIRST_WIDTH = 1 / 64
# The most elements for which ranges are stored.
MOST_ELEMENTS = 256


class Track:
    """One kind of event in one process."""

    def __init__(self):
        self.count, self.width, self.bins, self.elements = 0, FIRST_WIDTH, [], {}

    def add(self, moment, values):
        """Counts an event, and extends the ranges by its numbers."""
        self.count += 1
        position = max(int(moment / self.width), 0)
        while position >= MOST_BINS:
            self.bins = [sum(self.bins[first:first + 2]) for first in range(0, len(self.bins), 2)]
            self.width *= 2
            position //= 2
        if position >= len(self.bins):
            self.bins += [0] * (position + 1 - len(self.bins))
        self.bins[position] += 1
        for name, value in values.items():
            if isinstance(value, (int, float)) and (name in self.elements or len(self.elements) < MOST_ELEMENTS):
                low, high = self.elements.get(name, (value, value))
                self.elements[name] = (min(low, value), max(high, value))

    def counted(self, begin, end):
        """The approximate number of events between two moments; a partial bin counts with its share."""
        total = 0.0
        first = max(int(begin / self.width), 0)
        for position in range(first, min(int(end / self.width) + 1, len(self.bins))):
            left, right = position * self.width, (position + 1) * self.width
            total += self.bins[position] * max(min(right, end) - max(left, begin), 0) / self.width
        return total
