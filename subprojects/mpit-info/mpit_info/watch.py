"""The command watch: runs a program or shows a record, draws the view, and writes the outputs at the end."""

import contextlib
import itertools
import re
import sys

from rich.text import Text

from mpit_info import (agents, attach, calls, document, headline, intervals, launch, listing, reaching, recording, report, screen, selection,
                       summary, view, words)
from mpit_info.exits import Exits
from mpit_info.guard import Guard
from mpit_info.history import History
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


def source_of(options, with_view):
    """The source of the messages: a record, or a program with the agent inside."""
    if options.replay:
        speed = options.speed if options.speed is not None else (1 if with_view else 0)
        return recording.Replay(options.replay, speed)
    request = {"want": "watch", "rate": options.rate, "variables": options.variable or options.name or ["*"],
               "events": options.event, **calls.request(options)}
    if options.command == "attach":
        return attach.Attached(reaching.processes(options), request, options.seconds)
    aside = sys.stderr.fileno() if options.csv and not options.output else None
    nodes = None
    if options.nodes:
        from mpit_info.nodes import local
        nodes = local.Nodes(options)
    return launch.Run(options.program, request, agents.folder(options), aside, listen=options.listen, nodes=nodes)


def history_of(options, source):
    """What takes the messages: of processes, or of nodes."""
    if options.nodes or getattr(source, "of_nodes", False):
        from mpit_info.nodes.history import NodesHistory
        return NodesHistory(options.period)
    return History(options.rank)


class Stall:
    """Prints what the ranks are in once that does not change, and again if it is something new, to the standard error."""

    def __init__(self, history):
        self.history, self.told, self.next = history, set(), 0.0

    def __call__(self):
        if self.history.of_nodes or self.history.end < self.next:
            return
        self.next = self.history.end + 1
        told = self.history.progress(headline.PATIENCE)
        # The numbers of seconds grow.
        key = tuple(re.sub(r"[0-9]+ (s|min)\b", "", sentence) for sentence in told)
        if told and key not in self.told:
            print(*(f"mpit-info: {sentence}" for sentence in told), sep="\n", file=sys.stderr, flush=True)
        self.told = {*self.told, key} if told else set()


def follow(source, history, recorder, exits, view=None, intervals=None):  # pylint: disable=too-many-arguments
    """Processes all messages of the source, until the user ends the view of processes that do not depend on the tool."""
    guard = Guard()
    stall = Stall(history)
    # The program continues after any failure here.
    with contextlib.closing(source.messages()) as messages:
        for process, message in messages:
            guard.attempt("the output for other tools", exits, process, message)
            if message is not None:
                guard.attempt("reading a message", history.accept, process, message, again=True)
                if recorder:
                    guard.attempt("the record", recorder.add, process, message)
                if intervals:
                    guard.attempt("the output of intervals", intervals, process, message)
            if intervals or not view:
                guard.attempt("the sentence about the progress", stall)
            if view and not guard.attempt("the view", view.step):
                view.end()
            if view and view.has_quit and not view.has_program:
                break
    if intervals:
        guard.attempt("the output of intervals", intervals.finish)
    history.status = source.status
    history.problems += source.problems() + guard.problems
    if recorder:
        history.problems += recorder.finish(source.status, history.problems)


def lines_of(options, history, choose):
    """The lines for a pipe; None without any."""
    if sys.stdout.isatty() or options.output or options.csv or options.interval == 0:
        return None
    if options.interval is None:
        return None if options.replay else intervals.Sentences(history)
    if history.of_nodes:
        from mpit_info.nodes.lines import NodesIntervals
        return NodesIntervals(options.interval, history, choose, screen.width(options))
    return intervals.Intervals(options.interval, history, choose, screen.width(options))


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
    history = history_of(options, source)
    history.command = source.command
    with contextlib.ExitStack() as closing:
        recorder = closing.enter_context(recording.Recorder(options.record, source.command, **({"nodes": True} if options.nodes else {}))) if options.record else None
        exits = closing.enter_context(Exits(options))
        def choose():
            return chosen_columns(history, wanted, options.variable)

        def choose_sampled():
            return history.those_sampled(choose())

        drawn = closing.enter_context(view.View(options, source, history, choose_sampled)) if with_view else None
        follow(source, history, recorder, exits, drawn, lines_of(options, history, choose))
    logs = source.logs_of_dead() if source.runs_program else []
    history.problems += [exits.problem] if exits.problem else []
    if not history.processes:
        for problem in history.problems:
            print(f"mpit-info: {document.clean(problem)}", file=sys.stderr)
        if options.replay:
            raise Refusal(f"no process has sent anything in {options.replay}")
        if options.command == "attach":
            raise Refusal("no process has sent anything: another tool may be attached", 1)
        raise Refusal(listing.silence(source.command, source))
    if not history.ordered():
        raise Refusal(f"there is no rank {options.rank}; "
                      f"{', '.join(str(process.rank) for process in history.processes.values())} answered")
    chosen = chosen_columns(history, wanted, options.variable)
    if options.report:
        guard = Guard()
        if not guard.attempt("the report", report.write, options.report, history, chosen) and options.replay:
            raise Refusal(guard.problems[0])
        history.problems += guard.problems
    parts = [summary.parts(history, chosen, screen.width(options))]
    if logs:
        from mpit_info import stuck
        parts.insert(0, [*stuck.parts_of(logs, MOST_CALLS), Text("")])
    if options.against:
        from mpit_info.diff import command
        parts.append(command.parts_after(options, before, history))
    if not options.csv:
        screen.show(options, itertools.chain(*parts))
        return history.status or 0
    for problem in history.problems:
        print(f"mpit-info: {document.clean(problem)}", file=sys.stderr)
    return 2 if exits.problem and not source.runs_program else history.status or 0
