"""The keys of the view over the launchers of real MPIs, which read the standard input themselves."""

import os
import unittest

import built
import tool

try:
    import screens
except ImportError:
    screens = None


@unittest.skipUnless(screens, "the Python package pyte is not installed (on Debian: python3-pyte)")
class Launchers(unittest.TestCase):
    def started(self, mpi, ranks, **settings):
        if not built.program(mpi):
            self.skipTest(f"{mpi} is not installed")
        words = tool.command("watch", "--agents", built.FOLDER, "--", *built.ranks(mpi, ranks, built.sample(f"reading-{mpi}")))
        terminal = screens.Terminal(words, has_session=True, **settings, **built.AS_ROOT)
        self.addCleanup(terminal.__exit__)
        return terminal

    def watched(self, mpi, columns):
        """The same with four ranks, once keys are read."""
        terminal = self.started(mpi, 4, columns=columns)
        terminal.until(lambda text: "? help" in text and "4 ranks" in text and terminal.is_raw(), limit=25)
        return terminal

    def check(self, mpi):
        """Keys are for the view, and lines of the key i for rank 0."""
        terminal = self.watched(mpi, 80)
        terminal.press("i", "forty two", "enter")
        # The first call of a function has been counted.
        terminal.until(lambda text: "rank 0 has read: forty two" in text and "MPI_Bcast " in text)
        terminal.press("s", "/", "Bcast", "enter")
        terminal.until(lambda text: "by name" in text and "filter: Bcast" in text and "MPI_Bcast_time" in text)
        terminal.press("r")
        terminal.until(lambda text: "rank 3 " in text)
        terminal.press("i", "\x04")
        self.assertEqual(terminal.finish(), 5)
        self.assertFalse(terminal.is_raw())
        told = [line for line in terminal.scrolled() if "has read" in line or "has ended" in line]
        self.assertEqual(told, ["rank 0 has read: forty two", "the input has ended"])

    def test_keys_and_lines_for_rank_0_over_mpich(self):
        self.check("mpich")

    def test_keys_and_lines_for_rank_0_over_open_mpi(self):
        self.check("openmpi")

    def test_after_q_rank_0_reads_what_is_typed_until_ctrl_d(self):
        for mpi in ("mpich", "openmpi"):
            with self.subTest(mpi):
                terminal = self.watched(mpi, 60)
                terminal.press("q")
                terminal.until(lambda text, terminal=terminal: not terminal.is_raw())
                terminal.press("typed\n")
                terminal.until(lambda text: "rank 0 has read: typed" in text)
                terminal.press("\x04")
                self.assertEqual(terminal.finish(), 5)

    def test_a_file_reaches_rank_0_while_the_view_has_keys(self):
        for mpi in ("mpich", "openmpi"):
            with self.subTest(mpi):
                reading, writing = os.pipe()
                terminal = self.started(mpi, 2, stdin=reading)
                os.close(reading)
                os.write(writing, b"words of a pipe\n")
                terminal.until(lambda text: "rank 0 has read: words of a pipe" in text and "? help" in text, limit=25)
                terminal.press("?")
                terminal.until(lambda text: "interrupt the program" in text)
                os.close(writing)
                self.assertEqual(terminal.finish(), 5)
