"""Interleaved runs of candidates: `race = Race(candidates, measure, scale, 5, seed); race.run()`.

Each round runs every candidate once, in a random order, so that a change of the machine affects all. A candidate that is
clearly worse than the best one, or fails, does not run in later rounds.
"""

import math
import random

from mpit_info.tune import evidence
from mpit_info.tune.trial import Failure

# The rounds before a candidate can be clearly worse; one that is so many times worse needs two.
LEAST_ROUNDS, FAR = 3, 2.0


class Race:
    """`rounds` has the results of each round by candidate, `stopped` and `failed` a sentence for each that ended early.
    `protected` runs in all rounds.
    """

    def __init__(self, candidates, measure, scale, repeat, seed, protected=None, told=None):
        self.candidates, self.measure, self.scale, self.repeat = list(candidates), measure, scale, repeat
        self.chance, self.protected = random.Random(f"race {seed}"), protected
        self.rounds, self.stopped, self.failed, self.seconds = [], {}, {}, []
        # The number of runs that are still expected.
        self.left = repeat * len(self.candidates)
        self.told = told or (lambda race, candidate, result: None)

    def running(self):
        """The candidates of the next round."""
        return [each for each in self.candidates if each not in self.stopped and each not in self.failed]

    def run(self):
        """All rounds, while more than one candidate is left; an interruption leaves the complete rounds."""
        for number in range(self.repeat):
            order = self.running()
            if self.rounds and len(order) < 2:
                break
            self.chance.shuffle(order)
            results = {}
            for place, candidate in enumerate(order):
                self.left = (self.repeat - number - 1) * len(self.running()) + len(order) - place - 1
                try:
                    results[candidate], seconds = self.measure(candidate)
                    self.seconds.append(seconds)
                except Failure as failure:
                    self.failed[candidate] = str(failure)
                self.told(self, candidate, results.get(candidate))
            self.rounds.append(results)
            self.stop_worse()
        return self

    def results(self, candidate):
        """The results of a candidate in the order of the rounds."""
        return [results[candidate] for results in self.rounds if candidate in results]

    def medians(self):
        """The medians of all candidates that did not fail."""
        found = {each: evidence.median(self.results(each)) for each in self.candidates if each not in self.failed}
        return {each: value for each, value in found.items() if value is not None}

    def complete(self):
        """The rounds without the candidates that failed."""
        return [{each: value for each, value in results.items() if each not in self.failed} for results in self.rounds]

    def best(self):
        """The candidate with the best median among those that ran in all rounds; None if all failed."""
        kept = {each: value for each, value in self.medians().items() if each not in self.stopped}
        return self.scale.of(kept.values()).best(kept) if kept else None

    def stop_worse(self):
        """Stops the candidates that are clearly worse than the best one."""
        best = self.best()
        for candidate in self.running():
            if candidate not in (best, self.protected) and self.is_clearly_worse(candidate, best):
                self.stopped[candidate] = f"stopped after {len(self.results(candidate))} runs, clearly worse"

    def is_clearly_worse(self, candidate, best):
        """Whether each run is worse than each of the best one by more than both spread, in three rounds or by far."""
        one, other = self.results(candidate), self.results(best)
        scale = self.scale.of([*one, *other])
        lead = min(scale.contrast(good, bad) for good in other for bad in one)
        if min(len(one), len(other)) < 2 or lead <= 0:
            return False
        spreads = sum(max(scale.contrast(good, bad) for good in values for bad in values) for values in (one, other))
        is_far = scale.has_ratios and lead >= math.log(FAR)
        return lead > spreads and (is_far or min(len(one), len(other)) >= LEAST_ROUNDS)
