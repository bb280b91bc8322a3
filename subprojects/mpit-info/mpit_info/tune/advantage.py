"""Compares results of a metric: `Scale(is_highest_best=False).contrast(1.0, 1.2)` is above 0, since less is better.

A contrast is the logarithm of a ratio, so that a pair weighs the same in both orders; of results that are not all above
0 it is their difference.
"""

import math


class Scale:
    """The direction of a metric, and whether its results have ratios."""

    def __init__(self, is_highest_best, has_ratios=True):
        self.is_highest_best, self.has_ratios = is_highest_best, has_ratios

    def of(self, results):
        """The scale for these results."""
        return Scale(self.is_highest_best, all(result > 0 for result in results))

    def contrast(self, one, other):
        """A number that is above 0 if the first result is better, and changes its sign with the order."""
        if self.is_highest_best:
            one, other = other, one
        return math.log(other / one) if self.has_ratios else other - one

    def share(self, contrast):
        """A contrast as the change from the other result to the first: -0.2 if the first is a fifth less; without
        ratios, their difference.
        """
        change = contrast if self.is_highest_best else -contrast
        return math.expm1(change) if self.has_ratios else change

    def matters(self, share, least):
        """Whether a change is at least this share; without ratios, true."""
        return abs(share) >= least or not self.has_ratios

    def best(self, results):
        """The key of the best result of a dictionary."""
        return (max if self.is_highest_best else min)(results, key=lambda key: results[key])
