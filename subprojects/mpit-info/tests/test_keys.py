"""The keys of the live view: pause, help and quit, the ends that restore the terminal, the input of the program, and what is chosen by
keys: the order, the filter, the rows and columns that are seen; and the widths of terminals."""

import json
import os
import pathlib
import re
import signal
import sys
import unittest

import tool
from keyboard import MISSING, Pressed

sys.path.insert(0, str(tool.FRONT))
from mpit_info import manual_page, tool_page, view_state  # noqa: E402

# A tool whose view fails at a key.
DEFECTIVE = """
import sys
from mpit_info import main, view_state
def press(self, key, before=view_state.ViewState.press):
    if key == "x": raise ValueError("a defect")
    before(self, key)
view_state.ViewState.press = press
sys.exit(main.main())
"""


@unittest.skipIf(MISSING, MISSING)
class Views(Pressed):
    def test_a_paused_view_stops_and_the_record_goes_on(self):
        record = pathlib.Path(self.folder, "record.jsonl")
        terminal = self.pretended("--seconds", "300", options=("--keys", "yes", "--record", record))
        terminal.press("p")
        lines = terminal.until(lambda text: "paused at" in text)
        moment = float(re.search(r"paused at ([0-9.]+) s; sampling goes on", "\n".join(lines))[1])
        row = self.row(lines, "messages_sent")

        def last_sample():
            told = [json.loads(line) for line in record.read_text(encoding="ascii").splitlines()[:-1]]
            return max((message.get("time", 0) for message in told if message["message"] == "sample"), default=0)

        # Long after the pause the record has samples, and the view is that of its beginning.
        terminal.until(lambda text: last_sample() > moment + 1)
        self.assertEqual(self.row(terminal.lines(), "messages_sent"), row)
        terminal.press("p")
        lines = terminal.until(lambda text: "paused" not in text)
        self.assertNotEqual(self.row(lines, "messages_sent"), row)

    def test_the_help_lists_all_keys_until_a_key_is_pressed(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("?")
        text = "\n".join(terminal.until(lambda text: "interrupt the program" in text))
        for key in ("?", "s, S", "/", "p, space", "r, Enter", "o", "c, ← →", "i", "q", "Ctrl-C"):
            self.assertRegex(text, f"(?m)^{re.escape(key)}  +\\w")
        terminal.press("x")
        terminal.until(lambda text: "messages_sent" in text and "interrupt" not in text)

    def test_q_ends_the_view_and_the_program_runs_to_its_end(self):
        terminal = self.watched("sh", "-c", f"{sys.executable} {tool.FAKE} --seconds 300 & while [ ! -e {self.folder}/over ]; "
                                "do sleep 0.05; done; echo it has run on; kill $!; exit 6")
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        terminal.press("q")
        terminal.until(lambda text: "messages_sent" not in text and not terminal.is_raw())
        self.assertIsNone(terminal.screen.margins)
        self.assertIsNone(terminal.running.poll())
        pathlib.Path(self.folder, "over").touch()
        self.assertEqual(terminal.finish(), 6)
        lines = terminal.scrolled()
        self.assertLess(lines.index("it has run on"), lines.index(self.row(lines, "messages_sent")))

    def test_q_ends_a_record_that_is_shown(self):
        terminal = self.shown("--seconds", "60")
        terminal.press("q")
        self.assertEqual(terminal.finish(), 0)
        self.assertFalse(terminal.is_raw())

    def test_a_key_of_another_language_and_an_unknown_sequence_do_nothing(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("é", "\x1b[15~", "\x1b[<0;1;1M", "\x00", "好", "p")
        lines = terminal.until(lambda text: "paused" in text)
        self.assertIn("messages_sent", "\n".join(lines))

    def test_half_a_sequence_waits_for_its_other_half(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("\x1b[", "B")
        lines = terminal.until(lambda text: "▸" in text)
        self.assertIn("▸ never_readable", "\n".join(lines))


@unittest.skipIf(MISSING, MISSING)
class Ends(Pressed):
    def test_the_end_of_the_job_restores_the_terminal(self):
        terminal = self.pretended(*self.until_told())
        self.end_program()
        self.assertEqual(terminal.finish(), 0)
        self.assertFalse(terminal.is_raw())
        self.assertIsNone(terminal.screen.margins)

    def test_ctrl_c_interrupts_the_program_and_restores_the_terminal(self):
        terminal = self.pretended("--seconds", "300", has_session=True)
        terminal.press("\x03")
        self.assertEqual(terminal.finish(), -signal.SIGINT)
        self.assertFalse(terminal.is_raw())
        self.assertIsNone(terminal.screen.margins)

    def test_signals_to_the_tool_restore_the_terminal(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            terminal = self.pretended("--seconds", "300")
            terminal.running.send_signal(number)
            self.assertEqual(terminal.finish(), -number)
            self.assertFalse(terminal.is_raw())
            self.assertIsNone(terminal.screen.margins)

    def test_a_signal_that_ends_the_show_of_a_record_restores_the_terminal(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            terminal = self.shown("--seconds", "60")
            terminal.running.send_signal(number)
            self.assertEqual(terminal.finish(), 130 if number == signal.SIGINT else -number)
            self.assertFalse(terminal.is_raw())
            self.assertIsNone(terminal.screen.margins)

    def test_a_defect_of_the_view_restores_the_terminal_and_the_program_runs_on(self):
        terminal = self.pretended(*self.until_told(), "--status", "4", words=[sys.executable, "-c", DEFECTIVE])
        terminal.press("x")
        terminal.until(lambda text: "messages_sent" not in text and not terminal.is_raw())
        self.end_program()
        self.assertEqual(terminal.finish(), 4)
        self.assertFalse(terminal.is_raw())
        self.assertIsNone(terminal.screen.margins)
        self.assertIn("the view failed (ValueError: a defect); the program continued.", "\n".join(terminal.scrolled()))

    def check_stop(self, terminal):
        os.kill(terminal.running.pid, signal.SIGTSTP)
        os.waitid(os.P_PID, terminal.running.pid, os.WSTOPPED)
        self.assertFalse(terminal.is_raw())
        terminal.until(lambda text: "messages_sent" not in text)
        self.assertIsNone(terminal.screen.margins)
        os.kill(terminal.running.pid, signal.SIGCONT)
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        self.assertIsNotNone(terminal.screen.margins)
        terminal.press("?")
        terminal.until(lambda text: "interrupt the program" in text)

    def test_ctrl_z_restores_the_terminal_until_the_job_goes_on(self):
        self.check_stop(self.pretended("--seconds", "300"))

    def test_ctrl_z_restores_the_terminal_while_a_record_is_shown(self):
        self.check_stop(self.shown("--seconds", "60"))


@unittest.skipIf(MISSING, MISSING)
class Inputs(Pressed):
    def test_a_program_that_is_no_launcher_has_the_terminal_and_the_view_no_keys(self):
        terminal = self.watched("sh", "-c", f"{sys.executable} {tool.FAKE} --seconds 300 & read line; echo it was $line, "
                                "$(test -t 0 && echo on a terminal); kill $!", options=())
        terminal.until(lambda text: "messages_sent" in text)
        self.assertFalse(terminal.is_raw())
        terminal.press("p", "q", "\n")
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("it was pq, on a terminal", terminal.scrolled())
        self.assertNotIn(b"? help", bytes(terminal.written))
        self.assertIn(b"no keys: see --keys", bytes(terminal.written))

    def test_no_key_gets_into_the_standard_input_of_a_launcher(self):
        script = (f"{sys.executable} {tool.FAKE} --seconds 300 & read first; echo first is $first; "
                  "read second || echo that is all; kill $!")
        terminal = self.watched(self.launcher(script), options=())
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        terminal.press("s", "p", "p", "?", "?", "i")
        terminal.until(lambda text: "Input of the job:" in text)
        terminal.press("three wrods", *["backspace"] * 4, "ords", "enter")
        terminal.until(lambda text: "first is three words" in text)
        terminal.press("i", "\x04")
        terminal.until(lambda text: "that is all" in text)

    def test_after_the_view_a_launcher_gets_what_is_typed(self):
        script = f"{sys.executable} {tool.FAKE} --seconds 300 & read first; echo first is $first; kill $!"
        terminal = self.watched(self.launcher(script), options=())
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        terminal.press("q")
        terminal.until(lambda text: "messages_sent" not in text and not terminal.is_raw())
        terminal.press("typed later\n")
        terminal.until(lambda text: "first is typed later" in text)
        terminal.finish()

    def test_a_launcher_may_ask_for_a_password_before_the_job_begins(self):
        script = (f"printf 'password: '; read word < /dev/tty; echo it was $word; exec {sys.executable} {tool.FAKE} --seconds 300")
        terminal = self.watched(self.launcher(script), options=(), has_session=True)
        terminal.until(lambda text: "password:" in text)
        self.assertFalse(terminal.is_raw())
        terminal.press("quick\n")
        terminal.until(lambda text: "it was quick" in text and terminal.is_raw())

    def test_a_program_whose_input_is_a_file_has_it_and_keys_come_from_the_terminal(self):
        path = pathlib.Path(self.folder, "input")
        path.write_text("words of a file\n", encoding="utf-8")
        with open(path, encoding="utf-8") as file:
            terminal = self.watched("sh", "-c", f"read line; echo $line; exec {sys.executable} {tool.FAKE} --seconds 300",
                                    options=(), stdin=file, has_session=True)
        terminal.until(lambda text: "words of a file" in text and "messages_sent" in text and terminal.is_raw())
        terminal.press("p")
        terminal.until(lambda text: "paused at" in text)

    def test_keys_can_be_turned_off(self):
        terminal = self.watched(self.launcher(f"{sys.executable} {tool.FAKE} --seconds 300 & read line; echo it was $line; kill $!"),
                                options=("--keys", "no"))
        terminal.until(lambda text: "messages_sent" in text)
        self.assertFalse(terminal.is_raw())
        terminal.press("p\n")
        self.assertEqual(terminal.finish(), 0)
        self.assertIn("it was p", terminal.scrolled())


class Documents(unittest.TestCase):
    def test_the_manual_and_the_manual_page_have_all_keys(self):
        text = (tool.FRONT / "docs" / "manual.md").read_text(encoding="utf-8")
        page = tool_page.text()
        for key, meaning in view_state.KEYS:
            self.assertIn(f"| {key} | {meaning} |", text)
            self.assertIn(f".TP\n.B {manual_page.escaped(key)}\n", page)


@unittest.skipIf(MISSING, MISSING)
class Choices(Pressed):
    def test_variables_are_sorted_by_name(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("s")
        lines = terminal.until(lambda text: "by name" in text)
        names = self.names(lines)
        self.assertEqual(len(names), 7)
        self.assertEqual(names, sorted(names))

    def test_variables_are_sorted_by_value(self):
        terminal = self.pretended("--seconds", "300", "--processes", "2")
        terminal.until(lambda text: "MB" in text)
        terminal.press("s", "s")
        names = self.names(terminal.until(lambda text: "by value" in text))
        self.assertEqual(names[:2], ["communicator_bytes (MPI_COMM_WORLD)", "messages_sent"])
        self.assertEqual(names[-1], "never_readable")

    def test_variables_are_sorted_by_rate(self):
        terminal = self.pretended("--seconds", "300", "--processes", "2")
        terminal.until(lambda text: "MB/s" in text and "15 %" in text)
        terminal.press("s", "s", "s")
        names = self.names(terminal.until(lambda text: "by rate" in text))
        self.assertEqual(names[:3], ["communicator_bytes (MPI_COMM_WORLD)", "messages_sent", "time_waiting"])

    def test_variables_are_sorted_by_imbalance_and_the_order_is_reversed(self):
        terminal = self.pretended("--seconds", "300", "--processes", "2")
        terminal.until(lambda text: "33 %" in text)
        terminal.press("s", "s", "s", "s")

        def places(text):
            names = self.names(text.splitlines())
            return [names.index(name) for name in ("messages_sent", "ring_fill[1]")]

        terminal.until(lambda text: "by imbalance" in text and places(text) == sorted(places(text)))
        terminal.press("S")
        terminal.until(lambda text: places(text) != sorted(places(text)))

    def test_the_order_of_the_program_comes_back(self):
        terminal = self.pretended("--seconds", "300")
        before = self.names(terminal.lines())
        terminal.press("s")
        terminal.until(lambda text: "by name" in text)
        terminal.press("s", "s", "s", "s")
        lines = terminal.until(lambda text: "by " not in text and "messages_sent" in text)
        self.assertEqual(self.names(lines), before)

    def test_a_filter_works_while_it_is_typed(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("/", "M")
        terminal.until(lambda text: "Filter: M▏" in text and self.names(text.splitlines())
                       == ["messages_sent", "time_waiting", "communicator_bytes (MPI_COMM_WORLD)"])
        terminal.press("e")
        terminal.until(lambda text: self.names(text.splitlines()) == ["messages_sent", "time_waiting"])
        terminal.press("ss q")
        terminal.until(lambda text: "no variable matches the filter" in text)
        terminal.press("backspace")
        terminal.until(lambda text: self.names(text.splitlines()) == ["messages_sent"])
        terminal.press("enter")
        terminal.until(lambda text: "filter: mess" in text.lower() and "? help" in text)
        terminal.press("escape")
        terminal.until(lambda text: len(self.names(text.splitlines())) == 7)

    def test_escape_drops_a_filter_that_is_typed(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("/", "time")
        terminal.until(lambda text: self.names(text.splitlines()) == ["time_waiting"])
        terminal.press("escape")
        terminal.until(lambda text: len(self.names(text.splitlines())) == 7 and "Filter" not in text)

    def test_rows_scroll_with_the_selected_one(self):
        terminal = self.pretended("--seconds", "300", "--peers", "8", lines=16)
        # The end is that of the rows that are there: all of them, also on a machine that is busy.
        lines = terminal.until(lambda text: "of 15 have changed" in text and "▸" not in text)
        first = self.names(lines)[0]
        terminal.press("end")
        lines = terminal.until(lambda text: "▸ ring_fill[1]" in text)
        self.assertRegex("\n".join(lines), r"(?m)^\d+ above$")
        terminal.press("home")
        terminal.until(lambda text: f"▸ {first}" in text and "above" not in text)
        terminal.press("page down")
        terminal.until(lambda text: "above" in text)
        terminal.press("page up", "down", "down", "up")
        terminal.until(lambda text: f"▸ {self.names(text.splitlines())[1]}" in text and "above" not in text)

    def test_a_variable_is_split_by_rank_and_joined_again(self):
        terminal = self.pretended("--seconds", "300", "--processes", "3")
        terminal.press("down", "down", "r")
        ranks = r"▸ messages_sent .*\n +rank 0 +[0-9.k]+ +-50 % +[0-9.k]+ .*\n +rank 1 .*\n +rank 2 +[0-9.k]+ +\+50 % +[0-9.k]+ "
        terminal.until(lambda text: re.search(ranks, text))
        terminal.press("enter")
        terminal.until(lambda text: "\n    rank 2 " not in text and "messages_sent" in text)

    def test_ranks_of_a_split_variable_are_sorted_by_value(self):
        terminal = self.pretended("--seconds", "300", "--processes", "3", options=("--keys", "yes", "--variable", "messages_sent"))
        terminal.press("r", "s", "s")
        lines = terminal.until(lambda text: "by value" in text and "rank 0" in text)
        self.assertEqual(re.findall(r"(?m)^ +(rank \d)", "\n".join(lines)), ["rank 2", "rank 1", "rank 0"])

    def test_elements_of_a_variable_are_joined_as_their_sum_and_split_again(self):
        terminal = self.pretended("--seconds", "300", "--peers", "3", options=("--keys", "yes", "--variable", "messages_*"))
        terminal.until(lambda text: "messages_to[2]" in text)
        terminal.press("/", "_to", "enter", "p")
        terminal.until(lambda text: "paused" in text)
        values = [int(self.row(terminal.lines(), f"messages_to[{peer}]").split()[1]) for peer in range(3)]
        terminal.press("o")
        lines = terminal.until(lambda text: "▸ messages_to (3 elements)" in text)
        self.assertEqual(int(self.row(lines, "messages_to (3 elements)").split()[3]), sum(values))
        terminal.press("o")
        terminal.until(lambda text: "▸ messages_to[0]" in text and "messages_to[2]" in text)

    def test_many_elements_are_joined_at_first(self):
        terminal = self.pretended("--seconds", "300", "--peers", "9")
        self.assertIn("messages_to (9 elements)", "\n".join(terminal.lines()))
        terminal.press("/", "messages_to", "enter", "down", "o")
        terminal.until(lambda text: "messages_to[8]" in text)

    def test_each_rank_has_a_column_and_columns_scroll(self):
        terminal = self.pretended("--seconds", "300", "--processes", "12", columns=100)
        terminal.press("c")
        lines = terminal.until(lambda text: "columns 1 to" in text)
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +rank 0 +rank 1 +rank 2 ")
        shown = int(re.search(r"columns 1 to (\d+) of 12; ← → scroll", "\n".join(lines))[1])
        terminal.press("right")
        lines = terminal.until(lambda text: f"columns 2 to {shown + 1} of 12" in text)
        self.assertRegex(self.row(lines, "Variable"), r"^Variable +rank 1 +rank 2 ")
        values = self.row(lines, "time_waiting").split("  ")
        self.assertTrue(all(value.strip().endswith("s") for value in values[1:] if value))
        terminal.press("left", "left")
        terminal.until(lambda text: f"columns 1 to {shown} of 12" in text)
        terminal.press("c")
        terminal.until(lambda text: "Imbalance" in text)

    def test_a_paused_view_can_be_sorted_and_scrolled(self):
        terminal = self.pretended("--seconds", "300")
        terminal.press("p")
        lines = terminal.until(lambda text: "paused" in text)
        row = self.row(lines, "messages_sent")
        terminal.press("s")
        lines = terminal.until(lambda text: "by name" in text)
        self.assertEqual(self.row(lines, "messages_sent"), row)


@unittest.skipIf(MISSING, MISSING)
class Widths(Pressed):
    @staticmethod
    def below_the_command(text):
        """Without the words of the program, which take two lines at most, however long the path of this folder is."""
        return text[text.index(" samples a second"):]

    def check_whole(self, columns, lines):
        """All names in one piece or folded, all values, and no line that a terminal would cut."""
        text = "\n".join(lines)
        self.assertNotIn("…", self.below_the_command(text))
        # A folded name goes on at the beginning of the next line.
        whole = re.sub(r"(?m)^(communicator_bytes) +(\d.*)\n +(\(MPI_COMM_WORLD\))$", r"\1 \3  \2", text)
        for name in ("never_readable", "messages_sent", "time_waiting", "unexpected_queue_length", "ring_fill[0]", "ring_fill[1]",
                     "communicator_bytes (MPI_COMM_WORLD)"):
            self.assertEqual(len(re.findall(f"(?m)^{re.escape(name)} ", whole)), 1, f"{name} at {columns} columns")
        self.assertRegex(self.row(lines, "communicator_bytes"), r" MB .*MB/s")
        self.assertRegex(self.row(lines, "time_waiting "), r"  25 %")
        self.assertIn("A second", text)

    def test_nothing_is_cut_at_60_80_120_and_200_columns(self):
        for columns in (60, 80, 120, 200):
            terminal = self.pretended("--seconds", "300", "--processes", "4", columns=columns, lines=40)
            lines = terminal.until(lambda text: "time_waiting:" in text and "MB/s" in text and re.search(r" 25 %", text))
            self.check_whole(columns, lines)
            titles = self.row(lines, "Variable").split()
            self.assertEqual([title for title in ("Minimum", "Imbalance", "Highest") if title in titles],
                             ["Minimum"] * (columns >= 120) + ["Imbalance"] + ["Highest"] * (columns >= 200), f"at {columns} columns")
            self.assertTrue(all(len(line) <= columns for line in lines))

    def test_a_wide_terminal_has_a_longer_graph(self):
        for columns, seconds in ((120, 4), (200, 20)):
            terminal = self.pretended("--seconds", "300", "--processes", "4", columns=columns)
            lines = terminal.until(lambda text: "0 to highest" in text or "from 0 to the highest" in text)
            self.assertGreater(float(re.search(r"last ([0-9.]+) s", "\n".join(lines))[1]), seconds)

    def test_the_help_fits_into_60_columns(self):
        terminal = self.pretended("--seconds", "300", columns=60, lines=30)
        terminal.press("?")
        lines = terminal.until(lambda text: "interrupt the program" in text)
        self.assertNotIn("…", self.below_the_command("\n".join(lines)))

    def test_a_graph_has_its_time_and_its_highest_value(self):
        terminal = self.pretended("--seconds", "300", columns=140)
        lines = terminal.until(lambda text: "█████" in text and "4.1 MB/s" in text)
        self.assertRegex(self.row(lines, "Variable"), r"Highest +last [0-9.]+ s, from 0 to the highest$")
        self.assertRegex(self.row(lines, "communicator_bytes"), r" 4.1 MB/s +4.\d+ MB/s +[▁-█]+$")
