"""Where output goes, how wide it is and whether it has colours: `with screen.opened(options) as console:`.

A terminal gets its own width; files and pipes get one line for each variable, so that grep finds whole ones.
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
    """A console of rich that draws all texts without what a terminal would obey, and knows no markup in them."""

    def render(self, renderable, options=None):
        """Yields the segments of what is drawn; only those of rich itself may control the terminal."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(clean(line) for line in segment.text.split("\n")), segment.style)


def wants_colour(colour, stream):
    """Whether escape sequences may be written: never where NO_COLOR is set."""
    if os.environ.get("NO_COLOR") or colour == "never":
        return False
    return colour == "always" or has_view(stream)


def is_terminal(options):
    """Whether people see the output while it is written."""
    return not options.output and sys.stdout.isatty()


def width(options):
    """How many columns there are; very many where nobody limits them."""
    return max(options.width or (shutil.get_terminal_size().columns if is_terminal(options) else WIDE), 20)


def has_view(stream):
    """Whether a stream leads to a terminal on which something can be drawn over and over."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "dumb") != "dumb" and can_keep_lines(stream)


def can_keep_lines(stream):
    """Whether a terminal has a scrolling region, so that lines can stay at its bottom; true of one that is not known."""
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
    """A console of rich for a stream, with colours and width as the options say; `moving` draws over what was drawn."""
    colour = wants_colour(options.colour, stream)
    return SafeConsole(file=stream, width=width(options), force_terminal=colour or moving, highlight=False, markup=False,
                       emoji=False, color_system=("auto" if stream.isatty() else "256") if colour else None,
                       legacy_windows=False)


@contextlib.contextmanager
def output(options):
    """The stream that the output goes to: the file that the options name, or the standard output."""
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
    """Prints what rich can draw; no line ends with blanks, however wide its table was."""
    with output(options) as stream:
        console = console_for(options, stream)
        console.file = text = io.StringIO()
        for part in parts:
            # Only this keeps rich from breaking or cutting a line that asks not to be.
            console.print(part, soft_wrap=getattr(part, "no_wrap", None) is True)
        for line in text.getvalue().split("\n")[:-1]:
            stream.write(line.rstrip() + "\n")
