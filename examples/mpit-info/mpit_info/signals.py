"""Hands on to a program the signals that the tool alone gets: `with Forwarding() as signals: ...`.

A terminal, and whoever signals all processes of a group, reaches the program itself, and a second signal would not be the same there
as one. The two are told apart by a witness, a process of the same group that blocks these signals: what is pending in the witness,
the program got as well. While this goes on, the tool ends by none of them: it waits for the program, which decides.
"""

import os
import signal
import threading
import time

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
TYPED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
# How long a signal may take to reach all processes of a group.
MOMENT = 0.02


def handed_on(numbers=(*ENDING, *TYPED)):
    """Those of the signals that are not ignored: what is ignored stays so, as under nohup, for the program as well."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


class Witness:
    """A process that does nothing but block signals. It ends with the tool, however that ends."""

    def __init__(self, numbers):
        """The signals are blocked where this is called."""
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
        os.close(end)

    def wait(self, end):
        """What the process does: it forgets its signals at each byte, and ends with the pipe."""
        try:
            os.closerange(0, end)
            os.closerange(end + 1, os.sysconf("SC_OPEN_MAX"))
            while os.read(end, 1):
                while signal.sigtimedwait(self.numbers, 0):
                    pass
        finally:
            os._exit(0)

    def got(self, number):
        """Whether the signal has come to the whole group; without a witness, whether it is one that is typed."""
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


class Forwarding:
    """Takes in signals from before the program starts. `on_stop` is called before the tool stops, in the thread."""

    def __init__(self, on_stop=None):
        self.on_stop, self.is_over, self.program, self.thread, self.early = on_stop, False, None, None, []

    def __enter__(self):
        numbers = handed_on()
        # SIGCONT continues a stopped program, and wakes the thread for its end.
        self.numbers = [*numbers, signal.SIGCONT]
        self.mask = signal.pthread_sigmask(signal.SIG_BLOCK, self.numbers)
        self.witness = Witness(self.numbers)
        self.handlers = {number: signal.signal(number, self.keep) for number in numbers if number != signal.SIGTSTP}
        # The program inherits what is blocked.
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        return self

    def keep(self, number, *_):
        """Keeps a signal until the program is there."""
        self.early.append(number)

    def begin(self, program):
        """From here on a thread hands the signals on, whatever the tool is doing."""
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
            # A handler that a library has installed is none of Python's, which cannot give it back.
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)

    def run(self):
        """Hands on one signal after the other."""
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
        """Sends the signal to the program if that has not got it."""
        if not self.witness.got(number):
            self.program.send_signal(number)

    def stop(self):
        """Stops the tool until it is continued, where the system stops it: not where no shell would let it go on."""
        if self.on_stop:
            self.on_stop()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTSTP])
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTSTP])
