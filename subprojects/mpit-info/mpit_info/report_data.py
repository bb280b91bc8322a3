"""The data of the report, on a common time line: `report_data.gather(history, columns)`.

A page has at most MOST_NUMBERS numbers, for any length of the run and any number of ranks and variables.
"""

import bisect
import math

from mpit_info import distributions, document, figures, first_page, quantities, summary, words
from mpit_info.history import AVERAGED
from mpit_info.sampled import of_row

MOST_NUMBERS = 600_000
MOST_POINTS, LEAST_POINTS = 600, 60
TRACK_BINS = 300


def line_of_time(history, columns, most):
    """The moments of the page, as many as the limit of numbers allows."""
    processes = history.ordered()
    samples = max((len(process.times) for process in processes), default=0)
    points = most // max(len(columns) * len(processes), 1)
    points = max(min(points, samples, MOST_POINTS), min(LEAST_POINTS, max(samples, 2)), 2)
    first = min((process.times[0] for process in processes if process.times), default=0.0)
    last = max((process.last[0] for process in processes), default=0.0)
    return [first + (last - first) * number / (points - 1) for number in range(points)]


def rows_at(process, times):
    """For each moment the rows before and after it, and its position between them, from 0 to 1; after the last row, the
    seconds since; None before the first.
    """
    told = process.times + ([process.last[0]] if process.times and process.last[0] > process.times[-1] else [])
    rows = process.rows + ([process.last[1]] if len(told) > len(process.rows) else [])
    found = []
    for moment in times:
        after = bisect.bisect_right(told, moment + 1e-9)
        if after == 0:
            found.append(None)
        elif after == len(told):
            found.append((rows[-1], None, moment - told[-1]))
        else:
            before = told[after - 1]
            found.append((rows[after - 1], rows[after], (moment - before) / (told[after] - before)))
    return found


def series(process, column, around, step):
    """The values of a variable at the moments. Sums are interpolated between two samples and end with the last; other
    values hold until the next sample, and one step after the last.
    """
    place, growing = process.position.get(column), column.class_ in words.GROWING
    values = []
    for rows in around:
        value = of_row(rows[0], place) if rows else None
        if value is not None and rows[1] is None and rows[2] > (1e-6 if growing else step):
            value = None
        elif value is not None and growing and rows[1] is not None and rows[2]:
            following = of_row(rows[1], place)
            value += rows[2] * (following - value) if following is not None else 0
        values.append(value)
    return values


def compact(value):
    """A number with as many digits as a picture shows."""
    if value is None or isinstance(value, int) and abs(value) < 10**10:
        return value
    if not math.isfinite(value):
        return None
    value = float(f"{value:.9g}")
    return int(value) if value.is_integer() else value


def lines_of(column, around, processes, step):
    """One line for each process: its first value, and the difference from it at each moment."""
    lines = []
    for process in processes:
        values = series(process, column, around[process.number], step)
        base = next((value for value in values if value is not None), 0) if column.class_ in words.GROWING else 0
        lines.append({"base": base, "values": [None if value is None else compact(value - base) for value in values]})
    return lines


def highest_of(history, column, processes):
    """The process with the highest figure; an empty text if all are equal."""
    known = [(figure, process) for process in processes
             for figure in [history.figure(process, column)] if figure is not None]
    if not known or max(known, key=lambda pair: pair[0])[0] == min(known, key=lambda pair: pair[0])[0]:
        return ""
    return max(known, key=lambda pair: pair[0])[1].title()


def variable(history, column, processes, described):
    """The texts of the page about a variable."""
    spread, unit = history.spread(column), quantities.unit_of(column, history.types.get(column))
    return {"label": history.label(column), "class": words.spoken(column.class_),
            "growing": column.class_ in words.GROWING, "averaged": column.class_ in AVERAGED,
            "description": described.get((column.name, column.class_), ""),
            **{title.lower(): text for title, text in
               summary.told(history, column, lambda value: quantities.exact(value, unit), spread).items()},
            "rate": quantities.rate_text(history.rate(column), unit, " of the time", " a second") if column.class_ in words.GROWING else "",
            "highest": highest_of(history, column, processes)}


def track(history, name, processes, described):
    """The number of instances of an event in each process and bin, and the ranges of their values."""
    width = history.end / TRACK_BINS if history.end else 1
    counts, elements, total = [], {}, 0
    for process in processes:
        kept = process.tracks.get(name)
        counts.append([round(kept.counted(number * width, (number + 1) * width), 2) if kept else 0
                       for number in range(TRACK_BINS)])
        if kept:
            total += kept.count
            for element, (low, high) in kept.elements.items():
                before = elements.get(element, (low, high))
                elements[element] = (min(before[0], low), max(before[1], high))
    totals = history.totals(name)
    ranges = "; ".join(f"{document.clean(element)}: sum {figures.exact(known.sum)}, {figures.exact(known.minimum)} to "
                       f"{figures.exact(known.maximum)}, most are {summary.common(known.bins)}"
                       for element, known in totals.items()) or ", ".join(f"{document.clean(element)} {figures.exact(low)} to {figures.exact(high)}"
                       for element, (low, high) in elements.items())
    return {"name": document.clean(name), "description": described.get(name, ""), "count": figures.exact(total),
            "rate": figures.short(total / history.end if history.end else None), "carried": ranges, "counts": counts}


def heat_map(history, of, histogram, description):
    """The samples of a distribution over all ranks in each bucket and part of the run, from the highest bucket with samples down."""
    width = history.end / TRACK_BINS if history.end else 1
    edges, there = [number * width for number in range(TRACK_BINS + 1)], [number for number, count in enumerate(histogram.counts) if count]
    rows = range(there[-1], there[0] - 1, -1)
    counts = {number: [0.0] * TRACK_BINS for number in rows}
    for process in history.ordered():
        around, (bounds, columns) = rows_at(process, edges), distributions.buckets(process, of)
        for bound, column in zip(bounds, columns) if distributions.reading(process, of) else ():
            # A rank may have more buckets than all have in common.
            number, reached = bisect.bisect_left(histogram.bounds, bound), None
            for place, value in enumerate(series(process, column, around, width) if number in counts else ()):
                # The last sample is between two edges.
                value = process.value(column) if value is None and reached is not None else value
                if None not in (value, reached):
                    counts[number][place - 1] += max(value - reached, 0)
                reached = value
    upper = [quantities.text(histogram.bounds[number], of.unit) for number in rows]
    return {"name": distributions.label(of), "description": description, "cells": distributions.cells(of, histogram, lambda count, _: figures.exact(count)),
            "labels": [f"≤ {text}" if text != "-" else f"> {quantities.text(histogram.bounds[-2], of.unit)}" for text in upper],
            "counts": [[compact(round(count, 2)) for count in counts[number]] for number in rows]}


def gather(history, columns, most=MOST_NUMBERS):
    """All data of the page: its texts, and its numbers for the script."""
    processes, told = history.ordered(), history.told()
    is_whole = len(columns) == len(history.columns)
    known, columns = distributions.divided(history, columns)
    lines = first_page.rest(history, columns, has_first=True) if is_whole else first_page.Rest(columns, 0)
    has_groups = lines.columns is not columns
    moved = [column for column in lines.columns if column in history.moved]
    moved.sort(key=lambda column: first_page.GROUPS.index(first_page.group_of(column)) if has_groups else 0)
    times = line_of_time(history, moved, most)
    around = {process.number: rows_at(process, times) for process in processes}
    described = {words.of_member(member): document.one_line(member["description"])
                 for member in (told["performance_variables"] if told else [])}
    events = {member["name"]: document.one_line(member["description"]) for member in (told["events"] if told else [])}
    variables = [{**variable(history, column, processes, described), "group": first_page.group_of(column) if has_groups else ""}
                 for column in moved]
    tracks = [track(history, name, processes, events) for name in history.events()]
    maps = [heat_map(history, each, histogram, described.get((each.name, "counter"), "")) for each in known
            if not history.of_nodes and (histogram := distributions.merged(history, each)) and histogram.count]
    return {
        "variables": variables, "tracks": tracks, "maps": maps, "left_out": first_page.left_out_sentence(lines.left_out),
        "still": [variable(history, column, processes, described) for column in columns if column not in history.moved],
        "numbers": {
            "times": [round(moment, 6) for moment in times], "end": round(history.end, 4),
            "ranks": [process.title() for process in processes],
            "variables": [{"label": words_["label"], "growing": words_["growing"],
                           "unit": quantities.unit_of(column, history.types.get(column)), "states": history.states(column),
                           "lines": lines_of(column, around, processes, times[1] - times[0])}
                          for words_, column in zip(variables, moved)],
            "tracks": [*({"name": each["name"], "counts": each.pop("counts")} for each in tracks),
                       *({"name": each["name"], "counts": each.pop("counts"), "labels": each.pop("labels")} for each in maps)]}}
