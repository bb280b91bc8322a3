"""Starts a collector without the rest of the tool: `python3 start.py`, with MPIT_INFO_NODES in the environment.

It runs in the background: this program ends when the collector listens, so that a process that starts it can connect then.
"""

import os
import pathlib
import socket
import sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent.parent)

from mpit_info import document  # noqa: E402
from mpit_info.nodes import settings  # noqa: E402
from mpit_info.nodes.collector import Collector  # noqa: E402
from mpit_info.refusal import Refusal  # noqa: E402


def made():
    """The collector of this node."""
    told = settings.from_environment()
    return Collector(told, told.name or socket.gethostname())


def leave_caller(collector):
    """Continues in a process that no terminal and no other process waits for; the first process ends when that one listens."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        os._exit(0 if os.read(reading, 1) else 1)
    os.setsid()
    if os.fork():
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.chdir("/")
    # Processes that connect see the number of the process that has called this last.
    collector.agents.meeting.listening.listen(4096)
    # The tool waits for nodes that it knows, also if the program ends within the next tenth of a second.
    collector.join()
    os.write(writing, b"1")
    for each in (reading, writing, nothing):
        os.close(each)


def main():
    """Runs a collector; 1 if the node has one."""
    try:
        # Descriptors of the process that starts it: its launcher may wait for their end.
        os.closerange(3, 1 << 16)
        collector = made()
        if "--foreground" not in sys.argv:
            leave_caller(collector)
        collector.run()
    except Refusal as refusal:
        print(f"mpit-info: {document.clean(str(refusal))}", file=sys.stderr)
        return refusal.status
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
