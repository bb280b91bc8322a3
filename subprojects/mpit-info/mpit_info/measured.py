"""What a run measured, for other tools: `measured.points(replay.messages())` yields values with their labels.

Families have the names, types and units of OpenMetrics, which OTLP and the live page of `watch --openmetrics` share.
Units are those that the MPI standard gives: a timer of a double counts seconds, a percentage of a double is a ratio.
"""

import collections
import os
import re

from mpit_info import figures, region_totals, words
from mpit_info.document import clean, one_line
from mpit_info.launches import Grouping

PREFIX = "mpi_"
# The variables of the environment with the number of a job: Slurm, PBS, Flux, LSF, Grid Engine.
JOBS = ("SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "FLUX_JOB_ID", "LSB_JOBID", "JOB_ID")
COLUMNS = ("time", "rank", "host", "job", "variable", "class", "element", "object", "value", "launch")

OF_REGIONS = {"region_time": "Time in a region without the regions in it", "region_visits": "How often a region was entered",
              "region_mpi_time": "Time in functions of MPI in a region without the regions in it"}

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
        return OF_REGIONS.get(key[0], "") if column.get("object") and key not in self.described else self.described.get(key, "")

    def title(self, with_launch):
        """`rank 3`, `launch 2, rank 3`."""
        return (f"launch {self.launch}, " if with_launch else "") + (f"rank {self.rank}" if self.rank >= 0 else f"process {self.number}")

    def labels(self, column, job, with_launch=False):
        """The labels of a series, without empty ones."""
        found = {"rank": str(self.rank) if self.rank >= 0 else "", "process": "" if self.rank >= 0 else str(self.number),
                 "host": self.host, "job_id": job, "launch": str(self.launch) if with_launch else "", "object": column.get("object") or "",
                 "element": "" if column.get("element") is None else str(column["element"])}
        return {name: text for name, text in found.items() if text}


def family_of(column):
    """The family of a variable."""
    class_, is_double = column.get("class", "generic"), column.get("type") == "double"
    name = re.sub(r"[^a-zA-Z0-9_]", "_", column["name"])
    name = name if name.startswith(PREFIX) else PREFIX + name
    if class_ in ("high_watermark", "low_watermark"):
        name += "_" + class_
    unit = "seconds" if class_ == "timer" and is_double else "ratio" if class_ == "percentage" and is_double else ""
    growing = class_ in words.GROWING
    if growing and name.endswith("_total"):
        name = name[:-len("_total")]
    if unit and not name.endswith("_" + unit):
        name += "_" + unit
    return Family(name, "counter" if growing else "gauge", unit)


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


def several_launches(points):
    """Whether the points are of more than one launch."""
    return len({point.process.launch for point in points}) > 1


def row(point, job):
    """A point as the cells of COLUMNS, without what a terminal may interpret."""
    column, process = point.column, point.process
    return (round(point.moment, 6), process.rank, clean(process.host), clean(job), clean(column["name"]), column.get("class", "generic"),
            "" if column.get("element") is None else column["element"], clean(column.get("object") or ""), point.value,
            process.launch)
