"""The run as the summaries tell it, in place of the messages of each process: `history.accept(0, {"message": "summary", ...})`.

The lines of a variable that is split are its quantiles and the worst ranks: all others stay on their nodes.
"""

import bisect
import collections

from mpit_info import distributions, document, element_labels, figures, history, words
from mpit_info.nodes import sentences
from mpit_info.nodes.summaries import Columns, Summary
from mpit_info.sampled import SLOT, Process, of_row

QUANTILES = (("lowest", 0), ("10 % of ranks", 0.1), ("half of ranks", 0.5), ("90 % of ranks", 0.9), ("highest", 1))
# The most ranks with a line, and the most summaries that are kept for the sentences: the run in so many parts.
MOST_LINES, MOST_KEPT = 16, 64
# Nodes that are named when they are missing.
MOST_NODES = 3


class Line(Process):
    """A quantile, or a rank that is one of the worst of a variable."""

    def __init__(self, name, number, rank=-1):
        super().__init__(number)
        self.name, self.rank, self.rates = name, rank, {}

    def title(self):
        """What the line is."""
        return self.name

    def add_values(self, moment, columns, values, rates):
        """Adds a row at this moment; None stands for what is not known of a rank."""
        if columns != self.columns:
            self.set_columns(columns)
        row = [values.get(column) for column in columns]
        self.add(moment, row, 0)
        self.marks, self.rates = {}, rates

    def recent_rate(self, column):
        """The growth a second in the last interval."""
        return self.rates.get(column)

    def values_at(self, column, moments):
        """The values at ascending moments, on a straight line between two summaries."""
        place, found = self.position.get(column), []
        for moment in moments:
            after = bisect.bisect_right(self.times, moment)
            before, later = (of_row(row, place) for row in (self.rows[after - 1] if after else [], self.rows[after] if after < len(self.rows) else []))
            if before is not None and later is not None:
                share = (moment - self.times[after - 1]) / (self.times[after] - self.times[after - 1])
                before += (later - before) * share
            found.append(before)
        return found


class NodesHistory(history.History):  # pylint: disable=too-many-instance-attributes
    """`latest` has the Measured of the last interval by columns."""

    of_nodes = True

    def __init__(self, period):
        super().__init__()
        self.period, self.link, self.latest, self.summary = period, Columns(), {}, None
        self.tree = {"nodes": 0, "ranks": 0, "processes": 0, "missing": []}
        self.document, self.quantiles, self.of_ranks, self.chosen_ranks = None, [], {}, collections.Counter()
        self.kept, self.taken, self.stride, self.first = [], 0, 1, {}

    def accept(self, number, message):
        """Processes one message of the root; those of processes are left out."""
        kind = message["message"]
        if kind == "columns":
            self.link.set_told(message["columns"])
            for column, type_ in zip(self.link.columns, self.link.types):
                self.columns.setdefault(column, collections.deque(maxlen=history.MOST_SLOTS))
                self.types.setdefault(column, type_)
                self.classes.setdefault(column.name, set()).add(column.class_)
        elif kind == "snapshot":
            self.document = message["document"]
            self.bounds = distributions.of_document(self.document)
            self.labels = element_labels.of_document(self.document)
        elif kind == "nodes":
            self.tree = message
        elif kind == "summary":
            self.processes.setdefault(number, Line("all ranks", number))
            self.add_summary(Summary.from_told(message, self.link))

    def add_summary(self, summary):
        """Takes the values of an interval."""
        ends = (summary.interval + 1) * self.period if summary.until is None else summary.until
        began = ends - self.period if summary.began is None else summary.began
        self.began = began if self.began is None else min(self.began, began)
        moment = max(ends - self.began, 0.0)
        self.end = max(self.end, moment)
        for column, measured in summary.values.items():
            before, value = self.latest.get(column), measured.value.mean
            if before is not None and before.value.sum != measured.value.sum:
                self.moved.add(column)
            self.first.setdefault(column, (moment, value))
            rate = measured.rate.mean if measured.rate else None
            blocks = [rate if column.class_ in words.GROWING else value] * max(round(self.period / SLOT), 1)
            self.columns.setdefault(column, collections.deque(maxlen=history.MOST_SLOTS)).extend(blocks)
        self.summary, self.latest = summary, summary.values
        self.slot = int(self.end / SLOT)
        self.keep(moment)
        self.draw_lines(moment)

    def keep(self, moment):
        """Keeps the times for the sentences; of a long run every second summary is discarded, repeatedly."""
        if self.taken % self.stride == 0:
            self.kept.append((moment, {column: measured.value for column, measured in self.latest.items() if column.class_ == "timer"}))
            if len(self.kept) > MOST_KEPT:
                self.kept, self.stride = self.kept[::2], 2 * self.stride
        self.taken += 1

    def draw_lines(self, moment):
        """Adds a row to each quantile and to the worst ranks."""
        columns = list(self.latest)
        if self.summary.ranks <= 1:
            return
        self.quantiles = self.quantiles or [Line(name, number) for number, (name, _) in enumerate(QUANTILES)]
        for line, (_, share) in zip(self.quantiles, QUANTILES):
            line.add_values(moment, columns, {column: at(measured.value, share) for column, measured in self.latest.items()},
                            {column: at(measured.rate, share) for column, measured in self.latest.items() if measured.rate})
        values, rates = collections.defaultdict(dict), collections.defaultdict(dict)
        for column, measured in self.latest.items():
            for of, found in ((measured.value, values), (measured.rate, rates)):
                for value, rank in (*of.lowest, *of.highest) if of else ():
                    found[rank][column] = value
            if column.class_ in ("timer", "aggregate") and measured.value.minimum < measured.value.maximum:
                self.chosen_ranks.update({measured.value.lowest[0][1], measured.value.highest[0][1]})
        for rank, _ in self.chosen_ranks.most_common(MOST_LINES):
            line = self.of_ranks.setdefault(rank, Line(sentences.title(rank), len(QUANTILES) + len(self.of_ranks), rank))
            line.add_values(moment, columns, values[rank], rates[rank])

    def ordered(self):
        """The lines: quantiles, and the worst ranks."""
        if not self.quantiles:
            return list(self.processes.values())
        chosen = [rank for rank, _ in self.chosen_ranks.most_common(MOST_LINES) if rank in self.of_ranks]
        return [*self.quantiles, *(self.of_ranks[rank] for rank in sorted(chosen))]

    def frozen(self):
        """A copy that later messages do not change."""
        kept = super().frozen()
        kept.quantiles = [line.frozen() for line in self.quantiles]
        kept.of_ranks = {rank: line.frozen() for rank, line in self.of_ranks.items()}
        kept.chosen_ranks, kept.kept, kept.first = self.chosen_ranks.copy(), list(self.kept), dict(self.first)
        return kept

    def spread(self, column, figure=None):
        """The spread of the last values over all ranks."""
        if column not in self.latest:
            return figures.spread([])
        value = self.latest[column].value
        mean = value.mean
        return figures.Spread(value.minimum, mean, value.maximum, value.maximum / mean - 1 if mean > 0 else None)

    def rate(self, column):
        """The mean growth a second over the whole run."""
        if column not in self.latest or column not in self.first or self.end <= self.first[column][0]:
            return None
        moment, before = self.first[column]
        return (self.latest[column].value.mean - before) / (self.end - moment)

    def mean_value(self, column):
        """The mean over all ranks; those without the variable have 0."""
        measured = self.latest.get(column)
        return measured.value.sum / max(self.summary.ranks, 1) if measured else 0

    def seconds(self):
        """Seconds between the first and the last sample."""
        since = self.summary.since if self.summary else None
        return self.end if since is None else max(self.end - max(since - self.began, 0), 0)

    def edges(self, column, count):
        """The distribution of a time at the ends of so many parts of the run, behind a None for its beginning."""
        known = [(moment, values[column]) for moment, values in self.kept if column in values]
        if column in self.latest:
            known.append((self.end, self.latest[column].value))
        found = [None]
        for number in range(1, count + 1):
            until = self.end * number / count
            reached = [of for moment, of in known if moment <= until + 1e-9]
            if reached and reached[-1] is not found[-1]:
                found.append(reached[-1])
        return found

    def missing(self):
        """The number of ranks of which nothing is known in the last interval."""
        return max(self.tree["processes"] - (self.summary.ranks if self.summary else 0), 0)

    def missing_sentences(self):
        """Which nodes were lost or have not sent everything, and how many ranks with them."""
        lost, unfinished = self.tree["missing"], self.tree.get("unfinished", [])
        found = []
        if lost:
            found.append(f"{nodes_of(lost)} {'was' if len(lost) == 1 else 'were'} lost, with {ranks_of(lost)}.")
        if unfinished:
            have, collectors = ("has", "its collector") if len(unfinished) == 1 else ("have", "their collectors")
            found.append(f"{nodes_of(unfinished)} {have} not sent the last values of {ranks_of(unfinished)}: what {collectors} had to send "
                         "when the program ended is missing.")
        return found

    def those_there(self):
        """`4032 ranks of 4096 on 63 nodes`."""
        if not self.summary:
            return ""
        of_all = f" of {self.tree['processes']}" if self.missing() else ""
        return f"{words.plural(self.summary.ranks, 'rank')}{of_all} on {words.plural(self.summary.nodes, 'node')}"

    def hosts(self):
        """No names: there may be many."""
        return []

    def overhead(self):
        """The highest share of one processor that an agent used."""
        return self.summary.cost if self.summary else None

    def told(self):
        """The document of one process."""
        return self.document

    def events(self):
        """Events stay on their nodes."""
        return []


def nodes_of(some):
    """The names of nodes: `Nodes n001, n002`."""
    names = ", ".join(document.clean(name) for name, _ in some[:MOST_NODES])
    more = f" and {len(some) - MOST_NODES} more" if len(some) > MOST_NODES else ""
    return f"{'Node' if len(some) == 1 else 'Nodes'} {names}{more}"


def ranks_of(some):
    """How many ranks nodes have."""
    return words.plural(sum(count for _, count in some), "rank")


def at(of, share):
    """A quantile; the extremes are exact."""
    return of.minimum if share == 0 else of.maximum if share == 1 else of.quantile(share)
