"""Statistics over few runs, without assumptions about their distribution: `evidence.pairs_p([(5, 3), (4, 3)])`.

All functions are deterministic: random draws have a seed.
"""

import collections
import math
import random
import statistics

DRAWS = 4000
# Of permutations so many that are as extreme are enough to know that the value is not small.
ENOUGH = 100
SHARE = 0.95

Interval = collections.namedtuple("Interval", "low high")


def median(values):
    """The median; None of nothing."""
    return statistics.median(values) if values else None


def interval(values, seed=1, draws=1000):
    """The bootstrap interval of the median that has it with a probability of 95 %; None for less than two values."""
    if len(values) < 2:
        return None
    chance = random.Random(seed)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(draws))
    cut = int(draws * (1 - SHARE) / 2)
    return Interval(medians[cut], medians[-1 - cut])


def spread(values):
    """The median distance from the median, as a share of it; None if it is not known."""
    middle = median(values)
    if len(values) < 2 or not middle:
        return None
    return abs(median([abs(value - middle) for value in values]) / middle)


def ranks(values):
    """The ranks of the values from 1; equal values have the mean of their ranks."""
    places = sorted(range(len(values)), key=lambda place: values[place])
    found, first = [0.0] * len(values), 0
    while first < len(places):
        last = first
        while last + 1 < len(places) and values[places[last + 1]] == values[places[first]]:
            last += 1
        for place in places[first:last + 1]:
            found[place] = (first + last) / 2 + 1
        first = last + 1
    return found


def pairs_p(pairs):
    """A test of pairs, exact and one-sided: the probability of pairs in which the first number is at least as much
    higher as here, if chance orders each pair. The numbers count by their ranks among those of all pairs, so that a run
    that the machine has disturbed weighs little.
    """
    found = ranks([value for pair in pairs for value in pair])
    # Twice the differences of the ranks, which are whole also for equal numbers.
    differences = [round(2 * (one - other)) for one, other in zip(found[::2], found[1::2])]
    sums = collections.Counter([0])
    for size in map(abs, differences):
        more = collections.Counter()
        for total, count in sums.items():
            more[total + size] += count
            more[total - size] += count
        sums = more
    reached = sum(differences)
    return sum(count for total, count in sums.items() if total >= reached) / 2 ** len(differences)


def blocks_p(rounds, seed="blocks", draws=DRAWS):
    """Whether any candidate differs from the others. `rounds` are dictionaries of a candidate's result.

    The statistic is that of Friedman, with the weights of Skillings and Mack for rounds from which a candidate is missing.
    """
    counts = collections.Counter(name for results in rounds for name in results)
    return permuted_p(rounds, lambda sums: sum(total * total / counts[name] for name, total in sums.items()), seed, draws)


def lead_p(rounds, base, is_highest_best, seed="lead", draws=DRAWS):
    """Whether any candidate is better than the base, among those that ran in every round with it."""
    usual = [results for results in rounds if base in results]
    others = [name for name in (usual[0] if usual else ()) if name != base and all(name in results for results in usual)]
    if not others:
        return 1.0
    sign = 1 if is_highest_best else -1
    return permuted_p(usual, lambda sums: max(sign * (sums[name] - sums[base]) for name in others), seed, draws)


def permuted_p(rounds, statistic, seed, draws):
    """The share of the permutations of the ranks inside of each round whose statistic is as high: a test which takes
    changes of the machine from round to round out. It is one test for any number of candidates, so that many raise no
    more false alarms than two.
    """
    weighted = []
    for results in rounds:
        if len(results) > 1:
            scale = math.sqrt(12 / (len(results) + 1))
            scores = [scale * (rank - (len(results) + 1) / 2) for rank in ranks(list(results.values()))]
            weighted.append((list(results), scores))

    def reached():
        sums = collections.Counter()
        for names, scores in weighted:
            for name, score in zip(names, scores):
                sums[name] += score
        return statistic(sums)

    found = reached()
    if not any(any(scores) for _, scores in weighted):
        return 1.0
    chance, as_high = random.Random(seed), 0
    for drawn in range(1, draws + 1):
        for _, scores in weighted:
            chance.shuffle(scores)
        as_high += reached() >= found - 1e-9
        if as_high == ENOUGH:
            return as_high / drawn
    return (as_high + 1) / (draws + 1)
