"""The commands that list and search: `listing.show_list(options)` and `listing.show_found(options)`.

Both read a document from a file, from a program or from an empty program of an MPI, and pass it to one of the outputs.
"""

import contextlib
import importlib
import os
import subprocess
import sys

from mpit_info import agents, distributions, document, job_input, launch, origins, screen, selection, table, words
from mpit_info.refusal import Refusal

# What an agent says of a variable that it could not start before (agent/snapshot.hpp).
BEGAN_AT_END = "no value: counting began at the end"
# The modules that write a document as one text, by the names of the formats.
TEXTS = {"markdown": "markdown_page", "man": "manual_page", "dot": "dot"}


def wanted_of(options):
    """The filters of the options."""
    return selection.Wanted(verbosity=options.verbosity, classes=options.classes, categories=options.category,
                            kinds=options.kind, names=options.name, bound=options.bound, changed=options.changed)


def looked_at(options):
    """The document that the options select, with the defaults of another one, and the exit status to return."""
    other = document.read(options.against) if options.against else None
    told, status = snapshot(options)
    if other:
        told = document.with_defaults_of(other, told)
    elif getattr(options, "changed", False) and not options.stored:
        told = with_plain_defaults(told, agents.folder(options), options.mpi)
    return told, status


def with_plain_defaults(told, directory, mpi):
    """The document with the values of its MPI in an environment without settings as defaults, if it has unknown ones."""
    library = told["mpi"]["library"]
    if library and any(control["default"] is None for control in told["control_variables"]):
        nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        for name in agents.libraries(directory, mpi or ("openmpi" if library.startswith("Open MPI") else "mpich")):
            run = launch.Run(agents.empty_program([name]), {"want": "snapshot", "at": "init"}, directory, streams=nowhere, plain=True)
            with contextlib.closing(run.messages()) as messages:
                for _, message in messages:
                    if message and message["message"] == "snapshot" and message["document"]["mpi"]["library"] == library:
                        return origins.with_defaults(told, message["document"])
    return told


def snapshot(options):
    """The document of a file or a program, and the exit status to return."""
    if options.stored:
        return document.read(options.stored), 0
    directory = agents.folder(options)
    names = () if options.program else agents.libraries(directory, options.mpi)
    command = options.program or agents.empty_program(names)
    # Output of the program would corrupt a page or a document in the same stream.
    aside = sys.stderr.fileno() if getattr(options, "format", "table") not in ("table", "tree") \
        and not options.output else None
    run = launch.Run(command, {"want": "snapshot", "at": options.at}, directory, aside, listen=options.listen)
    options.job = run if options.at == "end" else None
    told, settings = {}, {}
    with contextlib.closing(run.messages()) as messages:
        for process, message in messages:
            if message and message.get("message") == "snapshot":
                told[process] = message["document"]
            elif message and message.get("message") == "hello":
                settings.update(dict.fromkeys(message.get("settings", [])))
    for problem in run.problems():
        print(f"mpit-info: {document.clean(problem)}", file=sys.stderr)
    if not told:
        if names and run.status == agents.NO_LIBRARY:
            raise Refusal(f"there is no MPI {' or '.join(names)} that can be loaded; --mpi /opt/mpi/lib/libmpi.so names another one")
        raise Refusal(silence(command, run, names))
    chosen = choose(list(told.values()), options.rank)
    late = sum(variable.get("problem") == BEGAN_AT_END for variable in chosen["performance_variables"])
    if late and options.at == "end":
        print(f"mpit-info: {words.plural(late, 'performance variable')} came after the start and counted nothing before the end; "
              "mpit-info watch counts from then on", file=sys.stderr)
    if options.changed and options.command == "list":
        options.unknown = origins.unknown(settings, chosen, command)
    if not options.program:
        chosen["program"] = []
    return chosen, run.status if options.at == "end" else 0


def silence(command, run, names=()):
    """The possible reasons why a program has sent nothing, or an empty program of these libraries."""
    name = " or ".join(names) or os.path.basename(command[0])
    if run.without_agent:
        return agents.missing(run.directory, run.without_agent)
    if run.connections and run.connections.processes:
        return f"{name} ended with status {run.status} before it sent its variables"
    if names:
        return f"{name} sent nothing (exit status {run.status}): it is not the library of an MPI, or its start failed"
    is_elsewhere = getattr(run, "listen", None) is None and job_input.is_launcher(command)
    elsewhere = "its processes are on other machines, which need --listen HOST, or it " if is_elsewhere else "it "
    return (f"{name} sent nothing (exit status {run.status}): {elsewhere}uses no MPI and nothing that embeds mpit, is linked "
            "statically, or ended before its MPI had started")


def choose(documents, rank):
    """The document of one rank, by default the lowest; prints the number of the others."""
    ranks = {}
    for told in documents:
        ranks.setdefault(told["mpi"]["rank"], told)
    if rank is not None and rank not in ranks:
        raise Refusal(f"there is no rank {rank}; {', '.join(str(known) for known in sorted(ranks))} answered")
    lowest = min((known for known in ranks if known >= 0), default=-1)
    chosen = ranks[lowest if rank is None else rank]
    different = differing(chosen, [told for known, told in ranks.items() if known >= 0])
    if different:
        names = ", ".join(document.clean(name) for name in different[:5]) + (f" and {len(different) - 5} more" if len(different) > 5 else "")
        count = words.plural(len(different), "control variable")
        print(f"mpit-info: the ranks have different values of {count}: {names}", file=sys.stderr)
    return chosen


def differing(chosen, documents):
    """The names of the control variables that differ between the ranks."""
    values = [{control["name"]: control["value"] for control in told["control_variables"]} for told in documents]
    return [control["name"] for control in chosen["control_variables"] if not origins.OWN.fullmatch(control["name"])
            and any(each.get(control["name"], control["value"]) != control["value"] for each in values)]


def show_list(options):
    """Lists the selected part; returns the exit status."""
    whole, status = looked_at(options)
    wanted = wanted_of(options)
    part = selection.select(whole, wanted)
    if options.format in TEXTS:
        form = importlib.import_module("mpit_info." + TEXTS[options.format])
        write(options, form.text(part, wanted.shown()))
    elif options.format == "json":
        write(options, document.json_text(selection.only_shown(part, wanted)) + "\n")
    elif options.format == "tree":
        from mpit_info import console, tree  # noqa: F401 (refuses without rich)
        screen.show(options, tree.parts(part, wanted.shown()))
    else:
        shown = selection.select(distributions.folded(whole, wanted.names), wanted)
        screen.show(options, table.parts(shown, wanted, screen.width(options), getattr(options, "unknown", ())))
    return status or status_of_nothing(whole, part, wanted)


def status_of_nothing(whole, part, wanted):
    """1, with a sentence, if the filters left nothing; a run in which nothing was changed is a success."""
    if not wanted.narrows() or any(part[name] for name in wanted.shown()) or (
            wanted.changed and any(selection.matches(control["name"], wanted.names) for control in whole["control_variables"])):
        return 0
    import difflib
    names = [member["name"] for name in words.KINDS.values() for member in whole[name]]
    known = {name.lower(): name for name in names}
    similar = [known[name] for pattern in wanted.names
               for name in difflib.get_close_matches(pattern.lower().strip("*"), known, 3)]
    hint = f"; similar names: {', '.join(document.clean(name) for name in similar)}" if similar else ""
    what = f"no name matches {' or '.join(wanted.names)}" if wanted.names else "nothing matches the filters"
    print(f"mpit-info: {what}{hint}", file=sys.stderr)
    return 1


def show_found(options):
    """Shows the matches of the words, the best first; returns the exit status."""
    whole, status = looked_at(options)
    part = selection.select(whole, wanted_of(options))
    from mpit_info import find
    found = find.ranked(part, options.words)
    screen.show(options, find.parts(part, options.words, found[:options.limit], len(found), screen.width(options)))
    return status if found or status else 1


def write(options, text):
    """Writes a text without formatting."""
    with screen.output(options) as stream:
        stream.write(text)
