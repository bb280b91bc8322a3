"""Values as text of OpenMetrics, which Prometheus reads: `openmetrics.text(points, job, with_times=True)`.

The page of a node has more families, by which prometheus.py makes samples of its values again: of the node, of each process, and of each
variable.
"""

import contextlib
import operator
import os
import secrets
import socket
import threading
import time

from mpit_info import VERSION, measured
from mpit_info.document import clean
from mpit_info.refusal import Refusal

TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
SECONDS = 1.0
# Connections at a time, and the seconds of each: a scraper that is slow, or was stopped, takes no more of the job's machine.
MOST_CONNECTIONS, MOST_SECONDS = 16, 10.0
# How long the values of a process stay on the page behind its last sample, so that these are scraped: in seconds, and in samples.
KEPT, SAMPLES_KEPT = 60.0, 3


def escaped(text):
    """The text of a label, without what a terminal may interpret."""
    return clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def labels_of(found):
    """Labels as text, without empty ones, which are none."""
    return ",".join(f'{name}="{escaped(value)}"' for name, value in found.items() if value)


def head(name, kind, unit, description):
    """The lines in front of a family."""
    lines = [f"# TYPE {name} {kind}", unit and f"# UNIT {name} {unit}", description and f"# HELP {name} {escaped(description)}"]
    return list(filter(None, lines))


def text(points, job, with_times, node=None):
    """All families with their series; the moments of each series grow. With the name of a node this is its page."""
    families, points = {}, list(points)
    # On a page a series keeps its labels.
    with_launch = node is not None or measured.several_launches(points)
    for point in points:
        family = measured.family_of(point.column)
        if families.get(family.name, [family])[0].kind != family.kind:
            # A level with the name of a counter.
            family = family._replace(name=f"{family.name}_{point.column.get('class', 'generic')}")
        labels = labels_of(point.process.labels(point.column, job, with_launch))
        families.setdefault(family.name, (family, {}))[1].setdefault(labels, []).append(point)
    lines = [] if node is None else of_node(node, job, families)
    for family, series in families.values():
        first = next(iter(series.values()))[0]
        lines += head(*family, first.process.description(first.column))
        for labels, all_of_it in series.items():
            name = f"{series_of(family)}{{{labels}}}" if labels else series_of(family)
            last = -1.0
            for point in all_of_it:
                # Two samples of one millisecond are one for Prometheus.
                moment = round(point.moment, 3)
                if with_times and moment <= last:
                    continue
                last = moment
                lines.append(f"{name} {point.value}" + (f" {moment:.3f}" if with_times else ""))
    return "\n".join([*lines, "# EOF"]) + "\n"


def series_of(family):
    """The name of the series of a family."""
    return family.name + ("_total" if family.kind == "counter" else "")


def described(column):
    """The labels for what a variable is."""
    return {name: column.get(name, "") for name in ("name", "class", "type")}


def of_node(node, job, families):
    """The lines about the node, its processes, and their variables."""
    latest = {}
    for _, series in families.values():
        for point in map(operator.itemgetter(-1), series.values()):
            known = latest.get(point.process.number, point)
            latest[point.process.number] = max(known, point, key=operator.attrgetter("moment"))
    variables = [(family, next(iter(series.values()))[0].column) for family, series in families.values()]
    processes = [(point.process.labels({}, job, True), point) for point in latest.values()]
    of_page = {"host": node, "job_id": job}
    return [
        *head("mpit_node", "info", "", "The node whose processes are read"),
        f"mpit_node_info{{{labels_of({**of_page, 'version': VERSION})}}} 1",
        *head("mpit_variable", "info", "", "The variable that a metric is"),
        *(f"mpit_variable_info{{{labels_of({**of_page, 'metric': series_of(family), **described(column)})}}} 1"
          for family, column in variables),
        *head("mpit_process", "info", "", "The processes that are read"),
        *(f"mpit_process_info{{{labels_of({**labels, **point.process.facts})}}} 1" for labels, point in processes),
        *head("mpit_process_start_time_seconds", "gauge", "seconds", "When the times of the process begin, since 1970"),
        *(f"mpit_process_start_time_seconds{{{labels_of(labels)}}} {point.process.began}" for labels, point in processes),
        *head("mpit_sample_timestamp_seconds", "gauge", "seconds", "When the values of the process were read, since 1970"),
        *(f"mpit_sample_timestamp_seconds{{{labels_of(labels)}}} {point.moment}" for labels, point in processes)]


class Live:
    """The latest values, in a file that is replaced every second, or on a page of an address: `Live(":9400")`."""

    def __init__(self, place):
        self.job, self.latest, self.written, self.server = measured.job_of(), {}, 0.0, None
        self.sampled = {}  # of each process the moment of its last sample, when that came, and the seconds since the one before
        self.node, self.path = socket.gethostname(), None
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
                page = live.page
                self.send_response(200)
                self.send_header("Content-Type", TYPE)
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
        return text(self.latest.values(), self.job, False, self.node).encode()

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
