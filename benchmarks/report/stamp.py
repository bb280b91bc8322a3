# The conditions of a measurement besides the code.
#     stamp.of(build_folder)

import datetime
import json
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def output_of(*command):
    finished = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
    return finished.stdout.strip()


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} processors"
    return platform.machine()


def of(build):
    """The machine, the compiler and the commit; taken before anything is measured."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in commands if entry["file"].endswith("session.cpp")).split()
    compiler = next(word for word in command if word != "ccache")
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": output_of(compiler, "--version").splitlines()[0],
        "flags": " ".join(word for word in command if word.startswith(("-O", "-std", "-m"))),
        "commit": output_of("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "load_before": os.getloadavg()[0],
    }
