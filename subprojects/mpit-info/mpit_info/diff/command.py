"""The command diff: reads two runs, compares them and writes the outputs: `command.show(options)`."""

from rich.text import Text

from mpit_info import screen, selection
from mpit_info.diff import by_region, compared, page, result, runs, sentences, tables


class Comparison:
    """Two runs, and what differs between them; `names` are patterns of the variables that count."""

    def __init__(self, paths, one, other, names=()):
        self.paths, self.one, self.other = paths, one, other
        self.controls = [each for each in compared.controls(one, other) if selection.matches(each.name, names)]
        self.variables = [each for each in compared.variables(one, other) if selection.matches(each.name, names)]
        self.events = [each for each in compared.events(one, other) if selection.matches(each.name, names)]
        self.pairs = sentences.pairs(one, other)
        self.regions = by_region.compared(one, other)
        self.problems = [f"{letter}: {problem}" for letter, history in (("A", one), ("B", other))
                         for problem in history.problems]


def parts_after(options, before, history):
    """The comparison of a run that was watched with an earlier one, below the table of the run."""
    comparison = Comparison([options.against, "this run"], before, history, options.variable or options.name)
    yield Text("")
    yield from tables.parts(comparison, screen.width(options))


def show(options):
    """Compares two files; 0."""
    if options.report:
        page.check(options.report)
    comparison = Comparison(options.files, *(runs.read(path) for path in options.files), options.name)
    if options.report:
        page.write(options.report, comparison)
    if options.json:
        with screen.output(options) as stream:
            stream.write(result.text(comparison))
    else:
        screen.show(options, tables.parts(comparison, screen.width(options), options.all))
    return 0
