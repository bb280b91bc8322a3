"""Terminals whose keys are pressed: `class Views(Pressed): ...` with `terminal = self.pretended("--processes", "4")`."""

import pathlib
import re
import stat
import sys
import tempfile
import unittest

import tool

try:
    import screens
except ImportError:
    screens = None

MISSING = "" if screens else "the Python package pyte is not installed (on Debian: python3-pyte)"


class Pressed(unittest.TestCase):
    """What the tests of keys share."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.agents = tool.agents(folder.name)

    def watched(self, *program, options=("--keys", "yes"), words=None, **settings):
        """A terminal on which a program is watched."""
        terminal = screens.Terminal([*(words or tool.command()), "watch", "--agents", self.agents, "--rate", "20", *map(str, options),
                                     "--", *program], **settings)
        self.addCleanup(terminal.__exit__)
        return terminal

    def pretended(self, *arguments, **settings):
        """The same with the program that pretends, once it is there and keys are read."""
        terminal = self.watched(sys.executable, tool.FAKE, *arguments, **settings)
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        return terminal

    def until_told(self):
        """Arguments of the program that pretends: it runs until end_program()."""
        return "--seconds", "300", "--until", f"{self.folder}/end"

    def end_program(self):
        pathlib.Path(self.folder, "end").touch()

    def shown(self, *arguments, **settings):
        """A terminal on which the record of a run is shown, once keys are read."""
        record = pathlib.Path(self.folder, "record.jsonl")
        tool.run("watch", "--record", record, program=["--fast", *arguments])
        terminal = screens.Terminal(tool.command("watch", "--replay", record), **settings)
        self.addCleanup(terminal.__exit__)
        terminal.until(lambda text: "messages_sent" in text and terminal.is_raw())
        return terminal

    def launcher(self, script):
        path = pathlib.Path(self.folder, "mpiexec")
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def names(self, lines):
        """The first words of the rows of variables, without the mark of the selected one."""
        begin = next((number for number, line in enumerate(lines) if set(line) == {"─"}), len(lines))
        rows = [line.lstrip("▸ ") for line in lines[begin + 1:]]
        return [row.split("  ")[0] for row in rows if re.match(r"[a-z_]+.*  ", row) and not row.startswith("? help")]

    def row(self, lines, name):
        """The line of a variable, without the mark."""
        return next(line.lstrip("▸ ") for line in lines if line.lstrip("▸ ").startswith(name))
