"""What a node, or a part of the tree, sends for an interval: `Summary.merged([one, other], worst=5).told(columns)`.

Intervals have the same numbers on all nodes: seconds since 1970 divided by the period. A link has a list of columns that only grows; a
summary names a variable by its place there.
"""

import collections

from mpit_info.history import MOST_COLUMNS, Column
from mpit_info.nodes.distribution import Distribution

# A column with its type, the values of the ranks at the end of the interval and their growth a second in it, None if it does not grow.
Measured = collections.namedtuple("Measured", "type value rate")


class Columns:
    """The list of the columns of one link."""

    def __init__(self):
        self.columns, self.places, self.types = [], {}, []

    def place(self, column, type_=None):
        """The place of a column, which is appended if it is new; None if there are too many."""
        found = self.places.get(column)
        if found is None and len(self.columns) < MOST_COLUMNS:
            found = self.places[column] = len(self.columns)
            self.columns.append(column)
            self.types.append(type_)
        return found

    def set_told(self, told):
        """Takes the list of a message."""
        occurrences = collections.Counter()
        self.columns, self.types = [], []
        for each in told[:MOST_COLUMNS]:
            key = (each["name"], each.get("class", "generic"), each.get("element"), each.get("object"))
            self.columns.append(Column(*key, occurrences[key]))
            self.types.append(each.get("type"))
            occurrences[key] += 1

    def told(self):
        """The list as it travels."""
        return [{"name": column.name, "class": column.class_, "element": column.element, "object": column.object,
                 **({"type": type_} if type_ else {})} for column, type_ in zip(self.columns, self.types)]


class Summary:
    """The ranks of a part of the tree in one interval. `began` is the first start of a rank, `since` and `until` are the times of the first
    and the last sample, all in seconds since 1970, `cost` the highest share of a processor of an agent, `values` has a Measured by columns.
    """

    __slots__ = ("interval", "nodes", "ranks", "began", "since", "until", "cost", "values")

    def __init__(self, interval, nodes=1, ranks=0, *, began=None, since=None, until=None, cost=None, values=None):
        self.interval, self.nodes, self.ranks = interval, nodes, ranks
        self.began, self.since, self.until, self.cost, self.values = began, since, until, cost, {} if values is None else values

    @classmethod
    def merged(cls, all_of_it, worst, interval=None):
        """The summary of all these parts."""
        made = cls(interval if interval is not None else all_of_it[0].interval, sum(each.nodes for each in all_of_it),
                   sum(each.ranks for each in all_of_it), began=known(min, (each.began for each in all_of_it)),
                   since=known(min, (each.since for each in all_of_it)), until=known(max, (each.until for each in all_of_it)),
                   cost=known(max, (each.cost for each in all_of_it)))
        by_column = {}
        for each in all_of_it:
            for column, measured in each.values.items():
                by_column.setdefault(column, []).append(measured)
        for column, parts in by_column.items():
            rates = [part.rate for part in parts if part.rate]
            made.values[column] = Measured(next((part.type for part in parts if part.type), None),
                                           Distribution.merged([part.value for part in parts], worst),
                                           Distribution.merged(rates, worst) if rates else None)
        return made

    def told(self, columns):
        """The message; columns that it names for the first time are appended to those of the link."""
        variables = []
        for column, measured in self.values.items():
            place = columns.place(column, measured.type)
            if place is not None:
                variables.append([place, measured.value.told(), measured.rate and measured.rate.told()])
        told = {"message": "summary", "interval": self.interval, "nodes": self.nodes, "ranks": self.ranks, "variables": variables}
        more = {"began": self.began, "since": self.since, "until": self.until, "cost": self.cost}
        return {**told, **{name: value for name, value in more.items() if value is not None}}

    @classmethod
    def from_told(cls, told, columns):
        """The summary of a message of a link with these columns; ValueError if it contradicts itself."""
        made = cls(told["interval"], told["nodes"], told["ranks"], **{name: told.get(name) for name in ("began", "since", "until", "cost")})
        for place, value, rate in told["variables"]:
            if place >= len(columns.columns):
                raise ValueError("names a column that was not sent")
            made.values[columns.columns[place]] = Measured(columns.types[place], Distribution.from_told(value),
                                                           rate and Distribution.from_told(rate))
        return made


def known(extreme, values):
    """The extreme of the values that are known; None if none is."""
    return extreme((value for value in values if value is not None), default=None)
