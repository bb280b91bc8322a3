"""Values as text of OpenMetrics, which Prometheus reads: `openmetrics.text(points, job, with_times=True)`.

The page of a node has more families, by which prometheus.py makes samples of its values again: of the node, of each process, and of each
variable.
"""

import collections
import contextlib
import itertools
import math
import operator
import os
import secrets
import socket
import threading
import time

from mpit_info import VERSION, measured, native_histograms
from mpit_info.document import clean
from mpit_info.refusal import Refusal

TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
SECONDS = 1.0
# Connections at a time, and the seconds of each: a scraper that is slow, or was stopped, takes no more of the job's machine.
MOST_CONNECTIONS, MOST_SECONDS = 16, 10.0
# The ends of the names of series by the kind of their family, and those of a distribution by the part that they are.
ENDS, PARTS = {"counter": "_total", "info": "_info"}, {0: "_bucket"}
# `series` has pairs of labels and a list of pairs of a moment and a value, which is a number or a Histogram.
Metric = collections.namedtuple("Metric", "name kind unit description series")
# How long the values of a process stay on the page behind its last sample, so that these are scraped: in seconds, and in samples.
KEPT, SAMPLES_KEPT = 60.0, 3


def escaped(text):
    """The text of a label, without what a terminal may interpret."""
    return clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def labels_of(found):
    """Labels as text, without empty ones, which are none."""
    return ",".join(f'{name}="{escaped(value)}"' for name, value in found.items() if value)


def metrics(points, job, node=None):
    """All metrics with their series. With the name of a node they are those of its page."""
    families, points = {}, list(measured.joined(points))
    # On a page a series keeps its labels.
    with_launch = node is not None or measured.several_launches(points)
    for point in points:
        family = measured.family_of(point.column)
        if families.get(family.name, [family])[0].kind != family.kind:
            # A level with the name of a counter.
            family = family._replace(name=f"{family.name}_{point.column.get('class', 'generic')}")
        labels = point.process.labels(point.column, job, with_launch)
        families.setdefault(family.name, (family, {}))[1].setdefault(labels_of(labels), (labels, []))[1].append(point)
    found = [] if node is None else of_node(node, job, families)
    for family, series in families.values():
        series = list(series.values())
        first = series[0][1][0]
        found.append(Metric(*family, first.process.description(first.column), [
            (labels, [(point.moment, point.value) for point in all_of_it]) for labels, all_of_it in series]))
    return found


def text(told, with_times=False):
    """The metrics as text; the moments of each series grow."""
    lines = []
    for metric in told:
        lines += [f"# TYPE {metric.name} {metric.kind}"]
        lines += [f"# UNIT {metric.name} {metric.unit}"] * bool(metric.unit) + [f"# HELP {metric.name} {escaped(metric.description)}"] * bool(metric.description)
        for labels, values in metric.series:
            last = -1.0
            for moment, value in values:
                # Two samples of one millisecond are one for Prometheus.
                moment = round(moment, 3)
                if with_times and moment <= last:
                    continue
                last = moment
                for end, more, number in lines_of(metric, value):
                    inside = labels_of({**labels, **more})
                    lines.append(f"{metric.name}{end}" + (f"{{{inside}}}" if inside else "") + f" {number}" + (f" {moment:.3f}" if with_times else ""))
    return "\n".join([*lines, "# EOF"]) + "\n"


def lines_of(metric, value):
    """The end of the name, the further labels and the number of each line of a value."""
    if metric.kind != "histogram":
        return [(ENDS.get(metric.kind, ""), {}, value)]
    found = [("_bucket", {"le": "+Inf" if bound == math.inf else str(bound)}, count)
             for bound, count in zip(value.bounds, itertools.accumulate(value.counts))]
    # One is not told without the other.
    return found if value.sum is None else [*found, ("_sum", {}, value.sum), ("_count", {}, value.count)]


def of_node(node, job, families):
    """The metrics about the node, its processes, and their variables."""
    latest, variables, of_page = {}, [], {"host": node, "job_id": job}
    for family, series in families.values():
        for _, points in series.values():
            point = points[-1]
            known = latest.get(point.process.number, point)
            latest[point.process.number] = max(known, point, key=operator.attrgetter("moment"))
        column = next(iter(series.values()))[1][0].column
        parts = {PARTS.get(part, part): of for part, of in column.get("parts", {}).items()} or {ENDS.get(family.kind, ""): column}
        variables += [{**of_page, "metric": family.name + end, **{name: of.get(name, "") for name in ("name", "class", "type")}}
                      for end, of in parts.items()]
    processes = [(point.process.labels({}, job, True), point) for point in latest.values()]

    def of_processes(value):
        return [(labels, [(0, value(point))]) for labels, point in processes]

    return [
        Metric("mpit_node", "info", "", "The node whose processes are read", [({**of_page, "version": VERSION}, [(0, 1)])]),
        Metric("mpit_variable", "info", "", "The variable that a metric is", [(labels, [(0, 1)]) for labels in variables]),
        Metric("mpit_process", "info", "", "The processes that are read", [({**labels, **point.process.facts}, [(0, 1)]) for labels, point in processes]),
        Metric("mpit_process_start_time_seconds", "gauge", "seconds", "When the times of the process begin, since 1970",
               of_processes(lambda point: point.process.began)),
        Metric("mpit_sample_timestamp_seconds", "gauge", "seconds", "When the values of the process were read, since 1970",
               of_processes(lambda point: point.moment))]


class Live:
    """The latest values, in a file that is replaced every second, or on a page of an address: `Live(":9400")`."""

    def __init__(self, place):
        self.job, self.latest, self.written, self.server = measured.job_of(), {}, 0.0, None
        self.sampled = {}  # of each process the moment of its last sample, when that came, and the seconds since the one before
        self.node, self.path, self.metrics = socket.gethostname(), None, []
        self.page = self.made()
        host, colon, port = place.rpartition(":")
        if not (colon and port.isdigit()):
            self.path = place
            self.write()
            return
        live = self

        import http.server  # takes 10 ms, and few runs have an address

        class Answer(http.server.BaseHTTPRequestHandler):
            """Answers every request with the page."""

            def do_GET(self):  # the name that the library calls
                """Sends the page, as it is now: another one may take its place meanwhile."""
                page, kind, metrics_ = live.page, TYPE, live.metrics
                if native_histograms.is_wanted(self.headers.get("Accept", "")) and native_histograms.has_any(metrics_):
                    page, kind = native_histograms.page(metrics_), native_histograms.TYPE
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                """Keeps the terminal for the program."""

        class Server(http.server.ThreadingHTTPServer):
            """Has few connections at a time, ends each after its time, and says nothing of their ends."""

            ends = {}  # of the connections, as times

            def process_request(self, request, client_address):
                """Answers in a thread, if there are not too many."""
                if len(self.ends) >= MOST_CONNECTIONS:
                    self.shutdown_request(request)
                    return
                self.ends[request] = time.monotonic() + MOST_SECONDS
                super().process_request(request, client_address)

            def shutdown_request(self, request):
                """Closes a connection, however it has ended."""
                self.ends.pop(request, None)
                super().shutdown_request(request)

            def service_actions(self):
                """Twice a second: wakes the threads whose time is over."""
                for request in [each for each, end in self.ends.copy().items() if time.monotonic() > end]:
                    with contextlib.suppress(OSError):
                        request.shutdown(socket.SHUT_RDWR)

            def handle_error(self, *_):
                """A scraper may go away at any moment, which is nothing to the job."""

        try:
            self.server = Server((host.strip("[]") or "127.0.0.1", int(port)), Answer)
        except (OSError, OverflowError) as problem:
            raise Refusal(f"cannot serve {place}: {getattr(problem, 'strerror', None) or problem}") from None
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, point):
        """Takes a value."""
        column, number, now = point.column, point.process.number, time.monotonic()
        self.latest[number, column["name"], column.get("class"), column.get("element"), column.get("object")] = point
        moment, before, _ = self.sampled.get(number, (None, now, 0.0))
        if point.moment != moment:
            self.sampled[number] = point.moment, now, now - before

    def made(self):
        """The page, from which processes that have sent nothing for long are removed."""
        now = time.monotonic()
        gone = {number for number, (_, heard, gap) in self.sampled.items() if now - heard > max(KEPT, SAMPLES_KEPT * gap)}
        if gone:
            self.sampled = {number: known for number, known in self.sampled.items() if number not in gone}
            self.latest = {key: point for key, point in self.latest.items() if key[0] not in gone}
        self.metrics = metrics(self.latest.values(), self.job, self.node)
        return text(self.metrics).encode()

    def write(self, at_once=True):
        """Renews the page or the file, at most once a second unless `at_once`."""
        now = time.monotonic()
        if not at_once and now - self.written < SECONDS:
            return
        self.written = now
        self.page = self.made()
        if not self.path:
            return
        # A new file, also where others may write and have put a link in its place.
        beside = f"{self.path}.{secrets.token_hex(8)}"
        try:
            with open(beside, "xb") as file:
                file.write(self.page)
            os.replace(beside, self.path)
        except OSError as problem:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise Refusal(f"cannot write {self.path}: {problem.strerror}") from None

    def close(self):
        """Writes the last values, and ends the server."""
        self.write()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
