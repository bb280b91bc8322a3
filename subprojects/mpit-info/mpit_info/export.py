"""The command export: a record as input of another tool: `mpit-info export run.jsonl --to perfetto --output run.json`."""

import collections
import contextlib
import csv
import json
import sys

from mpit_info import measured, openmetrics, recording, selection
from mpit_info.document import clean
from mpit_info.histogram import Histogram, schema_of
from mpit_info.refusal import Refusal


def to_openmetrics(points, job, stream):
    """All samples with their times, as `promtool tsdb create-blocks-from openmetrics` reads them."""
    stream.write(openmetrics.text(openmetrics.metrics(values_of(points), job), with_times=True))


def to_csv(points, job, stream):
    """One row for each value, under a row of titles."""
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(measured.COLUMNS)
    rows.writerows(measured.row(point, job) for point in values_of(points))


def to_perfetto(points, job, stream):
    """A trace in the JSON format of Chrome, which ui.perfetto.dev and its trace processor read: each variable is a counter
    of its process, and each event that was sent an instant on the same time line.
    """
    events, first, known, points = [], None, set(), list(points)
    with_launch = measured.several_launches(points)
    for point in points:
        first = point.moment if first is None else min(first, point.moment)
        process = point.process
        if process.number not in known:
            known.add(process.number)
            title = process.title(with_launch)
            events.append({"ph": "M", "name": "process_name", "pid": process.number,
                           "args": {"name": f"{title} on {process.host}" if process.host else title}})
            events.append({"ph": "M", "name": "process_sort_index", "pid": process.number, "args": {"sort_index": process.rank}})
        if isinstance(point, measured.Happening):
            events.append({"ph": "i", "s": "p", "name": point.name, "pid": process.number, "tid": 0, "ts": point.moment,
                           "args": point.values})
        else:
            events.append({"ph": "C", "name": label(point), "pid": process.number, "ts": point.moment,
                           "args": {"value": point.value}})
    for event in events:
        if "ts" in event:
            event["ts"] = round((event["ts"] - first) * 1e6, 3)
    json.dump({"traceEvents": events, "displayTimeUnit": "ms",
               "otherData": {"producer": "mpit-info", "began": first, **({"job": job} if job else {})}}, stream)
    stream.write("\n")


def to_caliper(points, job, stream):
    """The format json-split of Caliper, which Hatchet and Thicket read: a row for each moment of each rank."""
    names, rows = {}, collections.defaultdict(dict)
    for point in values_of(points):
        place = names.setdefault(label(point), len(names))
        rows[point.process.number, point.moment, point.process.launch, point.process.rank, point.process.host][place] = point.value
    data = [[0, *facts, *(row.get(place) for place in range(len(names)))] for (_, *facts), row in rows.items()]
    columns = ["path", "time", "launch", "rank", "host", *names]
    json.dump({"data": data, "columns": columns,
               "column_metadata": [{"is_value": name != "path"} for name in columns],
               "nodes": [{"label": "main", "column": "path"}], **({"job": job} if job else {})}, stream)
    stream.write("\n")


def to_otlp(points, job, stream):
    """One request of OTLP in its JSON encoding, which collectors accept at /v1/metrics and in files."""
    resources, points = {}, list(measured.joined(values_of(points), with_extremes=False))
    with_launch = measured.several_launches(points)
    for point in points:
        family = measured.family_of(point.column)
        of_process = resources.setdefault(point.process.number, (point.process, {}))[1]
        of_process.setdefault(family.name, (family, []))[1].append(point)
    json.dump({"resourceMetrics": [
        {"resource": {"attributes": attributes({"service.name": "mpi", "host.name": process.host,
                                                "mpi.rank": str(process.rank), "job.id": job,
                                                "mpi.launch": str(process.launch) if with_launch else ""})},
         "scopeMetrics": [{"scope": {"name": "mpit-info"}, "metrics": [
             otlp_metric(family, all_of_it, process) for family, all_of_it in families.values()]}]}
        for process, families in resources.values()]}, stream)
    stream.write("\n")


def otlp_metric(family, points, process):
    """One metric of OTLP; numbers of nanoseconds and integers are texts in its JSON encoding."""
    start = str(int(process.began * 1e9))
    data = [{"timeUnixNano": str(int(point.moment * 1e9)), **({"startTimeUnixNano": start} if family.kind != "gauge" else {}),
             **otlp_value(point.value), "attributes": attributes({name: text for name, text in process.labels(point.column, "").items()
                                       if name in ("object", "element", "label")})} for point in points]
    unit = {"seconds": "s", "nanoseconds": "ns", "ratio": "1"}.get(family.unit, "")
    if family.kind == "histogram":
        if found := measured.in_nanoseconds(family, [point.value for point in points]):
            return otlp_metric(found[0], [point._replace(value=value) for point, value in zip(points, found[1])], process)
        kind = "exponentialHistogram" if schema_of(points[0].value.bounds) else "histogram"
        return {"name": family.name, "unit": unit, kind: {"dataPoints": data, "aggregationTemporality": 2}}
    inner = {"sum": {"dataPoints": data, "aggregationTemporality": 2, "isMonotonic": True}} if family.kind == "counter" \
        else {"gauge": {"dataPoints": data}}
    return {"name": family.name, "unit": unit, **inner}


def otlp_value(value):
    """The members of a data point for its value. Samples above the highest bound of an exponential histogram are in the bucket behind it."""
    if not isinstance(value, Histogram):
        return {"asInt": str(value)} if isinstance(value, int) else {"asDouble": value}
    known = {"count": str(value.count), **{name: number for name, number in (
        ("sum", value.sum), ("min", value.minimum), ("max", value.maximum)) if number is not None}}
    schema, counts = schema_of(value.bounds), list(map(str, value.counts))
    if schema is None:
        return {**known, "explicitBounds": list(value.bounds[:-1]), "bucketCounts": counts}
    # An index ends where the next one begins, and is one less than that of Prometheus.
    return {**known, "scale": schema.scale, "zeroThreshold": value.bounds[0], "zeroCount": counts[0],
            "positive": {"offset": schema.offset, "bucketCounts": counts[1:]}}


def attributes(labels):
    """The attributes of OTLP."""
    return [{"key": name, "value": {"stringValue": text}} for name, text in labels.items() if text]


def to_parquet(points, job, stream):
    """A table of the same columns as CSV."""
    import pyarrow
    import pyarrow.parquet
    columns = list(zip(*(measured.row(point, job) for point in values_of(points)))) or [()] * len(measured.COLUMNS)
    made = {name: [str(cell) for cell in column] if name == "element" else [float(cell) for cell in column]
            if name == "value" else [None if cell == "" else cell for cell in column] if name == "bound" else list(column) for name, column in zip(measured.COLUMNS, columns)}
    pyarrow.parquet.write_table(pyarrow.table(made), stream.buffer)


WRITERS = {"openmetrics": to_openmetrics, "csv": to_csv, "perfetto": to_perfetto, "caliper": to_caliper, "otlp": to_otlp,
           "parquet": to_parquet}


def label(point):
    """`ring_fill[2]`, `unexpected[peer 2]`, `bytes (MPI_COMM_WORLD)`, with the class of a watermark."""
    column = point.column
    element = "" if column.get("element") is None else f"[{point.process.label(column) or column['element']}]"
    bound = f" ({column['object']})" if column.get("object") else ""
    class_ = f", {column['class'].replace('_', ' ')}" if column.get("class") in ("high_watermark", "low_watermark") else ""
    return clean(f"{column['name']}{element}{bound}{class_}")


def values_of(points):
    """The values without the events."""
    return (point for point in points if isinstance(point, measured.Point))


def chosen(points, patterns, names):
    """The values of matching variables, and all events; adds the names of all variables."""
    for point in points:
        if isinstance(point, measured.Point):
            names.add(point.column["name"])
        if isinstance(point, measured.Happening) or selection.matches(point.column["name"], patterns):
            yield point


def check(options):
    """Refuses before anything is written."""
    if options.to == "parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise Refusal("parquet needs the Python package pyarrow (pip install pyarrow); --to csv needs none") from None
        if not options.output and sys.stdout.isatty():
            raise Refusal("parquet is not a text; name a file with --output")


def run(options):
    """Writes the record; returns the exit status."""
    check(options)
    replay = recording.Replay(options.record, 0)
    with contextlib.ExitStack() as closing:
        stream = sys.stdout
        if options.output:
            try:
                stream = closing.enter_context(open(options.output, "w", encoding="utf-8", newline=""))
            except OSError as problem:
                raise Refusal(f"cannot write {options.output}: {problem.strerror}") from None
        names = set()
        WRITERS[options.to](chosen(measured.points(replay.messages()), options.variable, names), replay.job, stream)
    for problem in [*replay.problems(), *selection.unmatched(options.variable, sorted(names))]:
        print(f"mpit-info: {clean(problem)}", file=sys.stderr)
    return 0
