"""The output stream, its width and its colours: `with screen.opened(options) as console:`.

The width is that of the terminal; files and pipes get one line for each variable, so that grep finds whole variables.
"""

import contextlib
import os
import shlex
import shutil
import subprocess
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
    """Whether a terminal has a scrolling region, so that lines can stay at its bottom; an unknown one may have none."""
    try:
        import curses
    except ImportError:
        return True
    try:
        curses.setupterm(os.environ.get("TERM"), stream.fileno())
    except (curses.error, OSError):
        return False
    return all(curses.tigetstr(name) for name in ("csr", "sc", "rc"))


def give_up():
    """Discards further standard output, including buffered output."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass


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
        written = lines_of(options, parts, stream)
        if not wants_pager(options):
            stream.writelines(written)
            return
        written = list(written)
        if len(written) < shutil.get_terminal_size().lines or not paged(written):
            stream.writelines(written)


def lines_of(options, parts, stream):
    """Yields the lines of the output."""
    columns, colour = width(options), wants_colour(options.colour, stream)
    for part in parts:
        if not hasattr(part, "lines"):
            # Only trees and the tables of a run are drawn by rich, which takes long to load.
            from mpit_info import console
            yield from console.lines(options, stream, part)
            continue
        for line in part.lines(columns, colour):
            yield line.rstrip() + "\n"


def wants_pager(options):
    """Whether a long list gets a pager: on a terminal, unless PAGER is empty; the table at the end of a run has none."""
    return (options.command != "watch" and is_terminal(options) and sys.stdin is not None and sys.stdin.isatty()
            and os.environ.get("TERM", "dumb") != "dumb" and os.environ.get("PAGER", "less") != "")


def paged(lines):
    """Shows the lines with the pager; returns False if there is none."""
    words = shlex.split(os.environ.get("PAGER", "less"))
    if not words or not shutil.which(words[0]):
        return False
    # less keeps colours, ends at once if all fits, and leaves the text on the terminal, as git calls it.
    environment = {"LESS": "FRX", **os.environ}
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment) as pager:
        with contextlib.suppress(BrokenPipeError):
            pager.stdin.write("".join(lines).encode(errors="replace"))
            pager.stdin.close()
        while pager.poll() is None:
            with contextlib.suppress(KeyboardInterrupt):
                pager.wait()
    return True
