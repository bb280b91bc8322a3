"""The view of a job whose nodes a Prometheus server scrapes, over a server that pretends: it has scraped pages of openmetrics.Live."""

import contextlib
import http.server
import json
import os
import re
import sys
import tempfile
import threading
import unittest
import unittest.mock
import urllib.parse

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
import mpit_info  # noqa: E402
from mpit_info import measured, openmetrics, prometheus  # noqa: E402

try:
    import screens
except ImportError:
    screens = None

BEGAN = 1_800_000_000.25
COLUMNS = [{"name": name, "class": class_, "type": type_, "element": element, "object": bound} for name, class_, type_, element, bound in (
    ("MPI_Waitall_bytes", "aggregate", "unsigned_long_long", None, None),
    ("MPI_Waitall_calls", "counter", "unsigned_long_long", None, None),
    ("MPI_Waitall_time", "timer", "double", None, None), ("mpi_time", "timer", "double", None, None),
    ("queue-length", "level", "int", 2, "MPI_COMM_WORLD"), ("queue-length", "level", "int", 10, "MPI_COMM_WORLD"))]


def is_outside(share):
    """The values of a rank that is outside of MPI for this share of the time."""
    def values(moment):
        in_mpi = (1 - share) * moment
        return [int(moment) << 20, int(100 * moment), in_mpi / 2, in_mpi, int(moment) % 3, None if moment < 5 else 7]
    return values


LATE, WAITS = is_outside(0.9), is_outside(0.3)


class Node:
    """A node with its page; `values` are functions of the time by rank."""

    def __init__(self, folder, name, values, processes=4, job="77", began=BEGAN):  # pylint: disable=too-many-arguments
        with unittest.mock.patch.dict(os.environ, {"SLURM_JOB_ID": job}):
            self.live = openmetrics.Live(os.path.join(folder, name))
        self.live.node, self.name, self.reader, self.values, self.sent = name, f"{name}:9464", measured.Reader(), values, []
        for rank in values:
            self.send(rank, message="hello", rank=rank, processes=processes, host=name, pid=100 + rank, launch="PMIX_NAMESPACE=1",
                      began=began)
            self.send(rank, message="snapshot", document=samples.document(rank, processes))
            self.send(rank, message="columns", columns=COLUMNS)

    def send(self, number, **message):
        for point in self.reader.points_of(number, message):
            self.live.take(point)

    def page(self, moment):
        """The page with the samples of this moment."""
        for rank, values in self.values.items():
            self.sent.append((rank, moment, values(moment)))
            self.send(rank, message="sample", time=moment, values=values(moment))
        return self.live.made().decode()


class Server(http.server.ThreadingHTTPServer):
    """Answers queries for a range: the value of each series in each scrape of it. The last scrape is now."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.scrapes, self.queries, self.error = [], [], None
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def scrape(self, node, moment, delay=0.4):
        self.scrapes.append((BEGAN + moment + delay, node.name, node.page(moment)))

    def answer(self, query):
        matchers, seconds = re.fullmatch(r'\{__name__=~"mpit\?_\.\+"(.*)\}\[(\d+)s\]', query).groups()
        wanted = {name: json.loads(value) for name, value in re.findall(r',(\w+)=("(?:[^"\\]|\\.)*")', matchers)}
        found, now = {}, max((moment for moment, *_ in self.scrapes), default=0)
        for moment, instance, page in self.scrapes:
            for name, text, value in re.findall(r"^([^#{ ]+)\{(.*)\} (\S+)$", page, re.MULTILINE) if moment > now - int(seconds) else ():
                labels = {"__name__": name, "instance": instance, "job": "mpi", **dict(re.findall(r'(\w+)="([^"]*)"', text))}
                if all(labels.get(label) == value for label, value in wanted.items()):
                    found.setdefault(tuple(labels.items()), (labels, []))[1].append([moment, value])
        return {"resultType": "matrix", "result": [{"metric": labels, "values": values} for labels, values in found.values()]}


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        query = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())["query"][0]
        self.server.queries.append(query)
        error = self.server.error
        told = {"status": "error", "error": error} if error else {"status": "success", "data": self.server.answer(query)}
        body = json.dumps(told).encode()
        self.send_response(422 if self.server.error else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = Server()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def nodes(self, *values, **settings):
        """Nodes n1, n2, … with two ranks each."""
        return [Node(self.folder, f"n{number + 1}", dict(enumerate(pair, 2 * number)), **settings) for number, pair in enumerate(values)]

    def printed(self, *arguments):
        finished = tool.call("view", "--prometheus", self.server.url, *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        return finished.stdout

    def refused(self, *arguments):
        finished = tool.call("view", *arguments)
        self.assertEqual(finished.stdout, "")
        return finished.returncode, finished.stderr


class Views(Case):
    def scraped(self, *, until=(40, 40), offset=0.75, values=((WAITS, LATE), (WAITS, WAITS))):
        """Two nodes, scraped each two seconds at different times, the second one perhaps not to the end."""
        nodes = self.nodes(*values)
        for moment in range(0, 41, 2):
            for place, node in enumerate(nodes):
                if moment <= until[place]:
                    self.server.scrape(node, moment + 0.5 + place * offset)
        return nodes

    def test_the_late_rank_of_two_nodes_is_named_and_its_values_are_exact(self):
        self.scraped()
        text = self.printed()
        self.assertRegex(text, r"\AMy MPI 1.2 \(MPI-3.1\)\n./stencil\n4 ranks on 2 machines, 41.2 s\n\n"
                               r"Rank 1 is late: outside of MPI for 36 s, the others for 12 s.\n"
                               r"Parallel efficiency 45 % \(poor\): load balance 50 %, communication efficiency 90 %.\n")
        self.assertRegex(text, r"\nrank 1 +40 s +4 s +36 s +10 %\n")
        self.assertRegex(text, r"\nMPI_Waitall +11 s +27 % +4,000 +41,943,040 B\n")

    def test_the_messages_are_those_that_were_sent(self):
        nodes = self.scraped()
        told = [{**message, "process": number} for number, message in prometheus.Prometheus(self.server.url, [], 3600, False).messages()]
        hello = next(message for message in told if message["message"] == "hello" and message["rank"] == 0)
        self.assertEqual({name: hello[name] for name in ("rank", "processes", "host", "pid", "launch", "began")},
                         {"rank": 0, "processes": 4, "host": "n1", "pid": 100, "launch": "PMIX_NAMESPACE=1 77", "began": BEGAN})
        rank_of = {message["process"]: message["rank"] for message in told if message["message"] == "hello"}
        columns, found = {}, []
        for message in told:
            if message["message"] == "columns":
                self.assertTrue(all(column in COLUMNS for column in message["columns"]))
                columns[message["process"]] = message["columns"]
            if message["message"] == "sample":
                values = [None] * len(COLUMNS)
                for column, value in zip(columns[message["process"]], message["values"]):
                    values[COLUMNS.index(column)] = value
                found.append((rank_of[message["process"]], round(message["time"], 6), values))
        self.assertEqual(sorted(found), sorted(each for node in nodes for each in node.sent))
        self.assertEqual({type(value) for _, _, values in found for value in values[:2]}, {int})

    def test_of_a_lost_node_is_said_since_when_and_nobody_is_called_late(self):
        self.scraped(until=(40, 20))
        text = self.printed()
        self.assertRegex(text, r"\n\nNode n2 was not scraped for 19 s: nothing newer is known of ranks 2 and 3.\n"
                               r"[0-9.]+ % of the time is in MPI, most of it in MPI_Waitall \(")
        for word in ("late", "early", "No rank", "efficiency"):
            self.assertNotIn(word, text)

    def test_ranks_of_a_node_that_has_ended_are_not_lost(self):
        nodes = self.scraped(until=(40, 20))
        # Its page is there, with the last values.
        page = nodes[1].live.made().decode()
        self.server.scrapes += [(BEGAN + moment + 0.3, nodes[1].name, page) for moment in range(24, 41, 2)]
        text = self.printed()
        for word in ("scraped", "late", "No rank", "efficiency"):
            self.assertNotIn(word, text)

    def test_ranks_that_no_page_has_are_counted_and_nobody_is_called_late(self):
        for moment in range(0, 41, 2):
            for node in self.nodes((WAITS, LATE)) if moment == 0 else [node]:
                self.server.scrape(node, moment)
        text = self.printed()
        self.assertIn("\n2 ranks of 4, 40.0 s\n", text)
        self.assertIn("\n2 ranks of 4 are not in Prometheus.\n", text)
        self.assertNotIn("late", text)

    def test_nodes_that_are_scraped_in_different_phases_of_the_program_are_not_compared(self):
        # All ranks are outside of MPI for the first six seconds, and then in it.
        def phases(moment):
            return [0, 0, 0.0, max(moment - 6, 0.0), 0, 0]
        nodes = self.nodes((phases, phases), (phases, phases))
        for number in range(6):
            for place, node in enumerate(nodes):
                self.server.scrape(node, 2 * number + 6 * place)
        text = self.printed()
        self.assertRegex(text, r"\nrank 0 +10 s +4 s +6 s +40 %\n")
        self.assertRegex(text, r"\nrank 2 +10 s +10 s +0 s +100 %\n")
        for word in ("late", "early", "No rank", "efficiency"):
            self.assertNotIn(word, text)

    def test_the_node_that_is_scraped_first_need_not_be_the_one_that_began_first(self):
        nodes = [Node(self.folder, name, {rank: values, rank + 1: WAITS}, began=BEGAN + began)
                 for name, rank, values, began in (("n1", 0, WAITS, 30), ("n2", 2, LATE, 0))]
        for moment in range(40, 81, 2):
            self.server.scrape(nodes[0], moment - 30, 30.4)
            self.server.scrape(nodes[1], moment, 0.8)
        told = list(prometheus.Prometheus(self.server.url, [], 3600, False).messages())
        self.assertEqual([message["began"] for _, message in told if message["message"] == "hello"], [BEGAN, BEGAN, BEGAN + 30, BEGAN + 30])
        self.assertIn("\n4 ranks on 2 machines, 80.0 s\n\nRank 2 is late: outside of MPI for 36 s, the others for 12 s.\n", self.printed())

    def test_ranks_that_are_equal_are_told_to_be(self):
        self.scraped(values=((WAITS, WAITS), (WAITS, WAITS)))
        self.assertIn("\nNo rank is late: each one is outside of MPI for 12 s.\n", self.printed())

    def test_the_series_of_other_jobs_are_left_out(self):
        self.scraped()
        other = Node(self.folder, "n9", {0: WAITS}, processes=1, job="78")
        self.server.scrape(other, 40)
        self.assertIn("2 launches, 41.2 s\n", self.printed("--last", "100"))
        self.assertIn("\n1 rank, 40.0 s\n", self.printed("--match", "job_id=78"))
        self.assertEqual(self.server.queries[-1], '{__name__=~"mpit?_.+",job_id="78"}[3600s]')
        status, error = self.refused("--prometheus", self.server.url, "--match", 'job_id=7"9')
        self.assertEqual((status, error), (
            1, f"mpit-info: {self.server.url} has scraped no page of --openmetrics with these labels in the last 3600 s\n"))

    def test_a_page_that_another_tool_serves_is_left_out(self):
        self.scraped()
        self.server.scrapes.append((BEGAN + 41, "other:80", 'mpi_other_total{rank="5",element="x"} 7\nmpit_process_info{rank="5"} 1\n'))
        self.assertIn("\n4 ranks on 2 machines, 41.2 s\n", self.printed())

    def test_what_a_server_refuses_and_what_is_no_server_is_told(self):
        self.scraped()
        self.server.error = "query processing would load too many samples into memory in query execution"
        self.assertEqual(self.refused("--prometheus", self.server.url), (2, f"mpit-info: {self.server.url} refuses: {self.server.error}\n"))
        self.server.shutdown()
        self.server.server_close()
        status, error = self.refused("--prometheus", self.server.url + "/")
        self.assertEqual(status, 2)
        self.assertRegex(error, f"^mpit-info: cannot read {self.server.url}: .*Connection refused\n$")
        self.assertEqual(self.refused("--prometheus", "http://[::1"), (2, "mpit-info: http://[::1 does not answer as a Prometheus server\n"))
        for words in (("--prometheus", "file:///etc/passwd"), ("--prometheus", self.server.url, "--match", "77"),
                      ("--prometheus", self.server.url, "--last", "0"), ()):
            status, error = self.refused(*words)
            self.assertEqual(status, 2)
            self.assertIn("mpit-info view: error: ", error)

    @unittest.skipUnless(screens, "python3-pyte is not installed")
    def test_on_a_terminal_the_view_follows_until_it_is_ended_also_past_a_query_that_fails(self):
        nodes = self.nodes((WAITS, LATE), (WAITS, WAITS))
        for moment in (0, 10, 20):
            for node in nodes:
                self.server.scrape(node, moment)
        with screens.Terminal(tool.command("view", "--prometheus", self.server.url), has_session=True) as terminal:
            terminal.until(lambda text: "4 ranks on 2 machines   20.0 s" in text and "Rank 1 is late: outside of MPI for 18 s" in text)
            for moment in (30, 40, 50, 60, 70):
                for node in nodes[:2 if moment <= 40 else 1]:
                    self.server.scrape(node, moment)
                if moment == 40:
                    terminal.until(lambda text: "   40.0 s" in text and "Rank 1 is late: outside of MPI for 36 s" in text)
                    self.assertRegex(self.server.queries[-1], r"\[3\ds\]$")
                    asked, self.server.error = len(self.server.queries), "it is busy"
                    terminal.until(lambda text: len(self.server.queries) > asked)  # pylint: disable=cell-var-from-loop
                    self.server.error = None
            terminal.until(lambda text: "Node n2 was not scraped for 30 s: nothing newer is known of ranks 2 and 3." in text)
            terminal.press("q")
            self.assertEqual(terminal.finish(), 0)
            self.assertIn("Function", "\n".join(terminal.scrolled()))


class Pages(Case):
    def test_a_parser_of_prometheus_reads_a_page(self):
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            self.skipTest("python3-prometheus-client is missing")
        node, = self.nodes((WAITS, LATE))
        told = {family.name: family for family in parser.text_string_to_metric_families(node.page(8))}
        self.assertEqual(told["mpit_node"].samples[0].labels, {"host": "n1", "job_id": "77", "version": mpit_info.VERSION})
        self.assertEqual(told["mpit_process"].samples[1].labels, {
            "rank": "1", "host": "n1", "job_id": "77", "launch": "1", "processes": "4", "pid": "101", "launch_id": "PMIX_NAMESPACE=1",
            "program": "./stencil", "library": "My MPI 1.2", "standard": "3.1"})
        self.assertEqual([sample.labels["metric"] for sample in told["mpit_variable"].samples], [
            "mpi_MPI_Waitall_bytes_total", "mpi_MPI_Waitall_calls_total", "mpi_MPI_Waitall_time_seconds_total", "mpi_time_seconds_total",
            "mpi_queue_length"])
        self.assertEqual([sample.value for sample in told["mpit_sample_timestamp_seconds"].samples], 2 * [BEGAN + 8])

    def test_the_last_values_of_a_process_stay_for_a_while(self):
        node, = self.nodes((WAITS, LATE))
        with contextlib.ExitStack() as patched:
            clock = patched.enter_context(unittest.mock.patch.object(openmetrics.time, "monotonic", return_value=100.0))
            page = node.page(1)
            clock.return_value = 159
            self.assertEqual(node.live.made().decode(), page)
            node.send(0, message="sample", time=50, values=WAITS(50))
            clock.return_value = 161
            self.assertEqual(set(re.findall('rank="(.)"', node.live.made().decode())), {"0"})
            # Samples that are rare do not come too late.
            clock.return_value = 230
            self.assertEqual(set(re.findall('rank="(.)"', node.live.made().decode())), {"0"})
            clock.return_value = 350
            self.assertEqual(set(re.findall('rank="(.)"', node.live.made().decode())), set())


if __name__ == "__main__":
    unittest.main()
