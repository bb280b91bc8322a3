"""Documents as tables: `screen.show(options, table.parts(document, shown, width))`.

If the column of descriptions would be too narrow, as beside long names on a usual terminal, each variable gets lines of
its own. Names are never truncated or broken.
"""

import shlex

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mpit_info import words
from mpit_info.document import clean, is_changed, library_line, one_line, quoted, value_of, value_text

LEAST_DESCRIPTION = 32
LONGEST_VALUE = 30
GAP = 3
UNLIMITED = 10_000


def heading(document):
    """The source of the document: the MPI, the program and the rank."""
    mpi = document["mpi"]
    title = Text(library_line(mpi), style="bold")
    facts = []
    if document["program"]:
        facts.append(clean(shlex.join(document["program"])))
    if mpi["processes"] > 1:
        facts.append(f"rank {mpi['rank']} of {mpi['processes']}")
    facts.append(document["taken"])
    return [title, Text(", ".join(facts), style="dim"), Text("")]


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
    """The cells of a row between name and description, each as a title and a text."""
    if kind == "control_variables":
        style = "yellow" if is_changed(member) else "green"
        value = [("Value", Text(value_of(member), style="red" if "problem" in member else style))]
        if changed:
            return value + [("Default", Text(quoted(member, "default"))), ("From", Text(where_from(member)))]
        return value + [("Type", Text(type_of(member))), ("Scope", Text(words.spoken(member["scope"]))),
                        ("For", Text(words.spoken(member["verbosity"])))]
    if kind == "performance_variables":
        return [("Value", Text(value_of(member), style="red" if "problem" in member else "green")),
                ("Class", Text(words.spoken(member["class"]))), ("Type", Text(type_of(member))),
                ("Bound to", Text(bound_to(member))), ("For", Text(words.spoken(member["verbosity"])))]
    if kind == "events":
        elements = ", ".join(clean(element["name"] or element["type"]) for element in member["elements"][:5])
        more = f" and {len(member['elements']) - 5} more" if len(member["elements"]) > 5 else ""
        return [("Carries", Text(elements + more or "-")), ("Bound to", Text(bound_to(member))),
                ("For", Text(words.spoken(member["verbosity"])))]
    if kind == "sources":
        return [("Order", Text(member["ordering"])), ("Ticks a second", Text(value_text(member["ticks_per_second"])))]
    if kind == "categories":
        counts = [words.plural(len(member[name]), word) for name, word in
                  (("controls", "control"), ("performances", "performance"), ("events", "event"),
                   ("categories", "category")) if member[name]]
        return [("Holds", Text(", ".join(counts) or "-"))]
    items = ", ".join(f"{clean(item['name'])} = {item['value']}" for item in member["items"])
    return [("Items", Text(items))]


def wide_table(rows, width):
    """The rows as one table, or nothing if the descriptions do not fit."""
    titles = [title for title, _ in rows[0][1]]
    names = max(Text(name).cell_len for name, _, _ in rows)
    columns = [max(len(title), *(cells[number][1].cell_len for _, cells, _ in rows))
               for number, title in enumerate(titles)]
    columns = [min(column, LONGEST_VALUE) if width < UNLIMITED else column for column in columns]
    described = any(description for _, _, description in rows)
    left = width - max(names, 4) - sum(columns) - GAP * (len(columns) + described)
    if left < (LEAST_DESCRIPTION if described else 0):
        return None
    table = Table(box=box.SIMPLE_HEAD if width < UNLIMITED else None, show_edge=False, pad_edge=False,
                  padding=(0, 2, 0, 0))
    table.add_column("Name", no_wrap=True, min_width=names, style="bold")
    for title, column in zip(titles, columns):
        table.add_column(title, min_width=column, max_width=column, overflow="fold")
    if described:
        table.add_column("Description", overflow="fold")
    for name, cells, description in rows:
        table.add_row(name, *(cell for _, cell in cells), *([description] if described else []))
    return table


def narrow_lines(rows):
    """The rows as paragraphs: name and value, then the other cells, then the description."""
    for name, cells, description in rows:
        first = Text(name, style="bold", no_wrap=True)
        rest = [(title, cell) for title, cell in cells if cell.plain != "-"]
        if rest and rest[0][0] == "Value":
            value = rest.pop(0)[1]
            joint = Text(" = ", style="not bold")
            if len(name) + 3 + value.cell_len <= 60:
                first = Text.assemble((name, "bold"), joint, value, no_wrap=True)
            else:
                rest.insert(0, ("Value", value))
        yield first
        facts = Text(", ").join(Text.assemble(labelled(title), cell) for title, cell in rest)
        for part in (facts, description if isinstance(description, Text) else Text(description)):
            if part.plain:
                yield Padding(part, (0, 0, 0, 4), expand=False)


def labelled(title):
    """The label of a cell without a column title."""
    plain = {"Value", "Type", "Class", "Holds", "Items", "Kind"}
    return "" if title in plain else {"For": "for ", "Bound to": "bound to ", "From": "from ", "Carries": "carries ",
                                      "Ticks a second": "ticks a second: "}.get(title, title.lower() + " ")


def section(kind, members, width, changed=False):
    """One kind of members under its title."""
    rows = [(clean(member["name"]), cells_of(kind, member, changed), one_line(member.get("description", "")))
            for member in members]
    told = {title for _, cells, _ in rows for title, cell in cells if cell.plain != "-" or title == "Value"}
    rows = [(name, [cell for cell in cells if cell[0] in told], description) for name, cells, description in rows]
    yield Text(f"{words.TITLES[kind]} ({len(members)})", style="bold underline")
    table = wide_table(rows, width)
    yield from [table] if table else narrow_lines(rows)
    yield Text("")


def holes(document):
    """A line about each kind of index that an MPI counts without providing information."""
    by_kind = {}
    for hole in document["holes"]:
        by_kind.setdefault((hole["kind"], hole["problem"]), []).append(hole["index"])
    for (kind, problem), indices in by_kind.items():
        reason = f" ({clean(problem)})" if problem else ""
        yield Text(f"{words.plural(len(indices), kind)} without information{reason}: index {ranges(sorted(indices))}",
                   style="dim")


def ranges(numbers):
    """`1, 4 to 6` for the numbers 1, 4, 5 and 6."""
    texts, start = [], 0
    for position, number in enumerate(numbers):
        if position + 1 == len(numbers) or numbers[position + 1] != number + 1:
            first = numbers[start]
            texts.append(str(number) if first == number else f"{first} to {number}")
            start = position + 1
    return ", ".join(texts)


def parts(document, wanted, width):
    """All parts of the output for the selected part of a document."""
    yield from heading(document)
    shown = wanted.shown()
    empty = True
    for kind in (*shown, *(["sources"] if "events" in shown else [])):
        if document[kind]:
            empty = False
            yield from section(kind, document[kind], width, wanted.changed)
    if empty:
        narrowed = wanted.narrows() or wanted.kinds
        yield Text("No control variable is known to differ from its default." if wanted.changed
                   else "Nothing matches the filters." if narrowed else "There are no variables.")
    yield from holes(document)
