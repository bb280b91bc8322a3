"""The results as documents: `result.text(runs, "tap")`. A run is a dictionary as `--json` writes it."""

import json
import xml.etree.ElementTree as xml

from mpit_info.check import program, running
from mpit_info.document import json_text
from mpit_info.refusal import Refusal

FORMAT = "mpit-info check 1"


def run_of(facts, launcher, results):
    """The document of a run."""
    return {"format": FORMAT, "mpi": {"library": facts.library, "standard": facts.standard, "compiler": facts.compiler},
            "launcher": launcher, "summary": running.summary(results), "checks": [one(each) for each in results]}


def one(found):
    """A result in the document; a failure has its program."""
    check = found.check
    members = {"name": check.name, "kind": check.kind, "clause": check.clause, "rule": check.rule, "verdict": found.verdict,
               "seen": found.seen, "at": found.at}
    if found.verdict in running.BROKEN:
        members["program"] = program.text(check, found.calls, found.since, found.in_callback, found.at, found.seen)
    return members


def header(run):
    """What the checks were compiled over: `a header of MPI-5.0, by mpicc.mpich`, `the ABI of MPI-5.0`."""
    compiler = run["mpi"]["compiler"]
    return f"a header of MPI-{run['mpi']['standard']}, by {compiler}" if compiler else f"the ABI of MPI-{run['mpi']['standard']}"


def read(path):
    """A stored document."""
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        if run["format"] != FORMAT:
            raise KeyError
        return run
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise Refusal(f"{path} is not a document of `mpit-info check --json`") from None


def is_broken(check):
    """Whether a required rule is broken."""
    return check["kind"] == "required" and check["verdict"] in running.BROKEN


def sentence(check):
    """What was seen, and where."""
    return f"{check['at']}: {check['seen']}" if check["at"] else check["seen"]


def text(run, form):
    """The document in a format."""
    return {"json": json_text, "tap": tap, "junit": junit, "markdown": markdown}[form](run) + "\n"


def tap(run):
    """The Test Anything Protocol, version 13. A recommendation that is not followed is a test to do."""
    lines = ["TAP version 13", f"1..{len(run['checks'])}", f"# {run['mpi']['library']}"]
    for number, check in enumerate(run["checks"], 1):
        is_bad = check["verdict"] in running.BROKEN
        directive = " # SKIP " + check["seen"] if check["verdict"] == "nothing" else " # TODO recommended" if is_bad and check["kind"] != "required" else ""
        lines.append(f"{'not ok' if is_bad else 'ok'} {number} - {check['name']} {check['rule']}".replace("#", "\\#") + directive)
        if is_bad or check["verdict"] == "open":
            lines += ["  ---", f"  clause: {json.dumps(check['clause'])}", f"  seen: {json.dumps(sentence(check))}", "  ..."]
    return "\n".join(lines)


def junit(run):
    """A document of JUnit: one suite, and a case for each check."""
    checks = run["checks"]
    root = xml.Element("testsuite", name=run["mpi"]["library"], tests=str(len(checks)), errors="0",
                       failures=str(sum(map(is_broken, checks))), skipped=str(sum(check["verdict"] == "nothing" for check in checks)))
    for check in checks:
        case = xml.SubElement(root, "testcase", classname=f"chapter 15.3.{check['kind']}", name=f"{check['name']} {check['rule']}")
        if check["verdict"] == "nothing":
            xml.SubElement(case, "skipped", message=check["seen"])
        elif is_broken(check):
            xml.SubElement(case, "failure", message=printable(sentence(check)), type=check["verdict"]).text = printable(check["program"])
        elif check["verdict"] != "passed":
            xml.SubElement(case, "system-out").text = printable(sentence(check))
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode")


def markdown(run):
    """A report to the authors of the MPI."""
    broken = [check for check in run["checks"] if is_broken(check)]
    lines = [f"# The tool information interface of {run['mpi']['library']}", "",
             f"Found by `mpit-info check`, over {header(run)}. {run['summary']} Each program below makes the calls of one "
             "check, and prints what they return and store.", ""]
    for check in broken:
        # The program begins with comments that say the same.
        code = [line for line in check["program"].splitlines() if not line.startswith("//")]
        lines += [f"## {check['name']}: {check['rule']}", "", f"MPI-5.0, {check['clause']}. Seen{' at ' if check['at'] else ': '}{sentence(check)}.", "",
                  "```c", *code, "```", ""]
    return "\n".join(lines).rstrip("\n")


def printable(words):
    """A text without the characters that XML does not have."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in words)
