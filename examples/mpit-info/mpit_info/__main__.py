"""Starts the command line: `python3 -m mpit_info --help`."""

import sys

from mpit_info import job_environment

job_environment.keep_for_the_job()

from mpit_info.main import main  # noqa: E402

sys.exit(main())
