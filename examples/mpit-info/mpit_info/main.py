"""What happens from the command line to the exit status: `sys.exit(main())`.

The exit status is that of the program where it ran to its end, whatever became of the tool; else 0, 1 where nothing was
found, 2 where the tool could not do what it should.
"""

import errno
import os
import resource
import signal
import sys

from mpit_info import command_line, guard, listing
from mpit_info.refusal import Refusal


def replace_closed_streams():
    """Lets the tool read nothing, and write nowhere, where a standard stream was closed; for the program it stays closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def main(arguments=None):
    """Runs the tool and returns its exit status; if its status is that of a program that a signal ended, ends by that signal."""
    replace_closed_streams()
    options = command_line.parse(sys.argv[1:] if arguments is None else arguments)
    options.job = None
    status = outcome(options)
    if options.job is not None and options.job.signal is not None and status == options.job.status:
        end_by(options.job.signal)
    return status


def end_by(number):
    """Ends the tool by a signal, so that whoever has started it sees what it would see of the program: a loop of a shell
    ends with Ctrl-C. There is no core of the tool."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)


def outcome(options):
    """Does what the options ask for, and tells what went wrong; the exit status."""
    try:
        return flushed(done(options))
    except Refusal as refusal:
        print(f"mpit-info: {refusal}", file=sys.stderr)
        return status_of(options, refusal.status)
    except KeyboardInterrupt:
        return status_of(options, 130)
    except OSError as problem:
        # Who read the output has seen enough, or the terminal is gone; Python must not complain at its end either.
        give_up_output()
        if problem.errno in (errno.EPIPE, errno.EIO):
            return status_of(options, 0)
        return failed(options, problem)
    # A defect of the tool must not look like one of the program.
    except Exception as problem:  # pylint: disable=broad-except
        return failed(options, problem)


def done(options):
    """Does what the options ask for; the exit status."""
    if options.command == "find":
        return listing.show_found(options)
    if options.command == "watch":
        from mpit_info import watch
        return watch.show(options)
    return listing.show_list(options)


def status_of(options, status):
    """The status of the program where it has run to its end, whatever has become of the tool since; else this one."""
    return status if options.job is None or options.job.status is None else options.job.status


def flushed(status):
    """The status, when all output has been written: what fails there would fail at the end of Python, with another status."""
    try:
        sys.stdout.flush()
    except (AttributeError, ValueError):
        pass  # there was none when the tool was started
    return status


def failed(options, problem):
    """Tells that the tool itself has failed."""
    guard.trace()
    hint = "" if isinstance(problem, OSError) else "; with MPIT_INFO_DEBUG=1 it says where"
    print(f"mpit-info: {guard.sentence(problem)}{hint}", file=sys.stderr)
    return status_of(options, 2)


def give_up_output():
    """Nothing more goes to the standard output, not even what waits to be written."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
