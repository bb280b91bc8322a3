"""Outputs for other tools while a program runs: `with Exits(options) as exits: exits(0, message)`."""

import contextlib
import csv
import errno
import sys

from mpit_info import measured, openmetrics, screen, selection


class Exits:
    """The page or file of --openmetrics and the rows of --csv; each message of the program is given to it."""

    def __init__(self, options):
        self.options, self.reader, self.due, self.job = options, measured.Reader(), {}, measured.job_of()
        self.patterns = options.variable or options.name
        self.live, self.stream, self.rows, self.closing = None, None, None, contextlib.ExitStack()
        self.problem = None  # a sentence about rows that could not be written

    def __enter__(self):
        # With --nodes each node serves the values of its ranks.
        if self.options.openmetrics and not self.options.nodes:
            self.live = openmetrics.Live(self.options.openmetrics)
            self.closing.callback(self.live.close)
        if self.options.csv:
            self.stream = self.closing.enter_context(screen.output(self.options))
            self.rows = csv.writer(self.stream, lineterminator="\n")
            self.write([measured.COLUMNS])
        return self

    def __exit__(self, *raised):
        return self.closing.__exit__(*raised)

    def write(self, rows):
        """Writes rows at once. Where there is no place for them, the program runs on without them; a reader that leaves wants no more."""
        try:
            self.rows.writerows(rows)
            self.stream.flush()
        except OSError as problem:
            self.rows = None
            if problem.errno != errno.EPIPE:
                self.problem = f"the rows of --csv end here: {problem.strerror}"
            if self.stream is sys.stdout:
                screen.give_up()

    def __call__(self, number, message):
        """Takes a message; None, at each tick, only renews what is due."""
        if message is not None and (self.live or self.rows):
            points = [point for point in self.reader.points_of(number, message) if isinstance(point, measured.Point)
                      and selection.matches(point.column["name"], self.patterns)]
            for point in points if self.live else ():
                self.live.take(point)
            # Regions are told behind the sample of the same time.
            due = number, message["message"]
            if self.rows and points and points[0].moment >= self.due.get(due, 0):
                # Samples are a little late, and must not miss a row by that.
                self.due[due] = points[0].moment + (1 if self.options.interval is None else self.options.interval) - 0.5 / self.options.rate
                self.write(measured.row(point, self.job) for point in points)
        if self.live:
            self.live.write(at_once=False)
