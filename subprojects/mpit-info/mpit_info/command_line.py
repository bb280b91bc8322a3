"""The command line of `mpit-info`: `options = command_line.parse(["find", "eager", "--", "./program"])`.

The words behind `--` are the program and its arguments, and are not parsed. For some commands the first word that is not an option begins
the program, too.
"""

import argparse
import importlib
import math

from mpit_info import VERSION, words

# Samples a second: at a higher rate sampling takes all the time, at a lower one it takes no samples.
LEAST_RATE, MOST_RATE = 0.001, 100_000
COMMAND_NAMES = ("list", "find", "watch", "view", "resident", "attach", "stuck", "postmortem", "get", "set", "values", "tune", "diff", "check", "export", "build-agent", "completion")
# Commands that are packages with options of their own.
APART = ("tune", "diff", "check")
# Commands of which the first word that is no option, and no value of one, begins the program, also without `--`.
RUNNING = ("watch", "resident", "tune")
FORMATS = ("openmetrics", "csv", "perfetto", "caliper", "parquet", "otlp")
DESCRIPTION = """\
Lists the control variables, performance variables, events and categories (MPI_T) of a program's MPI, or of any library
that embeds mpit. mpit-info starts the program and ends it after MPI_Init. The program needs no change."""
COMMANDS = """\
commands:
  mpit-info [options] -- program     lists the variables of the program's MPI (this page)
  mpit-info [options]                lists those of an installed MPI, without a program
  mpit-info find WORD... [options]   searches names and descriptions
  mpit-info watch [options] -- program
                                     shows performance variables while the program runs, and writes reports
  mpit-info view --prometheus URL    shows a job whose nodes a Prometheus server scrapes
  mpit-info resident -- program      runs a program whose processes can be attached to, got and set
  mpit-info attach PID [options]     shows performance variables of a running process, or of a job (--job)
  mpit-info stuck --job PID          says which ranks wait for which ones in a job that hangs, with stacks
  mpit-info postmortem               prints what each rank did last, of a job that was killed or has crashed
  mpit-info get --job PID NAME...    prints values of running processes
  mpit-info set --job PID NAME=VALUE writes a control variable of running processes
  mpit-info values PID NAME          prints the value of every rank in a run of watch --nodes
  mpit-info tune --sweep NAME=VALUES [options] -- program
                                     finds the best value of a control variable
  mpit-info diff A.jsonl B.jsonl     compares two runs that watch has recorded
  mpit-info check [-- launcher]      checks an MPI against the chapter of the tool interface (MPI-5.0, 15.3)
  mpit-info export RECORD --to FORMAT
                                     writes a record of watch as OpenMetrics, CSV, Perfetto and others
  mpit-info build-agent --mpicc CC   builds the agent for an MPI
  mpit-info completion SHELL         completion of words for bash, zsh or fish
  mpit-info COMMAND --help           more about a command

examples:
  mpit-info -- ./program                              all variables as tables
  mpit-info --changed -- ./program                    changed values and their source
  mpit-info --name '*EAGER*' -- ./program             by name
  mpit-info -- mpiexec -n 4 ./program                 with ranks
  mpit-info --json --output all.json -- ./program     to store; later: mpit-info --from all.json --tree
"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Prints descriptions unchanged, with a wide column for options."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=30, width=100)


def subject_options(parser):
    """Options for the source of the variables."""
    group = parser.add_argument_group("source of the variables")
    group.add_argument("--from", dest="stored", metavar="FILE",
                       help="a document that --json has written, in place of a program; - is the standard input")
    group.add_argument("--mpi", metavar="NAME",
                       help="without a program: the MPI to read, mpich, openmpi, abi or the path of its library; default: the first one "
                            "that is installed")
    group.add_argument("--at", choices=["init", "end"], default="init",
                       help="when values are read: after MPI_Init, which then ends the program (init, the "
                            "default), or when the program has run to its end (end)")
    group.add_argument("--rank", type=int, metavar="N", help="of several processes, the one of this rank (default: 0)")
    group.add_argument("--against", metavar="FILE",
                       help="use the values of this document if the MPI provides no defaults, so that --changed "
                            "shows the differences")


def filter_options(parser, of_all_kinds):
    """The filters."""
    group = parser.add_argument_group("filters (all must match)")
    parser.set_defaults(kind=[], changed=False)
    group.add_argument("-v", "--verbosity", metavar="LEVEL", default="",
                       help="variables for this reader and simpler ones: user, tuner, developer, or exactly up to one "
                            "of user_basic, user_detail, user_all, tuner_basic, ...")
    if of_all_kinds:
        group.add_argument("--kind", action="append", choices=list(words.KINDS), help="only this kind")
        group.add_argument("--changed", action="store_true",
                           help="control variables whose value differs from the default, with its origin")
    group.add_argument("--name", action="append", default=[], metavar="PATTERN",
                       help="names that match this shell pattern, in upper or lower case: '*eager*'")
    group.add_argument("--category", action="append", default=[], metavar="NAME",
                       help="members of this category and of all categories below it")
    group.add_argument("--class", dest="classes", action="append", default=[], choices=words.CLASSES, metavar="CLASS",
                       help="performance variables of this class: " + ", ".join(words.CLASSES))
    group.add_argument("--bound", action="append", default=[], choices=words.BINDINGS, metavar="KIND",
                       help="variables bound to this kind of MPI object: " + ", ".join(words.BINDINGS))


def text_options(group, width_elsewhere=""):
    """Options for the place and the form of text, also of the commands that are packages."""
    group.add_argument("--width", type=int, metavar="COLUMNS",
                       help=f"width of the output (default: that of the terminal{width_elsewhere})")
    group.add_argument("--colour", "--color", choices=["auto", "always", "never"], default="auto",
                       help="colours on a terminal (auto), always or never; never if NO_COLOR is set")
    group.add_argument("--output", metavar="FILE", help="write to this file")


def process_options(group):
    """Options for the processes of a program."""
    group.add_argument("--listen", metavar="HOST",
                       help="for processes on other machines: the name or address by which they reach this one")
    group.add_argument("--agents", metavar="DIRECTORY",
                       help="directory of libmpit-info.so (default: MPIT_INFO_AGENTS, then the installation)")


def output_options(parser, with_formats):
    """Options for the output."""
    group = parser.add_argument_group("output")
    if with_formats:
        formats = group.add_mutually_exclusive_group()
        for name, text in (("table", "tables as wide as the terminal (the default)"),
                           ("tree", "categories as a tree, with their members and values"),
                           ("json", "a JSON document (schema.json describes it)"),
                           ("markdown", "a reference page in Markdown"),
                           ("man", "a reference page for `man -l`"),
                           ("dot", "categories and members as a graph for Graphviz")):
            formats.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=text)
        parser.set_defaults(format="table")
    text_options(group, "; in files and pipes one line for each variable")
    process_options(group)


def running_options(parser):
    """Options for the processes that run; their agents must sleep in them."""
    group = parser.add_argument_group("running processes, started by `mpit-info resident`")
    group.add_argument("--job", dest="launchers", action="append", default=[], type=int, metavar="PID",
                       help="all processes below this one on this node, for instance those of a launcher; may be repeated")
    group.add_argument("--all", action="store_true",
                       help="all processes of this user on this node, in a batch job those of the job; attach takes those that come later, "
                            "too, and ends with Ctrl-C")
    return group


def setting_parser(command):
    """The parser of get and set."""
    parser = argparse.ArgumentParser(prog=f"mpit-info {command}", formatter_class=Formatter)
    if command == "get":
        parser.description = "Prints values of variables of running processes, for each rank."
        parser.add_argument("names", nargs="+", metavar="NAME", help="names, or shell patterns: '*eager*'")
    else:
        parser.description = ("Writes control variables of running processes, and prints the values read back, or the\n"
                              "refusal; then the exit status is 1.")
        parser.add_argument("assignments", nargs="+", metavar="NAME=VALUE",
                            help="a name and its value: a number, also with k, M or G, a text or the item of an enumeration")
    group = running_options(parser)
    group.add_argument("--pid", action="append", default=[], type=int, metavar="PID", help="this process; may be repeated")
    group.add_argument("--rank", type=int, metavar="N", help="only the process of this rank (default: all)")
    return parser


def watch_options(parser, of_command="watch"):
    """Options for sampling and recording."""
    if of_command == "attach":
        group = running_options(parser)
        group.add_argument("--for", dest="seconds", type=float, metavar="SECONDS",
                           help="end after this time (default: when the processes end, or with Ctrl-C)")
    group = parser.add_argument_group("sampling")
    group.add_argument("--rate", type=float, default=10, metavar="HERTZ", help="samples a second (default: 10)")
    group.add_argument("--variable", action="append", default=[], metavar="PATTERN",
                       help="performance variables with matching names; may be repeated (default: all)")
    group.add_argument("--event", action="append", default=[], metavar="PATTERN",
                       help="events with matching names; may be repeated (default: none, since each event costs time)")
    group.add_argument("--rank", type=int, metavar="N", help="only the process of this rank (default: all)")
    group.add_argument("--keys", choices=["auto", "yes", "no"], default="auto",
                       help="keys for the view: unless a program that is no launcher reads the terminal (auto, the default), always, "
                            "or never; ? in the view lists them")
    group = parser.add_argument_group("calls of MPI functions and the network")
    group.add_argument("--calls", choices=["auto", "yes", "no", "distributions"], default="auto",
                       help="count the calls of MPI functions, their bytes and times: if the MPI has less than five counters "
                            "and timers (auto, the default), always or never; with distributions also how long the calls took, by function, "
                            "communicator and size of the message")
    group.add_argument("--split", action="store_true", help="also show the calls of each communicator")
    if of_command == "watch":
        group.add_argument("--peers", action="store_true", help="also show the messages to each rank")
    group.add_argument("--regions", action="store_true",
                       help="also show values by region of the program, from MPI_Pcontrol, mpit-info/regions.h, Caliper, NVTX and ROCTX"
                            + (" (for jobs of `mpit-info resident --regions`)" if of_command == "attach" else ""))
    group.add_argument("--network", action="store_true", help="also show the counters of the node's network devices")
    group = parser.add_argument_group("jobs that make no progress (no call of MPI begins or ends for 10 s)")
    group.add_argument("--when-stuck", metavar="COMMAND",
                       help="run this command of the shell once in each launch; MPIT_INFO_STUCK has the sentences about the ranks")
    if of_command == "watch":
        group.add_argument("--abort-when-stuck", type=float, metavar="MINUTES",
                           help="end the launch after this time without progress, by SIGTERM to its launcher")
    group = parser.add_argument_group("recording")
    group.add_argument("--against", metavar="FILE", help="compare with this record at the end, as `mpit-info diff` does")
    group.add_argument("--openmetrics", metavar="PLACE",
                       help="values for Prometheus: a file that is replaced every second, or HOST:PORT or :PORT to serve")
    group.add_argument("--csv", action="store_true",
                       help="write a row of CSV for each value in place of the table; the program's output goes to the "
                            "standard error")
    group.add_argument("--interval", type=float, metavar="SECONDS",
                       help="seconds between rows of --csv (default: 1; 0: all samples), and between blocks of lines in a pipe, one for "
                            "each variable that has changed (default: one sentence, three times a minute; 0: none)")
    group.add_argument("--report", metavar="FILE.html", help="write a page with time lines for any browser")
    group.add_argument("--record", metavar="FILE.jsonl", help="store all messages of the program's processes")
    if of_command == "attach":
        parser.set_defaults(replay=None, speed=None, listen=None, peers=False, nodes=False, abort_when_stuck=None)
        return
    group.add_argument("--replay", metavar="FILE.jsonl", help="show a stored record instead of running a program")
    group.add_argument("--speed", type=float, metavar="FACTOR",
                       help="speed of a record on a terminal, as a factor (default: 1; 0: at once)")
    nodes_options(parser)


def nodes_options(parser):
    """Options for runs of many nodes."""
    group = parser.add_argument_group("many nodes")
    group.add_argument("--nodes", action="store_true",
                       help="a collector on each node, and summaries over a tree of nodes in place of all values: for more than about a "
                            "thousand ranks")
    group.add_argument("--node-files", metavar="DIRECTORY", help="each collector writes all messages of its ranks to a record in this directory")
    group.add_argument("--fan-in", type=int, default=8, metavar="N", help="the most nodes that send to one other node, or to this tool (default: 8)")
    group.add_argument("--worst", type=int, default=5, metavar="N", help="ranks at each end of a variable that are named (default: 5)")
    group.add_argument("--period", type=float, default=1, metavar="SECONDS", help="seconds between two summaries (default: 1)")


def check_nodes(parser, options):
    """Refuses options of --nodes that mean nothing."""
    if not 2 <= options.fan_in <= 1024:
        parser.error("--fan-in must be a number from 2 to 1024")
    if not 1 <= options.worst <= 64:
        parser.error("--worst must be a number from 1 to 64")
    if not 0.1 <= options.period <= 3600:
        parser.error("--period must be a number from 0.1 to 3600")
    refused = [name for name, value in (("--csv", options.csv), ("--rank", options.rank is not None), ("--against", options.against),
                                        ("--replay", options.replay)) if value]
    if options.nodes and refused:
        parser.error(f"{refused[0]} cannot be combined with --nodes; the files of --node-files have all values")
    single = [name for name, value in (("--event", options.event), ("--regions", options.regions),
                                        ("--calls distributions", options.calls == "distributions")) if value]
    if options.nodes and single and not options.node_files:
        parser.error(f"{single[0]} with --nodes needs --node-files: summaries have no events, regions and distributions")
    if options.node_files and not options.nodes:
        parser.error("--node-files needs --nodes")


def view_parser():
    """The parser of view, whose options are some of those of watch, with others for what is asked for."""
    parser = argparse.ArgumentParser(
        prog="mpit-info view", formatter_class=Formatter,
        description="Shows the ranks of a job whose nodes a Prometheus server scrapes (--openmetrics), as watch does. On a terminal\n"
                    "the view follows the job; in a pipe the table of the present state is printed.")
    parser.set_defaults(**{**vars(parser_of("watch").parse_args([])), "match": []})
    parser.add_argument("--prometheus", dest="replay", required=True, type=address, metavar="URL", help="the server: http://host:9090")
    parser.add_argument("--match", action="append", type=label, metavar="LABEL=VALUE",
                        help="series with this label, as job_id=77; may be repeated (default: all)")
    parser.add_argument("--last", type=float, default=3600, metavar="SECONDS", help="how much of the past is read (default: 3600)")
    parser.add_argument("--variable", action="append", metavar="PATTERN",
                        help="performance variables with matching names; may be repeated (default: all)")
    parser.add_argument("--report", metavar="FILE.html", help="write a page with time lines for any browser")
    text_options(parser)
    return parser


def address(word):
    """The URL of a server."""
    if not word.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{word} does not begin with http:// or https://")
    return word.rstrip("/")


def label(word):
    """A label and its value."""
    name, equals, value = word.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{word} is not LABEL=VALUE, as job_id=77")
    return name, value.strip('"')


def tool_parser(command):
    """The parser of a command without a program; None for another command."""
    parser = argparse.ArgumentParser(prog=f"mpit-info {command}", formatter_class=Formatter)
    if command == "build-agent":
        parser.description = ("Compiles the agents for the MPIs of compiler wrappers into the user's cache, or into\n"
                              "--agents. Needs a C++20 compiler (CC and CXX choose) and nlohmann-json.")
        parser.add_argument("--mpicc", metavar="WRAPPER", action="append",
                            help="the C compiler of an MPI, or the directory of its mpi.h; may be repeated (default: mpicc)")
        parser.add_argument("--force", action="store_true", help="build everything again")
        parser.add_argument("--agents", metavar="DIRECTORY", help="write to this directory")
    elif command == "resident":
        parser.description = ("Runs a program in whose processes agents sleep, until `mpit-info attach`, `get` or `set` wakes them.\n"
                              "Without a program it prints the variables for a job script: eval \"$(mpit-info resident)\"")
        parser.add_argument("--agents", metavar="DIRECTORY",
                            help="directory of libmpit-info.so (default: MPIT_INFO_AGENTS, then the installation)")
        parser.add_argument("--regions", action="store_true", help="let `mpit-info attach --regions` show values by region")
        parser.add_argument("--log-calls", action="store_true",
                            help="note each call of MPI, for `mpit-info stuck`, and for `mpit-info postmortem` after a crash, in the directory "
                                 "MPIT_INFO_CALLS, or a new one in /dev/shm")
    elif command == "stuck":
        parser.description = ("Prints what the ranks of a job on this node are in, and for whom they wait. The job was started by\n"
                              "`mpit-info watch` or `mpit-info resident --log-calls`. If gdb or eu-stack is installed, stacks follow.")
        running_options(parser)
        parser.add_argument("pid", nargs="*", type=process, metavar="PID", help="a process")
        text_options(parser.add_argument_group("output"))
    elif command == "postmortem":
        parser.description = ("Prints the last calls of each rank of a job on this node that has not ended in order: one of\n"
                              "`mpit-info resident --log-calls`, or of a `mpit-info watch` that was killed.")
        parser.add_argument("folder", nargs="?", metavar="DIRECTORY",
                            help="the directory of its calls (default: that of MPIT_INFO_CALLS, else the user's latest one in /dev/shm)")
        parser.add_argument("--calls", type=int, default=8, metavar="N", help="how many calls of each rank (default: 8, at most 1023)")
        text_options(parser.add_argument_group("output"))
    elif command == "completion":
        parser.description = "Prints a script that completes words: eval \"$(mpit-info completion bash)\""
        parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    elif command == "values":
        parser.description = ("Prints the last value of a variable in every rank, or all values of a rank, while `mpit-info watch --nodes`\n"
                              "runs: its nodes keep them.")
        parser.add_argument("watch", type=int, metavar="PID", help="the process of `mpit-info watch --nodes`, on this machine")
        parser.add_argument("name", nargs="?", metavar="NAME", help="the name of a variable")
        parser.add_argument("--rank", type=int, metavar="N", help="only this rank")
    elif command == "page":
        parser.description = "Prints the manual page mpit-info(1)."
    elif command == "export":
        parser.description = "Writes a record of `mpit-info watch --record` in the format of another tool."
        parser.add_argument("record", metavar="RECORD.jsonl", help="the record")
        parser.add_argument("--to", required=True, choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS))
        parser.add_argument("--output", metavar="FILE", help="write to this file (default: the standard output)")
        parser.add_argument("--variable", action="append", default=[], metavar="PATTERN",
                            help="performance variables with matching names; may be repeated (default: all)")
    else:
        return None
    return parser


def parser_of(command):
    """The parser of one of the commands."""
    if command in APART:
        return importlib.import_module(f"mpit_info.{command}.command_line").parser(Formatter)
    if command in ("get", "set"):
        return setting_parser(command)
    if command not in ("list", "find", "watch", "view", "attach"):
        return tool_parser(command)
    if command == "find":
        parser = argparse.ArgumentParser(
            prog="mpit-info find", usage="mpit-info find WORD... [options] [-- program arguments...]",
            formatter_class=Formatter, description="Finds variables, events, categories and enumerations by "
            "words: first by name,\nthen by description, then by similar spelling. The best matches are first.")
        parser.add_argument("words", nargs="+", metavar="WORD", help="words of a name or of a description")
        parser.add_argument("--limit", type=int, default=20, metavar="N", help="maximum number of results (default: 20)")
    elif command == "watch":
        parser = argparse.ArgumentParser(
            prog="mpit-info watch", usage="mpit-info watch [options] [--] program arguments...",
            formatter_class=Formatter, description="Shows performance variables while a program runs: values, rates "
            "and small graphs, over all ranks.\nIn a pipe it prints one sentence, three times a minute. At the end it prints a table.")
        watch_options(parser)
    elif command == "view":
        return view_parser()
    elif command == "attach":
        parser = argparse.ArgumentParser(
            prog="mpit-info attach", usage="mpit-info attach PID... [options]", formatter_class=Formatter,
            description="Shows performance variables of running processes, as watch does. At the end they run on.")
        parser.add_argument("pid", nargs="*", type=process, metavar="PID", help="a process")
        watch_options(parser, command)
    else:
        parser = argparse.ArgumentParser(prog="mpit-info", usage="mpit-info [options] [-- program arguments...]",
                                         formatter_class=Formatter, description=DESCRIPTION, epilog=COMMANDS)
    if command not in ("watch", "attach"):
        subject_options(parser)
    filter_options(parser, of_all_kinds=command not in ("watch", "attach"))
    if command == "attach":
        text_options(parser.add_argument_group("output"))
    else:
        output_options(parser, with_formats=command == "list")
    parser.add_argument("--version", action="version", version=f"mpit-info {VERSION}")
    return parser


def process(word):
    """The number of a process, in the place of an argument."""
    if not word.isdigit():
        raise argparse.ArgumentTypeError(f"{word} is not the number of a process; mpit-info watch -- {word} starts a program")
    return int(word)


def place_of_program(parser, own):
    """The place of the first word that is neither an option nor its value."""
    place = 0
    while place < len(own) and own[place].startswith("-") and own[place] != "-":
        name, equals, _ = own[place].partition("=")
        # As argparse takes them, with names that are shortened; a value may be behind one letter without a blank.
        taking = [action.nargs != 0 for action in parser._actions for option in action.option_strings  # argparse has no public list
                  if option == name or name.startswith("--") and option.startswith(name)]
        place += 2 if not equals and any(taking) else 1
    return place


def meaning(word, command, parser):
    """A suggestion for a word in the place of an option."""
    if word in COMMAND_NAMES:
        return f"; write the command before all options: mpit-info {word} ..."
    if word.isdigit() or word.partition("=")[0] in ("-p", "--pid", "--job"):
        if command in ("get", "set"):
            return "; --pid names a process, and --job all processes below one"
        return ("; mpit-info attach PID, or attach --job PID, shows a running process that was started by mpit-info resident -- program; "
                "get and set have --pid and --job")
    if word.startswith("-"):
        return words.perhaps(word.partition("=")[0], [option for action in parser._actions for option in action.option_strings])
    near = words.nearest(word, COMMAND_NAMES[1:]) if command == "list" else None
    if near:
        return f"; perhaps {near} is meant: mpit-info {near} ..."
    return f"; write the program behind --: mpit-info {'' if command == 'list' else command + ' '}-- {word}"


def guessed(command, own):
    """What to write in place of the words of attach, get and set that name a process in another way; None if they do not."""
    # Without the values of options.
    alone = [word for before, word in zip(["", *own], own) if not word.startswith("-")
             and (not before.startswith("-") or "=" in before or before in ("-p", "--pid"))]
    numbers, names = [word for word in alone if word.isdigit()], [word for word in alone if not word.isdigit()]
    pid = (numbers or ["PID"])[0]
    if command == "attach":
        for other in ("get", "set"):
            if other in names:
                names = [word for word in names if word != other] or ["NAME" if other == "get" else "NAME=VALUE"]
                return f"{other} is a command of its own: mpit-info {other} --pid {pid} {' '.join(names)}"
        if any(word.partition("=")[0] in ("-p", "--pid") for word in own):
            return f"attach has the numbers of processes without --pid: mpit-info attach {pid}"
    if command == "get" and names and "=" in names[-1]:
        return f"get has names alone; set writes a value: mpit-info set --pid {pid} {names[-1]}"
    if numbers and names and (command == "get" or "=" in names[-1]):
        return f"--pid names a process: mpit-info {command} --pid {pid} {' '.join(names)}"
    return None


def check_sampling(parser, options):
    """Refuses numbers of watch and attach that mean nothing."""
    if not LEAST_RATE <= options.rate <= MOST_RATE:
        parser.error(f"--rate must be a number above 0, from {LEAST_RATE} to {MOST_RATE:,}")
    if options.interval is not None and not 0 <= options.interval < math.inf:
        parser.error("--interval must be a number of at least 0")


def parse(arguments):
    """The options of a command line, with `command` and with `program`, the list behind `--`."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    own, program = arguments[:border], arguments[border + 1:]
    command = own.pop(0) if own and own[0] in (*COMMAND_NAMES, "page") else "list"
    parser = parser_of(command)
    place = place_of_program(parser, own) if command in RUNNING else border
    # The number of a process is none of a program.
    if place < len(own) and not own[place].isdigit():
        own, program = own[:place], [*own[place:], *arguments[border:]]
    if command in ("attach", "get", "set"):
        refuse, guess = parser.error, guessed(command, own)
        parser.error = lambda message: refuse(guess or message)
    options, unknown = parser.parse_known_intermixed_args(own) if command in ("find", "attach", "stuck", "get", "set", "values") else parser.parse_known_args(own)
    if unknown:
        parser.error(f"unknown {'option' if unknown[0].startswith('-') else 'word'} {unknown[0]}{meaning(unknown[0], command, parser)}")
    options.command, options.program = command, program
    if command not in ("list", "find", "watch", *APART):
        if program and command != "resident":
            parser.error(f"{command} runs no program")
        if command == "values" and options.name is None and options.rank is None:
            parser.error("values needs the name of a variable, or --rank")
        is_named = command in ("attach", "stuck", "get", "set") and (options.pid or options.launchers or options.all)
        if command in ("attach", "stuck") and not is_named:
            parser.error(f"{command} needs the number of a process, --job with that of a launcher, or --all")
        if command == "view" and not 1 <= options.last < math.inf:
            parser.error("--last must be a number of at least 1")
        if command == "attach":
            check_sampling(parser, options)
        if command in ("get", "set") and not is_named:
            parser.error("--pid, --job or --all must name a process")
        if command == "get" and any("=" in name for name in options.names):
            parser.error("a name has no =")
        return options
    if border < len(arguments) and not program:
        parser.error("a program is missing behind --")
    if command in APART:
        return importlib.import_module(f"mpit_info.{command}.command_line").checked(parser, options)
    replaced = options.replay if command == "watch" else options.stored
    if replaced and program:
        parser.error(f"{'--replay' if command == 'watch' else '--from'} cannot be combined with a program")
    if command == "watch" and not replaced and not program:
        parser.error("watch needs a program, or --replay with a record")
    if command == "watch":
        check_sampling(parser, options)
        check_nodes(parser, options)
    if command == "watch" and options.abort_when_stuck is not None and not 0 < options.abort_when_stuck < math.inf:
        parser.error("--abort-when-stuck must be a number above 0")
    if command == "watch" and options.speed is not None and not 0 <= options.speed < math.inf:
        parser.error("--speed must be a number of at least 0")
    return options


