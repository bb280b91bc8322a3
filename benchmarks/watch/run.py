#!/usr/bin/env python3
# The cost of watching for a program: `mpit-info watch` on a hundred counters that count all the time, against the same program
# alone, turn by turn. Two figures: how many rounds fewer the program makes in a second of its own time, and how much time of a
# processor the thread takes that reads and sends the samples.
#     run.py <build directory> [turns] [seconds]      the directory of `meson setup … -Dbenchmarks=enabled`, 7 turns of 5 seconds

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

RATES = (10, 100, 1000)


def alone(program, seconds):
    return float(subprocess.run([program, str(seconds)], check=True, capture_output=True, text=True).stdout)


def watched(tool, program, seconds, rate):
    """Rounds a second, and the share of a processor that the samples took."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.jsonl"
        ended = subprocess.run([tool, "watch", "--rate", str(rate), "--record", record, "--", program, str(seconds)],
                               check=True, capture_output=True, text=True)
        messages = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    end = next(each for each in messages if each.get("message") == "end")
    columns = next(each for each in messages if each.get("message") == "columns")["columns"]
    assert len(columns) == 100, len(columns)
    rounds = next(line for line in ended.stdout.splitlines() if line.strip().isdigit())
    return float(rounds), end["cost"] / end["time"]


def spread(values, show):
    return f"{show(statistics.median(values))} ({show(min(values))} to {show(max(values))})"


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    turns, seconds = int((sys.argv[2:] + ["7"])[0]), float((sys.argv[3:] + ["5"])[0])
    tool, program = built / "subprojects/mpit-info/mpit-info", built / "benchmarks/watched"
    bare, slower, shares = [], {rate: [] for rate in RATES}, {rate: [] for rate in RATES}
    for turn in range(turns):
        print(f"turn {turn + 1} of {turns}", file=sys.stderr)
        bare.append(alone(program, seconds))
        for rate in RATES:
            rounds, share = watched(tool, program, seconds, rate)
            slower[rate].append(bare[-1] / rounds - 1)
            shares[rate].append(share)
    print("| samples a second | more time a round | of a processor, for the samples |\n| --- | --- | --- |")
    for rate in RATES:
        print(f"| {rate} | {spread(slower[rate], '{:+.2%}'.format)} | {spread(shares[rate], '{:.3%}'.format)} |")


main()
