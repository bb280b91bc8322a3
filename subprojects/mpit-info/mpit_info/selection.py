"""Selects a part of a document: `selection.select(document, Wanted(verbosity="tuner", names=["*EAGER*"]))`.

The result is a document: indices are unchanged, and the lists of categories contain only selected members.
"""

import collections
import fnmatch

from mpit_info import words
from mpit_info.document import add_all_below, is_changed, numbered
from mpit_info.refusal import Refusal


# Each empty filter accepts everything.
FILTERS = {"verbosity": "", "classes": (), "categories": (), "kinds": (), "names": (), "bound": (), "changed": False}


class Wanted(collections.namedtuple("Wanted", FILTERS, defaults=FILTERS.values())):
    """The filters of the command line."""

    def shown(self):
        """The lists of a document to show, in their order."""
        kinds = self.kinds
        if not kinds and self.changed:
            kinds = ["controls"]
        if not kinds and self.classes:
            kinds = ["performances"]
        return [name for kind, name in words.KINDS.items() if not kinds or kind in kinds]

    def check(self):
        """Refuses words that cannot occur in a document."""
        if self.verbosity:
            words.upper_verbosity(self.verbosity)

    def narrows(self):
        """Whether members are filtered, and not only kinds."""
        return bool(self.verbosity or self.classes or self.categories or self.names or self.bound or self.changed)


def matches(name, patterns):
    """Whether a name matches one of the shell patterns, in upper or lower case; without patterns every name matches."""
    return not patterns or any(fnmatch.fnmatchcase(name.lower(), pattern.lower()) for pattern in patterns)


def unmatched(patterns, names, what="performance variable"):
    """A sentence about each pattern that no name matches."""
    return [f"no {what} matches {pattern}{words.perhaps(pattern, names)}"
            for pattern in patterns if not any(matches(name, [pattern]) for name in names)]


def with_all_below(document, patterns):
    """The indices of the categories with matching names, and of all below them."""
    by_index = numbered(document["categories"])
    ahead = [index for index, category in by_index.items() if matches(category["name"], patterns)]
    if not ahead:
        raise Refusal(f"unknown category {' or '.join(patterns)}; `--kind categories` lists all")
    return add_all_below(by_index, ahead, set())


def select(document, wanted):
    """The selected part of a document."""
    inside = with_all_below(document, wanted.categories) if wanted.categories else None
    highest = words.upper_verbosity(wanted.verbosity) if wanted.verbosity else len(words.VERBOSITIES)
    shown = wanted.shown()

    def members(kind):
        return {index for category in document["categories"] if category["index"] in inside
                for index in category[kind]}

    def keeps(variable):
        verbosity = variable["verbosity"]
        return (matches(variable["name"], wanted.names)
                and (verbosity not in words.VERBOSITIES or words.VERBOSITIES.index(verbosity) <= highest)
                and (not wanted.bound or variable["binding"] in wanted.bound)
                and (not wanted.classes or variable.get("class") in wanted.classes)
                and (not wanted.changed or ("scope" in variable and is_changed(variable))))

    part = dict(document)
    for kind, name in words.MEMBERS.items():
        of_category = members(kind) if inside is not None else None
        part[name] = [variable for variable in document[name] if name in shown and keeps(variable)
                      and (of_category is None or variable["index"] in of_category)]
    part["categories"] = kept_categories(document, part, wanted, inside)
    if wanted.narrows():
        used = {variable["enumeration"] for name in ("control_variables", "performance_variables")
                for variable in part[name]}
        part["enumerations"] = [enumeration for enumeration in document["enumerations"] if enumeration["name"] in used
                                or (wanted.names and matches(enumeration["name"], wanted.names))]
    if "events" not in shown or (wanted.narrows() and not part["events"]):
        part["sources"] = []
    part["holes"] = [hole for hole in document["holes"] if not wanted.narrows()
                     and any(words.ONE_OF[name] == hole["kind"] for name in shown)]
    return part


def kept_categories(document, part, wanted, inside):
    """The categories that contain selected members, directly or further below, with shortened lists."""
    kept = {kind: {variable["index"] for variable in part[name]} for kind, name in words.MEMBERS.items()}
    categories = {category["index"]: {**category, **{kind: [index for index in category[kind] if index in kept[kind]]
                                                     for kind in kept}}
                  for category in document["categories"] if inside is None or category["index"] in inside}
    alone = wanted.shown() == ["categories"] and not wanted.names
    full = {index for index, category in categories.items()
            if (not wanted.narrows() or alone or any(category[kind] for kind in kept)
                or (wanted.names and matches(category["name"], wanted.names)))}
    grows = True
    while grows:
        above = {index for index, category in categories.items() if full.intersection(category["categories"])}
        grows = not above <= full
        full |= above
    return [{**categories[index], "categories": [below for below in categories[index]["categories"] if below in full]}
            for index in categories if index in full]


def only_shown(document, wanted):
    """The document without the kinds that were not selected, for outputs that list all kinds."""
    shown = wanted.shown()
    return {**document, **{name: [] for name in ("categories", "enumerations") if name not in shown}}
