"""What people may write after `mpit-info`: `options = command_line.parse(["find", "eager", "--", "./program"])`.

What stands behind `--` is the program and its arguments, and is never looked at.
"""

import argparse
import math

from mpit_info import words

# Samples a second: with more there would be nothing but sampling, and with less none.
LEAST_RATE, MOST_RATE = 0.001, 100_000
COMMAND_NAMES = ("list", "find", "watch")
DESCRIPTION = """\
Lists the control variables, performance variables, events and categories (MPI_T) of a program's MPI, or of any library
that embeds mpit. The program is started for it, stops where MPI_Init is done, and needs no change."""
COMMANDS = """\
commands:
  mpit-info [options] -- program     lists what the program's MPI offers (this page)
  mpit-info [options]                the same of an MPI that is installed here, without a program
  mpit-info find WORD... [options]   finds the variables that a word means
  mpit-info watch [options] -- program
                                     shows performance variables while the program runs, and writes reports
  mpit-info COMMAND --help           more about a command

examples:
  mpit-info -- ./program                              all variables as tables
  mpit-info --changed -- ./program                    what somebody has set, and where
  mpit-info --name '*EAGER*' -- ./program             by name
  mpit-info -- mpiexec -n 4 ./program                 with ranks
  mpit-info --json --output all.json -- ./program     to keep; later: mpit-info --from all.json --tree
"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps descriptions as they are written and gives options enough room."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=30, width=100)


def subject_options(parser):
    """What is looked at."""
    group = parser.add_argument_group("what is looked at")
    group.add_argument("--from", dest="stored", metavar="FILE",
                       help="a document that --json has written, in place of a program; - is the standard input")
    group.add_argument("--mpi", metavar="NAME",
                       help="without a program: the MPI that is asked, for instance mpich or openmpi")
    group.add_argument("--at", choices=["init", "end"], default="init",
                       help="when values are read: when MPI_Init is done, where the program is ended then (init, the "
                            "default), or when it has run to its end (end)")
    group.add_argument("--rank", type=int, metavar="N", help="of several processes, the one of this rank (default: 0)")
    group.add_argument("--against", metavar="FILE",
                       help="values of this document stand in for defaults that the MPI does not tell, so that --changed "
                            "shows what is different from there")


def filter_options(parser, of_all_kinds):
    """What of it is shown."""
    group = parser.add_argument_group("what is shown (filters narrow down together)")
    parser.set_defaults(kind=[], changed=False)
    group.add_argument("-v", "--verbosity", metavar="LEVEL", default="",
                       help="variables for this reader and simpler ones: user, tuner, developer, or exactly up to one "
                            "of user_basic, user_detail, user_all, tuner_basic, ...")
    if of_all_kinds:
        group.add_argument("--kind", action="append", choices=list(words.KINDS), help="only this kind")
        group.add_argument("--changed", action="store_true",
                           help="control variables whose value differs from the default, and where it came from")
    group.add_argument("--name", action="append", default=[], metavar="PATTERN",
                       help="names that fit this pattern of the shell, in any case of letters: '*eager*'")
    group.add_argument("--category", action="append", default=[], metavar="NAME",
                       help="members of this category and of all categories below it")
    group.add_argument("--class", dest="classes", action="append", default=[], choices=words.CLASSES, metavar="CLASS",
                       help="performance variables of this class: " + ", ".join(words.CLASSES))
    group.add_argument("--bound", action="append", default=[], choices=words.BINDINGS, metavar="KIND",
                       help="variables bound to this kind of MPI object: " + ", ".join(words.BINDINGS))


def output_options(parser, with_formats):
    """How it is shown."""
    group = parser.add_argument_group("how it is shown")
    if with_formats:
        formats = group.add_mutually_exclusive_group()
        for name, text in (("table", "tables as wide as the terminal (the default)"),
                           ("tree", "categories as a tree, with their members and values"),
                           ("json", "a document of the documented schema (schema.json)"),
                           ("markdown", "a reference page in Markdown"),
                           ("man", "a reference page for `man -l`"),
                           ("dot", "categories and members as a graph for Graphviz")):
            formats.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=text)
        parser.set_defaults(format="table")
    group.add_argument("--width", type=int, metavar="COLUMNS",
                       help="as wide as this (default: the terminal; one line for each variable into files and pipes)")
    group.add_argument("--colour", "--color", choices=["auto", "always", "never"], default="auto",
                       help="colours on a terminal (auto), always or never; never where NO_COLOR is set")
    group.add_argument("--output", metavar="FILE", help="writes into this file")
    group.add_argument("--listen", metavar="HOST",
                       help="for processes on other machines: the name or address by which they reach this one")
    group.add_argument("--agents", metavar="DIRECTORY",
                       help="where libmpit-info.so is (default: MPIT_INFO_AGENTS, then where it was installed)")


def watch_options(parser):
    """What is sampled and kept."""
    group = parser.add_argument_group("what is sampled")
    group.add_argument("--rate", type=float, default=10, metavar="HERTZ", help="samples a second (default: 10)")
    group.add_argument("--variable", action="append", default=[], metavar="PATTERN",
                       help="performance variables whose names fit; may be repeated (default: all)")
    group.add_argument("--event", action="append", default=[], metavar="PATTERN",
                       help="events whose names fit; may be repeated (default: none, since each event costs time)")
    group.add_argument("--rank", type=int, metavar="N", help="only the process of this rank (default: all)")
    group = parser.add_argument_group("what is kept")
    group.add_argument("--report", metavar="FILE.html", help="writes a page with time lines to open in any browser")
    group.add_argument("--record", metavar="FILE.jsonl", help="keeps all that the program's processes have told")
    group.add_argument("--replay", metavar="FILE.jsonl", help="shows such a record again, in place of a program")
    group.add_argument("--speed", type=float, metavar="FACTOR",
                       help="how much faster a record is shown on a terminal (default: 1; 0: at once)")


def parser_of(command):
    """The parser of one of the commands."""
    if command == "find":
        parser = argparse.ArgumentParser(
            prog="mpit-info find", usage="mpit-info find WORD... [options] [-- program arguments...]",
            formatter_class=Formatter, description="Finds the variables, events, categories and enumerations that a "
            "word means: first by name,\nthen by description, then by close spelling. The best stand first.")
        parser.add_argument("words", nargs="+", metavar="WORD", help="words of a name or of a description")
        parser.add_argument("--limit", type=int, default=20, metavar="N", help="at most so many (default: 20)")
    elif command == "watch":
        parser = argparse.ArgumentParser(
            prog="mpit-info watch", usage="mpit-info watch [options] -- program arguments...",
            formatter_class=Formatter, description="Shows performance variables while a program runs: values, rates "
            "and small graphs, over all ranks.\nWithout a terminal it prints one table at the end.")
        watch_options(parser)
    else:
        parser = argparse.ArgumentParser(prog="mpit-info", usage="mpit-info [options] [-- program arguments...]",
                                         formatter_class=Formatter, description=DESCRIPTION, epilog=COMMANDS)
    if command != "watch":
        subject_options(parser)
    filter_options(parser, of_all_kinds=command != "watch")
    output_options(parser, with_formats=command == "list")
    return parser


def meaning(word):
    """What a word in the place of an option was probably meant to be."""
    if word in COMMAND_NAMES:
        return f"; a command stands before all options: mpit-info {word} ..."
    return "" if word.startswith("-") else f"; a program stands behind --: mpit-info -- {word}"


def parse(arguments):
    """The options of a command line, with `command` and with `program`, the list behind `--`."""
    border = arguments.index("--") if "--" in arguments else len(arguments)
    own, program = arguments[:border], arguments[border + 1:]
    command = own.pop(0) if own and own[0] in COMMAND_NAMES else "list"
    parser = parser_of(command)
    options, unknown = parser.parse_known_intermixed_args(own) if command == "find" else parser.parse_known_args(own)
    if unknown:
        parser.error(f"there is no option {unknown[0]}{meaning(unknown[0])}")
    options.command, options.program = command, program
    if border < len(arguments) and not program:
        parser.error("a program is missing behind --")
    replaced = options.replay if command == "watch" else options.stored
    if replaced and program:
        parser.error(f"{'--replay' if command == 'watch' else '--from'} stands in place of a program")
    if command == "watch" and not replaced and not program:
        parser.error("it wants a program behind --, or --replay with a record")
    if command == "watch" and not LEAST_RATE <= options.rate <= MOST_RATE:
        parser.error(f"--rate wants a number above 0, from {LEAST_RATE} to {MOST_RATE:,}")
    if command == "watch" and options.speed is not None and not 0 <= options.speed < math.inf:
        parser.error("--speed wants a number that is not below 0")
    return options


