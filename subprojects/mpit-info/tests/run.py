#!/usr/bin/env python3
# Runs the test cases of a file with a Python that has the package rich: this one, or that of the system.
#     run.py <file>      77, for skipped, where no Python here has it

import os
import pathlib
import signal
import sys
import unittest

SYSTEM = "/usr/bin/python3"

try:
    import rich  # noqa: F401
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, *sys.argv])
    print("skipped: the Python package rich is not installed (on Debian: python3-rich)")
    sys.exit(77)

file = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(file.parent))
sys.dont_write_bytecode = True
# A shell starts what runs in the background with some of these ignored, and programs inherit that.
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
cases = unittest.defaultTestLoader.loadTestsFromName(file.stem)
result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(cases)
for case, reason in result.skipped:
    print(f"skipped: {case.id().partition('.')[2]}: {reason}")
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
