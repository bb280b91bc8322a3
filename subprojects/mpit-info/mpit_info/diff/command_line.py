"""The options of `mpit-info diff`: `parser(Formatter)`, `checked(parser, options)`."""

import argparse

from mpit_info import command_line

DESCRIPTION = """\
Compares two runs, which `mpit-info watch --record` has written, or two documents of `mpit-info --json`: the control
variables that differ, and the performance variables that differ by more than their spread over ranks and time."""


def parser(formatter):
    """The parser."""
    made = argparse.ArgumentParser(prog="mpit-info diff", usage="mpit-info diff A.jsonl B.jsonl [options]",
                                   formatter_class=formatter, description=DESCRIPTION)
    made.add_argument("files", nargs="+", metavar="FILE", help="a record or a document")
    group = made.add_argument_group("variables")
    group.add_argument("--name", action="append", default=[], metavar="PATTERN",
                       help="names that match this shell pattern, in upper or lower case: '*eager*'")
    group.add_argument("--all", action="store_true", help="also those that did not change beyond their spread")
    group = made.add_argument_group("output")
    group.add_argument("--report", metavar="FILE.html", help="write a page with time lines for any browser")
    group.add_argument("--json", action="store_true", help="a JSON document")
    command_line.text_options(group)
    return made


def checked(made, options):
    """The options, after an error for those that mean nothing."""
    if len(options.files) != 2:
        made.error(f"diff compares two files, not {len(options.files)}")
    if options.program:
        made.error("diff runs no program; record two runs with `mpit-info watch --record`, and name the files")
    return options
