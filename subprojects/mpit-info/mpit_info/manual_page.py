"""A reference page of all variables for man: `mpit-info --man --output variables.7 -- ./program; man -l variables.7`.

Written with the plain macros of man, so that groff and mandoc read it alike.
"""

import re
import shlex
import time

from mpit_info import reference, words
from mpit_info.document import clean, library_line, one_line

ESCAPES = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
LONG_WORD = 24
LONG_NAME = 56


def escaped(text):
    """A text that roff prints unchanged, in one line, anywhere except at its beginning."""
    return "".join(ESCAPES.get(character, character if ord(character) < 128 else f"\\[u{ord(character):04X}]")
                   for character in clean(text))


def breakable(word, longest=LONG_WORD):
    """A long word, for instance a path, with invisible break points for roff."""
    pieces = re.findall(r"[^/,_=:;.]{1,30}[/,_=:;.]?|[/,_=:;.]", word) if len(word) > longest else [word]
    return "\\:".join(escaped(piece) for piece in pieces)


def line(text):
    """A line of text that is not a request, even if it begins with a full stop; the escapes replace apostrophes."""
    text = " ".join(breakable(word) for word in one_line(text).split(" "))
    return "\\&" + text if text.startswith(".") else text


def argument(text):
    """A text as one argument of a macro."""
    return '"' + " ".join(breakable(word, LONG_NAME) for word in one_line(text).split(" ")) + '"'


def described(kind, member):
    """The lines of one variable or event."""
    lines = [".TP", f".B {argument(member['name'])}"]
    if one_line(member["description"]):
        lines += [line(member["description"]), ".br"]
    told = ", ".join(f"{word} {text}" for word, text in reference.facts(kind, member))
    return lines + [line(f"{words.ONE_OF[kind]}: {told}")]


def text(document, shown):
    """The page for the selected part of a document."""
    library = library_line(document["mpi"])
    lines = [f'.TH "MPI_VARIABLES" "7" "{time.strftime("%Y-%m-%d")}" {argument(library)} '
             '"MPI tool information interface"',
             # groff 1.23 adjusts each paragraph by the string AD, other formatters by the last `.ad`.
             ".ds AD l", ".ad l", ".nh", ".SH NAME", f"mpi_variables \\- variables, events and categories of {escaped(one_line(library))}",
             ".SH DESCRIPTION",
             line(f"Made by mpit-info. Values are those of {clean(shlex.join(document['program']) or 'a program')} "
                  f"{document['taken']}.")]
    for chapter in reference.chapters(document, shown):
        lines.append(f".{'SS' if chapter.depth else 'SH'} {argument(chapter.name)}")
        if one_line(chapter.description):
            lines.append(line(chapter.description))
        for kind, member in chapter.members:
            lines += described(kind, member)
        if chapter.elsewhere:
            lines += [".PP", line("Described above: " + ", ".join(member["name"] for _, member in chapter.elsewhere)
                                  + ".")]
    if document["enumerations"] and "enumerations" in shown:
        lines.append(".SH ENUMERATIONS")
        for enumeration in document["enumerations"]:
            lines += [".TP", f".B {argument(enumeration['name'])}",
                      line(", ".join(f"{item['name']} = {item['value']}" for item in enumeration["items"]))]
    lines += [".SH SEE ALSO", ".BR mpiexec (1)"]
    return "\n".join(lines) + "\n"
