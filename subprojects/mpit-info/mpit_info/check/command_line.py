"""The options of `mpit-info check`: `parser(Formatter)`, `checked(parser, options)`."""

import argparse

from mpit_info import command_line

USAGE = "mpit-info check [options] [-- launcher]"
DESCRIPTION = """\
Checks whether an MPI keeps the rules of chapter 15.3 of the standard, the tool information interface. Each check is a
process of its own; some start two processes with the launcher. Prints each rule that is broken, and what was seen. The
exit status is 1 if a required rule is broken."""
EXAMPLES = """\
examples:
  mpit-info check -- mpiexec -n 2                       the MPI of this launcher, with the mpicc beside it
  mpit-info check --mpi mpich --programs failures       one of several; a program of at most 30 lines for each failure
  mpit-info check --mpi /opt/mpi/lib/libmpi_abi.so.1    a library with the ABI of MPI-5.0, without a compiler
  mpit-info check --json --output mpich.json --mpi mpich
  mpit-info check --from mpich.json --from openmpi.json --report compared.html
"""


def parser(formatter):
    """The parser."""
    made = argparse.ArgumentParser(prog="mpit-info check", usage=USAGE, formatter_class=formatter, description=DESCRIPTION, epilog=EXAMPLES)
    group = made.add_argument_group("MPI")
    group.add_argument("--mpi", metavar="NAME", help="mpich or openmpi, of which mpicc.NAME and mpiexec.NAME are used; abi or the path of a library "
                                                     "with the ABI of MPI-5.0, for which the checks were compiled once")
    group.add_argument("--mpicc", metavar="WRAPPER", help="the C compiler of the MPI (default: that beside the launcher)")
    group.add_argument("--preload", action="append", default=[], metavar="LIBRARY",
                       help="load this library into the checks, before the MPI; may be repeated")
    group.add_argument("--agents", metavar="DIRECTORY", help="directory of the checks for the ABI (default: that of the agents)")
    group.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="a check that takes longer is ended (default: 60)")
    group = made.add_argument_group("checks")
    group.add_argument("--name", action="append", default=[], metavar="PATTERN", help="checks with matching names, as 'CVAR-*'; may be repeated")
    group.add_argument("--list", action="store_true", help="print the checks and their rules, and run nothing")
    group = made.add_argument_group("output")
    formats = group.add_mutually_exclusive_group()
    for name, text in (("table", "what is broken, and a summary (the default)"), ("all", "the results of all checks"),
                       ("json", "a JSON document"), ("tap", "the Test Anything Protocol"), ("junit", "a document of JUnit"),
                       ("markdown", "a report to the authors of the MPI: each required rule that is broken, with its program")):
        formats.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=text)
    made.set_defaults(format="table")
    group.add_argument("--programs", metavar="DIRECTORY", help="write a program for each failure that shows it alone")
    group.add_argument("--from", dest="stored", action="append", default=[], metavar="FILE.json",
                       help="results that --json has written, in place of a run; may be repeated, to compare MPIs")
    group.add_argument("--report", metavar="FILE.html", help="write a page that compares the results")
    group.add_argument("--quiet", action="store_true", help="show no progress")
    command_line.text_options(group)
    return made


def checked(made, options):
    """The options, after an error for those that mean nothing."""
    if options.limit <= 0:
        made.error("--limit must be a number above 0")
    if options.stored and (options.mpi or options.mpicc or options.program):
        made.error("--from takes the place of a run, and has no MPI and no launcher")
    if len(options.stored) > 1 and not options.report:
        made.error("--from with several files needs --report FILE.html, which compares them")
    return options
