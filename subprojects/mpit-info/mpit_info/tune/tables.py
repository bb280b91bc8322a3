"""The results of a tuning on the terminal: `screen.show(options, tables.parts(tuning, width))`."""

import shlex

from rich.text import Text

from mpit_info import console, figures, words
from mpit_info.document import clean, library_line
from mpit_info.tune import evidence, sweep, verdict

# The columns of the drawing of medians and intervals, and the most rows of a table.
LEAST_DRAWING, MOST_DRAWING = 16, 40
MOST_ROWS = 60
INTERVAL = "95 % interval"


def signed(share):
    """A share as a change: `+12 %`, `-0.4 %`."""
    text = figures.percent(abs(share))
    return text if share == 0 else ("+" if share > 0 else "-") + text


def change(scale, one, other):
    """The change from another result to this one."""
    scale = scale.of([one, other])
    value = scale.share(scale.contrast(one, other))
    return signed(value) if scale.has_ratios else ("+" if value > 0 else "") + figures.short(value)


def drawing(low, middle, high, ends, width):
    """An interval with its median on a scale between two ends."""
    first, last = ends
    step = (width - 1) / (last - first) if last > first else 0
    left, at, right = (round((value - first) * step) for value in (low, middle, high))
    return "".join("●" if place == at else "━" if left <= place <= right else " " for place in range(width))


def table(tuning, race, width):
    """The candidates of a race in their order; on a narrow terminal without the intervals, then without the runs."""
    medians = race.medians()
    between = {each: evidence.interval(race.results(each)) or (medians[each], medians[each]) for each in medians}
    ends = (min(low for low, _ in between.values()), max(high for _, high in between.values()))
    names = [clean(name) for name in varied(race)]
    rows = [row_of(tuning, race, each, medians, between) for each in kept(race, medians)]
    titles = [*names, "Runs", "Median", INTERVAL, "Change"]
    for expendable in (None, INTERVAL, "Runs", "Change"):
        titles = [title for title in titles if title != expendable]
        taken = sum(3 + max(Text(title).cell_len, *(Text(cells[title]).cell_len for cells, *_ in rows)) for title in titles)
        if taken - 3 <= width:
            break
    room = min(width - taken, MOST_DRAWING)
    drawn = console.table()
    for title in titles:
        drawn.add_column(title, justify="left" if title in names else "right", no_wrap=title not in names, overflow="fold")
    if room >= LEAST_DRAWING:
        drawn.add_column(f"{figures.short(ends[0])} to {figures.short(ends[1])}", no_wrap=True)
    for cells, picture, style in rows:
        picture = [drawing(*picture, ends, room) if picture else ""] if room >= LEAST_DRAWING else []
        drawn.add_row(*(cells[title] for title in titles), *picture, style=style)
    return drawn


def varied(race):
    """The names of the variables of a race whose values differ; of a race with one other candidate, all."""
    values = {}
    for candidate in race.candidates:
        for name, value in candidate:
            values.setdefault(name, set()).add(value)
    return [name for name, found in values.items() if len(found) > 1] or list(values)


def row_of(tuning, race, candidate, medians, between):
    """The cells of a candidate by title, the numbers of its drawing, and its style."""
    known = {**tuning.present, **dict(race.base), **dict(candidate)}
    values = {clean(name): clean(sweep.short(known[name])) if known.get(name) is not None else "" for name in varied(race)}
    if candidate == race.base:
        last = list(values)[-1]
        values[last] = f"{values[last]} (as it is)" if values[last] else "as it is"
    cells = {**values, "Runs": str(len(race.results(candidate))), "Median": "-", INTERVAL: "-", "Change": ""}
    if candidate not in medians:
        return cells, None, "dim"
    middle, (low, high) = medians[candidate], between[candidate]
    cells |= {"Median": figures.short(middle), INTERVAL: f"{figures.short(low)} to {figures.short(high)}"}
    if candidate != race.base and race.base in medians:
        cells["Change"] = change(tuning.scale, middle, medians[race.base])
    is_chosen = tuning.verdict is not None and candidate == tuning.verdict.winner
    style = "bold green" if is_chosen else "cyan" if candidate == race.best() else \
        "dim" if candidate in race.stopped else None
    return cells, (low, middle, high), style


def kept(race, medians):
    """All candidates, or of very many the base and those with the best medians."""
    if len(race.candidates) <= MOST_ROWS:
        return race.candidates
    best = sorted(medians, key=medians.get, reverse=race.scale.is_highest_best)[:MOST_ROWS]
    return [each for each in race.candidates if each in best or each == race.base]


def heading(tuning):
    """The MPI, the program and the metric."""
    document = tuning.document
    yield Text(library_line(document["mpi"]) if document else "no agent in the program", style="bold")
    yield Text(clean(shlex.join(tuning.options.program)), style="dim")
    kept = "most" if tuning.options.maximise else "least"
    unit = f" in {tuning.metric.unit}" if tuning.metric.unit else ""
    runs = sum(len(race.seconds) for race in tuning.races)
    yield Text(f"{clean(tuning.metric.text)}{unit}, the {kept} is best; {words.plural(runs, 'run')} in random order, "
               f"{figures.short(sum(sum(race.seconds) for race in tuning.races))} s", style="dim")
    yield Text("")


def settings_text(candidate):
    """A candidate with all digits."""
    return clean(" ".join(f"{name}={value}" for name, value in candidate))


def sentences(tuning):
    """The verdict, the most important sentence first."""
    told = tuning.verdict
    if told is None:
        yield Text("Interrupted: no winner was determined; the table has the runs so far.", style="bold")
        return
    if told.kind == verdict.NEVER_MOVED:
        yield from of_metric(tuning)
        return
    duel, race = told.duel, tuning.races[-1]
    if told.kind in (verdict.BETTER, verdict.PRESENT_IS_BEST):
        size = figures.percent(abs(duel.share)) if duel.scale.has_ratios else figures.short(abs(duel.share))
        is_better = told.kind == verdict.BETTER
        best = f"Winner: {settings_text(told.winner)}" if is_better else f"The best is {tuning.label(tuning.base)}"
        other = tuning.label(duel.other) + ("" if is_better else ", the next best")
        yield Text(f"{best}: {size} {'more' if duel.share > 0 else 'less'} than {other}.", style="bold green")
        yield Text(f"New runs of both: {duel.wins} of {len(duel.pairs)} pairs better, change {interval_text(duel)}, "
                   f"p = {duel.p:.2g}.")
        equal = as_good(race, told.winner) if is_better else []
        if equal:
            yield Text("About as good: " + ", ".join(tuning.label(each, race.base) for each in equal) + ".")
        return
    if told.kind == verdict.NOT_DECIDED:
        yield Text(f"Not decided: {tuning.label(duel.one)} was better in {duel.wins} of {len(duel.pairs)} pairs of new runs, change "
                   f"{interval_text(duel)}, p = {duel.p:.2g}; a winner has p < {verdict.LEVEL:g}.", style="bold")
        yield Text(f"A larger --repeat than {len(duel.pairs) // 2}, or a quieter machine, decides.")
        return
    if told.kind == verdict.NONE_IS_BETTER:
        yield Text(f"No value is better than {tuning.label(tuning.base)}, although the values differ (p = {told.p:.2g}).",
                   style="bold")
    elif any(each.stopped for each in tuning.races):
        yield Text(f"No value is better than {tuning.label(tuning.base)}: what the values that were not stopped show is noise.",
                   style="bold")
    else:
        noise = tuning.spread()
        spread = f"; half of the runs with the same values are within {figures.percent(noise)} of their median" if noise else ""
        yield Text(f"No difference: what the values show is noise (p = {told.p:.2g}{spread}).", style="bold")
    if duel and duel.problem:
        yield Text(f"{tuning.label(duel.one)} looked better, but a new run {duel.problem}.")
    elif duel:
        yield Text(f"{tuning.label(duel.one)} looked better; new runs did not confirm it: {duel.wins} of {len(duel.pairs)} "
                   f"pairs better, change {interval_text(duel)}, p = {duel.p:.2g}.")


def of_metric(tuning):
    """The sentences about a metric that never moved."""
    results = tuning.results()
    yield Text(f"The metric never moved: all {len(results)} runs measured {figures.short(results[0])}, with every value.",
               style="bold")
    names = clean(", ".join(each.name for each in tuning.sweeps))
    yield Text(f"It says nothing about {names}: the program does not do what it counts, or nothing counts it. wall, another "
               "variable or a number that the program prints can be the metric.")


def interval_text(duel):
    """The interval of the change in a duel."""
    ends = [signed(end) if duel.scale.has_ratios else figures.short(end) for end in duel.interval]
    return f"{ends[0]} to {ends[1]}"


def as_good(race, winner):
    """The candidates whose interval overlaps that of the winner."""
    own = evidence.interval(race.results(winner))
    found = []
    for candidate in race.medians() if own else ():
        other = evidence.interval(race.results(candidate))
        if candidate not in (winner, race.base) and candidate not in race.stopped and other \
                and other.low <= own.high and own.low <= other.high:
            found.append(candidate)
    return found


def parts(tuning, width):
    """All parts of the output."""
    yield from heading(tuning)
    if tuning.finding and tuning.finding.tried:
        runs = sum(len(results) for _, results in tuning.finding.tried)
        yield Text(f"optuna tried {words.plural(len(tuning.finding.tried), 'combination')} in {runs} runs; "
                   "the best of them:")
    for race in tuning.races:
        if race.title and len(tuning.races) > 1:
            yield Text(clean(race.title), style="bold")
        if race.medians():
            yield table(tuning, race, width)
        yield Text("")
    for candidate, reason in (pair for race in tuning.races for pair in {**race.stopped, **race.failed}.items()):
        yield Text(f"{tuning.label(candidate)}: {clean(reason)}.", style="dim")
    for note in tuning.notes:
        yield Text(f"{clean(note)}.", style="dim")
    yield from sentences(tuning)
    if tuning.verdict and tuning.verdict.kind == verdict.BETTER:
        yield Text("")
        longest = max(len(place) for place, _ in tuning.lines())
        for place, line in tuning.lines():
            yield Text(f"{place + ':':<{longest + 1}} {clean(line)}", no_wrap=True)
    if any(each.variable is None for each in tuning.trials.ways.values()):
        yield Text("Of arguments, the first value of the sweep is the present one.", style="dim")
