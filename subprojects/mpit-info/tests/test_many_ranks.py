"""Runs over collectors: many_ranks.py of the benchmarks speaks the agent's protocol for the ranks of several nodes of this machine."""

import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import tool
from test_report import CAN_WRITE

sys.path.insert(0, str(tool.FRONT))
from mpit_info.nodes import local, node_meeting, settings  # noqa: E402

MANY = str(tool.HERE.parents[2] / "benchmarks" / "nodes" / "many_ranks.py")


def start(folder, *many, options=()):
    """Starts a run of three nodes with eight ranks each, the third one below another, with its files in the folder."""
    (folder / "agents").mkdir()
    words = tool.command("watch", "--agents", tool.agents(folder / "agents"), "--listen", "127.0.0.1", "--calls", "no", "--nodes",
                         "--fan-in", "2", "--period", "0.25", "--interval", "0", "--node-files", folder / "files",
                         "--record", folder / "run.jsonl", *options, "--",
                         sys.executable, MANY, "--nodes", "3", "--ranks", "8", "--rate", "8", *map(str, many))
    return subprocess.Popen(words, env=tool.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def stop(running):
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()


def watched(folder, *many, options=()):
    """The exit status and the output of such a run at its end."""
    running = start(folder, *many, options=options)
    out, err = running.communicate(timeout=60)
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


def messages(path, kind):
    return [message for message in tool.messages(path) if message["message"] == kind]


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        report = ("--report", cls.folder / "run.html") if CAN_WRITE else ()
        cls.finished = watched(cls.folder, "--seconds", 2, options=(*report, "--openmetrics", cls.folder / "%h.prom"))

    def setUp(self):
        self.assertEqual((self.finished.returncode, self.finished.stderr), (0, ""))

    def shown_again(self, file, *options):
        return tool.call("watch", "--replay", self.folder / file, *options, check=True).stdout

    def test_all_ranks_are_counted_and_the_late_one_is_named(self):
        self.assertRegex(self.finished.stdout, r"\n24 ranks on 3 nodes, ")
        self.assertRegex(self.finished.stdout, r"\nRank 3 is late: outside of MPI for [0-9.]+ s, the others for ")

    def test_the_summary_of_two_levels_is_exactly_that_of_the_files_of_the_nodes(self):
        columns = messages(self.folder / "run.jsonl", "columns")[-1]["columns"]
        last = messages(self.folder / "run.jsonl", "summary")[-1]
        of = next(value for place, value, _ in last["variables"] if columns[place]["name"] == "send_bytes")
        values = []
        for node in range(3):
            file = self.folder / f"files/n{node:03}.jsonl"
            place = [column["name"] for column in messages(file, "columns")[0]["columns"]].index("send_bytes")
            values += {sample["process"]: sample["values"][place] for sample in messages(file, "sample")}.values()
        self.assertEqual((of["count"], of["sum"], of["minimum"], of["maximum"]), (24, [sum(values)], min(values), max(values)))

    def test_a_record_of_summaries_is_shown_again(self):
        again = self.shown_again("run.jsonl", "--interval", "0")
        self.assertEqual(again.split("Variable")[1], self.finished.stdout.split("Variable")[1])
        self.assertIn("Rank 3 is late", again)

    def test_the_file_of_a_node_is_a_record_of_its_ranks(self):
        self.assertRegex(self.shown_again("files/n001.jsonl", "--name", "send_bytes"), r"\n8 ranks of 24, ")

    def test_each_node_has_the_values_of_its_ranks_for_prometheus(self):
        page = (self.folder / "n001.prom").read_text(encoding="utf-8")
        found = re.findall(r'^mpi_send_bytes_total\{rank="(\d+)",host="n001"[^}]*\} \d+$', page, re.MULTILINE)
        self.assertEqual(sorted(map(int, found)), list(range(8, 16)))
        self.assertTrue(page.endswith("# EOF\n"))

    @unittest.skipUnless(CAN_WRITE, "python3-jinja2 or libjs-dygraphs is not installed")
    def test_a_report_has_the_quantiles_and_the_worst_ranks(self):
        page = (self.folder / "run.html").read_text(encoding="utf-8")
        for name in ("lowest", "half of ranks", "highest", "rank 3"):
            self.assertIn(name, page)


class Changes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_others_go_on_when_a_node_dies_that_is_above_another(self):
        finished = watched(self.folder, "--seconds", 3, "--dies", 0, "--dies-after", 0.8)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.assertRegex(finished.stdout, r"\n16 ranks of 24 on 2 nodes, ")
        self.assertIn("Node n000 was lost, with 8 ranks.", finished.stdout)
        self.assertEqual(messages(self.folder / "run.jsonl", "summary")[-1]["ranks"], 16)
        # Its file has everything until then.
        self.assertEqual(len(messages(self.folder / "files/n000.jsonl", "hello")), 8)

    def test_a_node_that_comes_late_is_counted(self):
        finished = watched(self.folder, "--seconds", 2, "--delay", 0.8)
        self.assertRegex(finished.stdout, r"\n24 ranks on 3 nodes, ")

    def test_all_values_of_a_variable_and_of_a_rank_are_there_on_request(self):
        running = start(self.folder, "--seconds", 60)
        self.addCleanup(stop, running)
        record, until = self.folder / "run.jsonl", time.monotonic() + 50
        while not (record.exists() and '"ranks":24' in record.read_text(encoding="ascii")) and time.monotonic() < until:
            time.sleep(0.1)

        def asked(*words):
            return tool.call("values", running.pid, *words)
        lines = asked("send_bytes").stdout.splitlines()
        self.assertEqual([line.partition(" = ")[0] for line in lines], [f"rank {rank}: send_bytes" for rank in range(24)])
        self.assertEqual(len(asked("--rank", "17").stdout.splitlines()), 26)
        self.assertRegex(asked("MPI_Waitall_time", "--rank", "3").stdout, r"^rank 3: MPI_Waitall_time = [0-9.e-]+\n$")
        self.assertEqual((asked("nosuch").returncode, asked("nosuch").stderr), (1, "mpit-info: no rank has a value of nosuch\n"))
        if os.geteuid() == 0 and shutil.which("setpriv") and os.path.exists("/usr/bin/python3"):
            # Names that another user has taken are passed over.
            take = ("import socket, sys; kept = [socket.socket(socket.AF_UNIX) for name in sys.argv[1:]]\n"
                    "for one, name in zip(kept, sys.argv[1:]): one.bind('\\0' + name); one.listen()\n"
                    "print(flush=True); sys.stdin.read()")
            own = f"mpit-info/0/watch/{running.pid}"
            with subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", take, own,
                                   *(f"{own}/{digit}" for digit in "0123456789abcdef")],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
                other.stdout.readline()
                self.assertEqual(len(asked("send_bytes").stdout.splitlines()), 24)
                other.stdin.close()

    def test_options_that_need_every_value_are_refused(self):
        finished = tool.call("watch", "--nodes", "--csv", "--", "true")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--csv cannot be combined with --nodes", finished.stderr)

    def test_what_only_files_have_needs_them(self):
        for words in (["--regions"], ["--event", "*"]):
            refused, there = (tool.call("watch", "--nodes", *words, *files, "--", "true").stderr
                              for files in ([], ["--node-files", str(self.folder)]))
            self.assertIn(f"{words[0]} with --nodes needs --node-files", refused)
            self.assertNotIn("needs --node-files", there)


class Starts(unittest.TestCase):
    def start(self, told):
        """Starts a collector in the background; the process that has started it, when it has ended."""
        environment = {name: text for name, text in tool.environment().items() if name != settings.VARIABLE}
        return subprocess.run([sys.executable, local.START], env={**environment, **told}, text=True, timeout=60, capture_output=True, check=False)

    def test_outside_of_a_job_it_is_refused(self):
        finished = self.start({})
        self.assertEqual(finished.returncode, 2)
        self.assertIn("there is no MPIT_INFO_NODES in the environment", finished.stderr)

    def test_the_first_of_a_node_listens_in_the_background_and_a_second_one_is_refused(self):
        name = node_meeting.socket_name(secrets.token_hex(8))
        with socket.create_server(("127.0.0.1", 0)) as root:
            told = {settings.VARIABLE: settings.text(settings.Settings(**{
                **settings.DEFAULTS, "socket": name, "root": f"tcp:127.0.0.1/{root.getsockname()[1]}/token"}))}
            first, second = self.start(told), self.start(told)
            self.assertEqual((first.returncode, first.stderr, second.returncode), (0, "", 1))
            self.assertIn("this node has a collector of the job already", second.stderr)
            with node_meeting.connected("\0" + name, 5) as process:
                collector = struct.unpack("3i", process.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
                self.addCleanup(os.kill, collector, signal.SIGKILL)
                self.assertEqual(os.getsid(collector), os.getpgid(collector))
                self.assertNotEqual(os.getsid(collector), os.getsid(0))
                self.assertEqual({os.readlink(f"/proc/{collector}/fd/{number}") for number in (0, 1, 2)}, {os.devnull})
