"""The output stream, its width and its colours: `with screen.opened(options) as console:`.

The width is that of the terminal; files and pipes get one line for each variable, so that grep finds whole variables.
"""

import contextlib
import io
import os
import shutil
import sys

from rich.console import Console
from rich.segment import Segment

from mpit_info.document import clean
from mpit_info.refusal import Refusal

WIDE = 100_000


class SafeConsole(Console):
    """A console of rich that removes control sequences from all texts and interprets no markup in them."""

    def render(self, renderable, options=None):
        """Yields the segments of the drawing; only those of rich itself may control the terminal."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(clean(line) for line in segment.text.split("\n")), segment.style)


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


def console_for(options, stream, moving=False):
    """A console of rich for a stream, with the colours and width of the options; `moving` redraws."""
    colour = wants_colour(options.colour, stream)
    return SafeConsole(file=stream, width=width(options), force_terminal=colour or moving, highlight=False, markup=False,
                       emoji=False, color_system=("auto" if stream.isatty() else "256") if colour else None,
                       legacy_windows=False)


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
    """Prints renderables of rich, without trailing blanks."""
    with output(options) as stream:
        console = console_for(options, stream)
        console.file = text = io.StringIO()
        for part in parts:
            # Without this rich breaks or truncates lines, even those marked no_wrap.
            console.print(part, soft_wrap=getattr(part, "no_wrap", None) is True)
        for line in text.getvalue().split("\n")[:-1]:
            stream.write(line.rstrip() + "\n")
