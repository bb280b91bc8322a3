"""Searches a document: `find.ranked(document, ["eager", "limit"])` returns members, the best first.

A word scores highest as a whole name, then as a word of a name, its beginning, a part of it, a word of a description,
and lowest as a similar spelling. Only the members that match the most words are returned.
"""

import difflib
import re

from mpit_info import table, words
from mpit_info.document import clean, one_line
from mpit_info.styled import Paragraph, plain, runs_of, size

EXACT, WORD, PREFIX, PART, ITEM, DESCRIPTION_WORD, DESCRIPTION_PART, CLOSE = 100, 60, 45, 35, 25, 20, 12, 10
CLOSE_ENOUGH = 0.75
PARTS_OF_NAMES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of(name):
    """The words of a name, in lower case: `eagerLimit_2` has eager, limit and 2."""
    return [word.lower() for word in PARTS_OF_NAMES.findall(name)]


class Entry:
    """The searched texts of a member."""

    def __init__(self, kind, member, items):
        self.kind, self.member = kind, member
        self.name = member["name"].lower()
        self.words = words_of(member["name"])
        self.description = one_line(member.get("description", "")).lower()
        self.description_words = set(re.findall(r"[a-z0-9]+", self.description))
        self.items = {word for item in items for word in words_of(item)}

    def score(self, word):
        """The score of this member for a word."""
        if word == self.name:
            return EXACT
        if word in self.words:
            return WORD
        if any(part.startswith(word) for part in self.words) or self.name.startswith(word):
            return PREFIX
        if word in self.name:
            return PART
        if word in self.items:
            return ITEM
        if word in self.description_words:
            return DESCRIPTION_WORD
        if word in self.description:
            return DESCRIPTION_PART
        best = max((difflib.SequenceMatcher(None, word, part).ratio() for part in (*self.words, self.name)
                    if abs(len(part) - len(word)) <= 3), default=0)
        return CLOSE * best if best >= CLOSE_ENOUGH else 0


def entries(document):
    """All entries of a document."""
    items = {enumeration["name"]: [item["name"] for item in enumeration["items"]]
             for enumeration in document["enumerations"]}
    for kind in words.KINDS.values():
        for member in document[kind]:
            of_member = items.get(member["name"] if kind == "enumerations" else member.get("enumeration"), [])
            of_event = [element["name"] or "" for element in member.get("elements", [])]
            yield Entry(kind, member, of_member + of_event)


def ranked(document, wanted):
    """Pairs of a kind and a member, the best first; similar spellings count only if there is no better match."""
    wanted = [word.lower() for word in wanted]
    found = []
    for entry in entries(document):
        scores = [entry.score(word) for word in wanted]
        known = sum(score > 0 for score in scores)
        if known:
            # Of names with the same score the one with fewer other words is more likely meant.
            found.append((known, max(scores) > CLOSE, sum(scores), -len(entry.words), entry))
    best = max((result[:2] for result in found), default=None)
    found = [result for result in found if result[:2] == best]
    found.sort(key=lambda result: result[2:4], reverse=True)
    return [(entry.kind, entry.member) for *_, entry in found]


def marked(text, wanted):
    """The runs of a text with the searched words highlighted."""
    parts = re.split("(?i)(" + "|".join(re.escape(word) for word in wanted) + ")", text)
    return [(part, "bold yellow") if number % 2 else part for number, part in enumerate(parts)]


def shortened(content):
    """A value that fits its column."""
    runs = runs_of(content)
    text = plain(runs)
    if size(text) <= table.LONGEST_VALUE:
        return content
    while size(text) >= table.LONGEST_VALUE:
        text = text[:-1]
    return text + "…", runs[0][1]


def parts(document, wanted, found, total, width):
    """The results for display."""
    yield from table.heading(document)
    if not found:
        yield Paragraph(f"Nothing matches {' '.join(clean(word) for word in wanted)}.")
        return
    rows = []
    for kind, member in found:
        cells = table.cells_of(kind, member, False)
        value = shortened(cells[0][1]) if cells[0][0] == "Value" else "-"
        rows.append((clean(member["name"]), [("Value", value), ("Kind", words.ONE_OF[kind])],
                     marked(one_line(member.get("description", "")) or plain(runs_of(cells[-1][1])), wanted)))
    aligned = table.wide_table(rows, width)
    yield from [aligned] if aligned else table.narrow_lines(rows)
    if total > len(found):
        yield Paragraph()
        yield Paragraph((f"{total - len(found)} more; --limit shows them", "dim"))
