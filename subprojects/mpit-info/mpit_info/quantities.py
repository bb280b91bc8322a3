"""Values with their units: `quantities.text(1234567, "B")` is 1.23 MB, `quantities.rate(0.84, "s")` is 84 %.

MPI_T has no units: a timer of a double counts seconds, a percentage of a double is a ratio by the standard, and a name with
the word bytes counts bytes.
"""

import math
import re

from mpit_info import figures

BYTES = re.compile(r"(^|_)bytes?(_|$)", re.IGNORECASE)
PARTS_OF_A_SECOND = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def unit_of(column, type_):
    """`s`, `B`, `%` for a ratio, or nothing."""
    if column.class_ == "timer":
        return "s" if type_ in ("double", "float", None) else ""
    if column.class_ == "percentage":
        return "%"
    return "B" if column.class_ != "state" and BYTES.search(column.name) else ""


def seconds(value):
    """`12.3 s`, `84 µs`; from 100 000 s on with a prefix."""
    size = abs(value)
    if size >= 999.5:
        return f"{value:.0f} s" if size < 99_999.5 else f"{figures.short(value)} s"
    scale, name = next((part for part in PARTS_OF_A_SECOND if size >= 0.9995 * part[0]), PARTS_OF_A_SECOND[-1])
    return f"{value / scale:.3g} {name}"


def sized(value, unit):
    """A number with the prefix before its unit: `1.23 MB`."""
    text = figures.short(float(value) if abs(value) >= 1000 else value)
    prefix = text[-1] if text[-1] in "".join(figures.PREFIXES) else ""
    return f"{text[:len(text) - len(prefix)]} {prefix}{unit}"


def text(value, unit):
    """A value in at most nine characters. A ratio above 1 is none, and has no unit."""
    if value is None or not math.isfinite(value):
        return "-"
    if unit == "s":
        return seconds(value) if value else "0 s"
    if unit == "B":
        return sized(value, "B")
    if unit == "%" and 0 <= value <= 1:
        return figures.percent(value)
    return figures.short(value)


def exact(value, unit):
    """A value with all its digits where these tell something: bytes and numbers without a unit."""
    if unit == "B" and value is not None and math.isfinite(value) and (float(value).is_integer() or abs(value) < 1000):
        return f"{figures.exact(value)} B"
    return figures.exact(value) if not unit or unit == "%" and value is not None and not 0 <= value <= 1 else text(value, unit)


def like(short_or_exact):
    """`exact` or `text`, which shows as many digits as this function of figures."""
    return exact if short_or_exact == figures.exact else text


def rate(value, unit):
    """The growth a second: that of a time is a share of the time."""
    if value is None or not math.isfinite(value):
        return "-"
    if unit == "s":
        return figures.percent(value)
    return f"{sized(value, 'B')}/s" if unit == "B" else figures.short(value)
