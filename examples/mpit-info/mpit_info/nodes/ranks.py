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
        self.before, self.has_sent, self.has_ended = None, False, False

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
            if rank.before is not None and columns.columns[:len(rank.columns)] != rank.columns:
                rank.before = None
            rank.columns, rank.types = columns.columns, columns.types
        elif kind == "sample":
            rank.time, rank.values, rank.has_sent = message["time"], message["values"], True
        elif kind == "snapshot":
            self.snapshot = self.snapshot or message
        elif kind == "end":
            rank.has_ended = True
            if message.get("cost") is not None and message["time"] > 0:
                rank.cost = message["cost"] / message["time"]

    def processes(self):
        """The number of ranks of the whole job, as the ranks know it."""
        return max((rank.processes for rank in self.ranks.values()), default=0)

    def known(self):
        """The processes that have sent values."""
        return [rank for rank in self.ranks.values() if rank.has_sent]

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
        began = [rank for rank in known if rank.began is not None]
        return Summary(interval, 1, len(known), min((rank.began for rank in began), default=None),
                       max((rank.began + rank.time for rank in began), default=None),
                       max((rank.cost for rank in known if rank.cost is not None), default=None),
                       {column: Measured(types[column], Distribution.of(pairs, self.worst),
                                         Distribution.of(rates[column], self.worst) if column in rates else None)
                        for column, pairs in values.items()})

    def values_of(self, name=None, wanted=None):
        """The last values of a variable, or of a rank: lists of a rank, the name of a variable, its element, its object and the value."""
        return [[rank.label(), column.name, column.element, column.object, value]
                for rank in self.known() if wanted is None or rank.label() == wanted
                for column, value in zip(rank.columns, rank.values) if name is None or column.name == name]
