#!/usr/bin/env python3
"""What MPIT_PROBES=1 adds to an object: the notes of its probes, as readelf reads them, one nop and one load at a raise, and the
values that gdb reads in a running program. Without the macro there is no note.
    probes.py <include folder> <C++ compiler> -- <C compiler>"""

import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

DECLARED = """#include <mpit/mpit.hpp>
#include <mpit/dynamic.hpp>
enum class color { red, green };
struct unexpected_message { int source; unsigned tag; unsigned long bytes; };
struct every_type { color c; char letter; double seconds; mpit::count n; mpit::exact<std::uint32_t> e; char text[16]; long long l; };
struct ten { int a, b, c, d, e, f, g, h, i, j; };
struct eleven { int a, b, c, d, e, f, g, h, i, j, k; };
struct nothing {};
struct a_payload_with_a_name_of_more_than_48_characters_in_it { int a; };
using communicator = mpit::object<mpit::binding::communicator, int>;
struct probed : mpit::category<"probed", "Events and a timer"> {
    mpit::event<unexpected_message> unexpected{this, "probed_unexpected", "An event"};
    mpit::event<unexpected_message, communicator> bound{this, "probed_bound", "An event"};
    mpit::event<every_type> types{this, "probed_types", "An event"};
    mpit::event<ten> tens{this, "probed_tens", "An event"};
    mpit::event<eleven> elevens{this, "probed_elevens", "An event"};
    mpit::event<nothing> nothings{this, "probed_nothings", "An event"};
    mpit::timer waiting{this, "probed_waiting", "A timer"};
};
inline constexpr auto& all = mpit::registered<probed>;
mpit::event_cell<a_payload_with_a_name_of_more_than_48_characters_in_it> cell;
extern "C" void raise_unexpected(int source, unsigned tag, unsigned long bytes) { all.unexpected(source, tag, bytes); }
int main(int count, char**) {
    raise_unexpected(count - 3, 5, 1ul << 40);
    all.bound[count + 6].defer(unexpected_message{1, 2, 3});
    all.types(every_type{color::green, 'x', 0.5, {7}, {8}, "text", 9});
    all.tens.raise(mpit::safety::none, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    all.elevens(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    all.nothings();
    cell(1);
    const auto running = all.waiting.start();
}
"""
OF_DECLARED = {"unexpected_message": "8 8 -4 4 8", "every_type": "8 8 -4 -1 8 -8 4 8 -8", "ten": "8 8" + 10 * " -4", "eleven": "8 8 8",
               "nothing": "8 8", "a_payload_with_a_name_of_more_than_48_characters": "8 8 -4", "timer_start": "8 8", "timer_stop": "8 8"}
TABLE = """#include <mpit/declare.h>
struct arrival { int source; char text[8]; };
static mpit_event arrived;
static mpit_timer waiting = MPIT_TIMER_CELL;
int evaluated;
void receive(int source) {
    mpit_raise(&arrived, &(struct arrival){source, "abc"});
    mpit_raise_in(&arrived, ++evaluated, &(struct arrival){source, "abc"});
    mpit_defer(&arrived, 0, &(struct arrival){source, "abc"});
    mpit_stop(&waiting, mpit_start());
}
"""
OF_TABLE = {"event": "8 8 8", "timer_stop": "8 8"}
SEEN = [("unexpected_message", "probed_unexpected", [0, -2, 5, 1 << 40]), ("unexpected_message", "probed_bound", [7, 1, 2, 3]),
        ("every_type", "probed_types", [0, 1, ord("x"), 0x3fe0000000000000, 7, 8])]
failed = 0


def check(holds, what):
    global failed
    failed += not holds
    print(f"{'ok' if holds else 'failed':7} {what}")


def compiled(command, source, folder):
    file = folder / ("source.c" if source == TABLE else "source.cpp")
    file.write_text(source, encoding="ascii")
    subprocess.run([*command, "-fsigned-char", "-c", file, "-o", folder / "object.o"], check=True)
    return folder / "object.o"


def notes(file):
    """The probes of an object: name -> sizes of the values."""
    shown = subprocess.run(["readelf", "-n", file], text=True, stdout=subprocess.PIPE, check=True).stdout
    found = re.findall(r"Provider: mpit\n *Name: (\S+)\n.*\n *Arguments: ?(.*)", shown)
    return {name: " ".join(re.findall(r"(\S+)@", values)) for name, values in found}


def has_section(file):
    return "stapsdt" in subprocess.run(["readelf", "-SW", file], text=True, stdout=subprocess.PIPE, check=True).stdout


def raise_of(file):
    """The instructions of a raise without a listener."""
    shown = subprocess.run(["objdump", "-d", "--no-show-raw-insn", file], text=True, stdout=subprocess.PIPE, check=True).stdout
    body = shown[shown.index("<raise_unexpected>:"):]
    return re.findall(r"^ +[0-9a-f]+:\t(\S+)", body[:body.index("\tret")], re.M)


def check_values(program):
    """gdb stops at the first probes of main() and reads their values."""
    if shutil.which("gdb") is None:
        print("skipped: gdb is not here to read the values of probes")
        return
    commands = [f"break -probe-stap mpit:{name}" for name in ("unexpected_message", "every_type")] + ["run"]
    for _, _, values in SEEN:
        commands += ["output (char*)$_probe_arg0", *(f'printf ",%ld", $_probe_arg{i + 1}' for i in range(len(values))), 'printf "\\n"', "continue"]
    shown = subprocess.run(["gdb", "-nx", "-q", "-batch", *(word for command in commands for word in ("-ex", command)), program],
                           text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
    if "ptrace" in shown:
        print("skipped: gdb must not trace here")
        return
    for _, name, values in SEEN:
        check(f'"{name}",' + ",".join(map(str, values)) + "\n" in shown, f"gdb reads the values of {name}")
    if failed:
        print(shown)


def main():
    border = sys.argv.index("--")
    headers, cpp, c = sys.argv[1], sys.argv[2:border], sys.argv[border + 1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for command, source, expected in (([*cpp, "-std=c++20"], DECLARED, OF_DECLARED), ([*c, "-std=c99", "-pedantic"], TABLE, OF_TABLE)):
            for level in ("-O0", "-O2"):
                options = [*command, level, "-fPIC", "-Wall", "-Wextra", "-Werror", "-I", headers]
                plain = compiled(options, source, folder)
                what = f"{command[0]} {command[1]} {level}"
                check(not has_section(plain) and not notes(plain), f"{what}: no note without MPIT_PROBES")
                without = raise_of(plain) if source == DECLARED else []
                probed = compiled([*options, "-DMPIT_PROBES=1"], source, folder)
                found = notes(probed)
                check(found == expected, f"{what}: {found}")
                if source == DECLARED and level == "-O2" and platform.machine() == "x86_64":
                    more = raise_of(probed)
                    check(len(more) == len(without) + 2 and more.count("nop") == without.count("nop") + 1,
                          f"a raise has a nop and the load of the name more: {more}")
                if source == DECLARED:
                    subprocess.run([*cpp, probed, "-pthread", "-ldl", "-o", folder / f"program{level}"], check=True)
        check_values(folder / "program-O2")
    return 1 if failed else 0


sys.exit(main())
