#!/usr/bin/env python3
# The machine code of one line of an author: the instructions and their size.
#     code.py [--json FILE] [--compilers g++ clang++]

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"
FLAGS = ["-std=c++20", "-O2", "-ffunction-sections", "-fcf-protection=none", "-I", str(INCLUDE)]
SOURCE = """#include <mpit/mpit.hpp>
struct message { int source; int tag; unsigned long bytes; };
struct library_variables : mpit::category<"library", "Variables"> {
    mpit::counter<> messages{this, "messages_sent", "Messages sent"};
    mpit::aggregate<> bytes{this, "bytes_sent", "Bytes sent"};
    mpit::histogram<> sizes{this, "message_sizes", "Sizes of the messages sent, in bytes"};
    mpit::control<int> limit{this, "LIBRARY_EAGER_LIMIT", "Largest message sent at once, in bytes"};
    mpit::event<message> arrived{this, "message_arrived", "A message came"};
};
extern template struct mpit::tree_holder<library_variables>;
inline constexpr auto& library = mpit::registered<library_variables>;
static thread_local unsigned long thread_local_word;
"""
# The line, the parameters of a function around it, and what that function answers.
LINES = {
    "++library.messages;": ("", "void"),
    "library.bytes += size;": ("unsigned long size", "void"),
    "library.sizes.record(size);": ("unsigned long size", "void"),
    "library.arrived(1, 2, 3ul);": ("", "void"),
    "return size <= library.limit;": ("int size", "bool"),
    "++thread_local_word;": ("", "void"),
}
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.*?)\s*$")
RELOCATION = re.compile(r"^\t+[0-9a-f]+: R_X86_64_\w+\t(.*?)(?:[-+]0x[0-9a-f]+)?$")
# Names of the linker, and what they are to a reader.
READABLE = [(re.compile(r"mpit::\S*tree_holder<library_variables>::held"), "library"),
            (re.compile(r"mpit::\S*this_thread_shard"), "shard_of_this_thread"),
            (re.compile(r"\.text\.unlikely\S*|\S+\.cold"), "slow_path"),
            (re.compile(r"mpit::\S*::(?:internal|core)::(\w+)\(.*"), r"\1")]


def source():
    functions = [f'extern "C" {answer} line_{number}({parameters}) {{ {line} }}'
                 for number, (line, (parameters, answer)) in enumerate(LINES.items())]
    return SOURCE + "\n".join(functions) + "\n"


def with_name(instruction, relocation):
    """The instruction with the name of the place that the linker fills in."""
    for pattern, name in READABLE:
        relocation = pattern.sub(name, relocation)
    if instruction.startswith(("call", "j")):
        return f"{instruction.split()[0]} {relocation}"
    return instruction.replace("rip+0x0", f"rip+{relocation}").replace("fs:0x0", f"fs:{relocation}")


def code_of(result, function):
    """The instructions of a function up to its first return, and the bytes that they take."""
    command = ["objdump", "-dr", "-C", "-Mintel", "--no-show-raw-insn", f"--section=.text.{function}", result]
    listed = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    instructions, first = [], None
    for line in listed.splitlines():
        if found := INSTRUCTION.match(line):
            first = int(found[1], 16) if first is None else first
            if found[2].startswith("ret"):
                return instructions, int(found[1], 16) - first
            instruction = re.sub(r"\s+#.*", "", found[2])
            instructions.append(re.sub(r"^(j\w+)\s.*<.*", r"\1 slow_path", re.sub(r"\s+", " ", instruction)))
        elif instructions and (found := RELOCATION.match(line)):
            instructions[-1] = with_name(instructions[-1], found[1])
    raise SystemExit(f"{function} does not return")


def measure(compilers):
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "lines.cpp").write_text(source(), encoding="utf-8")
        for compiler in compilers:
            result = folder / "lines.o"
            subprocess.run([compiler, *FLAGS, "-c", str(folder / "lines.cpp"), "-o", str(result)], check=True)
            for number, line in enumerate(LINES):
                instructions, length = code_of(str(result), f"line_{number}")
                rows.append({"line": line, "compiler": compiler, "bytes": length, "instructions": instructions})
    return rows


def main():
    parser = argparse.ArgumentParser(description="What compilers make of one line of an author's.")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results to this file")
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++"])
    chosen = parser.parse_args()
    rows = measure([compiler for compiler in chosen.compilers if shutil.which(compiler)])
    for row in rows:
        print(f"{row['line']}   {row['compiler']}, {row['bytes']} bytes")
        print("".join(f"    {instruction}\n" for instruction in row["instructions"]))
    if chosen.json:
        chosen.json.write_text(json.dumps({"code": rows}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
