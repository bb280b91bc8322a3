"""The messages of the processes during a run: `history.accept(0, {"message": "sample", ...})`.

Memory is bounded for a run of any length: if a process has sent many samples, every second one is discarded,
repeatedly. Times are seconds since the first process began.
"""

import collections
import copy
import os

from mpit_info import call_log, distributions, document, element_labels, figures, progress, quantities, words
from mpit_info.job_input import is_launcher
from mpit_info.sampled import SLOT, Process, of_row
from mpit_info.tracks import Track

MOST_SLOTS = 200
# A clock that differs from that of the tool by more seconds than this is not used.
MOST_SKEW = 10.0
# A process that has sent nothing for so many seconds, and for the time of so many samples, is named.
SILENCE, MOST_SAMPLES = 2.0, 10
# A rate holds for so many times the time between the two last samples.
MOST_GAPS = 2
# The most columns of a run, and kinds of events of a process.
MOST_COLUMNS, MOST_EVENTS = 1 << 16, 1 << 12
# The most processes that a sentence names.
MOST_NAMES = 5
# What launchers set for each rank.
OF_RANKS = {"PMI_RANK", "PMIX_RANK"}
# Classes for which the mean over time is shown instead of the last value.
AVERAGED = ("level", "size", "percentage")

Column = collections.namedtuple("Column", "name class_ element object occurrence")


# The numbers that all instances of an event carried; `bins` has counts by the lower bounds of bins.
Totals = collections.namedtuple("Totals", "sum minimum maximum bins")


def titles(processes):
    """The names of the first ones, and how many more there are."""
    more = f" and {len(processes) - MOST_NAMES} more" if len(processes) > MOST_NAMES else ""
    return ", ".join(process.title() for process in processes[:MOST_NAMES]) + more


def began_of(hello):
    """The start of a process; if its clock is wrong, the time of its connection, which follows at once."""
    began, heard = hello.get("began"), hello.get("heard")
    return heard if None not in (began, heard) and abs(began - heard) > MOST_SKEW else began


class History:
    """All processes of a run; with a rank only the messages of that process."""

    of_nodes = False  # whether summaries came in place of the messages of the processes (nodes/history.py)

    def __init__(self, rank=None):
        self.rank = rank
        self.processes, self.columns, self.classes, self.moved = {}, {}, {}, set()
        self.without_mpi = {}  # processes that have told no rank, by host and number of the process
        self.types = {}  # the type of each column, None if it was not sent
        self.bounds = {}  # of the buckets of distributions, by their names: those of the process with most
        self.labels = {}  # of the elements of arrays, by their names; none if those of processes differ
        self.asked = ()  # the patterns of the user
        self.command, self.status = [], None
        self.began, self.end, self.slot, self.lost = None, 0.0, 0, 0

    def accept(self, number, message):
        """Processes one message; unknown kinds of messages are ignored."""
        process = self.processes.setdefault(number, Process(number))
        kind = message.get("message")
        if kind == "hello":
            process.rank, process.processes = message.get("rank", -1), message.get("processes", 1)
            process.host, process.began, process.pid = message.get("host", ""), began_of(message), message.get("pid")
            process.settings = message.get("settings", [])
            self.replace_former(process)
            if process.began is not None:
                self.began = process.began if self.began is None else min(self.began, process.began)
                process.shift = process.began - self.began
        elif kind == "snapshot":
            told = message["document"]
            process.document, process.final = process.document or told, told
            process.bounds = distributions.of_document(told)
            self.bounds = {**self.bounds, **{name: max(self.bounds.get(name, ()), bounds, key=len) for name, bounds in process.bounds.items()}}
            self.labels = element_labels.common(self.labels, element_labels.of_document(told))
        elif kind == "columns":
            self.set_columns(process, message["columns"])
        elif kind == "sample":
            self.add_sample(process, message)
        elif kind in ("event", "counts"):
            moment = message["time"] + process.shift
            if message["event"] in process.tracks or len(process.tracks) < MOST_EVENTS:
                track = process.tracks.setdefault(message["event"], Track())
                if kind == "event":
                    track.add(moment, message.get("values", {}))
                else:
                    track.set_totals(moment, message["count"], message.get("elements", {}))
            self.end = max(self.end, moment)
        elif kind == "regions":
            process.regions.accept(message["regions"])
        elif kind == "distributions":
            process.distributions.accept(message)
        elif kind == "calls":
            process.calls = call_log.of_message(message["log"]) if message.get("log") else None
        elif kind == "lost":
            self.lost += message["events"]
        elif kind == "end":
            process.ended, process.cost, process.is_cut = message["time"], message.get("cost"), message.get("cut", False)
            self.end = max(self.end, message["time"] + process.shift)

    def replace_former(self, process):
        """A process that has been told of without an MPI, and starts one, is told of again."""
        key = process.host, process.pid
        if process.pid and process.rank < 0:
            self.without_mpi.setdefault(key, []).append(process)
        elif process.pid:
            for other in self.without_mpi.pop(key, ()):
                other.is_replaced = other.is_replaced or other.rank < 0

    def set_columns(self, process, told):
        """Assigns every column a key that is the same in all processes."""
        occurrences = collections.Counter()
        columns = []
        for column in told:
            key = (column["name"], column.get("class", "generic"), column.get("element"), column.get("object"))
            made = Column(*key, occurrences[key])
            if made not in self.columns and len(self.columns) >= MOST_COLUMNS:
                break
            columns.append(made)
            occurrences[key] += 1
            self.columns.setdefault(columns[-1], collections.deque(maxlen=MOST_SLOTS))
            self.types.setdefault(columns[-1], column.get("type"))
            self.classes.setdefault(key[0], set()).add(key[1])
        process.follow_columns(columns)

    def add_sample(self, process, message):
        """Stores a sample and notes the variables that have changed; graphs grow at the end of a time slot."""
        moment = message["time"] + process.shift
        row = [figures.number(value) for value in message["values"][:process.sampled]]
        if process.first and row != process.last[1]:
            self.moved.update(column for column, before, now in zip(process.columns, process.last[1], row)
                              if before != now)
        if "region" in message:
            process.regions.add_levels(message["region"], process.columns, row, AVERAGED)
        slot = int(moment / SLOT)
        # Samples of a process that is late count for the current slot.
        process.add(moment, row, max(slot, self.slot))
        self.end = max(self.end, moment)
        # A graph has MOST_SLOTS blocks, so that older slots of a long gap need not be closed one by one.
        if slot - 2 - self.slot > 2 * MOST_SLOTS:
            self.slot = slot - 2 - MOST_SLOTS
            for each in self.processes.values():
                each.skip_to(self.slot - 1)
        while self.slot + 2 <= slot:
            self.close_slot()

    def close_slot(self):
        """Adds a block to every graph: the mean over the processes of a value, or of a rate."""
        slot, self.slot = self.slot, self.slot + 1
        totals, counts = collections.Counter(), collections.Counter()
        for process in self.ordered():
            now, before = process.marks.get(slot), process.marks.get(slot - 1)
            if now is None and before is not None:
                now = process.marks[slot] = before
            elif now:
                process.earlier = before
            process.marks.pop(slot - 2, None)
            if now:
                process.recent.append(now)
                process.is_still = process.earlier is not None and (slot + 1) * SLOT - now[0] > MOST_GAPS * (now[0] - process.earlier[0])
            for column, place in process.position.items() if now else ():
                value = of_row(now[1], place)
                if value is not None and column.class_ in words.GROWING:
                    earlier, elapsed = of_row(process.earlier[1], place) if process.earlier else None, now[0] - (process.earlier or now)[0]
                    value = 0 if process.is_still else None if earlier is None or elapsed <= 0 else (value - earlier) / elapsed
                if value is not None:
                    totals[column] += value
                    counts[column] += 1
        for column, graph in self.columns.items():
            graph.append(totals[column] / counts[column] if counts[column] else None)

    def frozen(self):
        """A copy that later messages do not change, in a time that does not grow with the length of the run."""
        kept = copy.copy(self)
        kept.processes = {number: process.frozen() for number, process in self.processes.items()}
        kept.columns = {column: graph.copy() for column, graph in self.columns.items()}
        kept.classes, kept.types, kept.moved = dict(self.classes), dict(self.types), set(self.moved)
        return kept

    def ordered(self):
        """The processes in the order of their ranks; those without an MPI and without samples only if there are no others."""
        if self.rank is not None:
            return [process for process in self.processes.values() if process.rank == self.rank]
        there = [process for process in self.processes.values() if not process.is_replaced]
        known = [process for process in there if process.rank >= 0 or process.columns or process.tracks]
        return sorted(known or there, key=lambda process: (process.rank, process.number))

    def those_sampled(self, columns):
        """The columns without those of libraries that are closed, while their processes run."""
        processes = self.ordered()
        former = {column for process in processes if process.ended is None for column in process.former}
        still = {column for process in processes for column in process.columns
                 if process.ended is not None or column not in process.former}
        return [column for column in columns if column not in former or column in still]

    def hosts(self):
        """The names of the machines, in the order of the ranks."""
        return list(dict.fromkeys(process.host for process in self.ordered() if process.host))

    def missing(self):
        """The number of ranks that have sent no message."""
        known = self.ordered()
        return max(known[0].processes - len(known), 0) if known and self.rank is None else 0

    def missing_sentences(self):
        """A sentence about ranks that have sent nothing."""
        if not self.missing():
            return []
        told = f"{words.plural(self.missing(), 'rank')} sent nothing; "
        if self.command[:1] == ["attach"]:
            return [told + "attach reaches those on this node."]
        # The tool is itself a rank: `srun mpit-info watch ./program`.
        if self.command and not is_launcher(self.command) and OF_RANKS & os.environ.keys():
            return [told + "one mpit-info watches all if it is written before the launcher: mpit-info watch mpiexec ..."]
        return [told + ("on another machine it needs" if self.missing() == 1 else "on other machines they need") + " --listen HOST."]

    def unseen(self):
        """The most seconds of a rank in which other ranks may not have been sampled, though they ran (prometheus.py)."""
        return 0.0

    def lost_sentences(self):
        """Sentences about nodes of which nothing is known any more (prometheus.py)."""
        return []

    def progress(self, least=0.0):
        """Sentences about what the ranks are in, if no call of any rank has begun or ended for at least so many seconds."""
        if self.missing() or self.began is None:
            return []
        logs = [self.log_of(process) for process in self.ordered()]
        if not logs or None in logs:
            return []
        now = self.began + self.end
        return progress.headline(logs, now) if progress.quiet_for(logs, now) >= least else []

    def log_of(self, process):
        """The call log of a process in which no call begins or ends, also of one that has ended or sends nothing; None of others."""
        if process.ended is not None:
            return call_log.without_log(process, self.began, call_log.IN_FINALIZE)
        if process.rank >= 0 and process.first and self.end - process.last[0] > SILENCE + MOST_SAMPLES * process.interval():
            return call_log.without_log(process, self.began, call_log.IS_SILENT)
        return process.calls

    def unsampled_sentences(self):
        """A sentence about ranks that have sent no values, if others have."""
        names = titles([process for process in self.ordered() if not process.first and not process.tracks])
        return [f"Not sampled: {names}."] if names and any(process.first for process in self.ordered()) else []

    def cut_sentences(self):
        """A sentence about processes that had more to send than their end waits for."""
        names = titles([process for process in self.ordered() if process.is_cut])
        if not names:
            return []
        return [f"The last values of {names} are missing: the end of a program waits 2 s for them, and there were too many."]

    def those_there(self):
        """`2 ranks on 2 machines`, `3 ranks of 4`, or nothing for a process without an MPI that is alone."""
        known = self.ordered()
        if not known or len(known) == 1 and known[0].rank < 0:
            return ""
        text = words.plural(len(known), "rank" if known[0].rank >= 0 else "process")
        text += f" of {known[0].processes}" if self.missing() else ""
        machines = len(self.hosts())
        return text + (f" on {machines} machines" if machines > 1 else "")

    def label(self, column):
        """`ring_fill[2]`, `unexpected[peer 2]`, `communicator_bytes (MPI_COMM_WORLD)`; with the class if another variable has the same name.
        """
        element = "" if column.element is None else f"[{element_labels.label(self.labels, column.name, column.element) or column.element}]"
        bound = f" ({column.object})" if column.object else ""
        class_ = f", {words.spoken(column.class_)}" if len(self.classes[column.name]) > 1 else ""
        occurrence = f" #{column.occurrence + 1}" if column.occurrence else ""
        return document.clean(f"{column.name}{element}{bound}{class_}{occurrence}")

    def states(self, column):
        """The names of a state's numbers; empty for a variable that is not a state."""
        told = self.told()
        if column.class_ != "state" or told is None:
            return {}
        enumerations = {member["enumeration"] for member in told["performance_variables"]
                        if (member["name"], member["class"]) == (column.name, column.class_)}
        return {item["value"]: document.clean(item["name"]) for enumeration in told["enumerations"]
                if enumeration["name"] in enumerations for item in enumeration["items"]}

    def state(self, column, value):
        """The name of a state's number; None for a variable that is not a state, or a number without a name."""
        return self.states(column).get(value) if column.class_ == "state" else None

    def figure(self, process, column):
        """The value of a variable of a process in a summary."""
        return process.mean(column) if column.class_ in AVERAGED else process.value(column)

    def spread(self, column, figure=None):
        """The spread of a variable over the processes."""
        take = figure or (lambda process: self.figure(process, column))
        return figures.spread([take(process) for process in self.ordered()])

    def whole(self, value, column):
        """A mean of a variable as it is shown."""
        return quantities.whole(value, column, self.types.get(column))

    def seconds(self):
        """Seconds between the first and the last sample, in the process with most."""
        return max((process.last[0] - process.first[0] for process in self.ordered() if process.first), default=0)

    def rate(self, column):
        """The mean growth a second of the processes, over the whole run."""
        return self.spread(column, lambda process: process.rate(column)).mean

    def events(self):
        """The names of the recorded events, in the order of the first of each."""
        return list(dict.fromkeys(name for process in self.ordered() for name in process.tracks))

    def totals(self, name):
        """The totals of an event over the processes, by the names of its elements."""
        found = {}
        for process in self.ordered():
            for element, known in (process.tracks[name].totals if name in process.tracks else {}).items():
                found.setdefault(element, []).append(known)
        return {element: Totals(
            sum(figures.number(each["sum"]) or 0 for each in all_of_it),
            min(figures.number(each["minimum"]) or 0 for each in all_of_it),
            max(figures.number(each["maximum"]) or 0 for each in all_of_it),
            sum(map(collections.Counter, (dict(map(tuple, each.get("bins", []))) for each in all_of_it)),
                collections.Counter())) for element, all_of_it in found.items()}

    def overhead(self):
        """The highest share of one processor that the agent used in a process; None if unknown."""
        shares = [process.cost / process.ended for process in self.processes.values()
                  if process.cost is not None and process.ended]
        return max(shares, default=None)

    def told(self):
        """The last document of the first process that has sent one."""
        return next((process.final for process in self.ordered() if process.final), None)
