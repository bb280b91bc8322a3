"""What happens from the command line to the exit status: `sys.exit(main())`.

The exit status is that of the program where it ran to its end, else 0; 1 where nothing was found, 2 where the tool
could not do what it should.
"""

import errno
import os
import sys

from mpit_info import command_line, listing
from mpit_info.refusal import Refusal


def replace_closed_streams():
    """Lets the tool read nothing, and write nowhere, where a standard stream was closed; for the program it stays closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def main(arguments=None):
    """Runs the tool and returns its exit status."""
    replace_closed_streams()
    options = command_line.parse(sys.argv[1:] if arguments is None else arguments)
    try:
        if options.command == "find":
            return listing.show_found(options)
        if options.command == "watch":
            from mpit_info import watch
            return watch.show(options)
        return listing.show_list(options)
    except Refusal as refusal:
        print(f"mpit-info: {refusal}", file=sys.stderr)
        return refusal.status
    except KeyboardInterrupt:
        return 130
    except OSError as problem:
        # Who read the output has seen enough, or the terminal is gone; Python must not complain at its end either.
        if problem.errno not in (errno.EPIPE, errno.EIO):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
