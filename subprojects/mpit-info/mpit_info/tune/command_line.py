"""The options of `mpit-info tune`: `parser(Formatter)`, `checked(parser, options)`."""

import argparse
import math

from mpit_info import command_line
from mpit_info.tune import metric

USAGE = "mpit-info tune --sweep NAME=VALUES [options] [--] program arguments..."
DESCRIPTION = """\
Finds the best value of a control variable: runs the program with each value several times in random order, compares the
results, and runs the winner and the present value again. Prints the winner and the lines that set it, or that there is no
difference. The exit status is 0 if a value is better than the present one, and 1 if none is."""
EXAMPLES = """\
examples:
  mpit-info tune --sweep MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE=1k..1M*4 -- mpiexec -n 2 ./program
  mpit-info tune --sweep btl_vader_eager_limit=1k..64k*2 --metric 'latency: ([0-9.]+)' -- mpiexec -n 2 ./program
  mpit-info tune --sweep MYMPI_PROTOCOL=eager,rendezvous --metric messages_sent --maximise -- ./program
"""


def parser(formatter):
    """The parser."""
    made = argparse.ArgumentParser(prog="mpit-info tune", usage=USAGE, formatter_class=formatter, description=DESCRIPTION,
                                   epilog=EXAMPLES)
    group = made.add_argument_group("values")
    group.add_argument("--sweep", action="append", required=True, metavar="NAME=VALUES",
                       help="a control variable and its values: 1k..1M*2 (doubled), 0..10+5, 1..4, or a list a,b,c; k, M and G "
                            "are powers of 1024. env:NAME is a variable of the environment that is no control variable, and "
                            "{NAME} in the program's arguments is replaced. May be repeated")
    group.add_argument("--like", metavar="PATTERN",
                       help="the variable of the environment that sets a control variable, with * for its name (default: as "
                            "MPICH, Open MPI and mpit name it)")
    group.add_argument("--search", choices=["grid", "one", "optimise"], default="grid",
                       help="of several variables: all combinations (the default); one variable after the other; or those "
                            "that optuna chooses")
    group.add_argument("--trials", type=int, default=40, metavar="N", help="combinations that optuna tries (default: 40)")
    group = made.add_argument_group("runs")
    group.add_argument("--metric", default="wall", metavar="WHAT",
                       help="what is compared: wall (the time of the program, the default), a regular expression with one "
                            "group around a number of its output, or a performance variable")
    group.add_argument("--maximise", "--maximize", action="store_true", help="the highest result is best, not the lowest")
    group.add_argument("--over", choices=list(metric.OVER),
                       help="of several numbers (of ranks, objects or lines): which one (default: sum of a performance "
                            "variable, last of the output)")
    group.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each value (default: 5)")
    group.add_argument("--live", type=float, metavar="SECONDS",
                       help="change the variable in one run, and compare a performance variable in so many seconds after each change; "
                            "the program is started again when it ends")
    group.add_argument("--least", type=float, default=1, metavar="PERCENT",
                       help="changes below this do not matter (default: 1)")
    group.add_argument("--limit", type=float, metavar="SECONDS",
                       help="a run that takes longer is ended and fails (default: ten times the first run and 10 s)")
    group.add_argument("--seed", type=int, default=1, metavar="N", help="of the random order (default: 1)")
    group = made.add_argument_group("output")
    group.add_argument("--picture", metavar="FILE", help="draw the results: a file that ends with .svg, .png or .pdf")
    group.add_argument("--json", action="store_true", help="a JSON document with the results of all runs")
    group.add_argument("--quiet", action="store_true", help="show no progress")
    command_line.text_options(group)
    command_line.process_options(group)
    return made


def checked(made, options):
    """The options, after an error for those that mean nothing."""
    if not options.program:
        made.error("tune needs a program")
    if options.repeat < 2:
        made.error("--repeat must be at least 2: a single run shows nothing about its spread")
    if not 0 <= options.least < math.inf:
        made.error("--least must be a percentage of at least 0")
    if options.trials < 1:
        made.error("--trials must be at least 1")
    if options.limit is not None and not 0 < options.limit < math.inf:
        made.error("--limit must be a number of seconds above 0")
    if options.live is not None and not 0 < options.live < math.inf:
        made.error("--live must be a number of seconds above 0")
    options.least /= 100
    return options
