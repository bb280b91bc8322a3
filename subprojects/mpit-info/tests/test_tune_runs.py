"""`mpit-info tune` over a program that pretends: what runs, what is printed and written."""

import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import tool

PROGRAM = str(tool.HERE / "tunable.py")
RESULT = "took ([0-9.]+)"
LIMITS = "MYMPI_EAGER_LIMIT=1k..16k*4"


class Tunings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.runs = folder.name, os.path.join(folder.name, "runs")
        self.agents = os.path.join(folder.name, "agents")
        os.mkdir(self.agents)
        tool.agents(self.agents)

    def tune(self, *arguments, program=(), metric=RESULT, variables=None, agents=True):
        return tool.call("tune", *(["--metric", metric] if metric else []), *(["--agents", self.agents] if agents else []), *arguments,
                         "--", sys.executable, "-E", "-S", PROGRAM, "--runs", self.runs, *program, variables=variables)

    def result(self, *arguments, status, **settings):
        finished = self.tune("--json", *arguments, **settings)
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def counted(self):
        return collections.Counter(line.split()[0] for line in pathlib.Path(self.runs).read_text(encoding="utf-8").splitlines())

    def test_the_best_value_wins_and_is_written_for_use(self):
        finished = self.tune("--sweep", LIMITS, program=["--best", 4096])
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertRegex(finished.stdout, r"Winner: MYMPI_EAGER_LIMIT=4096: 3\d % less than 64k \(as it is\)\.")
        self.assertIn("New runs of both: 10 of 10 pairs better", finished.stdout)
        self.assertIn("export MYMPI_EAGER_LIMIT=4096\n", finished.stdout)
        self.assertIn("MYMPI_EAGER_LIMIT = 4096\n", finished.stdout)

    def test_a_value_that_does_nothing_is_noise(self):
        finished = self.tune("--sweep", LIMITS)
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("No difference: what the values show is noise", finished.stdout)
        self.assertNotIn("export", finished.stdout)

    def test_present_values_that_are_better_than_all_others_are_the_best(self):
        finished = self.tune("--sweep", LIMITS, program=["--best", 65536])
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertRegex(finished.stdout, r"The best is 64k \(as it is\): 3\d % less than (1|4|16)k, the next best\.")
        self.assertIn("New runs of both: 10 of 10 pairs better", finished.stdout)
        self.assertNotIn("No difference", finished.stdout)

    def test_a_value_that_was_stopped_is_no_noise(self):
        finished = self.tune("--sweep", "SIZE=a,b,c", program=["--word", "{SIZE}", "--worst-word", "c"])
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("c: stopped after 2 runs, clearly worse.", finished.stdout)
        self.assertIn("No value is better than a (as it is): what the values that were not stopped show is noise.",
                      finished.stdout)

    def test_a_metric_that_never_moves_is_told_from_noise(self):
        finished = self.tune("--sweep", LIMITS, metric="time_waiting", program=["--cost", 0])
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("The metric never moved: all 20 runs measured 0, with every value.", finished.stdout)
        self.assertIn("It says nothing about MYMPI_EAGER_LIMIT", finished.stdout)
        self.assertNotIn("noise", finished.stdout)

    def test_a_metric_that_is_the_same_with_every_value_never_moves(self):
        told = self.result("--sweep", LIMITS, program=["--noise", 0], status=1)
        self.assertEqual((told["verdict"], told["winner"]), ("the metric never moved", {}))

    def test_the_document_has_all_runs(self):
        told = self.result("--sweep", LIMITS, "--repeat", 3, status=1)
        self.assertEqual((told["format"], told["verdict"], told["winner"]), ("mpit-info tuning 1", "no difference", {}))
        self.assertEqual([len(each["results"]) for each in told["races"][0]["candidates"]], [3, 3, 3, 3])
        self.assertEqual(told["present"], {"MYMPI_EAGER_LIMIT": "65536"})

    def test_the_present_value_is_not_tried_twice(self):
        told = self.result("--sweep", "MYMPI_EAGER_LIMIT=1k,64k", status=1)
        self.assertEqual([each["settings"] for each in told["races"][0]["candidates"]], [{}, {"MYMPI_EAGER_LIMIT": "1024"}])

    def test_the_number_of_a_present_item_is_the_present_value(self):
        told = self.result("--sweep", "MYMPI_PROTOCOL=1,2", "--sweep", "MYMPI_RANKS=4", "--repeat", 2, status=1)
        self.assertEqual([each["settings"] for each in told["races"][0]["candidates"]],
                         [{}, {"MYMPI_PROTOCOL": "1", "MYMPI_RANKS": "4"}, {"MYMPI_PROTOCOL": "2", "MYMPI_RANKS": "4"}])
        self.assertEqual(told["notes"], [])

    def test_the_users_own_environment_is_the_present_value(self):
        told = self.result("--sweep", LIMITS, program=["--best", 4096], variables={"MYMPI_EAGER_LIMIT": "4096"}, status=1)
        self.assertEqual(told["present"], {"MYMPI_EAGER_LIMIT": "4096"})
        self.assertLess(told["races"][0]["candidates"][0]["median"], 1.1)

    def test_the_highest_can_be_best(self):
        told = self.result("--sweep", LIMITS, "--maximise", program=["--best", 65536, "--noise", 0], status=0)
        self.assertEqual(told["winner"], {"MYMPI_EAGER_LIMIT": "1024"})
        self.assertAlmostEqual(told["duel"]["change"], 0.5)

    def test_a_performance_variable_can_be_the_metric(self):
        told = self.result("--sweep", LIMITS, metric="time_waiting", program=["--best", 1024], status=0)
        self.assertEqual((told["metric"], told["winner"]), ("sum of time_waiting", {"MYMPI_EAGER_LIMIT": "1024"}))

    def test_a_performance_variable_that_is_not_there_is_named(self):
        finished = self.tune("--sweep", LIMITS, metric="time_wating")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("sampled were: time_waiting", finished.stderr)

    def test_the_time_of_the_program_is_compared_without_an_agent(self):
        told = self.result("--sweep", "env:MYMPI_EAGER_LIMIT=1k,2k", "--repeat", 2, "--agents", self.folder, agents=False,
                           metric=None, status=1)
        self.assertEqual((told["metric"], told["unit"]), ("time of the program", "s"))
        self.assertEqual(told["mpi"], None)
        self.assertEqual(set(self.counted()), {"-", "1024", "2048"})

    def test_arguments_of_the_program_can_be_tuned(self):
        told = self.result("--sweep", "SIZE=a,b,c", program=["--best-word", "b", "--word", "{SIZE}"], status=0)
        self.assertEqual(told["winner"], {"SIZE": "b"})
        self.assertEqual(told["lines"], [{"place": "argument", "line": "{SIZE} is b"}])

    def test_two_variables_are_a_grid(self):
        told = self.result("--sweep", LIMITS, "--sweep", "MYMPI_RANKS=2,4", program=["--best", 4096, "--best-ranks", 4], status=0)
        self.assertEqual(told["winner"], {"MYMPI_EAGER_LIMIT": "4096", "MYMPI_RANKS": "4"})
        self.assertEqual(len(told["races"][0]["candidates"]), 7)

    def test_the_table_has_a_column_for_each_variable(self):
        text = self.tune("--sweep", LIMITS, "--sweep", "MYMPI_RANKS=2,4", "--repeat", 2).stdout
        self.assertRegex(text, r"MYMPI_EAGER_LIMIT +MYMPI_RANKS +Runs")
        self.assertRegex(text, r"(?m)^64k +1 \(as it is\) +2 ")
        self.assertRegex(text, r"(?m)^4k +2 +2 ")

    def test_two_variables_can_be_tuned_one_after_the_other(self):
        told = self.result("--sweep", LIMITS, "--sweep", "MYMPI_RANKS=2,4", "--search", "one",
                           program=["--best", 4096, "--best-ranks", 4], status=0)
        self.assertEqual(told["winner"], {"MYMPI_EAGER_LIMIT": "4096", "MYMPI_RANKS": "4"})
        self.assertEqual([race["title"] for race in told["races"]], ["MYMPI_EAGER_LIMIT", "MYMPI_RANKS"])

    def test_an_optimiser_chooses_the_combinations(self):
        try:
            import optuna  # noqa: F401
        except ImportError:
            self.skipTest("python3-optuna is not installed")
        told = self.result("--sweep", LIMITS, "--sweep", "MYMPI_RANKS=2,4", "--search", "optimise", "--trials", 8, "--repeat", 3,
                           program=["--best", 4096, "--best-ranks", 4], status=0)
        self.assertEqual(told["winner"], {"MYMPI_EAGER_LIMIT": "4096", "MYMPI_RANKS": "4"})
        self.assertGreater(len(told["tried"]), 2)

    def test_a_value_that_breaks_the_program_is_left_out(self):
        finished = self.tune("--sweep", LIMITS, program=["--best", 4096, "--breaks", 1024])
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertIn("1k: ended with status 3: the queue is full.", finished.stdout)

    def test_a_value_that_the_program_does_not_take_is_refused(self):
        finished = self.tune("--sweep", LIMITS, program=["--deaf", "yes"])
        self.assertEqual(finished.returncode, 2)
        self.assertIn("MYMPI_EAGER_LIMIT stays 65536 with MYMPI_EAGER_LIMIT=16384 in the environment", finished.stderr)

    def test_a_sweep_of_which_the_present_value_alone_is_left_is_refused(self):
        for values, deaf, reason in (("64k", [], "there is nothing to compare: all values are the present ones"),
                                     ("64k,16k", ["--deaf", "yes"], "MYMPI_EAGER_LIMIT=16384 is left out: the program keeps 65536 with it")):
            finished = self.tune("--sweep", f"MYMPI_EAGER_LIMIT={values}", program=deaf)
            self.assertEqual(finished.returncode, 2, finished.stderr)
            self.assertIn(reason, finished.stderr)

    def test_a_program_that_fails_as_it_is_is_refused(self):
        finished = self.tune("--sweep", "MYMPI_EAGER_LIMIT=1k,2k", program=["--breaks", 4096],
                             variables={"MYMPI_EAGER_LIMIT": "4096"})
        self.assertEqual(finished.returncode, 2)
        self.assertIn("the program ended with status 3: the queue is full with its present values", finished.stderr)

    def test_a_misspelt_variable_is_refused_before_any_run(self):
        finished = self.tune("--sweep", "MYMPI_EAGER_LIMT=1k,2k")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("perhaps MYMPI_EAGER_LIMIT is meant", finished.stderr)
        self.assertFalse(os.path.exists(self.runs))

    def test_a_run_that_takes_too_long_is_ended(self):
        finished = tool.call("tune", "--sweep", "env:NAP=0,60", "--repeat", 2, "--limit", 2, "--agents", self.folder,
                             "--", "sh", "-c", "sleep ${NAP:-0}", timeout=55)
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("60: took longer than 2 s.", finished.stdout)

    def launcher(self):
        """The words of a program that starts two ranks when it is measured, one of which belongs to nobody, and waits; and the file of
        their numbers.
        """
        file = os.path.join(self.folder, "ranks")
        rank = f"sleep 3000 & echo $! >> {file}"
        script = """case "$MPIT_INFO_REQUEST" in *init*) ;; *) sh -c "$1"; eval "$1"; wait;; esac"""
        return ["sh", "-c", script, "sh", rank], pathlib.Path(file)

    def ranks_left(self, file):
        """How many ranks were started, and the numbers of those that still run, which end now."""
        pids = [int(line) for line in file.read_text(encoding="ascii").split()]
        left = []
        for pid in pids:
            stat = pathlib.Path("/proc", str(pid), "stat")
            with contextlib.suppress(OSError):
                if stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX":
                    left.append(pid)
                    os.kill(pid, signal.SIGKILL)
        return len(pids), left

    def test_a_run_that_takes_too_long_leaves_no_ranks(self):
        program, file = self.launcher()
        for metric in ([], ["--metric", "time_waiting"]):
            finished = tool.call("tune", "--sweep", "env:ANY=1", "--repeat", 2, "--limit", 3, "--agents", self.agents, *metric,
                                 "--", *program)
            self.assertIn("took longer than 3 s", finished.stderr)
            self.assertEqual(self.ranks_left(file), (2, []))
            file.unlink(missing_ok=True)

    def test_a_signal_to_the_tool_ends_the_ranks(self):
        program, file = self.launcher()
        with_agent = ["--metric", "time_waiting"]
        for metric, number in (([], signal.SIGTERM), ([], signal.SIGINT), (with_agent, signal.SIGTERM), (with_agent, signal.SIGHUP)):
            words = tool.command("tune", "--sweep", "env:ANY=1", "--repeat", 2, "--agents", self.agents, *metric, "--", *program)
            with self.subTest(metric=metric, number=number), \
                    subprocess.Popen(["env", "--default-signal=INT,TERM,HUP", *words], env=tool.environment(), text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
                while not file.exists() or file.read_text(encoding="ascii").count("\n") < 2:
                    self.assertIsNone(running.poll())
                    time.sleep(0.01)
                running.send_signal(number)
                running.communicate(timeout=100)
                self.assertEqual(self.ranks_left(file), (2, []))
                self.assertEqual(running.returncode, 128 + number)
            file.unlink(missing_ok=True)

    def test_an_interruption_leaves_the_rounds_so_far(self):
        for metric in ([], ["--metric", "time_waiting"]):
            with self.subTest(metric=metric):
                words = tool.command("tune", "--sweep", "env:NOTHING=a", "--repeat", 50, "--agents", self.agents, *metric, "--",
                                     sys.executable, "-E", "-S", PROGRAM)
                with subprocess.Popen(words, env=tool.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      start_new_session=True) as running:
                    told = [""]
                    while "round 2" not in told[-1]:
                        told.append(running.stderr.readline())
                        self.assertIsNone(running.poll(), "".join(told))
                    os.killpg(running.pid, signal.SIGINT)
                    printed, _ = running.communicate(timeout=60)
                self.assertEqual(running.returncode, 130)
                self.assertIn("Interrupted: no winner was determined; the table has the runs so far.", printed)

    def test_progress_is_told_beside_the_result(self):
        finished = self.tune("--sweep", LIMITS, "--repeat", 3)
        self.assertIn("mpit-info: runs (12)\n", finished.stderr)
        self.assertIn("mpit-info: round 2 of 3 done, best ", finished.stderr)
        self.assertEqual(self.tune("--sweep", LIMITS, "--quiet").stderr, "")

    def test_the_output_of_the_program_is_not_shown(self):
        finished = self.tune("--sweep", LIMITS)
        self.assertNotIn("in all", finished.stdout + finished.stderr)

    def test_the_table_fits_the_width(self):
        for width in (50, 80, 120):
            lines = self.tune("--sweep", LIMITS, "--repeat", 2, "--width", width).stdout.splitlines()
            first = next(number for number, line in enumerate(lines) if line.startswith("MYMPI_EAGER_LIMIT"))
            self.assertLessEqual(max(map(len, lines[first:first + 5])), width)

    def test_a_picture_shows_the_metric_against_the_values(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("python3-matplotlib is not installed")
        path = os.path.join(self.folder, "tuning.svg")
        finished = self.tune("--sweep", LIMITS, "--repeat", 2, "--picture", path, variables={"MPLCONFIGDIR": self.folder})
        self.assertEqual(finished.returncode, 1, finished.stderr)
        drawn = pathlib.Path(path).read_text(encoding="utf-8")
        xml.etree.ElementTree.fromstring(drawn)
        self.assertTrue(all(f"<!-- {text} -->" in drawn for text in ("1k", "4k", "16k", "MYMPI_EAGER_LIMIT", "no difference")),
                        re.findall("<!-- (.*) -->", drawn))

    def test_a_picture_of_an_unknown_kind_is_refused_before_any_run(self):
        finished = self.tune("--sweep", LIMITS, "--picture", "tuning.txt")
        self.assertEqual(finished.returncode, 2)
        self.assertFalse(os.path.exists(self.runs))
