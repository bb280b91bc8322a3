"""The command check: compiles the checks, runs them and writes the results: `command.show(options)`."""

import pathlib
import sys
import tempfile

from mpit_info import report, screen, selection
from mpit_info.check import building, page, result, running, suite, tables
from mpit_info.refusal import Refusal


def show(options):
    """Runs the checks, or reads results; 1 if a required rule is broken."""
    if options.report:
        report.check(options.report, has_time_lines=False)
    checks = [check for check in suite.checks() if selection.matches(check.name, options.name)]
    if not checks:
        raise Refusal("no check has such a name; mpit-info check --list prints the names", 1)
    if options.list:
        screen.show(options, tables.of_checks(checks))
        return 0
    runs = [result.read(path) for path in options.stored] or [run_of(options, checks)]
    if options.report:
        page.write(options.report, runs)
    if options.programs:
        write_programs(options.programs, runs)
    for run in runs[:1] if len(runs) == 1 else []:
        write(options, run)
    return int(any(result.is_broken(check) for run in runs for check in run["checks"]))


def run_of(options, checks):
    """Compiles the checks and runs them; the document of the results."""
    wanted = building.target(options)
    with tempfile.TemporaryDirectory(prefix="mpit-info-check-") as folder:
        program, facts = building.built(options, wanted, folder)
        runner = running.Runner(program, facts, wanted, building.environment_of(wanted), options.limit, folder)
        results = running.results(runner, checks, lambda number: progress(options, number, len(checks)))
    return result.run_of(facts, wanted.launcher, results)


def progress(options, number, of):
    """Says on a terminal how many checks have ended."""
    if sys.stderr.isatty() and not options.quiet:
        print(f"\r\x1b[K{number} of {of} checks" if number < of else "\r\x1b[K", end="", file=sys.stderr, flush=True)


def write(options, run):
    """Writes the results of a run in the format of the options."""
    if options.format in ("table", "all"):
        screen.show(options, tables.parts(run, options.format == "all"))
        return
    with screen.output(options) as stream:
        stream.write(result.text(run, options.format))


def write_programs(folder, runs):
    """Writes the programs of the failures; of several runs each has a folder of its own."""
    for number, run in enumerate(runs, 1):
        place = pathlib.Path(folder) / (str(number) if len(runs) > 1 else "")
        try:
            place.mkdir(parents=True, exist_ok=True)
            for check in run["checks"]:
                if "program" in check:
                    (place / f"{check['name'].lower()}.c").write_text(check["program"], encoding="utf-8")
        except OSError as problem:
            raise Refusal(f"cannot write {place}: {problem.strerror}") from None
