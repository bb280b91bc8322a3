"""From the command line to the exit status: `sys.exit(main())`.

The exit status is that of the program if it ran to its end, even if the tool failed; otherwise 0, 1 if nothing was
found, or 2 after an error.
"""

import errno
import importlib
import os
import resource
import signal
import sys

from mpit_info import command_line, guard, listing, screen, signals
from mpit_info.document import clean
from mpit_info.refusal import Refusal


def replace_closed_streams():
    """Replaces closed standard streams by /dev/null for the tool; for the program they stay closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def main(arguments=None):
    """Runs the tool and returns its exit status; if a signal ended the program, ends by the same signal."""
    replace_closed_streams()
    options = command_line.parse(sys.argv[1:] if arguments is None else arguments)
    options.job = None
    status = outcome(options)
    if options.job is not None and options.job.signal is not None and status == options.job.status:
        end_by(options.job.signal)
    return status


def end_by(number):
    """Ends the tool by a signal, so that its parent sees the status of the program: a loop of a shell ends with Ctrl-C.
    The tool dumps no core.
    """
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
    """Runs the command and reports errors; returns the exit status."""
    try:
        return flushed(done(options))
    except Refusal as refusal:
        # It may name what a program, a compiler or a file has said.
        print(f"mpit-info: {clean(str(refusal))}", file=sys.stderr)
        return status_of(options, refusal.status)
    except KeyboardInterrupt as interruption:
        return status_of(options, signals.status_of(interruption))
    except OSError as problem:
        # The reader of the output or the terminal has closed it; Python must not report that at its end either.
        screen.give_up()
        if problem.errno in (errno.EPIPE, errno.EIO):
            return status_of(options, 0)
        return failed(options, problem)
    # A defect of the tool must not be taken for one of the program.
    except Exception as problem:  # pylint: disable=broad-except
        return failed(options, problem)


def done(options):
    """Runs the command of the options; returns the exit status."""
    if options.command == "find":
        return listing.show_found(options)
    if options.command in ("watch", "view", "attach"):
        # Refuses without rich, which the other commands do not need.
        from mpit_info import console  # noqa: F401
        from mpit_info import watch
        return watch.show(options)
    if options.command in command_line.APART:
        from mpit_info import console  # noqa: F401
        return importlib.import_module(f"mpit_info.{options.command}.command").show(options)
    if options.command in ("stuck", "postmortem"):
        from mpit_info import console, stuck  # noqa: F401
        return stuck.show(options) if options.command == "stuck" else stuck.show_folder(options)
    if options.command in ("get", "set"):
        from mpit_info import settings
        return settings.show(options)
    if options.command == "values":
        from mpit_info.nodes import values
        return values.show(options)
    if options.command == "resident":
        from mpit_info import resident
        return resident.show(options)
    if options.command == "build-agent":
        from mpit_info import build_agent
        return build_agent.build(options)
    if options.command == "completion":
        from mpit_info import completion
        return completion.show(options)
    if options.command == "page":
        from mpit_info import tool_page
        print(tool_page.text(), end="")
        return 0
    if options.command == "export":
        from mpit_info import export
        return export.run(options)
    return listing.show_list(options)


def status_of(options, status):
    """The status of the program if it ran to its end, even if the tool failed since; otherwise this one."""
    return status if options.job is None or options.job.status is None else options.job.status


def flushed(status):
    """Flushes all output and returns the status: an error at Python's own flush would change the status."""
    try:
        sys.stdout.flush()
    except (AttributeError, ValueError):
        pass  # closed when the tool was started
    return status


def failed(options, problem):
    """Reports a defect of the tool."""
    guard.trace()
    hint = "" if isinstance(problem, OSError) else "; MPIT_INFO_DEBUG=1 prints the traceback"
    print(f"mpit-info: {guard.sentence(problem)}{hint}", file=sys.stderr)
    return status_of(options, 2)
