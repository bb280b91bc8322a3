"""The launches of a run, each with a history of its own: `launches.accept(0, {"message": "hello", ...})`.

A launch is what a launcher starts at once: the processes of one MPI_COMM_WORLD. A script may start several, one after the other or at once.
"""

import copy
import os
import shlex

from mpit_info.document import clean
from mpit_info.history import History
from mpit_info.job_input import is_launcher

# What the text of a launch begins with if it is a process, which is known on its machine alone.
OF_ONE_MACHINE = "launcher="


class Shared:
    """What the processes of a launch share, and what each of them has alone."""

    def __init__(self):
        self.keys, self.hosts, self.ranks, self.size = set(), set(), set(), None

    def takes(self, hello, is_former=False):
        """Whether a process belongs to this launch, to which it is then added: its rank must be free. A former process has told of itself
        before it started its MPI.
        """
        launch, rank, host, size = hello.get("launch"), hello.get("rank", -1), hello.get("host", ""), hello.get("processes", 1)
        is_of_one_machine = launch is not None and launch.startswith(OF_ONE_MACHINE)
        key = is_of_one_machine, host if is_of_one_machine else "", launch
        if rank >= 0 and (rank in self.ranks or self.size not in (None, size)):
            return False
        if self.keys and key not in self.keys and not (is_former and not self.ranks):
            # Of several machines nothing but the ranks and their number may tell what belongs together.
            if not is_of_one_machine or host in self.hosts or not all(known[0] for known in self.keys):
                return False
        self.keys.add(key)
        self.hosts.add(host)
        if rank >= 0:
            self.ranks.add(rank)
            self.size = size
        return True


class Grouping:
    """Tells the number of the launch of each process, from 0."""

    def __init__(self):
        self.shared, self.of_process, self.former = [Shared()], {}, {}

    def of_message(self, number, message):
        """The launch of the process with this number, which its first message tells."""
        if number not in self.of_process:
            self.of_process[number] = self.of_hello(message) if message.get("message") == "hello" else 0
        return self.of_process[number]

    def of_hello(self, hello):
        """The latest launch that takes a process, or a new one."""
        here = hello.get("host", ""), hello.get("pid")
        former = self.former.get(here)
        if former is not None and self.shared[former].takes(hello, is_former=True):
            return former
        found = next((place for place in reversed(range(len(self.shared))) if self.shared[place].takes(hello)), None)
        if found is None:
            self.shared.append(Shared())
            found = len(self.shared) - 1
            self.shared[found].takes(hello)
        if hello.get("rank", -1) < 0 and here[1]:
            self.former[here] = found
        return found


class Launches:
    """`all` has the history of each launch, in the order of their beginnings; `make` makes one. There is always one."""

    def __init__(self, make=History, command=()):
        self.make, self.command, self.status, self.problems = make, list(command), None, []
        self.all, self.grouping = [], Grouping()
        self.at(0)

    def at(self, place):
        """The history of a launch, which is made if it is new."""
        if place == len(self.all):
            self.all.append(self.make())
            self.all[place].command = self.command
        return self.all[place]

    def accept(self, number, message):
        """Gives a message to the history of its process."""
        self.at(self.grouping.of_message(number, message)).accept(number, message)

    def of_process(self, number):
        """The history of a process; None before its first message."""
        place = self.grouping.of_process.get(number)
        return None if place is None else self.all[place]

    def there(self):
        """The histories with processes that are shown, in the order of their beginnings."""
        return [history for history in self.all if history.ordered()]

    def name_of(self, history):
        """`launch 2`; empty for the only one."""
        return f"launch {self.all.index(history) + 1}" if len(self.all) > 1 else ""

    def program_of(self, history, is_short=False):
        """The program of a launch with its arguments, as its first process has told; in short without its directory."""
        told = history.told()
        first, *others = (told["program"] if told else self.command) or [""]
        return clean(shlex.join([os.path.basename(first) if is_short else first, *others]))

    def title_of(self, history, is_short=False):
        """`Launch 2: ./program`; empty for the only one."""
        name = self.name_of(history)
        return f"{name.capitalize()}: {self.program_of(history, is_short)}" if name else ""

    def alone(self):
        """A sentence if a launcher has started processes at once that are each alone, as one of another MPI does; empty otherwise."""
        there = self.there()
        # Processes that a program has spawned are alone, too: these are more than the launcher has started.
        if len(there) < 2 or not is_launcher(self.command) or str(len(there)) not in self.command:
            return ""
        mpis = [told["mpi"] for told in (history.told() for history in there) if told]
        are_alone = len(mpis) == len(there) and all(mpi["library"] and mpi["processes"] == 1 for mpi in mpis)
        are_of_one_program = len({self.program_of(history) for history in there}) == 1
        are_at_once = max(history.began for history in there) <= min(history.began + history.end for history in there)
        if not (are_alone and are_of_one_program and are_at_once):
            return ""
        return (f"Each of {len(there)} processes is alone in its MPI_COMM_WORLD: perhaps {clean(os.path.basename(self.command[0]))} "
                "is not the launcher of their MPI.")

    def seconds(self):
        """From the beginning of the first launch to the end of the last one."""
        known = [history for history in self.all if history.began is not None]
        return max((each.began + each.end for each in known), default=0.0) - min((each.began for each in known), default=0.0)

    def has_processes(self):
        """Whether any process has sent a message."""
        return any(history.processes for history in self.all)

    def history_at(self, step):
        """The history of the latest launch, or of one that is so many steps behind it, where the first one follows the latest."""
        there = self.there() or self.all[:1]
        return there[(step - 1) % len(there)]

    def finish(self, status, problems):
        """Takes the status of the program, and sentences about what was left out."""
        self.status, self.problems = status, problems
        for history in self.all:
            history.status = status

    def frozen(self):
        """A copy that later messages do not change."""
        kept = copy.copy(self)
        kept.all = [history.frozen() for history in self.all]
        return kept
