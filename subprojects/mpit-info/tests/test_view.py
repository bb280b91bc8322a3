"""The live view, read from the screen of a terminal."""

import pathlib
import re
import sys
import tempfile
import unittest

import tool
from keyboard import MISSING, Pressed, screens

# What the view writes at once: it begins by keeping the place of the cursor, and ends by going back to it.
DRAWING = re.compile(rb"\x1b7.*?\x1b8(?:(?:\x1bD)+\x1b\[\d+A\x1b7.*?\x1b8)?", re.DOTALL)
# All that a terminal may be sent: colours, carriage returns without an end of line, and bytes that are no text.
PRINTED = (b"\x1b[31mred\x1b[m \xff\xfe\r50 %\r100 %\n" + "Größe 好\n".encode() + b"\t\x08x\n" + b"no end " * 2000)


@unittest.skipIf(MISSING, MISSING)
class Views(Pressed):
    def watched(self, *program, options=(), **settings):
        """A terminal on which a program that is no launcher is watched: the view has no keys."""
        return super().watched(*program, options=options, **settings)

    def pretended(self, *arguments, **settings):
        """The same with the program that pretends."""
        return self.watched(sys.executable, tool.FAKE, *arguments, **settings)

    def test_a_variable_has_value_rate_and_graph(self):
        terminal = self.pretended("--seconds", "300")
        lines = terminal.until(lambda text: "█████" in text)
        self.assertRegex(self.row(lines, "messages_sent"), r"^messages_sent +\d+(\.\d+)?k?( +\d+(\.\d+)?k?){2} +[▁-█]+$")
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +Value +A second +Highest +last [0-9.]+ s, 0 to highest$")

    def test_ranks_are_compared(self):
        terminal = self.pretended("--seconds", "300", "--processes", "4", columns=120)
        lines = terminal.until(lambda text: "█████" in text)
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +Minimum +Mean +Maximum +Imbalance +A second +last [0-9.]+ s, 0 to highest$")
        self.assertRegex(self.row(lines, "messages_sent"), r"( +\d+(\.\d+)?k?){3} +\d+ % +\d+(\.\d+)?k +[▁-█]+$")
        self.assertIn("4 ranks", "\n".join(lines))

    def test_events_have_a_rate_and_a_graph(self):
        terminal = self.pretended("--seconds", "300", "--processes", "2", options=("--event", "*"))
        lines = terminal.until(lambda text: "unexpected_message" in text and text.rstrip().endswith("█"))
        self.assertRegex(self.row(lines, "unexpected_message"), r"^unexpected_message +\d+ +\d+(\.\d+)? +[▁-█ ]+$")

    def test_a_terminal_that_nobody_knows_gets_no_view(self):
        terminal = self.pretended("--seconds", "1", TERM="nonsense")
        self.assertEqual(terminal.finish(), 0)
        self.assertIn(b"messages_sent", terminal.written)
        self.assertNotIn(b"\x1b", terminal.written)

    def test_the_values_go_on(self):
        terminal = self.pretended("--seconds", "300")

        def value(lines):
            return self.row(lines, "messages_sent").split()[1]

        before = value(terminal.until(lambda text: "messages_sent" in text))
        terminal.until(lambda text: "messages_sent" in text and value(text.splitlines()) != before)

    def test_what_the_program_prints_stands_above_the_view(self):
        terminal = self.watched(
            "sh", "-c", "for i in 1 2 3; do echo line $i; sleep 0.5; done & "
            f"exec {sys.executable} {tool.FAKE} --seconds 300", lines=24)
        lines = terminal.until(lambda text: "line 3" in text and "messages_sent" in text)
        self.assertEqual([line for line in lines if line.startswith("line")], ["line 1", "line 2", "line 3"])
        self.assertLess(lines.index("line 3"), lines.index(self.row(lines, "messages_sent")))

    def test_the_program_sees_a_terminal_as_wide_as_the_real_one(self):
        terminal = self.watched("sh", "-c", f"stty size <&1; {sys.executable} {tool.FAKE} --fast",
                                columns=77, lines=20)
        terminal.finish()
        self.assertIn("20 77", terminal.scrolled())

    def test_a_program_may_print_very_much(self):
        terminal = self.watched("sh", "-c", f"seq 100000; {sys.executable} {tool.FAKE} --fast", lines=20)
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("100000", terminal.scrolled())

    def test_no_byte_that_the_program_prints_goes_through_the_tool(self):
        terminal = self.watched("sh", "-c", f"tty <&1; tty <&2; {sys.executable} {tool.FAKE} --fast")
        self.assertEqual(terminal.finish(), 0)
        self.assertEqual([line for line in terminal.scrolled() if line.startswith("/dev/")], [terminal.name] * 2)

    def test_the_terminal_gets_what_it_gets_without_the_tool(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(PRINTED)
            file.flush()
            terminal = self.watched("sh", "-c", f"{sys.executable} {tool.FAKE} {' '.join(self.until_told())} 2>/dev/null & "
                                    f"while [ ! -e {self.folder}/seen ]; do sleep 0.05; done; cat {file.name}; wait; cat {file.name}")
            terminal.until(lambda text: len(DRAWING.findall(bytes(terminal.written))) > 4)
            pathlib.Path(self.folder, "seen").touch()
            drawn = len(DRAWING.findall(bytes(terminal.written)))
            terminal.until(lambda text: "no end" in text and len(DRAWING.findall(bytes(terminal.written))) > drawn + 2)
            self.end_program()
            self.assertEqual(terminal.finish(), 0)
        told = DRAWING.sub(b"", bytes(terminal.written))
        self.assertTrue(told.startswith(2 * PRINTED.replace(b"\n", b"\r\n")))

    def test_what_goes_elsewhere_on_a_terminal_goes_there(self):
        with tempfile.NamedTemporaryFile("r") as file, tempfile.TemporaryDirectory() as folder:
            words = tool.command("watch", "--agents", tool.agents(folder), "--", "sh", "-c",
                                 f"echo a com''plaint >&2; {sys.executable} {tool.FAKE} --fast")
            with screens.Terminal(["sh", "-c", 'file=$1; shift; exec "$@" 2>"$file"', "sh", file.name, *words]) as terminal:
                self.assertEqual(terminal.finish(), 0)
            self.assertIn("a complaint", file.read())
        self.assertNotIn("a complaint", "\n".join(terminal.scrolled()))

    def test_a_line_goes_on_where_it_was_after_the_view_was_drawn(self):
        terminal = self.watched("sh", "-c", "(printf 'begun, '; sleep 2; printf 'ended') & "
                                f"exec {sys.executable} {tool.FAKE} --seconds 300", lines=24)
        lines = terminal.until(lambda text: "begun, ended" in text.splitlines() and "messages_sent" in text)
        self.assertLess(lines.index("begun, ended"), lines.index(self.row(lines, "messages_sent")))

    def test_a_program_goes_on_printing_when_the_tool_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            terminal = self.watched("sh", "-c", f"{sys.executable} {tool.FAKE} --seconds 300 >/dev/null 2>&1 & "
                                    f"while [ ! -e {folder}/killed ]; do sleep 0.1; done; echo it goes on; "
                                    f"echo $? > {folder}/status")
            terminal.until(lambda text: "messages_sent" in text)
            terminal.running.kill()
            terminal.running.wait()
            pathlib.Path(folder, "killed").touch()
            terminal.until(lambda text: "it goes on" in text)
            while not pathlib.Path(folder, "status").exists() or not pathlib.Path(folder, "status").read_text():
                terminal.read(0.1)
            self.assertEqual(pathlib.Path(folder, "status").read_text(encoding="utf-8"), "0\n")

    def test_at_the_end_the_terminal_is_as_it_was(self):
        terminal = self.watched("sh", "-c", f"{sys.executable} {tool.FAKE} {' '.join(self.until_told())}; printf 'no end'")
        terminal.until(lambda text: "messages_sent" in text)
        self.assertIsNotNone(terminal.screen.margins)
        self.end_program()
        self.assertEqual(terminal.finish(), 0)
        self.assertIsNone(terminal.screen.margins)
        lines = terminal.scrolled()
        self.assertEqual(lines[lines.index("no end") + 1], "My MPI 1.2 (MPI-3.1)")

    def test_the_view_follows_the_size_of_the_terminal(self):
        terminal = self.pretended("--seconds", "300", lines=30)
        terminal.until(lambda text: "messages_sent" in text)
        for columns, lines in ((70, 40), (90, 12)):
            terminal.resize(columns, lines)
            terminal.until(lambda text, lines=lines: terminal.screen.margins
                           and len(text.splitlines()) - 1 > terminal.screen.margins.bottom > lines // 5 - 2
                           and self.row(text.splitlines()[terminal.screen.margins.bottom + 1:], "messages_sent"))
            self.assertLess(terminal.screen.margins.bottom, lines)

    def test_another_size_of_the_terminal_leaves_nothing_of_the_old_view(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
            file.write(f"for i in $(seq 50); do echo line $i; done; exec {sys.executable} {tool.FAKE} --seconds 60 --processes 2\n")
            file.flush()
            terminal = self.watched("sh", file.name, lines=40)
            terminal.until(lambda text: "messages_sent" in text)
            for columns, lines in ((100, 24), (60, 30), (90, 12), (100, 40), (80, 20)):
                terminal.resize(columns, lines)
                terminal.until(lambda text, lines=lines: terminal.screen.margins and any(
                    line.startswith("messages_sent") for line in terminal.screen.display[terminal.screen.margins.bottom + 1:lines]))
                above = terminal.scrolled()[:-(lines - 1 - terminal.screen.margins.bottom)]
                self.assertEqual([line for line in above if line], [f"line {number}" for number in range(1, 51)], f"{columns} x {lines}")

    def test_a_terminal_that_keeps_no_lines_has_no_view(self):
        terminal = self.watched(sys.executable, tool.FAKE, "--seconds", "1", TERM="ansi")
        self.assertEqual(terminal.finish(), 0)
        self.assertNotIn(b"\x1b7", bytes(terminal.written))
        self.assertEqual(sum(line.startswith("messages_sent") for line in terminal.scrolled()), 1)

    def test_the_view_needs_no_colours(self):
        terminal = self.pretended("--seconds", "300", NO_COLOR="1")
        self.assertTrue(terminal.until(lambda text: "█████" in text))
        self.assertEqual({cell.fg for row in terminal.screen.buffer.values() for cell in row.values()}, {"default"})

    def test_a_summary_that_goes_into_a_file_leaves_the_view_where_it_is(self):
        with tempfile.NamedTemporaryFile("r", suffix=".txt") as file:
            terminal = self.pretended(*self.until_told(), options=("--output", file.name))
            terminal.until(lambda text: "messages_sent" in text)
            self.end_program()
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

    def test_what_has_no_room_is_counted(self):
        terminal = self.pretended("--seconds", "300", lines=10)
        lines = terminal.until(lambda text: "more variables" in text and "█" in text)
        self.assertLessEqual(len(lines), 10)
        self.assertRegex("\n".join(lines), r"\d more variables \(5 of 7 have changed\)")
        self.assertIn("Variable", "\n".join(lines))
        self.assertNotIn("never_readable", "\n".join(lines))
