"""What others send: whatever comes over a connection, or goes wrong in the tool, the program runs as without it."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

import fuzz
import hostile
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import connections, document, meeting, messages, recording, refusal, schema  # noqa: E402

# A job: some Python that has `connect()`, and `tell(connection, object)`. It prints a line and ends with a status of its own.
JOB = """
import json, os, socket, subprocess, sys, time
def connect(with_token=True):
    address = os.environ["MPIT_INFO_SOCKET"]
    if address.startswith("tcp:"):
        host, port, token = address[4:].split("/")
        made = socket.create_connection((host, int(port)))
        if with_token:
            made.sendall(token.encode() + b"\\n")
    else:
        made = socket.socket(socket.AF_UNIX)
        made.connect(address)
    return made
def tell(connection, *messages):
    for message in messages:
        connection.sendall((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\\n")
def closed(connection):
    connection.settimeout(60)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
"""
END = "\nprint('the job goes on', flush=True)\nsys.exit(7)\n"
HELLO = {"message": "hello", "rank": 0, "processes": 1, "host": "here", "pid": 1, "began": 1}
COLUMNS = {"message": "columns", "columns": [{"name": "messages_sent", "class": "counter", "element": None, "object": None, "type": "int"}]}
ODD = [
    {"message": "hello", "rank": "x"}, {"message": "hello", "rank": 0, "processes": [], "began": "soon"},
    {"message": "hello", "began": 1e308}, {"message": "hello", "host": "h" * 10_000}, {"message": "hello", "rank": True},
    {"message": "snapshot"}, {"message": "snapshot", "document": []},
    {"message": "snapshot", "document": {"format": "mpit-info 1", "mpi": []}},
    {"message": "snapshot", "document": {"format": "mpit-info 1", "control_variables": [1]}},
    {"message": "snapshot", "document": {"format": "mpit-info 1", "control_variables": {}}},
    {"message": "snapshot", "document": samples.document(rank=10**400)},
    {"message": "columns"}, {"message": "columns", "columns": [{}]}, {"message": "columns", "columns": [{"name": []}]},
    {"message": "sample"}, {"message": "sample", "time": "now", "values": []}, {"message": "sample", "time": 0, "values": 7},
    {"message": "sample", "time": -1, "values": []}, {"message": "sample", "time": 1e300, "values": []},
    {"message": "sample", "time": 0, "values": [[]]}, {"message": "sample", "time": 0, "values": ["1"]},
    {"message": "event"}, {"message": "event", "time": 0, "event": [], "values": {}},
    {"message": "event", "time": 0, "event": "e", "values": {"x": {}}}, {"message": "lost", "time": 0, "events": "many"},
    {"message": "lost", "events": -1}, {"message": "end"}, {"message": []}, {"message": None}, {}, [], 7, "text", None]
LINES = [json.dumps(one).encode() for one in ODD] + [
    b"[" * 50_000, b'{"message":' * 50_000, b"no JSON", b"\xff\xfe", b'{"message":"hello","host":"\\ud800"}',
    b'{"message":"sample","time":NaN,"values":[]}', b'{"message":"sample","time":1e999,"values":[]}',
    b'{"message":"sample","time":0,"values":[-Infinity]}', b'{"message":"lost","events":' + b"9" * 5000 + b"}"]


def watched(job, *options, before=(), variables=None, **settings):
    """Watches a job, which prints its line and ends with 7; what the tool has printed."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "job.py")
        script.write_text(JOB + textwrap.dedent(job) + END, encoding="utf-8")
        # Lines of intervals might come in the middle of its line.
        words = [*before, *tool.command("watch", "--interval", "0", *options, "--agents", tool.agents(folder), "--", sys.executable, script)]
        finished = subprocess.run(words, env=tool.environment(**(variables or {})), text=True, timeout=100, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)
    if finished.returncode != 7 or "the job goes on\n" not in finished.stdout or "Traceback" in finished.stderr:
        raise AssertionError(f"status {finished.returncode}: {finished.stdout[-3000:]}{finished.stderr[-3000:]}")
    return finished.stdout + finished.stderr


class Lines(unittest.TestCase):
    def test_each_odd_line_is_refused_with_a_sentence_that_can_be_shown(self):
        for line in LINES:
            with self.subTest(line[:80]):
                with self.assertRaises(schema.Misfit) as refused:
                    messages.parsed(line)
                fuzz.check_safe(str(refused.exception), "the sentence")
                self.assertLess(len(str(refused.exception)), 300)

    def test_what_agents_send_is_taken_as_it_is(self):
        for message in (HELLO, COLUMNS, {"message": "sample", "time": 0.5, "values": [1, 2.5, None, "nan", "inf", -2**63, 2**64 - 1]},
                        {"message": "event", "time": 0, "event": "e", "values": {"a": 1, "b": "inf"}},
                        {"message": "regions", "time": 1, "regions": [{"number": 1, "name": "r", "above": 0, "visits": 2, "seconds": 0.5, "values": {"n": 7}}]},
                        {"message": "sample", "time": 0.5, "values": [], "region": 1},
                        {"message": "lost", "time": 1, "events": 3}, {"message": "end", "time": 1, "samples": 3, "cost": 0.1},
                        {"message": "snapshot", "document": samples.document()}):
            self.assertEqual(messages.parsed(json.dumps(message).encode()), message)

    def test_other_kinds_of_messages_and_other_properties_are_left_out(self):
        self.assertIsNone(messages.parsed(b'{"message": "of tomorrow", "x": [[[]]]}'))
        self.assertIsNone(messages.parsed(b'{"message": "status", "status": 0}'))
        self.assertEqual(messages.parsed(b'{"message": "lost", "events": 3, "x": [[[]]]}'), {"message": "lost", "events": 3})

    def test_a_schema_with_a_word_that_is_not_checked_is_refused(self):
        with self.assertRaises(ValueError):
            schema.compiled_part("stream.json", {"type": "string", "pattern": "^a"})

    def test_the_sentence_says_where_the_mistake_is(self):
        told = samples.document()
        told["control_variables"][2]["verbosity"] = "\x1b[31m"
        with self.assertRaises(refusal.Refusal) as refused:
            document.complete(told, "it")
        self.assertEqual(str(refused.exception), 'it does not fit the format "mpit-info 1": '
                         "control_variables[2].verbosity is not one of the known words")


class Doors(unittest.TestCase):
    """Connections in process, with a clock of their own."""

    def setUp(self):
        self.now, self.meeting, self.ready = 0.0, fuzz.Meeting("0" * 32), fuzz.Ready()
        self.connections = connections.Connections(self.meeting, self.ready, clock=lambda: self.now,
                                                   time_of_day=lambda: 1000 + self.now)

    def come(self, *pieces):
        source = fuzz.Source(pieces)
        self.meeting.coming.append(source)
        self.connections.accept()
        return source

    def told(self, source):
        connection = self.ready.get_map()[source]
        return [message for _ in list(source.pieces) for message in self.connections.read(connection)]

    def test_nothing_is_parsed_before_the_token(self):
        source = self.come(b"[" * 33)
        self.assertTrue(source.is_closed)
        self.assertEqual(self.connections.problems(), ["a connection was closed: it did not send the token"])

    def test_a_token_that_is_wrong_is_not_refused_before_it_is_whole(self):
        source = self.come(b"1")
        self.assertFalse(source.is_closed)

    def test_a_token_may_come_in_pieces_and_together_with_a_message(self):
        source = self.come(b"0" * 10)
        source.pieces.extend([b"0" * 22 + b"\n" + json.dumps(HELLO).encode()[:9], json.dumps(HELLO).encode()[9:] + b"\n"])
        self.assertEqual(self.told(source) + self.told(source), [{**HELLO, "heard": 1000}])

    def test_a_process_is_heard_of_when_it_connects_however_late_its_message_is_read(self):
        source = self.come(b"0" * 32 + b"\n" + json.dumps(HELLO).encode() + b"\n")
        self.now = 40
        self.assertEqual(self.told(source), [{**HELLO, "heard": 1000}])

    def test_a_byte_a_second_does_not_keep_a_connection_without_the_token(self):
        source = self.come()
        while not source.is_closed:
            self.assertLess(self.now, 10)
            self.now += 1
            source.pieces.append(b"0")
            self.told(source)
            if not source.is_closed:
                self.connections.expire()
        self.assertEqual(self.connections.problems(), ["a connection was closed: it did not send the token in time"])

    def test_strangers_make_room_for_each_other_and_for_processes(self):
        strangers = [self.come() for _ in range(connections.MOST_STRANGERS + 10)]
        self.assertEqual([source.is_closed for source in strangers], [True] * 10 + [False] * connections.MOST_STRANGERS)
        self.assertFalse(self.come(b"0" * 32 + b"\n").is_closed)
        self.assertEqual((self.connections.processes, len(self.connections.strangers)), (1, connections.MOST_STRANGERS))

    def test_a_line_that_never_ends_is_given_up(self):
        source = self.come(b"0" * 32 + b"\n")
        piece = b" " * connections.PIECE
        for _ in range(messages.LONGEST // connections.PIECE + 1):
            source.pieces.append(piece)
            self.told(source)
        self.assertTrue(source.is_closed)
        self.assertEqual(self.connections.problems(), ["process 0 has sent a line of more than 64 MB; it was no longer read"])
        self.assertEqual((self.connections.unfinished, self.connections.open), (0, 0))

    def test_many_long_lines_are_limited_together(self):
        sources = [self.come(b"0" * 32 + b"\n") for _ in range(5)]
        self.connections.unfinished = connections.MOST_UNFINISHED
        sources[0].pieces.append(b" ")
        self.told(sources[0])
        self.assertEqual([source.is_closed for source in sources], [True] + [False] * 4)

    def test_a_defect_of_the_reader_closes_the_connection_and_is_told(self):
        source = self.come(b"0" * 32 + b"\n", b"{}\n")
        with unittest.mock.patch.object(messages, "parsed", side_effect=MemoryError):
            self.assertEqual(self.told(source), [])
        self.assertTrue(source.is_closed)
        self.assertIn("process 0 could not be read (MemoryError)", self.connections.problems()[0])


class Meetings(unittest.TestCase):
    def test_where_no_directory_has_room_for_a_socket_a_port_of_this_machine_is_taken(self):
        with unittest.mock.patch.object(meeting, "LONGEST_NAME", 5), meeting.Meeting() as made:
            self.assertRegex(made.address, r"^tcp:127\.0\.0\.1/\d+/[0-9a-f]{32}$")
            self.assertEqual(len(made.token), 32)

    def test_an_address_is_told_in_numbers(self):
        try:
            socket.getaddrinfo("localhost", None)
        except OSError:
            self.skipTest("the machine does not know the name localhost")
        with meeting.Meeting("localhost") as made:
            self.assertRegex(made.address, r"^tcp:(127\.0\.0\.1|::1)/\d+/[0-9a-f]{32}$")


class Jobs(unittest.TestCase):
    def test_an_outsider_with_a_line_of_brackets_ends_nothing(self):
        text = watched("""
            outsider = connect(with_token=False)
            outsider.sendall(b"[" * 50_000 + b"\\n")
            assert closed(outsider)
            process = connect()
            tell(process, %r, %r, {"message": "sample", "time": 1, "values": [3]})
            """ % (HELLO, COLUMNS), "--listen", "127.0.0.1")
        self.assertIn("messages_sent", text)
        self.assertIn("a connection was closed: it did not send the token", text)

    def test_a_launcher_is_asked_to_pass_on_what_has_a_value(self):
        for more in ((), ("--nodes",)):
            watched("""
                names = os.environ["OMPI_MCA_mca_base_env_list"].split(";")
                assert [name for name in names if name not in os.environ] == []
                assert [name for name in os.environ if name.startswith("MPIT_INFO_") and name not in names] == []
                """, "--listen", "127.0.0.1", *more)

    def test_processes_with_odd_lines_are_closed_and_counted_and_the_others_are_listened_to(self):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "record.jsonl")
            text = watched("""
                for line in %r:
                    odd = connect()
                    tell(odd, %r, line)
                    assert closed(odd), line
                process = connect()
                tell(process, %r, %r, {"message": "sample", "time": 1, "values": [3]})
                """ % (LINES, HELLO, HELLO, COLUMNS), "--record", record)
            self.assertIn("messages_sent", text)
            self.assertIn("process 0 has sent a line that is not a valid hello: rank is not an integer (rank 0 on here); it was no longer read",
                          text)
            self.assertIn(f"{len(LINES) - 5} more processes were no longer read, for similar reasons", text)
            last = json.loads(pathlib.Path(record).read_text(encoding="ascii").splitlines()[-1])
            self.assertEqual((last["status"], len(last["problems"])), (7, 6))

    def test_what_was_closed_is_named_in_a_report(self):
        if not fuzz.CAN_WRITE_REPORT:
            self.skipTest("python3-jinja2 or libjs-dygraphs is not installed")
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.html")
            watched("""
                tell(connect(), %r, %r, {"message": "sample", "time": 1, "values": [3]}, {"message": "lost", "events": "\\x1b[2J"})
                """ % (HELLO, COLUMNS), "--report", report)
            page = pathlib.Path(report).read_text(encoding="utf-8")
        self.assertIn("process 0 has sent a line that is not a valid lost: events is not an integer (rank 0 on here)", page)

    def test_bytes_that_are_no_message_keep_the_tool_from_nothing_when_the_job_is_over(self):
        slow = ("import os, sys, time; end = time.monotonic() + 40\n"
                "while time.monotonic() < end: os.write(3, b' '); time.sleep(0.1)")
        for with_token in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                watched("""
                        slow = connect(with_token=%r)
                        tell(connect(), %r)
                        os.dup2(slow.fileno(), 3)
                        left = subprocess.Popen([sys.executable, "-c", %r], pass_fds=[3], stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL)
                        open(%r, "w").write(str(left.pid))
                        """ % (with_token, HELLO, slow, folder + "/pid"), "--listen", "127.0.0.1")
                # It ends by itself when it is closed.
                self.assertTrue(os.path.exists(folder + "/pid"))

    def test_a_full_disk_ends_the_record_and_nothing_else(self):
        text = watched("""
            process = connect()
            tell(process, %r, %r, *({"message": "sample", "time": n, "values": [n]} for n in range(2000)))
            """ % (HELLO, COLUMNS), "--record", "/dev/full")
        self.assertIn("the record /dev/full ends too early: No space left on device", text)
        self.assertIn("1,999", text)

    def test_a_report_that_cannot_be_written_leaves_the_summary_and_the_status(self):
        if not fuzz.CAN_WRITE_REPORT:
            self.skipTest("python3-jinja2 or libjs-dygraphs is not installed")
        text = watched("tell(connect(), %r, %r, {'message': 'sample', 'time': 1, 'values': [3]})" % (HELLO, COLUMNS), "--report", "/dev/full")
        self.assertIn("messages_sent", text)
        self.assertIn("the report failed (cannot write /dev/full: No space left on device)", text)

    def test_a_summary_that_cannot_be_written_leaves_the_status_of_the_job(self):
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="ascii") as full:
            for options in (["watch"], ["--at", "end"]):
                words = tool.command(*options, "--agents", tool.agents(tempfile.mkdtemp(dir=folder)), "--", sys.executable, tool.FAKE, "--fast",
                                     "--status", "6")
                finished = subprocess.run(words, env=tool.environment(), text=True, timeout=60, check=False, stdout=full,
                                          stderr=subprocess.PIPE)
                self.assertEqual(finished.returncode, 6, finished.stderr)
                self.assertIn("mpit-info: OSError: No space left on device", finished.stderr)
                self.assertNotIn("Traceback", finished.stderr)
                self.assertNotIn("Exception ignored", finished.stderr)

    def test_a_long_name_of_the_temporary_directory_hinders_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            long = os.path.join(folder, "x" * 120)
            os.mkdir(long)
            text = watched("tell(connect(), %r, %r, {'message': 'sample', 'time': 1, 'values': [3]})" % (HELLO, COLUMNS),
                           variables={"TMPDIR": long})
            self.assertIn("messages_sent", text)
            self.assertEqual(os.listdir(long), [])

    def test_more_processes_than_the_soft_limit_of_descriptors_are_watched_and_the_job_keeps_its_limit(self):
        text = watched("""
            import resource
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (80, 400)
            resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
            kept = [connect() for _ in range(300)]
            for number, one in enumerate(kept):
                tell(one, {**%r, "rank": number, "processes": 300}, %r, {"message": "sample", "time": 1, "values": [3]})
            """ % (HELLO, COLUMNS), before=["sh", "-c", 'ulimit -Sn 80; ulimit -Hn 400; exec "$@"', "sh"])
        self.assertIn("300 ranks", text)

    def test_processes_for_which_there_are_no_descriptors_go_on_and_are_counted(self):
        # It keeps all of them until the tool has closed one: a slow tool would otherwise find room for each after the other.
        text = watched("""
            import select
            made = [connect() for _ in range(90)]
            for number, one in enumerate(made):
                try:
                    tell(one, {**%r, "processes": 90}, %r, {"message": "sample", "time": 1, "values": [3]})
                except ConnectionError:
                    pass
            assert select.select(made, [], [], 60)[0]
            """ % (HELLO, COLUMNS), before=["sh", "-c", 'ulimit -Sn 100; ulimit -Hn 100; exec "$@"', "sh"])
        self.assertIn("times a process was closed: there were too many connections", text)
        self.assertIn("messages_sent", text)


class Defects(unittest.TestCase):
    """A part of the tool that fails must not be noticed by the program."""

    def tool_with(self, defect):
        return [sys.executable, "-c", "import sys\nfrom mpit_info import connections, history, live, main, recording, summary, launch, listing\n"
                "def fail(*_, **__): raise RuntimeError('a defect')\n" + defect + "\nsys.exit(main.main(sys.argv[1:]))\n"]

    def run_with(self, defect, *options):
        with tempfile.TemporaryDirectory() as folder:
            words = [*self.tool_with(defect), *options, "--agents", tool.agents(folder), "--", sys.executable, tool.FAKE, "--prints",
                     "first words", "--fast", "--status", "6"]
            finished = subprocess.run(words, env=tool.environment(), text=True, timeout=60, check=False, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)
        self.assertEqual(finished.returncode, 6, finished.stderr)
        self.assertEqual(finished.stdout.splitlines()[0], "first words")
        self.assertIn("watched *" if "watch" in options else "", finished.stderr)
        self.assertNotIn("Traceback", finished.stderr)
        return finished.stdout + finished.stderr

    def test_one_in_the_history_is_told_and_the_job_ends_as_it_would(self):
        for part in ("accept", "add_sample"):
            self.assertIn("reading a message failed (RuntimeError: a defect)",
                          self.run_with(f"history.History.{part} = fail", "watch"))

    def test_one_in_the_record_is_told_and_the_rest_is_shown(self):
        text = self.run_with("recording.Recorder.add = fail", "watch", "--record", os.devnull)
        self.assertIn("the record failed (RuntimeError: a defect)", text)
        self.assertIn("messages_sent", text)

    def test_one_where_all_is_read_leaves_the_job_to_itself(self):
        job = JOB + textwrap.dedent("""
            print("first words", flush=True)
            for _ in range(3):
                try:
                    tell(connect(), %r)
                except ConnectionError:
                    pass
                time.sleep(0.15)
            print("last words")
            sys.exit(6)
            """ % HELLO)
        for part in ("Connections.read", "Connections.accept", "Connections.expire", "Connection.lines"):
            for options in (["watch"], ["--at", "end"]):
                with self.subTest(part, options=options), tempfile.TemporaryDirectory() as folder:
                    words = [*self.tool_with(f"connections.{part} = fail"), *options, "--agents", tool.agents(folder), "--",
                             sys.executable, "-c", job]
                    finished = subprocess.run(words, env=tool.environment(), text=True, timeout=60, check=False,
                                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    self.assertEqual((finished.returncode, finished.stdout), (6, "first words\nlast words\n"), finished.stderr)
                    self.assertIn("mpit-info: RuntimeError: a defect", finished.stderr)
                    self.assertNotIn("Traceback", finished.stderr)

    def test_one_in_the_summary_or_the_table_leaves_the_status_of_the_job(self):
        self.assertIn("RuntimeError: a defect; MPIT_INFO_DEBUG=1 prints the traceback", self.run_with("summary.parts = fail", "watch"))
        self.assertIn("RuntimeError: a defect", self.run_with("listing.table.parts = fail", "--at", "end"))


class Records(unittest.TestCase):
    def test_lines_of_a_record_that_do_not_fit_are_left_out_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.jsonl")
            recorder = recording.Recorder(path, ["./program"])
            for message in (HELLO, COLUMNS, {"message": "sample", "time": 0, "values": [1]},
                            {"message": "sample", "time": "\x1b[2J", "values": [2]}, {"message": "sample", "time": 1, "values": [3]}):
                recorder.add(0, message)
            recorder.finish(4)
            with open(path, "ab") as file:
                # As deep as no stack of 8 MB holds, which is where Python 3.14 stops.
                file.write(b"[" * 500_000 + b"\n" + b'{"message":"lost","events":1,"process":[]}\n')
            finished = tool.run("watch", "--replay", path)
        self.assertEqual(finished.returncode, 4, finished.stderr)
        self.assertIn("messages_sent", finished.stdout)
        for line, why in ((5, "is not a valid sample: time is not a number"), (8, "is nested too deeply"), (9, "has no process number")):
            self.assertIn(f"line {line} {why}; it was left out", finished.stdout)


class Fuzzed(unittest.TestCase):
    """A few seconds of fuzz.py, which runs for as long as one likes."""

    def test_odd_and_hostile_messages_reach_no_output_and_end_nothing(self):
        for seed in (1, 2, 3):
            counts = fuzz.Fuzz(seed, oracle=0.05 if fuzz.jsonschema else 0, whole=1 if seed == 1 else 0)
            counts.run(2_000 if seed == 1 else 10_000)

    def test_a_job_outlives_odd_and_hostile_messages_from_inside_and_outside(self):
        for how in ((), ("--listen", "127.0.0.1")):
            printed, counts = fuzz.over_sockets(4, 1_000, *how)
            self.assertGreaterEqual(counts["sent"], 1_000)
            self.assertIn("no longer read", printed[0])

    def test_the_same_seed_makes_the_same_messages(self):
        first, again = (hostile.Messages(5) for _ in range(2))
        self.assertEqual([first.line() for _ in range(500)], [again.line() for _ in range(500)])
