"""The results on the terminal: `screen.show(options, tables.parts(run, width))`."""

from rich.text import Text

from mpit_info import console
from mpit_info.check import result, running
from mpit_info.document import clean

STYLES = {"passed": "green", "failed": "red", "crashed": "bold red", "hung": "bold red", "open": "cyan", "nothing": "dim"}


def grid(*titles):
    """A table without lines, whose last column is folded."""
    table = console.table()
    for title in titles:
        table.add_column(title, overflow="fold", no_wrap=title == "Check", style="bold" if title == "Check" else None)
    return table


def parts(run, has_all=False):
    """The MPI, what is broken or what the MPI chooses, and the summary."""
    yield Text(clean(run["mpi"]["library"]), style="bold")
    yield Text(f"over {clean(result.header(run))}", style="dim")
    for title, kind, verdicts in (("Required rules that are broken", "required", running.BROKEN),
                                  ("Recommendations that are not followed", "recommended", running.BROKEN),
                                  ("What the standard leaves open", "open", (*running.BROKEN, "open"))):
        checks = [check for check in run["checks"] if check["kind"] == kind and check["verdict"] in verdicts]
        if checks:
            table = grid("Check", "Clause", "The rule, and what was seen")
            for check in checks:
                seen = Text.assemble(check["rule"], "\n", (clean(result.sentence(check)), STYLES[check["verdict"]]))
                table.add_row(check["name"], check["clause"], seen)
            yield from (Text(""), Text(title, style="bold"), table)
    if has_all:
        table = grid("Check", "Kind", "Clause", "Result", "Rule")
        for check in run["checks"]:
            table.add_row(check["name"], check["kind"], check["clause"],
                          Text(running.VERDICTS[check["verdict"]], style=STYLES[check["verdict"]]), check["rule"])
        yield from (Text(""), table)
    yield from (Text(""), Text(run["summary"]))


def of_checks(checks):
    """The checks and their rules."""
    table = grid("Check", "Kind", "Clause", "Rule")
    for check in checks:
        table.add_row(check.name, check.kind, check.clause, check.rule)
    yield table
