"""Whether a candidate is better than the present values: `verdict.judge(finding, base, least, duel)`.

Two steps keep chance from winning. The race chooses the best of many candidates, which favours lucky ones, so its
results are only a reason for a second step: new pairs of runs of the winner and the present values, judged by one test.
A variable without any effect is called better in at most 1 of 500 tunings, however many values were tried.
"""

import random

from mpit_info.tune import evidence
from mpit_info.tune.trial import Failure

# The p below which a race is a reason for new runs, and that of a claim from the race alone.
REASON, STRICT = 0.5, 0.001
# The new runs are tested up to twice: after the pairs, and after as many more unless the first test is hopeless.
LEVEL, HOPELESS = 0.001, 0.2
# Below it, new runs that do not reach the level do not show the contrary either.
NEARLY = 0.01
# The least number of pairs, with which the exact test reaches the level.
LEAST_PAIRS = 10

BETTER, NONE_IS_BETTER, NO_DIFFERENCE, NOT_DECIDED = "better", "none is better", "no difference", "not decided"
# New runs have confirmed that the present values are better than the best of the others.
PRESENT_IS_BEST = "present values are best"
# Two or more runs measured one number with every value: the metric says nothing about the variable.
NEVER_MOVED = "the metric never moved"


class Duel:
    """New pairs of runs of two candidates, each pair in a random order. `problem` is a sentence if a run failed."""

    def __init__(self, one, other, measure, scale, seed, told=None):
        self.one, self.other, self.measure, self.scale = one, other, measure, scale
        self.chance, self.told = random.Random(f"duel {seed}"), told
        self.pairs, self.problem, self.p = [], None, 1.0
        self.wins, self.share, self.interval = 0, 0.0, None

    def run(self, pairs):
        """So many more pairs; returns the duel."""
        try:
            self.pairs += [self.pair() for _ in range(pairs)]
        except Failure as failure:
            self.problem = str(failure)
            return self
        self.scale = self.scale.of([result for pair in self.pairs for result in pair])
        contrasts = [self.scale.contrast(*pair) for pair in self.pairs]
        self.wins = sum(contrast > 0 for contrast in contrasts)
        self.p = evidence.pairs_p(self.pairs if self.scale.is_highest_best else [pair[::-1] for pair in self.pairs])
        self.share = self.scale.share(evidence.median(contrasts))
        between = evidence.interval(contrasts)
        self.interval = evidence.Interval(*sorted(self.scale.share(end) for end in between)) if between else None
        return self

    def pair(self):
        """The results of both candidates."""
        results = {}
        for candidate in self.chance.sample([self.one, self.other], 2):
            results[candidate], _ = self.measure(candidate)
            if self.told:
                self.told(candidate, results[candidate])
        return results[self.one], results[self.other]

    def is_open(self):
        """Whether more pairs may decide what these do not."""
        return self.problem is None and LEVEL <= self.p < HOPELESS

    def is_won(self, least):
        """Whether the first candidate is better, by the least share that matters."""
        return self.problem is None and self.p < LEVEL and self.scale.matters(self.share, least) \
            and self.wins * 2 > len(self.pairs)

    def is_nearly_won(self, least):
        """Whether more pairs might confirm the first candidate, of which these leave a doubt."""
        return self.is_open() and self.p < NEARLY and self.scale.matters(self.share, least)


class Verdict:
    """`kind` is one of the six words above; `p` is whether the candidates of the race differ; `duel` is None if there
    was no reason for it.
    """

    def __init__(self, kind, winner, p, duel=None):
        self.kind, self.winner, self.p, self.duel = kind, winner, p, duel


def has_reason(race, base, least):
    """The best candidate of a race if it may be better than the base, otherwise None; and whether any candidates differ,
    as a p.
    """
    best, rounds = race.best(), race.complete()
    p = evidence.blocks_p(rounds)
    if best is None or best == base or evidence.lead_p(rounds, base, race.scale.is_highest_best) >= REASON:
        return None, p
    medians = race.medians()
    scale = race.scale.of([medians[best], medians[base]])
    share = scale.share(scale.contrast(medians[best], medians[base]))
    return (best if scale.matters(share, least) else None), p


def next_best(races, base, least):
    """The best other candidate of races that the base has won by the least share that matters; otherwise None."""
    leads = {}
    for race in races:
        if race.best() != base:
            return None
        medians = race.medians()
        scale = race.scale.of(medians.values())
        for each, value in medians.items():
            lead = scale.contrast(medians[base], value)
            if each != base and not scale.matters(scale.share(lead), least):
                return None
            leads[each] = lead
    return min((each for each in leads if each != base), key=leads.get, default=None)


def has_moved(results):
    """Whether these results differ; of fewer than two, true."""
    return len(results) < 2 or len(set(results)) > 1


def judge(finding, base, least, duel, results=()):
    """The verdict on the chosen candidate of a finding, or on the base if the base has won; `duel(one, other)` makes the
    new runs. `results` are those of all races so far.
    """
    chosen, p = finding.chosen, finding.p
    if not has_moved(results):
        return Verdict(NEVER_MOVED, base, p)
    one, other = (base, next_best(finding.races, base, least)) if chosen in (None, base) else (chosen, base)
    fought = duel(one, other) if other is not None else None
    if fought is not None and fought.is_won(least):
        return Verdict(PRESENT_IS_BEST if one == base else BETTER, one, p, fought)
    if fought is not None and fought.is_nearly_won(least):
        return Verdict(NOT_DECIDED, base, p, fought)
    return Verdict(NONE_IS_BETTER if p < STRICT else NO_DIFFERENCE, base, p, fought)
