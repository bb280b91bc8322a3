#!/usr/bin/env python3
# Puts the results of all benchmarks into one JSON file, the plots and the tables of docs/performance.md into their places, and every
# table into tables.md beside the results.
#     report.py --stamp <build folder> <file>                 the machine, before anything is measured
#     report.py [--check | --print] [<folder of parts>] <results.json>
# With a folder results.json is written first. --check says whether document and plots are those of the results, and changes
# nothing; --print shows the tables. Blocks without new measurements are not changed.

import argparse
import json
import pathlib
import sys

from report import beside, collect, documents, plots, selection, stamp, tables
from report.results import Results

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "performance.md"


def was_busy(results):
    """Whether two threads that change one word hardly met, because others wanted the processors."""
    one, two = (results[f"hot/shared atomic/{way}"] for way in ("1 thread", "2 threads on one"))
    return one is not None and two is not None and two.median < 1.5 * one.median


def machine(results):
    said = results.part("machine")
    loads = [f"{said[when]:.1f}" for when in ("load_before", "load_after")]
    return [f"{said['processor']}; {said['system']}; {said['compiler']} with `{said['flags']}`; commit {said['commit']};"
            f" load {loads[0]} before and {loads[1]} after; {said['date'][:10]}."
            + (" **The machine was busy**: two threads hardly ever ran at one moment, so that rows of two threads say"
               " little." if was_busy(results) else "")]


def blocks(results):
    """Every table by its name, None if it was not measured."""
    return {
        "machine": machine(results),
        "costs": selection.block(results),
        "counter": tables.counter_code(results),
        "instructions": selection.instructions(results),
        "calls": beside.alone(results, beside.TABLED),
        "library": results.printed("library"),
        "growth": results.printed("growth"),
        "index": tables.index(results),
        "index-threads": tables.index_threads(results),
        "index-cold": tables.index_cold(results),
        "index-peers": beside.names(results),
        "hot": tables.hot(results),
        "code": tables.code(results),
        "events": tables.events(results),
        "others": tables.others(results),
        "distribution": tables.distribution(results),
        "session": tables.session(results),
        "batch": tables.batch(results),
        "compile": tables.compilers(results),
        "registration": tables.registration(results),
        "start": tables.start(results),
        "load": tables.load(results),
        "peers-alone": beside.alone(results),
        "peers": beside.calls(results),
        "peers-instructions": beside.instructions(results),
        # The times of processes that wait for each other say nothing if they also wait for other programs.
        "across": None if was_busy(results) else beside.few_processes(results),
        "across-many": beside.many_processes(results),
    }


def say(*words):
    print(*words, file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Puts results, tables and plots into their places.")
    parser.add_argument("--stamp", nargs=2, type=pathlib.Path, metavar=("BUILD", "FILE"))
    parser.add_argument("--check", action="store_true", help="say whether the documents are those of the results")
    parser.add_argument("--print", action="store_true", help="show the tables and change nothing")
    parser.add_argument("--quick", action="store_true", help="with --stamp: this is a first look")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="FOLDER RESULTS")
    chosen = parser.parse_args()
    if chosen.stamp:
        chosen.stamp[1].write_text(json.dumps(stamp.of(chosen.stamp[0]) | {"quick": chosen.quick}), encoding="utf-8")
        return 0
    if len(chosen.paths) not in (1, 2):
        parser.error("say where the results are")
    *folder, file = chosen.paths
    if folder:
        file.write_text(json.dumps(collect.from_folder(folder[0]), indent=1), encoding="utf-8")
    results = Results(json.loads(file.read_text(encoding="utf-8")))

    made = blocks(results)
    if results.is_quick() and not chosen.print:
        parser.error("the results of a quick run go into no document; --print shows them")
    if chosen.print:
        print("\n\n".join("\n".join(lines) for lines in made.values() if lines))
        return 0
    file.with_name("tables.md").write_text("\n\n".join("\n".join([f"## {name}", "", *lines]) for name, lines in made.items() if lines) + "\n",
                                           encoding="utf-8")
    differs, kept = documents.update(DOCUMENT, made, write=not chosen.check)
    differing = [DOCUMENT] if differs else []
    for name in kept:
        say(f"== {DOCUMENT.name}: {name} was not measured and stays as it was")
    differing += plots.update(results, HERE / "plots", write=not chosen.check)
    for path in differing:
        say(f"== {path.relative_to(HERE.parent)} {'is of other results' if chosen.check else 'was written anew'}")
    return 1 if chosen.check and differing else 0


sys.exit(main())
