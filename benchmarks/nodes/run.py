#!/usr/bin/env python3
"""Many ranks over collectors in network namespaces: what the view, a middle node and a leaf cost, and what a lost node costs.

    run.py [--nodes 64] [--ranks 64] [--seconds 40] [--rate 1] [--fan-in 8] [--period 1] [--dies 5]        as root

Each node is a network namespace with an address of its own behind a bridge; the view is in a namespace too. Bytes are those that
the interfaces of the namespaces count, headers included; processor time and memory are those of /proc.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOOL = HERE.parent.parent / "subprojects" / "mpit-info" / "mpit-info"
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def ip(*words):
    """Runs ip."""
    subprocess.run(["ip", *map(str, words)], check=True)


@contextlib.contextmanager
def namespaces(prefix, count):
    """A bridge in a namespace, in which the view is too, and `count` namespaces of nodes."""
    root = f"{prefix}root"
    try:
        ip("netns", "add", root)
        ip("-n", root, "link", "set", "lo", "up")
        ip("-n", root, "link", "add", "bridge", "type", "bridge")
        ip("-n", root, "address", "add", "10.214.0.1/16", "dev", "bridge")
        ip("-n", root, "link", "set", "bridge", "up")
        for node in range(count):
            name = f"{prefix}{node}"
            ip("netns", "add", name)
            ip("-n", name, "link", "add", "wire", "type", "veth", "peer", "name", f"n{node}", "netns", root)
            ip("-n", root, "link", "set", f"n{node}", "master", "bridge", "up")
            ip("-n", name, "address", "add", f"10.214.{1 + node // 250}.{1 + node % 250}/16", "dev", "wire")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", "wire", "up")
        yield root
    finally:
        for name in [root, *(f"{prefix}{node}" for node in range(count))]:
            subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)


def seconds_and_memory(pid):
    """The processor time of a process, and its resident memory in bytes."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()
    return (int(fields[11]) + int(fields[12])) / TICK, int(status[1]) * PAGE


def counters(namespace, device, direction):
    """The bytes that a device of a namespace has counted."""
    path = f"/sys/class/net/{device}/statistics/{direction}_bytes"
    return int(subprocess.run(["ip", "netns", "exec", namespace, "cat", path], check=True, capture_output=True, text=True).stdout)


def collectors():
    """The collectors by the names of their nodes."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            name = path.read_text(encoding="utf-8").strip()
            if name.startswith("coll-"):
                found[name[len("coll-"):]] = int(path.parent.name)
    return found


def look(prefix, view, running):
    """What has been used until now, by node, and by the view."""
    used = {name: (*seconds_and_memory(pid), counters(f"{prefix}{int(name[1:])}", "wire", "tx"), counters(f"{prefix}{int(name[1:])}", "wire", "rx"))
            for name, pid in running.items() if os.path.exists(f"/proc/{pid}")}
    return time.monotonic(), used, (*seconds_and_memory(view), counters(f"{prefix}root", "bridge", "rx"))


def rates(first, second):
    """Shares of a processor, memory and bytes a second between two looks: of the view, and of the nodes."""
    seconds = second[0] - first[0]
    view = ((second[2][0] - first[2][0]) / seconds, second[2][1], (second[2][2] - first[2][2]) / seconds)
    nodes = {name: ((now[0] - first[1][name][0]) / seconds, now[1], (now[2] - first[1][name][2]) / seconds, (now[3] - first[1][name][3]) / seconds)
             for name, now in second[1].items() if name in first[1]}
    return view, nodes


def line(title, shares, memory, sent, received):
    """A row of the table: medians, and the least and the most."""
    def spread(values, form):
        return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})" if len(values) > 1 else form(values[0])
    print(f"| {title} | {spread(shares, lambda value: f'{100 * value:.2g} %')} | {spread(memory, lambda value: f'{value / 1e6:.0f} MB')} | "
          f"{spread(sent, lambda value: f'{value / 1e3:.3g} kB') if sent else '-'} | {spread(received, lambda value: f'{value / 1e3:.3g} kB')} |")


def summaries(record):
    """The moments, ranks and nodes of the summaries of a record that is still written."""
    found = []
    for text in record.read_text(encoding="ascii").splitlines():
        if '"message":"summary"' in text:
            found.append(tuple(int(re.search(f'"{name}":([0-9]+)', text)[1]) for name in ("interval", "ranks", "nodes")))
    return found


def main():
    """Runs, looks three times, and prints the table."""
    parser = argparse.ArgumentParser()
    for name, kind, initial in (("nodes", int, 64), ("ranks", int, 64), ("seconds", float, 40), ("rate", float, 1), ("fan-in", int, 8),
                                ("period", float, 1), ("dies", int, -1), ("settle", float, 15)):
        parser.add_argument("--" + name, type=kind, default=initial)
    options = parser.parse_args()
    prefix = f"many{os.getpid()}-"
    with tempfile.TemporaryDirectory() as folder, namespaces(prefix, options.nodes) as root:
        folder = pathlib.Path(folder)
        (folder / "libmpit-info.so").symlink_to(re.search(r"\S+/libc\.so\.6", pathlib.Path("/proc/self/maps").read_text(encoding="utf-8"))[0])
        words = ["ip", "netns", "exec", root, sys.executable, TOOL, "watch", "--agents", folder, "--calls", "no", "--nodes", "--listen", "10.214.0.1",
                 "--fan-in", options.fan_in, "--period", options.period, "--interval", 0, "--record", folder / "run.jsonl",
                 "--node-files", folder / "files", "--",
                 sys.executable, HERE / "many_ranks.py", "--nodes", options.nodes, "--ranks", options.ranks, "--seconds", options.seconds,
                 "--rate", options.rate, "--late", 1234, "--namespaces", prefix, "--dies", options.dies, "--dies-after", options.seconds - 10]
        with open(folder / "printed", "w", encoding="utf-8") as printed:
            running = subprocess.Popen(list(map(str, words)), stdout=printed, stderr=subprocess.STDOUT)
        record = folder / "run.jsonl"
        while running.poll() is None and not (record.exists() and f'"ranks":{options.nodes * options.ranks},' in record.read_text(encoding="ascii")):
            time.sleep(0.5)
        if running.poll() is not None:
            sys.exit(f"the ranks were never there at once\n{(folder / 'printed').read_text(encoding='utf-8')}")
        there = collectors()
        first = look(prefix, running.pid, there)
        time.sleep(options.settle)
        view, nodes = rates(first, look(prefix, running.pid, there))
        running.wait()
        middle = [each for each in nodes.values() if each[3] > 0.5 * max(other[3] for other in nodes.values())]
        leaves = [each for each in nodes.values() if each[3] < 0.1 * max(other[3] for other in nodes.values())]
        print(f"{options.nodes * options.ranks} ranks on {options.nodes} nodes, fan-in {options.fan_in}, a summary each {options.period:g} s, "
              f"{options.rate:g} samples a second, {len(middle)} middle nodes\n")
        print("| process | of a processor | memory | sent a second | received a second |\n| --- | --- | --- | --- | --- |")
        line("the view", [view[0]], [view[1]], None, [view[2]])
        line("a middle node's collector", *([each[place] for each in middle] for place in range(4)))
        line("a leaf's collector", *([each[place] for each in leaves] for place in range(4)))
        print("\n" + "\n".join((folder / "printed").read_text(encoding="utf-8").splitlines()[2:16]))
        told = summaries(record)
        sizes = [len(text) for text in record.read_text(encoding="ascii").splitlines() if '"message":"summary"' in text]
        print(f"{len(told)} summaries of the whole tree, {max(sizes):,} bytes the longest; ranks in each: "
              f"{', '.join(f'{count} x {ranks}' for ranks, count in collections.Counter(ranks for _, ranks, _ in told).items())}")
        print(f"files of the nodes: {sum(path.stat().st_size for path in (folder / 'files').iterdir()) / 1e6:.1f} MB")


main()
