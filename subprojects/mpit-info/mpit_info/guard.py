"""Isolates the running program from failures of the tool: `guard.attempt("the view", draw)`.

A failure adds a sentence to `problems`, which is printed at the end of the run; MPIT_INFO_DEBUG prints the traceback.
"""

import os
import sys
import traceback

from mpit_info.document import one_line
from mpit_info.refusal import Refusal


def sentence(problem):
    """A short text for an exception, safe to print."""
    text = one_line(getattr(problem, "strerror", None) or str(problem))
    if isinstance(problem, Refusal):
        return text
    return f"{type(problem).__name__}: {text[:200]}" if text else type(problem).__name__


def trace():
    """Prints the traceback of the current exception if MPIT_INFO_DEBUG is set."""
    if os.environ.get("MPIT_INFO_DEBUG"):
        traceback.print_exc(file=sys.stderr)


class Guard:
    """`problems` has one sentence for each part of the tool that has failed."""

    def __init__(self):
        self.problems, self.failed = [], set()

    def attempt(self, what, action, *arguments, again=False):
        """Returns whether the action succeeded; after a failure it is not tried again, unless `again` is true."""
        if what in self.failed and not again:
            return False
        try:
            action(*arguments)
            return True
        # The program continues after any exception.
        except Exception as problem:  # pylint: disable=broad-except
            trace()
            if what not in self.failed:
                self.failed.add(what)
                self.problems.append(f"{what} failed ({sentence(problem)}); the program continued")
            return False
