"""The document of one process, as schema.json describes it: `document.read("file.json")`.

Every list and property exists after reading. Texts are cleaned when they are shown, not here.
"""

import json
import re
import sys
import unicodedata

from mpit_info import schema
from mpit_info.refusal import Refusal

FORMAT = "mpit-info 1"
LISTS = ("control_variables", "performance_variables", "events", "sources", "categories", "enumerations", "holes")
MPI = {"version": None, "library": None, "rank": -1, "processes": 1, "interface": "MPI_T"}
VARIABLE = {"description": "", "verbosity": "user_basic", "type": "int", "count": 1, "binding": "none",
            "enumeration": None, "value": None}
COMPLETE = {
    "control_variables": {**VARIABLE, "scope": "local", "default": None, "origin": None, "place": None},
    "performance_variables": {**VARIABLE, "class": "generic", "readonly": False, "continuous": False, "atomic": False},
    "events": {"description": "", "verbosity": "user_basic", "binding": "none", "elements": []},
    "sources": {"description": "", "ordering": "unordered", "ticks_per_second": 0, "max_ticks": 0},
    "categories": {"description": "", "controls": [], "performances": [], "events": [], "categories": []},
    "enumerations": {"items": []},
    "holes": {"problem": ""},
}

UNSAFE_PERHAPS = re.compile(r"[^\n -~]")
BLANKS = dict.fromkeys("\t\n\r\u2028\u2029", " ")


def read(path):
    """Reads a stored document; `-` is the standard input."""
    try:
        if path == "-":
            return complete(schema.parsed(sys.stdin.buffer.read()), "the standard input")
        with open(path, "rb") as file:
            return complete(schema.parsed(file.read()), path)
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from None
    except schema.Misfit as misfit:
        raise Refusal(f"{path} {misfit}; write documents with `mpit-info --json`") from None


def complete(document, place="the program's answer"):
    """The document with all optional parts added; refuses a value that does not conform to schema.json."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refusal(f"{place} is not a document of the format \"{FORMAT}\", which `mpit-info --json` writes")
    whole = {"taken": "after MPI_Init", "program": [], **document, "mpi": with_defaults(MPI, document.get("mpi", {}))}
    for name in LISTS:
        members = document.get(name, [])
        whole[name] = [with_defaults(COMPLETE[name], member) for member in members] if type(members) is list else members
    problem = schema.problem("schema.json", whole)
    if problem:
        raise Refusal(f"{place} does not fit the format \"{FORMAT}\": {problem}")
    return whole


def with_defaults(defaults, member):
    """The member with its optional properties added; a value that is not an object is unchanged."""
    return {**defaults, **member} if type(member) is dict else member


def with_defaults_of(other, document):
    """The document with values of another one as defaults where it has none."""
    values = {control["name"]: control["value"] for control in other["control_variables"]}
    controls = [{**control, "default": values.get(control["name"])} if control["default"] is None else control
                for control in document["control_variables"]]
    return {**document, "control_variables": controls}


def clean(text):
    """A text on one line that is safe to print: texts of other libraries may contain anything, including escape
    sequences.

    Control characters, format characters such as direction overrides, surrogates and unassigned code points are each
    replaced by one character.
    """
    if text.isprintable():
        return text
    return "".join(BLANKS.get(character) or ("\N{REPLACEMENT CHARACTER}" if is_unsafe(character) else character)
                   for character in text)


def is_unsafe(character):
    """Whether a terminal may interpret a character instead of drawing it."""
    return unicodedata.category(character)[0] == "C" or character in "\u2028\u2029"


def json_text(value):
    """A value as JSON with unchanged texts that is safe to print: unsafe characters are written as escapes."""
    return UNSAFE_PERHAPS.sub(lambda found: json.dumps(found[0])[1:-1] if is_unsafe(found[0]) else found[0],
                              json.dumps(value, indent=1, ensure_ascii=False))


def one_line(text):
    """A description without its line breaks."""
    return " ".join(clean(text).split())


def value_text(value):
    """A value for display: an item's name, a number, a text in quotes, elements separated by commas."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(value_text(element) for element in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.10g}"
    return clean(str(value))


def value_of(variable):
    """The text of a variable's value: a text in quotes, or the error code."""
    if "problem" in variable and variable["value"] is None:
        return f"({clean(variable['problem'])})"
    return quoted(variable, "value")


def quoted(variable, name):
    """The text of the value or of the default of a variable."""
    value = variable[name]
    is_text = variable["type"] == "char" and variable["enumeration"] is None and isinstance(value, str)
    return f'"{clean(value)}"' if is_text else value_text(value)


def is_changed(control):
    """Whether a control variable was set from outside of the library, or differs from its default."""
    if control["default"] is not None:
        return control["value"] is not None and control["value"] != control["default"]
    return control["origin"] not in (None, "library")


def library_line(mpi):
    """The first line of an MPI's version text, and its version of the standard."""
    lines = [one_line(line) for line in (mpi["library"] or "").splitlines()]
    name = lines[0].replace("MPICH Version:", "MPICH").split(", package:")[0] if lines and lines[0] else "no MPI"
    version = f" (MPI-{'.'.join(str(part) for part in mpi['version'])})" if mpi["version"] else ""
    return name + version


def numbered(members):
    """The members of a list by their indices."""
    return {member["index"]: member for member in members}


def companions(document, end):
    """Pairs of a performance variable and the control variable of the same category whose name has this end behind that of the first."""
    controls = numbered(member for member in document["control_variables"] if member["name"].endswith(end))
    performances = numbered(document["performance_variables"]) if controls else {}
    for category in document["categories"]:
        by_name = {controls[index]["name"]: controls[index] for index in category["controls"] if index in controls}
        for index in category["performances"] if by_name else ():
            control = by_name.get(performances[index]["name"] + end) if index in performances else None
            if control:
                yield performances[index], control


def add_all_below(by_index, ahead, reached):
    """Adds the indices in `ahead`, and those of all categories below them, to those reached; empties `ahead`."""
    while ahead:
        index = ahead.pop()
        if index in by_index and index not in reached:
            reached.add(index)
            ahead.extend(by_index[index]["categories"])
    return reached
