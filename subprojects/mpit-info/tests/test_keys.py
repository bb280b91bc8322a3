"""The keys of the live view: pause, help and quit, the ends that restore the terminal, and the input of the program."""

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
        terminal = self.pretended("--seconds", "2")
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
        terminal = self.pretended("--seconds", "3", "--status", "4", words=[sys.executable, "-c", DEFECTIVE])
        terminal.press("x")
        self.assertEqual(terminal.finish(), 4)
        self.assertFalse(terminal.is_raw())
        self.assertIsNone(terminal.screen.margins)
        self.assertIn("the view failed (ValueError: a defect); the program continued.", "\n".join(terminal.scrolled()))

    def check_stop(self, terminal):
        """Stops the tool and lets it go on."""
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
