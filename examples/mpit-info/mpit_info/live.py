"""The live view of a run: rich draws `live.view(history, chosen, width, height)` repeatedly.

Variables that have changed are first; the last line counts those that do not fit.
"""

import shlex

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from mpit_info import figures, headline, summary, words
from mpit_info.document import clean
from mpit_info.history import SLOT

NUMBER = 9
LEAST_GRAPH = 10
MOST_GRAPH = 60
# The columns that are dropped in turn on a narrow terminal.
EXPENDABLE = ["Minimum", "Maximum", "Imbalance"]


def heading(history, rate):
    """One line about the run."""
    facts = [text for text in (history.those_there(), f"{history.end:.1f} s") if text]
    if rate:
        facts.append(f"{rate:g} samples a second")
    return Text.assemble((clean(shlex.join(history.command)), "bold"), ("   " + "   ".join(facts), "dim"),
                         no_wrap=True, overflow="ellipsis")


def in_order(history, chosen, room):
    """The variables that fit, those that have changed first, both groups in the order of the program."""
    if len(chosen) <= room:
        return chosen
    moved = [column for column in chosen if column in history.moved]
    return (moved + [column for column in chosen if column not in history.moved])[:room]


def recent_rate(graph):
    """The mean of the last second of a graph."""
    latest = [value for value in list(graph)[-int(1 / SLOT):] if value is not None]
    return sum(latest) / len(latest) if latest else None


def titles_for(width, names, several):
    """The titles of the columns that fit beside the names, and the width that is left for a graph."""
    titles = ["Minimum", "Mean", "Maximum", "Imbalance", "A second"] if several else ["Value", "A second"]
    for given_up in [None, *EXPENDABLE]:
        titles = [title for title in titles if title != given_up]
        left = width - names - 2 - (NUMBER + 2) * len(titles)
        if left >= LEAST_GRAPH:
            break
    return titles, min(left, MOST_GRAPH)


def variables(history, shown, width, several):
    """The table of the variables with their graphs."""
    longest = max((Text(history.label(column)).cell_len for column in shown), default=10)
    names = min(max(longest, 8), max(width - 2 * (NUMBER + 2) - LEAST_GRAPH - 2, 16))
    titles, graph_width = titles_for(width, names, several)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), collapse_padding=True)
    table.add_column("Variable", min_width=names, max_width=names, overflow="fold", style="bold")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True, min_width=NUMBER, max_width=NUMBER)
    if graph_width >= LEAST_GRAPH:
        table.add_column("", no_wrap=True, min_width=graph_width, max_width=graph_width)
    for column in shown:
        spread = history.spread(column, lambda process, column=column: process.value(column))
        growing = column.class_ in words.GROWING
        graph = history.columns[column]
        cells = {**summary.told(history, column, figures.short, spread),
                 "A second": figures.short(recent_rate(graph)) if growing else ""}
        row = [Text(history.label(column)), *(cells[title] for title in titles)]
        if graph_width >= LEAST_GRAPH:
            row.append(Text(figures.blocks(graph, graph_width), style="green" if growing else "cyan"))
        table.add_row(*row, style=None if column in history.moved else "dim")
    return table


def events(history, width):
    """The table of the events; a graph shows their number in each time slot."""
    names = max((Text(clean(name)).cell_len for name in history.events()), default=8)
    left = min(width - max(names, 8) - 2 - 2 * (NUMBER + 2), MOST_GRAPH)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), collapse_padding=True)
    table.add_column("Event", overflow="fold", style="bold")
    for title in ("Count", "A second"):
        table.add_column(title, justify="right", no_wrap=True, min_width=NUMBER)
    if left >= LEAST_GRAPH:
        table.add_column("", no_wrap=True)
    for name in history.events():
        tracks = [process.tracks[name] for process in history.ordered() if name in process.tracks]

        def counted(begin, end, tracks=tracks):
            return sum(track.counted(begin, end) for track in tracks)

        now = int(history.end / SLOT)
        graph = [counted(slot * SLOT, (slot + 1) * SLOT) for slot in range(max(now - max(left, 0), 0), now)]
        rate = counted(max(history.end - 1, 0), history.end) / min(max(history.end, SLOT), 1)
        row = [clean(name), figures.short(sum(track.count for track in tracks)), figures.short(round(rate, 1))]
        table.add_row(*row, *([Text(figures.blocks(graph, left), style="magenta")] if left >= LEAST_GRAPH else []))
    return table


def view(history, chosen, width, height, rate=None):
    """The whole view, in at most this number of lines."""
    several = len(history.ordered()) > 1
    names = history.events()
    sentences = headline.sentences(history)[:max(height - 6, 0)]
    room = max(height - 5 - len(sentences) - (len(names) + 3 if names else 0), 1)
    shown = in_order(history, chosen, room)
    parts = [heading(history, rate), *(Text(sentence, style="bold yellow" if number == 0 else "", no_wrap=True, overflow="ellipsis")
                                       for number, sentence in enumerate(sentences)), Text("")]
    if shown:
        parts.append(variables(history, shown, width, several))
    else:
        parts.append(Text("waiting for the program's MPI to start", style="dim"))
    if len(shown) < len(chosen):
        moved = sum(column in history.moved for column in chosen)
        parts.append(Text(f"{len(chosen) - len(shown)} more variables ({moved} of {len(chosen)} have changed); "
                          "--variable chooses", style="dim", no_wrap=True, overflow="ellipsis"))
    if names:
        parts += [Text(""), events(history, width)]
    return Group(*parts)
