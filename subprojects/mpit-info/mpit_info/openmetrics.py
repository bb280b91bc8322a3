"""Values as text of OpenMetrics, which Prometheus reads: `openmetrics.text(points, job, with_times=True)`."""

import contextlib
import os
import secrets
import socket
import threading
import time

from mpit_info import measured
from mpit_info.document import clean
from mpit_info.refusal import Refusal

TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
SECONDS = 1.0
# Connections at a time, and the seconds of each: a scraper that is slow, or was stopped, takes no more of the job's machine.
MOST_CONNECTIONS, MOST_SECONDS = 16, 10.0


def escaped(text):
    """The text of a label, without what a terminal may interpret."""
    return clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def text(points, job, with_times):
    """All families with their series; the moments of each series grow."""
    families, points = {}, list(points)
    with_launch = measured.several_launches(points)
    for point in points:
        family = measured.family_of(point.column)
        if families.get(family.name, [family])[0].kind != family.kind:
            # A level with the name of a counter.
            family = family._replace(name=f"{family.name}_{point.column.get('class', 'generic')}")
        labels = ",".join(f'{name}="{escaped(value)}"' for name, value in point.process.labels(point.column, job, with_launch).items())
        families.setdefault(family.name, (family, {}))[1].setdefault(labels, []).append(point)
    lines = []
    for family, series in families.values():
        lines.append(f"# TYPE {family.name} {family.kind}")
        if family.unit:
            lines.append(f"# UNIT {family.name} {family.unit}")
        first = next(iter(series.values()))[0]
        if description := first.process.description(first.column):
            lines.append(f"# HELP {family.name} {escaped(description)}")
        suffix = "_total" if family.kind == "counter" else ""
        for labels, all_of_it in series.items():
            name = f"{family.name}{suffix}{{{labels}}}" if labels else family.name + suffix
            last = -1.0
            for point in all_of_it:
                # Two samples of one millisecond are one for Prometheus.
                moment = round(point.moment, 3)
                if with_times and moment <= last:
                    continue
                last = moment
                lines.append(f"{name} {point.value}" + (f" {moment:.3f}" if with_times else ""))
    return "\n".join([*lines, "# EOF"]) + "\n"


class Live:
    """The latest values, in a file that is replaced every second, or on a page of an address: `Live(":9400")`."""

    def __init__(self, place):
        self.job, self.latest, self.written, self.server = measured.job_of(), {}, 0.0, None
        self.page, self.path = text([], self.job, False).encode(), None
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
                """Sends the page."""
                self.send_response(200)
                self.send_header("Content-Type", TYPE)
                self.send_header("Content-Length", str(len(live.page)))
                self.end_headers()
                self.wfile.write(live.page)

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
        column = point.column
        self.latest[point.process.number, column["name"], column.get("class"), column.get("element"), column.get("object")] = point

    def write(self, at_once=True):
        """Renews the page or the file, at most once a second unless `at_once`."""
        now = time.monotonic()
        if not at_once and now - self.written < SECONDS:
            return
        self.written = now
        self.page = text(self.latest.values(), self.job, False).encode()
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
