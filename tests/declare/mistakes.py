#!/usr/bin/env python3
# Rows whose storage has another type than their macro: the compiler refuses each, by the name of the row that fits if the storage is that of a
# control variable or a number, and the rows without a mistake have no warning, with C99 and with C11.
#     mistakes.py <folder of the headers> <C compiler and its arguments>

import re
import subprocess
import sys
import tempfile

HEAD = """#include <mpit/declare.h>
static int number; static long longer; static char* pointer; static char room[8]; static bool flag; static mpit_counter sent = MPIT_COUNTER_CELL;
static mpit_timer waiting = MPIT_TIMER_CELL;
"""
MISTAKES = {
    "a long as an int": ("MPIT_ROW_LONG", 'const mpit_control rows[] = {MPIT_ROW_INT("A", &longer, ""), MPIT_ROW_END};'),
    "an int as a bool": ("MPIT_ROW_INT_SWITCH_CHOICE", 'const mpit_control rows[] = {MPIT_ROW_BOOL("A", &number, ""), MPIT_ROW_END};'),
    "a bool as a switch": ("MPIT_ROW_BOOL", 'const mpit_control rows[] = {MPIT_ROW_SWITCH("A", &flag, ""), MPIT_ROW_END};'),
    "a pointer as a text": ("MPIT_ROW_TEXT_BY", 'const mpit_control rows[] = {MPIT_ROW_TEXT("A", pointer, ""), MPIT_ROW_END};'),
    "a counter as a timer": ("", 'const mpit_performance rows[] = {MPIT_ROW_TIMER("A", &sent, ""), MPIT_ROW_END};'),
    "a timer as a counter": ("", 'const mpit_performance rows[] = {MPIT_ROW_COUNTER("A", &waiting, ""), MPIT_ROW_END};'),
    "a pointer as an element": ("", 'struct s { char* a; };\nconst mpit_element rows[] = {MPIT_ROW_ELEMENT(struct s, a), MPIT_ROW_END};'),
    "a float as an element": ("", 'struct s { float a; };\nconst mpit_element rows[] = {MPIT_ROW_ELEMENT(struct s, a), MPIT_ROW_END};'),
    "a short array as an element": ("", 'struct s { short a[2]; };\nconst mpit_element rows[] = {MPIT_ROW_ELEMENT(struct s, a), MPIT_ROW_END};'),
    "no element of that name": ("", 'struct s { int a; };\nconst mpit_element rows[] = {MPIT_ROW_ELEMENT(struct s, b), MPIT_ROW_END};'),
    "a counter of whole units as seconds": ("", 'const mpit_performance rows[] = {MPIT_ROW_SECONDS("A", &sent, ""), MPIT_ROW_END};'),
    "a counter as a level": ("", 'const mpit_performance rows[] = {MPIT_ROW_LEVEL("A", &sent, ""), MPIT_ROW_END};'),
    "a counter as a histogram": ("", 'const mpit_performance rows[] = {MPIT_ROW_HISTOGRAM("A", &sent, ""), MPIT_ROW_END};'),
    "a timer as a latency": ("", 'const mpit_performance rows[] = {MPIT_ROW_LATENCY("A", &waiting, ""), MPIT_ROW_END};'),
    "a histogram as a counter": ("", 'static mpit_histogram h = MPIT_HISTOGRAM_CELL(0, 0, 31);\nconst mpit_performance rows[] = {MPIT_ROW_COUNTER("A", &h, ""), MPIT_ROW_END};'),
    "floats as bounds": ("", 'static unsigned long c[2]; static const float b[2];\nconst mpit_performance rows[] = {MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "A", &c[0], "", .count = 2, .bounds = b), MPIT_ROW_END};'),
    "a number as a state": ("", 'const mpit_performance rows[] = {MPIT_ROW_STATE("A", &number, NULL, ""), MPIT_ROW_END};'),
    "a counter as an event": ("", 'const mpit_event_type rows[] = {MPIT_ROW_EVENT("A", &sent, long, NULL, ""), MPIT_ROW_END};'),
    "an unsigned member as an int": ("MPIT_ROW_UNSIGNED", 'struct s { unsigned a; };\nconst mpit_control rows[] = {MPIT_ROW_MEMBER(INT, "A", struct s, a, ""), MPIT_ROW_END};'),
    "a float member as an int": ("MPIT_ROW_TEXT_BY", 'struct s { float a; };\nconst mpit_control rows[] = {MPIT_ROW_MEMBER(INT, "A", struct s, a, ""), MPIT_ROW_END};'),
    "a pointer member as a text": ("MPIT_ROW_TEXT_BY", 'struct s { char* a; };\nconst mpit_control rows[] = {MPIT_ROW_MEMBER(TEXT, "A", struct s, a, ""), MPIT_ROW_END};'),
    "an unsigned member of an object as an int": ("MPIT_ROW_UNSIGNED", 'struct s { unsigned a; };\nstatic void* find(uint64_t h, void* d) { (void)h; return d; }\nconst mpit_control rows[] = {MPIT_ROW_IN_OBJECT(INT, "A", struct s, a, find, ""), MPIT_ROW_END};'),
    "floats as ints": ("MPIT_ROW_TEXT_BY", 'static float f[2];\nconst mpit_control rows[] = {MPIT_ROW_NUMBERS(INT, "A", f, 2, ""), MPIT_ROW_END};'),
    "a float at an address as an unsigned": ("MPIT_ROW_TEXT_BY", 'static float f;\nconst mpit_performance rows[] = {MPIT_ROW_AT(LEVEL, UNSIGNED, "A", &f, ""), MPIT_ROW_END};'),
    "no member of that name": ("", 'struct s { int a; };\nconst mpit_control rows[] = {MPIT_ROW_MEMBER(INT, "A", struct s, b, ""), MPIT_ROW_END};'),
    "an unsigned long as a long": ("MPIT_ROW_UNSIGNED_LONG", 'static unsigned long l;\nconst mpit_control rows[] = {MPIT_ROW_LONG("A", &l, ""), MPIT_ROW_END};'),
    "a long long as bytes": ("MPIT_ROW_LONG_LONG", 'static long long l;\nconst mpit_control rows[] = {MPIT_ROW_BYTES("A", &l, ""), MPIT_ROW_END};'),
    "an unsigned long long as a double": ("MPIT_ROW_UNSIGNED_LONG_LONG", 'static unsigned long long l;\nconst mpit_control rows[] = {MPIT_ROW_DOUBLE("A", &l, ""), MPIT_ROW_END};'),
    "a double as a choice": ("MPIT_ROW_DOUBLE", 'static double d;\nconst mpit_control rows[] = {MPIT_ROW_CHOICE("A", &d, NULL, ""), MPIT_ROW_END};'),
    "a constant": ("const", 'static const int c = 1;\nconst mpit_control rows[] = {MPIT_ROW_INT("A", &c, ""), MPIT_ROW_END};'),
    "an array of char as an int": ("MPIT_ROW_TEXT", 'const mpit_control rows[] = {MPIT_ROW_INT("A", &room, ""), MPIT_ROW_END};'),
    "a member that is an array of char as an int": ("MPIT_ROW_TEXT", 'struct s { char a[4]; };\nconst mpit_control rows[] = {MPIT_ROW_MEMBER(INT, "A", struct s, a, ""), MPIT_ROW_END};'),
    "a pointer as a number": ("MPIT_ROW_TEXT_BY", 'const mpit_control rows[] = {MPIT_ROW_NUMBER("A", &pointer, ""), MPIT_ROW_END};'),
    "a bool as a number": ("MPIT_ROW_BOOL", 'const mpit_control rows[] = {MPIT_ROW_NUMBER("A", &flag, ""), MPIT_ROW_END};'),
    "a time as a number": ("MPIT_ROW_TEXT_BY", 'struct time { long seconds, microseconds; } t;\nconst mpit_control rows[] = {MPIT_ROW_NUMBER("A", &t, ""), MPIT_ROW_END};'),
    "a pointer as a text inside of a function": ("MPIT_ROW_TEXT_BY", 'int f(mpit_group* g) { const mpit_control rows[] = {MPIT_ROW_TEXT("A", pointer, ""), MPIT_ROW_END}; return mpit_add_controls(g, rows, NULL); }'),
}
RIGHT = """const mpit_control rows[] = {MPIT_ROW_INT("A", &number, ""), MPIT_ROW_BOOL("B", &flag, ""), MPIT_ROW_TEXT("C", room, ""), MPIT_ROW_END};
const mpit_performance measures[] = {MPIT_ROW_COUNTER("D", &sent, ""), MPIT_ROW_TIMER("E", &waiting, ""), MPIT_ROW_END};
struct s { int a; unsigned long b[3]; char c[8]; bool d; };
static mpit_real energy = MPIT_REAL_CELL; static mpit_real_level load = MPIT_REAL_LEVEL_CELL(0.5);
const mpit_performance reals[] = {MPIT_ROW_SECONDS("Q", &energy, ""), MPIT_ROW_REAL_LEVEL("R", &load, ""), MPIT_ROW_END};
double spend(void) { mpit_add_real(&energy, 1); mpit_change_real(&load, -1); mpit_set_real(&load, 0); return mpit_real_level_of(&load); }
static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31); mpit_histogram times = MPIT_HISTOGRAM_CELL(2, 6, 34);
struct device { mpit_histogram sizes; mpit_counter sums[MPIT_HISTOGRAM_SUMS(1, 4, 20)]; };
static unsigned long counts[2]; static const double bounds[2] = {64, __builtin_inf()};
const mpit_performance histograms[] = {MPIT_ROW_HISTOGRAM("V", &sizes, "", .when_watched = true), MPIT_ROW_LATENCY("W", &times, ""),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "X", &counts[0], "", .count = 2, .bounds = bounds), MPIT_ROW_END};
void begin(struct device* device) { mpit_init_histogram(&device->sizes, device->sums, 1, 4, 20); }
bool record(void) { mpit_record(&sizes, 1); mpit_record(&times, mpit_start()); return mpit_is_watched(&times); }
static volatile unsigned changing; static const double fixed = 1; static int pair[2];
const mpit_control others[] = {MPIT_ROW_MEMBER(INT, "H", struct s, a, ""), MPIT_ROW_MEMBER(TEXT, "I", struct s, c, ""),
    MPIT_ROW_MEMBER(BOOL, "J", struct s, d, ""), MPIT_ROW_NUMBERS(INT, "K", pair, 2, ""), MPIT_ROW_NUMBERS(INT, "L", &pair[0], 2, ""),
    MPIT_ROW_LONG("S", &longer, ""), MPIT_ROW_NUMBER("T", &longer, "", .range = {1, 2}), MPIT_ROW_NUMBER("U", &changing, ""), MPIT_ROW_END};
const mpit_performance numbers[] = {MPIT_ROW_AT(LEVEL, UNSIGNED, "M", &changing, ""), MPIT_ROW_AT(LEVEL, DOUBLE, "N", &fixed, ""), MPIT_ROW_END};

static void* find(uint64_t handle, void* data) { (void)handle; return data; }
const mpit_control of_objects[] = {MPIT_ROW_IN_OBJECT(INT, "O", struct s, a, find, "", .bind = MPIT_BIND_COMM, .handle_size = 4),
    MPIT_ROW_IN_OBJECT(UNSIGNED_LONG, "P", struct s, b[0], find, "", .count = 3), MPIT_ROW_END};
const mpit_element elements[] = {MPIT_ROW_ELEMENT(struct s, a), MPIT_ROW_ELEMENT(struct s, b), MPIT_ROW_ELEMENT(struct s, c), MPIT_ROW_END};
static mpit_event happened;
const mpit_event_type events[] = {MPIT_ROW_EVENT("F", &happened, struct s, elements, ""), MPIT_ROW_END};
long* keep(char** other) { *other = pointer; mpit_add(&sent, 1); return &longer; }
"""


def compiled(headers, compiler, standard, text):
    """Whether the text compiles without a warning."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write(HEAD + text + "\n")
        source.flush()
        done = subprocess.run([*compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Wno-unused-variable", "-Werror",
                               "-fsyntax-only", "-I", headers, source.name], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0, done.stdout


def main():
    headers, *compiler = sys.argv[1:]
    failed = 0
    for standard in ("c99", "c11"):
        is_good, said = compiled(headers, compiler, standard, RIGHT)
        if not is_good:
            print(f"failed  rows without a mistake, {standard}\n{said}")
            failed += 1
        for name, (expected, text) in MISTAKES.items():
            is_good, said = compiled(headers, compiler, standard, text)
            named = re.findall(r"error: .*struct mpit_\w*?(MPIT_ROW_\w+|const)\b", said)
            if is_good or (expected and expected not in named):
                print(f"failed  {name}, {standard}: the compiler has named {named} in\n{said}")
                failed += 1
    print(f"{2 * (len(MISTAKES) + 1)} texts, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
