"""The command watch: runs a program or shows a record, draws the view, and writes the outputs at the end."""

import contextlib
import functools
import itertools
import os
import platform
import re
import subprocess
import sys

from rich.text import Text

from mpit_info import (agents, attach, calls, document, headline, intervals, launch, listing, origins, reaching, recording, report,
                       screen, selection, summary, view, words)
from mpit_info.exits import Exits
from mpit_info.guard import Guard
from mpit_info.history import MOST_SKEW, History
from mpit_info.launches import Launches
from mpit_info.refusal import Refusal


# The last calls of each rank that are printed if the program does not end in order.
MOST_CALLS = 3


def chosen_columns(history, wanted, patterns):
    """The variables that match the patterns and the filters, in the order of the program."""
    told = history.told()
    columns = [column for column in history.columns
               if selection.matches(column.name, wanted.names) and selection.matches(column.name, patterns)]
    if not told or not wanted.narrows():
        return columns
    told = {**told, "performance_variables": [{**member, "class": words.of_member(member)[1]} for member in told["performance_variables"]]}
    kept = {(member["name"], member["class"]) for member in selection.select(told, wanted)["performance_variables"]}
    return [column for column in columns if (column.name, column.class_) in kept]


def unknown_settings(launches):
    """Sentences about settings of the processes that set no control variable, each once."""
    told = []
    for history in launches.there():
        settings = dict.fromkeys(name for process in history.ordered() for name in process.settings)
        told += origins.unknown(settings, history.told(), launches.command) if settings and history.told() else []
    return list(dict.fromkeys(told))


def names_of(launches):
    """The names of all performance variables."""
    return {name for history in launches.there() for name in [
        *(member["name"] for member in (history.told() or {"performance_variables": []})["performance_variables"]),
        *(column.name for column in history.columns)]}


def unwatched_events(launches, patterns):
    """A sentence about each pattern for which no event was watched: one that is bound to an object is not."""
    events = {member["name"]: member["binding"] for history in launches.there() for member in (history.told() or {"events": []})["events"]}
    watched = [name for name, binding in events.items() if binding == "none"]
    left = [pattern for pattern in patterns if not any(selection.matches(name, [pattern]) for name in watched)]
    bound = {name: binding for name, binding in events.items() if name not in watched and left and selection.matches(name, left)}
    return [f"{name} was not watched: it is bound to a {words.spoken(binding)}" for name, binding in bound.items()] + \
        selection.unmatched(left, sorted(events), "event")


def source_of(options, with_view):
    """The source of the messages: a record, or a program with the agent inside."""
    if options.command == "view":
        from mpit_info import prometheus  # imports a client
        return prometheus.Prometheus(options.replay, options.match, options.last, with_view)
    if options.replay:
        speed = options.speed if options.speed is not None else (1 if with_view else 0)
        return recording.Replay(options.replay, speed)
    request = {"want": "watch", "rate": options.rate, "variables": options.variable or options.name or ["*"],
               "events": options.event, **calls.request(options)}
    if options.command == "attach":
        return attach.Attached(reaching.processes(options), request, options.seconds, reaching.Newcomers() if options.all else None)
    aside = sys.stderr.fileno() if options.csv and not options.output else None
    nodes = None
    if options.nodes:
        from mpit_info.nodes import local
        nodes = local.Nodes(options)
    return launch.Run(options.program, request, agents.folder(options), aside, listen=options.listen, nodes=nodes)


def launches_of(options, source):
    """What takes the messages: of processes, or of nodes, whose launches are one."""
    make = functools.partial(getattr(source, "history", History), options.rank)
    if options.nodes or getattr(source, "of_nodes", False):
        from mpit_info.nodes.history import NodesHistory
        make = functools.partial(NodesHistory, options.period)

    def made():
        history = make()
        history.asked = frozenset(options.variable or options.name)
        return history

    return Launches(made, source.command)


class Stall:
    """What happens once no rank of a launch makes progress: the sentences, the user's command and the end of the launch, if these are wanted."""

    def __init__(self, options, history, source, has_view):
        self.options, self.history, self.source, self.has_view, self.told, self.next = options, history, source, has_view, set(), 0.0
        self.command, self.limit = options.when_stuck, options.abort_when_stuck
        self.name = str  # tells which launch this is, if there are several

    def __call__(self, *_):
        if self.history.of_nodes or self.history.end < self.next:
            return
        self.next = self.history.end + 1
        told = self.history.progress(headline.PATIENCE)
        # The numbers of seconds grow.
        key = tuple(re.sub(r"[0-9]+ (s|min)\b", "", sentence) for sentence in told)
        of_launch = [": ".join(filter(None, [self.name(), sentence])) for sentence in told]
        if told and key not in self.told and not self.has_view:
            print(*(f"mpit-info: {sentence}" for sentence in of_launch), sep="\n", file=sys.stderr, flush=True)
        if told and self.command:
            subprocess.Popen(self.command, shell=True, stdin=subprocess.DEVNULL,  # pylint: disable=consider-using-with
                             env={**os.environ, "MPIT_INFO_STUCK": "\n".join(of_launch)})
            self.command = None
        self.told = {*self.told, key} if told else set()
        if self.limit is not None and self.history.progress(60 * self.limit) and self.source.runs_program:
            name = self.name() or "the program"
            print(f"mpit-info: {name} is ended, since it has made no progress for {self.limit:g} min", file=sys.stderr, flush=True)
            self.limit = None
            self.source.end_launch([process.pid for process in self.history.ordered()
                                    if process.pid and process.ended is None and process.host == platform.node()])


def follow(source, launches, recorder, exits, stall, view=None, intervals=None):  # pylint: disable=too-many-arguments
    """Processes all messages of the source, until the user ends the view of processes that do not depend on the tool."""
    guard = Guard()
    # The program continues after any failure here.
    with contextlib.closing(source.messages()) as messages:
        for process, message in messages:
            guard.attempt("the output for other tools", exits, process, message)
            if message is not None:
                guard.attempt("reading a message", launches.accept, process, message, again=True)
                if recorder:
                    guard.attempt("the record", recorder.add, process, message)
                if intervals:
                    guard.attempt("the output of intervals", intervals, process, message)
                guard.attempt("the sentence about the progress", stall, process, message)
            if view and not guard.attempt("the view", view.step):
                view.end()
            if view and view.has_quit and not view.has_program:
                break
    if intervals:
        guard.attempt("the output of intervals", intervals.finish)
    problems = source.problems() + guard.problems
    launches.finish(source.status, problems + (recorder.finish(source.status, problems) if recorder else []))


def lines_of(options, launches, choose):
    """The lines for a pipe; None without any."""
    if sys.stdout.isatty() or options.output or options.csv or options.interval == 0:
        return None
    if options.interval is None:
        return None if options.replay else intervals.OfLaunches(launches, intervals.Sentences)
    kind = intervals.Intervals
    if launches.all[0].of_nodes:
        from mpit_info.nodes import lines
        kind = lines.NodesIntervals
    return intervals.OfLaunches(launches, lambda history: kind(options.interval, history, functools.partial(choose, history), screen.width(options)))


def last_calls(launches, logs):
    """What the ranks of each launch that have not ended in order did last."""
    from mpit_info import stuck
    titles = {process.pid: launches.title_of(history) for history in launches.all for process in history.processes.values()}
    # A directory of the user may have those of an earlier run, also under these numbers: in a container they are the same ones again.
    began = min((history.began for history in launches.all if history.began is not None), default=0)
    logs = [log for log in logs if log.pid in titles and log.noted > began - MOST_SKEW]
    for title in dict.fromkeys(titles[log.pid] for log in logs):
        if title:
            yield Text(title, style="bold")
        yield from stuck.parts_of([log for log in logs if titles[log.pid] == title], MOST_CALLS)
        yield Text("")


def show(options):
    """Watches a run; returns the exit status of the program."""
    wanted = listing.wanted_of(options)
    # Check names before a long run.
    wanted.check()
    if options.report:
        report.check(options.report)
    if options.against:
        from mpit_info.diff import runs
        before = runs.read(options.against)
    with_view = screen.has_view(sys.stdout) and not options.csv
    source = source_of(options, with_view)
    options.job = source if source.runs_program else None
    launches = launches_of(options, source)
    with contextlib.ExitStack() as closing:
        recorder = closing.enter_context(recording.Recorder(options.record, source.command, **({"nodes": True} if options.nodes else {}))) if options.record else None
        exits = closing.enter_context(Exits(options))
        def choose(history):
            return chosen_columns(history, wanted, options.variable)

        def choose_sampled(history):
            return history.those_sampled(choose(history))

        drawn = closing.enter_context(view.View(options, source, launches, choose_sampled)) if with_view else None
        stall = intervals.OfLaunches(launches, lambda history: Stall(options, history, source, with_view))
        follow(source, launches, recorder, exits, stall, drawn, lines_of(options, launches, choose))
    logs = source.logs if source.runs_program else []
    launches.problems += [exits.problem] if exits.problem else []
    if not launches.has_processes():
        for problem in launches.problems:
            print(f"mpit-info: {document.clean(problem)}", file=sys.stderr)
        if options.replay:
            raise Refusal(f"no process has sent anything in {options.replay}")
        if options.command == "attach":
            raise Refusal("no process has sent anything: another tool may be attached", 1)
        raise Refusal(listing.silence(source.command, source))
    if not launches.there():
        ranks = [str(process.rank) for history in launches.all for process in history.processes.values()]
        raise Refusal(f"there is no rank {options.rank}; {', '.join(ranks)} answered")
    if options.report:
        guard = Guard()
        if not guard.attempt("the report", report.write, options.report, launches, choose) and options.replay:
            raise Refusal(guard.problems[0])
        launches.problems += guard.problems
    launches.problems += unknown_settings(launches)
    launches.problems += selection.unmatched(options.variable or options.name, sorted(names_of(launches)))
    launches.problems += unwatched_events(launches, getattr(options, "event", []))
    parts = [summary.parts(launches, choose, screen.width(options))]
    if logs:
        parts.insert(0, last_calls(launches, logs))
    if options.against:
        from mpit_info.diff import command
        parts.append(command.parts_after(options, before, launches))
    if not options.csv:
        screen.show(options, itertools.chain(*parts))
        return launches.status or 0
    for problem in launches.problems:
        print(f"mpit-info: {document.clean(problem)}", file=sys.stderr)
    return 2 if exits.problem and not source.runs_program else launches.status or 0
