"""Numbers for people: `figures.short(1234567)` is 1.23M, `figures.spread([1, 2, 6])` compares ranks.

`figures.blocks([1, 2, 3], 10)` draws a graph of one line.
"""

import collections
import math

BLOCKS = "▁▂▃▄▅▆▇█"
PREFIXES = ["", "k", "M", "G", "T", "P", "E"]

Spread = collections.namedtuple("Spread", "minimum mean maximum imbalance")


# Sums, means and rates of numbers up to this stay finite.
GREATEST = 1e100


def number(value):
    """A value as a number that can be compared; None for what is none, and for what no sum could hold."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return value if isinstance(value, (int, float)) and -GREATEST <= value <= GREATEST else None


def short(value):
    """A number in some six characters; whole numbers below a hundred thousand stay whole."""
    if value is None or not math.isfinite(value):
        return "-"
    if isinstance(value, int) and abs(value) < 100_000 or value == 0:
        return str(int(value))
    size = abs(value)
    if size < 999.5:
        return f"{value:.3e}".replace("e-0", "e-") if size < 0.001 else f"{value:.3g}"
    power = 0
    while size >= 999.5 and power + 1 < len(PREFIXES):
        size /= 1000
        power += 1
    return f"{'-' if value < 0 else ''}{size:.3g}{PREFIXES[power]}"


def exact(value):
    """A number with all its digits, in groups of three."""
    if value is None or not math.isfinite(value):
        return "-"
    if isinstance(value, float) and not value.is_integer() and abs(value) < 100_000:
        return f"{value:,.6g}"
    return f"{round(value):,}" if abs(value) < 1e21 else f"{value:.6g}"


def percent(share):
    """A share of one as a percentage; None for what cannot be said."""
    if share is None or not math.isfinite(share):
        return "-"
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.2g} %"


def spread(values):
    """How a number differs from rank to rank; imbalance is how far the highest is above the mean."""
    known = [value for value in values if value is not None]
    if not known:
        return Spread(None, None, None, None)
    mean = sum(known) / len(known)
    if all(isinstance(value, int) for value in known) and sum(known) % len(known) == 0:
        mean = sum(known) // len(known)
    return Spread(min(known), mean, max(known), max(known) / mean - 1 if mean > 0 else None)


def blocks(series, width):
    """A graph of the last numbers; the highest fills its line, and nothing is drawn where nothing is known."""
    shown = list(series)[-width:]
    shown = [value if value is not None and math.isfinite(value) else None for value in shown]
    known = [value for value in shown if value is not None]
    highest, lowest = max(known, default=0), min(min(known, default=0), 0)
    range_ = highest - lowest or 1
    drawn = "".join(" " if value is None else BLOCKS[round((len(BLOCKS) - 1) * ((value - lowest) / range_))]
                    for value in shown)
    return drawn.rjust(width)
