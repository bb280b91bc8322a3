"""`mpit-info tune --live`: values are changed in a program that runs: the load of the miniature runtime, and four ranks of MPICH and
Open MPI, which change before the same operation.
"""

import contextlib
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
import unittest.mock

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import reaching, signals  # noqa: E402
from mpit_info.refusal import Refusal  # noqa: E402
from mpit_info.tune import at_once, live_trials, trial  # noqa: E402

LOAD = os.environ.get("MPIT_INFO_LOAD", "")


class Scopes(unittest.TestCase):
    def test_only_several_processes_change_at_once(self):
        names = ["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL", "nosuch"]
        self.assertEqual(live_trials.changed_at_once(names, samples.document(processes=2)), ["MYMPI_PROTOCOL"])
        self.assertEqual(live_trials.changed_at_once(names, samples.document(processes=1)), [])


class Late(unittest.TestCase):
    def test_a_measurement_lasts_until_the_first_call_of_a_function(self):
        told = [{"message": "hello", "rank": 0, "processes": 1, "began": 1000.0}, {"message": "columns", "columns": []},
                *({"message": "sample", "time": time_, "values": []} for time_ in (0.0, 1.0)),
                {"message": "columns", "columns": [{"name": "MPI_Allreduce_calls", "class": "counter"}]},
                *({"message": "sample", "time": time_, "values": [7]} for time_ in (2.0, 3.0))]
        source = types.SimpleNamespace(messages=lambda: (pair for pair in [(0, message) for message in told]), received=())
        trials = live_trials.LiveTrials(["program"], types.SimpleNamespace(name="MPI_Allreduce_calls", over=None, text=""), None, 1)
        trials.pids = [1]
        with unittest.mock.patch.object(live_trials.attach, "Attached", lambda *_: source):
            self.assertEqual([column.name for column in trials.watched().columns], ["MPI_Allreduce_calls"])


class OneGoesOn(unittest.TestCase):
    def test_a_rank_that_goes_on_within_the_change_gives_all_the_former_values_and_no_new_communicator(self):
        """Two ranks that pretend: the second one waits until it has the new value."""
        values, released = {1: "former", 2: "former"}, []

        def answer(pid, request):
            if request["want"] == "set":
                values[pid] = request["value"]
                went_on.update([pid] if (pid, request["value"]) == (2, "new") else [])
                return {"rank": pid - 1, "values": [{"value": request["value"]}]}
            if request["operation"] == 0:
                released.append((pid, request["new"], dict(values)))
            return {"rank": pid - 1, "values": [{"begun": 4, "held": pid not in went_on}]}

        went_on = set()
        trials = live_trials.LiveTrials(["program"], types.SimpleNamespace(name="", over=None, text=""), None, 1)
        self.addCleanup(trials.close)
        trials.pids, trials.present, trials.at_once = [1, 2], {"A": "former"}, ["A"]
        with unittest.mock.patch.object(reaching, "answer", answer), self.assertRaisesRegex(
                trial.Failure, "^does not change A: rank 1 went on before the end of the change, which took longer than 10 s$"):
            trials.assign((("A", "new"),))
        former = {1: "former", 2: "former"}
        self.assertEqual(released, [(1, False, former), (2, False, former)])


class Told(unittest.TestCase):
    """What ranks are told, which wait before operation 8."""

    def told(self, before=lambda pid, request: None, end=contextlib.nullcontext()):
        """The requests after the change: the rank, the operation, and whether a new communicator is wanted."""
        requests = []

        def answer(pid, request):
            requests.append((pid, request["operation"], request["new"]))
            before(pid, request)
            return {"rank": pid, "values": [{"begun": 7, "held": True}]}

        with unittest.mock.patch.object(reaching, "answer", answer), end:
            with at_once.held([0, 1, 2]) as check:
                requests.clear()
                check()
        return requests

    def test_all_ranks_are_told_of_the_new_communicator_before_one_goes_on(self):
        self.assertEqual(self.told(), [(pid, operation, True) for operation in (8, 0) for pid in range(3)])

    def test_a_rank_that_does_not_answer_is_not_the_last_that_is_told(self):
        def silent(pid, request):
            if (pid, request["operation"]) == (0, 0):
                raise Refusal("process 0 does not answer", 1)

        self.assertEqual(self.told(silent)[3:], [(pid, 0, True) for pid in range(3)])

    def test_no_rank_goes_on_in_a_new_communicator_of_which_another_was_not_told(self):
        def silent(pid, request):
            if pid == 1 and request["new"]:
                raise Refusal("process 1 does not answer", 1)

        self.assertEqual(self.told(silent, self.assertRaises(Refusal))[2:], [(pid, 0, False) for pid in range(3)])

    def test_a_signal_waits_until_all_ranks_are_told(self):
        def interrupted(_, request):
            if request["new"]:
                signal.raise_signal(signal.SIGINT)

        kept = signal.signal(signal.SIGINT, signals.interrupt)
        self.addCleanup(signal.signal, signal.SIGINT, kept)
        self.assertEqual(len(self.told(interrupted, self.assertRaises(signals.Interrupted))), 6)


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
            2, "", "mpit-info: the program does not take MINI_PROTOCOL=automatic: the variable cannot be set; without --live, tune starts the "
            "program again for each value\n"))

    def test_the_time_of_the_program_is_no_metric_of_one_run(self):
        tuned, starts = self.tune("--live", "0.1", "--sweep", "MINI_EAGER_LIMIT=64")
        self.assertEqual((tuned.returncode, starts, tuned.stderr),
                         (2, 0, "mpit-info: --live compares a performance variable: choose one by --metric\n"))

    def test_a_variable_of_the_environment_does_not_change(self):
        tuned, _ = self.tune("--live", "0.1", "--sweep", "env:OTHER=1,2", "--metric", "messages_sent")
        self.assertEqual(tuned.returncode, 2)
        self.assertIn("--live changes control variables while the program runs", tuned.stderr)


class AtOnce:
    mpi, variable, values, environment = "", "", "", {}

    def tune(self, folder, *words, command=tool.command, place=lambda words: words, values=None):
        """The command, finished; `place` makes the words of the job."""
        job = built.ranks(self.mpi, 4, built.sample(f"reducing-{self.mpi}"), os.path.join(folder, "rank"), self.variable, *words)
        return subprocess.run(
            [*command("tune", "--agents", built.FOLDER, "--quiet", "--json", "--live", "0.05", "--repeat", "2", "--maximise", "--metric",
                      "MPI_Allreduce_calls", "--sweep", f"{self.variable}={values or self.values}"), "--", *place(job)],
            env=tool.environment(**built.AS_ROOT, **self.environment), text=True, timeout=240, capture_output=True, check=False)

    def check_all_were_measured(self, tuned):
        self.assertIn(tuned.returncode, (0, 1), tuned.stderr)
        failed = [each["failed"] for each in json.loads(tuned.stdout)["races"][0]["candidates"]]
        self.assertEqual(failed, [None] * len(failed), tuned.stdout)

    def changes(self):
        """What each rank has seen: rows with the number of the operation, the value, and the elements that it has reduced."""
        with tempfile.TemporaryDirectory() as folder:
            self.check_all_were_measured(self.tune(folder, "64", "0", "300"))
            seen = [[tuple(map(int, line.split())) for line in pathlib.Path(folder, f"rank.{rank}").read_text(encoding="ascii").splitlines(True)
                     if line.endswith("\n")] for rank in range(4)]
        return list(zip(*seen))  # the program is ended while ranks write

    def test_ranks_that_are_not_released_go_on_with_those_that_are(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(at_once, "PATIENCE", 60):
            job = built.ranks(self.mpi, 4, built.sample(f"reducing-{self.mpi}"), os.path.join(folder, "rank"), self.variable, "64", "0", "300")
            with subprocess.Popen(tool.command("resident", "--agents", built.FOLDER, "--log-calls", "--", *job),
                                  env=tool.environment(**built.AS_ROOT, **self.environment), stdout=subprocess.DEVNULL) as started:
                try:
                    pids = []
                    while len(pids) < 4:
                        pids = reaching.with_agents(reaching.below(started.pid))
                        time.sleep(0.05)
                    operation = at_once.gather(pids)
                    at_once.PATIENCE = 1
                    at_once.check(pids, operation)
                    at_once.release(pids[:1], True)
                    limit = time.monotonic() + 120
                    # No rank comes to this operation, so that none is held.
                    while (begun := min(at_once.asked(pid, 2**32 - 1)[0] for pid in pids)) < operation + 20 and time.monotonic() < limit:
                        time.sleep(0.05)
                    self.assertGreaterEqual(begun, operation + 20)
                finally:
                    started.terminate()

    def test_all_ranks_change_before_the_same_operation(self):
        """They run ahead of others by turns, with operations that do not block, on other communicators and between two ranks, of which one needs
        calls of the other."""
        rows = self.changes()
        for row in rows:
            self.assertEqual([each[:2] for each in row], [row[0][:2]] * 4)
        # From the change on, the operations are those of the new algorithm.
        by_value = {}
        for row in rows:
            by_value.setdefault(row[0][1], set()).add(tuple(reduced for *_, reduced in row))
        self.assertEqual(by_value, {value: {by_rank} for value, by_rank in self.reduced.items()})


class AtOnceMpich(AtOnce, unittest.TestCase):
    mpi, variable, values = "mpich", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "recursive_doubling,smp"
    # By the number of the algorithm.
    reduced = {0: (128, 128, 128, 128), 3: (128, 128, 128, 128), 2: (128, 0, 64, 0)}

    def test_a_job_that_ends_is_started_again(self):
        """The launcher ends after its processes. The first job ends within the measurements."""
        with tempfile.TemporaryDirectory() as folder:
            def place(words):
                job = shlex.join(words)
                return ["sh", "-c", f"if [ $MPIT_AGENT ] && mkdir {folder}/first; then {job} 200; sleep 0.3; else exec {job}; fi 2> /dev/null"]
            self.check_all_were_measured(self.tune(folder, "64", "0", "300", place=place, values=self.values.partition(",")[0]))
            self.assertTrue(os.path.exists(os.path.join(folder, "first")))

    def test_a_job_without_operations_of_the_world_is_refused_with_a_rank(self):
        """The time limit is shorter here."""
        def command(*words):
            return [sys.executable, "-c", "import sys; from mpit_info.tune import at_once; at_once.PATIENCE = 0.5; from mpit_info.main "
                    "import main; sys.exit(main())", *words]

        with tempfile.TemporaryDirectory() as folder:
            tuned = self.tune(folder, "0", "0", command=command)
        self.assertEqual((tuned.returncode, tuned.stdout), (2, ""))
        self.assertRegex(tuned.stderr, f"^mpit-info: the program does not change {self.variable}: all ranks must wait before one collective "
                                       "operation of MPI_COMM_WORLD, and rank [0-3] began none for 0.5 s\n$")


class AtOnceOpenmpi(AtOnce, unittest.TestCase):
    mpi, variable, values = "openmpi", "coll_tuned_allreduce_algorithm", "basic_linear,ring"
    # A message is sent by calls of both ranks.
    environment = {"OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    reduced = {0: (128, 128, 128, 128), 1: (192, 0, 0, 0), 4: (48, 48, 48, 48)}
