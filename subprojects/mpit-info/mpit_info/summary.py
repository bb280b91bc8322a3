"""The results of a run, as a table of each launch at its end: `screen.show(options, summary.parts(launches, choose, width))`."""

import re
import shlex
import textwrap

from rich.text import Text

from mpit_info import call_distributions, console, distributions, figures, first_page, quantities, regions, words
from mpit_info.document import clean, library_line
from mpit_info.history import AVERAGED
from mpit_info.styled import Grid, size

SEVERAL = ["Minimum", "Mean", "Maximum", "Imbalance"]
# The columns that are dropped in turn on a narrow terminal.
EXPENDABLE = ["Class", "Most are", "Samples", "Minimum", "Maximum", "Imbalance", "Own", "Sent", "Visits", "Waited"]
GAP = 3
# The least width of names, which are folded on a narrow terminal.
LEAST_NAME = 8
# The most regions of the table.
MOST_REGIONS = 40
# The greatest and the least width of the picture of a distribution.
PICTURE, LEAST_PICTURE = 40, 20
# The most bins of a histogram that are named.
MOST_BINS = 3


def facts_of(history):
    """The ranks and the duration, as texts."""
    return [text for text in (history.those_there(), f"{history.end:.1f} s") if text]


def line_of(launches, history, is_short=False):
    """A launch of several in a line: its program, and its first sentence."""
    sentence = next(iter(regions.sentences(history)), "")
    return f"{', '.join([launches.title_of(history, is_short), *facts_of(history)])}. {sentence}".rstrip()


def heading(history, width, title=""):
    """The program, the ranks, the duration, and the cost of watching; behind the title of a launch, if there are several."""
    document = history.told()
    facts = facts_of(history)
    overhead = history.overhead()
    if overhead is not None:
        facts.append(f"watching took {figures.percent(overhead)} of a processor")
    if title:
        yield Text(title, style="bold")
    yield Text(library_line(document["mpi"]) if document else "no MPI", style="" if title else "bold")
    if history.command and not title:
        yield Text(clean(shlex.join(history.command)), style="dim")
    yield Text(", ".join(facts), style="dim")
    yield Text("")
    sentences = regions.sentences(history)
    for number, sentence in enumerate(sentences):
        yield from paragraph(sentence, width, "bold" if number == 0 else "")
    if sentences:
        yield Text("")


def wrapped(sentence, width):
    """The lines of a sentence; a number stays beside its unit."""
    unbroken = re.sub(r"(?<=\d) (?=(s|ms|µs|ns|[kMGT]?B)\b|%)", "\xa0", sentence)
    return [line.replace("\xa0", " ") for line in textwrap.wrap(unbroken, width)]


def paragraph(sentence, width, style):
    """The lines of a sentence as texts."""
    for line in wrapped(sentence, width):
        yield Text(line, style=style, no_wrap=True)


def quiet(history, column):
    """Whether a variable was zero in all processes, or never readable."""
    return column not in history.moved and all(not process.value(column) for process in history.ordered())


def fitted(titles, rows_of, width):
    """The titles and the rows of a table that fits the width: first numbers are shortened, then columns are dropped in turn."""
    rows = rows_of(figures.exact)
    if needed(titles, rows) > width:
        rows = rows_of(figures.short)
    for title in EXPENDABLE:
        if needed(titles, rows) > width:
            titles = [kept for kept in titles if kept != title]
    return titles, rows


def is_left(number, title):
    """Whether the cells of a column begin at its left."""
    return number == 0 or title in ("Buckets", "Class", "Communicator")


def grid(titles, rows_of, width):
    """A table that fits the width, which may have as many rows as a run has variables: rich takes a minute for 60,000."""
    titles, rows = fitted(titles, rows_of, width)
    widths = [max(size(text) for text in (title, *(row[title] for row in rows))) for title in titles]
    widths[0] = max(min(widths[0], width - sum(widths[1:]) - GAP * (len(titles) - 1)), LEAST_NAME)

    def cell(number, title, text):
        return text if is_left(number, title) else " " * (widths[number] - size(text)) + text

    return Grid([(cell(number, title, title), widths[number], "bold" if number == 0 else None) for number, title in enumerate(titles)],
                ([cell(number, title, row[title]) for number, title in enumerate(titles)] for row in rows), GAP, True)


def fitting(titles, rows_of, width):
    """A table that fits the width, as a drawing of rich, which the view has."""
    titles, rows = fitted(titles, rows_of, width)
    table = console.table()
    for number, title in enumerate(titles):
        table.add_column(title, no_wrap=number > 0, overflow="fold", style="bold" if number == 0 else None,
                         justify="left" if is_left(number, title) else "right")
    for row in rows:
        table.add_row(*(row[title] for title in titles))
    return table


def needed(titles, rows):
    """The width of a table with these columns."""
    return sum(GAP + max(size(text) for text in (title, *(row[title] for row in rows)))
               for title in titles) - GAP


def told(history, column, text, spread):
    """The cells of a spread under each title; states have names, and no mean."""
    if column.class_ == "state":
        names = [history.state(column, value) or text(value) for value in (spread.minimum, spread.maximum)]
        return {"Value": names[1], "Minimum": names[0], "Mean": "-", "Maximum": names[1], "Imbalance": "-"}
    mean = text(history.whole(spread.mean, column))
    return {"Value": mean, "Minimum": text(spread.minimum), "Mean": mean,
            "Maximum": text(spread.maximum), "Imbalance": figures.percent(spread.imbalance)}


def variables(history, chosen, width):
    """The table of the variables."""
    several = len(history.ordered()) > 1

    def rows(text):
        return [row(column, quantities.unit_of(column, history.types.get(column)), quantities.like(text)) for column in chosen]

    def row(column, unit, text):
        return {"Variable": history.label(column), "Class": words.spoken(column.class_),
                **told(history, column, lambda value: text(value, unit), history.spread(column)),
                "A second": quantities.rate(history.rate(column), unit) if column.class_ in words.GROWING else "-"}

    return grid(["Variable", "Class", *(SEVERAL if several else ["Value"]), "A second"], rows, width)


def of_distributions(known, width):
    """The table of distributions, which are pairs of one and its histogram over all ranks."""
    def rows(text):
        return [{**distributions.cells(each, histogram, quantities.like(text)), "Buckets": distributions.picture(histogram, each.unit, room)}
                for each, histogram in known]

    room = PICTURE
    for titles in (distributions.TITLES, [title for title in distributions.TITLES if title != "Mean"]):
        room = min(width - needed(titles, rows(figures.short)) - GAP, PICTURE)
        if room >= LEAST_PICTURE:
            return grid([*titles, "Buckets"], rows, width)
    return grid(distributions.TITLES, rows, width)


def by_region(history, chosen, width, most=MOST_REGIONS):
    """The table of the regions with most time; further variables have columns as long as there is room."""
    all_rows, several = regions.rows(history), len(history.ordered()) > 1
    of_all = regions.whole(all_rows)
    titles = regions.titles_of(all_rows, several)
    further = regions.variables_of(all_rows, chosen)

    def rows(text):
        return [{**regions.cells(row, of_all, quantities.like(text), several), **{name: text(regions.value_of(history, row, name)) for name in further}}
                for row in regions.longest(all_rows, most)]

    while further and needed([*titles, *further], rows(figures.short)) > width:
        further.pop()
    return fitting([*titles, *further], rows, width)


def events(history, width):
    """The table of the events."""
    processes = history.ordered()

    def row(name, text):
        counts = [process.tracks[name].count if name in process.tracks else 0 for process in processes]
        spread = figures.spread(counts)
        return {"Event": clean(name), "Count": text(sum(counts)), "Minimum": text(spread.minimum),
                "Maximum": text(spread.maximum), "Imbalance": figures.percent(spread.imbalance),
                "A second": figures.short(sum(counts) / history.end if history.end else None)}

    return fitting(["Event", "Count", *(["Minimum", "Maximum", "Imbalance"] if len(processes) > 1 else []), "A second"],
                   lambda text: [row(name, text) for name in history.events()], width)


def elements(history, width):
    """The table of the numbers that events carried: exact over all instances, with the bins that have most of them."""
    def rows(text):
        found = []
        for name in history.events():
            for element, totals in history.totals(name).items():
                count = sum(totals.bins.values())
                found.append({"Carried": clean(f"{name}.{element}"), "Sum": text(totals.sum),
                              "Minimum": text(totals.minimum), "Mean": figures.short(totals.sum / count if count else None),
                              "Maximum": text(totals.maximum), "Most are": common(totals.bins)})
        return found

    return fitting(["Carried", "Sum", "Minimum", "Mean", "Maximum", "Most are"], rows, width)


def common(bins):
    """The bins of a histogram with most instances, until they have three quarters of all: `4.1k to 8.19k: 98 %`."""
    count, told, texts = sum(bins.values()), 0, []
    for lower, number in bins.most_common(MOST_BINS):
        if told >= 0.75 * count:
            break
        told += number
        name = ("negative" if lower < 0 else "0" if lower == 0 else "1" if lower == 1 else
                f"{figures.short(lower)} to {figures.short(2 * lower)}")
        texts.append(f"{name}: {figures.percent(number / count)}")
    return ", ".join(texts)


def ranks(history, width, most=first_page.MOST_RANKS):
    """The table of the ranks."""
    rows = [first_page.cells_of_rank(times) for times in first_page.ranks(history, most)]
    return grid(first_page.RANK_TITLES, lambda _: rows, width) if rows else None


def functions(history, width, most=first_page.MOST_FUNCTIONS):
    """The table of the functions with most time."""
    found = first_page.functions(history, most)
    titles = [title for title in first_page.FUNCTION_TITLES if title != "Bytes" or any(each.bytes for each in found)]
    return grid(titles, lambda text: [first_page.cells_of_function(each, quantities.like(text)) for each in found], width) if found else None


def of_calls(history, width):
    """The sentence about the calls with the longest tail, the table of such calls, and the notes behind it."""
    found = call_distributions.rows(history)
    for sentence in call_distributions.sentences(history):
        yield Text("")
        yield from paragraph(sentence, width, "bold")
    rows = [call_distributions.cells(row) for row in found if not row.key.are_others][:call_distributions.MOST_ROWS]
    if rows:
        yield Text("")
        yield fitting(call_distributions.TITLES, lambda _: rows, width)
    for note in call_distributions.notes(found):
        yield Text(note, style="dim")


def tables_of_ranks(history, width):
    """The tables of the first page, each in front of an empty line."""
    for table in (ranks(history, width), functions(history, width)):
        if table:
            yield table
            yield Text("")


def parts(launches, choose, width):
    """All parts of the output: `choose` returns the variables of a launch."""
    there, several = launches.there(), len(launches.all) > 1
    if several:
        yield Text(f"{len(launches.all)} launches, {launches.seconds():.1f} s", style="bold")
        yield Text(clean(shlex.join(launches.command)), style="dim")
        if sentence := launches.alone():
            yield from paragraph(sentence, width, "bold")
        for history in there:
            yield from paragraph(line_of(launches, history), width, "")
    for history in there:
        if several:
            yield Text("")
        yield from parts_of(history, choose(history), width, launches.title_of(history))
    for problem in launches.problems:
        yield Text(f"{clean(problem)}.", style="dim")
    for sentence in [] if several else regions.sentences(there[0])[:1]:
        yield Text("")
        yield from paragraph(sentence, width, "bold")


def parts_of(history, chosen, width, title=""):
    """The parts of a launch."""
    yield from heading(history, width, title)
    left_out, has_any = 0, bool(chosen or history.events())
    if len(chosen) == len(history.columns):
        yield from tables_of_ranks(history, width)
        chosen, left_out = first_page.rest(history, chosen)
    known, chosen = distributions.divided(history, chosen)
    known = [(each, distributions.merged(history, each)) for each in known]
    loud = [column for column in chosen if not quiet(history, column)]
    if loud:
        yield variables(history, loud, width)
    sampled = [(each, histogram) for each, histogram in known if histogram and histogram.count]
    if left_out:
        yield Text(first_page.left_out_sentence(left_out), style="dim")
    if any(column.class_ in AVERAGED for column in loud) and not history.of_nodes:
        yield Text("Of levels, sizes and percentages this is the mean over the time.", style="dim")
    silent = len(chosen) - len(loud) + len(known) - len(sampled)
    if silent:
        yield Text(f"{words.plural(silent, 'variable')} stayed at 0 or could not be read.", style="dim")
    if sampled:
        yield from [Text("")] if loud or silent or left_out else []
        yield of_distributions(sampled, width)
    yield from of_calls(history, width)
    if regions.rows(history):
        yield Text("")
        yield by_region(history, chosen, width)
        if sentence := regions.left_out(regions.rows(history), MOST_REGIONS):
            yield Text(sentence, style="dim")
    if sentence := regions.not_stored(history):
        yield Text(sentence, style="dim")
    if history.events():
        yield Text("")
        yield events(history, width)
        if any(history.totals(name) for name in history.events()):
            yield Text("")
            yield elements(history, width)
    for sentence in [] if history.of_nodes else [*history.missing_sentences(), *history.unsampled_sentences(), *history.cut_sentences()]:
        yield Text(sentence)
    if history.lost:
        yield Text(f"{figures.exact(history.lost)} events came too fast to be shown one by one; the counts have them.", style="dim")
    if not has_any:
        yield Text("No variable was sampled.")
