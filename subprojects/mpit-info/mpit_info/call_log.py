"""The call log of a process (agent/calls/call_log.hpp): `log = call_log.parsed(data)`, then `log.current()` and `log.last(10)`.

The data is a file of a running or ended process, or a shorter copy of it from a message. Another process may write to it meanwhile: a
call that is changed while it is read is left out.
"""

import base64
import binascii
import collections
import contextlib
import os
import stat
import struct

FORMAT = b"mpitcal2"
HEAD = struct.Struct("<8sIiiIIIIIIIQQQQ48s256s")
NAME = struct.Struct("<32s")
COMMUNICATOR = struct.Struct("<QiiII40s")
THREAD = struct.Struct("<IIQQQQQQ72x")
CALL = struct.Struct("<QQQQIHHiiiII4x")
ANY, NONE = -1, -2  # instead of a rank
# The phases of a process in its log, and what is told of one without a log.
RUNS, IN_FINALIZE, IN_ABORT, IS_SILENT = range(4)
POLLS = ("MPI_Test", "MPI_Iprobe", "MPI_Improbe", "MPI_Win_test")
# Polls that are further apart are outside of MPI meanwhile, in seconds; the same number is in agent/calls/layer.cpp.
POLLS_APART = 1.0
# The most of each that is read, whatever a file says.
MOST = 1 << 16

Communicator = collections.namedtuple("Communicator", "identity size rank operations is_freed name")
# `begin` and `end` are seconds since 1970, `end` None while the call has not returned. `second` is the number of requests of a wait, or the
# sender of a send with a receive.
Call = collections.namedtuple("Call", "function communicator operation peer tag second bytes request begin end polls is_failed_poll")


class Unreadable(ValueError):
    """The data is not a call log."""


class Thread:
    """The calls of one thread, the latest last, as they were at a moment; None for the end of a process. `is_in_poll` if it is in a poll
    that shares the last call with earlier ones.
    """

    def __init__(self, number, count, moved, calls, moment=None, is_in_poll=False):  # pylint: disable=too-many-arguments
        self.number, self.count, self.moved, self.calls, self.moment, self.is_in_poll = number, count, moved, calls, moment, is_in_poll

    def current(self):
        """The call in which the thread is; polls that have not succeeded are one call. None outside of MPI."""
        last = self.calls[-1] if self.calls else None
        if last is None or last.end is None:
            return last
        is_recent = self.is_in_poll or self.moment is None or self.moment - last.end < POLLS_APART
        return last if last.is_failed_poll and is_recent else None

    def is_polling(self):
        """Whether it is in polls, of which none has succeeded."""
        return bool(self.calls) and self.calls[-1].function.startswith(POLLS) and any(call.is_failed_poll for call in self.calls[-2:])

    def changed(self):
        """When the last call has begun or ended, or polls have begun; None if there was no call."""
        if not self.calls:
            return None
        return self.moved if self.current() else self.calls[-1].end


class Log:
    """The calls of a process. One without a log has been in its phase since a moment. `is_late` if a tool has attached to it: of
    a thread nothing is known before its next call.
    """

    def __init__(self, rank, processes, pid, host, phase, communicators, threads,  # pylint: disable=too-many-arguments
                 since=None, is_late=False, noted=None, launch=None):
        self.launch = launch  # what the processes of its launch share, see agent/launch.hpp
        self.noted = noted  # the moment at which the log began, or at which a copy was made
        self.outside = pid  # the number of the process in the namespace of the tool
        self.rank, self.processes, self.pid, self.host, self.phase = rank, processes, pid, host, phase
        self.communicators, self.threads, self.since, self.is_late = communicators, threads, since, is_late

    def main(self):
        """The main thread; another one if the main thread has made no call. None before the first call."""
        own = [each for each in self.threads if each.number == self.pid and each.calls]
        if self.is_late:
            return own[0] if own else None
        return (own or sorted((each for each in self.threads if each.calls), key=lambda each: -each.count) or [None])[0]

    def current(self):
        """The call that the process is in: that of the main thread, or of another thread; None outside of MPI."""
        main = self.main()
        found = main.current() if main else None
        others = (each.current() for each in self.threads if each is not main)
        return found or next((call for call in others if call), None)

    def changed(self):
        """When the last call of any thread has begun or ended; None if there was none."""
        return max((moment for moment in (each.changed() for each in self.threads) if moment is not None), default=self.since)

    def of(self, call):
        """The communicator of a call; None if it is unknown."""
        return self.communicators[call.communicator] if call.communicator < len(self.communicators) else None

    def known(self, identity):
        """The communicator with this identity; None if the process is not in it."""
        return next((each for each in self.communicators if each.identity == identity and not each.is_freed), None) if identity else None

    def made(self, request):
        """The call that has made a request, the latest one; None if it is not in the log."""
        for thread in self.threads:
            for call in reversed(thread.calls):
                if call.request == request and not call.function.startswith(("MPI_Wait", "MPI_Test")):
                    return call
        return None

    def last(self, count):
        """The last calls of the main thread."""
        main = self.main()
        return main.calls[-count:] if main else []


def without_log(process, began, phase):
    """The Log of a process of a history that has ended or has sent nothing: all are in MPI_COMM_WORLD."""
    last = process.ended + process.shift if process.ended is not None else process.last[0]
    world = Communicator(1, process.processes, process.rank, None, 0, "MPI_COMM_WORLD")
    return Log(process.rank, process.processes, process.pid, process.host, phase, [world], [], began + last)


def parsed(data, moment=None, is_copy=False):
    """The Log in these bytes at a moment, None for the end of a process; a copy has the time at which it was made."""
    if len(data) < HEAD.size or data[:len(FORMAT)] != FORMAT:
        raise Unreadable("it is not a call log")
    (_, pid, rank, processes, functions, communicators, threads, calls, used_communicators, used_threads, phase, ticks, nanoseconds, scale,
     began, host, launch) = HEAD.unpack_from(data)
    if max(functions, communicators, threads, calls) > MOST or not calls:
        raise Unreadable("its head is damaged")
    moment = nanoseconds * 1e-9 if is_copy else moment
    place = HEAD.size + functions * NAME.size
    if len(data) < place + communicators * COMMUNICATOR.size + used_threads * (THREAD.size + calls * CALL.size):
        raise Unreadable("it is cut")
    names = [text(NAME.unpack_from(data, HEAD.size + number * NAME.size)[0]) for number in range(functions)]
    told = [Communicator(*fields[:5], text(fields[5])) for fields in
            (COMMUNICATOR.unpack_from(data, place + number * COMMUNICATOR.size) for number in range(min(used_communicators, communicators)))]
    place += communicators * COMMUNICATOR.size

    def time_of(tick):
        return ((tick - ticks) * scale / 2 ** 32 + nanoseconds) * 1e-9 if tick else None

    def call_at(at):
        begin, end, size, request, operation, function, communicator, peer, tag, second, state, polls = CALL.unpack_from(data, at)
        name = names[function] if function < len(names) else "an unknown function"
        return Call(name, communicator, operation, peer, tag, second, size, request, time_of(begin), time_of(end), polls,
                    state == 1 and polls > 0)

    found = []
    for number in range(min(used_threads, threads)):
        at = place + number * (THREAD.size + calls * CALL.size)
        own, _, count, _, _, _, first_poll, poll_began = THREAD.unpack_from(data, at)
        # The place behind the last call may be written at this moment: the oldest call is left out.
        first = max(count - calls + 1, 0)
        kept = [call_at(at + THREAD.size + each % calls * CALL.size) for each in range(first, count)]
        # Between two tools that attached some were not seen.
        kept = [call for call in kept if call.begin is not None and (call.end is None or not began or call.begin >= time_of(began))]
        moved = kept[-1].begin if kept and not kept[-1].function.startswith(POLLS) else time_of(first_poll)
        is_in_poll = bool(kept) and kept[-1].end is not None and (time_of(poll_began) or 0) > kept[-1].end
        found.append(Thread(own, count, moved, kept, moment, is_in_poll))
    return Log(rank, processes, pid, text(host), phase, told, found, is_late=began != 0, noted=nanoseconds * 1e-9, launch=text(launch))


def text(field):
    """The text of a field that ends with a null."""
    return field.split(b"\0", 1)[0].decode(errors="replace")


def of_message(log):
    """The Log of a message; None for what is not one."""
    try:
        return parsed(base64.b64decode(log, validate=True), is_copy=True)
    except (Unreadable, binascii.Error, ValueError):
        return None


def of_folder(folder, moment=None):
    """The Logs of all processes in a folder, by rank; files that cannot be read, or have another owner than the folder, are left out."""
    found, owner = [], os.stat(folder).st_uid if os.path.isdir(folder) else None
    for name in os.listdir(folder) if owner is not None else ():
        if name.endswith(".calls"):
            with contextlib.suppress(OSError, Unreadable):
                found.append(of_file(os.path.join(folder, name), owner, moment))
    return sorted(found, key=lambda log: log.rank)


def of_file(path, owner, moment=None):
    """The Log in a file of this user."""
    # Without O_NONBLOCK the opening of a pipe in place of the file would wait for its writer.
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_uid != owner:
            raise Unreadable("it is no file of its user")
        return parsed(file.read(), moment)
