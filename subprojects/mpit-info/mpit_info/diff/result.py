"""Comparisons as JSON: `result.text(comparisons)`."""

import math

from mpit_info.diff import by_region, compared, moved, sentences
from mpit_info.document import json_text

FORMAT = "mpit-info comparison 1"


def side(told):
    """A variable in one run."""
    if told is None:
        return None
    return {"minimum": told.spread.minimum, "mean": told.spread.mean, "maximum": told.spread.maximum, "total": told.total, "rate": told.rate,
            "quartiles": [told.low, told.middle, told.high]}


def histogram(told):
    """A distribution in one run; the last bucket has no bound."""
    return told and {"bounds": told.bounds[:-1], "counts": told.counts, "sum": told.sum, "minimum": told.minimum, "maximum": told.maximum}


def finite(share):
    """A change as a number, null from 0, or an end of a range."""
    return share if share is not None and math.isfinite(share) else None


def text(comparisons):
    """The document; of several launches it has a list."""
    found = [members(comparison) for comparison in comparisons.all]
    return json_text({"format": FORMAT, **(found[0] if len(found) == 1 else {"launches": found})}) + "\n"


def members(comparison):
    """What the document has of two launches."""
    return {
        "sentences": sentences.sentences(comparison),
        "runs": [{"file": path, "program": history.command, "seconds": history.end, "ranks": len(history.ordered())}
                 for path, history in zip(comparison.paths, (comparison.one, comparison.other))],
        "ranks": [{"rank": each.title, "a": [each.before.least, each.before.most], "b": [each.now.least, each.now.most]}
                  for each in comparison.pairs],
        "control_variables": [{"name": each.name, "a": each.one, "b": each.other} for each in comparison.controls],
        "performance_variables": [
            {"name": each.label, "class": each.class_, "differs": each.differs, "a": side(each.one), "b": side(each.other),
             "change": finite(compared.change(*compared.numbers(each)))} for each in comparison.variables],
        "distributions": [
            {"name": each.label, "differs": moved.differs(each), "a": histogram(each.one), "b": histogram(each.other),
             "quantiles": [{"name": of.title, "differs": of.differs, "a": list(map(finite, [of.one, *of.ranges[0]])),
                            "b": list(map(finite, [of.other, *of.ranges[1]]))}
                           for of in each.quantiles]} for each in comparison.distributions],
        "regions": [{"path": list(each.path), "a": by_region.side_of(each.one), "b": by_region.side_of(each.other),
                     "change": finite(by_region.change_of(each))} for each in comparison.regions],
        "events": [{"name": each.name, "a": each.one, "b": each.other} for each in comparison.events]}
