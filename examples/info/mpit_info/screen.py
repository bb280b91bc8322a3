"""Where output goes, how wide it is and whether it has colours: `with screen.opened(options) as console:`.

A terminal gets its own width; files and pipes get one line for each variable, so that grep finds whole ones.
"""

import contextlib
import io
import os
import shutil
import sys

from rich.console import Console

from mpit_info.refusal import Refusal

WIDE = 100_000


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
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def console_for(options, stream, moving=False):
    """A console of rich for a stream, with colours and width as the options say; `moving` draws over what was drawn."""
    colour = wants_colour(options.colour, stream)
    return Console(file=stream, width=width(options), force_terminal=colour or moving, highlight=False, markup=False, emoji=False,
                   color_system=("auto" if stream.isatty() else "256") if colour else None, legacy_windows=False)


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
        for line in text.getvalue().splitlines():
            stream.write(line.rstrip() + "\n")
