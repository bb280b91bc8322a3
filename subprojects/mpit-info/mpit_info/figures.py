"""Formats numbers: `figures.short(1234567)` is 1.23M, `figures.spread([1, 2, 6])` compares ranks.

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
    """A value as a number; None if it is not a number, or too large for a sum."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return value if isinstance(value, (int, float)) and -GREATEST <= value <= GREATEST else None


def short(value):
    """A number in about six characters; integers below a hundred thousand are exact."""
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
    """A fraction as a percentage; None if it is unknown."""
    if share is None or not math.isfinite(share):
        return "-"
    if 0 < share < 1e-5:
        return "<0.001 %"
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.2g} %"


def spread(values):
    """The spread of a number over the ranks; imbalance is the excess of the highest over the mean."""
    known = [value for value in values if value is not None]
    if not known:
        return Spread(None, None, None, None)
    mean = sum(known) / len(known)
    if all(isinstance(value, int) for value in known) and sum(known) % len(known) == 0:
        mean = sum(known) // len(known)
    return Spread(min(known), mean, max(known), max(known) / mean - 1 if mean > 0 else None)


def blocks(series, width):
    """A graph of the last numbers; the highest has full height, and unknown numbers are blank."""
    shown = list(series)[-width:]
    shown = [value if value is not None and math.isfinite(value) else None for value in shown]
    known = [value for value in shown if value is not None]
    highest, lowest = max(known, default=0), min(min(known, default=0), 0)
    range_ = highest - lowest or 1
    drawn = "".join(" " if value is None else BLOCKS[round((len(BLOCKS) - 1) * ((value - lowest) / range_))]
                    for value in shown)
    return drawn.rjust(width)
