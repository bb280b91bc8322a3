"""Starts the command line: `python3 -m mpit_info --help`."""

import sys

from mpit_info.main import main

sys.exit(main())
