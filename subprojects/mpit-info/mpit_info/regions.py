"""Values by region of the program: `for row in regions.rows(history): print(row.name, row.seconds.mean)`.

A row is a region of all processes with the same path of names, with the regions below it.
"""

import collections

from mpit_info import figures, headline, words
from mpit_info.document import clean
from mpit_info.region_totals import MOST_DEPTH, MOST_REGIONS, NOTHING, OUTSIDE

# `values` has the mean over the processes by the names of variables. `own` is the time without the regions below.
Row = collections.namedtuple("Row", "path depth visits seconds own values longest in_mpi waited compute")


def sum_of(values, suffix):
    """The sum over the functions of an MPI, or over their classes; None if calls were not counted."""
    found = [value for name, value in values.items()
             if (headline.SUMS.fullmatch(name) if suffix == "_waited" else name.startswith("MPI_")) and name.endswith(suffix)]
    return sum(found) if found else None


def rows(history):
    """The regions in the order of the first process that has each, what is outside of regions last; empty without regions."""
    processes = [process for process in history.ordered() if process.regions.told]
    totals = [process.regions.totals(history.label) for process in processes]
    # Those that were in use only before a tool was attached have nothing.
    paths = in_order(dict.fromkeys(path for each in totals for path, total in each.items() if not path or total.visits or total.seconds))
    # A program that names no region has nothing to show.
    return [row_of(path, [each.get(path, NOTHING) for each in totals], processes) for path in paths] if len(paths) > 1 else []


def longest(all_rows, most):
    """The rows with most time in their order, at most so many. A region is in the rows if one in it is."""
    if len(all_rows) <= most:
        return all_rows
    kept = {row.path for row in sorted(all_rows, key=lambda row: (-row.seconds.mean, row.depth))[:most]}
    return [row for row in all_rows if row.path in kept]


def left_out(all_rows, most):
    """A sentence about the other rows; empty without any."""
    more = len(all_rows) - most
    return f"{words.plural(more, 'region')} with less time {'was' if more == 1 else 'were'} left out." if more > 0 else ""


def not_stored(history):
    """A sentence about regions that were too many or too deep; empty without any."""
    more = sum(len(process.regions.left_out) for process in history.ordered())
    return (f"{words.plural(more, 'region')} {'is' if more == 1 else 'are'} missing: of a process {MOST_REGIONS:,} are kept, at most "
            f"{MOST_DEPTH} in each other.") if more else ""


def in_order(paths):
    """Each path behind the one around it, and the empty path last."""
    places = {path: place for place, path in enumerate(paths)}
    return sorted(paths, key=lambda path: (not path, [places.get(path[:length], 0) for length in range(1, len(path) + 1)]))


def row_of(path, totals, processes):
    """The Row of one path."""
    names = dict.fromkeys(name for total in totals for name in total.values)
    values = {name: sum(total.values.get(name, 0) for total in totals) / len(totals) for name in names}
    seconds = figures.spread([total.seconds for total in totals])
    in_mpi, waited = sum_of(values, "_time"), sum_of(values, "_waited")
    compute = [total.seconds - (sum_of(total.values, "_time") or 0) for total in totals]
    longest = processes[compute.index(max(compute))].title() if len(totals) > 1 and max(compute) > min(compute) else ""
    return Row(path, len(path), figures.spread([total.visits for total in totals]).mean, seconds,
               figures.spread([total.own for total in totals]).mean, values, longest, in_mpi, waited, figures.spread(compute))


def computing(process):
    """The time of a process in each region outside of MPI functions, without the regions below, by path."""
    found = {}
    for number, each in process.regions.told.items():
        values = {name: figures.number(value) or 0 for name, value in each.get("values", {}).items()}
        found[process.regions.path(number)] = each["seconds"] - (sum_of(values, "_time") or 0)
    return found


def slowest(history):
    """A sentence about the region in which some ranks compute longer, at the largest cost; None if there is none."""
    processes = [process for process in history.ordered() if process.regions.told]
    seconds, times = headline.duration(history), [computing(process) for process in processes]
    found = []
    for path in dict.fromkeys(path for each in times for path in each if path) if len(times) > 1 and seconds else ():
        values = [(process.title(), each.get(path, 0)) for process, each in zip(processes, times)]
        one = headline.compared(path, values, seconds)
        if one and one.cost >= headline.LEAST_COST and one.share >= headline.LEAST_SHARE:
            found.append(one)
    if not found:
        return None
    worst = max(found, key=lambda each: each.cost)
    return (f"In region {clean(worst.column[-1])}: {headline.named(worst.ranks)} {'computes' if len(worst.ranks) == 1 else 'compute'} longer "
            f"({figures.short(worst.here)} s, the others {figures.short(worst.others)} s).")


def sentences(history):
    """The sentences that a person reads first, with one about the regions behind the worst imbalance."""
    told, found = headline.sentences(history), slowest(history)
    return [*told[:1], *([found] if found else []), *told[1:]]


def name_of(row):
    """The name of a region, behind two blanks for each region around it."""
    return "  " * (row.depth - 1) + clean(row.path[-1]) if row.path else OUTSIDE


def whole(all_rows):
    """The time of the run, as a mean over the processes."""
    return sum(row.seconds.mean for row in all_rows if row.depth <= 1)


def of_mpi(name):
    """Whether a variable is one of the counting layer."""
    return bool(headline.SUMS.fullmatch(name) or headline.CALLS.fullmatch(name) or headline.FUNCTION.fullmatch(name)
                or name == "late_senders" or name.endswith("_bytes"))


def cells(row, of_all, text, several):
    """The cells of a row under the titles of the table; `text` makes a text of a value and its unit."""
    share = min(row.seconds.mean / of_all, 1) if of_all else None
    found = {"Region": name_of(row), "Visits": text(round(row.visits), "") if row.path else "-", "Time": text(row.seconds.mean, "s"),
             "Share": figures.percent(share), "Own": text(row.own, "s")}
    if several:
        # Of a short time a difference is noise.
        is_long = bool(of_all) and row.compute.maximum >= headline.LEAST_COST * of_all
        found.update({"Imbalance": figures.percent(row.compute.imbalance) if is_long else "-",
                      "Longest": row.longest if is_long and row.longest else "-"})
    found["In MPI"] = figures.percent(min((row.in_mpi or 0) / row.seconds.mean, 1) if row.seconds.mean else None)
    found["Waited"] = text(row.waited or 0, "s")
    found["Sent"] = text(sent(row), "B")
    return found


def key_of(row, title):
    """The number or the word by which the rows are sorted in a column."""
    shares = {"In MPI": (row.in_mpi or 0) / row.seconds.mean if row.seconds.mean else 0, "Imbalance": row.compute.imbalance or 0}
    numbers = {"Visits": row.visits, "Time": row.seconds.mean, "Share": row.seconds.mean, "Own": row.own, "Waited": row.waited or 0,
               "Sent": sent(row), "Longest": row.longest, **shares}
    return numbers.get(title, title)


def value_of(history, row, name):
    """The mean of a variable in a region, as it is shown."""
    value, column = row.values.get(name, 0), next((column for column in history.columns if column.name == name), None)
    return value if column is None else history.whole(value, column)


def names_of(all_rows):
    """The names of all variables with values in a region: those of the functions of an MPI behind the others."""
    known = dict.fromkeys(name for row in all_rows for name in row.values)
    return sorted(known, key=of_mpi)


def sent(row):
    """The bytes sent."""
    return row.values.get("send_bytes", 0) + row.values.get("send_receive_bytes", 0)


def titles_of(all_rows, several):
    """The titles of the columns that say something."""
    titles = ["Region", "Visits", "Time", "Share"]
    titles += ["Own"] if any(row.depth > 1 for row in all_rows) else []
    titles += ["Imbalance", "Longest"] if several else []
    has_mpi = any(row.in_mpi is not None for row in all_rows)
    return titles + (["In MPI", "Waited", "Sent"] if has_mpi else [])


def variables_of(all_rows, chosen):
    """The names of the other chosen variables with values in a region, in their order."""
    known = {name for row in all_rows for name in row.values}
    return [name for name in dict.fromkeys(column.name for column in chosen if column.class_ in words.GROWING)
            if name in known and not of_mpi(name)]
