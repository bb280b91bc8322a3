#!/usr/bin/env python3
# The layout of the structures that copies of the headers share, from the debug information of layout.cpp, against the frozen
# one of its version::layout, layout_5.txt. A member of spare words may become other members; nothing else may change.
#     layout.py <folder of the headers> <C++ compiler and its arguments>
#     layout.py --write <folder of the headers> <C++ compiler and its arguments>     freezes today's

import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
HEAD = re.compile(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \((\w+)\)")
VALUE = re.compile(r"    <\w+> +(DW_AT_\w+) *: (?:\(.*?\):? ?)?(?:\w+: )?(.*)")
CLASSES = ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type")
WRAPPERS = ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type")


class Entry:
    """One entry of the debug information, with those inside of it."""

    def __init__(self, tag, parent):
        self.tag, self.parent, self.values, self.inside = tag, parent, {}, []

    def name(self):
        own = self.values.get("DW_AT_name", "")
        outer = self.parent.name() if self.parent is not None else ""
        return re.sub(r"\bv\d+_\d+::", "", f"{outer}::{own}" if outer and own else outer or own)

    def number(self, key):
        return int(self.values.get(key, "0").split()[0], 0)


def entries_of(listing):
    """The entries by their place, as readelf prints them."""
    entries, open_ones, last = {}, {}, None
    for line in listing.splitlines():
        if head := HEAD.match(line):
            depth = int(head[1], 16)
            parent = open_ones.get(depth - 1)
            last = Entry(head[3], None if parent is None or parent.tag == "DW_TAG_compile_unit" else parent)
            if parent is not None:
                parent.inside.append(last)
            entries[int(head[2], 16)] = open_ones[depth] = last
        elif last is not None and (value := VALUE.match(line)):
            last.values[value[1]] = value[2].strip()
    return entries


class Layout:
    def __init__(self, listing):
        self.entries = entries_of(listing)
        self.lines = {}
        named = next(e for e in self.entries.values()
                     if e.tag in CLASSES and e.values.get("DW_AT_name", "").startswith("structure_list<"))
        for pack in named.inside:
            for parameter in pack.inside:
                self.add(self.type_of(parameter))

    def type_of(self, entry):
        """The type of a member or parameter, without its other names."""
        place = re.search(r"<0x(\w+)>", entry.values.get("DW_AT_type", ""))
        found = self.entries[int(place[1], 16)] if place else None
        return self.type_of(found) if found is not None and found.tag in WRAPPERS else found

    def size(self, entry):
        if entry.tag == "DW_TAG_array_type":
            counts = [each.number("DW_AT_upper_bound") + 1 for each in entry.inside if each.tag == "DW_TAG_subrange_type"]
            total = self.size(self.type_of(entry))
            for count in counts:
                total *= count
            return total
        return entry.number("DW_AT_byte_size")

    def words(self, entry):
        """A type in words; those of pointers to classes are not named, since any class may be behind them."""
        if entry is None:
            return "void"
        inner = "" if entry.tag in CLASSES else self.words(self.type_of(entry)) if "DW_AT_type" in entry.values else "void"
        if entry.tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type"):
            return inner + ("*" if entry.tag == "DW_TAG_pointer_type" else "&")
        if entry.tag == "DW_TAG_array_type":
            return inner + "".join(f"[{each.number('DW_AT_upper_bound') + 1}]" for each in entry.inside)
        if entry.tag == "DW_TAG_subroutine_type":
            given = ", ".join(self.words(self.type_of(each)) for each in entry.inside)
            return f"{inner} ({given})"
        if entry.tag == "DW_TAG_base_type":
            encoding = entry.values.get("DW_AT_encoding", "").split("(")[-1].rstrip(")")
            return f"{encoding} {8 * self.size(entry)}"
        return entry.name()

    def add(self, entry):
        """A class with its members, or an enumeration with its values, and all classes that it contains."""
        while entry is not None and entry.tag == "DW_TAG_array_type":
            entry = self.type_of(entry)
        if entry is None or entry.name() in self.lines:
            return
        name = entry.name()
        if entry.tag == "DW_TAG_enumeration_type":
            self.lines[name] = [f"{each.values['DW_AT_name']} = {each.values['DW_AT_const_value'].split()[0]}"
                                for each in entry.inside if each.tag == "DW_TAG_enumerator"]
            return
        if entry.tag not in CLASSES or not name.startswith("mpit::"):
            return
        if name.startswith("mpit::core::atomic<"):
            for each in entry.inside:
                if each.tag == "DW_TAG_member":
                    self.add(self.type_of(each))
            return
        lines = self.lines[name] = [f"{self.size(entry)} bytes"]
        for each in entry.inside:
            is_base = each.tag == "DW_TAG_inheritance"
            is_member = each.tag == "DW_TAG_member" and "DW_AT_external" not in each.values
            if not is_base and not is_member:
                continue
            kind = self.type_of(each)
            called = "base" if is_base else each.values.get("DW_AT_name", "(unnamed)")
            lines.append(f"{each.number('DW_AT_data_member_location'):5} {self.size(kind):5} {called}: {self.words(kind)}")
            self.add(kind)

    def text(self):
        """A class with its size and a member a line, an enumeration with many values a line."""
        text = ""
        for name, lines in sorted(self.lines.items()):
            if " = " in lines[0]:
                wrapped = textwrap.wrap(", ".join(line.replace(" ", "\0") for line in lines), 116)
                lines = [name, *(line.replace("\0", " ") for line in wrapped)]
            else:
                lines = [f"{name}, {lines[0]}", *lines[1:]]
            text += "\n    ".join(lines) + "\n"
        return text


def layout_of(headers, compiler):
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "layout.o"
        subprocess.run([*compiler, "-std=c++20", "-g", "-gdwarf-4", "-I", headers, "-c", HERE / "layout.cpp", "-o", made],
                       check=True)
        listing = subprocess.run(["readelf", "--debug-dump=info", made], check=True, capture_output=True, text=True).stdout
    return Layout(listing)


def parts_of(text):
    """Each name with its lines."""
    parts = {}
    for line in text.splitlines():
        if line.startswith(" "):
            parts[name] += re.split(r", (?=\w+ = )", line.strip().removesuffix(",")) if " = " in line else [line.strip()]
        else:
            name, size = re.fullmatch(r"(.*?)(?:, (\d+ bytes))?", line).groups()
            parts[name] = [size] if size else []
    return parts


def is_spare(line):
    return "mpit::core::spare_words<" in line


def bytes_of(line):
    begin, size = (int(word) for word in line.split()[:2])
    return begin, begin + size


def complaints(frozen, present):
    """What a copy of these headers would misunderstand in one with the frozen layout."""
    for name, lines in frozen.items():
        if name not in present:
            yield f"{name} has gone"
            continue
        for line in lines:
            if line in present[name]:
                continue
            if not is_spare(line):
                yield f"{name}: {line}: now {', '.join(sorted(set(present[name]) - set(lines))) or 'gone'}"
        kept = {line for line in lines if line in present[name]}
        spare = [bytes_of(line) for line in lines if is_spare(line)]
        for line in present[name]:
            if line in kept or line.endswith("bytes"):
                continue
            if "=" in line:
                yield f"{name}: {line} is new: copies of this layout do not know the value"
            elif not any(begin <= bytes_of(line)[0] and bytes_of(line)[1] <= end for begin, end in spare):
                yield f"{name}: {line} is new, and not in spare words"


def main():
    words = sys.argv[1:]
    writes = words[0] == "--write"
    headers, *compiler = words[writes:]
    version = pathlib.Path(headers, "mpit/version.hpp").read_text(encoding="utf-8")
    number = re.search(r"int layout = (\d+);", version)[1]
    file = HERE / f"layout_{number}.txt"
    layout = layout_of(headers, compiler)
    if writes:
        file.write_text(layout.text(), encoding="utf-8")
        return 0
    if not file.exists():
        print(f"{file.name} is missing: layout.py --write")
        return 1
    frozen = parts_of(file.read_text(encoding="utf-8"))
    found = list(complaints(frozen, parts_of(layout.text())))
    for each in found:
        print(each)
    if found:
        print("Copies of the headers in one process would misread each other. Use spare words, or raise version::layout (docs/CONTRIBUTING.md).")
    print(f"{len(frozen)} structures of layout {number}, {len(found)} complaints")
    return 1 if found else 0


sys.exit(main())
