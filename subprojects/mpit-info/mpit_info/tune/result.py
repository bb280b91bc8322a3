"""The result of a tuning as JSON: `result.text(tuning)`. All runs are in it, so that other tests can be made of them."""

from mpit_info.document import json_text
from mpit_info.tune import evidence

FORMAT = "mpit-info tuning 1"


def of_race(race):
    """A race, with the results of each candidate by round."""
    return {"title": race.title, "candidates": [
        {"settings": dict(candidate), "is_present": candidate == race.base,
         "results": race.results(candidate), "median": evidence.median(race.results(candidate)),
         "interval": evidence.interval(race.results(candidate)),
         "stopped": race.stopped.get(candidate), "failed": race.failed.get(candidate)} for candidate in race.candidates]}


def of_duel(duel):
    """The new runs of the winner and the present values."""
    if duel is None:
        return None
    if duel.problem:
        return {"one": dict(duel.one), "other": dict(duel.other), "problem": duel.problem, "pairs": duel.pairs}
    return {"one": dict(duel.one), "other": dict(duel.other), "pairs": duel.pairs, "better_pairs": duel.wins, "p": duel.p,
            "change": duel.share, "interval": duel.interval, "problem": None}


def text(tuning):
    """The document."""
    told, options = tuning.verdict, tuning.options
    return json_text({
        "format": FORMAT, "program": options.program,
        "mpi": tuning.document["mpi"]["library"] if tuning.document else None,
        "metric": tuning.metric.text, "unit": tuning.metric.unit, "best_is": "highest" if options.maximise else "lowest",
        "search": options.search, "seed": options.seed, "repeat": options.repeat, "least": options.least,
        "present": tuning.present, "races": [of_race(race) for race in tuning.races],
        "tried": [{"settings": dict(candidate), "results": results}
                  for candidate, results in (tuning.finding.tried if tuning.finding else ())],
        "verdict": told.kind if told else "interrupted", "p": told.p if told else None,
        "winner": dict(told.winner) if told else None, "duel": of_duel(told.duel) if told else None,
        "lines": [{"place": place, "line": line} for place, line in tuning.lines()], "notes": tuning.notes}) + "\n"
