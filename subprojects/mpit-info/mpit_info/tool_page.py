"""The manual page of the tool, mpit-info(1), made from the parsers of its commands: `python3 -m mpit_info.tool_page`."""

import os
import time

from mpit_info import VERSION, command_line
from mpit_info.manual_page import escaped, line
from mpit_info.view_state import KEYS

EXIT = (("0", "success, or the status of the program that ran to its end"), ("1", "nothing was found"),
        ("2", "an error, with a sentence on the standard error"), ("127", "the program cannot be run"))
ENVIRONMENT = (("MPIT_INFO_AGENTS", "the directory of the agents, as --agents"),
               ("MPIT_INFO_DEBUG", "if set, a defect of the tool prints its traceback"),
               ("PAGER", "the pager for long lists on a terminal; an empty value shows them without one"),
               ("NO_COLOR", "if set, nothing has colours"))


def paragraph(term, text):
    """The lines of a term with its text."""
    return [".TP", f".B {escaped(term)}", line(text)]


def option(action):
    """The lines of one option or word."""
    value = action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices else "")
    names = ", ".join(action.option_strings) or value
    shown = names + (f" {value}" if action.option_strings and action.nargs != 0 and value else "")
    return paragraph(shown, (action.help or "").replace("%%", "%"))


def text():
    """The page."""
    # The time of a reproducible build, if one is given.
    now = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    lines = [f'.TH "MPIT\\-INFO" "1" "{time.strftime("%Y-%m-%d", now)}" "mpit {VERSION}" "User commands"', ".nh", ".ad l", ".SH NAME",
             "mpit\\-info \\- lists, finds and watches the variables of an MPI", ".SH SYNOPSIS"]
    lines += [part for name in command_line.COMMAND_NAMES for part in
              (f".B mpit\\-info{'' if name == 'list' else ' ' + escaped(name)}",
               "[options]" + (" [\\-\\- program arguments...]" if name in ("list", "find", "watch") else ""), ".br")][:-1]
    lines += [".SH DESCRIPTION", line(command_line.DESCRIPTION)]
    for name in command_line.COMMAND_NAMES:
        parser = command_line.parser_of(name)
        lines.append(f".SH {'OPTIONS' if name == 'list' else escaped(name.upper())}")
        if name != "list":
            lines.append(line(parser.description or ""))
        for action in parser._actions:  # argparse has no public list
            lines += option(action)
    lines += [".SH KEYS", line("Of the view of watch and attach on a terminal.")]
    for key, meaning in KEYS:
        lines += paragraph(key, meaning)
    lines.append(".SH EXIT STATUS")
    for term, meaning in EXIT:
        lines += paragraph(term, meaning)
    lines.append(".SH ENVIRONMENT")
    for term, meaning in ENVIRONMENT:
        lines += paragraph(term, meaning)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(text(), end="")
