"""Jobs that hang, end to end: what stuck and postmortem print, what watch does with them, and what stays behind."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import built
import test_truth
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import call_folders, call_log, launch, reaching, stuck  # noqa: E402

# Seconds for what happens once, on a busy machine.
LIMIT = 90
MISSING = (r"ranks 0 and 1 are in MPI_Barrier of MPI_COMM_WORLD \(operation (\d+)\), rank 2 is not: it has made \d operations there and is "
           "outside of MPI")
MPIS = ("mpich", "openmpi")
# Its processes have numbers and directories of their own.
CONTAINER = ["unshare", "--pid", "--mount", "--fork", "--kill-child"]
# Has a call log in its memory, as a rank.
MAPPED = """
import mmap, os, struct, sys, time
name, head = f"{sys.argv[1]}/{os.getpid()}-1.calls", bytes.fromhex(sys.argv[2])
with open(name, "wb") as file:
    file.write(head[:8] + struct.pack("<I", os.getpid()) + head[12:])
with open(name, "rb") as file:
    kept = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)
print("it has", flush=True)
time.sleep(3000)
"""



class Stuck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def begun(self, mpi, words, command=("watch", "--interval", "0"), ranks=3, place=lambda words: words, **variables):
        """A job that ends with the case."""
        program = [*built.ranks(mpi, ranks), built.sample(f"truth-{mpi}"), *words.split()]
        command, options = command[:1], command[1:]
        job = subprocess.Popen(tool.command(*command, "--agents", built.FOLDER, *options, "--", *place(program)), text=True,
                               env=tool.environment(**built.AS_ROOT, COLUMNS="1000", **{test_truth.MARK: str(self.folder)}, **variables),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(job.communicate)
        self.addCleanup(test_truth.end_all, str(self.folder))
        return job

    def until(self, job, pattern):
        """Asks what a job is in until that is told."""
        end, told = time.monotonic() + LIMIT, None
        while told is None or not re.search(pattern, told.stdout) and time.monotonic() < end and job.poll() is None:
            time.sleep(0.2)
            told = tool.call("stuck", "--job", job.pid)
        self.assertRegex(told.stdout, pattern, told.stderr)
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        return told.stdout

    def test_the_rank_for_which_the_others_wait_is_named_with_stacks(self):
        told = self.until(self.begun("mpich", "barrier_missing"), r"^Unchanged for [1-9]\d* s: " + MISSING)
        frames = {"0, in MPI_Barrier": r"#\d+ .*MPI_Barrier", "2, outside of MPI": "#0 "}
        for where, first in frames.items() if shutil.which("gdb") or shutil.which("eu-stack") else ():
            self.assertRegex(told, f"\nStack of rank {where}:\n{first}")

    def test_frames_of_the_agents_are_left_out_of_stacks_and_those_of_the_program_are_not(self):
        for line, is_of_tool in (("#11 0x00007f30c656c01a - /opt/mpit_info/agents/mpit-info-calls-mpich.so", True),
                                 ("#13 0x00007f30c656c01a main_of_process - /opt/mpit_info/agents/libmpit-info.so", True),
                                 ("#2  0x000055 in mpit_info::counted<3>() ()", True),
                                 ("#12 0x000056499f64621c main - /home/mpit-info/ring", False)):
            self.assertEqual(bool(stuck.OF_TOOL.search(line)), is_of_tool, line)

    def test_after_a_kill_postmortem_says_what_the_ranks_of_a_resident_job_did_last(self):
        for mpi in MPIS:
            with self.subTest(mpi):
                logs = self.folder / mpi
                job = self.begun(mpi, "barrier_missing", ("resident", "--log-calls"), MPIT_INFO_CALLS=str(logs))
                operation = re.search(MISSING, self.until(job, MISSING))[1]
                pids = {log.rank: log.pid for log in call_log.of_folder(logs)}
                os.kill(pids[2], signal.SIGSTOP)
                self.until(job, r"\nRank 2 is stopped by a signal; SIGCONT continues it\.\n")
                os.kill(pids[2], signal.SIGKILL)
                job.wait(LIMIT)
                told = tool.call("postmortem", logs, "--calls", "1")
                # Until when it ran on is not known.
                self.assertRegex(told.stdout, "(?i)^" + MISSING + r"\.\n", told.stderr)
                self.assertRegex(told.stdout, rf"\nrank 1 is in .*\n +-?\d+\.\d+ s  MPI_Barrier of .* \(operation {operation}\): has not returned\n")
                self.assertRegex(told.stdout, r"\nrank 2 is outside of MPI\n +-?\d.* s  MPI_\w+.*: took ")
                self.assertEqual(len(re.findall("^rank ", told.stdout, re.M)), 3)

    def test_a_healthy_job_is_not_accused(self):
        job = self.begun("mpich", "ring base=20 how=sleep rounds=100000")
        told = self.until(job, "Calls begin and end, the latest one in the last second; at this moment: ")
        self.assertNotRegex(told, "Unchanged|Stack|wait for each other")
        job = self.begun("mpich", "barrier base=80000 rounds=1 how=sleep")
        self.assertNotRegex(self.until(job, r"^Unchanged for \d+ s: ranks 0-2 are outside of MPI since \d+ s\.\n"), "is not|are not")

    def test_two_launches_at_once_are_not_mixed_while_they_run_and_after_a_kill(self):
        def both(program):
            other = " ".join(program).replace("barrier_missing", "recv_circle")
            return ["sh", "-c", f"{' '.join(program)} & {other} & wait"]

        for mpi in MPIS:
            with self.subTest(mpi):
                logs, sentences = self.folder / mpi, f"(?si)(?=.*{MISSING})(?=.*ranks 0-2 wait for each other)"
                told = self.until(self.begun(mpi, "barrier_missing", ("resident", "--log-calls"), place=both, MPIT_INFO_CALLS=str(logs)), sentences)
                self.assertEqual(sorted(re.findall(r"^\S*truth-\S+ (\w+)$", told, re.M)), ["barrier_missing", "recv_circle"], told)
                test_truth.end_all(str(self.folder))
                told = tool.call("postmortem", logs, "--calls", "1").stdout
                self.assertRegex(told, sentences)
                self.assertRegex(told, r"(?s)^Launch 1 of 2, 3 ranks, from \d\d:\d\d:\d\d on\n.*\n\nLaunch 2 of 2, 3 ranks, ")
                self.assertEqual(re.findall(r"^rank (\d)", told, re.M), [*"012"] * 2)

    def test_a_job_without_call_logs_is_told_the_option(self):
        with subprocess.Popen(["sleep", "3000"]) as running:
            told = tool.call("stuck", "--job", running.pid)
            running.kill()
        self.assertEqual((told.returncode, told.stdout), (1, ""))
        self.assertIn("start the job with `mpit-info watch -- ...` or `mpit-info resident --log-calls -- ...`", told.stderr)
        self.assertIn("--abort-when-stuck must be a number above 0", tool.call("watch", "--abort-when-stuck", "0", "true").stderr)

    def test_the_log_of_a_process_is_that_in_its_memory_also_in_a_container(self):
        head = call_log.HEAD.pack(call_log.FORMAT, 0, 1, 3, 0, 0, 0, 1, 0, 0, call_log.RUNS, 0, int(time.time() * 1e9), 1 << 32, 0, b"here", b"")
        places = [[]]
        if os.geteuid() == 0 and subprocess.run([*CONTAINER, "true"], check=False).returncode == 0:
            places.append([*CONTAINER, "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(self.folder)])
        for place in places:
            with self.subTest(place), subprocess.Popen([*place, sys.executable, "-c", MAPPED, self.folder, head.hex()], stdout=subprocess.PIPE,
                                                       env={**os.environ, "JOB_ID": "of this test"}) as running:
                running.stdout.readline()
                # An earlier process of this number has left it.
                earlier = self.folder / f"{running.pid}-earlier.calls"
                earlier.write_bytes(head[:8] + struct.pack("<I", running.pid) + head[12:])
                told = tool.call("stuck", "--job", running.pid)
                of_job = tool.call("stuck", "--all", variables={"JOB_ID": "of this test"})
                other = tool.call("stuck", "--all", variables={"JOB_ID": "of another"})
                for pid in reversed(reaching.below(running.pid)):
                    os.kill(pid, signal.SIGKILL)
                wanted = r"\A.*rank 1 has made no call of MPI\.\n2 of 3 ranks are not on this node, or have ended\.\n\Z"
                self.assertRegex(told.stdout, wanted, told.stderr)
                self.assertEqual((of_job.stdout, other.returncode), (told.stdout, 1))
        if len(places) == 1:
            self.skipTest("no container can be made")

    def test_ranks_in_containers_in_which_all_have_the_same_number_have_logs_of_their_own(self):
        if os.geteuid() != 0 or subprocess.run([*CONTAINER, "true"], check=False).returncode != 0:
            self.skipTest("no container can be made")
        # The shared memory of UCX is found by the numbers of processes.
        job = self.begun("mpich", "barrier_missing", place=lambda words: [*words[:3], *CONTAINER, *words[3:]], UCX_TLS="tcp,self",
                         MPIT_INFO_CALLS=str(self.folder / "logs"))
        self.until(job, MISSING)
        self.assertEqual([(log.rank, log.pid) for log in call_log.of_folder(self.folder / "logs")], [(0, 1), (1, 1), (2, 1)])

    def test_of_a_run_are_the_processes_that_have_its_address(self):
        run = launch.Run(["sleep"], {}, "")
        run.address = "/tmp/this/socket"
        with contextlib.ExitStack() as running:
            pids = []
            for address in ("/tmp/this/socket", "/tmp/other/socket"):
                process = running.enter_context(subprocess.Popen(["sleep", "3000"], env={**os.environ, "MPIT_INFO_SOCKET": address}))
                running.callback(process.kill)
                pids.append(process.pid)
            self.assertEqual(run.own([os.getpid(), *pids]), pids[:1])

    def test_the_command_runs_once_and_the_launch_alone_is_ended(self):
        for mpi in MPIS:
            with self.subTest(mpi):
                noted = self.folder / f"noted-{mpi}"
                options = "--abort-when-stuck", "0.08", "--when-stuck", f'echo "$MPIT_INFO_STUCK" >> {noted}'
                job = self.begun(mpi, "barrier_missing", ("watch", "--interval", "0", *options), MPIT_INFO_PATIENCE="1",
                                 place=lambda program: ["sh", "-c", f"{' '.join(program)}; echo then $?; exit 7"])
                printed, errors = job.communicate(timeout=LIMIT)
                self.assertRegex(noted.read_text(encoding="utf-8"), rf"\AUnchanged for \d s: {MISSING}[^\n]*\n\Z")
                # Of MPICH's launcher the status after SIGTERM is mostly 15 and sometimes 0.
                self.assertRegex(printed, r"(?m)^then \d")
                self.assertEqual(job.returncode, 7)
                self.assertIn("mpit-info: the program is ended, since it has made no progress for 0.08 min\n", errors)

    def test_a_program_that_was_ended_has_not_succeeded_also_where_its_launcher_says_so(self):
        job = self.begun("mpich", "barrier_missing", ("watch", "--interval", "0", "--abort-when-stuck", "0.08"), MPIT_INFO_PATIENCE="1",
                         place=lambda program: ["sh", "-c", f"{' '.join(program)}; true"])
        printed, _ = job.communicate(timeout=LIMIT)
        self.assertEqual(job.returncode, 124)
        self.assertIn("\nrank 2 is outside of MPI\n", printed)

    def test_of_several_directories_postmortem_takes_the_last_one_whose_processes_have_ended(self):
        paths = [self.folder / name for name in ("first", "second", "running", "empty")]
        for path, log in zip(paths, ("999999998.calls", "999999999.calls", f"{os.getpid()}.calls", "")):
            path.mkdir()
            if log:
                (path / log).touch()
        self.assertEqual([call_folders.latest(some) for some in (paths, paths[2:], paths[3:])], [paths[1], paths[2], None])

    def test_what_a_killed_tool_leaves_is_for_postmortem_until_the_next_tool(self):
        job = self.begun("mpich", "barrier_missing")
        self.until(job, MISSING)
        job.kill()
        job.wait()
        left = next(path for path in call_folders.existing() if f"-{job.pid}-" in path.name)
        self.assertEqual(left.stat().st_mode & 0o777, 0o700)
        os.rmdir(call_folders.new_of_run())
        self.assertTrue(left.exists(), "its processes still run")
        test_truth.end_all(str(self.folder))
        while any(map(reaching.is_running, [log.stem.partition("-")[0] for log in left.glob("*.calls")])):
            time.sleep(0.05)
        os.utime(left)
        empty = call_folders.new()
        self.addCleanup(os.rmdir, empty)
        os.utime(empty, (time.time() + 1,) * 2)
        self.assertRegex(tool.call("postmortem").stdout, "(?i)^" + MISSING)
        os.rmdir(call_folders.new_of_run())
        self.assertFalse(left.exists())

    def test_a_directory_of_another_user_is_refused_and_its_files_are_left_out(self):
        if os.geteuid() == 0:
            os.chown(self.folder, 4711, -1)
        foreign = str(self.folder) if os.geteuid() == 0 else "/"
        for command in (("resident", "--log-calls"), ("watch",)):
            refused = built.run(*command, "--", "true", variables={"MPIT_INFO_CALLS": foreign})
            self.assertEqual(refused.returncode, 2)
            self.assertEqual(refused.stderr, f"mpit-info: {foreign}, which MPIT_INFO_CALLS names, is not a directory of this user\n")
        os.mkfifo(self.folder / "1.calls")
        self.assertIn("has no call log", tool.call("postmortem", self.folder, timeout=LIMIT).stderr)

    def test_a_good_end_leaves_nothing(self):
        for mpi, command in zip(MPIS, (("resident", "--log-calls"), ("watch", "--interval", "0"))):
            with self.subTest(mpi, command=command):
                job = self.begun(mpi, "barrier rounds=3", command, ranks=2, MPIT_INFO_CALLS=str(self.folder / "logs"))
                job.communicate(timeout=LIMIT)
                self.assertEqual((job.returncode, list(self.folder.glob("logs/*"))), (0, []))


if __name__ == "__main__":
    unittest.main()
