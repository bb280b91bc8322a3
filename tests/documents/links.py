#!/usr/bin/env python3
# Follows the links of all pages that stand in the project: files and folders have to be there, and headings that a link names.
# Files of tests, examples and benchmarks that a page names in `code` have to be there as well.
#     links.py

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OTHERS = {"build", ".git"}
# Of the subprojects this one is the project's own.
OWN = ROOT / "subprojects" / "mpit-info"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]*`")
FILE = re.compile(r"`((?:tests|examples|benchmarks)/[\w./-]*)`")


def pages():
    return sorted(page for page in ROOT.rglob("*.md") if not OTHERS & set(page.relative_to(ROOT).parts)
                  and (page.relative_to(ROOT).parts[0] != "subprojects" or OWN in page.parents))


def lines_of(page):
    """The lines outside of blocks, with their numbers."""
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors_of(page):
    """The headings of a page, as links name them."""
    headings = (line.lstrip("#").strip().lower() for _, line in lines_of(page) if line.startswith("#"))
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def complaints_of(page):
    for number, line in lines_of(page):
        for path in FILE.findall(line):
            if not any((folder / path).exists() for folder in (ROOT, page.parent)):
                yield f"{page.relative_to(ROOT)}:{number}: {path} is not there"
        for link in LINK.findall(CODE.sub("", line)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            place = f"{page.relative_to(ROOT)}:{number}"
            if not target.exists():
                yield f"{place}: {link} is not there"
            elif anchor and anchor not in anchors_of(target):
                yield f"{place}: {link} names no heading"


complaints = [complaint for page in pages() for complaint in complaints_of(page)]
print("\n".join(complaints))
print(f"{len(pages())} pages, {len(complaints)} complaints")
sys.exit(1 if complaints or not pages() else 0)
