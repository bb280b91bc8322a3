"""Runs mpit-info in the tests: `finished = tool.run("--tree", document=samples.document())`."""

import ctypes.util
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FRONT = HERE.parent
FAKE = str(HERE / "fake_program.py")


def loaded_library():
    """A library that any program may have loaded before all others without noticing."""
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    name = ctypes.util.find_library("c")
    return next(line.split()[-1] for line in maps.splitlines() if line.endswith("/" + name))


def agents(folder):
    """Makes a directory of agents, whose agent is a library that does nothing here."""
    os.symlink(loaded_library(), os.path.join(folder, "libmpit-info.so"))
    return folder


def environment(**variables):
    """The environment without what changes output. What Python compiles is kept in the build folder, if the test is told of one:
    a start takes a third less time."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("NO_COLOR", "COLUMNS", "LD_PRELOAD", "MPIT_INFO_AGENTS", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")}
    path = os.pathsep.join([str(FRONT), *filter(None, [os.environ.get("PYTHONPATH")])])
    bytecode = {} if "PYTHONPYCACHEPREFIX" in kept else {"PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, "PYTHONPATH": path, **bytecode, "LC_ALL": "C.UTF-8", **variables}


def terminal():
    """Both ends of a new terminal. A test that asks for one is skipped on a machine that has none."""
    try:
        return pty.openpty()
    except OSError as problem:
        raise unittest.SkipTest(f"this machine has no pseudo terminals: {problem}") from None


def command(*arguments):
    """The words that start the tool."""
    return [sys.executable, "-m", "mpit_info", *map(str, arguments)]


def call(*arguments, variables=None, **settings):
    """Runs the tool with these arguments; both outputs are texts, unless the settings say otherwise."""
    return subprocess.run(command(*arguments), env=environment(**(variables or {})), check=settings.pop("check", False),
                          **{"text": True, "timeout": 120, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings})


def messages(record):
    return [json.loads(line) for line in pathlib.Path(record).read_text(encoding="utf-8").splitlines()]


def run(*arguments, document=None, program=None, words=None, **settings):
    """Runs the tool over a document, or over the fake program with these arguments, or over a program of these words."""
    with tempfile.TemporaryDirectory() as folder:
        if document is not None:
            path = os.path.join(folder, "document.json")
            pathlib.Path(path).write_text(json.dumps(document), encoding="utf-8")
            return call(*arguments, "--from", path, **settings)
        if program is not None:
            words = [sys.executable, FAKE, *program]
        return call(*arguments, "--agents", agents(folder), *(["--", *words] if words else []), **settings)


def printed(*arguments, **settings):
    finished = run(*arguments, **settings)
    if finished.returncode != 0:
        raise AssertionError(f"exit status {finished.returncode}: {finished.stderr}")
    return finished.stdout
