#!/usr/bin/env python3
"""Generates the reference of everything public from the comments of the headers, with Doxygen.

    generate.py DOXYGEN VERSION FOLDER    writes FOLDER/html/index.html; fails with each warning of Doxygen

Doxygen does not read the headers themselves: FOLDER/headers has the public declarations of each, without bodies, with doc
comments made of the plain ones. A page for each header has its opening comment and its names; a header that users do not
include themselves stands below the one that they include.
"""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import declarations
from declarations import INCLUDE, joined

HERE = pathlib.Path(__file__).resolve().parent
# A header below is in the page of the first of these that includes it.
FLAT = ["mpit/" + name for name in (
    "mpit.hpp", "declare.h", "declare.hpp", "tool.hpp", "batch.hpp", "ranges.hpp", "settings.hpp", "dynamic.hpp", "collective.hpp",
    "mpi_t.h", "mpi_t.hpp", "over_mpi.hpp", "compat.hpp", "compat.h", "info.hpp", "info/text.hpp", "object_name.hpp",
    "mpi_t/object_name.hpp", "report_handler.hpp", "implementation.hpp", "config.hpp", "version.hpp")]
PUBLIC_CLASSES = set()  # by their names alone
HIDDEN = r"\b(?:internal|descriptor|registry|session|detail|core::beside)::"
NAMESPACES = """
/** @namespace mpit
Everything that authors of variables use. */
/** @namespace mpit::core
Types of parameters and results. */
/** @namespace mpit::mpi_t
Conversions to and from the constants of an mpi.h. */
/** @namespace mpit::tool
Everything that readers of variables use. */
/** @namespace mpit::views
Views over the registry, with range-v3. */
/** @namespace mpit::version
The version of the headers. */
"""


def identity(header):
    return re.sub(r"\W", "_", header)


def included():
    """For each header the headers of mpit that it includes directly or through others."""
    direct = {path.relative_to(INCLUDE).as_posix(): re.findall(r"^#include <(mpit/[\w./]+)>", path.read_text(encoding="utf-8"),
                                                                re.MULTILINE) for path in INCLUDE.glob("mpit/**/*.h*")}
    def reached(name):
        found, left = set(), list(direct[name])
        while left:
            each = left.pop()
            if each not in found and each in direct:
                found.add(each)
                left += direct[each]
        return found
    return {name: reached(name) for name in FLAT}


def page_above(header, reach):
    if header in FLAT:
        return None
    return next((flat for flat in FLAT if header in reach[flat]), None)


# Comments -------------------------------------------------------------------------------------------------------------------

def escaped(text):
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts = [text.replace("`", "'")]
    for i in range(0, len(parts), 2):
        part = re.sub(r"([\\@&#<>%*$\[\]])", r"\\\1", parts[i])
        part = re.sub(r"(?<!\w)_", r"\\_", part)
        parts[i] = part.replace("--", r"\--").replace(r"\[", "&#91;").replace(r"\]", "&#93;").replace(r"\*", "&#42;")
    return "`".join(parts)


def as_markdown(comment):
    """The text of a comment for Doxygen: paragraphs, and examples, which are indented."""
    lines, paragraph, example = [], [], []

    def end():
        if paragraph:
            lines.append(escaped(" ".join(paragraph)))
            lines.append("")
        if example:
            margin = min(len(each) - len(each.lstrip()) for each in example if each.strip())
            lines.extend(["@code{.cpp}", *(each[margin:] for each in example), "@endcode", ""])
        paragraph.clear()
        example.clear()

    for line in comment.split("\n"):
        if line.startswith("  ") and line.strip():
            if paragraph:
                end()
            example.append(line.replace("*/", "* /"))
        elif line.strip():
            if example:
                end()
            paragraph.append(line.strip())
        else:
            end()
    end()
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def doc(comment, *commands):
    return "/** " + "\n".join(part for part in (as_markdown(comment), *commands) if part) + " */"


# Declarations ---------------------------------------------------------------------------------------------------------------

def without_clause(signature):
    """Without the conditions of templates, which stand in the text."""
    while match := re.search(r"\s*\brequires\s*\(", signature):
        depth, at = 1, match.end()
        while depth:
            depth += (signature[at] == "(") - (signature[at] == ")")
            at += 1
        signature = signature[:match.start()] + " " + signature[at:].lstrip()
    return signature.strip()


def declarator(signature, name):
    """One of several variables that are declared together."""
    first = re.match(r"(.*?)\b(\w+)( =|,|\{|\[|$)", signature)
    if first is None or "(" in signature.split("=")[0] or "," not in signature:
        return signature
    parts = [each.strip() for each in re.split(r",(?![^<({]*[>)}])", signature)]
    if len(parts) < 2:
        return signature
    kind = re.match(r"(.*?)\s*\b\w+(?: =.*|\{.*|\[.*)?$", parts[0])
    for part in parts:
        own = part if part is not parts[0] else part[len(kind.group(1)):].strip()
        if re.match(rf"{re.escape(name)}\b", own):
            return kind.group(1) + " " + own
    return signature


def shown(each):
    text = without_clause(each.signature)
    if each.kind == "alias" and re.search(HIDDEN, text) and text.startswith(("using", "template")):
        text = text[:text.index("=") if "= unsigned" not in text and "= void" not in text else text.rindex(each.name + " =") +
                    len(each.name) + 1] + "= implementation_defined"
    if each.kind == "variable":
        text = declarator(text, each.name)
        if re.search(HIDDEN, text.split(" = ", 1)[-1]) and " = " in text and "(" not in text.split(" = ")[0]:
            text = text.split(" = ", 1)[0] if not text.startswith("template") else re.sub(rf"(\b{each.name}) = .*", r"\1", text)
        text = re.sub(HIDDEN, "", text)
    if each.kind == "function":
        text = re.sub(r"MPIT_C_(?:INFO_)?(?:PLAIN|PROFILED)\(\w+\)", each.name, text)
        text = re.sub(r"\binline\s+", "", text)
    return text


def head_of_class(each):
    text = without_clause(each.signature)
    if text in ("struct", "class", "enum"):
        return text + " " + each.name
    if " : " in text and each.kind == "class":
        head, bases = text.split(" : ", 1)
        text = head + (" : " + bases if re.sub(r"^public ", "", bases).split("<")[0] in PUBLIC_CLASSES else "")
    return text


def printed(each, commands=()):
    """One declaration, with its members."""
    lines = [doc(each.comment, *commands)] if each.comment or commands else []
    if each.kind == "macro":
        lines.append(each.signature)
    elif each.kind == "enum":
        head = "enum" if each.is_unnamed else head_of_class(each)
        lines.append(head + " {")
        lines += [f"    {name}," + (f" /**< {as_markdown(words)} */" if words else "") for name, words in each.items]
        lines.append("};")
    elif each.kind == "class":
        lines.append(head_of_class(each) + " {\npublic:")
        for member in each.members:
            lines.append(printed(member))
        lines.append("};")
    else:
        lines.append(shown(each) + ";")
    return "\n".join(lines)


def page(header, reach):
    """What Doxygen reads instead of a header."""
    above = page_above(header.name, reach)
    commands = [f"@defgroup {identity(header.name)} {header.name}", *([f"@ingroup {identity(above)}"] if above else [])]
    lines = ["/** " + "\n".join([*commands, "", as_markdown(header.opening)]) + " */"]
    if header.name == "mpit/version.hpp":
        lines.append(NAMESPACES)
    if header.name in declarations.C_HEADERS:
        return "\n".join([*lines, f"/** @addtogroup {identity(header.name)}\n@{{ */", *lists(header), "/** @} */"]) + "\n"
    for each in declarations.public_names(header):
        to_include = [] if each.kind != "class" else [f"@headerfile {above or header.name} <{above or header.name}>"]
        text = printed(each, (f"@ingroup {identity(header.name)}", *to_include))
        scope = "::".join(each.scope)
        lines.append(f"namespace {scope} {{\n{text}\n}}" if scope else text)
    return "\n".join(lines) + "\n"


def lists(header):
    """The names of a C header, with one heading for those that share a comment."""
    lines, names = [], declarations.public_names(header)
    for line in dict.fromkeys(each.comment_line for each in names):
        group = [each for each in names if each.comment_line == line]
        if len(group) == 1:
            lines.append(printed(group[0]))
            continue
        heading, *rest = re.split(r"(?<=[a-z)])[.:;](?:\s|$)", joined(group[0].comment), maxsplit=1)
        lines.append(f"/** @name {escaped(heading)}\n\n{escaped(rest[0][:1].upper() + rest[0][1:]) if rest else ''} */\n/** @{{ */")
        for each in group:
            each.comment = ""
            lines.append(printed(each))
        lines.append("/** @} */")
    return lines


def chosen_headers():
    return [header for header in declarations.headers() if header.name in FLAT or declarations.public_names(header)]


def main_page(headers, reach):
    lines = [(HERE / "main.md").read_text(encoding="utf-8").rstrip(), ""]
    by_name = {header.name: header for header in headers}
    lone = [header.name for header in headers if header.name not in FLAT and page_above(header.name, reach) is None]
    lines += ["| include | what it is for |", "|---|---|"]
    for name in [*FLAT, *lone]:
        first = re.split(r"(?<=[a-z)])\.(?:\s|$)", joined(by_name[name].opening), maxsplit=1)[0]
        lines.append(f"| @ref {identity(name)} \"{name}\" | {escaped(first)}. |")
    return "\n".join(lines) + "\n"


def generate(doxygen, version, folder):
    reach, headers = included(), chosen_headers()
    PUBLIC_CLASSES.update(each.name for header in headers for each in declarations.public_names(header) if each.kind == "class")
    copies = folder / "headers"
    for header in headers:
        copy = copies / header.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(page(header, reach), encoding="utf-8")
    (folder / "main.md").write_text(main_page(headers, reach), encoding="utf-8")
    inputs = [folder / "main.md", *(copies / header.name for header in headers)]
    settings = (HERE / "Doxyfile").read_text(encoding="utf-8") + "\n".join([
        f"PROJECT_NUMBER = {version}", f'OUTPUT_DIRECTORY = "{folder}"', f'USE_MDFILE_AS_MAINPAGE = "{inputs[0]}"',
        f'STRIP_FROM_PATH = "{copies}"', "INPUT = " + " ".join(f'"{each}"' for each in inputs)]) + "\n"
    run = subprocess.run([doxygen, "-"], input=settings, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    sys.stderr.write(run.stderr)
    if run.returncode != 0 or run.stderr.strip():
        return 1
    print(folder / "html" / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(generate(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()))
