# Writes blocks into documents, each between two lines that name it: <!-- index --> and <!-- /index -->. The text outside of them
# is written by hand.
#     changed = documents.update(path, {"index": lines, "peers": None}, write=True)

import re

MARKED = re.compile(r"^<!-- (?P<name>[\w-]+) -->\n.*?^<!-- /(?P=name) -->$", re.MULTILINE | re.DOTALL)


def updated(text, blocks):
    """The text with all blocks replaced, and the names of those that were not measured."""
    kept = []

    def replacement(found):
        name = found["name"]
        if name not in blocks:
            raise SystemExit(f"there is no block named {name}")
        if blocks[name] is None:
            kept.append(name)
            return found[0]
        return "\n".join([f"<!-- {name} -->", *blocks[name], f"<!-- /{name} -->"])

    return MARKED.sub(replacement, text), kept


def update(path, blocks, write):
    """Whether the document differs from the results, and the blocks that were not changed."""
    before = path.read_text(encoding="utf-8")
    after, kept = updated(before, blocks)
    if write and after != before:
        path.write_text(after, encoding="utf-8")
    return after != before, kept
