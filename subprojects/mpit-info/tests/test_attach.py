"""Running jobs of MPICH and Open MPI in which agents sleep: attach, get and set reach them, and neither side harms the other."""

import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import built
import tool

# A control variable of each MPI. MPICH lets a tool write it, Open MPI never.
KNOWN = {"mpich": "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", "openmpi": "btl_self_eager_limit"}


class Job:
    """A job of `ranks` processes, which ends with its file; `processes` are their numbers by rank."""

    def __init__(self, mpi, folder, ranks, *words, options=(), mode="resident", program="waiting"):
        self.file = pathlib.Path(folder) / "lasts"
        self.file.touch()
        if not built.program(mpi):
            raise unittest.SkipTest(f"{mpi} is not installed")
        started = built.ranks(mpi, ranks, built.sample(f"{program}-{mpi}"), str(self.file), *words)
        command = tool.command(mode, *options, "--agents", built.FOLDER, "--", *started)
        self.launcher = subprocess.Popen(command, env=tool.environment(**built.AS_ROOT), text=True, stdout=subprocess.PIPE)
        self.processes, self.children = {}, []
        while len(self.processes) < ranks:
            words = self.launcher.stdout.readline().split()
            if not words:
                raise AssertionError(f"the job ended with status {self.launcher.wait()}")
            self.processes[int(words[1])] = int(words[2])
            self.children += [int(words[3])] if words[3] != "0" else []

    def end(self):
        """Lets the job end; returns how many ranks ended in order, whose lines a launcher may mix, and its exit status."""
        self.file.unlink(missing_ok=True)
        rest, _ = self.launcher.communicate(timeout=60)
        return rest.count("ended"), self.launcher.returncode


def run(*arguments, words=(), **settings):
    return subprocess.run([*words, *tool.command(*arguments)], env=tool.environment(), text=True, timeout=60, capture_output=True, check=False,
                          **settings)


def sockets():
    return [str(path) for path in pathlib.Path(f"/dev/shm/mpit-info-{os.geteuid()}").glob("*-*")]


class Attach:
    mpi = ""

    @contextlib.contextmanager
    def job(self, *words, ranks=4, **settings):
        """A running job, which ends in order unless the case has ended it."""
        with tempfile.TemporaryDirectory() as folder:
            made = Job(self.mpi, folder, ranks, *words, **settings)
            try:
                yield made
            finally:
                made.end()

    def watching(self, pid):
        """A tool that is attached to a process and has printed a value."""
        attached = subprocess.Popen(tool.command("attach", pid, "--csv", "--interval", "0.05"), env=tool.environment(), text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        attached.stdout.readline()
        self.assertTrue(attached.stdout.readline())
        return attached

    def test_get_set_and_attach_reach_all_ranks_of_a_job(self):
        with self.job() as job:
            of_job = ("--job", job.launcher.pid)
            name = KNOWN[self.mpi]
            got = run("get", *of_job, name)
            self.assertEqual([line.split(":")[0] for line in got.stdout.splitlines()], [f"rank {rank}" for rank in range(4)], got.stderr)
            none = run("get", *of_job, "nosuch")
            self.assertEqual((none.returncode, none.stdout), (1, ""))
            self.check_set(of_job, name)
            near = run("get", *of_job, name[:-2] + name[-1])
            self.assertEqual((near.returncode, near.stderr), (1, f"mpit-info: no variable matches {name[:-2] + name[-1]}; perhaps {name} is meant\n"))
            near = run("set", "--pid", job.processes[1], f"{name[:-2] + name[-1]}=1")
            self.assertIn(f"(MPI_T_ERR_INVALID_NAME); perhaps {name} is meant\n", near.stderr)
            unknown = run("set", "--pid", job.processes[1], "nosuch=1")
            self.assertEqual(unknown.returncode, 1)
            self.assertIn("rank 1: nosuch was not set: no control variable has this name (MPI_T_ERR_INVALID_NAME)", unknown.stderr)
            for _ in range(2):
                attached = subprocess.Popen(tool.command("attach", *of_job, "--calls", "yes", "--csv", "--interval", "0.1"),
                                            env=tool.environment(), text=True, stdout=subprocess.PIPE)
                self.assertTrue(any("MPI_Bcast" in line for line in attached.stdout), "the calls are counted")
                attached.send_signal(signal.SIGINT)
                attached.communicate(timeout=60)
                self.assertEqual(attached.returncode, 0)
            self.assertEqual(job.end(), (4, 0))

    def test_the_level_of_thread_support_that_a_program_has_stays_as_it_was(self):
        for mode, options in (("resident", ()), ("watch", ("--output", os.devnull))):
            with self.subTest(mode), self.job(ranks=1, mode=mode, options=options) as job:
                if mode == "resident":
                    self.assertEqual(run("get", "--pid", job.processes[0], "*").returncode, 0)
                self.assertEqual(job.end(), (1, 0))

    def numbers(self, pid, least, kind, number_of, *options):
        """Attaches until a number is so large; what it was in each message of this kind, and the table. `number_of` has None for other elements."""
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "run.jsonl")
            attached = subprocess.Popen(tool.command("attach", pid, *options, "--record", record, "--interval", "0"),
                                        env=tool.environment(), text=True, stdout=subprocess.PIPE)
            found = []
            for _ in range(600):
                lines = record.read_text(encoding="ascii").splitlines()[1:] if record.exists() else []
                told = [json.loads(line) for line in lines if f'"message":"{kind}"' in line and line.endswith("}")]
                found = [number for message in told for number in map(number_of, message[kind]) if number is not None]
                if found and found[-1] >= least:
                    break
                time.sleep(0.05)
            attached.send_signal(signal.SIGINT)
            return found, attached.communicate(timeout=60)[0]

    def rounds(self, pid, least):
        """Attaches until the region has been visited so often; the number of its visits in each message, and the table."""
        return self.numbers(pid, least, "regions", lambda each: each["visits"] if each["name"] == "round" else None, "--calls", "yes", "--regions")

    def broadcasts(self, pid, least):
        """Attaches until so many durations of MPI_Bcast are known; how many were in each message, and the table."""
        return self.numbers(pid, least, "distributions", lambda each: sum(calls for _, calls in each["buckets"]) if each["function"] == "MPI_Bcast"
                            else None, "--calls", "distributions")

    def test_distributions_of_a_running_job_begin_when_a_tool_is_attached(self):
        with self.job(ranks=1) as job:
            first, table = self.broadcasts(job.processes[0], 100)
            self.assertRegex(table, r"\nMPI_Bcast +MPI_COMM_WORLD ")
            again, _ = self.broadcasts(job.processes[0], 1)
            self.assertLess(again[0], first[-1])
            self.assertEqual(job.end(), (1, 0))

    def test_regions_of_a_running_job_begin_when_a_tool_is_attached(self):
        with self.job(ranks=1, options=("--regions",)) as job:
            first, table = self.rounds(job.processes[0], 100)
            rows = {line.split()[0]: line.split() for line in table.splitlines() if line.strip()}
            self.assertGreaterEqual(int(rows["round"][1].replace(",", "")), 100, table)
            self.assertGreaterEqual(int(rows["pause"][1].replace(",", "")), 99, table)
            again, _ = self.rounds(job.processes[0], 1)
            self.assertLess(again[0], first[-1])
            self.assertEqual(job.end(), (1, 0))

    def test_regions_of_a_job_that_does_not_know_them_are_refused(self):
        with self.job(ranks=1) as job:
            refused = run("attach", job.processes[0], "--regions", "--for", "1")
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("start the job with `mpit-info resident --regions -- ...`", refused.stderr)
            self.assertEqual(job.end(), (1, 0))

    def test_variables_of_a_library_beside_the_mpi_are_read_set_and_watched(self):
        with self.job(ranks=1, program="embedding") as job:
            pid = job.processes[0]
            got = run("get", "--pid", pid, KNOWN[self.mpi], "EMBEDDED_LIMIT", "embedded_depth")
            values = dict(line.split(": ")[1].split(" = ") for line in got.stdout.splitlines())
            self.assertEqual((len(values), values.get("EMBEDDED_LIMIT"), values.get("embedded_depth")), (3, "7", "3"), got.stderr)
            self.assertNotEqual(values[KNOWN[self.mpi]], "-5")
            self.assertEqual(run("set", "--pid", pid, "EMBEDDED_LIMIT=9").stdout, "rank 0: EMBEDDED_LIMIT = 9\n")
            refused = run("set", "--pid", pid, "EMBEDDED_LIMIT=101")
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("it is 9", refused.stderr)
            for seconds in ("0.5", "4", "30"): # on a loaded machine the first sample takes longer
                attached = run("attach", pid, "--variable", "embedded_*", "--for", seconds, "--interval", "0")
                if "embedded_depth" in attached.stdout:
                    break
            self.assertIn("embedded_depth", attached.stdout, attached.stderr)
            self.assertEqual(job.end(), (1, 0))

    def test_nothing_is_set_if_one_of_the_assignments_is_none(self):
        with self.job(ranks=1) as job:
            pid, name = job.processes[0], KNOWN[self.mpi]
            before = run("get", "--pid", pid, name).stdout
            refused = run("set", "--pid", pid, f"{name}=4096", "nothing")
            self.assertEqual((refused.returncode, refused.stdout, refused.stderr), (2, "", "mpit-info: nothing is not NAME=VALUE\n"))
            self.assertEqual(run("get", "--pid", pid, name).stdout, before)

    def test_a_second_tool_is_refused_in_words_and_does_not_harm_the_first(self):
        with self.job(ranks=1) as job:
            pid = job.processes[0]
            first = self.watching(pid)
            second = run("get", "--pid", pid, KNOWN[self.mpi])
            self.assertEqual((second.returncode, second.stdout), (1, ""))
            self.assertEqual(second.stderr, f"mpit-info: process {pid} does not answer: another tool may be attached\n")
            third = run("attach", pid, "--for", "0.5")
            self.assertEqual((third.returncode, third.stdout, third.stderr),
                             (1, "", "mpit-info: no process has sent anything: another tool may be attached\n"))
            self.assertTrue(first.stdout.readline(), "the first one goes on")
            first.send_signal(signal.SIGINT)
            first.communicate(timeout=60)
            self.assertEqual(first.returncode, 0)
            self.assertIn("rank 0: ", run("get", "--pid", pid, KNOWN[self.mpi]).stdout)

    def test_a_tool_that_is_killed_leaves_an_agent_that_answers_again(self):
        with self.job(ranks=1) as job:
            watching = self.watching(job.processes[0])
            watching.kill()
            watching.communicate()
            self.assertIn("rank 0: ", run("get", "--pid", job.processes[0], KNOWN[self.mpi]).stdout)
            self.assertEqual(job.end(), (1, 0))

    def test_a_process_that_is_killed_ends_the_view_and_leaves_no_socket(self):
        with self.job(ranks=1) as job:
            pid = job.processes[0]
            watching = self.watching(pid)
            os.kill(pid, signal.SIGKILL)
            watching.communicate(timeout=60)
            self.assertEqual(watching.returncode, 0)
            self.assertEqual(run("get", "--pid", pid, "*").returncode, 1)
            self.assertFalse([name for name in sockets() if name.endswith(f"-{pid}")])

    def test_all_processes_of_a_batch_job_are_watched_as_they_come(self):
        with tempfile.TemporaryDirectory() as folder, self.job(ranks=1):
            page = pathlib.Path(folder, "page")
            with unittest.mock.patch.dict(os.environ, {"JOB_ID": "of this test"}):
                attached = subprocess.Popen(tool.command("attach", "--all", "--openmetrics", page, "--interval", "0"), env=tool.environment(),
                                            text=True, stdout=subprocess.PIPE)
                for launch in ("1", "2"):
                    wanted = f'^mpit_process_info{{rank="([01])",.*,job_id="of this test",launch="{launch}",processes="2"'
                    with self.job(ranks=2):
                        found, end = [], time.monotonic() + 60
                        while len(found) < 2 and time.monotonic() < end:
                            time.sleep(0.1)
                            text = page.read_text(encoding="utf-8") if page.exists() else ""
                            found = re.findall(wanted, text, re.MULTILINE)
                        self.assertEqual(sorted(found), ["0", "1"])
                attached.send_signal(signal.SIGINT)
                printed = attached.communicate(timeout=60)[0]
        self.assertEqual(attached.returncode, 0)
        self.assertRegex(printed, "^2 launches, ")

    def test_ranks_to_which_attach_is_not_attached_are_counted(self):
        with self.job(ranks=2) as job:
            self.assertIn("1 rank sent nothing; attach reaches those on this node.\n", run("attach", job.processes[1], "--for", "0.5").stdout)

    def test_get_with_all_reaches_the_processes_of_the_batch_job(self):
        with self.job(ranks=1), unittest.mock.patch.dict(os.environ, {"JOB_ID": "of this test"}):
            with self.job(ranks=2):
                got = run("get", "--all", KNOWN[self.mpi])
                self.assertEqual([line.split(":")[0] for line in got.stdout.splitlines()], ["rank 0", "rank 1"], got.stderr)
            none = run("get", "--all", "*")
        self.assertEqual((none.returncode, none.stderr), (1, "mpit-info: no process of this job on this node has a sleeping agent; start the "
                                                             "job with `mpit-info resident -- ...`\n"))

    def test_odd_requests_end_neither_the_program_nor_its_agent(self):
        chance = random.Random(21)
        values = ["get", "set", "watch", "", 3, -1.5, None, True, [], {}, ["a", 3], {"a": "b"}, "x" * 70000]
        texts = [json.dumps({name: chance.choice(values) for name in ("want", "names", "name", "value", "calls", "split", "variables", "regions", "rate")
                             if chance.random() < 0.6}) for _ in range(60)]
        texts += ["", "{", "[" * 60000, '{"want":', "null", "3", '"watch"', '{"want":"\\ud800"}', "\0\xff\n"]
        with self.job(ranks=1) as job:
            pid = job.processes[0]
            name, = [each for each in sockets() if each.endswith(f"-{pid}")]
            for text in texts:
                with socket.socket(socket.AF_UNIX) as one:
                    one.settimeout(10)
                    one.connect(name)
                    with contextlib.suppress(OSError):  # one that is too long is not read to its end
                        one.sendall(text.encode("latin-1") + b"\n")
                        one.shutdown(socket.SHUT_WR)
                        while one.recv(65536):
                            pass
            got = run("get", "--pid", pid, KNOWN[self.mpi])
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertEqual(job.end(), (1, 0))

    def test_a_forked_child_has_no_socket_and_no_descriptor_of_the_agent(self):
        with self.job("fork", ranks=1) as job:
            names = [name for name in sockets() if name.split("-")[-1] in map(str, (*job.children, job.processes[0]))]
            self.assertEqual([name.split("-")[-1] for name in names], [str(job.processes[0])])
            number = next(line.split()[6] for line in pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()
                          if line.endswith(names[0]))
            held = [os.readlink(path) for path in pathlib.Path(f"/proc/{job.children[0]}/fd").iterdir()]
            self.assertNotIn(f"socket:[{number}]", held)

    def test_another_user_is_refused_by_both_sides(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root and setpriv")
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        if subprocess.run([*other, "test", "-r", __file__], check=False).returncode != 0:
            self.skipTest("another user cannot read the sources, as below /root")
        with self.job(ranks=1) as job:
            pid = job.processes[0]
            refused = run("get", "--pid", pid, "*", words=other)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("belongs to another user", refused.stderr)
            # Without the tool's own check it cannot connect, so that it cannot fill the agent's queue either.
            name, = [each for each in sockets() if each.endswith(f"-{pid}")]
            direct = (f"import socket; s = socket.socket(socket.AF_UNIX)\ntry:\n    s.connect('{name}')\n    print(1)\n"
                      "except PermissionError:\n    print(0)")
            told = subprocess.run([*other, sys.executable, "-c", direct], text=True, stdout=subprocess.PIPE, timeout=60, check=True)
            self.assertEqual(told.stdout, "0\n")

    def test_no_program_listens_unless_asked(self):
        for mode, options, listens in (("watch", ("--output", os.devnull), 0), ("resident", (), 1)):
            with self.job(ranks=1, options=options, mode=mode) as job:
                found = [name for name in sockets() if name.endswith(f"-{job.processes[0]}")]
            self.assertEqual(len(found), listens, mode)


@unittest.skipUnless(built.FOLDER and built.PROGRAMS, "the agents were not built")
class Reached(unittest.TestCase):
    """Programs without an MPI in which agents sleep; they have published nothing yet."""

    reached = "mpit-info: no variable matches *\n"

    @contextlib.contextmanager
    def program(self, *before):
        words = [*before, *tool.command("resident", "--agents", built.FOLDER, "--", built.sample("published"), "asked")]
        with subprocess.Popen(words, env=tool.environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
            running.stdout.readline()
            try:
                yield running
            finally:
                running.stdin.close()

    def test_a_process_that_has_ended_does_not_keep_the_others_from_answering(self):
        with subprocess.Popen(["true"]) as ended:
            ended.wait()
        with self.program() as running:
            got = run("get", "--pid", running.pid, "--pid", ended.pid, "*")
            sentence = f"mpit-info: there is no process {ended.pid}; it is left out\n"
            self.assertEqual((got.returncode, got.stderr), (1, sentence + self.reached))
            self.assertEqual(run("get", "--pid", ended.pid, "*").stderr, f"mpit-info: there is no process {ended.pid}\n")

    def test_a_process_in_which_no_agent_sleeps_is_left_out(self):
        with self.program() as running, subprocess.Popen(["sleep", "3000"]) as other:
            attached = run("attach", running.pid, other.pid, "--for", "0.5")
            got = run("get", "--pid", other.pid, "--pid", running.pid, "*")
            other.kill()
        sentence = f"process {other.pid} has no sleeping agent; start the job with `mpit-info resident -- ...`; it is left out"
        self.assertIn(sentence, attached.stdout + attached.stderr)
        self.assertEqual((got.returncode, got.stderr), (1, f"mpit-info: {sentence}\n{self.reached}"))

    def test_the_socket_of_a_process_goes_with_it_or_when_the_tool_looks(self):
        with self.program() as running:
            name, = [each for each in sockets() if each.endswith(f"-{running.pid}")]
        running.wait()
        self.assertFalse(os.path.exists(name))
        with self.program() as running:
            name, = [each for each in sockets() if each.endswith(f"-{running.pid}")]
            running.kill()
            running.wait()
            self.assertTrue(os.path.exists(name))
        run("get", "--job", os.getpid(), "*")
        self.assertFalse(os.path.exists(name))

    def as_root(self):
        """Skips a case that only root can try."""
        if os.geteuid() != 0 or not shutil.which("setpriv") or not shutil.which("unshare"):
            self.skipTest("needs root, setpriv and unshare")

    def test_a_directory_of_another_user_in_the_place_of_ones_own_is_left_out(self):
        self.as_root()
        user = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
        if subprocess.run([*user, "test", "-r", __file__], check=False).returncode != 0:
            self.skipTest("another user cannot read the sources, as below /root")
        foreign = pathlib.Path("/dev/shm/mpit-info-54321")
        foreign.mkdir(mode=0o777)
        try:
            os.chown(foreign, 65534, 65534)
            with self.program(*user) as running:
                got = run("get", "--pid", running.pid, "*", words=user)
                sentence = f"mpit-info: {foreign} does not belong to this user alone; what is there is left out\n"
                self.assertEqual(got.stderr, sentence + self.reached)
                # Root can connect; the agent closes the connection, and answers nothing.
                path, = foreign.parent.glob("mpit-info-54321-*/*")
                with socket.socket(socket.AF_UNIX) as one:
                    one.settimeout(60)
                    one.connect(str(path))
                    with contextlib.suppress(ConnectionError):
                        one.sendall(b'{"want":"get","names":["*"]}\n')
                        self.assertEqual(one.recv(100), b"")
            running.wait()
            self.assertEqual(list(foreign.parent.glob("mpit-info-54321*")), [foreign])
        finally:
            foreign.rmdir()

    def test_containers_with_processes_and_memory_of_their_own_are_reached_from_outside(self):
        self.as_root()
        for own in ((), ("--mount", "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh")):
            alone = ["unshare", "--pid", "--fork", "--kill-child", *own]
            if subprocess.run([*alone, "true"], check=False).returncode != 0:
                self.skipTest("no namespace of processes can be made")
            with self.subTest(own), self.program(*alone) as one, self.program(*alone) as other:
                for running in (one, other):
                    got = run("get", "--job", running.pid, "*")
                    self.assertEqual(got.stderr, self.reached)


@unittest.skipUnless(built.FOLDER and built.PROGRAMS, "the agents were not built")
class WithMpich(Attach, unittest.TestCase):
    mpi = "mpich"

    def check_set(self, of_job, name):
        """All ranks, one rank, and a value that does not fit into an int."""
        written = run("set", *of_job, f"{name}=64k")
        self.assertEqual((written.returncode, sorted(written.stdout.splitlines())),
                         (0, [f"rank {rank}: {name} = 65536" for rank in range(4)]), written.stderr)
        self.assertEqual(run("set", *of_job, "--rank", "2", f"{name}=4096").stdout, f"rank 2: {name} = 4096\n")
        refused = run("set", *of_job, "--rank", "2", f"{name}=4G")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("the variable cannot have this value (MPI_T_ERR_INVALID); it is 4096", refused.stderr)
        self.assertEqual([line.split()[-1] for line in run("get", *of_job, name).stdout.splitlines()],
                         ["65536", "65536", "4096", "65536"])


@unittest.skipUnless(built.FOLDER and built.PROGRAMS, "the agents were not built")
class WithOpenMpi(Attach, unittest.TestCase):
    mpi = "openmpi"

    def check_set(self, of_job, name):
        """Each rank refuses, and keeps its value."""
        refused = run("set", *of_job, f"{name}=12")
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertEqual(refused.stderr.count("the variable cannot be set (MPI_T_ERR_CVAR_SET_NEVER); it is 1024"), 4, refused.stderr)
