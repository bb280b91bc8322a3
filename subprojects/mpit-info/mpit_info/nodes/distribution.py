"""One variable over many ranks: `Distribution.of([(3, 17), (0, 42)], worst=5).quantile(0.5)`, from pairs of a rank and its value.

Merging is associative and commutative, and exact for count, sum, minimum, maximum and the worst ranks: in any order and in any
tree the same numbers result. Quantiles are wrong by at most buckets.ERROR of their value, 1.1 %.
"""

import collections
import heapq
import math

from mpit_info.nodes import buckets

# The digits of a sum: each number of the list is the rest of those in front, so that there are few.
MOST_PARTS = 64


def exact(parts):
    """A sum of doubles as the fewest doubles with exactly this sum; the first one is the rounded sum."""
    if len(parts) <= 1:
        return [part for part in parts if part]
    found = []
    while len(found) < MOST_PARTS and (rest := math.fsum([*parts, *(-part for part in found)])):
        found.append(rest)
    return found


class Distribution:
    """Counts, sums, extremes and buckets. `lowest` and `highest` have the worst ranks, as pairs of a value and a rank."""

    __slots__ = ("count", "whole", "parts", "minimum", "maximum", "zeros", "positive", "negative", "lowest", "highest")

    @classmethod
    def of(cls, values, worst):
        """The distribution of pairs of a rank and a value, at least one; `worst` ranks are kept at each end."""
        made, ordered = cls(), sorted((value, rank) for rank, value in values)
        made.count, made.minimum, made.maximum = len(ordered), ordered[0][0], ordered[-1][0]
        made.lowest, made.highest = ordered[:worst], heapq.nsmallest(worst, ordered, key=descending)
        made.zeros, made.positive, made.negative, made.whole, parts = 0, {}, {}, 0, []
        # Many ranks have the same value.
        for value, times in collections.Counter(value for value, _ in ordered).items():
            if isinstance(value, int):
                made.whole += value * times
            else:
                parts += [value] * times
            if value == 0:
                made.zeros += times
            else:
                side, number = (made.positive, buckets.of(value)) if value > 0 else (made.negative, buckets.of(-value))
                side[number] = side.get(number, 0) + times
        made.parts = exact(parts)
        return made

    @classmethod
    def merged(cls, all_of_it, worst):
        """The distribution over the ranks of all of these, at least one."""
        if len(all_of_it) == 1:
            return all_of_it[0]
        made = cls()
        made.count, made.whole = sum(each.count for each in all_of_it), sum(each.whole for each in all_of_it)
        made.parts = exact([part for each in all_of_it for part in each.parts])
        made.minimum, made.maximum = min(each.minimum for each in all_of_it), max(each.maximum for each in all_of_it)
        made.zeros = sum(each.zeros for each in all_of_it)
        made.positive, made.negative = added(each.positive for each in all_of_it), added(each.negative for each in all_of_it)
        made.lowest = heapq.nsmallest(worst, (pair for each in all_of_it for pair in each.lowest))
        made.highest = heapq.nsmallest(worst, (pair for each in all_of_it for pair in each.highest), key=descending)
        return made

    @property
    def sum(self):
        """The exact sum of integers, the rounded exact sum of doubles."""
        return math.fsum([*self.parts, self.whole]) if self.parts else self.whole

    @property
    def mean(self):
        """The mean; an integer if it is one."""
        total = self.sum
        return total // self.count if isinstance(total, int) and total % self.count == 0 else total / self.count

    def groups(self):
        """The values of the buckets with their counts, in ascending order."""
        for number in sorted(self.negative, reverse=True):
            yield -buckets.middle(number), self.negative[number]
        if self.zeros:
            yield 0, self.zeros
        for number in sorted(self.positive):
            yield buckets.middle(number), self.positive[number]

    def quantile(self, share):
        """The value that this share of the ranks does not exceed, wrong by at most buckets.ERROR of it."""
        wanted, reached = max(math.ceil(share * self.count), 1), 0
        for value, count in self.groups():
            reached += count
            if reached >= wanted:
                return min(max(value, self.minimum), self.maximum)
        return self.maximum

    def below(self, limit):
        """How many ranks are not above the limit, and their sum, both from the buckets."""
        known = [(value, count) for value, count in self.groups() if value <= limit]
        return sum(count for _, count in known), sum(value * count for value, count in known)

    def told(self):
        """The distribution as it travels."""
        found = {"count": self.count, "sum": [self.whole, *self.parts], "minimum": self.minimum, "maximum": self.maximum,
                 "lowest": [[rank, value] for value, rank in self.lowest], "highest": [[rank, value] for value, rank in self.highest]}
        for name, counts in (("positive", self.positive), ("negative", self.negative)):
            if counts:
                found[name] = buckets.packed(counts)
        return {**found, "zeros": self.zeros} if self.zeros else found

    @classmethod
    def from_told(cls, told):
        """The distribution that has travelled and conforms to stream.json; ValueError if its parts contradict each other."""
        made = cls()
        made.count, made.minimum, made.maximum = told["count"], told["minimum"], told["maximum"]
        made.whole, made.parts = told["sum"][0], told["sum"][1:]
        made.zeros = told.get("zeros", 0)
        made.positive, made.negative = (buckets.unpacked(told.get(name, [])) for name in ("positive", "negative"))
        made.lowest, made.highest = ([(value, rank) for rank, value in told[name]] for name in ("lowest", "highest"))
        if made.count != made.zeros + sum(made.positive.values()) + sum(made.negative.values()) or not isinstance(made.whole, int):
            raise ValueError("does not count its ranks")
        return made


def descending(pair):
    """The order of the highest values; of equal ones the lowest rank is first."""
    return -pair[0], pair[1]


def added(all_of_it):
    """The sum of counts by buckets."""
    total = {}
    for counts in all_of_it:
        for number, count in counts.items():
            total[number] = total.get(number, 0) + count
    return total
