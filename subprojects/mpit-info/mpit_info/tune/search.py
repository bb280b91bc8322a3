"""Which candidates run: `search.grid(sweeps, base, run_race)` and others return a Finding.

`run_race(candidates, title)` runs a race in which the present values take part; `measure` makes one run.
"""

from mpit_info.refusal import Refusal
from mpit_info.tune import evidence, sweep, verdict
from mpit_info.tune.trial import Failure

# The number of the best candidates of an optimiser that race in the end.
FINALISTS = 3


class Finding:
    """The races in their order, the candidate that was chosen (None if there is none), and the p of the deciding race.
    `tried` has the pairs of a candidate and its results of an optimiser.
    """

    def __init__(self, races, chosen, p, tried=()):
        self.races, self.chosen, self.p, self.tried = races, chosen, p, list(tried)


def grid(sweeps, base, is_present, run_race, least):
    """One race of all combinations; the one that equals the present values is left out."""
    race = run_race([base, *(each for each in sweep.grid(sweeps) if not is_present(each) and each != base)], "")
    return Finding([race], *verdict.has_reason(race, base, least))


def one_at_a_time(sweeps, base, is_present, run_race, least):
    """A race for each variable, with the best values of those before it."""
    current, races, p = base, [], 1.0
    for each in sweeps:
        candidates = [with_value(current, each.name, value, sweeps) for value in each.values]
        race = run_race([current, *(candidate for candidate in candidates
                                    if candidate != current and not is_present(candidate))], each.name, current)
        races.append(race)
        best, of_race = verdict.has_reason(race, current, least)
        p = min(p, of_race * len(sweeps))
        current = best if best is not None else current
    return Finding(races, current if current != base else None, min(p, 1.0))


def with_value(candidate, name, value, sweeps):
    """The candidate with another value of one variable, in the order of the sweeps."""
    values = {**dict(candidate), name: value}
    return tuple((each.name, values[each.name]) for each in sweeps if each.name in values)


def check_optimiser():
    """Refuses a search that needs a package which is not installed."""
    try:
        import optuna  # noqa: F401
    except ImportError:
        raise Refusal("--search optimise needs the Python package optuna (on Debian: apt-get install python3-optuna); "
                      "--search one needs none") from None


def optimise(sweeps, base, run_race, least, *, measure, scale, repeat, trials, seed):
    """Combinations that optuna chooses by the results so far, then a race of the best of them. A combination runs up to
    `repeat` times; successive halving ends those early whose results are among the worse.
    """
    import optuna
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize" if scale.is_highest_best else "minimize",
                                sampler=optuna.samplers.TPESampler(seed=seed),
                                pruner=optuna.pruners.SuccessiveHalvingPruner(reduction_factor=2))
    results = {}
    for _ in range(trials):
        trial = study.ask()
        candidate = tuple((each.name, each.values[trial.suggest_int(each.name, 0, len(each.values) - 1)]) for each in sweeps)
        state = run_trial(trial, candidate, results.setdefault(candidate, []), measure, repeat)
        if state == optuna.trial.TrialState.COMPLETE:
            study.tell(trial, evidence.median(results[candidate]))
        else:
            study.tell(trial, state=state)
    medians = {candidate: evidence.median(found) for candidate, found in results.items() if found}
    most = max((len(results[candidate]) for candidate in medians), default=0)
    full = [candidate for candidate in medians if len(results[candidate]) == most]
    best = sorted(full, key=medians.get, reverse=scale.is_highest_best)[:FINALISTS]
    race = run_race([base, *(candidate for candidate in best if candidate != base)], "the best combinations")
    return Finding([race], *verdict.has_reason(race, base, least), results.items())


def run_trial(trial, candidate, found, measure, repeat):
    """Runs a combination until it is complete, fails or is ended early; returns its state."""
    from optuna.trial import TrialState
    for step in range(repeat):
        if len(found) <= step:
            try:
                found.append(measure(candidate)[0])
            except Failure:
                return TrialState.FAIL
        trial.report(evidence.median(found[:step + 1]), step + 1)
        if trial.should_prune() and step + 1 < repeat:
            return TrialState.PRUNED
    return TrialState.COMPLETE
