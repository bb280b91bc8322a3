"""The histogram by which quantiles are merged: `buckets.of(0.25)` is the number of the bucket of a value.

The buckets are those of Prometheus' native histograms of schema 5: each upper bound is the one below times 2^(1/32). They are the
same in all processes, so that counts of a bucket are added and merging loses nothing. A quantile is wrong by at most ERROR of its value.
"""

import bisect
import math

PARTS = 32
# The upper bounds of the buckets of one power of two, as math.frexp has the fractions: from a half to one.
BOUNDS = [2.0 ** (number / PARTS - 1) for number in range(1, PARTS)] + [1.0]
GROWTH = 2.0 ** (1 / PARTS)
ERROR = (GROWTH - 1) / (GROWTH + 1)
# The least and the greatest number of a bucket of a double.
LEAST, MOST = -1074 * PARTS, 1024 * PARTS


def of(value):
    """The number of the bucket of a positive number. The number 0 ends at 1."""
    fraction, power = math.frexp(value)
    if fraction == 0.5:
        # A power of two is the upper bound of its bucket.
        return (power - 1) * PARTS
    return (power - 1) * PARTS + bisect.bisect_left(BOUNDS, fraction) + 1


def middle(number):
    """The value that is wrong by the same share at both ends of a bucket."""
    try:
        upper = 2.0 ** (number / PARTS)
    except OverflowError:
        return 2.0 ** 1023
    return 2 * upper / (1 + GROWTH)


def packed(counts):
    """Counts by buckets as a flat list: each bucket as the distance from the one before, and its count."""
    told, before = [], 0
    for number in sorted(counts):
        told += (number - before, counts[number])
        before = number
    return told


def unpacked(told):
    """The counts of a flat list; ValueError if it is none."""
    if len(told) % 2:
        raise ValueError("has half a bucket")
    counts, number = {}, 0
    for distance, count in zip(told[::2], told[1::2]):
        number += distance
        if not LEAST <= number <= MOST or count < 1:
            raise ValueError("has a bucket that no number has")
        counts[number] = counts.get(number, 0) + count
    return counts
