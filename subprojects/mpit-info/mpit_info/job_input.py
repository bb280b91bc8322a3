"""The standard input of a launcher while the view reads the terminal: `with JobInput() as job: job.send("yes\\n")`.

The launcher reads a pipe, which the user fills by lines typed into the view. Nothing that was typed as a key gets there.
"""

import contextlib
import os
import re

# A launcher passes its own standard input to rank 0 through a pipe, so that no process misses a terminal.
LAUNCHERS = re.compile(r"(mpi(exec|run|iexec)|orterun|prte?run|prun|srun|aprun|jsrun|lrun|flux|ibrun|ccc_mprun)([.-].*)?")


def is_launcher(program):
    """Whether this is the name of a program that starts the processes of a job."""
    return bool(program) and LAUNCHERS.fullmatch(os.path.basename(program[0])) is not None


class JobInput:
    """The pipe; `reading` is the end for the launcher, which started() closes here."""

    def __init__(self):
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.writing, False)
        self.unsent = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.started()
        self.end()

    def started(self):
        """Closes the end for the launcher, which has its own."""
        reading, self.reading = self.reading, None
        if reading is not None:
            os.close(reading)

    def send(self, text):
        """Sends a text; what the pipe does not take is sent with the next one. False if nothing can be sent any more."""
        if self.writing is None:
            return False
        self.unsent += text.encode(errors="replace")
        try:
            while self.unsent:
                self.unsent = self.unsent[os.write(self.writing, self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            self.end()
            return False
        return True

    def end(self):
        """Ends the input, as Ctrl-D does on a terminal."""
        writing, self.writing = self.writing, None
        if writing is not None:
            with contextlib.suppress(OSError):
                os.close(writing)
