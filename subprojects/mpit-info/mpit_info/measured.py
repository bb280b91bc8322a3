"""What a run measured, for other tools: `measured.points(replay.messages())` yields values with their labels.

Families have the names, types and units of OpenMetrics, which OTLP and the live page of `watch --openmetrics` share.
Units are those that the MPI standard gives: a timer of a double counts seconds, a percentage of a double is a ratio.
"""

import collections
import os
import re

from mpit_info import distributions, element_labels, figures, region_totals, words
from mpit_info.document import clean, one_line
from mpit_info.histogram import schema_of
from mpit_info.launches import Grouping

PREFIX = "mpi_"
# The variables of the environment with the number of a job: Slurm, PBS, Flux, LSF, Grid Engine.
JOBS = ("SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID", "JOB_ID")
COLUMNS = ("time", "rank", "host", "job", "variable", "class", "element", "object", "value", "launch", "bound", "label")

OF_REGIONS = {"region_time": "Time in a region without the regions in it", "region_visits": "How often a region was entered",
              "region_mpi_time": "Time in functions of MPI in a region without the regions in it"}

# The class of the column of a distribution.
DISTRIBUTION, WATERMARKS = "distribution", ("high_watermark", "low_watermark")

Family = collections.namedtuple("Family", "name kind unit")
Point = collections.namedtuple("Point", "moment process column value")
Happening = collections.namedtuple("Happening", "moment process name values")


def job_of(environment=None):
    """The number of the job in which this process runs; empty outside of a job."""
    environment = os.environ if environment is None else environment
    return next((environment[name] for name in JOBS if environment.get(name)), "")


class Process:
    """The labels of a process, and the columns of its samples."""

    def __init__(self, number):
        self.number, self.rank, self.host, self.began, self.columns = number, -1, "", 0.0, []
        self.launch, self.described = 1, {}
        self.bounds, self.names = {}, {}  # of the buckets of distributions, and of elements that have a name
        self.sums = {}  # the class and the type of the sums of distributions
        self.facts = {}  # of the page of a process, as labels
        self.regions = region_totals.Regions()

    def of_regions(self, told):
        """Pairs of a column and a value for each region that has changed: its visits, its time, and that in MPI functions, each
        without the regions in it. The path of the region is the object.
        """
        self.regions.accept(told)
        for each in told:
            if each["number"] not in self.regions.told:
                continue
            path = "/".join(self.regions.path(each["number"])) or region_totals.OUTSIDE
            values = {"region_time": each["seconds"]}
            if each["number"]:
                values["region_visits"] = each["visits"]
            in_mpi = [figures.number(value) or 0 for name, value in each.get("values", {}).items()
                      if name.startswith("MPI_") and name.endswith("_time")]
            if in_mpi:
                values["region_mpi_time"] = sum(in_mpi)
            for name, value in values.items():
                is_count = name == "region_visits"
                yield {"name": name, "class": "counter" if is_count else "timer", "type": "unsigned_long_long" if is_count else "double",
                       "element": None, "object": path}, value

    def description(self, column):
        """What a variable is; empty if nothing tells it."""
        key = column["name"], column.get("class", "generic")
        key = (key[0], "counter") if key[1] == DISTRIBUTION else key
        return OF_REGIONS.get(key[0], "") if column.get("object") and key not in self.described else self.described.get(key, "")

    def title(self, with_launch):
        """`rank 3`, `launch 2, rank 3`."""
        return (f"launch {self.launch}, " if with_launch else "") + (f"rank {self.rank}" if self.rank >= 0 else f"process {self.number}")

    def label(self, column):
        """What an element of an array is; an empty text if nothing tells it."""
        return element_labels.label(self.names, column.get("name", ""), column.get("element"))

    def bound(self, column):
        """The largest value of a bucket of a distribution; an empty text for others."""
        part = distributions.part_of(column["name"], column.get("class"), column.get("element"), self.bounds) if self.bounds else None
        bounds = self.bounds[part[0]] if part and part[1] not in distributions.PARTS else ()
        return bounds[part[1]] if bounds and part[1] < len(bounds) else ""

    def labels(self, column, job, with_launch=False):
        """The labels of a series, without empty ones."""
        found = {"rank": str(self.rank) if self.rank >= 0 else "", "process": "" if self.rank >= 0 else str(self.number),
                 "host": self.host, "job_id": job, "launch": str(self.launch) if with_launch else "", "object": column.get("object") or "",
                 "element": "" if column.get("element") is None else str(column["element"]), "label": self.label(column)}
        return {name: text for name, text in found.items() if text}


def family_of(column):
    """The family of a variable."""
    class_, is_double = column.get("class", "generic"), column.get("type") == "double"
    is_distribution = class_ == DISTRIBUTION
    name = re.sub(r"[^a-zA-Z0-9_]", "_", column["name"])
    name = name if name.startswith(PREFIX) else PREFIX + name
    if class_ in WATERMARKS:
        name += "_" + class_
    unit = "seconds" if class_ == "timer" and is_double else "ratio" if class_ == "percentage" and is_double else ""
    unit = {"s": "seconds"}.get(column["unit"], "") if is_distribution else unit
    growing = class_ in words.GROWING
    if growing and name.endswith("_total"):
        name = name[:-len("_total")]
    if unit and not name.endswith("_" + unit):
        name += "_" + unit
    return Family(name, "histogram" if is_distribution else "counter" if growing else "gauge", unit)


class Reader:
    """Reads the messages of the processes of a run."""

    def __init__(self):
        self.processes, self.grouping, self.described = {}, Grouping(), {}

    def points_of(self, number, message):
        """Yields a Point for each value of a sample, or a Happening for an event that was sent; moments are seconds since
        1970.
        """
        process = self.processes.setdefault(number, Process(number))
        kind = message["message"]
        if kind == "hello":
            process.described = self.described
            process.launch = self.grouping.of_message(number, message) + 1
            process.rank, process.host = message.get("rank", -1), message.get("host", "")
            process.began = message.get("began", 0.0)
            process.facts = {name: str(message.get(name, "")) for name in ("processes", "pid")}
            process.facts["launch_id"] = message.get("launch") or ""
        elif kind == "snapshot":
            program, mpi = message["document"]["program"], message["document"]["mpi"]
            # Arguments may be nobody's business.
            process.facts.update(program=program[0] if program else "", library=one_line((mpi["library"] or "").partition("\n")[0]),
                                 standard=".".join(map(str, mpi["version"] or ())))
            process.bounds = {**process.bounds, **distributions.of_document(message["document"])}
            process.sums = {**process.sums, **distributions.sums_of_document(message["document"])}
            process.names = {**process.names, **element_labels.of_document(message["document"])}
            for member in message["document"]["performance_variables"]:
                self.described[words.of_member(member)] = one_line(member["description"])
        elif kind == "columns":
            process.columns = message["columns"]
        elif kind == "sample":
            for column, value in zip(process.columns, message["values"]):
                value = figures.number(value)
                if value is not None:
                    yield Point(process.began + message["time"], process, column, value)
        elif kind == "regions":
            for column, value in process.of_regions(message["regions"]):
                yield Point(process.began + message["time"], process, column, value)
        elif kind == "event":
            yield Happening(process.began + message["time"], process, message["event"], message.get("values", {}))


def points(messages):
    """All points of pairs of a process's number and its message."""
    reader = Reader()
    for number, message in messages:
        if message is not None:
            yield from reader.points_of(number, message)


def joined(points, with_extremes=True):
    """The points with one in place of those of each distribution, whose value is a Histogram and whose column has those of its parts. The
    extremes are points as well if that is wanted: a histogram of Prometheus has none.
    """
    told, groups = [], {}
    for point in points:
        column, bounds = point.column, point.process.bounds
        part = distributions.part_of(column["name"], column.get("class"), column.get("element"), bounds) if bounds else None
        if part is None:
            told.append(point)
            continue
        key = point.process.number, point.moment, part[0], column.get("object")
        if key not in groups:
            told.append(key)
        groups.setdefault(key, {})[part[1]] = point
    for each in told:
        if isinstance(each, Point):
            yield each
            continue
        made = of_parts(each[2], groups[each])
        parts = groups[each].values()
        yield from parts if made is None else [made, *(point for point in parts if with_extremes and point.column.get("class") in WATERMARKS)]


def of_parts(name, parts):
    """The point of a distribution; None if a bucket is missing, or if there are more than bounds."""
    first = next(iter(parts.values()))
    bounds = first.process.bounds[name]
    if any(number not in distributions.PARTS and number >= len(bounds) for number in parts):
        return None
    histogram = distributions.made(bounds, [parts[number].value if number in parts else None for number in range(len(bounds))],
                                   lambda end: parts[end].value if end in parts else None)
    columns = {part: parts[part].column for part in (0, "_sum", "_count") if part in parts}
    total = columns.get("_sum")
    of_sum = (total["class"], total.get("type")) if total else first.process.sums.get(name, ("counter", None))
    unit = distributions.unit_of(name, *of_sum, first.process.description({"name": name, "class": "counter"}))
    return histogram and Point(first.moment, first.process, {"name": name, "class": DISTRIBUTION, "object": first.column.get("object"),
                                                             "unit": unit, "parts": columns}, histogram)


def in_nanoseconds(family, histograms):
    """The family and its histograms of times in nanoseconds, if only there their bounds are aligned to powers of two; None for others."""
    if family.unit != "seconds" or any(schema_of(each.bounds) for each in histograms):
        return None
    found = [each.times(1e9) for each in histograms]
    if not all(schema_of(each.bounds) for each in found):
        return None
    return family._replace(name=family.name.removesuffix("seconds") + "nanoseconds", unit="nanoseconds"), found


def several_launches(points):
    """Whether the points are of more than one launch."""
    return len({point.process.launch for point in points}) > 1


def row(point, job):
    """A point as the cells of COLUMNS, without what a terminal may interpret."""
    column, process = point.column, point.process
    return (round(point.moment, 6), process.rank, clean(process.host), clean(job), clean(column["name"]), column.get("class", "generic"),
            "" if column.get("element") is None else column["element"], clean(column.get("object") or ""), point.value,
            process.launch, process.bound(column), clean(process.label(column)))
