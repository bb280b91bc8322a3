"""The output stream, its width and its colours: `with screen.opened(options) as console:`.

The width is that of the terminal; files and pipes get one line for each variable, so that grep finds whole variables.
"""

import contextlib
import os
import shutil
import sys

from mpit_info.refusal import Refusal

WIDE = 100_000


def wants_colour(colour, stream):
    """Whether escape sequences may be written: never if NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or colour == "never":
        return False
    return colour == "always" or has_view(stream)


def is_terminal(options):
    """Whether the output is a terminal."""
    return not options.output and sys.stdout.isatty()


def width(options):
    """The number of columns; very many if there is no limit."""
    return max(options.width or (shutil.get_terminal_size().columns if is_terminal(options) else WIDE), 20)


def has_view(stream):
    """Whether a stream is a terminal that can be redrawn."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb" and can_keep_lines(stream)


def can_keep_lines(stream):
    """Whether a terminal has a scrolling region, so that lines can stay at its bottom; true for an unknown terminal."""
    try:
        import curses
    except ImportError:
        return True
    try:
        curses.setupterm(os.environ.get("TERM"), stream.fileno())
    except (curses.error, OSError):
        return True
    return all(curses.tigetstr(name) for name in ("csr", "sc", "rc"))


@contextlib.contextmanager
def output(options):
    """The output stream: the file of the options, or the standard output."""
    if not options.output:
        sys.stdout.reconfigure(errors="replace")
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        with open(options.output, "w", encoding="utf-8") as file:
            yield file
    except OSError as problem:
        raise Refusal(f"cannot write {options.output}: {problem.strerror}") from None


def show(options, parts):
    """Prints paragraphs and tables (styled.py) and drawings of rich, without trailing blanks."""
    with output(options) as stream:
        columns, colour = width(options), wants_colour(options.colour, stream)
        for part in parts:
            if not hasattr(part, "lines"):
                # Only trees and the tables of a run are drawn by rich, which takes long to load.
                from mpit_info import console
                stream.writelines(console.lines(options, stream, part))
                continue
            stream.writelines(line.rstrip() + "\n" for line in part.lines(columns, colour))
