#!/usr/bin/env python3
# What a program pays at load for variables that it may never describe: the relocations of tables and of the functions. A row of a
# static table has three, a row of an automatic table none, whichever compiler; an automatic enumeration has at most one, which gcc 16
# keeps to store its two addresses at once. The functions have at most 200.
#     relocations.py <include folder> <archive of the functions> <C compiler>

import re
import subprocess
import sys
import tempfile

ROWS = 40
MOST_OF_FUNCTIONS = 200
OF_STORAGE = 3                  # the addresses in `used`, and that of the sums of a histogram
SOURCE = """
{automatic}
#include <mpit/declare.h>
struct arrival {{ int source; double seconds; }};
static int number; static _Bool flag; static size_t bytes; static char text[16]; static int choice;
static unsigned long received; static mpit_counter sent = MPIT_COUNTER_CELL; static mpit_level queued = MPIT_LEVEL_CELL(0);
static mpit_event arrived;
static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31);
static mpit_real waited = MPIT_REAL_CELL; static mpit_real_level load = MPIT_REAL_LEVEL_CELL(0.5); static mpit_source card;
struct communicator {{ int limit; }};
void* communicator_of(uint64_t handle, void* data);
void values_of(uint64_t handle, unsigned first, unsigned count, void* values, void* data);
int64_t ticks(void);
int* const used[] = {{&number, &choice}};
{storage}
int describe(mpit_group* group);
int describe(mpit_group* group) {{
    {inside}
    return mpit_add_controls(group, controls, NULL) + mpit_add_performance(group, measures, NULL) + mpit_add_events(group, events) +
           mpit_add_controls(group, of_objects, NULL) + mpit_add_performance(group, reals, NULL) +
           mpit_add_performance(group, arrays, NULL) + mpit_add_sources(group, sources);
}}
"""
ENUMERATION = """
#define MPIT_AUTOMATIC_TABLES
#include <mpit/declare.h>
void use(const mpit_enumeration* enumeration);
void name(void);
void name(void) {
    const mpit_item items[] = {MPIT_ROW_ITEM("ring", 0), MPIT_ROW_ITEM("tree", 1, "binomial"), MPIT_ROW_END};
    const mpit_enumeration algorithms = {"algorithm", items};
    use(&algorithms);
}
"""
TABLES = """
{kind} mpit_item items[] = {{MPIT_ROW_ITEM("ring", 0), MPIT_ROW_ITEM("tree", 1, "binomial"), MPIT_ROW_END}};
{kind} mpit_enumeration algorithms = {{"algorithm", items}};
{kind} mpit_control controls[] = {{
{controls}
    MPIT_ROW_END}};
{kind} mpit_performance measures[] = {{
    MPIT_ROW_COUNTER("sent", &sent, "Messages sent"), MPIT_ROW_LEVEL("queued", &queued, "Messages that wait"),
    MPIT_ROW_HISTOGRAM("sizes", &sizes, "Sizes of messages, in bytes"),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "received", &received, "Messages received"), MPIT_ROW_END}};
{kind} mpit_element elements[] = {{
    MPIT_ROW_ELEMENT(struct arrival, source), MPIT_ROW_ELEMENT(struct arrival, seconds), MPIT_ROW_END}};
{kind} mpit_event_type events[] = {{MPIT_ROW_EVENT("arrived", &arrived, struct arrival, elements, "A message has come"), MPIT_ROW_END}};
{kind} mpit_control of_objects[] = {{
    MPIT_ROW_IN_OBJECT(INT, "limit", struct communicator, limit, communicator_of, "Largest message sent at once, in bytes",
                       .bind = MPIT_BIND_COMM, .handle_size = 8), MPIT_ROW_END}};
{kind} mpit_performance reals[] = {{
    MPIT_ROW_SECONDS("waited", &waited, "Time spent waiting, in seconds"), MPIT_ROW_REAL_LEVEL("load", &load, "Load"), MPIT_ROW_END}};
{kind} mpit_performance arrays[] = {{
    MPIT_ROW_GET_ALL(COUNTER, UNSIGNED_LONG, "per_peer", values_of, "Messages to each process", .count = 4), MPIT_ROW_END}};
{kind} mpit_source_type sources[] = {{MPIT_ROW_SOURCE("card", &card, ticks, "Clock of the network card"), MPIT_ROW_END}};
"""
OF_A_ROW = ("MPIT_ROW_INT({}, &number, {})", "MPIT_ROW_BOOL({}, &flag, {})", "MPIT_ROW_BYTES({}, &bytes, {})",
            "MPIT_ROW_TEXT({}, text, {})", "MPIT_ROW_CHOICE({}, &choice, &algorithms, {})")


def relocations(path):
    """The relocations of data, each of which the loader applies in every process."""
    shown = subprocess.run(["readelf", "-rW", path], text=True, stdout=subprocess.PIPE, check=True).stdout
    found, in_data = 0, False
    for line in shown.splitlines():
        if section := re.match(r"Relocation section '\.rela?(\.[^']*)'", line):
            in_data = re.match(r"\.(data|init_array|tdata)", section[1]) is not None
        elif in_data and re.match(r"[0-9a-f]{8,} ", line):
            found += 1
    return found


def compiled(command, headers, folder, flags, text):
    source, made = f"{folder}/tables.c", f"{folder}/tables.o"
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run([*command, "-fPIC", "-Wall", "-Wextra", "-Werror", *flags, "-I", headers, "-c", source, "-o", made], check=True)
    return relocations(made)


def of_tables(command, headers, folder, flags, is_automatic):
    kind = "const" if is_automatic else "static const"
    rows = [f"    {OF_A_ROW[i % 5].format(f'{chr(34)}TESTS_VARIABLE_{i}{chr(34)}', f'{chr(34)}Description {i}{chr(34)}')}," for i in range(ROWS)]
    tables = TABLES.format(kind=kind, controls="\n".join(rows))
    return compiled(command, headers, folder, flags,
                    SOURCE.format(automatic="#define MPIT_AUTOMATIC_TABLES" if is_automatic else "", storage="" if is_automatic else tables,
                                  inside=tables if is_automatic else "")) - OF_STORAGE


def main():
    headers, functions, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    failed = 0

    def check(is_right, words):
        nonlocal failed
        failed += not is_right
        print(f"{'ok' if is_right else 'failed':7} {words}")

    with tempfile.TemporaryDirectory() as folder:
        static = of_tables(command, headers, folder, ["-O2", "-std=c11"], False)
        check(static >= 3 * ROWS, f"{static} relocations of {ROWS} static rows")
        for flags in (["-O2", "-std=c99"], ["-O2", "-std=c11"], ["-O0", "-std=c11"], ["-O3", "-std=c11"]):
            enumeration = compiled(command, headers, folder, flags, ENUMERATION)
            automatic = of_tables(command, headers, folder, flags, True) - enumeration
            check(automatic == 0, f"{automatic} relocations of {ROWS} automatic rows with {' '.join(flags)}")
            check(enumeration <= 1, f"{enumeration} of an automatic enumeration")
    of_functions = relocations(functions)
    check(0 < of_functions <= MOST_OF_FUNCTIONS, f"{of_functions} relocations of the functions, at most {MOST_OF_FUNCTIONS}")
    return 1 if failed else 0


sys.exit(main())
