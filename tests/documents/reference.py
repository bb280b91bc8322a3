#!/usr/bin/env python3
# Checks that every public name has a comment with its purpose and, if it applies, units, thread safety, async-signal safety
# and errors. docs/CONTRIBUTING.md has the rule. Also checks that each macro that only users define has a comment, and that no name
# of the releases of this major version is gone: they stand in names_of_1.txt, with enumerators, the headers that users include, and
# the names of the Fortran module. Needs no generator.
#     reference.py           fails with a line for each name that lacks something or is gone
#     reference.py --list    prints the public names instead
#     reference.py --write   adds today's names to the list, as a release does

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "reference"))
sys.dont_write_bytecode = True

RELEASED = pathlib.Path(__file__).with_name("names_of_1.txt")

import declarations  # noqa: E402
from declarations import INCLUDE, joined  # noqa: E402

NUMBER = r"\b(?:int|unsigned|long|double|std::u?int(?:32|64)_t|std::size_t|MPI_Count)\b(?! \(|::)"
FACTS = {
    "units": r"\b(?:units?|bytes?|(?:nano)?seconds?|ticks?|numbers?|count(?:s|ed)?|index|indices|elements?|characters?|length|"
             r"items?|times|amounts?|values?|ranks?|codes?)\b",
    "threads": r"\bthreads?\b|thread-safe",
    "signal handlers": r"\bsignal",
    "errors": r"MPI_T_ERR|MPIT?_ERR|\b(?:fails?|false|null|errors?|throws?|refus\w+|success|invalid\w*|empty|no_key|bad_\w+|"
              r"not_\w+|wrong_\w+|out_of_\w+|nothing|without memory)\b",
}
FALLIBLE = r"\b(?:result|info_result|settings_result|dynamic_result|bool|optional)\b|\*\s*$"


IDIOMS = {"begin", "end", "settings", "handle", "arithmetic", "value_type", "difference_type", "iterator_concept"}


def is_special(member):
    """Constructors, destructors, operators and names that every such class has: the comment of their class is about them."""
    return member.owner is not None and (
        member.name.startswith(("operator", "~")) or member.name == member.owner.name.split("<")[0] or
        (member.name in IDIOMS and member.kind in ("function", "alias")))


def result_type(function):
    head = re.sub(r"^template <.*?> (?=\w)", "", function.signature)
    return head[:head.index(function.name)] if function.name in head else head


def asked_of(name):
    """The facts that a name must have."""
    if name.kind == "alias" and "internal::" in name.signature and name.owner is None:
        return ["units", "threads", "signal handlers"]
    if name.kind == "variable" and name.owner is not None:
        return ["units"] if re.search(NUMBER, name.signature) and "(*" not in name.signature else []
    if name.kind != "function" or "consteval" in name.signature or name.signature.endswith("= delete"):
        return []
    facts = ["threads", "signal handlers"]
    if not is_special(name) and re.search(NUMBER, name.signature):
        facts.append("units")
    is_question = re.match(r"(is|has|do|holds|contains|can)(_|$)", name.name)
    if not is_special(name) and not is_question and \
            (re.search(FALLIBLE, result_type(name)) or name.header in declarations.C_HEADERS):
        facts.append("errors")
    return facts


class Check:
    def __init__(self, headers):
        self.headers = headers
        self.names = {header.name: declarations.public_names(header) for header in headers}
        self.classes = {each.name: each for names in self.names.values() for each in names if each.kind == "class"}
        self.opening = {header.name: joined(header.opening) for header in headers}
        self.faults = []
        self.count = {}

    def all_names(self):
        def below(names):
            for each in names:
                yield each
                yield from below(each.members)
        for names in self.names.values():
            yield from below(names)

    def classes_around(self, name):
        while name.owner is not None:
            name = name.owner
            yield name

    def has_purpose(self, name):
        if len(name.comment.split()) >= 2:
            return True
        if name.owner is None:
            return False
        around = [joined(each.comment) for each in self.classes_around(name)]
        if is_special(name) or (name.kind == "function" and name.signature.endswith("= delete")):
            return around[0] != ""
        if name.kind == "class":
            return False
        if any(re.search(rf"\b{re.escape(name.name)}\b", text) for text in around):
            return True
        return any(member.name == name.name and self.has_purpose(member)
                   for word in re.findall(r"\w+", around[0]) if word in self.classes and self.classes[word] is not name.owner
                   for member in self.classes[word].members)

    def check(self, name):
        self.count[name.kind] = self.count.get(name.kind, 0) + 1
        lacks = [] if self.has_purpose(name) else ["purpose"]
        texts = [joined(name.comment), *(joined(each.comment) for each in self.classes_around(name)), self.opening[name.header]]
        lacks += [fact for fact in asked_of(name) if not any(re.search(FACTS[fact], text, re.IGNORECASE) for text in texts)]
        if lacks:
            self.faults.append(f"include/{name.header}:{name.line}: {name.qualified} lacks {', '.join(lacks)}")


def of_users(headers):
    """The macros that headers test and no header defines."""
    lines = [line for header in headers for line in header.lines]
    tested = {name for line in lines if re.match(r"\s*#\s*(el)?if", line) for name in re.findall(r"\bMPIT_\w+", line)}
    return tested - set(re.findall(r"^\s*#\s*define\s+(\w+)", "\n".join(lines), re.MULTILINE))


def headers_to_include():
    """The paths directly in the folder, and those that a manual names."""
    manuals = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/*.md"))
    return {f"mpit/{path.name}" for path in (INCLUDE / "mpit").iterdir() if path.is_file()} | \
        set(re.findall(r"<(mpit/[\w/]+\.\w+)>", manuals))


def fortran_names():
    source = (INCLUDE / "mpit/mpi_t_f08.f90").read_text(encoding="utf-8").replace("&\n", "")
    lists = re.findall(r"\bpublic\b.*:: (.*?)(?: = .*)?$", source, re.MULTILINE)
    return {name.strip() for each in lists for name in each.split(",")}


def main():
    check = Check(declarations.headers())
    names = {f"header {path}" for path in headers_to_include()} | {f"fortran mpi_t_f08::{name}" for name in fortran_names()}
    for name in check.all_names():
        if "--list" in sys.argv:
            print(f"{name.header}:{name.line}: {name.kind} {name.qualified}")
        names.add(f"{name.kind} {name.qualified}")
        inside = [name.qualified] if name.signature.startswith("enum class") else name.scope
        names |= {"item " + "::".join([*inside, item]) for item, _ in name.items}
        check.check(name)
    if "--list" in sys.argv:
        return 0
    check.faults += [f"{macro} has no comment that begins with its name and \"by default not defined\""
                     for macro in sorted(of_users(check.headers)) if f"macro {macro}" not in names]
    released = set(RELEASED.read_text(encoding="utf-8").splitlines())
    if "--write" in sys.argv:
        RELEASED.write_text("\n".join(sorted(names | released)) + "\n", encoding="utf-8")
        return 0
    check.faults += [f"{RELEASED.name}: {name} was released, and no public header declares it" for name in sorted(released - names)]
    print(*check.faults, sep="\n", end="\n" if check.faults else "")
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(check.count.items()))
    print(f"{sum(check.count.values())} public names ({kinds}); {len(released)} are released; {len(check.faults)} complaints")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
