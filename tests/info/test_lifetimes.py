"""Programs that start and end an MPI in every way behave as without mpit-info: output, errors, exit status. Of each it is told what
can be told; nothing is called in an MPI that was never started, or has ended."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import built
import tool

PROGRAMS = os.environ.get("MPIT_INFO_PROGRAMS", "")
MPIEXEC = {"mpich": ["mpiexec.mpich"], "openmpi": ["mpiexec.openmpi", "--oversubscribe"]}
MODES = {"end": ["--at", "end", "--json"], "watch": ["watch", "--rate", "200"]}


def program(name):
    """The path of a program or library for the tests; skips the case where its MPI or compiler is missing."""
    path = os.path.join(PROGRAMS, name)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"{name} was not built")
    return path


def lines(text):
    """What a program and its launcher print, in any order of the ranks: numbers of jobs and processes differ, and mpit-info may add
    something of its own."""
    return sorted(re.sub(r"\b\d{3,}\b", "N", line) for line in text.splitlines() if not line.startswith("mpit-info: "))


@unittest.skipUnless(built.FOLDER and PROGRAMS, "the agents were not built")
class Lifetimes(unittest.TestCase):
    def run_in(self, mode, words, variables=None):
        """Runs a program alone and under mpit-info, compares, and returns what was told: a document, a text, or None."""
        variables = variables or {}
        alone = subprocess.run(words, env=tool.environment(**built.AS_ROOT, **variables), text=True, timeout=60,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "output"
            finished = built.run(*MODES[mode], "--output", output, "--", *words, variables=variables)
            told = output.read_text(encoding="utf-8") if output.exists() else None
        expected = alone.returncode if alone.returncode >= 0 else 128 - alone.returncode
        status = finished.returncode
        if told is None:  # the status is that of the tool, which names the program's
            self.assertRegex(finished.stderr, rf"status {expected}\b")
            status = expected
        self.assertEqual((lines(finished.stdout), lines(finished.stderr), status),
                         (lines(alone.stdout), lines(alone.stderr), expected))
        return json.loads(told) if told and mode == "end" else told

    def check(self, *words, variables=None, moment="at MPI_Finalize"):
        """In both modes; of a program that ends without its MPI it may be that nothing is told at its end, for no moment."""
        for mode in MODES:
            with self.subTest(words=words, mode=mode):
                told = self.run_in(mode, words, variables)
                if mode == "watch" or moment is None:
                    self.assertEqual(told is not None, mode == "watch")
                else:
                    self.assertEqual((told["taken"], told["mpi"]["interface"]), (moment, "MPI_T"))

    def check_silent(self, *words, variables=None):
        """Nothing is told, and the program does not notice."""
        for mode in MODES:
            with self.subTest(words=words, mode=mode):
                self.assertIsNone(self.run_in(mode, words, variables))

    # How an MPI is started.

    def test_a_world_is_seen_from_its_start_to_its_end(self):
        for mpi in MPIEXEC:
            for start in ("world", "thread"):
                self.check(program(f"lifetime-{mpi}"), start, "finalize")

    def test_sessions_are_seen_until_the_last_of_them_has_ended(self):
        for start in ("session", "sessions", "world-session"):
            self.check(program("lifetime-mpich"), start, "finalize")
        self.check(program("lifetime-mini"), "session-world", "finalize")

    def test_a_program_that_has_sessions_is_listed_when_the_first_has_begun(self):
        finished = built.run("--json", "--", program("lifetime-mpich"), "session", "finalize")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual(json.loads(finished.stdout)["taken"], "after MPI_Init")

    def test_sessions_have_the_ranks_of_their_launcher(self):
        words = [*MPIEXEC["mpich"], "-n", "2", program("lifetime-mpich"), "session", "finalize"]
        finished = built.run("--at", "end", "--json", "--rank", "1", "--", *words)
        self.assertEqual(finished.returncode, 7, finished.stderr)
        self.assertEqual(json.loads(finished.stdout)["mpi"]["processes"], 2)

    def test_programs_in_fortran_are_seen(self):
        for name in ("f08-mpich", "f90-mpich", "f08-openmpi", "f90-openmpi"):
            for start in ("world", "thread"):
                self.check(program(f"lifetime-{name}"), start)
        self.check(program("lifetime-f08-mpich"), "session")

    def test_functions_for_fortran_are_seen_in_a_library_that_is_bound_to_itself(self):
        for names in range(4):
            self.check(program("fortran_names"), str(names))

    def test_ranks_in_fortran_are_seen(self):
        for mpi, launcher in MPIEXEC.items():
            self.check(*launcher, "-n", "2", program(f"lifetime-f08-{mpi}"), "world")

    # How it is ended.

    def test_a_program_that_leaves_its_mpi_is_read_at_its_exit(self):
        for mpi in MPIEXEC:
            for end in ("unfinished", "exit"):
                self.check(program(f"lifetime-{mpi}"), "world", end, moment="at exit")
        self.check(program("lifetime-mpich"), "session", "exit", moment="at exit")

    def test_a_program_that_ends_without_handlers_ends_so(self):
        for mpi in MPIEXEC:
            for end in ("now", "quick", "signal", "exec", "abort"):
                self.check(program(f"lifetime-{mpi}"), "thread", end, moment=None)

    def test_a_program_that_never_starts_its_mpi_is_left_alone(self):
        for mpi in MPIEXEC:
            for end in ("finalize", "exit"):
                self.check_silent(program(f"lifetime-{mpi}"), "none", end)

    # Which MPI it is.

    def test_the_binary_interface_decides_and_not_the_name(self):
        for name in ("mpich", "openmpi"):
            for start in ("world", "session"):
                self.check(program(f"abi_{name}/lifetime"), start, "finalize")

    def test_an_mpi_in_the_program_itself_is_left_alone(self):
        for name in ("static", "static-mpich"):
            self.check_silent(program(f"lifetime-{name}"), "thread", "finalize")

    def test_the_first_of_two_mpis_is_seen_and_both_work(self):
        late = program("late")
        for first, second in (("mpich", "mini"), ("mini", "mpich"), ("mpich", "openmpi"), ("mini", "openmpi")):
            self.check(late, program(f"plugin-{first}.so"), program(f"plugin-{second}.so"))

    def test_an_mpi_of_a_plugin_stays_with_the_plugin(self):
        for mpi in MPIEXEC:
            self.check(program("late"), program(f"plugin-{mpi}.so"))

    def test_an_mpi_that_is_called_by_name_is_left_alone(self):
        program("lifetime-mpich")
        self.check_silent(program("late"), "--by-name", "libmpich.so.12")

    def test_a_program_finds_no_function_that_is_not_there(self):
        self.check_silent(program("late"), "--asks")

    # What else is loaded.

    def test_a_launcher_with_an_mpi_preloaded_is_left_alone(self):
        for mpi, library in (("openmpi", "libmpi.so.40"), ("mpich", "libmpich.so.12")):
            words = [*MPIEXEC[mpi], "-n", "2", program(f"lifetime-{mpi}"), "world", "finalize"]
            self.check(*words, variables={"LD_PRELOAD": library})

    def test_what_a_user_preloads_is_for_the_job(self):
        for mpi in MPIEXEC:
            profiler = program(f"profiler-{mpi}.so")
            self.check(program(f"lifetime-{mpi}"), "world", "finalize", variables={"LD_PRELOAD": profiler})
            told = self.run_in("watch", ["sh", "-c", f"{program(f'lifetime-{mpi}')} world finalize; exit 3"], {"LD_PRELOAD": profiler})
            self.assertIn("1 rank", told)

    def test_the_job_has_the_environment_of_the_tool(self):
        given = {"LD_PRELOAD": tool.loaded_library(), "LD_AUDIT": program("auditor.so")}
        show = "import os; print({name: os.environ.get(name) for name in ('LD_PRELOAD', 'LD_AUDIT')}, " \
               "sorted(name for name in os.environ if name.startswith('MPIT_INFO')))"
        finished = built.run("watch", "--", sys.executable, "-c", show, variables=given)
        preloaded = f"{built.FOLDER}/libmpit-info.so:{given['LD_PRELOAD']}"
        names = [f"MPIT_INFO_{name}" for name in ("AGENTS", "ALONE", "BUILT", "LOAD", "PROGRAMS", "REQUEST", "SOCKET")]
        self.assertEqual(finished.stdout, f"{ {**given, 'LD_PRELOAD': preloaded} } {names}\n")

    def test_a_program_is_audited_and_bound_as_its_user_wants(self):
        self.check(program("lifetime-mpich"), "world", "finalize", variables={"LD_AUDIT": program("auditor.so")})
        for mpi in MPIEXEC:
            self.check(program(f"lifetime-{mpi}"), "world", "finalize", variables={"LD_BIND_NOW": "1"})
            self.check(program(f"lifetime-now-{mpi}"), "world", "finalize")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can make programs that are root's")
    def test_a_program_with_the_rights_of_another_user_has_no_agent(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            theirs = shutil.copy(program("lifetime-mpich"), os.path.join(folder, "theirs"))
            for mode in (0o755, 0o4755):
                os.chmod(theirs, mode)
                self.check_silent("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", theirs, "world", "finalize")

    def test_agents_that_cannot_be_preloaded_are_refused(self):
        with tempfile.TemporaryDirectory(suffix=" and more") as folder:
            shutil.copy(os.path.join(built.FOLDER, "libmpit-info.so"), folder)
            words = tool.command("--agents", folder, "--", "true")
            finished = subprocess.run(words, env=tool.environment(), text=True, timeout=60, capture_output=True, check=False)
        self.assertEqual(finished.returncode, 2)
        self.assertIn("which LD_PRELOAD cannot name", finished.stderr)
