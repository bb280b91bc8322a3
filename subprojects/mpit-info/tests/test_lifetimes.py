"""Programs that start and end an MPI in every way behave as without mpit-info: output, errors, exit status.

An MPI is seen from its start to its end; nothing is called in one that was never started, or has ended.
"""

import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from unittest import mock

import comparison
import built
import tool
from built import ranks, sample

sys.path.insert(0, str(tool.FRONT))

from mpit_info import launch  # noqa: E402

MPIS = ("mpich", "openmpi")
WATCH = {"want": "watch", "rate": 200, "variables": ["*"], "events": []}
AT_END = {"want": "snapshot", "at": "end"}
# The rest is another program, whose errors go into a file.
ASIDE = ["sh", "-c", "exec \"$@\" 2>'{file}'", "sh"]


def lines(text):
    """What a program and its ranks print, in any order; numbers of processes differ. Open MPI writes a place in brackets and
    the words behind it one by one, so that those of two ranks may share a line."""
    return sorted(filter(None, re.split(r"\n|(?<=\]) ", re.sub(r"\b\d{3,}\b", "N", text))))


def facts(outcome):
    return lines(outcome.output.decode()), lines(outcome.file.decode()), comparison.shell_status(outcome)


def run_with_agents(words, request, **variables):
    """A program with the agents inside, and the messages of its processes."""
    messages = []

    def through_agents(_, command, environment):
        with mock.patch.dict(os.environ, environment, clear=True), tempfile.TemporaryFile() as output:
            run = launch.Run(command, request, built.FOLDER, output)
            messages.extend(message for _, message in run.messages() if message)
            output.seek(0)
            return run.status, output.read(), b""

    return comparison.run(comparison.Entry([*ASIDE, *words], variables=variables), through_agents), messages


@unittest.skipUnless(built.FOLDER and built.PROGRAMS, "the agents were not built")
class Lifetimes(unittest.TestCase):
    def moments(self, *words, request=WATCH, has_same_errors=True, **variables):
        """Runs a program alone and with the agents, which must not be seen, and returns the moments of its snapshots."""
        with self.subTest(words=words):
            under, messages = run_with_agents(words, request, **variables)
            alone = comparison.run(comparison.Entry([*ASIDE, *words], variables=variables))
            step = 1 if has_same_errors else 2
            self.assertEqual(facts(under)[::step], facts(alone)[::step])
        return [message["document"]["taken"] for message in messages if message["message"] == "snapshot"]

    def check(self, *words, **settings):
        """An MPI is seen from its start to its end."""
        self.assertEqual(self.moments(*words, **settings), ["after MPI_Init", "at MPI_Finalize"], words)

    def check_silent(self, *words, **settings):
        self.assertEqual(self.moments(*words, **settings), [], words)

    # How an MPI is started.

    def test_a_world_is_seen_from_its_start_to_its_end(self):
        for mpi in MPIS:
            self.check(sample(f"lifetime-{mpi}"), "thread", "finalize")
        for start in ("world", "session"):
            self.assertEqual(self.moments(sample("lifetime-mpich"), start, "finalize", request=AT_END), ["at MPI_Finalize"])

    def test_sessions_are_seen_until_the_last_of_them_has_ended(self):
        for start in ("session", "sessions", "world-session"):
            self.check(sample("lifetime-mpich"), start, "finalize")

    def test_what_is_started_again_is_seen_again(self):
        told = self.moments(sample("lifetime-mini"), "session-world", "finalize")
        self.assertEqual(told, 2 * ["after MPI_Init", "at MPI_Finalize"])

    def test_a_program_that_has_sessions_is_listed_when_the_first_has_begun(self):
        finished = built.run("--json", "--", sample("lifetime-mpich"), "session", "finalize")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.assertEqual(json.loads(finished.stdout)["taken"], "after MPI_Init")

    def test_sessions_have_the_ranks_of_their_launcher(self):
        words = ranks("mpich", 2, sample("lifetime-mpich"), "session", "finalize", "0")
        told = run_with_agents(words, AT_END)[1]
        self.assertEqual(sorted((each["rank"], each["processes"]) for each in told if each["message"] == "hello"), [(0, 2), (1, 2)])

    def test_programs_in_fortran_are_seen(self):
        for name in ("f08-mpich", "f90-mpich", "f08-openmpi", "f90-openmpi"):
            self.check(sample(f"lifetime-{name}"), "thread", "7")
        self.check(sample("lifetime-f08-mpich"), "session")

    def test_functions_for_fortran_are_seen_in_a_library_that_is_bound_to_itself(self):
        for names in range(4):
            self.check(sample("fortran_names"), str(names))

    def test_ranks_in_fortran_are_seen(self):
        told = self.moments(*ranks("openmpi", 2, sample("lifetime-f08-openmpi"), "world"))
        self.assertEqual(sorted(told), ["after MPI_Init", "after MPI_Init", "at MPI_Finalize", "at MPI_Finalize"])

    # How it is ended.

    def test_a_program_that_leaves_its_mpi_is_read_at_its_exit(self):
        for words in (["mpich", "world", "unfinished"], ["mpich", "session", "exit"], ["openmpi", "world", "exit"]):
            told = self.moments(sample(f"lifetime-{words[0]}"), *words[1:])
            self.assertEqual(told, ["after MPI_Init", "at exit"], words)

    def test_a_program_that_ends_without_handlers_ends_so(self):
        for mpi, ends in (("mpich", ("now", "quick", "signal", "exec", "abort")), ("openmpi", ("abort", "signal", "fatal"))):
            for end in ends:
                # Open MPI's daemon of a process without mpiexec tells an abort in one of two ways, by chance: alone as well.
                is_by_chance = mpi == "openmpi" and end in ("abort", "fatal")
                told = self.moments(sample(f"lifetime-{mpi}"), "thread", end, has_same_errors=not is_by_chance)
                self.assertEqual(told, ["after MPI_Init"], end)

    def test_a_program_that_never_starts_its_mpi_is_left_alone(self):
        for mpi in MPIS:
            self.check_silent(sample(f"lifetime-{mpi}"), "none", "exit", request=AT_END)

    # Which MPI it is.

    def test_the_binary_interface_decides_and_not_the_name(self):
        for name in ("MPICH Version:      5.0.0 ABI", "Open MPI v6.0.0, package: of somebody"):
            self.check(sample("abi/lifetime"), "world-session", "finalize", OTHER_NAME=name)

    def test_an_mpi_in_the_program_itself_is_left_alone(self):
        for name in ("static", "static-mpich"):
            self.check_silent(sample(f"lifetime-{name}"), "thread", "finalize")

    def test_the_first_of_two_mpis_is_seen_and_both_work(self):
        for first, second in (("mini", "mpich"), ("mpich", "openmpi")):
            self.check(sample("late"), sample(f"plugin-{first}.so"), sample(f"plugin-{second}.so"))

    def test_an_mpi_of_a_plugin_stays_with_the_plugin(self):
        self.check(sample("late"), sample("plugin-openmpi.so"))

    def test_an_mpi_that_is_called_by_name_is_left_alone(self):
        sample("lifetime-mpich")
        self.check_silent(sample("late"), "--by-name", "libmpich.so.12")

    def test_a_program_finds_no_function_that_is_not_there(self):
        self.check_silent(sample("late"), "--asks")

    # What else is loaded.

    def test_a_launcher_with_an_mpi_preloaded_is_left_alone(self):
        for mpi, library in (("openmpi", "libmpi.so.40"), ("mpich", "libmpich.so.12")):
            self.check(*ranks(mpi, 1, sample(f"lifetime-{mpi}"), "world", "finalize", "0"), LD_PRELOAD=library)

    def test_what_a_user_preloads_is_for_the_job(self):
        words = [sample("lifetime-mpich"), "world", "finalize"]
        finished = built.run("watch", "--", *words, variables={"LD_PRELOAD": sample("profiler-mpich.so")})
        self.assertEqual((finished.returncode, finished.stderr), (7, ""))
        self.assertIn("profiler begins 0\ninit 0\nrank 0\nprocesses 1\nprofiler ends\nfinalize 0\n", finished.stdout)
        self.assertIn("1 rank, ", finished.stdout)

    def test_the_job_has_the_environment_of_the_tool(self):
        given = {"LD_PRELOAD": tool.loaded_library(), "LD_AUDIT": sample("auditor.so"), "ASAN_OPTIONS": "exitcode=9"}
        show = "import os; print({name: os.environ.get(name) for name in ('LD_PRELOAD', 'LD_AUDIT', 'ASAN_OPTIONS')}, " \
               "[name for name in os.environ if 'KEPT' in name])"
        finished = built.run("watch", "--", sys.executable, "-c", show, variables=given)
        added = {"LD_PRELOAD": f"{built.FOLDER}/libmpit-info.so:{built.FOLDER}/libmpit-calls.so:{given['LD_PRELOAD']}",
                 "ASAN_OPTIONS": "exitcode=9:verify_asan_link_order=0"}
        self.assertEqual(finished.stdout, f"{ {**given, **added} } []\n")

    def test_a_program_is_audited_and_bound_as_its_user_wants(self):
        self.check(sample("lifetime-mpich"), "world", "finalize", LD_AUDIT=sample("auditor.so"))
        self.check(sample("lifetime-openmpi"), "world", "finalize", LD_BIND_NOW="1")
        self.check(sample("lifetime-now-mpich"), "world", "finalize")

    def test_a_program_with_the_address_sanitizer_runs_and_has_no_leak_of_an_agent(self):
        for request in (WATCH, AT_END):
            told = self.moments(sample("lifetime-checked"), "session-world", "finalize", request=request, ASAN_OPTIONS="exitcode=9")
            self.assertEqual(told[-1:], ["at MPI_Finalize"])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can make programs that are root's")
    def test_a_program_with_the_rights_of_another_user_has_no_agent(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            theirs = shutil.copy(sample("lifetime-mpich"), os.path.join(folder, "theirs"))
            # Every user can read agents that are installed; the folder of a build may be root's alone.
            for name in os.listdir(built.FOLDER):
                if name.endswith(".so"):
                    shutil.copy(os.path.join(built.FOLDER, name), folder)
            for mode in (0o755, 0o4755):
                os.chmod(theirs, mode)
                with mock.patch.object(built, "FOLDER", folder):
                    self.check_silent("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", theirs, "world", "finalize")

    def test_agents_that_cannot_be_preloaded_are_refused(self):
        with tempfile.TemporaryDirectory(suffix=" and more") as folder:
            shutil.copy(os.path.join(built.FOLDER, "libmpit-info.so"), folder)
            finished = tool.call("--agents", folder, "--", "true")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("which LD_PRELOAD cannot name", finished.stderr)
