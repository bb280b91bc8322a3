"""Drawings of rich for the output: `console.lines(options, sys.stdout, tree)`, and a console for the view."""

import io

from mpit_info import screen
from mpit_info.document import clean
from mpit_info.refusal import Refusal

try:
    from rich import box
    from rich.console import Console
    from rich.segment import Segment
    from rich.table import Table
except ImportError:
    raise Refusal("the Python package rich is missing (apt-get install python3-rich, or pip install rich)") from None


class SafeConsole(Console):
    """A console of rich that removes control sequences from all texts and interprets no markup in them."""

    def render(self, renderable, options=None):
        """Yields the segments of the drawing; only those of rich itself may control the terminal."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(clean(line) for line in segment.text.split("\n")), segment.style)


def console_for(options, stream, moving=False):
    """A console of rich for a stream, with the colours and width of the options; `moving` redraws."""
    colour = screen.wants_colour(options.colour, stream)
    return SafeConsole(file=stream, width=screen.width(options), force_terminal=colour or moving, highlight=False, markup=False,
                       emoji=False, color_system=("auto" if stream.isatty() else "256") if colour else None,
                       legacy_windows=False)


def table():
    """A table without lines but that below the titles."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))


def lines(options, stream, part):
    """The lines of one drawing at the width of the options."""
    drawn = console_for(options, stream)
    drawn.file = text = io.StringIO()
    # Without this rich breaks or truncates lines, even those marked no_wrap.
    drawn.print(part, soft_wrap=getattr(part, "no_wrap", None) is True)
    return [line.rstrip() + "\n" for line in text.getvalue().split("\n")[:-1]]
