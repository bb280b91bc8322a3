#!/usr/bin/env python3
"""Writes what is made of functions.txt: `generate.py passing functions.txt >passing.inc`, and
`generate.py counting functions.txt >counting.inc`.
"""

import re
import sys

# The classes of functions, in the order of the table that a person reads, and what a description calls them.
CLASSES = {
    "send": "sends", "receive": "receives", "send_receive": "sends with a receive", "wait": "waits and tests of requests",
    "start": "starts of persistent requests", "probe": "probes", "barrier": "barriers",
    "one_to_all": "collectives from one process to all", "all_to_one": "collectives from all processes to one",
    "all_to_all": "collectives from all processes to all", "scan": "scans", "neighbour": "collectives of neighbours",
    "one_sided": "one-sided operations", "window_sync": "synchronizations of windows", "file": "operations on files",
    "other": "operations on communicators, windows, datatypes and requests",
}

# The argument that says whether a poll has succeeded.
POLLS = {"MPI_Test": 1, "MPI_Testall": 2, "MPI_Testany": 3, "MPI_Testsome": 2, "MPI_Iprobe": 3, "MPI_Improbe": 3, "MPI_Win_test": 1}
# The classes of functions that all processes of a communicator call, and the functions that make a communicator, which is their last
# argument. Not all processes of the communicator of the first argument call the latter ones.
COLLECTIVE = ("barrier", "one_to_all", "all_to_one", "all_to_all", "scan", "neighbour")
OF_SOME = ("MPI_Comm_create_group", "MPI_Intercomm_merge", "MPI_Intercomm_create")
MAKERS = ("MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_split", "MPI_Comm_split_type", "MPI_Comm_create", "MPI_Cart_create",
          "MPI_Graph_create", "MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent", *OF_SOME)


def functions(path):
    """The lines of the table: name, arguments, class, communicator, peer, bytes, and a dictionary of flags."""
    with open(path, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith(("#", "function "))]
    for name, arguments, class_, communicator, peer, carried, flags in rows:
        flags = dict((flag.split("=") + [""])[:2] for flag in flags.split(",") if flag != "-")
        yield name, int(arguments), class_, communicator, peer, carried, flags


def symbols(rows):
    """The symbols of the table in their order: name, the function that it stands for, arguments."""
    for name, arguments, *_, flags in rows:
        for suffix in ("", "_c") if "large" in flags else ("",):
            for prefix in ("", "P"):
                yield prefix + name + suffix, name, arguments


def passing(rows):
    """The functions that stand in front of those of the MPI, for pass_on.c."""
    for number, (symbol, _, arguments) in enumerate(symbols(rows)):
        names = [f"a{i}" for i in range(arguments)]
        parameters = ", ".join(f"uintptr_t {name}" for name in names)
        yield f"PASS_ON({number}, {symbol}, ({parameters}), ({', '.join(names)}))"
    yield "#ifdef NAMES_OF_FUNCTIONS"
    yield ",\n".join(f'"{symbol}"' for symbol, *_ in symbols(rows))
    yield "#endif"


def index(word):
    """An index of an argument, -1 for none."""
    return word if word not in ("-", "") else "-1"


def logged(row):
    """What the call log has of a function: which arguments are the other process or the root, the tag, the request that the function
    creates, the requests that it waits for and their number, the flag of a poll, the sender of a send with a receive, and the new communicator; and whether all
    processes of the communicator call it.
    """
    name, arguments, class_, communicator, peer, *_ = row
    comm = int(communicator) if communicator != "-" else -1
    found = dict.fromkeys(("other", "tag", "made", "awaited", "requests", "flag", "sender", "new_communicator"), -1)
    if peer != "-":
        found.update(other=int(peer), tag=int(peer) + 1)
    elif class_ == "probe":
        found.update(other=comm - 2, tag=comm - 1)
    elif class_ in ("one_to_all", "all_to_one"):
        found.update(other=comm - 1)
    if class_ == "send_receive":
        found.update(sender=comm - 2)
    if re.match(r"MPI_(I(?!probe|mprobe|ntercomm)|R(put|get|accumulate)|File_i|Comm_idup|\w+_init$)", name):
        found.update(made=arguments - 1)
    if name in ("MPI_Wait", "MPI_Test", "MPI_Start"):
        found.update(awaited=0)
    elif class_ in ("wait", "start"):
        found.update(awaited=1, requests=0)
    found.update(flag=POLLS.get(name, -1))
    if name in MAKERS:
        found.update(new_communicator=arguments - 1)
    found["is_collective"] = class_ in COLLECTIVE or name in MAKERS and name not in OF_SOME or name == "MPI_Comm_idup"
    return ", ".join(f"{key} = {str(value).lower()}" for key, value in found.items() if key != "is_collective"), found["is_collective"]


def has_bytes(row):
    """Whether the bytes of a function are counted: those of a persistent request are when it is started."""
    return row[5] != "-" and "persistent" not in row[6]


def traits(row):
    """What the counting functions know of a function when they are compiled."""
    name, _, class_, communicator, peer, carried, flags = row
    form, amounts = carried.split(":") if ":" in carried else ("once", carried)
    count, datatype = amounts.split("*") if "*" in carried else ("-1", "-1")
    return (f"struct {name}_traits {{ static constexpr function number = function::{name}; "
            f"static constexpr function_class of = function_class::{class_}; "
            f"static constexpr int communicator = {index(communicator)}, peer = {index(peer)}, count = {count}, "
            f"datatype = {datatype}, {logged(row)[0]}, status = {index(flags.get('status', '-'))}, in_place = {index(flags.get('in_place', '-'))}; "
            f"static constexpr amount form = amount::{form}; static constexpr bool waits = {str('waits' in flags).lower()}, "
            f"has_bytes = {str(has_bytes(row)).lower()}, is_persistent = {str('persistent' in flags).lower()}, "
            f"is_collective = {str(logged(row)[1]).lower()}; static constexpr object frees = object::{flags.get('frees', 'none')}; }};")


def members(row):
    """The variables of a function."""
    name, *_, flags = row
    yield f'mpit::counter<> {name}_calls{{this, "{name}_calls", "Calls of {name}"}};'
    yield f'mpit::timer {name}_time{{this, "{name}_time", "Time in {name}, in seconds"}};'
    if has_bytes(row):
        yield f'mpit::aggregate<> {name}_bytes{{this, "{name}_bytes", "Bytes given to {name}, or received by it"}};'
    if "waits" in flags:
        yield (f'mpit::timer {name}_waited{{this, "{name}_waited", '
               f'"Time in {name} beyond that of the transfer: an estimate of the time waited for others, in seconds"}};')


def counting(rows):
    """The counting functions and the variables, for counting.hpp."""
    yield "#ifdef MPIT_INFO_NUMBERS"
    yield f"enum class function {{ {', '.join(row[0] for row in rows)}, count }};"
    yield f"enum class function_class {{ {', '.join(CLASSES)}, count }};"
    yield "inline const char* const names_of_classes[] = {" + ", ".join(f'"{each}"' for each in CLASSES) + "};"
    yield f"inline constexpr int symbols = {len(list(symbols(rows)))};"
    yield "#endif\n#ifdef MPIT_INFO_NAMES"
    yield from (f'"{row[0]}",' for row in rows)
    yield "#endif\n#ifdef MPIT_INFO_BOUND"
    yield from bound()
    yield "#endif\n#ifdef MPIT_INFO_COMPUTED"
    yield from computed()
    yield "#endif\n#ifdef MPIT_INFO_VARIABLES"
    for row in rows:
        yield from members(row)
    yield "#endif\n#ifdef MPIT_INFO_CELLS"
    for row in rows:
        name, _, class_, *_, flags = row
        bytes_ = f"&functions.{name}_bytes" if has_bytes(row) else "nullptr"
        waited = f"&functions.{name}_waited" if "waits" in flags else "nullptr"
        yield (f'{{"{name}", function_class::{class_}, &functions.{name}_calls, {bytes_}, &functions.{name}_time, {waited}}},')
    yield "#endif\n#ifdef MPIT_INFO_TRAITS"
    yield from map(traits, rows)
    yield "#endif\n#ifdef MPIT_INFO_COUNTING"
    for number, (symbol, name, arguments) in enumerate(symbols(rows)):
        yield f"COUNTING({number}, {name}, {arguments}, {'MPI_Count' if symbol.endswith('_c') else 'int'})"
    yield "#endif"


def bound():
    """The variables of communicators, by class."""
    for class_, words in CLASSES.items():
        for what, type_, text in (("calls", "counter<unsigned long long, communicator_object>", f"Number of {words}"),
                                  ("bytes", "aggregate<unsigned long long, communicator_object>", f"Bytes of {words}"),
                                  ("time", "timer_of<double, communicator_object>", f"Time in {words}, in seconds"),
                                  ("waited", "timer_of<double, communicator_object>",
                                   f"Time that {words} waited for others, an estimate, in seconds")):
            yield (f'mpit::{type_} {class_}_{what}{{this, "communicator_{class_}_{what}", "{text}, in this communicator", '
                   f'{{.locate = &located<function_class::{class_}, &communicator_cells::{what}>}}}};')


def computed():
    """The sums over all functions of a class."""
    for class_, words in CLASSES.items():
        for what, kind, type_, text in (("calls", "counter", "unsigned long long", f"Number of {words}"),
                                        ("bytes", "aggregate", "unsigned long long", f"Bytes of {words}"),
                                        ("time", "timer", "double", f"Time in {words}, in seconds"),
                                        ("waited", "timer", "double", f"Time that {words} waited for others, an estimate, in seconds")):
            yield (f'mpit::computed<mpit::performance_class::{kind}, {type_}> {class_}_{what}{{this, "{class_}_{what}", "{text}", '
                   f'{{.value = &total_{what}<function_class::{class_}>}}}};')


def main():
    """Writes one of the parts."""
    part, path = sys.argv[1:]
    makers = {"passing": passing, "counting": counting}
    print("\n".join(makers[part](list(functions(path)))))


if __name__ == "__main__":
    main()
