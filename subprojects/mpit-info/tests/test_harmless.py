"""Programs under mpit-info do what they do alone: forks, descriptors, signals, values, output and exit status."""

import os
import pathlib
import sys
import tempfile
import unittest

import comparison
import built
from built import mpis, sample

BEHAVIOURS = os.environ.get("MPIT_INFO_BEHAVIOURS", "")  # a program that prints what it sees of one thing: behaviours <what>
WATCHED = ("watch", "--rate", "200", "--event", "*")
WAYS = (WATCHED, ("--at", "end", "--json"), ("--json",))
# As a program that is started by a shell has it: the limit of descriptors is not the highest one that there is. What it prints and
# its status go into one file, then what it has written itself.
SHELL = ("export BEHAVING_FILE='{file}.said'; (ulimit -Sn 256 2>/dev/null; exec \"$@\" >'{file}' 2>&1); echo \"status $?\" >>'{file}'; "
         "[ ! -e '{file}.said' ] || exec cat '{file}.said' >>'{file}'")


@unittest.skipUnless(built.FOLDER and BEHAVIOURS, "the agents were not built")
class Harmless(unittest.TestCase):
    def check(self, *words, ways=WAYS, **variables):
        """The program prints and answers the same alone and in each way; what it printed."""
        entry = comparison.Entry(["sh", "-c", SHELL, "sh", *words], variables=variables)
        alone = comparison.run(entry)
        self.assertNotEqual(alone.status, "hangs")
        for way in ways:
            with self.subTest(way):
                under = comparison.run(entry, way)
                self.assertNotEqual(under.status, "hangs")
                self.assertEqual(under.file.decode(), alone.file.decode(), under.output + under.errors)
        return alone.file.decode()

    def test_children_end_as_they_do_alone_however_they_end(self):
        self.assertIn("exit 3, exit 4, exit 0, exit 6, signal 9", self.check(BEHAVIOURS, "forks"))

    def test_threads_fork_while_others_raise_events_that_are_watched(self):
        self.check(BEHAVIOURS, "forks of threads", ways=[WATCHED])

    def test_output_in_a_buffer_is_written_as_often_as_alone(self):
        self.check(BEHAVIOURS, "buffered")

    def test_a_child_that_goes_on_sends_nothing_of_its_parent(self):
        self.assertIn("exit 5", self.check(BEHAVIOURS, "goes on as child"))

    def test_a_program_that_reads_no_configuration_file_reads_none_under_an_agent(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "behaving.conf")
            pathlib.Path(file).write_text("BEHAVING_LIMIT = 77\nBEHAVING_TOLD = 66\n", encoding="utf-8")
            seen = self.check(BEHAVIOURS, "settings", MPIT_CONFIGURATION=file)
            self.assertIn("5 5, later 5 5, told 0", seen)

    def test_a_program_that_reads_files_of_its_own_accord_takes_the_same_values(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, line in (("named", "BEHAVING_LIMIT = 77\nBEHAVING_TOLD = 66\n"), ("own", "BEHAVING_LIMIT = 99\n")):
                pathlib.Path(folder, name).write_text(line, encoding="utf-8")
            seen = self.check("sh", "-c", f"BEHAVING_FILE={folder}/own exec '{BEHAVIOURS}' 'reads settings'",
                              MPIT_CONFIGURATION=f"{folder}/named")
            self.assertIn("1 read: 99 66, later 99 66, told 0", seen)

    def test_what_a_program_says_of_its_environment_stays_the_same(self):
        seen = self.check(BEHAVIOURS, "settings", BEHAVING_LIMITT="3", BEHAVING_TOLD="x")
        self.assertIn("BEHAVING_TOLD in the environment is not accepted", seen)
        self.assertNotIn("LIMITT", seen)

    def test_a_program_gets_the_descriptors_that_it_gets_alone(self):
        self.check(BEHAVIOURS, "descriptors")
        self.check("sh", "-c", f"exec '{BEHAVIOURS}' descriptors <&- >&- 2>&-")

    def test_an_agent_writes_into_no_descriptor_that_the_program_has_closed_and_opened_again(self):
        self.assertIn("nothing", self.check(BEHAVIOURS, "closes all"))

    def test_a_program_that_ends_under_a_lock_that_its_variables_want_ends(self):
        for way in (WATCHED, ("--json",)):
            self.check(BEHAVIOURS, "exits with lock", ways=[way])

    def test_a_thread_that_ends_the_program_while_it_is_cancelled_ends_it(self):
        self.assertIn("status 7", self.check(BEHAVIOURS, "exits while cancelled"))

    def test_signals_come_to_the_threads_of_the_program(self):
        self.assertIn("50 caught, 1 pending", self.check(BEHAVIOURS, "catches signals", ways=[WATCHED]))

    def test_raising_an_event_keeps_errno(self):
        self.check(BEHAVIOURS, "keeps errno", ways=[WATCHED])

    def test_a_program_without_variables_has_the_threads_that_it_has_alone(self):
        code = ("import ctypes, os\n"
                "c = ctypes.CDLL(None, use_errno=True)\n"
                "print(os.listdir('/proc/self/task') == [str(os.getpid())], c.unshare(0x10000000), ctypes.get_errno())\n")
        self.assertIn("True", self.check(sys.executable, "-S", "-E", "-c", code))

    def test_an_agent_stays_out_of_a_program_without_variables(self):
        code = "print([line.split()[-1] for line in open('/proc/self/maps') if 'mpit-info-' in line])"
        self.assertIn("[]", self.check(sys.executable, "-S", "-E", "-c", code))

    def test_a_thread_that_reads_for_longer_than_the_end_waits_stops_by_itself(self):
        for mpi in mpis():
            with self.subTest(mpi), tempfile.TemporaryDirectory() as folder:
                for path in pathlib.Path(built.FOLDER).glob("*mpit-info*.so"):
                    os.symlink(path, os.path.join(folder, path.name))
                layer = os.path.join(folder, f"mpit-info-calls-{mpi}.so")
                os.unlink(layer)
                os.symlink(sample("slow_layer.so"), layer)
                finished = built.run("watch", "--network", "--calls", "no", "--output", os.devnull, "--", built.program(mpi), agents=folder)
                self.assertEqual((finished.returncode, finished.stdout),
                                 (0, "the reader has ended, having read 1 times more\n"), finished.stderr)
