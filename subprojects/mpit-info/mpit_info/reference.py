"""The common part of reference pages in all formats: `for chapter in reference.chapters(document, shown):`.

A chapter is a category with its members; a member of several categories is described in the first and named in the
others.
"""

import dataclasses

from mpit_info import table, words
from mpit_info.document import add_all_below, clean, is_changed, numbered, quoted, value_of


@dataclasses.dataclass
class Chapter:
    """A category at its depth, with the members described here and those described in earlier chapters."""
    name: str
    description: str
    depth: int
    members: list
    elsewhere: list


def roots(categories):
    """The categories that are in no other; of a cycle the first."""
    inside = {below for category in categories for below in category["categories"]}
    free = [category for category in categories if category["index"] not in inside]
    by_index = numbered(categories)
    reached = set()
    for category in (*free, *categories):
        if category["index"] not in reached:
            if category not in free:
                free.append(category)
            add_all_below(by_index, [category["index"]], reached)
    return free


def outside(document, shown):
    """The members of no category, as pairs of kind and member."""
    held = {kind: {index for category in document["categories"] for index in category[kind]} for kind in words.MEMBERS}
    return [(name, member) for kind, name in words.MEMBERS.items() if name in shown
            for member in document[name] if member["index"] not in held[kind]]


def chapters(document, shown):
    """The categories from top to bottom, and at the end the members of no category."""
    by_index = numbered(document["categories"])
    members = {name: numbered(document[name]) for name in words.MEMBERS.values()}
    described, written, found = set(), set(), []
    # Iterative, because categories may be nested to any depth.
    ahead = [(category, 0) for category in reversed(roots(document["categories"]))]
    while ahead:
        category, depth = ahead.pop()
        if category["index"] in written:
            continue
        written.add(category["index"])
        own, elsewhere = [], []
        for kind, name in words.MEMBERS.items():
            for index in category[kind]:
                if name in shown and index in members[name]:
                    (elsewhere if (name, index) in described else own).append((name, members[name][index]))
                    described.add((name, index))
        found.append(Chapter(category["name"], category["description"], depth, own, elsewhere))
        ahead += [(by_index[below], depth + 1) for below in reversed(category["categories"]) if below in by_index]
    free = outside(document, shown)
    if free:
        found.append(Chapter("Without a category", "", 0, free, []))
    return found


def facts(kind, member):
    """The attributes of a member, as pairs of a word and a text."""
    bound = [("bound to", words.spoken(member["binding"]))] if member["binding"] != "none" else []
    readers = [("for", words.spoken(member["verbosity"]))]
    if kind == "events":
        elements = ", ".join(f"{clean(element['name'] or 'unnamed')} ({clean(element['type'])})"
                             for element in member["elements"])
        return bound + readers + ([("carries", elements)] if elements else [])
    told = [("type", table.type_of(member)), ("value", value_of(member))]
    if kind == "control_variables":
        if member["default"] is not None and is_changed(member):
            told.append(("default", quoted(member, "default")))
        if member["origin"] not in (None, "library"):
            told.append(("set by", table.where_from(member)))
        return told + [("scope", words.spoken(member["scope"]))] + bound + readers
    flags = [word for word in ("readonly", "continuous", "atomic") if member[word]]
    return ([("class", words.spoken(member["class"]))] + told + bound + readers
            + ([("is", ", ".join(flags))] if flags else []))
