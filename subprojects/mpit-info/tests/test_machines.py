"""Ranks on two machines, which reach mpit-info through a port: two network namespaces of this one, each with a name and an address of its
own. Only root can make them, and not everywhere. Shared memory and files are those of this machine."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import built
import tool

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


def over_both(pair, mpi):
    """The words that start a rank on each machine."""
    if mpi == "mpich":
        return ["mpiexec.mpich", "-launcher", "ssh", "-launcher-exec", pair.reach, "-localhost", pair.addresses[0],
                "-hosts", ",".join(pair.addresses), "-n", "2"]
    # Open MPI 5 knows its own machine by its name alone.
    return ["mpiexec.openmpi", "--mca", "plm_rsh_agent", pair.reach, "--mca", "oob_tcp_if_include", "wire",
            "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "wire", "--host", f"machine-1,{pair.addresses[1]}", "-n", "2"]


@unittest.skipUnless(built.FOLDER, "the agents were not built")
@unittest.skipUnless(can_be_made(), "no network namespaces can be made")
class TwoMachines(unittest.TestCase):
    def setUp(self):
        self.pair = self.enterContext(Pair())

    def run_over(self, mpi, *arguments):
        if not built.program(mpi):
            self.skipTest(f"{mpi} is not installed")
        finished = built.run(*arguments, "--listen", self.pair.addresses[0], "--", *over_both(self.pair, mpi),
                             built.program(mpi), place=self.pair.on_the_first)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return finished.stdout

    def check(self, mpi):
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "record.jsonl")
            self.assertIn("2 ranks on 2 machines", self.run_over(mpi, "watch", "--record", record))
            told = tool.messages(record)
        said = [(each["rank"], each["processes"], each["host"]) for each in told if each["message"] == "hello"]
        self.assertEqual(sorted(said), [(0, 2, "machine-1"), (1, 2, "machine-2")])
        snapshots = [each["document"] for each in told if each["message"] == "snapshot"]
        self.assertEqual({each["mpi"]["rank"] for each in snapshots}, {0, 1})

    def check_nodes(self, mpi):
        """The first process of the second machine starts the collector there."""
        with tempfile.TemporaryDirectory() as folder:
            record, files = os.path.join(folder, "record.jsonl"), os.path.join(folder, "files")
            printed = self.run_over(mpi, "watch", "--nodes", "--calls", "yes", "--interval", "0", "--record", record, "--node-files", files)
            self.assertIn("2 ranks on 2 nodes", printed)
            said = {name: [each["rank"] for each in tool.messages(f"{files}/{name}.jsonl") if each["message"] == "hello"]
                    for name in ("machine-1", "machine-2")}
        self.assertEqual(said, {"machine-1": [0], "machine-2": [1]})

    def test_collectors_of_both_machines_send_summaries_with_mpich(self):
        self.check_nodes("mpich")

    def test_collectors_of_both_machines_send_summaries_with_open_mpi(self):
        self.check_nodes("openmpi")

    def test_ranks_of_mpich_are_watched_on_both_machines(self):
        self.check("mpich")

    def test_ranks_of_open_mpi_are_watched_on_both_machines(self):
        self.check("openmpi")

    def test_the_rank_of_the_other_machine_is_listed(self):
        document = json.loads(self.run_over("mpich", "--json", "--rank", "1"))
        self.assertEqual((document["mpi"]["rank"], document["mpi"]["processes"]), (1, 2))
        self.assertGreater(len(document["control_variables"]), 300)

    def test_a_job_in_a_container_with_a_network_of_its_own_is_watched_through_a_file(self):
        words = ["unshare", "--net", "--ipc", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc", "sh", "-c",
                 'mount -t tmpfs none /dev/shm && ip link set lo up && exec "$@"', "sh"]
        for mpi in built.mpis():
            with self.subTest(mpi):
                finished = built.run("watch", "--calls", "yes", "--", *words, *built.ranks(mpi, 2, built.program(mpi)))
                self.assertEqual(finished.returncode, 0, finished.stderr)
                self.assertRegex(finished.stdout, r"\n2 ranks, ")
