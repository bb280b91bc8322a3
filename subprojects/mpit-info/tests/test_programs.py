"""Programs: how they are started, what they are told, and what their ends mean."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import command_line, launch  # noqa: E402
from mpit_info.refusal import Refusal  # noqa: E402


class Programs(unittest.TestCase):
    def test_the_call_logs_of_a_run_are_gone_at_its_end(self):
        # As tune runs a program, with a status of its own, and one that cannot be started.
        for words, status in ((["true"], 0), (["false"], 1), (["/nowhere/program"], None)):
            with self.subTest(words), tempfile.TemporaryDirectory() as folder:
                run = launch.Run(words, {"want": "watch", "calls": "yes"}, folder, streams={"stderr": subprocess.DEVNULL})
                try:
                    self.assertEqual(list(filter(any, run.messages())), [])
                except Refusal:
                    pass
                self.assertEqual((run.status, os.path.exists(run.call_logs)), (status, False))

    def test_a_program_is_listed(self):
        text = tool.printed(program=[])
        self.assertIn("My MPI 1.2", text)
        self.assertIn("MYMPI_EAGER_LIMIT", text)

    def test_its_output_goes_where_it_went(self):
        finished = tool.run(program=["--prints", "first words"])
        self.assertTrue(finished.stdout.startswith("first words\n"))

    def test_its_output_does_not_spoil_a_document(self):
        finished = tool.run("--json", program=["--prints", "first words"])
        json.loads(finished.stdout)
        self.assertIn("first words", finished.stderr)

    def test_a_document_can_be_kept_and_shown_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.json")
            finished = tool.run("--json", "--output", path, program=["--prints", "first words"])
            self.assertEqual((finished.returncode, finished.stdout), (0, "first words\n"))
            self.assertEqual(tool.printed("--from", path), tool.printed(document=samples.document()))

    def test_at_init_the_status_is_that_of_the_tool(self):
        self.assertEqual(tool.run(program=["--status", "3"]).returncode, 0)

    def test_at_its_end_the_status_is_that_of_the_program(self):
        finished = tool.run("--at", "end", program=["--status", "3"])
        self.assertEqual(finished.returncode, 3)
        self.assertIn("at MPI_Finalize", finished.stdout)

    def test_a_program_that_tells_nothing_is_explained(self):
        finished = tool.run(program=["--silent", "--status", "5"])
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertRegex(finished.stderr, r"mpit-info: python3\S* sent nothing \(exit status 5\): it uses no MPI")

    def test_a_program_that_is_missing_is_explained(self):
        finished = tool.run(words=["/nowhere/program"])
        self.assertEqual(finished.returncode, 127)
        self.assertIn("cannot run /nowhere/program: No such file or directory", finished.stderr)

    def test_a_program_without_two_dashes_is_explained(self):
        finished = tool.run("./program")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("write the program behind --: mpit-info -- ./program", finished.stderr)

    def test_first_guesses_about_running_processes_are_answered_with_the_right_words(self):
        resident = "shows a running process that was started by mpit-info resident -- program"
        for words, answer in ((("attach", 7, "set", "X=1"), "set is a command of its own: mpit-info set --pid 7 X=1"),
                              (("attach", "get", 7, "X"), "get is a command of its own: mpit-info get --pid 7 X"),
                              (("attach", 7, "set"), "set is a command of its own: mpit-info set --pid 7 NAME=VALUE"),
                              (("attach", "--pid", 7), "attach has the numbers of processes without --pid: mpit-info attach 7"),
                              (("attach", "./program"), "is not the number of a process; mpit-info watch -- ./program starts a program"),
                              (("get", 7, "X"), "--pid names a process: mpit-info get --pid 7 X"),
                              (("set", 7, "X=1"), "--pid names a process: mpit-info set --pid 7 X=1"),
                              (("set", "--rank", 3, "X=1"), "--pid, --job or --all must name a process"),
                              (("get", "-p", 7, "X"), "--pid names a process: mpit-info get --pid 7 X"),
                              (("get", "--pid", 7, "X=1"), "get has names alone; set writes a value: mpit-info set --pid 7 X=1"),
                              (("watch", 7), resident), (("watch", "--pid", 7), resident), (("--job", 7), resident),
                              (("resident", 7), resident)):
            finished = tool.call(*words)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""), words)
            self.assertIn(answer, finished.stderr)

    def test_a_misspelt_command_or_option_is_answered_with_the_one_that_is_perhaps_meant(self):
        for words, answer in ((("wach",), "unknown word wach; perhaps watch is meant: mpit-info watch ..."),
                              (("wach", "--record", "a", "--", "./x"), "unknown word wach; perhaps watch is meant: mpit-info watch ..."),
                              (("postmorten", "folder"), "perhaps postmortem is meant"),
                              (("--tabel",), "unknown option --tabel; perhaps --table is meant"),
                              (("watch", "--recrod=a", "./x"), "unknown option --recrod=a; perhaps --record is meant"),
                              (("watch", "--recrod", "a", "./x"), "unknown option --recrod; perhaps --record is meant"),
                              (("diff", "--jsn", "a", "b"), "unknown option --jsn; perhaps --json is meant")):
            finished = tool.call(*words)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""), words)
            self.assertIn(answer, finished.stderr)

    def test_the_first_word_that_is_no_option_begins_the_program(self):
        for words, program in (("watch ./x -n 4", "./x -n 4"), ("watch --rate 5 --csv ./x -- y", "./x -- y"),
                               ("watch --rec=a -v user -vuser --interv 2 mpiexec --record", "mpiexec --record"), ("watch --csv -- -x y", "-x y"),
                               ("resident --regions ./x", "./x"), ("tune --sweep A=1,2 --maximise ./x", "./x")):
            self.assertEqual(command_line.parse(words.split()).program, program.split())

    def test_a_process_in_which_no_agent_sleeps_is_refused_with_the_command_that_puts_one_there(self):
        with subprocess.Popen(["sleep", "3000"]) as running:
            for words in (("attach", running.pid), ("get", "--pid", running.pid, "X"), ("set", "--job", running.pid, "X=1")):
                finished = tool.call(*words)
                self.assertEqual((finished.returncode, finished.stdout), (1, ""), words)
                self.assertIn("has a sleeping agent" if "--job" in words else "has no sleeping agent", finished.stderr)
                self.assertIn("start the job with `mpit-info resident -- ...`", finished.stderr)
            running.kill()

    def test_a_command_behind_options_is_explained(self):
        finished = tool.run("--width", "80", "watch", program=[])
        self.assertEqual(finished.returncode, 2)
        self.assertIn("write the command before all options: mpit-info watch", finished.stderr)

    def test_a_missing_agent_is_explained(self):
        with tempfile.TemporaryDirectory() as folder:
            finished = tool.run("--agents", folder, "--", "true", variables={"MPIT_INFO_AGENTS": folder})
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--agents names the directory", finished.stderr)

    def test_lines_that_are_no_json_are_told_and_left_out(self):
        finished = tool.run(program=["--nonsense"])
        self.assertEqual(finished.returncode, 0)
        self.assertIn("process 0 has sent a line that is not a JSON object", finished.stderr)
        self.assertIn("MYMPI_EAGER_LIMIT", finished.stdout)

    def test_what_was_preloaded_before_stays_preloaded(self):
        library = tool.loaded_library()
        words = ["sh", "-c", f'echo "$MPIT_INFO_AGENTS/libmpit-info.so:{library} $LD_PRELOAD" >&2; exec {sys.executable} {tool.FAKE}']
        expected, preloaded = tool.run(words=words, variables={"LD_PRELOAD": library}).stderr.splitlines()[0].split()
        self.assertEqual(preloaded, expected)

    def test_the_request_and_the_agents_are_in_the_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["sh", "-c",
                     f'echo "$MPIT_INFO_REQUEST $MPIT_INFO_AGENTS" >&2; exec {sys.executable} {tool.FAKE}']
            finished = tool.run("--agents", tool.agents(folder), "--at", "end", "--", *words)
            self.assertEqual(finished.stderr.splitlines()[0], f'{{"want":"snapshot","at":"end"}} {folder}')

    def test_no_directory_is_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            tool.run(program=[], variables={"TMPDIR": folder})
            self.assertEqual(os.listdir(folder), [])


class Ranks(unittest.TestCase):
    def test_the_lowest_rank_is_shown(self):
        self.assertIn("rank 0 of 4", tool.printed(program=["--processes", "4"]))

    def test_a_rank_can_be_chosen(self):
        self.assertIn("rank 2 of 4", tool.printed("--rank", "2", program=["--processes", "4"]))

    def test_a_rank_that_is_not_there_is_refused(self):
        finished = tool.run("--rank", "4", program=["--processes", "4"])
        self.assertEqual(finished.returncode, 2)
        self.assertIn("there is no rank 4; 0, 1, 2, 3 answered", finished.stderr)

    def test_values_that_differ_between_ranks_are_told(self):
        finished = tool.run(program=["--processes", "4", "--differ"])
        self.assertIn("the ranks have different values of 1 control variable: MYMPI_EAGER_LIMIT", finished.stderr)
        self.assertEqual(tool.run(program=["--processes", "4"]).stderr, "")

    def test_a_process_without_mpi_is_shown(self):
        self.assertIn("MYMPI_EAGER_LIMIT", tool.printed(program=["--no-mpi"]))


class Installed(unittest.TestCase):
    def installed(self, folder, library):
        """What the tool prints where it is installed below a folder, with the agents in this one of its folders."""
        os.makedirs(os.path.join(folder, "bin"))
        shutil.copy(tool.FRONT / "mpit-info", os.path.join(folder, "bin"))
        for name in ("schema.json", "stream.json"):
            os.makedirs(os.path.join(folder, "share", "mpit-info"), exist_ok=True)
            shutil.copy(tool.FRONT / name, os.path.join(folder, "share", "mpit-info"))
        shutil.copytree(tool.FRONT / "mpit_info", os.path.join(folder, "share", "mpit-info", "mpit_info"))
        os.makedirs(os.path.join(folder, library))
        tool.agents(os.path.join(folder, library))
        words = [sys.executable, os.path.join(folder, "bin", "mpit-info"), "--", sys.executable, tool.FAKE]
        environment = tool.environment(PYTHONPATH=os.environ.get("PYTHONPATH", ""))
        return subprocess.run(words, env=environment, text=True, timeout=60, capture_output=True, check=True).stdout

    def test_the_agents_are_found_where_they_were_installed(self):
        for library in ("lib/mpit-info", "lib64/mpit-info", "lib/x86_64-linux-gnu/mpit-info"):
            with tempfile.TemporaryDirectory() as folder:
                self.assertIn("MYMPI_EAGER_LIMIT", self.installed(folder, library))


# Where tests run in the background, interrupts may be ignored.
INTERRUPTIBLE = ["env", "--default-signal=INT"]


class Interrupts(unittest.TestCase):
    def test_a_reader_that_leaves_early_ends_the_tool_quietly(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "document.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(samples.many_variables(5000), file)
            with subprocess.Popen(tool.command("--from", path), env=tool.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as running:
                running.stdout.read(100)
                running.stdout.close()
                complaints = running.stderr.read()
            self.assertEqual((running.returncode, complaints), (0, b""))

    def test_who_ends_the_tool_ends_the_program_and_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
            words = ["sh", "-c", "echo $$; exec sleep 60"]
            with subprocess.Popen(tool.command("--agents", tool.agents(folder), "--at", "end", "--", *words),
                                  env=tool.environment(TMPDIR=temporary), stdout=subprocess.PIPE, text=True) as running:
                program = int(running.stdout.readline())
                self.assertEqual(len(os.listdir(temporary)), 1)
                running.terminate()
            self.assertEqual((running.returncode, os.listdir(temporary)), (-signal.SIGTERM, []))
            self.assertFalse(os.path.exists(f"/proc/{program}"))

    def test_an_interrupt_is_left_to_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["sh", "-c", f'trap "exec {sys.executable} {tool.FAKE} --status 6" INT; echo ready; '
                     "while :; do sleep 0.05; done"]
            with subprocess.Popen([*INTERRUPTIBLE, *tool.command("--agents", tool.agents(folder), "--at", "end", "--", *words)],
                                  env=tool.environment(), stdout=subprocess.PIPE, text=True,
                                  start_new_session=True) as running:
                self.assertEqual(running.stdout.readline(), "ready\n")
                os.killpg(running.pid, signal.SIGINT)
                text = running.stdout.read()
            self.assertEqual(running.returncode, 6)
            self.assertIn("MYMPI_EAGER_LIMIT", text)

    def test_an_interrupt_as_soon_as_the_program_is_there_is_left_to_it(self):
        # Its group, which is not that of the program here, is interrupted where the tool has started the program.
        pause = ("import os, signal, subprocess, sys\n"
                 "from mpit_info import main\n"
                 "class Interrupted(subprocess.Popen):\n"
                 "    def __init__(self, *words, **settings):\n"
                 "        super().__init__(*words, start_new_session=True, **settings)\n"
                 "        os.killpg(0, signal.SIGINT)\n"
                 "subprocess.Popen = Interrupted\n"
                 "sys.exit(main.main(sys.argv[1:]))\n")
        with tempfile.TemporaryDirectory() as folder:
            words = ["--agents", tool.agents(folder), "--at", "end", "--", sys.executable, tool.FAKE, "--status", "6"]
            finished = subprocess.run([*INTERRUPTIBLE, sys.executable, "-c", pause, *words], env=tool.environment(), text=True, timeout=60,
                                      start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(finished.returncode, 6, finished.stderr)
        self.assertIn("MYMPI_EAGER_LIMIT", finished.stdout)

    def test_signals_that_are_ignored_stay_so(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["sh", "-c", f"kill -HUP $$; kill -INT $$; kill -HUP $PPID; kill -INT $PPID; "
                     f"exec {sys.executable} {tool.FAKE} --status 6"]
            ignoring = ["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh"]
            finished = subprocess.run([*ignoring, *tool.command("--agents", tool.agents(folder), "--at", "end", "--", *words)],
                                      env=tool.environment(), text=True, timeout=60, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, check=False)
        self.assertEqual(finished.returncode, 6, finished.stderr)
