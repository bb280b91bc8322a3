"""A comparison on the terminal: `screen.show(options, tables.parts(comparisons, width))`."""

import math
import shlex

from rich import box
from rich.table import Table
from rich.text import Text

from mpit_info import figures, summary, words
from mpit_info.diff import by_region, compared
from mpit_info.document import clean, library_line, one_line

TITLES = ["Variable", "Class", "A", "B", "Change", "Total", "Spread A", "Spread B", "Ranks A", "Ranks B"]
# The columns that are left out in turn on a narrow terminal.
EXPENDABLE = ((), ("Class",), ("Visits A", "Visits B"), ("In MPI A", "In MPI B"), ("Ranks A", "Ranks B"), ("Spread A", "Spread B"), ("Total",))
LONGEST_VALUE, LONGEST_DESCRIPTION = 40, 80


def change_text(share):
    """A change: `+12 %`, `x 5.2` if it is more than tenfold, `from 0`."""
    if share is None:
        return "-"
    if math.isinf(share):
        return "from 0"
    if share >= 9.995:
        return f"x {figures.short(share + 1)}"
    return "0 %" if share == 0 else ("+" if share > 0 else "-") + figures.percent(abs(share))


def number(side):
    """The number of a variable in one run that is compared, with a unit if it is a rate."""
    return figures.short(compared.number(side)) + (" /s" if side is not None and side.rate is not None else "")


def ranks_of(side):
    """The least and the greatest value of the ranks."""
    if side is None or side.spread.minimum == side.spread.maximum:
        return "-"
    return f"{figures.short(side.spread.minimum)} to {figures.short(side.spread.maximum)}"


def spread_of(side):
    """The middle half of the numbers over ranks and time."""
    return "-" if side is None or side.low is None else f"{figures.short(side.low)} to {figures.short(side.high)}"


def cells(variable):
    """The cells of a row by their titles."""
    sides = compared.numbers(variable)
    totals = [side.spread.mean if side and variable.class_ in words.GROWING else None
              for side in (variable.one, variable.other)]
    return {"Variable": variable.label, "Class": words.spoken(variable.class_),
            "A": number(variable.one), "B": number(variable.other),
            "Change": change_text(compared.change(*sides)),
            "Total": change_text(compared.change(*totals)) if None not in totals else "-",
            "Spread A": spread_of(variable.one), "Spread B": spread_of(variable.other),
            "Ranks A": ranks_of(variable.one), "Ranks B": ranks_of(variable.other)}


def fitting(rows, titles, width):
    """A table of rows, which are dictionaries by title, that fits the width."""
    titles = [title for title in titles if any(row[title] != "-" for row in rows)]
    for expendable in EXPENDABLE:
        titles = [title for title in titles if title not in expendable]
        if summary.needed(titles, rows) <= width:
            break
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if place == 0 or title in ("Class", "Description") else "right",
                         no_wrap=place > 0 and title != "Description", overflow="fold",
                         style="bold" if place == 0 else None)
    for row in rows:
        table.add_row(*(row[title] for title in titles))
    return table


def heading(comparison):
    """What A and B are."""
    for letter, path, history in (("A", comparison.paths[0], comparison.one), ("B", comparison.paths[1], comparison.other)):
        told = history.told()
        facts = [clean(path), clean(shlex.join(history.command)), library_line(told["mpi"]) if told else "no MPI",
                 history.those_there(), f"{history.end:.1f} s" if history.end else "",
                 f"exit status {history.status}" if history.status else ""]
        yield Text(f"{letter}  " + ", ".join(fact for fact in facts if fact))
    yield Text("")


def controls(comparison, width, with_all):
    """The control variables of both runs that differ, and on request constants and those of one run."""
    shown = comparison.controls if with_all else compared.settings(comparison.controls)
    rows = [{"Control variable": clean(each.name), "A": short(each.one), "B": short(each.other),
             "Description": short(one_line(each.description), min(max(width // 3, 20), LONGEST_DESCRIPTION))} for each in shown]
    if rows:
        yield fitting(rows, ["Control variable", "A", "B"] + (["Description"] if width >= 100 else []), width)
    more = len(comparison.controls) - len(rows)
    if more:
        yield Text(f"{words.plural(more, 'control variable')} {'differs' if more == 1 else 'differ'}, but {'is' if more == 1 else 'are'} in one run only or "
                   f"constant; --all shows {'it' if more == 1 else 'them'}.", style="dim")
    yield Text("")


def short(value, longest=LONGEST_VALUE):
    """A text that is not too long; `(none)` for the value of a run without the variable."""
    if value is None:
        return "(none)"
    return value if len(value) <= longest else value[:longest - 1].rstrip() + "…"


def sentence(comparison):
    """What a person reads first."""
    differing = [variable for variable in comparison.variables if variable.differs]
    changed = [variable for variable in differing if None not in (variable.one, variable.other)]
    more = len(differing) - len(changed)
    if not changed:
        text = "No performance variable differs beyond its spread"
    else:
        first = changed[0]
        one, other = compared.numbers(first)
        text = f"{words.plural(len(changed), 'performance variable')} of {len(comparison.variables)} " \
               f"{'differs' if len(changed) == 1 else 'differ'} beyond the spread"
        if None not in (one, other):
            text += f", most {first.label}: {number(first.one)} to {number(first.other)} " \
                    f"({change_text(compared.change(one, other))})"
    if more:
        text += f"; {more} {'is' if more == 1 else 'are'} in one run only"
    count = len(compared.settings(comparison.controls))
    control = f"; {words.plural(count, 'control variable')} {'differs' if count == 1 else 'differ'}" if count else ""
    return Text(text + control + ".", style="bold")


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
    yield from heading(comparison)
    yield sentence(comparison)
    yield Text("")
    if comparison.controls:
        yield from controls(comparison, width, with_all)
    shown = [each for each in comparison.variables if each.differs or with_all]
    if shown:
        yield fitting([cells(each) for each in shown], TITLES, width)
    if any(each.class_ in words.GROWING for each in shown):
        yield Text("Of variables that grow, A and B are the rates, and Total is the change of the value at the end.",
                   style="dim")
    same = len(comparison.variables) - len(shown)
    if same:
        yield Text(f"{words.plural(same, 'variable')} did not change beyond {'its' if same == 1 else 'their'} spread over "
                   "ranks and time; --all shows them.", style="dim")
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
