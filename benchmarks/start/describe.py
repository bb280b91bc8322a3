#!/usr/bin/env python3
# 344 variables that are described at run time, in the first MPI_T_init_thread of a process: time, page faults and memory as the
# medians of many processes, and the instructions of one, as valgrind's callgrind counts them between begin and end.
#     describe.py <folder of the built benchmarks> <processes>

import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

FORMS = {"rows": "tables of C, a group for each of 20 categories", "rows-stay": "the same with texts that stay",
         "group": "one group in C++ with 20 categories", "group-stay": "the same with texts that stay"}


def instructions_of(program, form):
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=*first_tool*", f"--callgrind-out-file={out.name}", program, form]
        try:
            subprocess.run([str(word) for word in command], check=True, capture_output=True)
        except FileNotFoundError:
            return "skipped: valgrind is not installed"
        return f"{int(re.search(r'^(?:totals|summary): ([0-9]+)', pathlib.Path(out.name).read_text(encoding='utf-8'), re.M)[1]):,}"


def main():
    program, processes = pathlib.Path(sys.argv[1]).resolve() / "describe-benchmark", int(sys.argv[2])
    samples = {form: [] for form in FORMS}
    for _ in range(processes):
        for form, taken in samples.items():
            taken.append(json.loads(subprocess.run([program, form], check=True, capture_output=True, text=True).stdout))
    for form, words in FORMS.items():
        microseconds = sorted(taken["nanoseconds"] / 1000 for taken in samples[form])
        faults, memory = (statistics.median(taken[key] for taken in samples[form]) for key in ("page_faults", "bytes"))
        print(f"{words}: {statistics.median(microseconds):.0f} microseconds ({microseconds[0]:.0f} to {microseconds[-1]:.0f}), "
              f"{faults:.0f} page faults, {memory / 1024:.0f} KiB, {instructions_of(program, form)} instructions")


if __name__ == "__main__":
    main()
