"""Values for other tools: exports of a record, a page or a file for Prometheus, and rows of CSV while a program runs."""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import urllib.request

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import openmetrics  # noqa: E402

# Times of samples are whole seconds: the parser of prometheus_client 0.16 compares the fractions of two times alone.
RECORD = [
    {"message": "recording", "format": "mpit-info stream 1", "program": ["./stencil"], "job": "77"},
    *({"process": rank, "message": "hello", "rank": rank, "processes": 2, "host": "node7", "began": 1000000} for rank in (0, 1)),
    *({"process": rank, "message": "columns", "columns": [
        {"name": "messages_sent", "class": "counter", "element": None, "object": "MPI_COMM_WORLD", "type": "unsigned_long"},
        {"name": "time_waiting", "class": "timer", "element": None, "object": None, "type": "double"},
        {"name": "queue", "class": "high_watermark", "element": 1, "object": None, "type": "int"}]} for rank in (0, 1)),
    *({"process": rank, "message": "sample", "time": moment, "values": [10 * moment + rank, 0.5 * moment, None if moment == 1 else 3]}
      for moment in (1, 2) for rank in (0, 1)),
    {"process": 1, "message": "event", "time": 1.25, "event": "unexpected", "values": {"bytes": 64}},
    {"message": "status", "status": 0}]


class Exporting(unittest.TestCase):
    RECORD = RECORD

    def export(self, form, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            record, output = os.path.join(folder, "run.jsonl"), os.path.join(folder, "output")
            pathlib.Path(record).write_text("".join(json.dumps(line) + "\n" for line in self.RECORD), encoding="ascii")
            finished = tool.call("export", record, "--to", form, "--output", output, *arguments)
            self.assertEqual((finished.returncode, finished.stderr), (0, ""))
            return pathlib.Path(output).read_text(encoding="utf-8")

    def parsed(self):
        """The families of metrics by their names, as a parser of Prometheus reads them."""
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            self.skipTest("python3-prometheus-client is missing")
        return {family.name: family for family in parser.text_string_to_metric_families(self.export("openmetrics"))}


class Exports(Exporting):
    def test_openmetrics_are_what_a_parser_of_prometheus_reads(self):
        told = self.parsed()
        self.assertEqual({name: (family.type, family.unit) for name, family in told.items()},
                         {"mpi_messages_sent": ("counter", ""), "mpi_time_waiting_seconds": ("counter", "seconds"),
                          "mpi_queue_high_watermark": ("gauge", "")})
        sent = told["mpi_messages_sent"].samples
        self.assertEqual([(each.labels, each.value, float(each.timestamp)) for each in sent if each.labels["rank"] == "1"], [
            ({"rank": "1", "host": "node7", "job_id": "77", "object": "MPI_COMM_WORLD"}, value, moment)
            for value, moment in ((11, 1000001), (21, 1000002))])

    def test_openmetrics_have_the_descriptions_of_the_library(self):
        document = samples.document(performance_variables=[samples.performance(0, "messages_sent", description='Messages "sent",\nall')])
        told = {"process": 0, "message": "snapshot", "document": document}
        with unittest.mock.patch.object(self, "RECORD", [*RECORD[:3], told, *RECORD[3:]]):
            lines = self.export("openmetrics").splitlines()
        self.assertEqual([line for line in lines if "HELP" in line], ['# HELP mpi_messages_sent Messages \\"sent\\", all'])
        self.assertEqual(lines[:2], ["# TYPE mpi_messages_sent counter", '# HELP mpi_messages_sent Messages \\"sent\\", all'])

    def test_promtool_makes_blocks_of_openmetrics(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is missing")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "metrics"
            file.write_text(self.export("openmetrics"), encoding="utf-8")
            made = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", file, folder], text=True,
                                  capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)

    def test_csv_has_a_row_for_each_value(self):
        rows = list(csv.DictReader(io.StringIO(self.export("csv", "--variable", "queue"))))
        self.assertEqual(rows, [{"time": "1000002", "rank": rank, "host": "node7", "job": "77", "variable": "queue",
                                 "class": "high_watermark", "element": "1", "object": "", "value": "3", "launch": "1", "bound": "", "label": ""} for rank in "01"])

    def test_a_pattern_that_no_variable_matches_is_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as record:
            record.write("".join(json.dumps(line) + "\n" for line in RECORD))
            record.flush()
            finished = subprocess.run(tool.command("export", record.name, "--to", "csv", "--variable", "mesages_sent"), env=tool.environment(),
                                      text=True, timeout=60, capture_output=True, check=False)
        self.assertEqual((finished.returncode, finished.stdout.count("\n")), (0, 1))
        self.assertEqual(finished.stderr, "mpit-info: no performance variable matches mesages_sent; perhaps messages_sent is meant\n")

    def test_pandas_reads_the_csv(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is missing")
        read = pandas.read_csv(io.StringIO(self.export("csv")))
        self.assertEqual(read.groupby("variable").value.max().to_dict(), {"messages_sent": 21, "queue": 3, "time_waiting": 1})

    def test_a_trace_of_perfetto_has_counters_and_events_on_one_time_line(self):
        events = json.loads(self.export("perfetto"))["traceEvents"]
        self.assertEqual({event["args"]["name"] for event in events if event["name"] == "process_name"},
                         {"rank 0 on node7", "rank 1 on node7"})
        self.assertEqual([(event["ts"], event["args"]["value"]) for event in events
                          if event["ph"] == "C" and event["pid"] == 1 and event["name"] == "messages_sent (MPI_COMM_WORLD)"],
                         [(0, 11), (1e6, 21)])
        self.assertEqual([(event["ts"], event["name"], event["args"]) for event in events if event["ph"] == "i"],
                         [(0.25e6, "unexpected", {"bytes": 64})])

    def test_the_table_of_caliper_has_a_row_for_each_moment_of_each_rank(self):
        told = json.loads(self.export("caliper"))
        rows = [dict(zip(told["columns"], row)) for row in told["data"]]
        self.assertEqual([(row["rank"], row["time"], row["time_waiting"]) for row in rows],
                         [(0, 1000001, 0.5), (1, 1000001, 0.5), (0, 1000002, 1.0), (1, 1000002, 1.0)])
        self.assertEqual(told["nodes"][rows[0]["path"]], {"label": "main", "column": "path"})

    def test_a_request_of_otlp_has_sums_and_gauges_of_each_process(self):
        told = json.loads(self.export("otlp"))["resourceMetrics"]
        self.assertEqual(len(told), 2)
        metrics = {metric["name"]: metric for metric in told[1]["scopeMetrics"][0]["metrics"]}
        self.assertEqual([point["asInt"] for point in metrics["mpi_messages_sent"]["sum"]["dataPoints"]], ["11", "21"])
        self.assertEqual(metrics["mpi_time_waiting_seconds"]["unit"], "s")
        self.assertIn("gauge", metrics["mpi_queue_high_watermark"])
        self.assertIn({"key": "job.id", "value": {"stringValue": "77"}}, told[1]["resource"]["attributes"])

    def test_parquet_without_its_package_is_refused_with_the_remedy_and_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "pyarrow.py").write_text("raise ImportError", encoding="ascii")
            record, output = os.path.join(folder, "run.jsonl"), os.path.join(folder, "output")
            pathlib.Path(record).write_text(json.dumps(RECORD[0]) + "\n", encoding="ascii")
            environment = tool.environment()
            environment["PYTHONPATH"] = folder + os.pathsep + environment["PYTHONPATH"]
            finished = subprocess.run(tool.command("export", record, "--to", "parquet", "--output", output), env=environment,
                                      text=True, timeout=60, capture_output=True, check=False)
            self.assertEqual((finished.returncode, os.path.exists(output)), (2, False))
        self.assertIn("pip install pyarrow", finished.stderr)


class Regions(Exporting):
    RECORD = [*RECORD[:-1], {"process": 1, "message": "regions", "time": 2, "regions": [
        {"number": 0, "name": "", "above": None, "visits": 0, "seconds": 0.5, "values": {}},
        {"number": 1, "name": "step", "above": 0, "visits": 2, "seconds": 1.0, "values": {}},
        {"number": 2, "name": "halo", "above": 1, "visits": 4, "seconds": 0.75,
         "values": {"MPI_Recv_time": 0.25, "MPI_Send_time": 0.125, "receive_time": 0.25}}]}, RECORD[-1]]

    def test_regions_are_rows_of_csv_without_the_regions_in_them(self):
        rows = [(row["variable"], row["object"], float(row["value"])) for row in csv.DictReader(io.StringIO(self.export("csv")))
                if row["variable"].startswith("region_")]
        self.assertEqual(rows, [("region_time", "outside of regions", 0.5), ("region_time", "step", 1.0), ("region_visits", "step", 2),
                                ("region_time", "step/halo", 0.75), ("region_visits", "step/halo", 4),
                                ("region_mpi_time", "step/halo", 0.375)])

    def test_openmetrics_of_regions_are_read_by_a_parser_of_prometheus(self):
        told = self.parsed()
        sample, = [each for each in told["mpi_region_time_seconds"].samples if each.labels["object"] == "step/halo"]
        self.assertEqual((sample.name, sample.value), ("mpi_region_time_seconds_total", 0.75))

    def test_a_trace_has_a_counter_for_each_region(self):
        events = json.loads(self.export("perfetto"))["traceEvents"]
        self.assertIn(("region_time (step/halo)", 0.75), [(event["name"], event["args"]["value"]) for event in events if event["ph"] == "C"])


class Live(unittest.TestCase):
    def test_a_port_serves_the_latest_values(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with tempfile.TemporaryDirectory() as folder:
            stop = os.path.join(folder, "stop")
            words = tool.command("watch", "--agents", tool.agents(folder), "--openmetrics", f":{port}", "--", "sh", "-c",
                                 f"{tool.sys.executable} {tool.FAKE} --seconds 1; while ! test -e {stop}; do sleep 0.1; done")
            with subprocess.Popen(words, env=tool.environment(SLURM_JOB_ID="77"), stdout=subprocess.PIPE) as running:
                page, end = "", time.monotonic() + 30
                while "messages_sent_total" not in page and time.monotonic() < end:
                    try:
                        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                            page, kind = answer.read().decode(), answer.headers["Content-Type"]
                    except OSError:
                        time.sleep(0.05)
                pathlib.Path(stop).touch()
                running.communicate(timeout=30)
        self.assertIn('mpi_messages_sent_total{rank="0",host="here",job_id="77",launch="1"}', page)
        self.assertTrue(page.endswith("# EOF\n"))
        self.assertTrue(kind.startswith("application/openmetrics-text"))

    def test_a_file_has_the_last_values(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mpi.prom")
            finished = tool.run("watch", "--openmetrics", path, program=["--processes", 2, "--seconds", 1])
            self.assertEqual(finished.returncode, 0, finished.stderr)
            self.assertEqual(os.listdir(folder), ["mpi.prom"])
            text = pathlib.Path(path).read_text(encoding="utf-8")
        self.assertRegex(text, r'mpi_ring_fill_ratio\{rank="1",host="here",launch="1",element="0"\} \d')

    def test_a_pipe_gets_rows_of_csv_and_the_output_of_the_program_another_stream(self):
        finished = tool.run("watch", "--csv", "--interval", "0.5", "--variable", "messages_sent",
                            program=["--seconds", 1, "--prints", "hello"])
        rows = list(csv.DictReader(io.StringIO(finished.stdout)))
        self.assertEqual({row["variable"] for row in rows}, {"messages_sent"})
        times = [float(row["time"]) for row in rows]
        self.assertTrue(all(later - time >= 0.4 for time, later in zip(times, times[1:])), times)
        self.assertIn("hello", finished.stderr)

    def test_rows_without_a_place_leave_the_program_as_it_is_and_are_missed(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            pathlib.Path(record).write_text("".join(json.dumps(line) + "\n" for line in RECORD), encoding="ascii")
            shell = f"{tool.sys.executable} {tool.FAKE} --seconds 1; exit 3"
            words = {("--agents", tool.agents(folder), "--", "sh", "-c", shell): (3, "watched *\n"), ("--replay", record): (2, "")}
            for way, (status, printed) in words.items():
                with open("/dev/full", "wb") as full:
                    finished = tool.call("watch", "--csv", *way, stdout=full)
                self.assertEqual((finished.returncode, finished.stderr),
                                 (status, printed + "mpit-info: the rows of --csv end here: No space left on device\n"))

    def test_an_address_that_cannot_be_served_is_refused_before_the_program_runs(self):
        finished = tool.run("watch", "--openmetrics", "192.0.2.1:9400", program=["--seconds", 1])
        self.assertEqual(finished.returncode, 2)
        self.assertRegex(finished.stderr, "^mpit-info: cannot serve 192.0.2.1:9400: ")


class Hostile(unittest.TestCase):
    """Scrapers, links and names that do harm."""

    def page(self, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            return answer.read().decode()

    def test_scrapers_that_reset_their_connections_leave_no_word_in_the_output_of_the_job(self):
        serving = ("import sys; from mpit_info import openmetrics; live = openmetrics.Live('127.0.0.1:0'); "
                   "print(live.server.server_address[1], flush=True); sys.stdin.read(); live.close()")
        with subprocess.Popen([sys.executable, "-c", serving], env=tool.environment(), text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            port = int(running.stdout.readline())
            for request in 10 * [b"GET / HTTP/1.1\r\n\r\n", b"GET / HT"]:
                with socket.create_connection(("127.0.0.1", port)) as scraper:
                    scraper.sendall(request)
                    scraper.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Each has its turn before this one.
            self.assertTrue(self.page(port).endswith("# EOF\n"))
            self.assertEqual(running.communicate(timeout=30)[1], "")

    def test_connections_are_few_and_end_after_their_time(self):
        with unittest.mock.patch.multiple(openmetrics, MOST_CONNECTIONS=3, MOST_SECONDS=3600):
            live = openmetrics.Live("127.0.0.1:0")
            try:
                port = live.server.server_address[1]
                with contextlib.ExitStack() as closing:
                    silent = [closing.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30)) for _ in range(4)]
                    # The last one is closed at once, the others are when their time is over.
                    self.assertEqual(silent[3].recv(1), b"")
                    for connection in live.server.ends:
                        live.server.ends[connection] = 0
                    self.assertEqual([each.recv(1) for each in silent[:3]], 3 * [b""])
                    end = time.monotonic() + 30
                    while live.server.ends and time.monotonic() < end:
                        time.sleep(0.01)
                    self.assertTrue(self.page(port).endswith("# EOF\n"))
            finally:
                live.close()

    def test_a_link_beside_the_file_is_not_followed(self):
        with tempfile.TemporaryDirectory() as folder:
            path, victim = os.path.join(folder, "mpi.prom"), os.path.join(folder, "victim")
            pathlib.Path(victim).write_text("mine", encoding="ascii")
            os.symlink(victim, f"{path}.{os.getpid()}")
            openmetrics.Live(path).close()
            self.assertEqual(pathlib.Path(victim).read_text(encoding="ascii"), "mine")
            self.assertTrue(pathlib.Path(path).read_text(encoding="ascii").endswith("# EOF\n"))

    def test_no_output_has_what_a_terminal_interprets(self):
        hostile = "\x1b]0;owned\x07\x9b31m\r\u202e"
        told = [{"message": "recording", "format": "mpit-info stream 1", "program": ["./stencil"], "job": hostile},
                {"process": 0, "message": "hello", "rank": 0, "processes": 1, "host": hostile, "began": 1000000},
                {"process": 0, "message": "columns", "columns": [
                    {"name": "sent" + hostile, "class": "counter", "element": None, "object": hostile, "type": "int"}]},
                {"process": 0, "message": "sample", "time": 1, "values": [7]}]
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            pathlib.Path(record).write_text("".join(json.dumps(line) + "\n" for line in told), encoding="ascii")
            for words in (("export", record, "--to", "csv"), ("export", record, "--to", "openmetrics"),
                          ("watch", "--csv", "--replay", record)):
                with self.subTest(words):
                    finished = tool.call(*words, text=False)
                    text = finished.stdout.decode()
                    self.assertEqual([letter for letter in text if not letter.isprintable() and letter != "\n"], [])
                    self.assertIn("owned", text)


class Board(unittest.TestCase):
    def test_every_query_of_the_board_has_a_variable_of_the_board(self):
        board = json.loads((tool.FRONT / "mpit_info" / "boards" / "grafana.json").read_text(encoding="utf-8"))
        known = {each["name"] for each in board["templating"]["list"]}
        queries = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
        used = {name for query in queries for name in re.findall(r"\$(\w+)", query)} - {"__rate_interval"}
        self.assertEqual(used - known, set())
        self.assertGreater(len(queries), 3)
