"""Watching a program: the table at the end, records, and what the program is told."""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import main  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.intervals import Intervals as Lines, Sentences  # noqa: E402

FAST = ("--seconds", "2", "--fast")
# Where tests run in the background, these may be ignored.
INTERRUPTIBLE = ["env", "--default-signal=INT,QUIT,TERM,HUP"]


def rows(text):
    return {line.split("   ")[0].strip(): line.split()[-6:] for line in text.splitlines() if line.strip()}


class Summaries(unittest.TestCase):
    def test_one_process_has_values_and_rates(self):
        told = rows(tool.printed("watch", program=FAST))
        self.assertEqual(told["messages_sent"][-3:], ["counter", "1,900", "1k"])
        self.assertEqual(told["time_waiting"][-5:], ["timer", "190", "ms", "10", "%"])
        self.assertEqual(told["ring_fill[1]"][-3:], ["percentage", "25", "-"])

    def test_ranks_are_compared(self):
        told = rows(tool.printed("watch", program=[*FAST, "--processes", "4"]))
        self.assertEqual(told["messages_sent"], ["1,900", "4,750", "7,600", "60", "%", "2.5k"])

    def test_the_heading_says_what_ran_and_what_watching_cost(self):
        text = tool.printed("watch", program=[*FAST, "--processes", "4"])
        self.assertIn("4 ranks, 2.0 s, watching took 0.2 % of a processor", text)
        self.assertIn("fake_program.py --seconds 2 --fast --processes 4", text)

    def test_ranks_that_told_nothing_are_counted(self):
        text = tool.printed("watch", program=[*FAST, "--processes", "4", "--unheard", "1"])
        self.assertIn("3 ranks of 4, 2.0 s", text)
        self.assertIn("1 rank sent nothing; on another machine it needs --listen HOST.", text)
        text = tool.printed("watch", program=[*FAST, "--processes", "4", "--unheard", "3"], variables={"PMI_RANK": "0"})
        self.assertIn("3 ranks sent nothing; one mpit-info watches all if it is written before the launcher: mpit-info watch mpiexec ...", text)
        # A tool in an interactive step has such a variable, too.
        kept = History()
        kept.accept(0, {"message": "hello", "rank": 0, "processes": 4, "began": 1000.0})
        kept.command = ["mpiexec", "-n", "4", "./program"]
        with unittest.mock.patch.dict(os.environ, PMI_RANK="0"):
            self.assertEqual(kept.missing_sentences(), ["3 ranks sent nothing; on other machines they need --listen HOST."])
        text = tool.printed("watch", "--rank", "1", program=[*FAST, "--processes", "4"])
        self.assertIn("1 rank, 2.0 s", text)
        self.assertNotIn("sent nothing", text)

    def test_variables_that_say_nothing_are_only_counted(self):
        text = tool.printed("watch", program=FAST)
        self.assertNotIn("never_readable", text)
        self.assertIn("1 variable stayed at 0 or could not be read.", text)

    def test_events_are_counted(self):
        told = rows(tool.printed("watch", "--event", "*", program=[*FAST, "--processes", "2"]))
        self.assertEqual(told["unexpected_message"], ["20", "10", "10", "0", "%", "10"])

    def test_a_slow_start_of_the_ranks_changes_no_figure(self):
        slow, quick = (tool.printed("watch", "--event", "*", program=[*FAST, "--processes", "2", *how]).splitlines()
                       for how in (["--slow-start"], []))
        self.assertEqual([line for line in slow if "fake_program.py" not in line],
                         [line for line in quick if "fake_program.py" not in line])

    def test_a_clock_that_is_a_year_off_changes_no_figure(self):
        for seconds in (31_536_000, -31_536_000):
            text = tool.printed("watch", "--event", "*", program=[*FAST, "--processes", "2", "--ahead", seconds])
            self.assertLess(float(re.search(r"2 ranks, ([0-9.]+) s", text)[1]), 60)
            told = rows(text)
            self.assertEqual(told["messages_sent"], ["1,900", "2,850", "3,800", "33", "%", "1.5k"])
            self.assertEqual(told["unexpected_message"][:5], ["20", "10", "10", "0", "%"])

    def test_filters_choose_what_is_shown(self):
        text = tool.printed("watch", "--class", "timer", program=FAST)
        self.assertIn("time_waiting", text)
        self.assertNotIn("messages_sent", text)
        text = tool.printed("watch", "--category", "p2p_eager", program=FAST)
        self.assertIn("unexpected_queue_length", text)
        self.assertNotIn("messages_sent", text)

    def test_names_are_whole_and_lines_have_room_at_every_width(self):
        for width in (50, 60, 70, 80, 100, 120):
            lines = tool.printed("watch", "--event", "*", "--width", width, "--variable", "[mtur]*",
                                 program=[*FAST, "--processes", "4"]).splitlines()
            table = lines[next(number for number, line in enumerate(lines) if line.startswith("Variable")):]
            for name in ("messages_sent", "time_waiting", "unexpected_queue_length", "ring_fill[0]"):
                self.assertEqual(sum(line.startswith(name + " ") for line in table), 1, f"{name} at {width} columns")
            self.assertLessEqual(max(map(len, lines)), width)

    def test_one_rank_can_be_looked_at(self):
        told = rows(tool.printed("watch", "--rank", "2", program=[*FAST, "--processes", "4"]))
        self.assertEqual(told["messages_sent"][-3:], ["counter", "5,700", "3k"])

    def test_a_rank_that_is_not_there_is_refused(self):
        finished = tool.run("watch", "--rank", "2", program=[*FAST, "--processes", "2", "--status", "3"])
        self.assertEqual(finished.returncode, 3)
        self.assertIn("there is no rank 2; 0, 1 answered", finished.stderr)

    def test_the_summary_can_go_into_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "summary.txt")
            self.assertEqual(tool.printed("watch", "--output", path, program=[*FAST, "--prints", "of the program"]),
                             "of the program\n")
            self.assertIn("messages_sent", pathlib.Path(path).read_text(encoding="utf-8"))


class Intervals(unittest.TestCase):
    def blocks(self, *arguments, program=FAST, interval=("--interval", "1"), **settings):
        """The lines of the intervals in a pipe, by their times."""
        found = {}
        for line in tool.printed("watch", *interval, *arguments, program=program, **settings).splitlines():
            at = re.match(r"([0-9.e+]+) s  (.*)", line)
            if at:
                found.setdefault(float(at[1]), []).append(at[2])
        return found

    def test_a_pipe_gets_the_values_of_each_second(self):
        told = self.blocks(program=["--seconds", "3.2", "--fast"])
        self.assertEqual(list(told), [1, 2, 3])
        self.assertEqual([re.split("  +", lines[0]) for lines in told.values()],
                         [["messages_sent", value, "1k/s"] for value in ("1000", "2000", "3000")])

    def test_a_pipe_gets_a_sentence_three_times_a_minute(self):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            history = History()
            lines = Sentences(history, file)
            for moment in range(-2, 65):
                for rank in range(4):
                    message = ({"message": "hello", "rank": rank, "processes": 4, "began": 1000.0} if moment == -2 else
                               {"message": "columns", "columns": [{"name": "mpi_time", "class": "timer"}]} if moment == -1 else
                               {"message": "sample", "time": moment, "values": [moment * (0.1 if rank == 1 else 0.9)]})
                    history.accept(rank, message)
                    lines(rank, message)
            file.seek(0)
            self.assertEqual(file.read(), "".join(f"{second} s  Rank 1 is late: outside of MPI for {second * 0.9:.3g} s, the others for "
                                                  f"{second * 0.1:.3g} s.\n" for second in (20, 40, 60)))
        self.assertEqual(list(self.blocks(interval=(), program=["--seconds", "61", "--fast"])), [20, 40, 60])
        self.assertEqual(self.blocks(interval=()), {})

    def test_the_first_sentence_is_the_last_line_too(self):
        lines = tool.printed("watch", program=[*FAST, "--processes", "4"]).splitlines()
        self.assertRegex(lines[-1], "^time_waiting: imbalance ")
        self.assertEqual((lines.count(lines[-1]), lines[-2]), (2, ""))

    def test_values_and_rates_have_units(self):
        lines = self.blocks()[1]
        self.assertEqual(re.split("  +", next(line for line in lines if line.startswith("communicator_bytes"))),
                         ["communicator_bytes (MPI_COMM_WORLD)", "4.1 MB", "4.1 MB/s"])
        self.assertEqual(re.split("  +", next(line for line in lines if line.startswith("time_waiting"))),
                         ["time_waiting", "100 ms", "10 % of time"])

    def test_ranks_are_compared_in_each_interval(self):
        lines = self.blocks(program=[*FAST, "--processes", "4"])[1]
        self.assertEqual(re.split("  +", lines[0]), ["messages_sent", "2500", "2.5k/s", "imbalance 60 %, most in rank 3"])

    def test_the_interval_can_be_chosen(self):
        self.assertEqual(list(self.blocks("--interval", "0.5")), [0.5, 1, 1.5])
        self.assertEqual(self.blocks("--interval", "0"), {})
        self.assertEqual(tool.run("watch", "--interval", "-1", program=FAST).returncode, 2)

    def test_only_what_has_changed_in_an_interval_is_told(self):
        told = self.blocks(program=["--seconds", "3.2", "--fast"])
        for lines in told.values():
            self.assertIn("ring_fill[0]", " ".join(lines))
            self.assertNotIn("ring_fill[1]", " ".join(lines))
            self.assertNotIn("never_readable", " ".join(lines))

    def test_filters_choose_what_is_told(self):
        told = self.blocks("--class", "timer", "--variable", "*")
        self.assertEqual([line.split()[0] for line in told[1]], ["time_waiting"])

    def test_a_file_gets_the_table_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "summary.txt")
            self.assertEqual(self.blocks("--output", path), {})
            self.assertNotIn("1 s  ", pathlib.Path(path).read_text(encoding="utf-8"))

    def test_a_rank_that_sends_nothing_does_not_hold_up_the_others_for_ever(self):
        told = self.blocks(program=["--seconds", "20", "--fast", "--processes", "3", "--unheard", "1"])
        self.assertEqual(list(told), list(range(1, 20)))

    def printed(self, *messages):
        """The lines after these messages of processes with one counter, each with the number of its process in front."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            history = History()
            lines = Lines(1, history, lambda: list(history.columns), stream=file)
            for number, message in messages:
                history.accept(number, message)
                lines(number, message)
            lines.finish()
            file.seek(0)
            return [re.split("  +", line) for line in file.read().splitlines()]

    @staticmethod
    def run_of(number, began, seconds, rate, of=1):
        """What a process sends in these seconds from its begin: its counter grows by the rate."""
        rank = {"rank": number, "processes": of} if of > 1 else {}
        yield number, {"message": "hello", "host": "here", "pid": 100 + number, "began": 1000 + began, **rank}
        yield number, {"message": "columns", "columns": [{"name": "sent", "class": "counter", "type": "int"}]}
        for step in range(round(10 * seconds) + 1):
            yield number, {"message": "sample", "time": step / 10, "values": [round(rate * step / 10)]}
        yield number, {"message": "end", "time": seconds}

    def test_a_program_that_starts_later_is_in_the_intervals_from_its_start(self):
        self.assertEqual(self.printed(*self.run_of(0, 0, 2.3, 1000), *self.run_of(1, 2.4, 2.3, 500)),
                         [["1 s", "sent", "1000", "1k/s"], ["2 s", "sent", "2000", "1k/s"],
                          ["3 s", "sent", "1300", "750/s", "imbalance 33 %, most in process 0"], ["4 s", "sent", "800", "500/s"]])

    def test_the_mean_of_a_counter_is_a_whole_number(self):
        told = self.printed(*self.run_of(0, 0, 1.1, 101, of=2), *self.run_of(1, 0, 1.1, 100, of=2))
        self.assertEqual(told, [["1 s", "sent", "101", "100/s", "imbalance 0.5 %, most in rank 0"]])

    def test_no_interval_is_printed_twice_for_a_rank_that_was_given_up(self):
        late = list(self.run_of(1, 0, 20, 1000, of=2))
        told = self.printed(*late[:15], *self.run_of(0, 0, 19, 1000, of=2), *late[15:])
        self.assertEqual([line[0] for line in told], [f"{second} s" for second in range(1, 21)])
        self.assertEqual({line[3] for line in told}, {"1k/s"})

    def test_lines_come_while_the_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            words = tool.command("watch", "--agents", tool.agents(folder), "--interval", "0.2", "--", sys.executable, tool.FAKE,
                                 "--seconds", "60")
            with subprocess.Popen(words, env=tool.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
                first = running.stdout.readline()
                self.assertIsNone(running.poll())
                running.terminate()
                running.stdout.read()
        self.assertRegex(first, r"^0\.2 s  messages_sent ")


class Requests(unittest.TestCase):
    def request(self, *arguments):
        words = ["sh", "-c", f'echo "$MPIT_INFO_REQUEST" >&2; exec {sys.executable} {tool.FAKE} --fast']
        return json.loads(tool.run("watch", *arguments, words=words).stderr.splitlines()[0])

    def test_all_variables_and_no_event_are_watched_by_default(self):
        self.assertEqual(self.request(), {"want": "watch", "rate": 10, "variables": ["*"], "events": [], "calls": "auto"})

    def test_patterns_and_the_rate_are_passed_on(self):
        self.assertEqual(self.request("--rate", "2.5", "--variable", "*sent", "--variable", "time*", "--event", "u*"),
                         {"want": "watch", "rate": 2.5, "variables": ["*sent", "time*"], "events": ["u*"], "calls": "auto"})

    def test_names_stand_in_for_variables(self):
        self.assertEqual(self.request("--name", "*sent")["variables"], ["*sent"])

    def test_a_rate_of_nothing_is_refused(self):
        for rate in ("0", "-1", "nan", "inf", "1e9", "1e-300"):
            finished = tool.run("watch", "--rate", rate, program=FAST)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("--rate must be a number above 0", finished.stderr)


class Ends(unittest.TestCase):
    def test_the_status_is_that_of_the_program(self):
        self.assertEqual(tool.run("watch", program=[*FAST, "--status", "9"]).returncode, 9)

    def test_the_tool_ends_by_the_signal_that_ended_the_program(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
            finished = tool.run("watch", words=["sh", "-c", f"{sys.executable} {tool.FAKE} --fast; kill -{int(number)} $$"])
            self.assertEqual(finished.returncode, -number)
            self.assertIn("messages_sent", finished.stdout)

    def ended_late(self, number, before=""):
        """What the tool prints and returns when it gets a signal after the program's end, and whether the process that is left runs on."""
        script = f"{before} {sys.executable} {tool.FAKE} --seconds 3000 >{os.devnull} 2>&1 & echo $$ $!; read line; exit 0"
        with tempfile.TemporaryDirectory() as folder:
            words = [*INTERRUPTIBLE, *tool.command("watch", "--interval", "0.1", "--agents", tool.agents(folder), "--", "sh", "-c", script)]
            with subprocess.Popen(words, env=tool.environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
                limit = threading.Timer(100, running.kill)
                limit.start()
                program, left = running.stdout.readline().split()
                stat = pathlib.Path("/proc", left, "stat")
                try:
                    # The program ends when the other process is watched, which then has another parent.
                    self.assertRegex(running.stdout.readline(), "^[0-9.]+ s  ")
                    running.stdin.close()
                    while stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1] == program:
                        time.sleep(0.01)
                    running.send_signal(number)
                    printed = running.stdout.read()
                finally:
                    limit.cancel()
                    runs_on = stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
                    if runs_on:
                        os.kill(int(left), signal.SIGKILL)
        return printed, running.returncode, runs_on

    def test_a_signal_after_the_end_of_the_program_ends_what_is_left_of_it(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            printed, status, runs_on = self.ended_late(number)
            self.assertEqual((status, runs_on), (0, False))
            self.assertIn("messages_sent", printed)

    def test_what_ignores_a_signal_after_the_end_of_the_program_is_not_waited_for(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            # It ends by itself when the tool has gone.
            printed, status, _ = self.ended_late(number, 'trap "" TERM;')
            self.assertEqual(status, 0)
            self.assertIn(f"1 process of the program still ran when {number.name} ended the run.", printed)

    def test_a_loop_of_a_shell_ends_when_its_program_is_interrupted(self):
        """The shell and the program get what a terminal sends; a shell goes on if its program has taken it for itself."""
        with tempfile.TemporaryDirectory() as folder:
            once = shlex.join(tool.command("--at", "end", "--agents", tool.agents(folder), "--output", os.devnull, "--",
                                           "sh", "-c", "kill -INT 0; sleep 30"))
            loop = subprocess.run(["bash", "-c", f"for i in 1 2; do {once}; done; echo the loop goes on"], env=tool.environment(),
                                  stdout=subprocess.PIPE, text=True, start_new_session=True, timeout=60, check=False)
        self.assertEqual((loop.returncode, loop.stdout), (-signal.SIGINT, ""))

    def test_a_program_that_tells_nothing_is_explained(self):
        for status in (0, 5):
            finished = tool.run("watch", program=["--silent", "--status", status])
            self.assertEqual(finished.returncode, status)
            self.assertIn("sent nothing", finished.stderr)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(shutil.which("true"), os.path.join(folder, "srun"))
            finished = tool.run("watch", words=[os.path.join(folder, "srun")])
        self.assertIn("srun sent nothing (exit status 0): its processes are on other machines, which need --listen HOST, or it uses no MPI",
                      finished.stderr)

    def test_a_pattern_that_no_variable_matches_is_named(self):
        text = tool.printed("watch", "--variable", "mesages_sent", "--variable", "ring*", program=FAST)
        self.assertEqual([line for line in text.splitlines() if "matches" in line],
                         ["no performance variable matches mesages_sent; perhaps messages_sent is meant."])

    def test_without_a_program_there_is_nothing_to_watch(self):
        finished = tool.run("watch")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("watch needs a program, or --replay with a record", finished.stderr)

    def test_a_process_that_outlives_the_program_is_not_waited_for(self):
        def end_the_other():
            os.kill(int(pathlib.Path(folder, "pid").read_text(encoding="utf-8")), 9)

        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as closing:
            closing.callback(end_the_other)
            late = (f"import os, socket, time; s = socket.socket(socket.AF_UNIX); "
                    f"s.connect(os.environ['MPIT_INFO_SOCKET']); open('{folder}/there', 'w'); time.sleep(500)")
            words = ["sh", "-c", f"{sys.executable} -c \"{late}\" >{folder}/out 2>&1 & echo $! > {folder}/pid; "
                     f"while [ ! -e {folder}/there ]; do sleep 0.05; done; {sys.executable} {tool.FAKE} --fast"]
            finished = tool.run("watch", words=words)
        self.assertEqual(finished.returncode, 0)
        self.assertIn("messages_sent", finished.stdout)


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "record.jsonl")

    def record(self, *arguments):
        return tool.run("watch", "--event", "*", "--record", self.path, program=[*FAST, *arguments]).stdout

    def test_a_replay_prints_what_the_run_printed(self):
        printed = self.record("--processes", "3")
        self.assertEqual(tool.printed("watch", "--replay", self.path), printed)

    def test_a_replay_knows_of_clocks_what_the_run_knew(self):
        printed = self.record("--processes", "3", "--ahead", "86400")
        self.assertLess(float(re.search(r"3 ranks, ([0-9.]+) s", printed)[1]), 60)
        self.assertEqual(tool.printed("watch", "--replay", self.path), printed)

    def test_a_replay_can_be_filtered(self):
        self.record()
        text = tool.printed("watch", "--replay", self.path, "--variable", "time*")
        self.assertIn("time_waiting", text)
        self.assertNotIn("messages_sent", text)

    def test_a_pattern_of_events_that_none_is_watched_for_has_a_sentence(self):
        self.assertIn("\nno event matches zzz*.\n", tool.printed("watch", "--event", "zzz*", "--event", "unexpected*", program=[*FAST]))
        told = samples.document(events=[samples.event(0, "comm_named", binding="communicator"), samples.event(1, "raised")])
        messages = [{"message": "recording", "format": "mpit-info stream 1", "program": ["ring"]},
                    {"message": "hello", "rank": 0, "processes": 1, "began": 0.0}, {"message": "snapshot", "document": told},
                    {"message": "columns", "columns": []}, {"message": "sample", "time": 1, "values": []}, {"message": "status", "status": 0}]
        pathlib.Path(self.path).write_text("".join(json.dumps({"process": 0, **each}) + "\n" for each in messages), encoding="utf-8")
        for pattern, is_told in (("comm*", True), ("*", False)):
            text = tool.printed("watch", "--replay", self.path, "--event", pattern)
            self.assertEqual("\ncomm_named was not watched: it is bound to a communicator.\n" in text, is_told, text)
            self.assertNotIn("no event matches", text)

    def test_software_counters_of_open_mpi_are_counted_although_they_are_declared_as_sizes(self):
        names = [f"runtime_spc_OMPI_SPC_{name}" for name in ("SEND", "BYTES_SENT_USER", "UNEXPECTED_IN_QUEUE")]
        told = samples.document(performance_variables=[
            samples.performance(number, name, **{"class": "size"}) for number, name in enumerate(names)], categories=[])
        messages = [{"message": "recording", "format": "mpit-info stream 1", "program": ["ring"]},
                    {"message": "hello", "rank": 0, "processes": 1, "began": 0.0}, {"message": "snapshot", "document": told},
                    {"message": "columns", "columns": [{"name": name, "class": "size"} for name in names]},
                    *({"message": "sample", "time": second, "values": [100 * second, 2000 * second, 3]} for second in range(5)),
                    {"message": "status", "status": 0}]
        pathlib.Path(self.path).write_text("".join(json.dumps({"process": 0, **each}) + "\n" for each in messages), encoding="utf-8")
        shown = rows(tool.printed("watch", "--replay", self.path))
        self.assertEqual([shown[name][-3 - more:] for name, more in zip(names, (0, 2, 0))],
                         [["counter", "400", "100"], ["aggregate", "8,000", "B", "2", "kB/s"], ["level", "3", "-"]])
        self.assertEqual(set(rows(tool.printed("watch", "--replay", self.path, "--class", "counter"))) & set(names), {names[0]})

    def test_a_replay_ends_with_the_status_of_the_run(self):
        self.record("--status", "4")
        self.assertEqual(tool.run("watch", "--replay", self.path).returncode, 4)

    def test_a_record_is_json_in_lines(self):
        self.record()
        lines = tool.messages(self.path)
        self.assertEqual((lines[0]["message"], lines[0]["format"]), ("recording", "mpit-info stream 1"))
        self.assertEqual(lines[-1], {"message": "status", "status": 0})
        self.assertEqual([line["message"] for line in lines if line["message"] != "event"][1:5],
                         ["hello", "snapshot", "columns", "sample"])
        self.assertTrue(all(line["process"] == 0 for line in lines[1:-1]))

    def test_a_record_that_was_cut_off_is_shown_as_far_as_it_goes(self):
        self.record()
        text = pathlib.Path(self.path).read_text(encoding="utf-8")
        pathlib.Path(self.path).write_text(text[:int(len(text) * 0.9)], encoding="utf-8")
        self.assertIn("messages_sent", tool.printed("watch", "--replay", self.path))

    def test_what_is_no_record_is_refused(self):
        for text in ("", "no JSON", "{}", "[]", '{"format": "mpit-info 1"}'):
            pathlib.Path(self.path).write_text(text, encoding="utf-8")
            finished = tool.run("watch", "--replay", self.path)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("is not a record", finished.stderr)

    def test_a_record_that_cannot_be_written_is_refused_before_the_program_runs(self):
        finished = tool.run("watch", "--record", "/nowhere/record.jsonl", program=["--prints", "it runs"])
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("cannot write /nowhere/record.jsonl", finished.stderr)


class Sizes(unittest.TestCase):
    """What a large record costs, as the number of lines of Python that are run: it doubles with the size at most."""

    def record(self, path, columns=2, processes=1, regions=2):
        """Writes a record with so many columns, processes, and regions in each other."""
        told = [{"message": "recording", "format": "mpit-info stream 1", "program": ["x"]}]
        for number in range(processes):
            of_it = {"process": number}
            told += [{**of_it, "message": "hello", "rank": number, "processes": processes, "host": "here", "pid": number + 1, "began": 9},
                     {**of_it, "message": "columns", "columns": [{"name": f"v{place}", "class": "counter"} for place in range(columns)]},
                     {**of_it, "message": "regions", "time": 1, "regions": [
                         {"number": each, "name": f"r{each}", "above": each - 1 if each else None, "visits": 1, "seconds": 0.1,
                          "values": {"v1": 1}} for each in range(regions)]}]
            told += [{"process": number, "message": "sample", "time": time, "values": [time * place for place in range(columns)]}
                     for time in (0.5, 1.5)]
        path.write_text("".join(json.dumps(message) + "\n" for message in told), encoding="ascii")

    def test_values_that_an_agent_had_no_time_to_send_are_missed(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "run.jsonl")
            missed = "\nThe last values of rank 0 are missing: the end of a program waits 2 s for them, and there were too many.\n"
            for cut, sentence in ({}, ""), ({"cut": True}, missed):
                self.record(record)
                with open(record, "a", encoding="ascii") as file:
                    file.write(json.dumps({"process": 0, "message": "end", "time": 1.5, "samples": 2, **cut}) + "\n")
                printed = tool.printed("watch", "--replay", record)
                self.assertEqual("missing" in printed, bool(sentence))
                self.assertIn(sentence, printed)

    def cost(self, command, **sizes):
        """The number of lines that the command runs, and what it prints."""
        with tempfile.TemporaryDirectory() as folder:
            record, output = pathlib.Path(folder, "run.jsonl"), pathlib.Path(folder, "output")
            self.record(record, **sizes)
            words = {"watch": ["watch", "--replay"], "diff": ["diff", str(record)]}[command]
            lines = 0

            def count(_frame, what, _argument):
                nonlocal lines
                lines += what == "line"
                return count

            before = sys.gettrace()
            sys.settrace(count)
            try:
                status = main.main([*words, str(record), "--output", str(output)])
            finally:
                sys.settrace(before)
            self.assertEqual(status, 0)
            return lines, output.read_text(encoding="utf-8")

    def test_the_time_for_a_record_grows_with_its_size_and_not_faster(self):
        for command in ("watch", "diff"):
            for size in ("columns", "processes", "regions"):
                with self.subTest(command=command, size=size):
                    self.cost(command)  # imports modules
                    (small, _), (large, _) = (self.cost(command, **{size: number}) for number in (300, 600))
                    self.assertLess(large, 2.2 * small)

    def test_regions_that_are_not_stored_are_counted(self):
        self.assertIn("\n136 regions are missing: of a process 4,096 are kept, at most 64 in each other.\n",
                      self.cost("watch", regions=201)[1])
        self.assertNotIn("missing", self.cost("watch", regions=65)[1])
