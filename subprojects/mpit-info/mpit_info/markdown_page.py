"""A reference page of all variables in Markdown: `mpit-info --markdown -- ./program > variables.md`.

It has a table of contents by category; each category and each variable can be linked to.
"""

import re

from mpit_info import reference, words
from mpit_info.document import clean, library_line, one_line

SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$])")
# Some dialects of Markdown do not accept a backslash before these.
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# At the beginning of a line these start a list, a rule or a definition.
FIRST = re.compile(r"^(\d*)([-+=:.)])")


def escaped(text):
    """A text with all characters escaped that Markdown or HTML interpret, also at the beginning of a line."""
    return FIRST.sub(r"\1\\\2", SPECIAL.sub(r"\\\1", one_line(text).translate(ENTITIES)))


def code(text):
    """A text as code, with a longer fence if it contains backquotes."""
    text = clean(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{space}{text}{space}{fence}"


def anchor(*parts):
    """The anchor of a place of the page."""
    return re.sub(r"[^a-z0-9_-]+", "-", "-".join(str(part) for part in parts).lower())


def described(kind, member):
    """The lines of one variable or event."""
    place = anchor(kind, member["index"])
    told = ", ".join(f"{word} {code(text) if word in ('value', 'default') else escaped(text)}"
                     for word, text in reference.facts(kind, member))
    lines = [f'#### <a id="{place}"></a>{escaped(member["name"])}', "", f"*{words.ONE_OF[kind]}*: {told}", ""]
    return lines + ([escaped(member["description"]), ""] if one_line(member["description"]) else [])


def text(document, shown):
    """The page for the selected part of a document."""
    chapters = reference.chapters(document, shown)
    counted = ", ".join(words.plural(len(document[name]), words.ONE_OF[name]) for name in words.MEMBERS.values()
                        if name in shown and document[name])
    lines = [f"# Variables of {escaped(library_line(document['mpi']))}", "",
             f"This page was made by `mpit-info --markdown`. It describes {counted or 'nothing'}.", ""]
    if chapters:
        lines += ["## Contents", ""]
    for number, chapter in enumerate(chapters):
        lines.append(f"{'  ' * 2 * chapter.depth}- [{escaped(chapter.name)}](#{anchor('chapter', number)})"
                     f" ({len(chapter.members) + len(chapter.elsewhere)})")
    if document["enumerations"] and "enumerations" in shown:
        lines.append("- [Enumerations](#enumerations)")
    lines.append("")
    for number, chapter in enumerate(chapters):
        lines += [f'{"###" if chapter.depth else "##"} <a id="{anchor("chapter", number)}"></a>{escaped(chapter.name)}',
                  ""]
        if one_line(chapter.description):
            lines += [escaped(chapter.description), ""]
        for kind, member in chapter.members:
            lines += described(kind, member)
        if chapter.elsewhere:
            links = ", ".join(f"[{escaped(member['name'])}](#{anchor(kind, member['index'])})"
                              for kind, member in chapter.elsewhere)
            lines += [f"Described above: {links}", ""]
    if document["enumerations"] and "enumerations" in shown:
        lines += ['## <a id="enumerations"></a>Enumerations', "", "| Name | Items |", "|---|---|"]
        lines += [f"| {escaped(enumeration['name'])} | "
                  + ", ".join(f"{escaped(item['name'])} = {item['value']}" for item in enumeration["items"]) + " |"
                  for enumeration in document["enumerations"]]
    return "\n".join(lines).rstrip() + "\n"
