"""Starts the command line: `python3 -m mpit_info --help`, and `mpit-info` of a wheel."""

import sys

from mpit_info import job_environment


def run():
    """Runs the tool without the libraries that are preloaded for the job; returns the exit status."""
    job_environment.keep_for_the_job()
    from mpit_info.main import main
    return main()


if __name__ == "__main__":
    sys.exit(run())
