"""A comparison on the terminal: `screen.show(options, tables.parts(comparisons, width))`."""

import shlex

from rich.text import Text

from mpit_info import console, figures, first_page, headline, quantities, regions, summary, words
from mpit_info.diff import by_region, compared, moved, sentences
from mpit_info.diff.compared import change_text
from mpit_info.document import clean, library_line, one_line

TITLES = ["Variable", "Class", "A", "B", "Change", "Total", "Spread A", "Spread B", "Ranks A", "Ranks B"]
# The columns that are left out in turn on a narrow terminal.
EXPENDABLE = ((), ("Class",), ("Visits A", "Visits B"), ("In MPI A", "In MPI B"), ("Ranks A", "Ranks B"), ("Spread A", "Spread B"), ("Total",), ("Samples A", "Samples B"))
LONGEST_VALUE, LONGEST_DESCRIPTION = 40, 80


def ranks_of(side, unit):
    """The least and the greatest value of the ranks."""
    if side is None or side.spread.minimum == side.spread.maximum:
        return "-"
    return f"{quantities.text(side.spread.minimum, unit)} to {quantities.text(side.spread.maximum, unit)}"


def spread_of(side, by_total, unit):
    """The middle half of the numbers over ranks and time; a total has none."""
    if by_total or side is None or side.low is None:
        return "-"
    text = quantities.text if side.rate is None else quantities.rate
    return f"{text(side.low, unit)} to {text(side.high, unit)}"


def cells(variable):
    """The cells of a row by their titles."""
    totals = [side and side.total for side in (variable.one, variable.other)]
    is_rate = None not in totals and not variable.by_total
    one, other = compared.texts(variable)
    return {"Variable": variable.label, "Class": words.spoken(variable.class_), "A": one, "B": other,
            "Change": change_text(compared.change(*compared.numbers(variable))),
            "Total": change_text(compared.change(*totals)) if is_rate else "-",
            "Spread A": spread_of(variable.one, variable.by_total, variable.unit),
            "Spread B": spread_of(variable.other, variable.by_total, variable.unit),
            "Ranks A": ranks_of(variable.one, variable.unit), "Ranks B": ranks_of(variable.other, variable.unit)}


def fitting(rows, titles, width):
    """A table of rows, which are dictionaries by title, that fits the width."""
    titles = [title for title in titles if any(row[title] != "-" for row in rows)]
    for expendable in EXPENDABLE:
        titles = [title for title in titles if title not in expendable]
        if summary.needed(titles, rows) <= width:
            break
    table = console.table()
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if place == 0 or title in ("Class", "Description") else "right",
                         no_wrap=place > 0 and title != "Description", overflow="fold",
                         style="bold" if place == 0 else None)
    for row in rows:
        table.add_row(*(row[title] for title in titles))
    return table


def heading(comparison, width):
    """What A and B are, with the first sentence of each."""
    for letter, path, history in (("A", comparison.paths[0], comparison.one), ("B", comparison.paths[1], comparison.other)):
        told = history.told()
        facts = [clean(path), clean(shlex.join(history.command)), library_line(told["mpi"]) if told else "no MPI",
                 history.those_there(), f"exit status {history.status}" if history.status else ""]
        yield Text(f"{letter}  " + ", ".join(fact for fact in facts if fact))
        for sentence in regions.sentences(history)[:1]:
            yield from summary.paragraph(f"   {sentence}", width, "dim")
    yield Text("")


def times(comparison):
    """The rows of the duration and of the time outside of MPI of each rank; of many ranks those with the largest change."""
    durations = [headline.duration(history) for history in (comparison.one, comparison.other)]
    worst = sorted(comparison.pairs, key=lambda pair: -abs(pair.now.most - pair.before.most))[:first_page.MOST_RANKS]
    rows = [("duration", *(quantities.text(seconds, "s") for seconds in durations), compared.change(*durations))] if any(durations) else []
    # As the sentences tell it.
    is_own = headline.has_own([each for pair in comparison.pairs for each in (pair.before, pair.now)])
    what = "outside of MPI" + " without waits" * is_own
    for pair in (pair for pair in comparison.pairs if pair in worst):
        both = [each._replace(least=each.own_least, most=each.own_most) if is_own else each for each in (pair.before, pair.now)]
        rows.append((f"{pair.title} {what}", *(first_page.cells_of_rank(each)["Outside"] for each in both),
                     compared.change(*(each.most for each in both))))
    return [{"Time": title, "A": one, "B": other, "Change": change_text(share)} for title, one, other, share in rows]


def controls(comparison, width, with_all):
    """The control variables of both runs that differ, and on request constants and those of one run."""
    shown = comparison.controls if with_all else compared.settings(comparison.controls)
    rows = [{"Control variable": clean(each.name), "A": short(each.one), "B": short(each.other),
             "Description": short(one_line(each.description), min(max(width // 3, 20), LONGEST_DESCRIPTION))} for each in shown]
    if rows:
        yield fitting(rows, ["Control variable", "A", "B"] + (["Description"] if width >= 100 else []), width)
    if sentence := of_other_controls(len(comparison.controls) - len(rows)):
        yield Text(sentence, style="dim")
    yield Text("")


def of_other_controls(count):
    """A sentence about control variables that are not shown; empty without any."""
    if not count:
        return ""
    differ, are, them = ("differs", "is", "it") if count == 1 else ("differ", "are", "them")
    return f"{words.plural(count, 'control variable')} {differ}, but {are} in one run only, constant or of the job; --all shows {them}."


def short(value, longest=LONGEST_VALUE):
    """A text that is not too long; `(none)` for the value of a run without the variable."""
    if value is None:
        return "(none)"
    return value if len(value) <= longest else value[:longest - 1].rstrip() + "…"


def parts(comparisons, width, with_all=False):
    """All parts of the output."""
    for number, comparison in enumerate(comparisons.all):
        if number:
            yield Text("")
        yield from parts_of(comparison, width, with_all)
    for problem in comparisons.problems:
        yield Text(f"{clean(problem)}.", style="dim")


def parts_of(comparison, width, with_all):
    """The parts of two launches."""
    if comparison.title:
        yield Text(comparison.title, style="bold")
    yield from heading(comparison, width)
    for number, sentence in enumerate(sentences.sentences(comparison)):
        yield from summary.paragraph(sentence, width, "" if number else "bold")
    yield Text("")
    if rows := times(comparison):
        yield fitting(rows, list(rows[0]), width)
        yield Text("")
    if comparison.controls:
        yield from controls(comparison, width, with_all)
    shown = [each for each in comparison.variables if each.differs or with_all]
    if shown:
        yield fitting([cells(each) for each in shown], TITLES, width)
    if any(each.class_ in words.GROWING and not each.by_total for each in shown):
        yield Text("Where A and B are rates, Total is the change of the total.", style="dim")
    if moving := [moved.cells(each) for each in comparison.distributions if moved.differs(each) or None in (each.one, each.other) or with_all]:
        yield Text("")
        yield fitting(moving, list(moving[0]), width)
    same = len(comparison.variables) + len(comparison.distributions) - len(shown) - len(moving)
    if same:
        yield Text(f"{words.plural(same, 'variable')} did not change beyond {'its' if same == 1 else 'their'} spread over "
                   "ranks and time, or follow from other times; --all shows them.", style="dim")
    if comparison.regions:
        yield Text("")
        yield fitting([by_region.cells(each, change_text) for each in comparison.regions], by_region.TITLES, width)
        yield Text("Of regions, A visit is the change of the time that a visit takes.", style="dim")
    if comparison.events:
        yield Text("")
        yield fitting([{"Event": clean(each.name), "A": figures.short(each.one), "B": figures.short(each.other),
                        "Change": change_text(compared.change(each.one_rate, each.other_rate))}
                       for each in comparison.events],
                      ["Event", "A", "B", "Change"], width)
