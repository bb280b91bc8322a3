# Results to ask: medians with their spread, and ratios within the run.
#     of = Results(json.loads(text));  of["index/1000/strlen/hit"].median

import statistics


class Measured:
    """The samples of one thing, printed as a median with the smallest and the largest in parentheses."""

    def __init__(self, samples, digits=None):
        self.samples = samples
        self.median = statistics.median(samples)
        self.digits = digits

    def __str__(self):
        digits = self.digits if self.digits is not None else 2 if self.median < 2 else 1 if self.median < 1000 else 0
        return f"{self.median:.{digits}f} ({min(self.samples):.{digits}f} to {max(self.samples):.{digits}f})"


def ratio(one, other):
    """The median of one as a multiple of the other's; nothing where one of them is not there."""
    if one is None or other is None:
        return None
    return one.median / other.median


def in_words(factor):
    if factor is None:
        return ""
    return f"{factor:.2f}" if factor < 10 else f"{factor:.0f}"


class Results:
    def __init__(self, content):
        self.content = content

    def is_quick(self):
        """Whether this was a first look, which is printed and goes into no document."""
        return self.content["machine"].get("quick", False)

    def part(self, name):
        """Compilers, start-up and so on, or nothing."""
        return self.content.get(name)

    def printed(self, name):
        """The lines that a program of its own has printed, or None."""
        return (self.content.get("text") or {}).get(name)

    def __getitem__(self, name):
        """A benchmark by its name, or None."""
        taken = self.content["nanoseconds"].get(name)
        return None if taken is None else Measured(taken["samples"])

    def names(self, room):
        """The names of the benchmarks of a room, split at slashes, without the room."""
        return [name.split("/")[1:] for name in self.content["nanoseconds"] if name.startswith(room + "/")]

    def start(self, part, name, figure, unit=1):
        """A figure of start-up or of opening a library, or None."""
        samples = (self.content.get(part) or {}).get(name, {}).get(figure)
        return None if samples is None else Measured([sample / unit for sample in samples])

    def peer_turns(self, leg, owner, call):
        """The nanoseconds of a call by turn; calls that belong to no variable are everyone's."""
        taken = self.content.get("peers") or {}
        return taken.get(f"{leg}/{owner}/{call}") or taken.get(f"{leg}/all/{call}")

    def peer(self, leg, owner, call):
        turns = self.peer_turns(leg, owner, call)
        return None if not turns else Measured(list(turns.values()))

    def peer_ratio(self, leg, call):
        """How many times as long an MPI takes for a call as we do: the median over the turns of both."""
        ours, theirs = self.peer_turns("own", "own", call), self.peer_turns(leg, "host", call)
        if not ours or not theirs:
            return None
        return statistics.median(theirs[turn] / ours[turn] for turn in ours if turn in theirs)

    def compiled(self, source, compiler):
        """The seconds of a source, or None."""
        for row in self.content.get("compile") or []:
            if (row["source"], row["compiler"]) == (source, compiler):
                of = row["seconds"]
                return Measured([of["minimum"], of["median"], of["maximum"]], digits=2)
        return None

    def registration(self, compiler, figure="microseconds"):
        for row in self.content.get("registration") or []:
            if row["compiler"] == compiler:
                of = row[figure]
                return Measured([of["minimum"], of["median"], of["maximum"]], digits=0)
        return None

    def instructions(self, name):
        """Of one turn of a benchmark, as count.py has counted them."""
        return ((self.content.get("instructions") or {}).get("turns") or {}).get(name)
