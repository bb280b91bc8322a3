# The parts that run.sh has written, as one dictionary that becomes results.json. It has no entries for parts that were not
# measured.
#     collect.from_folder(folder)

import json
import os
import re
import statistics

import across.run
import peers.table

# The suffix that Google Benchmark appends to a name.
APPENDED = re.compile(r"/(threads|iterations|repeats):\d+|/manual_time")


def summary(samples):
    return {"median": statistics.median(samples), "minimum": min(samples), "maximum": max(samples), "samples": samples}


def nanoseconds_of(folder):
    """The benchmarks by name, in the order of their source: processor time of a thread, but what is timed by hand."""
    samples = {}
    for part in sorted(folder.glob("*.json")):
        content = json.loads(part.read_text(encoding="utf-8"))
        if not isinstance(content, dict):
            continue
        for run in sorted(content.get("benchmarks", []), key=lambda run: run["family_index"]):
            if run["run_type"] == "iteration":
                time = run["real_time" if "/manual_time" in run["run_name"] else "cpu_time"]
                samples.setdefault(APPENDED.sub("", run["run_name"]), []).append(time)
    return {name: summary(taken) for name, taken in samples.items()}


def bytes_of(folder):
    """The memory of each thread that records, by the name of the benchmark."""
    runs = [run for part in sorted(folder.glob("others-sample.json"))
            for run in json.loads(part.read_text(encoding="utf-8"))["benchmarks"] if run["run_type"] == "iteration"]
    return {APPENDED.sub("", run["run_name"]): run["bytes_of_thread"] for run in runs if "bytes_of_thread" in run}


def from_folder(folder):
    stamp = json.loads((folder / "stamp.json").read_text(encoding="utf-8"))
    if "load_after" not in stamp: # the first time, when everything has just been measured
        stamp["load_after"] = os.getloadavg()[0]
        (folder / "stamp.json").write_text(json.dumps(stamp), encoding="utf-8")
    results = {"machine": stamp}
    results["nanoseconds"] = nanoseconds_of(folder)
    results["bytes_of_thread"] = bytes_of(folder)
    for part in ("compile.json", "code.json", "start/start.json", "instructions.json"):
        if (folder / part).is_file():
            results |= json.loads((folder / part).read_text(encoding="utf-8"))
    if taken := peers.table.read(folder / "peers"):
        results["peers"] = {"/".join(name): turns for name, turns in taken.items()}
        results["peers_context"] = peers.table.context(folder / "peers")
    results["text"] = {part.stem: part.read_text(encoding="utf-8").splitlines() for part in sorted(folder.glob("*.txt"))}
    if taken := across.run.read(folder / "across"):
        results["across"] = {"/".join(map(str, name)): samples for name, samples in taken.items()}
    return results
