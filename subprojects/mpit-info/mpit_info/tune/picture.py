"""A picture of a tuning, the metric against the values with its spread: `picture.write("tuning.svg", tuning)`.

It needs matplotlib. The ending of the file chooses the format: svg, png or pdf.
"""

import os

from mpit_info.document import clean
from mpit_info.refusal import Refusal
from mpit_info.tune import evidence, sweep, tables, verdict

FORMATS = ("svg", "png", "pdf")
# The most candidates of several variables that are drawn.
MOST_ROWS = 40
RUN, MEDIAN, PRESENT, WINNER, STOPPED = "#9fb3c8", "#1f6fd1", "#5d6878", "#0b8a6a", "#c0392b"


def check(path):
    """Checks the requirements of a picture, which would otherwise fail after many runs."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise Refusal("a picture needs the Python package matplotlib (on Debian: apt-get install python3-matplotlib)"
                      ) from None
    if path.rpartition(".")[2].lower() not in FORMATS:
        raise Refusal(f"a picture is a file that ends with .{', .'.join(FORMATS)}, not {path}")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Refusal(f"cannot write {path}")


def write(path, tuning):
    """Draws all races, one below the other."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    races = [race for race in tuning.races if race.medians()]
    tall = [3.4 if is_line(tuning, race) else 1 + 0.28 * min(len(race.medians()), MOST_ROWS) for race in races]
    figure, axes = plot.subplots(len(races), 1, figsize=(7.2, sum(tall) + 0.4), squeeze=False,
                                 gridspec_kw={"height_ratios": tall}, constrained_layout=True)
    for race, axis in zip(races, axes[:, 0]):
        (draw_line if is_line(tuning, race) else draw_rows)(axis, tuning, race)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.25)
    figure.suptitle(title(tuning), fontsize=10)
    try:
        figure.savefig(path, dpi=144, metadata={"Date": None} if path.lower().endswith(".svg") else None)
    except OSError as problem:
        raise Refusal(f"cannot write {path}: {problem.strerror}") from None
    finally:
        plot.close(figure)


def title(tuning):
    """The verdict in a line."""
    told = tuning.verdict
    if told is None:
        return "interrupted"
    return f"winner: {clean(sweep.label(told.winner))}" if told.kind == verdict.BETTER else told.kind


def metric_text(tuning):
    """The label of the axis of the metric."""
    return clean(tuning.metric.text) + (f" [{tuning.metric.unit}]" if tuning.metric.unit else "")


def is_line(tuning, race):
    """Whether a race has one variable of numbers."""
    names = tables.varied(race)
    return len(names) == 1 and all(sweep.number(value) is not None for candidate in race.medians()
                                   for name, value in candidate if name == names[0])


def draw_line(axis, tuning, race):
    """The metric over the values of one variable, with the present value as a band."""
    medians, name = race.medians(), tables.varied(race)[0]
    shown = {each: value for each in medians for value in [value_of(tuning, race, each, name)] if value is not None}
    order = sorted(shown, key=shown.get)
    axis.plot([shown[each] for each in order], [medians[each] for each in order], color=MEDIAN, linewidth=1.2, zorder=2)
    for each in order:
        results = race.results(each)
        between = evidence.interval(results) or (medians[each], medians[each])
        colour = colour_of(tuning, race, each)
        axis.plot([shown[each]] * len(results), results, "o", color=RUN, markersize=3, zorder=1)
        axis.errorbar([shown[each]], [medians[each]], yerr=[[medians[each] - between[0]], [between[1] - medians[each]]],
                      fmt="o", markersize=5, capsize=3, color=colour, zorder=3)
    if race.base in medians:
        between = evidence.interval(race.results(race.base))
        axis.axhline(medians[race.base], color=PRESENT, linewidth=1, linestyle="--", zorder=0,
                     label=tuning.label(race.base, race.base))
        if between:
            axis.axhspan(*between, color=PRESENT, alpha=0.12, linewidth=0, zorder=0)
    for colour, text in ((WINNER, "winner"), (STOPPED, "stopped early")):
        if colour in [colour_of(tuning, race, each) for each in order]:
            axis.plot([], [], "o", color=colour, markersize=5, label=text)
    axis.legend(fontsize=8, frameon=False)
    if next(each for each in tuning.sweeps if each.name == name).is_stretched and min(shown.values(), default=0) > 0:
        axis.set_xscale("log", base=2)
        axis.minorticks_off()
        axis.set_xticks([shown[each] for each in order],
                        [sweep.short(sweep.as_text(shown[each])) for each in order], fontsize=8)
    axis.set_xlabel(clean(name))
    axis.set_ylabel(metric_text(tuning))


def value_of(tuning, race, candidate, name):
    """The number of a variable of a candidate; that of the present values if the program has one."""
    text = dict(candidate).get(name, tuning.present.get(name) if candidate == race.base else None)
    return sweep.number(text) if text is not None else None


def colour_of(tuning, race, candidate):
    """The colour of a candidate."""
    if tuning.verdict and tuning.verdict.kind == verdict.BETTER and candidate == tuning.verdict.winner:
        return WINNER
    return STOPPED if candidate in race.stopped else PRESENT if candidate == race.base else MEDIAN


def draw_rows(axis, tuning, race):
    """A row for each candidate, the best at the top."""
    medians = race.medians()
    order = sorted(medians, key=medians.get, reverse=tuning.scale.is_highest_best)[:MOST_ROWS][::-1]
    for place, each in enumerate(order):
        results = race.results(each)
        between = evidence.interval(results) or (medians[each], medians[each])
        axis.plot(results, [place] * len(results), "o", color=RUN, markersize=3, zorder=1)
        axis.errorbar([medians[each]], [place], xerr=[[medians[each] - between[0]], [between[1] - medians[each]]],
                      fmt="o", markersize=5, capsize=3, color=colour_of(tuning, race, each), zorder=3)
    axis.set_yticks(range(len(order)), [tuning.label(each, race.base) for each in order], fontsize=8)
    axis.set_xlabel(metric_text(tuning))
