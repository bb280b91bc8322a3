#!/usr/bin/env python3
# Copies of the headers of other versions in one process. Those with another layout have an index of their own each, one line
# says so, and nothing else happens, however the symbols of the copies meet. A later version of the same layout shares the
# index with this one, and nothing is said.
#     run.py <folder of the headers> <C++ compiler and its arguments>

import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shapes"))

from builder import SOURCES, run_all  # noqa: E402

OTHER_LAYOUT = 9
SEEN = ["-O0"]
HIDDEN = ["-O0", "-fvisibility=hidden"]
# What becomes of the structures that are shared: the line that a new member follows, and the member.
ADDED = {
    "variable/watched_level.hpp": (r"(struct mark \{\n)", r"\1    std::uint64_t added[7]{};\n"),
    "registry/process_registry.hpp": (r"(    alignas\(64\) publication_log log;\n)", r"    std::uint64_t added[9]{};\n\1"),
    "concurrency/thread_shards.hpp": (r"(struct alignas\(64\) shard_set \{\n)", r"\1    std::uint64_t added[5]{};\n"),
    "descriptor/variable.hpp": (r"(    item\* next = nullptr;)", r"    std::uint64_t added[3] = {1, 2, 3};\n\1"),
}
# How a version is told from another: the number of the layout, also in the words of the assembler, and the namespace.
RENAMED = [
    (r"layout = \d+;", f"layout = {OTHER_LAYOUT};"),
    (r"layout == \d+", f"layout == {OTHER_LAYOUT}"),
    (r"mpit_(registry_cell|registry_note|note_of_shims)_\d+", rf"mpit_\1_{OTHER_LAYOUT}"),
    (r"\.long (5, 8|10, 0), \d+", rf".long \1, {OTHER_LAYOUT}"),
    (r"\bv\d+_\d+\b", f"v{OTHER_LAYOUT}_0"),
]

# A later version of the same layout: it has another namespace, and has named one of the spare words of each structure.
LATER = 8
LATER_NAMESPACE = (r"\bv(\d+)_\d+\b", rf"v\1_{LATER}")
SPARE_WORDS = r"(?m)^( +)((?:core::)?spare_words)<(\d+)> spare(\{\})?;"


def with_one_named(found):
    rest = int(found[3]) - 1
    return f"{found[1]}std::uint64_t added = 5;" + (f" {found[2]}<{rest}> spare{found[4] or ''};" if rest else "")


def replace(path, pattern, replacement):
    text = path.read_text(encoding="utf-8")
    changed = re.sub(pattern, replacement, text)
    path.write_text(changed, encoding="utf-8")
    return changed != text


def another_copy(build, name, is_renamed, added=tuple(ADDED)):
    """A copy of the headers with other structures; with the same number, or with another."""
    copy = build.folder / name
    shutil.copytree(build.headers, copy)
    for path in added:
        if not replace(copy / "mpit" / path, *ADDED[path]):
            raise RuntimeError(f"{path} has no place for a member")
    if is_renamed:
        for change in RENAMED:
            if not [path for path in copy.rglob("*.hpp") if replace(path, *change)]:
                raise RuntimeError(f"no header has {change[0]}")
    return copy


def later_copy(build):
    copy = another_copy(build, "later", False, [])
    if not [path for path in copy.rglob("*.hpp") if replace(path, SPARE_WORDS, with_one_named)]:
        raise RuntimeError("no structure has spare words")
    if not [path for path in copy.rglob("*.hpp") if replace(path, *LATER_NAMESPACE)]:
        raise RuntimeError("no header has a namespace")
    return copy


def says_nothing(output):
    return output and "a report"


def says_once(output, objects=2):
    """The report names two shared objects, or the one that has both copies."""
    lines = [line for line in output.splitlines() if line.startswith("mpit: ")]
    if len(lines) != 1:
        return f"{len(lines)} reports"
    names = re.fullmatch(r"mpit: (.+) and (.+) embed mpit with different layouts .*", lines[0])
    if names is None or len({names[1], names[2]}) != objects:
        return lines[0]
    return ""


def says_once_of_one(output):
    return says_once(output, objects=1)


def shapes(build):
    other = another_copy(build, "other", True)
    twin = another_copy(build, "twin", False)

    def library(name, flags, headers):
        return build.shared([build.library_object(name, flags, headers=headers)])

    def program(headers, flags=(), parts=(), links=()):
        return build.program([build.with_shims(SOURCES / "program.cpp", [*flags, "-DREPORTS_ARE_JUDGED"], headers=headers), *parts],
                             links)

    def library_without_shims(headers):
        return build.shared([build.object(SOURCES / "library.cpp", [*HIDDEN, "-DLIBRARY=first"], headers=headers)])

    copies = {"same": build.headers, "other": other}
    for first, second in (("other", "same"), ("same", "other"), ("other", "other")):
        for flags, library_flags, binding, links in ((SEEN, SEEN, "global", ["-rdynamic"]), (SEEN, HIDDEN, "local", []),
                                                     (HIDDEN, SEEN, "local", ["-rdynamic"])):
            yield (f"{first} and {second} version, {binding}, {' '.join([*library_flags, *links])}", lambda: [
                program(build.headers, flags, links=links), binding, first, library("first", library_flags, copies[first]),
                second, library("second", library_flags, copies[second])], says_once)
    yield "a program of another version with libraries of this one", lambda: [
        program(other, SEEN, links=["-rdynamic"]), "global", "other", library("first", SEEN, build.headers),
        "other", library("second", SEEN, build.headers)], says_once

    for flags in (SEEN, HIDDEN):
        yield (f"a linked library of another version, {' '.join(flags)}", lambda: [
            program(build.headers, [*flags, "-DLINKED_OTHER"], [library("first", flags, other)], ["-rdynamic"])], says_once)
        yield (f"two versions in one program, {' '.join(flags)}", lambda: [
            program(build.headers, [*flags, "-DLINKED_OTHER"], [build.library_object("first", flags, headers=other)])], says_once_of_one)

    # Whoever has forgotten to change the number is found by the fingerprint, where the symbols do not meet.
    for order in (("other", "same"), ("same", "other"), ("other", "other")):
        of = {"same": build.headers, "other": twin}
        yield (f"other structures and the same number, {' and '.join(order)}", lambda: [
            program(build.headers, HIDDEN), "local", order[0], library("first", HIDDEN, of[order[0]]),
            order[1], library("second", HIDDEN, of[order[1]])], says_once)
    for path in ADDED:
        one = another_copy(build, f"one-{pathlib.Path(path).stem}", False, [path])
        yield f"another structure in {path} and the same number", lambda: [
            program(build.headers, [*HIDDEN, "-DLINKED_OTHER"], [library_without_shims(one)])], says_once
    # The first of them makes the registry, and either publishes the trees of the other.
    later = later_copy(build)
    for first, second in ((later, build.headers), (build.headers, later), (later, later)):
        for flags, binding in ((SEEN, "global"), (HIDDEN, "local")):
            names = " and ".join("later" if each == later else "this" for each in (first, second))
            for headers in (build.headers, later):
                yield (f"{names} version of one layout, {binding}, {' '.join(flags)}, in a program of "
                       f"{'the later' if headers == later else 'this'} one", lambda: [
                    program(headers, flags, links=["-rdynamic"]), binding, "same", library("first", flags, first),
                    "same", library("second", flags, second)], says_nothing)

    yield "a linked library with other structures and the same number", lambda: [
        program(build.headers, [*HIDDEN, "-DLINKED_OTHER"], [library("first", HIDDEN, twin)])], says_once


SHORT = (r"(same|other) and (same|other) version, global, .*|two versions in one program, -O0|another structure in .*|"
         r".* version of one layout, global, .* of this one")

sys.exit(run_all(shapes, 15, SHORT))
