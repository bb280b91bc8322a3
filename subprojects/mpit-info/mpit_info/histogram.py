"""A distribution as a value: `Histogram((1.0, 2.0, math.inf), (3, 4, 0)).quantile(0.5)`, from the counts of buckets and their bounds.

A bound is the largest value of its bucket, as `le` of Prometheus; the last one is infinite. Histograms are merged without loss: with other
bounds, onto those that all have, which for exponential bounds are those of the coarser scale.
"""

import bisect
import collections
import functools
import itertools
import math

# Upper bounds are base^(offset + number), base = 2^(2^-scale), as native histograms of Prometheus and exponential ones of OTLP have them.
Schema = collections.namedtuple("Schema", "scale offset")
# The scales that both have.
SCALES = range(-4, 9)
# The share by which a bound may differ from that of the schema: texts of the MPI are rounded.
ROUNDING = 1e-9


@functools.lru_cache(maxsize=256)
def is_exponential(bounds):
    """Whether each bound is the same multiple of the one below."""
    finite = bounds[:-1]
    if len(finite) < 2 or finite[0] <= 0:
        return False
    # Logarithms, since quotients may be too large for a double.
    first, growth = math.log(finite[0]), math.log(finite[1]) - math.log(finite[0])
    return growth > 0 and all(abs(math.log(bound) - first - number * growth) <= ROUNDING * (number + 1) for number, bound in enumerate(finite))


@functools.lru_cache(maxsize=256)
def schema_of(bounds):
    """The Schema of these bounds; None if they are not exponential, or not aligned to powers of the base."""
    if not is_exponential(bounds):
        return None
    finite = bounds[:-1]
    scale = round(-math.log2(math.log2(finite[1]) - math.log2(finite[0])))
    if scale not in SCALES:
        return None
    offset = round(math.log2(finite[0]) * 2.0**scale)
    expected = ((offset + number) / 2.0**scale for number in range(len(finite)))
    return Schema(scale, offset) if all(abs(math.log2(bound) - each) * math.log(2) <= ROUNDING for bound, each in zip(finite, expected)) else None


def are_bounds(bounds):
    """Whether numbers are the bounds of buckets; one bucket alone tells nothing."""
    return len(bounds) > 1 and bounds[-1] == math.inf and all(one < other for one, other in itertools.pairwise(bounds))


class Histogram(collections.namedtuple("Histogram", "bounds counts sum minimum maximum", defaults=(None, None, None))):
    """The counts of the buckets, and if they are known the sum and the extremes of the samples; bounds and counts are tuples."""

    __slots__ = ()

    @property
    def count(self):
        """The number of samples."""
        return sum(self.counts)

    @property
    def mean(self):
        """The mean of the samples; None if it is not known."""
        return self.sum / self.count if self.sum is not None and self.count else None

    def reached(self, quantile):
        """The number of the bucket with this quantile, and how many samples are in it and below; there are samples."""
        sums = list(itertools.accumulate(self.counts))
        number = bisect.bisect_left(sums, max(quantile * sums[-1], 0.5))
        return number, sums[number]

    def edges(self, quantile):
        """The bucket with this quantile: the most that it is above, and the least that it is not above; None without samples."""
        if not self.count:
            return None
        number, _ = self.reached(quantile)
        lower = self.bounds[number - 1] if number else -math.inf if self.bounds[0] < 0 else 0.0
        upper = self.bounds[number]
        if self.minimum is not None:
            lower, upper = max(lower, self.minimum), max(upper, self.minimum)
        if self.maximum is not None:
            lower, upper = min(lower, self.maximum), min(upper, self.maximum)
        return lower, upper

    def quantile(self, quantile):
        """The value that this share of the samples does not exceed, which is inside of edges(). In exponential buckets it is on a geometric
        line, as in native histograms of Prometheus, in others on a straight one; of an open bucket it is the known end.
        """
        found = self.edges(quantile)
        if found is None:
            return None
        lower, upper = found
        if not math.isfinite(upper) or not math.isfinite(lower):
            return lower if math.isfinite(lower) else upper
        number, reached = self.reached(quantile)
        share = min(max((quantile * self.count - reached + self.counts[number]) / self.counts[number], 0), 1)
        is_geometric = lower > 0 and is_exponential(self.bounds)
        found = lower ** (1 - share) * upper**share if is_geometric else lower * (1 - share) + upper * share
        return min(max(found, lower), upper)

    def minus(self, before):
        """What has come since another reading: without extremes, which are not known of a part. A reading that is not later counts as none:
        the counts were reset.
        """
        if before is None or before.bounds != self.bounds or any(one > other for one, other in zip(before.counts, self.counts)):
            return self
        total = None if None in (self.sum, before.sum) else self.sum - before.sum
        return Histogram(self.bounds, tuple(now - then for now, then in zip(self.counts, before.counts)), total)

    def onto(self, bounds):
        """The same with fewer of its bounds, the last one among them."""
        if bounds == self.bounds:
            return self
        reached = dict(zip(self.bounds, itertools.accumulate(self.counts)))
        ends = [reached[bound] for bound in bounds]
        return self._replace(bounds=bounds, counts=tuple(now - then for then, now in itertools.pairwise([0, *ends])))

    def times(self, factor):
        """The same with values in another unit."""
        return Histogram(tuple(bound * factor for bound in self.bounds), self.counts, *(value if value is None else value * factor for value in self[2:]))

    @classmethod
    def merged(cls, all_of_it):
        """The samples of all of these, at least one; the sum and the extremes are those of all, or not known."""
        some = [each for each in all_of_it if each.count] or all_of_it[:1]
        common = set(some[0].bounds).intersection(*(each.bounds for each in some))
        bounds = tuple(bound for bound in some[0].bounds if bound in common)
        counts = tuple(map(sum, zip(*(each.onto(bounds).counts for each in some))))
        known = [[number for number in numbers if number is not None] for numbers in zip(*(each[2:] for each in some))]
        total, minimum, maximum = (of(numbers) if len(numbers) == len(some) else None for of, numbers in zip((sum, min, max), known))
        return cls(bounds, counts, total, minimum, maximum)
