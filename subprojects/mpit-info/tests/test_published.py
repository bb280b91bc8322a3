"""Variables that are published while a program runs, and those of libraries that are opened and closed then: they are watched as those
that were there at its start. The programs go on when they have been watched, so that no case depends on the time that anything takes.
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

import built
import tool
from built import sample

FIRST, SECOND = ["first_steps", "first_reads"], ["second_steps", "second_reads"]


def column_lists(messages):
    """The names of the columns of each message, one message behind the other."""
    return [[column["name"] for column in each["columns"]] for each in messages if each["message"] == "columns"]


def values(messages):
    found, names = {}, []
    for each in messages:
        if each["message"] == "columns":
            names = [column["name"] for column in each["columns"]]
        elif each["message"] == "sample":
            for name, value in zip(names, each["values"]):
                found.setdefault(name, []).append(value)
    return found


def rows(text):
    """The lines of the table at the end, by the names of the variables."""
    table = text.partition("A second\n")[2]
    return {line.split()[0]: line.split()[1:] for line in table.splitlines() if line.strip()}


@unittest.skipUnless(built.FOLDER and built.PROGRAMS, "the agents were not built")
class Published(unittest.TestCase):
    def watch(self, *words, options=(), status=5):
        """Watches a program, which must end with its own status: what was recorded, and what was printed."""
        messages, finished = built.recorded("--rate", "200", "--interval", "0", *options, "--", *words, status=status)
        self.assertEqual(finished.stderr, "", finished.stdout)
        return messages, finished.stdout

    def check_counted(self, messages, *names):
        told = values(messages)
        for name in names:
            known = [value for value in told[name] if value is not None]
            self.assertGreater(len(known), 2, name)
            self.assertGreater(known[-1], 0, name)

    # In a program.

    def test_variables_that_are_published_after_main_began_are_watched(self):
        messages, printed = self.watch(sample("published"), "once")
        self.assertEqual(column_lists(messages)[0], FIRST)
        self.check_counted(messages, "first_steps", "first_reads")
        taken = [each["document"]["taken"] for each in messages if each["message"] == "snapshot"]
        self.assertEqual((taken[0], taken[-1]), ("while it runs", "at exit"))
        self.assertGreater(int(rows(printed)["first_steps"][1]), 0)

    def test_variables_that_are_published_while_it_samples_have_new_columns(self):
        messages, printed = self.watch(sample("published"), "twice")
        self.assertEqual(column_lists(messages)[:2], [FIRST, FIRST + SECOND])
        self.check_counted(messages, "first_steps", "second_steps")
        self.assertEqual(set(rows(printed)) & {*FIRST, *SECOND}, {*FIRST, *SECOND})

    def test_variables_that_come_to_an_mpi_have_new_columns(self):
        messages, printed = self.watch(sample("published-mini"), "twice", options=["--variable", "first_*", "--variable", "second_*"])
        self.assertEqual([names for names in column_lists(messages) if names][:2], [FIRST, FIRST + SECOND])
        self.check_counted(messages, "first_steps", "second_steps")
        self.assertEqual(set(rows(printed)) & {*FIRST, *SECOND}, {*FIRST, *SECOND})

    def test_variables_of_a_library_beside_an_mpi_have_new_columns(self):
        for mpi in ("mpich", "openmpi"):
            with self.subTest(mpi):
                messages, printed = self.watch(sample(f"published-{mpi}"), "twice",
                                               options=["--variable", "first_*", "--variable", "second_*"])
                self.assertEqual([names for names in column_lists(messages) if names][:2], [FIRST, FIRST + SECOND])
                self.check_counted(messages, "first_steps", "second_steps")
                self.assertEqual(set(rows(printed)) & {*FIRST, *SECOND}, {*FIRST, *SECOND})

    def test_variables_that_are_withdrawn_have_no_columns_and_keep_their_values_for_the_table(self):
        messages, printed = self.watch(sample("published"), "withdrawn")
        told = [names for names in column_lists(messages) if names]
        self.assertEqual([told[0], told[-1]], [FIRST, FIRST])
        self.assertIn(SECOND, told)
        self.check_counted(messages, "first_steps", "second_steps")
        for name in ("first_steps", "second_steps"):
            self.assertGreater(int(rows(printed)[name][1]), 0)

    def test_variables_that_come_later_are_chosen_as_the_others(self):
        messages, printed = self.watch(sample("published"), "twice", options=["--variable", "*_READS"])
        self.assertEqual(column_lists(messages)[:2], [["first_reads"], ["first_reads", "second_reads"]])
        self.assertEqual([name for name in rows(printed) if name.endswith("_steps")], [])
        filtered = self.watch(sample("published"), "twice", options=["--class", "level"])[1]
        self.assertEqual([name for name in rows(filtered) if name[-6:] in ("_steps", "_reads")], ["first_reads", "second_reads"])

    def test_a_program_that_publishes_nothing_ends_as_it_does_and_is_explained(self):
        finished = built.run("watch", "--", sample("published"), "never")
        self.assertEqual(finished.returncode, 5)
        self.assertIn("published sent nothing (exit status 5)", finished.stderr)

    def test_a_program_that_forks_and_becomes_another_one_is_watched_in_both(self):
        messages, printed = self.watch(sample("published"), "forks")
        self.assertEqual(printed.count("20 children\n"), 2)
        pids = {each["process"]: each["pid"] for each in messages if each["message"] == "hello"}
        self.assertEqual((len(pids), len(set(pids.values()))), (2, 1))
        for process in pids:
            self.check_counted([each for each in messages if each.get("process") == process], "first_steps")

    def test_a_program_without_mpit_has_no_thread_whatever_it_opens(self):
        finished = built.run("watch", "--", sys.executable, "-c", "import _ctypes, os; print(os.listdir('/proc/self/task') == [str(os.getpid())])")
        self.assertEqual(finished.stdout, "True\n")

    # In libraries.

    def test_a_plugin_is_watched_until_it_is_closed_and_again_when_it_is_opened_again(self):
        first, second = sample("counting-first.so"), sample("counting-second.so")
        messages, printed = self.watch(sample("late"), "--in-turn", first, first, second, first, status=7)
        told = [names for names in column_lists(messages) if names]
        self.assertEqual([told[0], told[-1]], [FIRST, FIRST])
        self.assertIn(SECOND, told)
        for name in ("first_steps", "second_steps"):
            self.assertGreater(int(rows(printed)[name][1]), 0)

    def test_plugins_that_stay_open_are_watched_together(self):
        messages, _ = self.watch(sample("late"), sample("counting-first.so"), sample("counting-second.so"), status=7)
        self.assertEqual(column_lists(messages)[:2], [FIRST, FIRST + SECOND])
        self.check_counted(messages, "first_steps", "second_steps")

    def test_an_mpi_that_is_started_later_is_watched_in_its_place(self):
        messages, printed = self.watch(sample("late"), sample("counting-first.so"), sample("plugin-mpich.so"), status=7)
        self.assertEqual([each["rank"] for each in messages if each["message"] == "hello"], [-1, 0])
        taken = [each["document"]["taken"] for each in messages if each["message"] == "snapshot" and each["process"] == 1]
        self.assertEqual(taken, ["after MPI_Init", "at MPI_Finalize"])
        self.assertIn("\n1 rank, ", printed)

    def test_a_plugin_that_is_opened_when_an_mpi_has_been_started_is_watched(self):
        messages, printed = self.watch(sample("late"), sample("plugin-mpich.so"), sample("counting-first.so"), status=7)
        self.assertIn(FIRST, [[name for name in names if name.startswith("first_")] for names in column_lists(messages)])
        self.check_counted(messages, "first_steps")
        self.assertGreater(int(rows(printed)["first_steps"][1]), 0)

    # In a running program.

    @contextlib.contextmanager
    def resident(self, what):
        """A program in which an agent sleeps; with its number. It must end with its own status."""
        words = tool.command("resident", "--agents", built.FOLDER, "--", sample("published"), what)
        with subprocess.Popen(words, env=tool.environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
            yield running, int(running.stdout.readline())
            running.communicate(timeout=100)
            self.assertEqual(running.returncode, 5)

    def test_variables_that_are_published_while_a_tool_is_attached_have_new_columns(self):
        with self.resident("twice") as (_, pid), tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "run.jsonl")
            attached = tool.call("attach", str(pid), "--rate", "200", "--interval", "0", "--record", record)
            self.assertEqual((attached.returncode, attached.stderr), (0, ""))
            messages = tool.messages(record)
        self.assertEqual([names for names in column_lists(messages) if names][:2], [FIRST, FIRST + SECOND])
        self.check_counted(messages, "second_steps")
        self.assertEqual(set(rows(attached.stdout)) & {*FIRST, *SECOND}, {*FIRST, *SECOND})

    def test_get_has_no_value_of_what_begins_to_count_when_it_is_asked(self):
        with self.resident("asked") as (running, pid):
            print(file=running.stdin, flush=True)
            while running.poll() is None:
                got = tool.call("get", "--pid", str(pid), "first_*")
                if got.returncode == 0:
                    self.assertRegex(got.stdout, rf"^process {pid}: first_steps: no value: counting began at this moment\n"
                                                 rf"process {pid}: first_reads = [0-9]+\n$")
                    break
            # It ends when it has been read often.
            tool.call("attach", str(pid), "--rate", "200", "--interval", "0", text=False, stdout=subprocess.DEVNULL)
        self.assertEqual(got.returncode, 0, got.stderr)

    def test_a_tool_that_is_attached_before_the_first_variable_is_told_of_it(self):
        with self.resident("asked") as (running, pid), socket.socket(socket.AF_UNIX) as tool_side:
            tool_side.settimeout(100)
            name, = pathlib.Path(f"/dev/shm/mpit-info-{os.geteuid()}").glob(f"*-{pid}")
            tool_side.connect(str(name))
            tool_side.sendall(b'{"want":"watch","rate":200,"variables":["*"]}\n')
            messages = []
            with tool_side.makefile(encoding="utf-8") as lines:
                for line in lines:
                    messages.append(json.loads(line))
                    if messages[-1]["message"] == "columns" and len(column_lists(messages)) == 1:
                        self.assertEqual(column_lists(messages), [[]])
                        print(file=running.stdin, flush=True)
                    if messages[-1]["message"] == "end":
                        break
        self.assertEqual(column_lists(messages)[1], FIRST)
        self.check_counted(messages, "first_steps")
