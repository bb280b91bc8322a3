"""Tables: what they show at which width, and when they have colours."""

import json
import os
import subprocess
import unittest

import samples
import tool


def on_a_terminal(*arguments, **variables):
    """What the tool writes where its output is a terminal."""
    leader, follower = tool.terminal()
    with subprocess.Popen(tool.command(*arguments), env=tool.environment(TERM="xterm-256color", **variables),
                          stdin=subprocess.PIPE, stdout=follower) as running:
        os.close(follower)
        running.stdin.write(json.dumps(samples.document()).encode())
        running.stdin.close()
        written = b""
        while True:
            try:
                data = os.read(leader, 65536)
            except OSError:
                break
            if not data:
                break
            written += data
    os.close(leader)
    return written.decode()


class Tables(unittest.TestCase):
    def test_every_kind_has_a_table(self):
        text = tool.printed(document=samples.document())
        for title in ("Control variables (6)", "Performance variables (6)", "Events (1)", "Sources of events (1)",
                      "Categories (4)", "Enumerations (2)"):
            self.assertIn(title, text)

    def test_the_heading_says_which_mpi_and_program_it_is(self):
        first, second, *_ = tool.printed(document=samples.document(rank=2, processes=4)).splitlines()
        self.assertEqual(first, "My MPI 1.2 (MPI-3.1)")
        self.assertEqual(second, "./stencil --cells 100, rank 2 of 4, after MPI_Init")

    def test_no_line_is_longer_than_the_width(self):
        for width in (80, 100, 132, 200):
            lines = tool.printed("--width", width, document=samples.many_variables(20)).splitlines()
            self.assertLessEqual(max(map(len, lines)), width)

    def test_names_are_never_cut(self):
        names = [member["name"] for member in samples.many_variables(20)["control_variables"]]
        for width in (20, 30, 40, 60, 80, 120, 200):
            text = tool.printed("--width", width, document=samples.many_variables(20))
            for name in names:
                self.assertIn(name, text, f"at {width} columns")

    def test_descriptions_are_whole_at_every_width(self):
        description = samples.many_variables(1)["control_variables"][0]["description"].split()
        for width in (40, 80, 120, 200):
            text = tool.printed("--width", width, "--kind", "controls", document=samples.many_variables(1))
            self.assertEqual([word for word in text.split() if word in description],
                             [word for word in description], f"at {width} columns")

    def test_a_pipe_gets_one_line_for_each_variable(self):
        lines = tool.printed(document=samples.many_variables(3)).splitlines()
        described = [line for line in lines if "MYMPI_CONTROL" in line]
        self.assertEqual(len(described), 3)
        self.assertTrue(all(line.endswith("stands before it") for line in described))

    def test_no_line_ends_with_blanks(self):
        for arguments in ((), ("--width", 80), ("--width", 160), ("--tree",)):
            for line in tool.printed(*arguments, document=samples.document()).splitlines():
                self.assertEqual(line, line.rstrip())

    def test_values_are_shown_by_their_kind(self):
        lines = tool.printed("--kind", "controls", document=samples.document()).splitlines()
        value = {line.split()[0]: line.split("  ")[1:] for line in lines if line.startswith("MYMPI")}
        self.assertIn("eager", " ".join(value["MYMPI_PROTOCOL"]).split())
        self.assertIn('""', " ".join(value["MYMPI_TRACE_FILE"]).split())
        self.assertIn("64, 128, 256", " ".join(value["MYMPI_RING_SIZES"]))
        self.assertIn("(MPI_T_ERR_INVALID_HANDLE)", " ".join(value["MYMPI_COMMUNICATOR_WEIGHT"]).split())
        self.assertIn("inf", " ".join(value["MYMPI_BACKOFF"]).split())

    def test_holes_are_told_as_ranges_of_indices(self):
        self.assertIn("2 control variables without information (MPI_T_ERR_INVALID_INDEX): index 6 to 7",
                      tool.printed(document=samples.document()))

    def test_changed_variables_say_who_changed_them_and_where(self):
        lines = tool.printed("--changed", document=samples.document()).splitlines()
        told = [" ".join(line.split()) for line in lines if line.startswith("MYMPI")]
        self.assertEqual(told, [
            "MYMPI_EAGER_LIMIT 1024 65536 environment Largest message sent at once, in bytes",
            "MYMPI_PROTOCOL eager automatic configuration file mympi.conf:12 How messages travel",
            "MYMPI_BACKOFF inf 0.25 tool Seconds between two attempts"])

    def test_columns_that_say_nothing_are_left_out(self):
        controls = [samples.control(0, "OTHER", value=1, origin=None)]
        text = tool.printed("--changed", document=samples.document(control_variables=controls, categories=[]))
        self.assertNotIn("From", text)
        self.assertIn("Default", text)

    def test_markup_of_rich_is_shown_as_it_is(self):
        marked = samples.document(control_variables=[samples.control(0, "[bold]markup[/bold]")])
        for form in ("--table", "--tree"):
            self.assertIn("[bold]markup[/bold]", tool.printed(form, document=marked))


class Colours(unittest.TestCase):
    def test_a_terminal_gets_colours(self):
        self.assertIn("\x1b[", on_a_terminal("--from", "-"))

    def test_a_terminal_gets_none_where_no_color_is_set(self):
        self.assertNotIn("\x1b", on_a_terminal("--from", "-", NO_COLOR="1"))

    def test_a_terminal_gets_none_where_none_are_wanted(self):
        self.assertNotIn("\x1b", on_a_terminal("--from", "-", "--colour", "never"))

    def test_a_pipe_gets_no_colours(self):
        self.assertNotIn("\x1b", tool.printed(document=samples.document()))

    def test_a_pipe_gets_colours_where_they_are_wanted_always(self):
        self.assertIn("\x1b[", tool.printed("--colour", "always", document=samples.document()))

    def test_no_color_wins_over_always(self):
        text = tool.printed("--colour", "always", document=samples.document(), variables={"NO_COLOR": "1"})
        self.assertNotIn("\x1b", text)

    def test_a_terminal_decides_on_the_width(self):
        lines = on_a_terminal("--from", "-", "--colour", "never", COLUMNS="70").splitlines()
        self.assertLessEqual(max(map(len, lines)), 70)
        self.assertGreater(max(map(len, lines)), 60)
