"""The live view of a run: rich draws `live.view(history, chosen, width, height)` repeatedly.

Without a choice of the user (view_state.py) variables that have changed are first; a line counts those that do not fit.
"""

import shlex
import textwrap

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from mpit_info import distributions, figures, first_page, live_table, regions, rows, summary, words
from mpit_info.document import clean
from mpit_info.live_table import GAP, LEAST_GRAPH, LEAST_NAME, MOST_GRAPH, NUMBER, folded, padded
from mpit_info.sampled import SLOT
from mpit_info.view_state import HINTS, JOB_KEYS, KEYS, ViewState

# The most lines of a program with its arguments.
MOST_COMMAND = 2
# Lines that the table has in any case, with its head.
TABLE = 10
# The head of a table with the empty line above it, and the least rows that the rest of the variables has below the first page.
HEAD, LEAST_REST = 3, 3
# The most launches with a line, the latest ones.
MOST_LAUNCHES = 4
# The least lines of a view with regions.
LEAST_HEIGHT = 16


def heading(history, rate, state, width, note):
    """The program and the facts about the run, in one line if it fits."""
    facts = [text for text in (history.those_there(), f"{history.end:.1f} s") if text]
    if rate:
        facts.append(f"{rate:g} samples a second")
    if state.order != "program" or state.is_reversed:
        facts.append(f"by {state.order}" if state.order != "program" else "reversed order")
    if state.filter and state.typing != "filter":
        facts.append(f"filter: {clean(state.filter)}")
    facts = "   ".join([*facts, *([note] if note else [])])
    command = clean(shlex.join(history.command))
    paused = [Text(f"paused at {history.end:.1f} s; sampling goes on", style="bold cyan")] if state.is_paused else []
    if cell_len(command) + 3 + cell_len(facts) <= width:
        return [Text.assemble((command, "bold"), ("   " + facts, "dim"), no_wrap=True), *paused]
    lines = textwrap.wrap(command, width, break_on_hyphens=False) or [""]
    if len(lines) > MOST_COMMAND:
        lines = [*lines[:MOST_COMMAND - 1], lines[MOST_COMMAND - 1][:width - 2] + " …"]
    facts = textwrap.wrap(facts, width)
    return [*(Text(line, style=style, no_wrap=True) for style, part in (("bold", lines), ("dim", facts)) for line in part), *paused]


def told(history, width, room):
    """The sentences about the ranks, whole ones, as many as have room; the first one in any case."""
    lines = []
    for number, sentence in enumerate(regions.sentences(history)):
        parts = summary.wrapped(sentence, width)
        if number > 0 and len(lines) + len(parts) > room:
            break
        lines += [Text(line, style="bold yellow" if number == 0 else "", no_wrap=True) for line in parts]
    return lines if room > 0 else []


def hints(state, width):
    """The last line: what is typed, or the keys that fit."""
    if state.typing:
        title, text = ("Filter", state.filter) if state.typing == "filter" else ("Input of the job", state.typed)
        line = f"{title}: {clean(text)}▏"
        # The end of a long line is what is typed.
        return Text(line if cell_len(line) <= width else "…" + line[-width + 1:], style="bold", no_wrap=True)
    line = ""
    for hint in HINTS:
        if (state.has_job_input or hint[0] not in JOB_KEYS) and cell_len(line) + 3 + len(hint) <= width:
            line += ("   " if line else "") + hint
    return Text(line, style="dim", no_wrap=True)


def help_lines(width, has_job_input):
    """The table of the keys."""
    keys = max(cell_len(name) for name, _ in KEYS) + GAP
    for name, meaning in KEYS:
        if name in JOB_KEYS and not has_job_input:
            continue
        for number, line in enumerate(textwrap.wrap(meaning, max(width - keys, 20))):
            yield Text.assemble((padded(name if number == 0 else "", keys), "bold"), line, no_wrap=True)


def events(history, width):
    """The lines of the table of the events; a graph shows their number in each time slot."""
    longest = max([len("Event"), *(cell_len(clean(name)) for name in history.events())])
    numbers = 2 * (NUMBER + GAP)
    names = min(longest, max(width - numbers, LEAST_NAME))
    blocks = min(width - names - GAP - numbers, MOST_GRAPH)
    blocks = blocks if blocks >= LEAST_GRAPH else 0
    head = padded("Event", names) + "".join(padded(title, -NUMBER - GAP) for title in ("Count", "A second"))
    head += " " * GAP + padded(f"last {blocks * SLOT:g} s", blocks) if blocks else ""
    lines = [Text(head, style="bold", no_wrap=True), Text("─" * cell_len(head), no_wrap=True)]
    now = int(history.end / SLOT)
    for name in history.events():
        tracks = [process.tracks[name] for process in history.ordered() if name in process.tracks]
        graph = [sum(track.counted(slot * SLOT, (slot + 1) * SLOT) for track in tracks) for slot in range(max(now - blocks, 0), now)]
        rate = sum(track.counted(max(history.end - 1, 0), history.end) for track in tracks) / min(max(history.end, SLOT), 1)
        first, *others = folded(clean(name), names)
        cells = figures.short(sum(track.count for track in tracks)), figures.short(round(rate, 1))
        lines.append(Text.assemble((padded(first, names), "bold"), *(padded(cell, -NUMBER - GAP) for cell in cells),
                                   (" " * GAP + figures.blocks(graph, blocks) if blocks else "", "magenta"), no_wrap=True))
        lines += [Text(rest, style="bold", no_wrap=True) for rest in others]
    return lines


def of_distributions(history, known, width, room):
    """The lines of the table of the distributions with most samples, each with its picture; none without samples."""
    sampled = [(each, histogram) for each in known if (histogram := distributions.merged(history, each)) and histogram.count]
    shown = sorted(sampled, key=lambda pair: -pair[1].count)[:max(room, 1)]
    shown = [pair for pair in sampled if pair in shown]
    lines = summary.of_distributions(shown, width).lines(width, False) if shown else []
    return [Text("")] * bool(shown) + [Text(line, style="" if number else "bold", no_wrap=True) for number, line in enumerate(lines)]


def fitting(heights, room):
    """How many of the rows fit; at least one."""
    count = 0
    while count < len(heights) and sum(heights[:count + 1]) <= room:
        count += 1
    return max(count, min(1, len(heights)))


def refresh(history, chosen, state):
    """Lets the state know the rows that are drawn next."""
    state.follow([rows.key_of(row) for row in rows.ordered(history, chosen, state, state.page)], state.page)


def variables(history, chosen, state, width, room):
    """The table of the variables, and a line with the number of those that do not fit."""
    found = rows.ordered(history, chosen, state, room)
    keys = [rows.key_of(row) for row in found]
    state.follow(keys, room)
    # Only the rows that may be seen are laid out.
    layout = live_table.Layout(history, found[state.top:state.top + room], state, width)
    heights = layout.heights()
    if state.top or len(found) > len(heights) or sum(heights) > room or layout.ranks_shown:
        room = max(room - 1, 1)
    # The selected row is seen even if the names above it have two lines.
    first, place = 0, state.place()
    while place is not None and state.top + first < place and sum(heights[first:place - state.top + 1]) > room:
        first += 1
    state.top += first
    state.page = fitting(heights[first:], room)
    parts = list(layout.lines(first, first + state.page))
    above, below = state.top, len(found) - state.top - state.page
    if above or below or layout.ranks_shown:
        moved, kind = sum(column in history.moved for column in chosen), "rows" if state.by_rank else "variables"
        texts = [f"{above} above"] * bool(above)
        texts += [f"{below} more {kind} ({moved} of {len(chosen)} have changed)"] * bool(below)
        texts += [layout.ranks_shown] * bool(layout.ranks_shown)
        parts += [Text(line, style="dim", no_wrap=True) for line in textwrap.wrap("; ".join(texts), width)[:1]]
    return parts


def first_tables(history, width, room):
    """The lines of the tables of the ranks and of the functions, as many rows as have room."""
    found = []
    many = max(room // 2 - HEAD, 3)
    for table, most in ((summary.ranks, min(first_page.MOST_RANKS, many)), (summary.functions, first_page.MOST_FUNCTIONS)):
        most = min(most, room - len(found) - HEAD)
        drawn = table(history, width, most) if most > 0 else None
        if drawn:
            found += [Text(""), *(Text(line, style="bold" if number == 0 else "", no_wrap=True)
                                  for number, line in enumerate(drawn.lines(width, False)))]
    return found


def lines_of_launches(launches, history, width):
    """A line for each launch, with a mark at the one that is shown; none for one launch."""
    there = launches.there() if launches and len(launches.all) > 1 else []
    lines = [("▸ " if each is history else "  ") + summary.line_of(launches, each, is_short=True) for each in there[-MOST_LAUNCHES:]]
    return [Text(cut(line, width), style="cyan", no_wrap=True) for line in lines]


def cut(text, width):
    """The beginning of a text that is too long for a line."""
    return text if cell_len(text) <= width else text[:width - 2] + " …"


def view(history, chosen, width, height, rate=None, state=None, note="", launches=None):  # pylint: disable=too-many-arguments
    """The whole view, in at most this number of lines; state is what the user has chosen, None without keys; the note is one more
    fact; of several launches this history is one.
    """
    has_keys, state = state is not None, state or ViewState()
    last = [hints(state, width)] if has_keys else []
    parts = heading(history, rate, state, width, note) + lines_of_launches(launches, history, width)
    height -= len(last)
    if state.has_help:
        lines = list(help_lines(width, state.has_job_input))
        room = max(height - len(parts) - 1, 1)
        if len(lines) > room:
            lines = [*lines[:room - 1], Text("…  mpit-info(1) has all keys", style="dim")]
        return Group(*parts, Text(""), *lines, *last)
    below = [Text(""), *events(history, width)] if history.events() else []
    is_whole = len(chosen) == len(history.columns)
    known, chosen = distributions.divided(history, chosen)
    matching = [each for each in known if state.matches(distributions.label(each))]
    if known:
        below = of_distributions(history, matching, width, height // 3 - HEAD) + below
    by_region = regions.rows(history)
    # A third of the height.
    region_lines = min(len(by_region), max(height // 3 - 3, 1)) if by_region and height >= LEAST_HEIGHT else 0
    parts += told(history, width, height - len(parts) - TABLE)
    room = height - len(parts) - len(below) - (region_lines + HEAD if region_lines else 0)
    if region_lines:
        below = [Text(""), summary.by_region(history, [], width, region_lines), *below]
    tables = first_tables(history, width, room) if is_whole and not state.has_table() else []
    if tables:
        chosen, room, parts = first_page.rest(history, chosen).columns, room - len(tables), [*parts, *tables]
    parts += [Text("")] if room > 1 or not tables else []
    if tables and (not chosen or room < HEAD + LEAST_REST):
        refresh(history, chosen, state)
        text = f"{words.plural(len(chosen), 'more variable')}" + (": ↓, s and / show them" if has_keys else "")
        parts += [Text(text, style="dim", no_wrap=True)] if chosen and room > 1 else []
    elif not chosen and not known:
        waiting = "no variable has been read yet" if history.processes else "waiting for the program's MPI to start"
        parts.append(Text(waiting, style="dim"))
    elif not any(map(state.matches, map(history.label, chosen))):
        if not matching:
            parts.append(Text("no variable matches the filter", style="dim"))
    else:
        parts += variables(history, chosen, state, width, max(room - HEAD, 1))
    return Group(*parts, *below, *last)
