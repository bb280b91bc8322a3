#!/usr/bin/env python3
# Runs an example that writes a trace, reads the trace as a viewer does, and prints what is in it.
#     read_trace.py <program>

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "trace.json"
    finished = subprocess.run([sys.argv[1], str(path)], text=True, stdout=subprocess.PIPE, timeout=60)
    print(finished.stdout, end="")
    trace = json.loads(path.read_text(encoding="utf-8"))

events = trace["traceEvents"]
if not all(0 <= event["ts"] < 6e7 and event["pid"] >= 0 and event["tid"] > 0 for event in events):
    sys.exit("an event is outside of the minute in which it was recorded, or in no thread")

print(f"The trace has {len(events)} events of {len({event['tid'] for event in events})} threads:")
counts = collections.Counter((event["name"], ", ".join(event["args"])) for event in events)
for (name, elements), count in sorted(counts.items()):
    print(f"  {name:22} {count:3}   {elements}")
sys.exit(finished.returncode)
