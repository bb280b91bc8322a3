"""The ranks of one node: `ranks.accept(connection, message)`, and at the end of each interval `ranks.summary(number)`."""

from mpit_info import figures, words
from mpit_info.history import began_of
from mpit_info.nodes.distribution import Distribution
from mpit_info.nodes.summaries import Columns, Measured, Summary


class Rank:
    """One process: its last values, and those at the end of the interval before."""

    def __init__(self, number):
        self.number, self.rank, self.processes, self.began, self.cost = number, -1, 1, None, None
        self.columns, self.types, self.values, self.time = [], [], [], 0.0
        self.before, self.since = None, None
        self.former = {}  # the type and last value of each column of a library that is closed

    def set_columns(self, columns):
        """Sets the columns of the samples that follow."""
        told, ended = set(columns.columns), {}
        for column, type_, value in zip(self.columns, self.types, self.values):
            ended[column] = type_, value
        self.former = {column: known for column, known in {**self.former, **ended}.items() if column not in told}
        if columns.columns[:len(self.columns)] != self.columns:
            # The values until now are in another order.
            self.before, self.values = None, []
        self.columns, self.types = columns.columns, columns.types

    def label(self):
        """The rank, or a negative number of its own for a process without an MPI."""
        return self.rank if self.rank >= 0 else -1 - self.number

    def growth(self, place, value):
        """The growth a second since the end of the interval before; None if it is unknown."""
        if self.before is None:
            return None
        time, values = self.before
        if place >= len(values) or values[place] is None:
            return None
        return (value - values[place]) / (self.time - time) if self.time > time else 0


class Ranks:
    """All processes that have connected on this node, by the numbers of their connections."""

    def __init__(self, worst):
        self.worst, self.ranks, self.snapshot = worst, {}, None

    def accept(self, number, message):
        """Takes a message of a process."""
        rank, kind = self.ranks.setdefault(number, Rank(number)), message["message"]
        if kind == "hello":
            rank.rank, rank.processes, rank.began = message.get("rank", -1), message.get("processes", 1), began_of(message)
        elif kind == "columns":
            columns = Columns()
            columns.set_told(message["columns"])
            rank.set_columns(columns)
        elif kind == "sample":
            rank.time, rank.values = message["time"], message["values"]
            rank.since = rank.time if rank.since is None else rank.since
        elif kind == "snapshot":
            self.snapshot = self.snapshot or message
        elif kind == "end":
            if message.get("cost") is not None and message["time"] > 0:
                rank.cost = message["cost"] / message["time"]

    def processes(self):
        """The number of ranks of the whole job, as the ranks know it."""
        return max((rank.processes for rank in self.ranks.values()), default=0)

    def known(self):
        """The processes that have sent values."""
        return [rank for rank in self.ranks.values() if rank.since is not None]

    def summary(self, interval):
        """The summary of the interval that ends now."""
        known, values, rates, types = self.known(), {}, {}, {}
        for rank in known:
            numbers, label = list(map(figures.number, rank.values)), rank.label()
            for place, (column, type_, value) in enumerate(zip(rank.columns, rank.types, numbers)):
                if value is None:
                    continue
                values.setdefault(column, []).append((label, value))
                types.setdefault(column, type_)
                growth = rank.growth(place, value) if column.class_ in words.GROWING else None
                if growth is not None:
                    rates.setdefault(column, []).append((label, growth))
            rank.before = (rank.time, numbers)
            for column, (type_, value) in rank.former.items():
                if (number := figures.number(value)) is not None:
                    values.setdefault(column, []).append((label, number))
                    types.setdefault(column, type_)
        times = [(rank.began, rank.began + rank.since, rank.began + rank.time) for rank in known if rank.began is not None]
        return Summary(interval, 1 if known else 0, len(known), began=min((began for began, _, _ in times), default=None),
                       since=min((since for _, since, _ in times), default=None), until=max((until for _, _, until in times), default=None),
                       cost=max((rank.cost for rank in known if rank.cost is not None), default=None),
                       values={column: Measured(types[column], Distribution.of(pairs, self.worst),
                                                Distribution.of(rates[column], self.worst) if column in rates else None)
                               for column, pairs in values.items()})

    def values_of(self, name=None, wanted=None):
        """The last values of a variable, or of a rank: lists of a rank, the name of a variable, its element, its object and the value."""
        return [[rank.label(), column.name, column.element, column.object, value]
                for rank in self.known() if wanted is None or rank.label() == wanted
                for column, value in zip(rank.columns, rank.values) if name is None or column.name == name]
