"""The rows of the view, in the order that the user has chosen: `rows.ordered(history, chosen, state, room)`.

A row is a variable, several objects or elements of one that are joined, or one rank of these.
"""

import collections
import re

from mpit_info import document, figures, quantities, summary, words
from mpit_info.sampled import SLOT

Variable = collections.namedtuple("Variable", "key label columns")
Row = collections.namedtuple("Row", "variable process")
# The value of a rank that has sent none.
NOT_SAMPLED = "not sampled"


def key_of(row):
    """What the state of the view knows of a row."""
    return row.variable.key, row.process and row.process.number


def variables(history, chosen, state):
    """The variables, with joined objects as one."""
    groups = {}
    for column in chosen:
        groups.setdefault((column.name, column.class_), []).append(column)
    found = {}
    for column in chosen:
        group = column.name, column.class_
        if state.is_joined(group, len(groups[group])):
            found.setdefault((group, None), Variable((group, None), joined_label(history, groups[group]), groups[group]))
        else:
            found[group, column] = Variable((group, column), history.label(column), [column])
    return list(found.values())


def joined_label(history, columns):
    """`messages_to (64 elements)`."""
    class_ = f", {words.spoken(columns[0].class_)}" if len(history.classes[columns[0].name]) > 1 else ""
    kind = "object" if any(column.object for column in columns) else "element"
    return document.clean(f"{columns[0].name}{class_} ({words.plural(len(columns), kind)})")


def combined(class_, values):
    """One value of several objects: a sum, and of other classes the mean or an extreme; None if they are states that differ."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    if class_ == "state":
        return known[0] if len(set(known)) == 1 else None
    if class_ == "percentage":
        return sum(known) / len(known)
    return {"high_watermark": max, "low_watermark": min}.get(class_, sum)(known)


def class_of(row):
    """The class of the row's variable."""
    return row.variable.columns[0].class_


def value_of(process, variable):
    """The last value of a variable in a process."""
    if len(variable.columns) == 1:
        return process.value(variable.columns[0])
    return combined(variable.columns[0].class_, [process.value(column) for column in variable.columns])


def rate_of(process, variable):
    """The growth over the last second in a process."""
    return combined("counter", [process.recent_rate(column) for column in variable.columns])


def spread_of(history, variable):
    """The spread of the last values over the processes."""
    return history.spread(variable.columns[0], lambda process: value_of(process, variable))


def graph_of(history, row, blocks):
    """The last values or rates, a block of the graph each."""
    growing = class_of(row) in words.GROWING
    if row.process is None:
        graphs = [list(history.columns[column])[-blocks:] for column in row.variable.columns]
    else:
        # The graphs are those of all processes.
        edges = [(history.slot - blocks + number) * SLOT for number in range(blocks + 1)]
        graphs = [series(row.process.values_at(column, edges), growing) for column in row.variable.columns]
    return graphs[0] if len(graphs) == 1 else [combined(class_of(row), each) for each in zip(*graphs)]


def series(values, growing):
    """The value at the end of each block, or the rate in it."""
    if not growing:
        return values[1:]
    return [None if None in pair else (pair[1] - pair[0]) / SLOT for pair in zip(values, values[1:])]


def recent_rate(history, row):
    """The rate of the last second: the mean over the processes, or that of one."""
    if row.process is not None:
        return rate_of(row.process, row.variable)
    latest = [value for value in graph_of(history, row, int(1 / SLOT)) if value is not None]
    return sum(latest) / len(latest) if latest else None


def sorting(history, order):
    """The number or text by which a row is sorted; None puts it behind all others."""
    def number(row):
        if order == "name":
            # [2] is before [10].
            parts = re.split(r"([0-9]+)", row.variable.label.lower())
            return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
        if order == "rate":
            return recent_rate(history, row) if class_of(row) in words.GROWING else None
        if row.process is not None:
            return value_of(row.process, row.variable)
        spread = spread_of(history, row.variable)
        return spread.mean if order == "value" else spread.imbalance
    return number


def sorted_by(rows, number, is_descending):
    """The rows by their numbers, those without one last."""
    told = [(number(row), row) for row in rows]
    known = sorted((pair for pair in told if pair[0] is not None), key=lambda pair: pair[0], reverse=is_descending)
    return [row for _, row in known] + [row for value, row in told if value is None]


def ordered(history, chosen, state, room):
    """All rows. In the order of the program those that have changed are first if not all fit."""
    found = [Row(variable, None) for variable in variables(history, chosen, state) if state.matches(variable.label)]
    if state.order != "program":
        found = sorted_by(found, sorting(history, state.order), (state.order != "name") != state.is_reversed)
    else:
        if len(found) > room:
            moved = [row for row in found if has_moved(history, row)]
            found = moved + [row for row in found if not has_moved(history, row)]
        found = found[::-1] if state.is_reversed else found
    if state.by_columns or not state.by_rank:
        return found
    return [part for row in found for part in (row, *ranks_of(history, row, state))]


def ranks_of(history, row, state):
    """The rows of the ranks of a variable that is split."""
    if row.variable.key not in state.by_rank:
        return []
    # Of many nodes only the worst ranks of a variable are known here.
    ranks = [Row(row.variable, process) for process in history.ordered()
             if not history.of_nodes or value_of(process, row.variable) is not None]
    if state.order in ("value", "rate"):
        ranks = sorted_by(ranks, sorting(history, state.order), not state.is_reversed)
    return ranks


def has_moved(history, row):
    """Whether the variable has changed in any process."""
    return any(column in history.moved for column in row.variable.columns)


def unit_of(history, row):
    """The unit of the row's values."""
    return quantities.unit_of(row.variable.columns[0], history.types.get(row.variable.columns[0]))


def cells(history, row):
    """The texts of a row by the titles of their columns."""
    unit, column = unit_of(history, row), row.variable.columns[0]

    def text(value):
        return quantities.text(value, unit)

    growing = class_of(row) in words.GROWING
    rate = {"A second": quantities.rate(recent_rate(history, row), unit) if growing else ""}
    spread = spread_of(history, row.variable)
    if row.process is None:
        return {**summary.told(history, column, text, spread), **rate}
    value = value_of(row.process, row.variable)
    told = history.state(column, value) or text(value) if row.process.first else NOT_SAMPLED
    # How far this rank is from the mean of all.
    above = value / spread.mean - 1 if value is not None and spread.mean and class_of(row) != "state" else None
    share = "" if above is None else figures.percent(abs(above))
    deviation = f"{'+' if above >= 0 else '-'}{share}" if share else ""
    return {"Value": told, "Minimum": "", "Mean": told, "Maximum": "", "Imbalance": deviation, **rate}


def rank_cells(history, row, processes):
    """The texts of a row with a column for each of these processes."""
    unit, column = unit_of(history, row), row.variable.columns[0]
    values = [(process, value_of(process, row.variable)) for process in processes]
    return {process.title(): history.state(column, value) or quantities.text(value, unit) if process.first else NOT_SAMPLED
            for process, value in values}
