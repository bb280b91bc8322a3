#!/usr/bin/env python3
# What the tests of a leg could not try, from Meson's log of them: a test is skipped whole with exit status 77, and says in a line
# `skipped: <reason>` what it left out where the rest of it has run.
#     skipped.py <testlog.json>              one line for each
#     skipped.py --count <testlog.json>      three numbers: tests that passed, tests that failed, and how often one was skipped

import json
import sys


def reasons(result):
    """What one test has left out."""
    lines = [line.strip() for line in (result.get("stdout") or "").splitlines()]
    found = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
    return found or (["it does not say why"] if result["result"] == "SKIP" else [])


def main():
    with open(sys.argv[-1], encoding="utf-8") as file:
        results = [json.loads(line) for line in file]
    skipped = [(result["name"], reason) for result in results for reason in reasons(result)]
    if "--count" in sys.argv:
        passed = sum(result["result"] in ("OK", "EXPECTEDFAIL") for result in results)
        whole = sum(result["result"] == "SKIP" for result in results)
        print(passed, len(results) - passed - whole, len(skipped))
        return
    for name, reason in skipped:
        print(f"skipped {name}: {reason}")


main()
