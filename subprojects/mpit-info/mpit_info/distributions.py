"""The distributions among the variables of a run: `for each in distributions.declared(history): distributions.merged(history, each)`.

A distribution NAME is a counter with a value for each bucket and, in the same category, a constant control variable NAME_bounds with the
largest value of each bucket. NAME_sum, NAME_count, NAME_min and NAME_max belong to it if they are there.
"""

import collections
import math
import re

from mpit_info import document, figures, quantities
from mpit_info.histogram import Histogram, are_bounds

# The other variables of a distribution, with the classes that they may have.
PARTS = {"_sum": ("aggregate", "timer"), "_count": ("counter",), "_min": ("low_watermark",), "_max": ("high_watermark",)}
# The unit of values that no class tells, in a description.
IN_UNIT = re.compile(r"\bin (seconds|bytes)\b", re.IGNORECASE)
QUANTILES = (("p50", 0.5), ("p99", 0.99))
TITLES = ["Distribution", "Samples", "Mean", *(title for title, _ in QUANTILES), "Maximum"]
# The digits of a quantile: a bucket knows no more.
DIGITS = 2

# `columns` are those of the buckets, `parts` has the others by their ends, such as `_sum`.
Declared = collections.namedtuple("Declared", "name object bounds unit columns parts")


def bound_of(value):
    """A number or a text as a bound; None if it is none."""
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else found


def count_of(value):
    """A value as a number of samples; None if it is none."""
    found = figures.number(value)
    return None if found is None or found < 0 or found != int(found) else int(found)


def of_document(told):
    """The bounds of the distributions of a document, as tuples by the name."""
    found = {}
    for member, control in document.companions(told, "_bounds"):
        values = control["value"] if isinstance(control["value"], list) else []
        bounds = tuple(bound for value in values if isinstance(value, (int, float)) or value == "inf" if (bound := bound_of(value)) is not None)
        is_pair = member["class"] == "counter" and member["type"].startswith("u") and control["type"] == "double" and control["scope"] == "constant"
        if is_pair and len(bounds) == len(values) and are_bounds(bounds) and (member["count"] == len(bounds) or member["binding"] != "none"):
            found.setdefault(member["name"], bounds)
    return found


def part_of(name, class_, element, bounds):
    """The distribution to which a column belongs, and which part it is: the number of a bucket, or an end of PARTS; None for others."""
    if element is not None:
        return (name, element) if name in bounds and class_ == "counter" else None
    for end, classes in PARTS.items():
        if name.endswith(end) and name[:-len(end)] in bounds and class_ in classes:
            return name[:-len(end)], end
    return None


def unit_of(name, class_of_sum, type_of_sum, description=""):
    """The unit of the values."""
    column = collections.namedtuple("Named", "name class_")(name, class_of_sum)
    found = IN_UNIT.search(description)
    return quantities.unit_of(column, type_of_sum) or ({"s": "s", "b": "B"}[found[1][0].lower()] if found else "")


def sums_of_document(told):
    """The class and the type of each variable NAME_sum by NAME: they tell the unit, also if it is not sampled."""
    return {member["name"].removesuffix("_sum"): (member["class"], member["type"]) for member in told["performance_variables"]
            if member["name"].endswith("_sum") and member["class"] in PARTS["_sum"]}


def declared(history, columns=None):
    """The distributions of which all buckets are among these columns."""
    groups = {}
    for column in history.columns if columns is None else columns:
        part = part_of(column.name, column.class_, column.element, history.bounds) if history.bounds and not column.occurrence else None
        if part:
            groups.setdefault((part[0], column.object), {})[part[1]] = column
    told, found = history.told(), []
    sums = sums_of_document(told) if told and groups else {}
    described = {member["name"]: member["description"] for member in told["performance_variables"] if member["name"] in history.bounds} if told else {}
    for (name, bound), parts in groups.items():
        numbers = [number for number in parts if number not in PARTS]
        bounds = bounds_of(history, name, len(numbers)) if len(numbers) == max(numbers, default=0) + 1 else None
        if bounds:
            total = parts.get("_sum")
            of_sum = (total.class_, history.types.get(total)) if total else sums.get(name, ("counter", None))
            unit = unit_of(name, *of_sum, described.get(name, ""))
            found.append(Declared(name, bound, bounds, unit, tuple(parts[number] for number in range(len(numbers))),
                                  {end: parts[end] for end in PARTS if end in parts}))
    return found


def bounds_of(history, name, count):
    """The bounds of so many buckets: the longest ones of all processes, or those of one of them; None if there are none."""
    if len(history.bounds[name]) == count:
        return history.bounds[name]
    return next((bounds for process in history.ordered() if len(bounds := process.bounds.get(name, ())) == count), None)


def divided(history, columns):
    """The distributions among these columns; and the columns that belong to none of them, and those that the user has named."""
    found = declared(history, columns)
    known = {column for each in found for column in (*each.columns, *each.parts.values())}
    buckets = {each.name for each in found}
    return found, [column for column in columns if column not in known or column.name in history.asked and column.name not in buckets] if found else columns


def made(bounds, counts, of_part):
    """The histogram of these counts, None if one is not known or is no count; `of_part(end)` is the value of a part, or None."""
    counts = list(map(count_of, counts))
    if len(counts) != len(bounds) or None in counts:
        return None
    total, minimum, maximum = (of_part(end) for end in ("_sum", "_min", "_max"))
    if None in (minimum, maximum) or minimum > maximum or not any(counts):
        minimum = maximum = None
    return Histogram(bounds, tuple(counts), total, minimum, maximum)


def buckets(process, of):
    """The bounds of a process, which may have fewer buckets than others, and the columns of these."""
    bounds = process.bounds.get(of.name, of.bounds)
    return bounds, of.columns[:len(bounds)]


def reading(process, of):
    """The histogram of a process at its last sample; None if there is none."""
    return of_values(process, of, process.value)


def of_values(process, of, value):
    """The histogram of a process with these values of columns; None if they are not known."""
    bounds, columns = buckets(process, of)
    return made(bounds, [value(column) for column in columns],
                lambda end: value(of.parts[end]) if end in of.parts else None)


def merged(history, of):
    """The histogram over all ranks; None without any."""
    if history.of_nodes:
        return of_nodes(history, of)
    return together([found for process in history.ordered() if (found := reading(process, of))])


def together(histograms):
    """The samples of all of these; None without any, or if no bound but the last one is common to all."""
    found = Histogram.merged(histograms) if histograms else None
    return found if found and len(found.bounds) > 1 else None


def of_nodes(history, of):
    """The histogram over the ranks of all nodes, whose sums are exact."""
    def value(column, name):
        measured = history.latest.get(column)
        return getattr(measured.value, name) if measured else None

    return made(of.bounds, [value(column, "sum") for column in of.columns],
                lambda end: value(of.parts.get(end), {"_min": "minimum", "_max": "maximum"}.get(end, "sum")))


def label(of):
    """`message_latency`, `message_latency (MPI_COMM_WORLD)`."""
    return document.clean(of.name + (f" ({of.object})" if of.object else ""))


def quantile_text(histogram, quantile, unit):
    """A quantile with as many digits as a bucket knows."""
    value = histogram.quantile(quantile)
    return "-" if value is None else quantities.text(float(f"{value:.{DIGITS}g}"), unit)


def cells(of, histogram, text):
    """The texts of a row by TITLES."""
    return {"Distribution": label(of), "Samples": text(histogram.count, ""), "Mean": quantities.text(histogram.mean, of.unit),
            **{title: quantile_text(histogram, share, of.unit) for title, share in QUANTILES},
            "Maximum": quantities.text(histogram.maximum, of.unit)}


def picture(histogram, unit, width):
    """The counts of the buckets from the first to the last one with samples in a line, between the ends of these: `1 µs ▂█▅▁ 16 µs`."""
    there = [number for number, count in enumerate(histogram.counts) if count]
    if not there:
        return ""
    first, last = there[0], there[-1]
    lower, upper = histogram.bounds[first - 1] if first else 0, histogram.bounds[last]
    if not math.isfinite(upper) and histogram.maximum is not None:
        upper = histogram.maximum
    ends = quantities.text(lower, unit), quantities.text(upper, unit) if math.isfinite(upper) else "∞"
    room = max(width - sum(map(len, ends)) - 2, 1)
    joined = -(-(last + 1 - first) // room)
    counts = [sum(histogram.counts[number:min(number + joined, last + 1)]) or None for number in range(first, last + 1, joined)]
    return f"{ends[0]} {figures.blocks(counts, len(counts))} {ends[1]}"


def folded(told, names):
    """A document in which a distribution is one variable, whose value is a text; other variables with these names stay."""
    bounds, kept, parts = of_document(told), [], {}
    for member in told["performance_variables"] if bounds else ():
        if part := part_of(member["name"], member["class"], None, bounds):
            parts[part] = member
        if part is None or member["name"] in names:
            kept.append(member)
    if not bounds:
        return told
    controls = [each for each in told["control_variables"]
                if each["name"] in names or not (each["name"].endswith("_bounds") and each["name"].removesuffix("_bounds") in bounds)]
    return {**told, "control_variables": controls, "performance_variables": [
        {**each, "value": value_text(each, bounds[each["name"]], parts)} if each["name"] in bounds and each["class"] == "counter" else each for each in kept]}


def value_text(member, bounds, parts):
    """`p50 5 µs, p99 41 µs, maximum 90 µs` for a member of a document, `parts` are those of all distributions; its value if it has no counts."""
    def value(end):
        part = parts.get((member["name"], end))
        return figures.number(part["value"]) if part else None

    counts, total = member["value"], parts.get((member["name"], "_sum"), {})
    if not isinstance(counts, list) or len(counts) != len(bounds):
        return counts
    unit, histogram = unit_of(member["name"], total.get("class", "counter"), total.get("type"), member["description"]), made(bounds, counts, value)
    if histogram is None:
        return counts
    if not histogram.count:
        return "no sample"
    told = [f"{title} {quantile_text(histogram, share, unit)}" for title, share in QUANTILES]
    return ", ".join(told + [f"maximum {quantities.text(histogram.maximum, unit)}"] * (histogram.maximum is not None))
