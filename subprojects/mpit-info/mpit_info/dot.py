"""Documents as a graph for Graphviz: `mpit-info --dot -- ./program | dot -Tsvg > variables.svg`.

Categories are folders; control variables are boxes, performance variables ellipses and events diamonds.
"""

from mpit_info import words
from mpit_info.document import clean, library_line, value_of

SHAPES = {"control_variables": "box", "performance_variables": "ellipse", "events": "diamond"}


def quoted(text):
    """A text in the language DOT, whose labels interpret the escapes of C and the entities of HTML."""
    return '"' + clean(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') + '"'


def label(kind, member):
    """The label of a member."""
    return f"{member['name']} = {value_of(member)}" if kind == "control_variables" else member["name"]


def text(document, shown):
    """The graph of the selected part of a document."""
    lines = ["digraph variables {", "    rankdir=LR;", f"    label={quoted(library_line(document['mpi']))};",
             '    node [fontname="sans-serif", fontsize=10];', "    edge [color=gray60, arrowsize=0.6];"]
    for kind, name in words.MEMBERS.items():
        for member in document[name] if name in shown else []:
            lines.append(f"    {kind}_{member['index']} [shape={SHAPES[name]}, label={quoted(label(name, member))}, "
                         f"tooltip={quoted(member['description'])}];")
    known = {kind: {member["index"] for member in document[name]} for kind, name in words.MEMBERS.items()}
    categories = {category["index"] for category in document["categories"]}
    for category in document["categories"]:
        own = f"category_{category['index']}"
        lines.append(f"    {own} [shape=folder, style=filled, fillcolor=gray90, label={quoted(category['name'])}, "
                     f"tooltip={quoted(category['description'])}];")
        for below in category["categories"]:
            if below in categories:
                lines.append(f"    {own} -> category_{below};")
        for kind, name in words.MEMBERS.items():
            lines += [f"    {own} -> {kind}_{index};" for index in category[kind]
                      if name in shown and index in known[kind]]
    return "\n".join(lines) + "\n}\n"
