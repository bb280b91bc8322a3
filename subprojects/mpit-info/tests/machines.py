"""Two machines on this one, each a network namespace with a name and an address of its own: `with machines.Pair() as pair: …`.

Only root can make them, and not everywhere; `machines.can_be_made()` tells. Shared memory and files are those of this machine.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

NETWORK = "10.213.77"

# Stands in for ssh, `reach [options] <address> <command>…`, which hands no variable of this environment on.
REACH = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in {network}.*) break ;; esac
    shift
done
number=${{1##*.}}
shift
exec env -i PATH="$PATH" HOME="$HOME" ip netns exec "{name}-$number" \\
    unshare --uts sh -c 'hostname "machine-$0"; exec sh -c "$1"' "$number" "$*"
"""


def succeeds(*words):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def can_be_made():
    """Tries with one, which is gone again."""
    name = f"mpit-try-{os.getpid()}"
    if not shutil.which("ip") or not succeeds("ip", "netns", "add", name):
        return False
    can = succeeds("ip", "netns", "exec", name, "unshare", "--uts", "hostname", name)
    subprocess.run(["ip", "netns", "delete", name], check=True)
    return can


class Pair:
    """`addresses` are theirs, and `reach` is a command that runs another one on the machine with an address."""

    def __init__(self):
        self.name = f"mpit-{os.getpid()}"
        self.addresses = [f"{NETWORK}.1", f"{NETWORK}.2"]

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.reach = os.path.join(self.folder.name, "reach")
        pathlib.Path(self.reach).write_text(REACH.format(network=NETWORK, name=self.name), encoding="utf-8")
        os.chmod(self.reach, 0o755)
        first, second = f"{self.name}-1", f"{self.name}-2"
        for words in ([f"netns add {first}", f"netns add {second}",
                       f"link add wire netns {first} type veth peer name wire netns {second}"] +
                      [words for name, address in ((first, self.addresses[0]), (second, self.addresses[1]))
                       for words in (f"-n {name} address add {address}/24 dev wire", f"-n {name} link set lo up",
                                     f"-n {name} link set wire up")]):
            subprocess.run(["ip", *words.split()], check=True)
        return self

    def __exit__(self, *_):
        for number in (1, 2):
            subprocess.run(["ip", "netns", "delete", f"{self.name}-{number}"], check=False)
        self.folder.cleanup()

    def on_the_first(self, words):
        """The words that run others on the first machine, with the variables of this environment."""
        return ["ip", "netns", "exec", f"{self.name}-1", "unshare", "--uts", "sh", "-c", 'hostname machine-1; exec "$@"', "sh",
                *words]
