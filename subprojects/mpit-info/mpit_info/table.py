"""Documents as tables: `screen.show(options, table.parts(document, shown, width))`.

If the column of descriptions would be too narrow, as beside long names on a usual terminal, each variable gets lines of
its own. Names are never truncated or broken.
"""

import shlex

from mpit_info import origins, words
from mpit_info.document import clean, is_changed, library_line, one_line, quoted, value_of, value_text
from mpit_info.styled import Grid, Paragraph, plain, runs_of, size

LEAST_DESCRIPTION = 32
LONGEST_VALUE = 30
GAP = 3
UNLIMITED = 10_000


def heading(document):
    """The source of the document: the MPI, the program and the rank."""
    mpi = document["mpi"]
    title = Paragraph((library_line(mpi), "bold"))
    facts = []
    if document["program"]:
        facts.append(clean(shlex.join(document["program"])))
    if mpi["processes"] > 1:
        facts.append(f"rank {mpi['rank']} of {mpi['processes']}")
    facts.append(document["taken"])
    return [title, Paragraph((", ".join(facts), "dim")), Paragraph()]


def where_from(control):
    """The origin of a control variable's value, and the place: `environment`, `configuration file mympi.conf:12`."""
    if control["origin"] is None:
        return "-"
    place = f" {clean(control['place'])}" if control["place"] else ""
    return words.ORIGINS.get(control["origin"], clean(control["origin"])) + place


def type_of(variable):
    """The type of a variable with the number of its elements; the enumeration if it has one."""
    name = variable["enumeration"] or variable["type"]
    return clean(name) + (f"[{variable['count']}]" if variable["count"] > 1 and variable["type"] != "char" else "")


def bound_to(member):
    """The kind of object that a variable or an event belongs to."""
    return "-" if member["binding"] == "none" else words.spoken(member["binding"])


def cells_of(kind, member, changed):
    """The cells of a row between name and description, each as a title and a text or a run."""
    if kind == "control_variables":
        style = "yellow" if is_changed(member) else "green"
        value = [("Value", (value_of(member), "red" if "problem" in member else style))]
        if changed:
            return value + [("Default", quoted(member, "default")), ("From", where_from(member))]
        return value + [("Type", type_of(member)), ("Scope", words.spoken(member["scope"])),
                        ("For", words.spoken(member["verbosity"]))]
    if kind == "performance_variables":
        return [("Value", (value_of(member), "red" if "problem" in member else "green")),
                ("Class", words.spoken(member["class"])), ("Type", type_of(member)),
                ("Bound to", bound_to(member)), ("For", words.spoken(member["verbosity"]))]
    if kind == "events":
        elements = ", ".join(clean(element["name"] or element["type"]) for element in member["elements"][:5])
        more = f" and {len(member['elements']) - 5} more" if len(member["elements"]) > 5 else ""
        return [("Carries", elements + more or "-"), ("Bound to", bound_to(member)),
                ("For", words.spoken(member["verbosity"]))]
    if kind == "sources":
        return [("Order", member["ordering"]), ("Ticks a second", value_text(member["ticks_per_second"]))]
    if kind == "categories":
        counts = [words.plural(len(member[name]), word) for name, word in
                  (("controls", "control"), ("performances", "performance"), ("events", "event"),
                   ("categories", "category")) if member[name]]
        return [("Holds", ", ".join(counts) or "-")]
    items = ", ".join(f"{clean(item['name'])} = {item['value']}" for item in member["items"])
    return [("Items", items)]


def wide_table(rows, width):
    """The rows as one table, or nothing if the descriptions do not fit."""
    titles = [title for title, _ in rows[0][1]]
    names = max(size(name) for name, _, _ in rows)
    columns = [max(len(title), *(size(plain(runs_of(cells[number][1]))) for _, cells, _ in rows))
               for number, title in enumerate(titles)]
    longest = max(size(plain(runs_of(description))) for _, _, description in rows)
    if width < UNLIMITED:
        # The last column has no gap behind it, and gets the two blanks of that.
        columns = [min(column, LONGEST_VALUE + 2 * (not longest and number + 1 == len(columns)))
                   for number, column in enumerate(columns)]
    left = width - max(names, 4) - sum(columns) - GAP * (len(columns) + (longest > 0))
    if left < (LEAST_DESCRIPTION if longest else 0):
        return None
    return Grid([("Name", max(names, 4), "bold"), *((title, column, None) for title, column in zip(titles, columns)),
                 *([("Description", max(min(longest, left), len("Description")), None)] if longest else [])],
                [(name, *(cell for _, cell in cells), *([description] if longest else []))
                 for name, cells, description in rows], GAP if width < UNLIMITED else GAP - 1, width < UNLIMITED)


def narrow_lines(rows):
    """The rows as paragraphs: name and value, then the other cells, then the description."""
    for name, cells, description in rows:
        first = Paragraph((name, "bold"), is_whole=True)
        rest = [(title, cell) for title, cell in cells if plain(runs_of(cell)) != "-"]
        if rest and rest[0][0] == "Value":
            value = rest.pop(0)[1]
            if len(name) + 3 + size(plain(runs_of(value))) <= 60:
                first = Paragraph((name, "bold"), " = ", value, is_whole=True)
            else:
                rest.insert(0, ("Value", value))
        yield first
        facts = [part for title, cell in rest for part in (", ", labelled(title), cell)][1:]
        for part in (facts, description):
            if runs_of(part):
                yield Paragraph(part, indent=4)


def labelled(title):
    """The label of a cell without a column title."""
    plain = {"Value", "Type", "Class", "Holds", "Items", "Kind"}
    return "" if title in plain else {"For": "for ", "Bound to": "bound to ", "From": "from ", "Carries": "carries ",
                                      "Ticks a second": "ticks a second: "}.get(title, title.lower() + " ")


def section(kind, members, width, changed=False):
    """One kind of members under its title."""
    rows = [(clean(member["name"]), cells_of(kind, member, changed), one_line(member.get("description", "")))
            for member in members]
    told = {title for _, cells, _ in rows for title, cell in cells if cell != "-" or title == "Value"}
    rows = [(name, [cell for cell in cells if cell[0] in told], description) for name, cells, description in rows]
    yield Paragraph((f"{words.TITLES[kind]} ({len(members)})", "bold underline"))
    table = wide_table(rows, width)
    yield from [table] if table else narrow_lines(rows)
    yield Paragraph()


def holes(document):
    """A line about each kind of index that an MPI counts without providing information."""
    by_kind = {}
    for hole in document["holes"]:
        by_kind.setdefault((hole["kind"], hole["problem"]), []).append(hole["index"])
    for (kind, problem), indices in by_kind.items():
        reason = f" ({clean(problem)})" if problem else ""
        yield Paragraph((f"{words.plural(len(indices), kind)} without information{reason}: "
                         f"index {ranges(sorted(indices))}", "dim"))


def ranges(numbers):
    """`1, 4 to 6` for the numbers 1, 4, 5 and 6."""
    texts, start = [], 0
    for position, number in enumerate(numbers):
        if position + 1 == len(numbers) or numbers[position + 1] != number + 1:
            first = numbers[start]
            texts.append(str(number) if first == number else f"{first} to {number}")
            start = position + 1
    return ", ".join(texts)


def parts(document, wanted, width, notes=()):
    """All parts of the output for the selected part of a document, with further sentences."""
    yield from heading(document)
    folded = origins.folded(document["control_variables"]) if wanted.changed else ""
    if folded:
        document = {**document, "control_variables": [each for each in document["control_variables"] if not origins.is_launchers(each)]}
    shown = wanted.shown()
    empty = True
    for kind in (*shown, *(["sources"] if "events" in shown else [])):
        if document[kind]:
            empty = False
            yield from section(kind, document[kind], width, wanted.changed)
    if empty:
        kinds = " and no ".join(words.TITLES[kind].lower() for kind in shown) if wanted.kinds else "variables"
        yield Paragraph("No control variable is known to differ from its default." if wanted.changed
                        else "Nothing matches the filters." if wanted.narrows() else f"There are no {kinds}.")
    if folded:
        yield Paragraph((folded, "dim"))
    yield from (Paragraph(f"{note}.") for note in notes)
    yield from holes(document)
