"""Values with their units: `quantities.text(1234567, "B")` is 1.23 MB, `quantities.rate(0.84, "s")` is 84 %.

MPI_T has no units: a timer of a double counts seconds, a percentage of a double is a ratio by the standard, and a name with
the word bytes counts bytes.
"""

import math
import re

from mpit_info import figures

BYTES = re.compile(r"(^|_)bytes?(_|$)", re.IGNORECASE)
# A rate of a time up to this is a share of the time: two samples are not exactly as far apart as their times.
MOST_SHARE = 1.05
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
    """The growth a second: that of a time is a share of the time, unless it grows faster, as the sum over threads does."""
    if value is None or not math.isfinite(value):
        return "-"
    if unit == "s":
        return figures.percent(min(value, 1)) if value <= MOST_SHARE else f"{figures.short(value)} s/s"
    return f"{sized(value, 'B')}/s" if unit == "B" else figures.short(value)


def rate_text(value, unit, of_time=" of time", a_second="/s"):
    """The growth a second with the words for what it is: `62.8/s`, `2.06 MB/s`, `48 % of time`."""
    text = rate(value, unit)
    return text + (of_time if unit == "s" and text.endswith("%") else "" if unit in ("s", "B") else a_second)


def whole(value, column, type_):
    """The value of a variable, where a counter or an amount is a whole number, also as a mean; a mean below a half is not zero."""
    if value is None or column.class_ not in ("counter", "aggregate") or type_ in ("double", "float") or not math.isfinite(value):
        return value
    return value if 0 < value < 0.5 else math.floor(value + 0.5)
