#!/usr/bin/env python3
"""Writes tables of <mpit/declare.h> for variables that are declared as MPICH declares them.

    from_mpich.py --output folder [--name cvars] source...      sources are files, or folders of .c, .h and .txt files

Control variables are in comments, as YAML between the lines BEGIN_MPI_T_CVAR_INFO_BLOCK and END_MPI_T_CVAR_INFO_BLOCK. Performance
variables are uses of the macros MPIR_T_PVAR_<CLASS>_REGISTER_STATIC, which become tables of cells, or which stay: with --macros the
header defines them (mpich_macros.py), so that the sources add and change their variables, and raise events, as before. What is written:

    <name>.h          the globals with the place of each declaration, their defaults and the constants of enumerations, under the names
                      that the sources use
    <name>.c          their definitions, the tables, and <name>_open() and <name>_close()
    README.envvar     the names in the environment, with their descriptions and defaults

Each of these begins with the notices of the sources: the comments at the beginning of a file that name a copyright or a license. With
--rejection-code a value from outside that cannot be used has this code, which <name>_rejected() returns.

Each variable has the environment variables MPIR_CVAR_X, MPIR_PARAM_X and MPICH_X, the strongest first. A mistake in a source ends the
program with a line that names it. A variable that is declared twice in the same way, and a category without a description, are warnings.
What has no table is listed, and left to its author.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

import mpich_tables
import yaml
from mpich_tables import CONTROL_TYPES, MEASURE_TYPES, PREFIXES, quoted

BLOCK = re.compile(r"=== *BEGIN_MPI_T_CVAR_INFO_BLOCK *===(.*?)=== *END_MPI_T_CVAR_INFO_BLOCK *===", re.S)
MEASURE = re.compile(r"\bMPIR_T_PVAR_(\w+?)_REGISTER_(STATIC|DYNAMIC)\s*\(")
EVENT = re.compile(r"^[ \t]+MPIR_T_register_event\s*\(", re.M)
NOTICE = re.compile(r"\s*/\*(.*?)(?:===|\*/)", re.S)
ITEM = re.compile(r"^\s*(\w+)\s+-\s", re.M)
VERBOSITIES = {f"MPI_T_VERBOSITY_{whose}_{much}": f"MPIT_{name}_{much}"
               for whose, name in (("USER", "USER"), ("TUNER", "TUNER"), ("MPIDEV", "DEVELOPER"))
               for much in ("BASIC", "DETAIL", "ALL")}
SCOPES = {"MPI_T_SCOPE_CONSTANT": "MPIT_CONSTANT", "MPI_T_SCOPE_READONLY": "MPIT_READONLY", "MPI_T_SCOPE_LOCAL": "MPIT_LOCAL",
          "MPI_T_SCOPE_GROUP": "MPIT_GROUP", "MPI_T_SCOPE_GROUP_EQ": "MPIT_GROUP_EQUAL", "MPI_T_SCOPE_ALL": "MPIT_ALL",
          "MPI_T_SCOPE_ALL_EQ": "MPIT_ALL_EQUAL"}
# The classes that become tables of cells, with the number of arguments of their macro; and the other uses that the macros define.
TABLED = {("COUNTER", "STATIC"): 8, ("TIMER", "STATIC"): 8, ("LEVEL", "STATIC"): 9}
DEFINED = {("COUNTER_ARRAY", "STATIC"), ("COUNTER", "DYNAMIC"), ("AGGREGATE", "STATIC"), ("SIZE", "STATIC"), ("PERCENTAGE", "STATIC")}


class Mistake(Exception):
    """A sentence about a source, with its place."""


@dataclasses.dataclass
class Control:
    name: str
    type: str
    default: str
    category: str
    description: str
    verbosity: str
    scope: str
    is_of_device: bool
    group: str
    also: list
    items: list
    place: str

    def short(self):
        return self.name.removeprefix(PREFIXES[0])

    def initial(self):
        """The default as a C initializer."""
        if self.type == "boolean":
            return "1" if self.default.lower() in ("true", "1", "yes") else "0"
        if self.type == "range":
            low, _, high = self.default.partition(":")
            return f"{{{low.strip()}, {(high or low).strip()}}}"
        if self.type == "enum":
            return f"{self.name}_{self.default}"
        if self.type == "string":
            return "NULL" if self.default in ("NULL", "null", "None") else quoted(self.default)
        return self.default

    def names(self):
        """All names in the environment, the strongest first."""
        return [prefix + name.removeprefix(PREFIXES[0]) for name in [self.name, *self.also] for prefix in PREFIXES]

    def environment(self):
        """The names in the environment, if they are not only those of the policy."""
        return ", ".join(self.names()) if self.also else None


@dataclasses.dataclass
class Measure:
    name: str
    of_class: str
    type: str
    category: str
    description: str
    verbosity: str
    flags: str
    place: str


class Sources:
    def __init__(self, macros):
        self.macros, self.event_count = macros, 0
        self.categories, self.controls, self.measures, self.left, self.warnings, self.notices = {}, {}, {}, [], [], []

    def read(self, path):
        text = path.read_text(encoding="utf-8", errors="replace")
        if BLOCK.search(text) or MEASURE.search(text):
            self.read_notice(text)
        for block in BLOCK.finditer(text):
            self.read_block(path, text.count("\n", 0, block.start()) + 1, block[1])
        self.event_count += len(EVENT.findall(text))
        for use in MEASURE.finditer(text):
            line = text.count("\n", 0, use.start()) + 1
            if not text[text.rfind("\n", 0, use.start()) + 1:use.start()].lstrip().startswith("#"):
                self.read_measure(f"{path}:{line}", use[1], use[2], arguments_after(text, use.end()))

    def read_notice(self, text):
        """The comment at the beginning of a source, if it names a copyright or a license."""
        first = NOTICE.match(text)
        lines = [re.sub(r"^[ \t]*\*?[ \t]?", "", line).rstrip() for line in first[1].splitlines()] if first else []
        notice = "\n".join(lines).strip()
        if re.search(r"copyright|licen[cs]e", notice, re.I) and notice not in self.notices:
            self.notices.append(notice)

    def read_block(self, path, first_line, text):
        at = 0

        def place_of(name):
            nonlocal at
            found = re.compile(rf"{re.escape(name)}[ \t]*$", re.M).search(text, at) if name else None
            at = found.end() if found else at
            return f"{path}:{first_line + text.count(chr(10), 0, at)}"
        try:
            found = yaml.load(without_white_lines(re.sub(r"^[ \t]*\*(?=[ \t\n]|$)", "", text, flags=re.M)), Loader=yaml.BaseLoader) or {}
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise Mistake(f"{path}:{first_line + (mark.line if mark else 0)}: {getattr(error, 'problem', error)}") from error
        for each in found.get("categories") or []:
            self.categories.setdefault(each["name"], each.get("description", ""))
        for each in found.get("cvars") or []:
            self.add_control(each, place_of(each.get("name", "")))

    def add_control(self, given, place):
        for key in ("name", "category", "type", "description"):
            if key not in given:
                raise Mistake(f"{place}: a control variable has no {key}")
        name, of_type = given["name"], given["type"]
        if not name.startswith(PREFIXES[0]):
            raise Mistake(f"{place}: {name} does not begin with {PREFIXES[0]}")
        if of_type not in CONTROL_TYPES:
            raise Mistake(f"{place}: {name} has the unknown type {of_type}")
        known = self.controls.get(name)
        if known is not None and (known.type, known.default) == (of_type, str(given.get("default", "0"))):
            self.warnings.append(f"{place}: {name} is declared in {known.place} already, in the same way")
            return
        if known is not None:
            raise Mistake(f"{place}: {name} is declared in {self.controls[name].place} as well")
        items = ITEM.findall(given["description"]) if of_type == "enum" else []
        if of_type == "enum" and given.get("default") not in items:
            raise Mistake(f"{place}: the default of {name} is none of the items of its description ({', '.join(items) or 'none'})")
        self.controls[name] = Control(
            name, of_type, str(given.get("default", "0")), given["category"], given["description"],
            word_of(VERBOSITIES, given.get("verbosity", "MPI_T_VERBOSITY_USER_BASIC"), place, name),
            word_of(SCOPES, given.get("scope", "MPI_T_SCOPE_LOCAL"), place, name),
            given.get("class") == "device", given.get("group"), re.split(r"[:,;\s]+", given["alt-env"].strip()) if given.get("alt-env") else [],
            items, place)

    def read_measure(self, place, of_class, kind, given):
        expected = TABLED.get((of_class, kind))
        if expected is None:
            if not self.macros or (of_class, kind) not in DEFINED:
                self.left.append(f"{place}: {given[2] if len(given) > 2 else of_class}, {of_class.lower()}, {kind.lower()}")
            return
        if len(given) != expected:
            raise Mistake(f"{place}: MPIR_T_PVAR_{of_class}_REGISTER_{kind} has {len(given)} arguments, not {expected}")
        name, (verbosity, _, flags, category, description) = given[2], given[-5:]
        if given[1] not in MEASURE_TYPES:
            raise Mistake(f"{place}: {name} has the unknown type {given[1]}")
        self.measures.setdefault(name, Measure(
            name, of_class, given[1], "".join(re.findall(r'"([^"]*)"', category)),
            "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', description)), word_of(VERBOSITIES, verbosity, place, name), flags, place))

    def check_categories(self):
        self.warnings += [f"{each.place}: no block describes the category {each.category} of {each.name}, its description is empty"
                          for each in self.controls.values() if each.category not in self.categories]


def without_white_lines(text):
    """A line of tabs is no YAML, and is blank for MPICH's own script."""
    return re.sub(r"^[ \t]+$", "", text, flags=re.M)


def word_of(words, given, place, name):
    if given not in words:
        raise Mistake(f"{place}: {name} has {given}, which is none of {', '.join(words)}")
    return words[given]


def arguments_after(text, start):
    """The arguments of a macro, without comments; `start` is behind its parenthesis."""
    text = re.sub(r"/\*.*?\*/", " ", text[start:start + 4000], flags=re.S)
    depth, begin, found, at = 1, 0, [], 0
    while at < len(text) and depth:
        if text[at] == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"', re.S).match(text, at).end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0 or (text[at] == "," and depth == 1):
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--name", default="cvars")
    parser.add_argument("--range-type", default="MPIR_T_cvar_range_value_t")
    parser.add_argument("--include", action="append", default=[], help="a header that the C file needs first, such as one that defines defaults")
    parser.add_argument("--macros", action="store_true", help="define the macros of performance variables, instead of tables")
    parser.add_argument("--rejection-code",
                        help="what <name>_rejected() returns for a value that cannot be used, such as MPI_ERR_OTHER of an --include")
    given = parser.parse_args()
    sources = Sources(given.macros)
    try:
        for path in given.sources:
            files = [file for file in sorted(path.rglob("*")) if file.suffix in (".c", ".h", ".txt")] if path.is_dir() else [path]
            for file in files:
                sources.read(file)
        sources.check_categories()
    except Mistake as mistake:
        print(f"from_mpich.py: {mistake}", file=sys.stderr)
        return 1
    given.output.mkdir(parents=True, exist_ok=True)
    files = {f"{given.name}.h": mpich_tables.header_of, f"{given.name}.c": mpich_tables.source_of, "README.envvar": mpich_tables.readme_of}
    for name, lines in files.items():
        text = "\n".join(lines(sources, given)) + "\n"
        (given.output / name).write_text(text, encoding="utf-8")
    for each in sources.warnings:
        print(f"warning: {each}")
    for each in sources.left:
        print(f"left to its author: {each}")
    print(f"{len(sources.controls)} control variables, {len(sources.measures)} performance variables, {len(sources.left)} left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
