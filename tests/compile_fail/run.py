#!/usr/bin/env python3
# Compiles every mistake in this folder and demands that the compiler refuses it with the words of its EXPECT lines.
#     run.py <include folder> <compiler and its arguments>
# accepted.cpp, the same surroundings without a mistake, has to compile: otherwise everything would be refused. A file
# with EACH lines is compiled once for each of their texts, parted by bars; the word EACH stands for the text. The compiler
# has to name the line that ends in the comment HERE, which is that of the member; g++ 14, which has no lines of members,
# the one that ends in TREE. A line that ends in FIRST is that of a mistake: the compiler reports it, the first of them before it names
# any other place, and g++ spends at most LINES_OF_A_MISTAKE lines on each. That counts all that a user sees, with the quoted
# sources, also what g++ says of the tree in the end. FIRST OF GCC is the same, but that clang 14 only names the line, as a part
# of the tree: it is that of a name. g++ 14 does so with all of them. A file with a STANDARD line is compiled as that language. A file has no more errors than
# its ERRORS line says; ERRORS OF GCC is that for g++ alone. Whatever the headers that authors include can complain of has to be awaited by some file.

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER.parent))

import short_run  # noqa: E402

EXPECT = re.compile(r"^//\s*EXPECT:(.*)$", re.MULTILINE)
EACH = re.compile(r"^//\s*EACH:(.*)$", re.MULTILINE)
STANDARD = re.compile(r"^//\s*STANDARD:(.*)$", re.MULTILINE)
ERRORS = re.compile(r"^//\s*ERRORS( OF GCC)?:(.*)$", re.MULTILINE)
LINES_OF_A_MISTAKE = 10
PLACE = re.compile(r"([^\s:,]+):(\d+)")
QUOTED = re.compile(r"^ *\d* \|.*\n", re.MULTILINE)
FOLDERS = ["core", "concurrency", "descriptor", "variable", "event", "info", "registry", "dynamic", "batch", "."]
# What their assertions are about is the library's own: no user can get it wrong.
OF_THE_LIBRARY = ("element.hpp", "handle_tag.hpp")
COMPLAINT = re.compile(r"^inline (?:void|constexpr char) (\w+)[({]", re.MULTILINE)
STATIC_ASSERT = re.compile(r'static_assert\([^;]*?,\s*((?:"[^"]*"\s*)+)\);')


def squeeze(text):
    """Complaints are names of functions, expectations are sentences: they are compared without what parts words."""
    return re.sub(r"[\s_]", "", text)


def compile_text(command, text):
    """The text comes through standard input, since the name of its file may contain the awaited words, and without its
    EXPECT lines for the same reason. An object is wanted, because -fsyntax-only may evaluate less."""
    with tempfile.TemporaryDirectory() as scratch:
        return subprocess.run(
            [*command, "-c", "-x", "c++", "-", "-o", f"{scratch}/object.o"],
            input=EACH.sub("", EXPECT.sub("", text)), cwd=FOLDER, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)


@functools.cache
def macros(command):
    return subprocess.run([*command, "-E", "-dM", "-x", "c++", "/dev/null"], text=True, stdout=subprocess.PIPE, check=True).stdout


def forgets_members(command):
    """g++ 14 evaluates initializers of members where the object is made, and no longer knows their lines."""
    return is_gnu(command) and int(re.search(r"__GNUC__ (\d+)", macros(command))[1]) >= 14


def precompiled(compiler, headers, folder):
    """The command that compiles a file, and what it takes for files that begin with the header of most, which the compiler has read
    before. Where this does not fit, as with another language, g++ reads the header itself."""
    (folder / "mpit").mkdir()
    command = [*compiler, "-std=c++20", "-I", str(folder), "-I", str(headers)]
    is_clang = "__clang__" in macros(tuple(command))
    made = folder / "mpit" / ("mpit.pch" if is_clang else "mpit.hpp.gch")
    subprocess.run([*command, "-w", "-x", "c++-header", str(headers / "mpit/mpit.hpp"), "-o", str(made)], check=True)
    return command, ["-include-pch", str(made)] if is_clang else []


def is_gnu(command):
    return "__clang__" not in macros(command)


def complaint_of_first_lines(text, printed, counts_lines):
    """The lines that end in FIRST are reported, the first one before any other place, in few lines of g++."""
    endings = ("// FIRST", "// FIRST OF GCC") if counts_lines else "// FIRST"
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if line.endswith(endings)]
    if not lines:
        return ""
    place = PLACE.search(printed)
    if place.groups() != ("<stdin>", str(lines[0])):
        return f"is refused at {place[0]} before line {lines[0]}:\n{printed}"
    for number in lines:
        if not re.search(rf"^<stdin>:{number}:\d+: error:", printed, re.MULTILINE):
            return f"is refused without an error in line {number}:\n{printed}"
    if counts_lines and printed.count("\n") > len(lines) * LINES_OF_A_MISTAKE:
        return f"is refused in more than {LINES_OF_A_MISTAKE} lines for each mistake:\n{printed}"
    return ""


def judge(compiler, path, each=None):
    """Returns an empty string when the compiler did as it should, else what went wrong."""
    command, made_before = compiler
    text = path.read_text(encoding="utf-8")
    if each is not None:
        text = re.sub(r"\bEACH\b", lambda _: each, EACH.sub("", text))
    begins_alike = re.search(r"^#.*", text, re.MULTILINE)[0] == "#include <mpit/mpit.hpp>" and not STANDARD.search(text)
    command = command + (made_before if begins_alike else []) + [f"-std={words.strip()}" for words in STANDARD.findall(text)]
    has_first_line = bool(re.search(r"// FIRST( OF GCC)?$", text, re.MULTILINE)) and not forgets_members(tuple(command))
    if has_first_line and is_gnu(tuple(command)):
        command = [*command, "-fdiagnostics-show-caret", "-w"]  # a header that was read before has lost its pragmas
    compiled = compile_text(command, text)
    if path.name == "accepted.cpp":
        return "" if compiled.returncode == 0 else "does not compile:\n" + compiled.stdout
    expectations = [words.strip() for words in EXPECT.findall(text)]
    if not all(expectations) or not expectations:
        return "has no words after EXPECT"
    if compiled.returncode == 0:
        return "compiles although it should not"
    if forgets_members(tuple(command)):
        expectations = expectations[:1]  # g++ 14 ends with the first mistake of a tree
    said = squeeze(QUOTED.sub("", compiled.stdout))
    missing = [words for words in expectations if squeeze(words) not in said]
    if missing:
        return f"is refused without the words «{missing[0]}»:\n{compiled.stdout}"
    ending = "// TREE" if "// TREE" in text and forgets_members(tuple(command)) else ("// HERE", "// FIRST OF GCC")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.endswith(ending) and not re.search(rf"<stdin>:{number}\b", compiled.stdout):
            return f"is refused without a word of line {number}:\n{compiled.stdout}"
    if has_first_line:
        complaint = complaint_of_first_lines(text, compiled.stdout, is_gnu(tuple(command)))
        if complaint:
            return complaint
    for of_gcc, most in ERRORS.findall(text):
        if of_gcc and not is_gnu(tuple(command)):
            continue  # clang reports the tree with such a member as well
        if len(re.findall(r"\berror: ", compiled.stdout)) > int(most):
            return f"has more than {most.strip()} errors:\n{compiled.stdout}"
    return ""


def judge_all(compiler, path):
    """Judges a file for each text of its EACH lines; the first complaint is the answer."""
    each = [text.strip() for line in EACH.findall(path.read_text(encoding="utf-8")) for text in line.split("|")]
    if not each:
        return judge(compiler, path)
    for text in each:
        complaint = judge(compiler, path, text)
        if complaint:
            return f"with {text} {complaint}"
    return ""


def never_awaited(headers, paths):
    """What the headers can complain of and no file awaits."""
    awaited = {squeeze(words) for path in paths for words in EXPECT.findall(path.read_text(encoding="utf-8"))}
    for folder in FOLDERS:
        if not (headers / "mpit" / folder).is_dir():
            yield f"{folder}: there is no such folder"
    for header in sorted(header for folder in FOLDERS for header in (headers / "mpit" / folder).glob("*.hpp")
                         if header.name not in OF_THE_LIBRARY):
        text = header.read_text(encoding="utf-8")
        words = ["".join(re.findall('"([^"]*)"', literals)) for literals in STATIC_ASSERT.findall(text)]
        words += COMPLAINT.findall(text) if header.name == "compile_error.hpp" else []
        yield from (f"{header.name}: {each}" for each in words if squeeze(each) not in awaited)


def main():
    headers = pathlib.Path(sys.argv[1]).resolve()
    paths = [FOLDER / "accepted.cpp", *sorted(set(FOLDER.glob("*.cpp")) - {FOLDER / "accepted.cpp"})]
    judged = short_run.third_of(paths)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        compiler = precompiled(sys.argv[2:], headers, pathlib.Path(folder))
        for path, complaint in zip(judged, pool.map(lambda path: judge_all(compiler, path), judged)):
            failed += bool(complaint)
            print(f"failed  {path.name} {complaint}" if complaint else f"ok      {path.name}", flush=True)
    unheard = list(never_awaited(headers, paths))
    for words in unheard:
        print(f"failed  no file here awaits the words of {words}")
    print(f"refuse: {len(judged) - failed} passed, {failed + len(unheard)} failed")
    return 1 if failed or unheard or len(paths) < 2 else 0


sys.exit(main())
