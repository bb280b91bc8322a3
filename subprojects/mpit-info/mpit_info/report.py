"""The report of a run, a page that any browser shows without a network: `report.write("run.html", launches, choose)`.

The texts are in the page itself; a script in the page draws the numbers with dygraphs.
"""

import json
import math
import os
import pathlib
import shlex
import time

from mpit_info import digits, distributions, figures, first_page, origins, quantities, regions, report_data, summary, table, words
from mpit_info.document import clean, is_changed, library_line, one_line, quoted, value_of
from mpit_info.refusal import Refusal

DYGRAPHS = pathlib.Path("/usr/share/javascript/dygraphs")
ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\x7f"}
# The steps into which the extent of a line is divided; of a growing one a rate is the difference of two numbers.
FINEST = {False: 3_000, True: 1_000_000}
# The size of the picture of the shares of the time, in pixels.
SHARES_WIDTH, SHARES_HEIGHT = 560, 180
# The most regions of a page, those with most time.
MOST_REGIONS = 200
PAGE = pathlib.Path(__file__).resolve().parent / "page"


def check(path, has_time_lines=True):
    """Checks the requirements of a page, which would otherwise fail after a long run."""
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise Refusal("a report needs the Python package jinja2 (on Debian: apt-get install python3-jinja2)") from None
    if has_time_lines and not (DYGRAPHS / "dygraph.min.js").is_file():
        raise Refusal("a report needs dygraphs (on Debian: apt-get install libjs-dygraphs)")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Refusal(f"cannot write {path}")


def rendered(name, **facts):
    """The page that a template makes of facts."""
    import jinja2
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(PAGE), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True, undefined=jinja2.StrictUndefined, finalize=shown)
    return environment.get_template(name).render(**facts)


def save(path, page):
    """Writes a page into a file."""
    try:
        pathlib.Path(path).write_text(page, encoding="utf-8")
    except OSError as problem:
        raise Refusal(f"cannot write {path}: {problem.strerror}") from None


def part(folder, name):
    """A script or a style that becomes part of the page."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.split("//# sourceMappingURL")[0].split("/*# sourceMappingURL")[0] for line in lines)


def embedded(value):
    """Data for a script of the page: ASCII that cannot end an element."""
    return json.dumps(value, separators=(",", ":")).translate(ESCAPED)


def packed(numbers):
    """The numbers with each line as differences of integers, in steps that no picture shows: a third of the size."""
    variables = []
    for variable in numbers["variables"]:
        lines = [{"base": line["base"], **differences(line["values"], FINEST[variable["growing"]])}
                 for line in variable["lines"]]
        variables.append({**variable, "lines": lines})
    return {**numbers, "variables": variables}


def differences(values, parts):
    """The step of a line, one, two or five times a power of ten, and the differences of its values in steps."""
    known = [value for value in values if value is not None]
    extent = max(known, default=0) - min(known, default=0)
    largest = max((abs(value) for value in known), default=0)
    finest = max(extent, largest * 1e-9) / parts if largest else 1
    power = math.floor(math.log10(finest))
    factor = max((times for times in (2, 5) if times * 10.0**power <= finest), default=1)
    if power < 0 and all(type(value) is int for value in known):
        power, factor = 0, 1
    steps, before = [], 0
    for value in values:
        place = None if value is None else round(value / (factor * 10**power)) if power >= 0 else round(value * 10**-power / factor)
        steps.append(None if place is None else place - before)
        before = before if place is None else place
    middle = digits.middle_of(steps)
    return {"power": power, "factor": factor, "middle": middle, "differences": digits.packed(steps, middle)}


def shown(value):
    """The text of each value of the page; jinja2 escapes it afterwards."""
    return clean(value) if type(value) is str else value


def facts(history):
    """The program, the machines and the duration, as pairs of a word and a text."""
    told, processes, hosts = history.told(), history.ordered(), history.hosts()
    found = [("Program", clean(shlex.join(history.command))), ("MPI", library_line(told["mpi"]) if told else "none")]
    if processes and processes[0].rank >= 0:
        found.append(("Ranks", f"{len(processes)} of {processes[0].processes}" if history.missing() else str(len(processes))))
    if hosts:
        found.append(("Hosts", ", ".join(clean(host) for host in hosts[:4])
                      + (f" and {len(hosts) - 4} more" if len(hosts) > 4 else "")))
    if history.began:
        found.append(("Began", time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(history.began))))
    found.append(("Duration", f"{history.end:.2f} s"))
    if history.status is not None:
        found.append(("Exit status", str(history.status)))
    found.append(("Samples", figures.exact(sum(process.taken for process in processes))))
    if history.overhead() is not None:
        found.append(("Overhead", f"{figures.percent(history.overhead())} of one processor"))
    if history.lost:
        found.append(("Events lost", figures.exact(history.lost)))
    return found


def controls(document):
    """The control variables of a document as the rows of a table."""
    return [{"name": clean(control["name"]), "value": value_of(control), "default": quoted(control, "default"),
             "origin": table.where_from(control), "changed": is_changed(control) and not origins.is_launchers(control), "kind": "control variable",
             "detail": f"{table.type_of(control)}, {words.spoken(control['scope'])}",
             "description": one_line(control["description"])} for control in document["control_variables"]]


def performances(document):
    """The performance variables of a document as rows of the same table, with their values at that time."""
    return [{"name": clean(member["name"]), "value": value_of(member), "origin": "", "changed": False,
             "kind": "performance variable", "detail": f"{words.spoken(member['class'])}, {table.type_of(member)}",
             "description": one_line(member["description"])} for member in document["performance_variables"]]


def by_region(history):
    """The table of the regions: titles, and for each cell its text and the number or word by which it is sorted."""
    all_rows, several = regions.rows(history), len(history.ordered()) > 1
    of_all = regions.whole(all_rows)
    titles = regions.titles_of(all_rows, several)
    names = regions.names_of(all_rows)
    rows = []
    for row in regions.longest(all_rows, MOST_REGIONS):
        shown_cells = regions.cells(row, of_all, quantities.exact, several)
        cells = [{"text": shown_cells[title], "key": regions.key_of(row, title)} for title in titles]
        cells += [{"text": figures.exact(regions.value_of(history, row, name)) if name in row.values else "", "key": row.values.get(name, 0)} for name in names]
        rows.append({"name": regions.name_of(row).strip(), "depth": max(row.depth - 1, 0), "cells": cells[1:]})
    return {"titles": [*titles, *map(clean, names)], "rows": rows, "left_out": regions.left_out(all_rows, MOST_REGIONS)}


def bars(history):
    """The ranks with their time outside of MPI, of which a part may be in it, as shares of the longest life."""
    times = first_page.ranks(history)
    longest = max((each.life for each in times), default=0)

    def percent(seconds):
        return round(100 * seconds / longest, 2)

    return [{**first_page.cells_of_rank(each), "least": percent(each.least), "open": percent(each.most - each.least),
             "rest": percent(each.life - each.most)} for each in times] if longest else []


def shares(history):
    """The share of the time in MPI over the run as the points of an area, and the marks of the axis of time."""
    known = first_page.shares(history)
    if not known:
        return None
    first, last = known[0][0], known[-1][1]

    def at(moment):
        return round((moment - first) / (last - first) * SHARES_WIDTH, 1)

    steps = [f"{at(moment)},{round(SHARES_HEIGHT * (1 - share), 1)}" for begin, end, share in known for moment in (begin, end)]
    return {"points": " ".join([f"0,{SHARES_HEIGHT}", *steps, f"{at(last)},{SHARES_HEIGHT}"]), "width": SHARES_WIDTH, "height": SHARES_HEIGHT,
            "marks": [{"at": SHARES_WIDTH * number / 4, "text": f"{figures.short(first + (last - first) * number / 4)} s",
                       "anchor": ("start", "middle", "middle", "middle", "end")[number]} for number in range(5)]}


def facts_of_launch(launches, history, columns, most):
    """What the page has of a launch; its numbers are at most so many."""
    gathered, ranks = report_data.gather(history, columns, most), bars(history)
    told = history.told()
    shown_ = distributions.folded(told, ()) if told else None
    rows = controls(shown_) + performances(shown_) if told else []
    return {"title": launches.title_of(history), "suffix": launches.name_of(history).replace("launch ", "-"),
            "line": summary.line_of(launches, history), "facts": facts(history), "sentences": regions.sentences(history),
            "several": len(history.ordered()) > 1, "ranks": ranks, "has_open": any(each["open"] >= 1 for each in ranks), "shares": shares(history),
            "functions": [first_page.cells_of_function(each) for each in first_page.functions(history, first_page.MOST_FUNCTIONS)],
            "variables": gathered["variables"], "left_out": gathered["left_out"], "still": gathered["still"],
            "tracks": gathered["tracks"], "maps": gathered["maps"], "regions": by_region(history), "changed": [row for row in rows if row["changed"]], "rows": rows,
            "folded": origins.folded(filter(is_changed, told["control_variables"])) if told else "",
            "numbers": embedded(packed(gathered["numbers"]))}


def text(launches, choose):
    """The page: `choose` returns the variables of a launch."""
    there, command = launches.there(), launches.command
    most = report_data.MOST_NUMBERS // len(there)
    return rendered(
        "report.html", title=clean(" ".join([os.path.basename(command[0]), *command[1:]])) if command else "A program",
        launches=[facts_of_launch(launches, history, choose(history), most) for history in there],
        problems=[clean(problem) for problem in launches.problems],
        rank_titles=first_page.RANK_TITLES, function_titles=first_page.FUNCTION_TITLES,
        styles=part(DYGRAPHS, "dygraph.min.css") + "\n" + part(PAGE, "report.css"),
        library=part(DYGRAPHS, "dygraph.min.js"), script=part(PAGE, "report.js"))


def write(path, launches, choose):
    """Writes the page into a file."""
    save(path, text(launches, choose))
