"""A page that compares MPIs by their results: `page.write("compared.html", runs)`."""

import collections

from mpit_info import report
from mpit_info.check import result, running

KINDS = (("required", "Required by the standard"), ("recommended", "Recommended by the standard, or by the users of tools"),
         ("open", "Open to the implementation"))


def rows(runs):
    """A row for each check, by kind, with a cell for each run."""
    by_name = collections.OrderedDict()
    for place, run in enumerate(runs):
        for each in run["checks"]:
            by_name.setdefault(each["name"], [each, [None] * len(runs)])[1][place] = each
    # What an MPI breaks comes first.
    ordered = sorted(by_name.values(), key=lambda row: not any(each and each["verdict"] in running.BROKEN for each in row[1]))
    return {kind: [{"name": first["name"], "clause": first["clause"], "rule": first["rule"],
                    "cells": [cell(each) for each in found]}
                   for first, found in ordered if first["kind"] == kind] for kind, _ in KINDS}


def cell(found):
    """What the page has of one result."""
    if found is None:
        return {"verdict": "nothing", "word": "", "seen": "", "program": ""}
    return {"verdict": found["verdict"], "word": running.VERDICTS[found["verdict"]], "program": found.get("program", ""),
            "seen": result.sentence(found) if found["verdict"] in (*running.BROKEN, "open", "nothing") else ""}


def text(runs):
    """The page."""
    mpis = [{"library": run["mpi"]["library"] or "an MPI", "header": result.header(run), "summary": run["summary"]} for run in runs]
    return report.rendered("check.html", title=f"The tool information interface of {', '.join(mpi['library'] for mpi in mpis)}", mpis=mpis, kinds=KINDS,
                           rows=rows(runs), styles=report.part(report.PAGE, "report.css") + "\n" + report.part(report.PAGE, "check.css"))


def write(path, runs):
    """Writes the page into a file."""
    report.save(path, text(runs))
