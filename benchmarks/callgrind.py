# The instructions that a whole program executes, as valgrind's callgrind counts them.
#     callgrind.total([program, argument], env={"PATH": "/usr/bin:/bin"})

import pathlib
import re
import subprocess
import tempfile

TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def total(command, env=None):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *map(str, command)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        return int(TOTAL.search(pathlib.Path(out.name).read_text(encoding="utf-8", errors="replace"))[1])
