"""Forwards to a program the signals that only the tool receives: `with Forwarding() as signals: ...`.

A signal from a terminal, or to the whole process group, reaches the program itself, and must not be sent twice. A
witness distinguishes the two cases: a process of the same group that blocks these signals. The program has received
every signal that is pending in the witness. Meanwhile none of these signals ends the tool: it waits for the program,
which decides. After the program's end the run decides, which may wait for processes that the program has left (launch.py).
"""

import contextlib
import os
import signal
import threading
import time

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
TYPED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
# Those by which users end a job.
ENDS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)
# Seconds until a signal has reached all processes of a group.
MOMENT = 0.02


def handed_on(numbers=(*ENDING, *TYPED)):
    """The signals that are not ignored. Ignored signals, as under nohup, remain ignored for the program as well."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


class Interrupted(KeyboardInterrupt):
    """A signal by which the user ends the tool."""

    def __init__(self, number):
        super().__init__()
        self.number = number


def interrupt(number, *_):
    """A handler that raises it."""
    raise Interrupted(number)


@contextlib.contextmanager
def deferred():
    """Signals by which the user ends the tool come after the block. In the main thread."""
    came, handlers = [], {}
    try:
        for number in handed_on(ENDS):
            handlers[number] = signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


def status_of(interruption):
    """The exit status of an interruption, as of a shell."""
    return 128 + getattr(interruption, "number", signal.SIGINT)


class Witness:
    """A process that only blocks signals. It ends when the tool ends in any way."""

    running = set()  # the numbers of all of them

    def __init__(self, numbers):
        """Call this with the signals blocked."""
        self.numbers, self.process, self.hold = numbers, None, None
        try:
            end, self.hold = os.pipe()
        except OSError:
            return
        try:
            self.process = os.fork()
        except OSError:
            pass
        if self.process == 0:
            self.wait(end)
        if self.process:
            self.running.add(self.process)
        os.close(end)

    def wait(self, end):
        """The function of the process: it discards its pending signals at each byte, and ends when the pipe is closed."""
        try:
            os.closerange(0, end)
            os.closerange(end + 1, os.sysconf("SC_OPEN_MAX"))
            while os.read(end, 1):
                while signal.sigtimedwait(self.numbers, 0):
                    pass
        finally:
            os._exit(0)

    def got(self, number):
        """Whether the whole group received the signal; without a witness, whether it is one that a terminal sends."""
        if not self.process:
            return number in TYPED
        time.sleep(MOMENT)
        try:
            with open(f"/proc/{self.process}/status", encoding="ascii", errors="replace") as file:
                pending = [int(line.split()[1], 16) for line in file if line.startswith(("SigPnd:", "ShdPnd:"))]
            has = any(mask >> (number - 1) & 1 for mask in pending)
            if has:
                os.write(self.hold, b"-")
            return has
        except (OSError, ValueError):
            return number in TYPED

    def end(self):
        """Ends the process."""
        if self.hold is not None:
            os.close(self.hold)
        if self.process:
            os.waitpid(self.process, 0)
            self.running.discard(self.process)


class Forwarding:
    """Collects signals from before the start of the program. `on_stop` is called in the thread before the tool stops, `on_continue`
    when it goes on, and `on_late` with a signal after the program's end, and whether the whole group has received it.
    """

    def __init__(self, on_stop=None, on_continue=None, on_late=None):
        self.on_continue, self.on_late = on_continue, on_late
        self.on_stop, self.is_over, self.program, self.thread, self.early = on_stop, False, None, None, []
        self.received = set()

    def __enter__(self):
        numbers = handed_on()
        # SIGCONT continues a stopped program, and wakes the thread at its end.
        self.numbers = [*numbers, signal.SIGCONT]
        self.mask = signal.pthread_sigmask(signal.SIG_BLOCK, self.numbers)
        self.witness = Witness(self.numbers)
        self.handlers = {number: signal.signal(number, self.keep) for number in numbers if number != signal.SIGTSTP}
        # The program inherits the mask of blocked signals.
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        return self

    def keep(self, number, *_):
        """Stores a signal until the program is started."""
        self.early.append(number)

    def begin(self, program):
        """Starts a thread that forwards the signals."""
        signal.pthread_sigmask(signal.SIG_BLOCK, self.numbers)
        self.program = program
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def __exit__(self, *_):
        if self.thread:
            self.is_over = True
            signal.pthread_kill(self.thread.ident, signal.SIGCONT)
            self.thread.join()
        self.witness.end()
        for number, handler in self.handlers.items():
            # Python cannot restore a handler that a library has installed.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)

    def run(self):
        """Forwards the signals in turn."""
        for number in self.early:
            self.hand_on(number)
        while True:
            number = signal.sigwait(self.numbers)
            if self.is_over:
                return
            self.hand_on(number)
            if number == signal.SIGTSTP:
                self.stop()

    def hand_on(self, number):
        """Sends the signal to the program if it has not received it."""
        self.received.add(number)
        is_known = self.witness.got(number)
        if self.program.poll() is not None:
            if self.on_late:
                self.on_late(number, is_known)
        elif not is_known:
            self.program.send_signal(number)

    def stop(self):
        """Stops the tool until it is continued; the system ignores this in an orphaned group, which no shell could
        continue.
        """
        if self.on_stop:
            self.on_stop()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTSTP])
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTSTP])
        if self.on_continue:
            self.on_continue()
