"""The live view, read from the screen of a terminal."""

import sys
import tempfile
import unittest

import tool

try:
    import screens
except ImportError:
    screens = None


@unittest.skipUnless(screens, "the Python package pyte is not installed (on Debian: python3-pyte)")
class Views(unittest.TestCase):
    def watched(self, *program, arguments=(), **settings):
        """A terminal on which a program is watched."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        words = tool.command("watch", "--agents", tool.agents(folder.name), *arguments, "--", *program)
        terminal = screens.Terminal(words, **settings)
        self.addCleanup(terminal.__exit__)
        return terminal

    def pretended(self, *arguments, options=(), **settings):
        """The same with the program that pretends."""
        return self.watched(sys.executable, tool.PRETEND, *arguments, arguments=("--rate", "20", *options), **settings)

    def row(self, lines, name):
        """The line of a variable."""
        return next(line for line in lines if line.startswith(name))

    def test_a_variable_has_value_rate_and_graph(self):
        terminal = self.pretended("--seconds", "30")
        lines = terminal.until(lambda text: "█████" in text)
        self.assertRegex(self.row(lines, "messages_sent"), r"^messages_sent +\d+(\.\d+)?k? +\d+(\.\d+)?k? +[▁-█]+$")
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +Value +A second$")

    def test_ranks_are_compared(self):
        terminal = self.pretended("--seconds", "30", "--processes", "4", columns=120)
        lines = terminal.until(lambda text: "█████" in text)
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +Minimum +Mean +Maximum +Imbalance +A second$")
        self.assertRegex(self.row(lines, "messages_sent"), r"( +\d+(\.\d+)?k?){3} +\d+ % +\d+(\.\d+)?k +[▁-█]+$")
        self.assertIn("4 ranks", "\n".join(lines))

    def test_events_have_a_rate_and_a_graph(self):
        terminal = self.pretended("--seconds", "30", "--processes", "2", options=("--event", "*"))
        lines = terminal.until(lambda text: "unexpected_message" in text and text.rstrip().endswith("█"))
        self.assertRegex(self.row(lines, "unexpected_message"), r"^unexpected_message +\d+ +\d+(\.\d+)? +[▁-█ ]+$")

    def test_the_values_go_on(self):
        terminal = self.pretended("--seconds", "30")

        def value(lines):
            return self.row(lines, "messages_sent").split()[1]

        before = value(terminal.until(lambda text: "messages_sent" in text))
        terminal.until(lambda text: "messages_sent" in text and value(text.splitlines()) != before)

    def test_what_the_program_prints_stands_above_the_view(self):
        terminal = self.watched(
            "sh", "-c", f"{sys.executable} {tool.PRETEND} --seconds 30 & "
            "for i in 1 2 3; do echo line $i; sleep 0.5; done; wait", lines=24)
        lines = terminal.until(lambda text: "line 3" in text and "messages_sent" in text)
        self.assertEqual([line for line in lines if line.startswith("line")], ["line 1", "line 2", "line 3"])
        self.assertLess(lines.index("line 3"), lines.index(self.row(lines, "messages_sent")))

    def test_the_program_sees_a_terminal_as_wide_as_the_real_one(self):
        terminal = self.watched("sh", "-c", f"stty size <&1; {sys.executable} {tool.PRETEND} --fast",
                                columns=77, lines=20)
        terminal.finish()
        self.assertIn("20 77", terminal.scrolled())

    def test_a_program_may_print_very_much(self):
        terminal = self.watched("sh", "-c", f"seq 100000; {sys.executable} {tool.PRETEND} --fast", lines=20)
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("100000", terminal.scrolled())

    def test_the_view_needs_no_colours(self):
        terminal = self.pretended("--seconds", "30", NO_COLOR="1")
        self.assertTrue(terminal.until(lambda text: "█████" in text))
        self.assertEqual({cell.fg for row in terminal.screen.buffer.values() for cell in row.values()}, {"default"})

    def test_a_summary_that_goes_into_a_file_leaves_the_view_where_it_is(self):
        with tempfile.NamedTemporaryFile("r", suffix=".txt") as file:
            terminal = self.pretended("--seconds", "2", options=("--output", file.name))
            terminal.until(lambda text: "messages_sent" in text)
            self.assertEqual(terminal.finish(), 0)
            self.assertIn("messages_sent", file.read())
        self.assertEqual([line for line in terminal.lines() if "messages_sent" in line], [])

    def test_at_the_end_the_summary_takes_the_place_of_the_view(self):
        terminal = self.pretended("--seconds", "1", "--prints", "first words")
        self.assertEqual(terminal.finish(), 0)
        lines = terminal.scrolled()
        self.assertEqual(sum(line.startswith("messages_sent") for line in lines), 1)
        self.assertRegex(self.row(lines, "messages_sent"), r"^messages_sent +counter +950 +1k$")
        self.assertIn("first words", lines)

    def test_no_line_is_longer_than_a_narrow_terminal(self):
        for columns in (60, 80, 100, 140):
            terminal = self.pretended("--seconds", "30", "--processes", "4", columns=columns)
            lines = terminal.until(lambda text: text.count("█") > 5 or ("ring_fill" in text and "60 %" in text))
            self.assertEqual(sum(line.startswith("messages_sent") for line in lines), 1, f"at {columns} columns")
            self.assertIn("time_waiting", "\n".join(lines))

    def test_what_has_no_room_is_counted(self):
        terminal = self.pretended("--seconds", "30", lines=10)
        lines = terminal.until(lambda text: "more variables" in text and "█" in text)
        self.assertLessEqual(len(lines), 10)
        self.assertRegex("\n".join(lines), r"\d more variables \(5 of 7 have moved\)")
        self.assertIn("Variable", "\n".join(lines))
        self.assertNotIn("never_readable", "\n".join(lines))


if __name__ == "__main__":
    unittest.main()
