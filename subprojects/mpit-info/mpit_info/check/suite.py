"""The checks, as the comments in their sources describe them: `for check in suite.checks(): check.rule`."""

import collections
import re

from mpit_info import build_agent

# `name` as CVAR-02; `kind` is required, recommended or open; `processes` is true if the check needs two; `source` is its text if this is
# shown in place of the calls that it made.
Check = collections.namedtuple("Check", "name kind clause rule processes source")
COMMENT = re.compile(r"/\* ([A-Z]+-\d+[a-z]?) · (required|recommended|open) · ([^\n·]+?)(?: · (processes|itself))?\n(.*?)\*/\n(.*?^}\n)(?=\n|\Z)",
                     re.DOTALL | re.MULTILINE)


def folder():
    """The folder of the sources, beside that of the agents."""
    return build_agent.sources()[0] / "checks"


def checks():
    """All checks, in the order of the files and of the checks in them."""
    found = []
    for path in sorted(folder().glob("*.c")):
        text = path.read_text(encoding="utf-8")
        for name, kind, clause, mark, rule, code in COMMENT.findall(text):
            found.append(Check(name, kind, clause, " ".join(line.strip(" *") for line in rule.splitlines()).strip(), mark == "processes",
                               code if mark == "itself" else ""))
    return found


def function(name):
    """The name by which the program of all checks knows one."""
    return name.replace("-", "_")
