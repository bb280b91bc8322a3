"""The command diff: reads two runs, compares them and writes the outputs: `command.show(options)`."""

from rich.text import Text

from mpit_info import report, screen, selection, words
from mpit_info.diff import by_region, compared, moved, page, result, runs, sentences, tables


class Comparison:
    """Two launches, and what differs between them; `names` are patterns of the variables that count, and `title` says which of several
    launches of the runs these are.
    """

    def __init__(self, paths, one, other, names=(), title=""):
        self.paths, self.one, self.other, self.title = paths, one, other, title
        self.controls = [each for each in compared.controls(one, other) if selection.matches(each.name, names)]
        self.variables = [each for each in compared.variables(one, other) if selection.matches(each.name, names)]
        self.events = [each for each in compared.events(one, other) if selection.matches(each.name, names)]
        self.distributions = [each for each in moved.compared_distributions(one, other) if selection.matches(each.label, names)]
        self.pairs = sentences.pairs(one, other)
        self.regions = by_region.compared(one, other)


class Comparisons:
    """The comparisons of the launches of two runs, in their order, and sentences about what was left out."""

    def __init__(self, paths, one, other, names=()):
        there = one.there(), other.there()
        self.paths, self.all = paths, [
            Comparison(paths, *pair, names, f"Launch {number}: {one.program_of(pair[0])}, {other.program_of(pair[1])}" if max(map(len, there)) > 1 else "")
            for number, pair in enumerate(zip(*there), 1)]
        self.problems = [f"{letter}: {problem}" for letter, run in (("A", one), ("B", other)) for problem in run.problems]
        if len(there[0]) != len(there[1]):
            self.problems.append(f"A has {words.plural(len(there[0]), 'launch')}, B has {words.plural(len(there[1]), 'launch')}; "
                                 f"{words.plural(len(self.all), 'pair')} in their order {'is' if len(self.all) == 1 else 'are'} compared")


def parts_after(options, before, launches):
    """The comparison of a run that was watched with an earlier one, below the table of the run."""
    comparisons = Comparisons([options.against, "this run"], before, launches, options.variable or options.name)
    yield Text("")
    yield from tables.parts(comparisons, screen.width(options))


def show(options):
    """Compares two files; 0."""
    if options.report:
        report.check(options.report, has_time_lines=False)
    comparisons = Comparisons(options.files, *(runs.read(path) for path in options.files), options.name)
    if options.report:
        page.write(options.report, comparisons)
    if options.json:
        with screen.output(options) as stream:
            stream.write(result.text(comparisons))
    else:
        screen.show(options, tables.parts(comparisons, screen.width(options), options.all))
    return 0
