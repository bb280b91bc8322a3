#!/usr/bin/env python3
# Compiles every mistake in this folder and demands that the compiler refuses it with the words of its EXPECT lines.
#     run.py <include folder> <compiler and its arguments>
# accepted.cpp, the same surroundings without a mistake, has to compile: otherwise everything would be refused.

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
EXPECT = re.compile(r"^//\s*EXPECT:(.*)$", re.MULTILINE)


def squeeze(text):
    """Complaints are names of functions, expectations are sentences: they are compared without what parts words."""
    return re.sub(r"[\s_]", "", text)


def compile_text(command, text):
    """The text comes through standard input, since the name of its file may contain the awaited words, and without its
    EXPECT lines for the same reason. An object is wanted, because -fsyntax-only may evaluate less."""
    with tempfile.TemporaryDirectory() as scratch:
        return subprocess.run(
            [*command, "-c", "-x", "c++", "-", "-o", f"{scratch}/object.o"],
            input=EXPECT.sub("", text), cwd=FOLDER, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def judge(command, path):
    """Returns an empty string when the compiler did as it should, else what went wrong."""
    text = path.read_text(encoding="utf-8")
    compiled = compile_text(command, text)
    if path.name == "accepted.cpp":
        return "" if compiled.returncode == 0 else "does not compile:\n" + compiled.stdout
    expectations = [words.strip() for words in EXPECT.findall(text)]
    if not all(expectations) or not expectations:
        return "has no words after EXPECT"
    if compiled.returncode == 0:
        return "compiles although it should not"
    missing = [words for words in expectations if squeeze(words) not in squeeze(compiled.stdout)]
    return f"is refused without the words «{missing[0]}»:\n{compiled.stdout}" if missing else ""


def main():
    command = [*sys.argv[2:], "-std=c++20", "-I", str(pathlib.Path(sys.argv[1]).resolve())]
    paths = [FOLDER / "accepted.cpp", *sorted(set(FOLDER.glob("*.cpp")) - {FOLDER / "accepted.cpp"})]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for path, complaint in zip(paths, pool.map(lambda path: judge(command, path), paths)):
            failed += bool(complaint)
            print(f"failed  {path.name} {complaint}" if complaint else f"ok      {path.name}", flush=True)
    print(f"refuse: {len(paths) - failed} passed, {failed} failed")
    return 1 if failed or len(paths) < 2 else 0


sys.exit(main())
