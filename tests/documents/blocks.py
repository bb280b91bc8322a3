#!/usr/bin/env python3
# Compiles what README.md and docs/ show, so that no page says what is not true. A block of C or C++ has a line above it:
#     <!-- compiles -->                   the block alone
#     <!-- compiles in listed -->         at the line @block@ of frames/listed.cpp, or listed.c; its own #include, #define
#                                         and using lines go to the top
#     <!-- compiles in listed over an MPI -->    with the mpi.h of MPICH or Open MPI, where one is installed
#     <!-- runs in listed with A=1 -->    linked and run as well, with frames/listed-library.cpp and the functions of MPI_T
#                                         where there is one, and with A=1 in the environment; what it writes is compared
#                                         with the next block, which has the line <!-- prints --> above it
#     <!-- library of listed -->          the block is compiled in place of frames/listed-library.cpp; several blocks of C and C++
#                                         are linked together
#     <!-- of another library -->         not ours to compile: what a reader has today
# Where a block says … the reader does something of his own.
#     blocks.py <library of the functions> <C++ compiler and its arguments> -- <C compiler and its arguments>

import concurrent.futures
import dataclasses
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = {"cpp": ["-std=c++20"], "c": ["-std=gnu11"]}
# A page says how something is had; what is done with it is the reader's.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-Wno-unused-variable",
            "-Wno-unused-but-set-variable"]
# The miniature runtime has the mpi.h that stands for that of any MPI.
MPI_H = ["-I", str(ROOT / "examples" / "runtime" / "include")]
PATHS = ["-I", str(ROOT / "include"), "-isystem", str(ROOT / "subprojects" / "range-v3" / "include")]

FENCE = re.compile(r"^```(\w*)$")
MARK = re.compile(r"^<!-- (compiles|runs|prints|library|of another library)(?: (?:in|of) ([\w-]+))?( over an MPI)?(?: with (.+))? -->$")
TO_THE_TOP = re.compile(r"^(#include|#define|using namespace|using mpit)")


@dataclasses.dataclass
class Block:
    place: str
    language: str
    text: str
    mark: str
    frame: str
    is_over_an_mpi: bool
    environment: dict
    printed: str = None


def blocks_of(page):
    """Yields the blocks of a page that have a mark, or that are C or C++."""
    lines = page.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if not fence:
            at += 1
            continue
        end = lines.index("```", at + 1)
        mark = MARK.match(lines[at - 1]) if at > 0 else None
        if mark or fence[1] in FLAGS:
            settings = dict(each.split("=", 1) for each in (mark[4] or "").split()) if mark else {}
            yield Block(f"{page.relative_to(ROOT)}:{at + 2}", fence[1], "\n".join(lines[at + 1:end]) + "\n",
                        mark[1] if mark else "", mark[2] if mark else None, bool(mark and mark[3]), settings)
        at = end + 1


def source_of(block):
    """The file to compile: the block, in its frame where it has one."""
    text = block.text.replace("…", "{}")
    if block.frame is None:
        return text
    frame = (HERE / "frames" / f"{block.frame}.{block.language}").read_text(encoding="utf-8")
    if frame.count("@block@\n") != 1:
        return f"#error {block.frame}.{block.language} has not one line @block@\n"
    lines = text.splitlines(keepends=True)
    top = "".join(line for line in lines if TO_THE_TOP.match(line))
    return top + frame.replace("@block@\n", "".join(line for line in lines if not TO_THE_TOP.match(line)))


def run(command, **more):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)


def path_of_an_mpi():
    """Where the mpi.h of an MPI is, or nothing where none is installed."""
    for package in ("mpich", "ompi-c", "mpi"):
        found = run(["pkg-config", "--cflags-only-I", package])
        if found.returncode == 0 and found.stdout.strip():
            return [path.replace("-I", "-isystem", 1) for path in found.stdout.split()]
    return []


def compiled_by(compilers, language, *arguments):
    return run([*compilers[language], *FLAGS[language], *WARNINGS, *PATHS, *map(str, arguments)])


def compile_library(compilers, frame, parts, folder):
    """Compiles what blocks of a frame are linked with, once for all of them. Returns what is wrong, or nothing."""
    for number, (language, text) in enumerate(parts):
        source = folder / f"{frame}-library-{number}.{language}"
        source.write_text(text, encoding="utf-8")
        made = compiled_by(compilers, language, *MPI_H, source, "-c", "-o", source.with_suffix(".o"))
        if made.returncode != 0:
            return f"{source.name}: does not compile\n{made.stdout}"
    return ""


def complaint_of(block, compilers, functions, folder):
    """Compiles a block, and runs it where it says so. Returns what is wrong, or nothing."""
    source = folder / f"{re.sub(r'[^a-z0-9]+', '-', block.place.lower())}.{block.language}"
    source.write_text(source_of(block), encoding="utf-8")
    mpi_h = path_of_an_mpi() if block.is_over_an_mpi else MPI_H
    if not mpi_h:
        print(f"skipped: {block.place} needs an MPI", flush=True)
        return ""

    program, library = source.with_suffix(""), sorted(folder.glob(f"{block.frame}-library-*.o"))
    arguments = [*mpi_h, source]
    if block.mark != "runs":
        compiled = compiled_by(compilers, block.language, *arguments, "-fsyntax-only")
    elif not library:
        compiled = compiled_by(compilers, block.language, *arguments, "-pthread", "-o", program)
    else:
        compiled = compiled_by(compilers, block.language, *arguments, "-c", "-o", f"{program}.o")
        if compiled.returncode == 0:
            compiled = run([*compilers["cpp"], f"{program}.o", *map(str, library), functions, "-pthread", "-o", str(program)])
    if compiled.returncode != 0:
        return f"{block.place}: does not compile\n{compiled.stdout}"
    if block.mark != "runs":
        return ""
    ran = run([str(program)], env={**os.environ, **block.environment}, timeout=60)
    if ran.returncode != 0:
        return f"{block.place}: ends with {ran.returncode}\n{ran.stdout}"
    if ran.stdout != block.printed:
        difference = difflib.unified_diff(block.printed.splitlines(), ran.stdout.splitlines(), "shown", "printed", lineterm="")
        return f"{block.place}: prints something else\n" + "\n".join(difference)
    return ""


def main():
    border = sys.argv.index("--")
    functions, compilers = sys.argv[1], {"cpp": sys.argv[2:border], "c": sys.argv[border + 1:]}
    complaints, jobs, of_pages = [], [], {}
    libraries = {path.name.removesuffix("-library.cpp"): [("cpp", path.read_text(encoding="utf-8"))]
                 for path in (HERE / "frames").glob("*-library.cpp")}
    for page in PAGES:
        waiting = None
        for block in blocks_of(page):
            if block.mark == "prints":
                if waiting is None:
                    complaints.append(f"{block.place}: no block that runs stands before this one")
                else:
                    waiting.printed = block.text
                waiting = None
            elif block.mark == "":
                complaints.append(f"{block.place}: the block has no <!-- compiles --> above it; {pathlib.Path(__file__).name} "
                                  "says what else there is")
            elif block.mark == "library":
                of_pages.setdefault(block.frame, []).append((block.language, block.text))
            elif block.mark != "of another library":
                jobs.append(block)
                waiting = block if block.mark == "runs" else waiting
        if waiting is not None:
            complaints.append(f"{waiting.place}: runs, and no block says what it prints")
            jobs.remove(waiting)

    libraries.update(of_pages)
    frames = {block.frame for block in jobs if block.mark == "runs"}
    with tempfile.TemporaryDirectory() as made, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        folder = pathlib.Path(made)
        complaints += filter(None, pool.map(lambda frame: compile_library(compilers, frame, libraries[frame], folder),
                                            sorted(frames & libraries.keys())))
        found = pool.map(lambda block: complaint_of(block, compilers, functions, folder), jobs)
        for block, complaint in zip(jobs, found):
            print(f"{'failed' if complaint else 'ok':7} {block.place} {block.mark}", flush=True)
            complaints += [complaint] if complaint else []
    print("\n".join(complaints))
    print(f"{len(jobs)} blocks, {len(complaints)} complaints")
    return 1 if complaints or not jobs else 0


sys.exit(main())
