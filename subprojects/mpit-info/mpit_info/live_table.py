"""The table of the variables in the live view: `live_table.Layout(history, rows, state, width)` has the columns that fit.

Names and values are never cut: on a narrow terminal columns are left out in turn, the graph among them, and then names get two
lines.
"""

import re

from rich.cells import cell_len
from rich.text import Text

from mpit_info import figures, quantities, rows, words
from mpit_info.sampled import SLOT

NUMBER, GAP = 9, 2
LEAST_NAME, FOLDED_NAME, LEAST_GRAPH, WIDE_GRAPH, MOST_GRAPH = 16, 22, 10, 30, 150
# The columns beside the name, the best choice first, each with the least width of the graph.
SEVERAL = (
    (("Minimum", "Mean", "Maximum", "Imbalance", "A second", "Highest"), WIDE_GRAPH),
    (("Minimum", "Mean", "Maximum", "Imbalance", "A second"), LEAST_GRAPH),
    (("Mean", "Maximum", "Imbalance", "A second"), LEAST_GRAPH),
    (("Mean", "Imbalance", "A second"), LEAST_GRAPH),
    (("Mean", "Imbalance", "A second"), 0),
    (("Mean", "A second"), 0),
)
ONE = ((("Value", "A second", "Highest"), WIDE_GRAPH), (("Value", "A second"), LEAST_GRAPH), (("Value", "A second"), 0))
# The title of the graph, the longest that fits: blocks of a quarter of a second, from zero to the highest value.
AXES = ("last {:g} s, from 0 to the highest", "last {:g} s, 0 to highest", "last {:g} s")


def folded(text, width):
    """A name in lines of at most this width, broken behind a word if possible; the further lines are indented."""
    lines, indent = [], ""
    while cell_len(indent + text) > width:
        room = width - len(indent)
        breaks = [found.end() for found in re.finditer(r"[_ ,./:-]|(?=[(\[])", text)
                  if 0 < cell_len(text[:found.end()].rstrip()) <= room]
        # In front of the object that a variable is bound to, if there is one.
        bound = [place for place in breaks if text[place:place + 1] == "("]
        place = max(bound or breaks, default=0) or next(
            size for size in range(len(text), 0, -1) if cell_len(text[:size]) <= room or size == 1)
        lines.append(indent + text[:place].rstrip())
        text, indent = text[place:], "  "
    return [*lines, indent + text]


def padded(text, width):
    """A text with blanks behind it, or in front of it for a negative width."""
    blanks = " " * (abs(width) - cell_len(text))
    return text + blanks if width > 0 else blanks + text


class Layout:
    """The columns for these rows at a width, and the lines of the names."""

    def __init__(self, history, shown, state, width):
        self.history, self.shown, self.state, self.ranks_shown = history, shown, state, ""
        self.marks = state.place() is not None
        labels = [self.label(row) for row in shown]
        longest = max([len("Variable"), *map(cell_len, labels)])
        if state.by_columns:
            self.choose_ranks(longest, width)
        else:
            self.choose_columns(longest, width)
        self.names = [folded(label, self.name_width) for label in labels]

    def label(self, row):
        """The name of a row, with a mark if it is selected."""
        mark = ("▸ " if rows.key_of(row) == self.state.selected else "  ") if self.marks else ""
        return mark + (row.variable.label if row.process is None else f"  {row.process.title()}")

    def choose_columns(self, longest, width):
        """The most columns beside whole names, otherwise the fewest."""
        cells = [rows.cells(self.history, row) for row in self.shown]
        for titles, graph in SEVERAL if len(self.history.ordered()) > 1 else ONE:
            if "Highest" in titles:
                cells = [{**each, "Highest": self.highest(row, MOST_GRAPH)} for each, row in zip(cells, self.shown)]
            self.set_columns(cells, titles)
            left = width - longest - sum(self.widths.values()) - GAP * len(titles)
            # Without a graph names may get two lines.
            if left >= graph + GAP if graph else longest + left >= min(FOLDED_NAME, longest):
                break
        self.graph_width = min(left - GAP, MOST_GRAPH) if graph else 0
        self.name_width = longest if left >= 0 else max(longest + left, LEAST_NAME)

    def choose_ranks(self, longest, width):
        """As many ranks as fit beside the names."""
        processes = self.history.ordered()
        self.state.ranks = len(processes)
        self.state.first_rank = min(self.state.first_rank, max(len(processes) - 1, 0))
        processes = processes[self.state.first_rank:]
        self.graph_width, self.name_width = 0, min(longest, max(width - 2 * (NUMBER + GAP), LEAST_NAME))
        count = max((width - self.name_width) // (NUMBER + GAP), 1)
        while True:
            cells = [rows.rank_cells(self.history, row, processes[:count]) for row in self.shown]
            self.set_columns(cells, [process.title() for process in processes[:count]])
            if count <= 1 or self.name_width + sum(self.widths.values()) + GAP * len(self.widths) <= width:
                break
            count -= 1
        if count < self.state.ranks:
            last = min(self.state.first_rank + count, self.state.ranks)
            self.ranks_shown = f"columns {self.state.first_rank + 1} to {last} of {self.state.ranks}; ← → scroll"

    def set_columns(self, cells, titles):
        """The columns are as wide as their widest text."""
        self.cells = cells
        self.widths = {title: max([NUMBER, cell_len(title), *(cell_len(each[title]) for each in cells)]) for title in titles}

    def highest(self, row, blocks):
        """The value that fills the height of the graph."""
        known = [value for value in rows.graph_of(self.history, row, blocks) if value is not None]
        unit = rows.unit_of(self.history, row)
        show = quantities.rate if rows.class_of(row) in words.GROWING else quantities.text
        return show(max(known), unit) if known else "-"

    def axis(self):
        """The title of the graphs."""
        texts = [text.format(self.graph_width * SLOT) for text in AXES]
        return next((text for text in texts if cell_len(text) <= self.graph_width), f"{self.graph_width * SLOT:g} s")

    def heights(self):
        """The lines of each row."""
        return [len(name) for name in self.names]

    def lines(self, first, last):
        """The head of the table, and the lines of some of the rows."""
        head = padded("Variable", self.name_width) + "".join(padded(title, -width - GAP) for title, width in self.widths.items())
        head += " " * GAP + padded(self.axis(), self.graph_width) if self.graph_width else ""
        yield Text(head, style="bold", no_wrap=True)
        yield Text("─" * cell_len(head), no_wrap=True)
        for row, cells, name in list(zip(self.shown, self.cells, self.names))[first:last]:
            yield from self.row(row, cells, name)

    def row(self, row, cells, name):
        """The lines of a row; the first one has the values."""
        is_selected, has_moved = rows.key_of(row) == self.state.selected, rows.has_moved(self.history, row)
        style = "reverse" if is_selected else "" if has_moved else "dim"
        line = Text(style=style, no_wrap=True)
        line.append(padded(name[0], self.name_width), "bold" if row.process is None else "")
        line.append("".join(padded(cells[title], -width - GAP) for title, width in self.widths.items()))
        if self.graph_width:
            growing = rows.class_of(row) in words.GROWING
            line.append(" " * GAP + figures.blocks(rows.graph_of(self.history, row, self.graph_width), self.graph_width),
                        "" if is_selected else "green" if growing else "cyan")
        yield line
        for rest in name[1:]:
            yield Text(rest, style=f"{style} bold".strip(), no_wrap=True)
