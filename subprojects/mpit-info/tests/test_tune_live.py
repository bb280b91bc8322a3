"""`mpit-info tune --live`: values are changed in a program that runs, here the load of the miniature runtime."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info.tune import live_trials  # noqa: E402

LOAD = os.environ.get("MPIT_INFO_LOAD", "")


class Scopes(unittest.TestCase):
    def test_only_several_processes_can_have_unequal_values(self):
        names = ["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL", "nosuch"]
        self.assertEqual(live_trials.must_be_equal(names, samples.document(processes=2)), ["MYMPI_PROTOCOL"])
        self.assertEqual(live_trials.must_be_equal(names, samples.document(processes=1)), [])


@unittest.skipUnless(built.FOLDER and LOAD, "the agents were not built")
class Live(unittest.TestCase):
    def tune(self, *arguments, first=60):
        """The command, finished, and how often the load was started as in a job; the first of these lasts so many seconds."""
        with tempfile.TemporaryDirectory() as folder:
            starts = pathlib.Path(folder, "starts")
            script = (f'if [ -z "$MPIT_AGENT" ]; then exec {LOAD} 60; fi; echo >> {starts}; '
                      f'if [ $(wc -l < {starts}) = 1 ]; then exec {LOAD} {first}; else exec {LOAD} 60; fi')
            finished = tool.call("tune", "--agents", built.FOLDER, "--quiet", *arguments, "--", "sh", "-c", script)
            return finished, len(starts.read_text(encoding="ascii")) if starts.exists() else 0

    def test_a_value_is_changed_within_one_run(self):
        tuned, starts = self.tune("--live", "0.1", "--sweep", "MINI_EAGER_LIMIT=64,1M", "--metric", "rendezvous_messages", "--repeat", "3",
                                  "--json", "--maximise")
        self.assertEqual(starts, 1, tuned.stderr)
        told = json.loads(tuned.stdout)["races"][0]["candidates"]
        results = {tuple(each["settings"].values()): each["results"] for each in told}
        # The longest message has 256 KiB.
        self.assertEqual(sorted(results["1048576",])[len(results["1048576",]) // 2], 0)
        self.assertGreater(max(results["64",]), 0)

    def test_a_program_that_ends_is_started_again(self):
        tuned, starts = self.tune("--live", "0.1", "--sweep", "MINI_EAGER_LIMIT=64", "--metric", "messages_sent", "--repeat", "2", "--json",
                                  first=0.2)
        self.assertEqual([each["failed"] for each in json.loads(tuned.stdout)["races"][0]["candidates"]], [None, None], tuned.stderr)
        self.assertEqual(starts, 2)

    def test_a_variable_that_cannot_change_is_refused_with_its_reason(self):
        tuned, _ = self.tune("--live", "0.1", "--sweep", "MINI_PROTOCOL=eager", "--metric", "messages_sent")
        self.assertEqual((tuned.returncode, tuned.stdout, tuned.stderr), (
            2, "", "mpit-info: the program does not take MINI_PROTOCOL=automatic: the variable cannot be set\n"))

    def test_the_time_of_the_program_is_no_metric_of_one_run(self):
        tuned, starts = self.tune("--live", "0.1", "--sweep", "MINI_EAGER_LIMIT=64")
        self.assertEqual((tuned.returncode, starts, tuned.stderr),
                         (2, 0, "mpit-info: --live compares a performance variable: choose one by --metric\n"))

    def test_a_variable_of_the_environment_does_not_change(self):
        tuned, _ = self.tune("--live", "0.1", "--sweep", "env:OTHER=1,2", "--metric", "messages_sent")
        self.assertEqual(tuned.returncode, 2)
        self.assertIn("--live changes control variables while the program runs", tuned.stderr)
