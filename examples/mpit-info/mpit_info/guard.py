"""Keeps what fails inside of the tool away from the program that runs: `guard.attempt("the view", draw)`.

What fails is told in a sentence of `problems`, at the end of the run; MPIT_INFO_DEBUG shows where it came from.
"""

import os
import sys
import traceback

from mpit_info.document import one_line
from mpit_info.refusal import Refusal


def sentence(problem):
    """What an exception says, in a few words that can be shown."""
    text = one_line(getattr(problem, "strerror", None) or str(problem))
    if isinstance(problem, Refusal):
        return text
    return f"{type(problem).__name__}: {text[:200]}" if text else type(problem).__name__


def trace():
    """Shows where the present exception came from, to whoever asks for it."""
    if os.environ.get("MPIT_INFO_DEBUG"):
        traceback.print_exc(file=sys.stderr)


class Guard:
    """`problems` has one sentence for each part of the tool that has failed."""

    def __init__(self):
        self.problems, self.failed = [], set()

    def attempt(self, what, action, *arguments, again=False):
        """Whether the action was done; after a failure it is not tried again, unless `again` says so."""
        if what in self.failed and not again:
            return False
        try:
            action(*arguments)
            return True
        # Whatever it is, the program goes on.
        except Exception as problem:  # pylint: disable=broad-except
            trace()
            if what not in self.failed:
                self.failed.add(what)
                self.problems.append(f"{what} failed ({sentence(problem)}); the program went on without it")
            return False
