"""Documents as a tree of their categories: `screen.show(options, tree.parts(document, shown))`.

A category in several others is drawn once; members of no category are drawn at the end.
"""

from rich.text import Text
from rich.tree import Tree

from mpit_info import table, words
from mpit_info.document import clean, is_changed, numbered, one_line, value_of
from mpit_info.reference import outside, roots


def title(name, description):
    """The line of a category."""
    described = f"  {one_line(description)}" if description else ""
    return Text.assemble((clean(name), "bold cyan"), (described, "dim"))


def leaf(kind, member):
    """The line of a variable or an event."""
    name = clean(member["name"])
    if kind == "control_variables":
        value = Text(value_of(member), style="yellow" if is_changed(member) else "green")
        if member["origin"] not in (None, "library"):
            value.append(f"  ({table.where_from(member)})", style="dim")
        return Text.assemble(name, " = ", value)
    if kind == "performance_variables":
        return Text.assemble(name, (f"  {words.spoken(member['class'])}, {table.type_of(member)}", "dim"))
    elements = ", ".join(clean(element["name"] or element["type"]) for element in member["elements"][:5])
    return Text.assemble(name, (f"  event ({elements}{', ...' if len(member['elements']) > 5 else ''})", "dim"))


def parts(document, shown):
    """The heading and the tree."""
    yield from table.heading(document)
    by_index = numbered(document["categories"])
    members = {name: numbered(document[name]) for name in words.MEMBERS.values()}
    whole = Tree(Text("categories", style="bold"), guide_style="dim", hide_root=True)
    drawn = set()
    # Iterative, because categories may be nested to any depth.
    ahead = [(whole, category) for category in reversed(roots(document["categories"]))]
    while ahead:
        branch, category = ahead.pop()
        grown = branch.add(title(category["name"], category["description"]))
        if category["index"] in drawn:
            grown.label.append("  (see above)", style="dim")
            continue
        drawn.add(category["index"])
        for kind, name in words.MEMBERS.items():
            for index in category[kind]:
                if name in shown and index in members[name]:
                    grown.add(leaf(name, members[name][index]))
        ahead += [(grown, by_index[below]) for below in reversed(category["categories"]) if below in by_index]
    free = outside(document, shown)
    if free:
        branch = whole.add(title("(in no category)", "")) if document["categories"] else whole
        for kind, member in free:
            branch.add(leaf(kind, member))
    yield whole if whole.children else Text("Nothing matches the filters.")
