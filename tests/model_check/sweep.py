#!/usr/bin/env python3
# Weakens each atomic operation of the library once, in every scenario of the given programs, and prints a table of the places
# with the weakest order that no scenario refuses. It takes minutes; bounds come from the environment as for the programs. places.py
# keeps the outcome in places.tsv.
#     sweep.py build/gcc/tests/model_check/model_check-cxx20-*
# Several processors: --read FILE… takes the outputs of programs that ran with MPIT_MODEL_SWEEP=1 instead.

import collections
import os
import subprocess
import sys

WEAKER = {"relaxed": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}


def lines_of(arguments):
    if arguments[0] == "--read":
        for name in arguments[1:]:
            with open(name, encoding="utf-8") as file:
                yield from file
        return
    for program in arguments:
        run = subprocess.run([program], env=dict(os.environ, MPIT_MODEL_SWEEP="1"), stdout=subprocess.PIPE, text=True, check=False)
        yield from run.stdout.splitlines()


def main():
    verdicts = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in lines_of(sys.argv[1:]):
        if not line.startswith("sweep\t"):
            continue
        _, place, function, operation, order, to, verdict, _ = line.rstrip("\n").split("\t")
        verdicts[place, function.split("<")[0], operation, order][to].add(verdict)
        # Where a weaker order is no mistake of a scenario, it was not asked for the stronger ones.
    print("| place | function | operation | order | caught if | not caught |\n|---|---|---|---|---|---|")
    counts = collections.Counter()
    for (place, function, operation, order), answers in sorted(verdicts.items()):
        caught = [to for to, all_of in answers.items() if "caught" in all_of]
        missed = [to for to, all_of in answers.items() if to not in caught and "open" not in all_of]
        opened = [to for to, all_of in answers.items() if to not in caught and "open" in all_of]
        # A weaker one that is caught says nothing of a stronger one that no scenario was asked for.
        counts["caught" if caught else "open" if opened else "missed"] += 1
        key = WEAKER.get
        rest = [f"{to}" for to in sorted(missed, key=key)] + [f"{to} (open)" for to in opened]
        print(f"| {place} | {function} | {operation} | {order} | {', '.join(sorted(caught, key=key)) or '-'} | {', '.join(rest) or '-'} |")
    print(f"\n{sum(counts.values())} places: relaxed is caught at {counts['caught']}, at none of the scenarios for {counts['missed']}, "
          f"{counts['open']} open.")


if __name__ == "__main__":
    main()
