#!/usr/bin/env python3
# How costs grow with threads and with variables: processes of each number in turn; medians, with the smallest and the largest.
#     run.py <folder of the built benchmarks> [<processes>]      5 processes

import json
import pathlib
import statistics
import subprocess
import sys

NUMBERS = {"threads": [1, 16, 256, 2000, 10000], "variables": [1000, 10000, 100000, 1000000]}


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "growth-benchmark"
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for what, numbers in NUMBERS.items():
        samples = {number: [] for number in numbers}
        for _ in range(processes):
            for number in numbers:
                samples[number].append(json.loads(subprocess.run([program, what, str(number)], check=True, text=True, stdout=subprocess.PIPE).stdout))
        figures = list(samples[numbers[0]][0])
        print(f"| {what} | {' | '.join(figures)} |\n|{'---|' * (len(figures) + 1)}")
        for number in numbers:
            cells = []
            for figure in figures:
                taken = [sample[figure] for sample in samples[number]]
                cells.append(f"{statistics.median(taken):,.1f} ({min(taken):,.1f} to {max(taken):,.1f})")
            print(f"| {number:,} | {' | '.join(cells)} |", flush=True)
        print()


if __name__ == "__main__":
    main()
