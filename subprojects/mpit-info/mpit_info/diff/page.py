"""A comparison as a page for any browser, without a script of others: `page.write("diff.html", comparisons)`.

The pictures are SVG inside of the page: for each variable the spread of both runs on one axis, and both time lines.
"""

import os

from mpit_info import figures, regions, report, words
from mpit_info.diff import by_region, compared, moved, sentences, tables
from mpit_info.document import one_line

WIDTH, LINE_HEIGHT = 320, 64


def bars(variable):
    """The spread of both runs as places on one axis, from 0 to the width: quartiles and middle."""
    sides = [("a", variable.one), ("b", variable.other)]
    known = [side for _, side in sides if side and side.low is not None]
    if not known:
        return []
    first, last = min(side.low for side in known), max(side.high for side in known)
    if first > 0 and first < last / 2:
        first = 0
    scale = (WIDTH - 12) / (last - first) if last > first else 0
    return [{"run": run, **{name: round(6 + (value - first) * scale, 1) for name, value in (
        ("left", side.low), ("middle", side.middle), ("right", side.high))}}
            for run, side in sides if side and side.low is not None]


def lines(variable):
    """The mean of the ranks over the run, as points of two lines with a common axis from 0."""
    told = [(run, [value for value in side.line if value is not None])
            for run, side in (("a", variable.one), ("b", variable.other)) if side]
    highest = max((value for _, values in told for value in values), default=0)
    lowest = min((value for _, values in told for value in values), default=0)
    lowest = min(lowest, 0)
    height = highest - lowest or 1
    return [{"run": run, "points": " ".join(
        f"{WIDTH * place / (len(values) - 1):.1f},{LINE_HEIGHT - 2 - (LINE_HEIGHT - 4) * (value - lowest) / height:.1f}"
        for place, value in enumerate(values))} for run, values in told if len(values) > 1]


def card(variable, described):
    """The texts and pictures of a variable."""
    told = tables.cells(variable)
    return {"label": variable.label, "class": words.spoken(variable.class_), "differs": variable.differs,
            "description": described.get((variable.name, variable.class_), ""),
            "a": told["A"], "b": told["B"], "change": told["Change"], "total": told["Total"],
            "spread_a": told["Spread A"], "spread_b": told["Spread B"], "ranks_a": told["Ranks A"], "ranks_b": told["Ranks B"],
            "bars": bars(variable), "lines": lines(variable)}


def facts_of(comparison):
    """What the page has of two launches."""
    described = {words.of_member(member): one_line(member["description"]) for history in (comparison.other, comparison.one)
                 for told in [history.told()] if told for member in told["performance_variables"]}
    sides = [("A", comparison.paths[0], comparison.one), ("B", comparison.paths[1], comparison.other)]
    return {"title": comparison.title, "sentences": sentences.sentences(comparison), "times": tables.times(comparison),
            "runs": [{"letter": letter, "path": path, "facts": report.facts(history), "sentence": next(iter(regions.sentences(history)), "")}
                     for letter, path, history in sides],
            "controls": [{"name": each.name, "one": tables.short(each.one), "other": tables.short(each.other),
                          "description": one_line(each.description)} for each in compared.settings(comparison.controls)],
            "other_controls": tables.of_other_controls(len(comparison.controls) - len(compared.settings(comparison.controls))),
            "cards": [card(each, described) for each in comparison.variables],
            "regions": [by_region.cells(each, compared.change_text) for each in comparison.regions],
            "distributions": list(map(moved.cells, comparison.distributions)),
            "events": [{"name": each.name, "one": figures.exact(each.one), "other": figures.exact(each.other),
                        "change": compared.change_text(compared.change(each.one_rate, each.other_rate))}
                       for each in comparison.events]}


def text(comparisons):
    """The page."""
    return report.rendered(
        "diff.html", title=" and ".join(os.path.basename(path) for path in comparisons.paths),
        launches=[facts_of(comparison) for comparison in comparisons.all], problems=comparisons.problems, width=WIDTH, height=LINE_HEIGHT,
        region_titles=by_region.TITLES,
        styles=report.part(report.PAGE, "report.css") + "\n" + report.part(report.PAGE, "diff.css"),
        script=report.part(report.PAGE, "diff.js"))


def write(path, comparisons):
    """Writes the page into a file."""
    report.save(path, text(comparisons))
