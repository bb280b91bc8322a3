# The plots, as SVG that reads on light and on dark ground: text stays text, its colour and that of the axes follow the
# reader's scheme, and equal results give equal files.
#     changed = plots.update(results, folder, write=True)

import io
import re
import sys

from report import beside
from report.tables import OURS, SAMPLE, SAMPLING, SIZES, schemes

SENTINEL = "#010203"  # becomes the reader's colour of text
STYLE = ("<style>svg { color: #1f2328; } @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } }</style>")
# Middle tones, for both grounds, which differ in lightness as well.
BLUE, ORANGE, GREEN, PURPLE, RED, GREY = "#2f81f7", "#d9822b", "#2da44e", "#a371f7", "#e5534b", "#8b949e"
SETTINGS = {
    "svg.fonttype": "none", "svg.hashsalt": "mpit", "font.size": 10, "text.color": SENTINEL,
    "axes.edgecolor": SENTINEL, "axes.labelcolor": SENTINEL, "xtick.color": SENTINEL, "ytick.color": SENTINEL,
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 11, "axes.titlelocation": "left",
    "legend.frameon": False, "legend.labelcolor": SENTINEL, "figure.constrained_layout.use": True,
}


def plain_number(value, _=None):
    """1000, 0.5 and so on, as a tick of a logarithmic axis."""
    return f"{value:g}" if value < 1e5 else f"{value:.0f}"


def finished(figure):
    """The text of a figure."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue().replace(SENTINEL, "currentColor")
    text = re.sub(r"'DejaVu Sans', [^;]*sans-serif", "'DejaVu Sans', Verdana, sans-serif", text)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"(<svg [^>]*>)", r"\1\n " + STYLE, text, count=1)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


def faint_grid(axes, axis):
    axes.grid(True, axis=axis, which="major", color=SENTINEL, alpha=0.15, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(which="minor", length=0)


def label_bars(axes, bars, values):
    """With as many digits as they are worth."""
    texts = [f"{value:.{2 if value < 1 else 1 if value < 100 else 0}f}" for value in values]
    axes.bar_label(bars, texts, padding=3, fontsize=8)


def bars_side_by_side(axes, rows, series, height, legend):
    """Horizontal bars on a logarithmic axis: in each row one of each series, which has a title, a colour and its values."""
    for place, (title, colour, values) in enumerate(series):
        places = [row + (place - (len(series) - 1) / 2) * height for row in range(len(rows))]
        for at, value in zip(places, values):
            if value is None:
                axes.text(1.04, at, f"{title} has none", va="center", fontsize=7)
        taken = [(at, value) for at, value in zip(places, values) if value is not None]
        bars = axes.barh([at for at, _ in taken], [value for _, value in taken], height * 0.92, color=colour, label=title)
        label_bars(axes, bars, [value for _, value in taken])
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(plain_number)
    faint_grid(axes, "x")
    axes.tick_params(axis="y", length=0)
    axes.legend(loc=legend, fontsize=9)


def names(results, new_figure):
    """Number from name, by the number of names."""
    series = [(OURS, "mpit, MPI_T_cvar_get_index", BLUE, "o", "-"), ("absl::flat_hash_map", None, ORANGE, "s", "-"),
              ("unordered_map without a temporary string", "unordered_map", GREEN, "^", "-"),
              ("unordered_map with a mutex", None, GREEN, "^", ":"), ("map", None, PURPLE, "v", "-"),
              ("table of gperf", None, GREY, "D", "-")]
    points = list(beside.points(results))
    if not points or results[f"index/{SIZES[-1]}/{OURS}/hit"] is None:
        return None
    figure, axes = new_figure(7.2, 4.2)
    for what, title, colour, marker, style in series:
        taken = [(size, results[f"index/{size}/{what}/hit"]) for size in SIZES]
        taken = [(size, measured) for size, measured in taken if measured is not None]
        axes.plot([size for size, _ in taken], [measured.median for _, measured in taken], color=colour, marker=marker,
                  linestyle=style, label=title or what, linewidth=2.4 if what == OURS else 1.6, markersize=5,
                  zorder=3 if what == OURS else 2)
    for (title, count, nanoseconds), marker in zip(points, "*P"):
        axes.plot([count], [nanoseconds], color=RED, marker=marker, markersize=11, linestyle="",
                  label=f"{title}, its own names")
    axes.set(xscale="log", yscale="log", xlabel="names", ylabel="ns a look-up",
             title="Number from name: any name that is there")
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.set_yticks([10, 20, 50, 100, 200, 500, 1000])
    axes.yaxis.set_major_formatter(plain_number)
    faint_grid(axes, "both")
    axes.legend(loc="upper left", fontsize=9)
    return figure


def calls(results, new_figure):
    """What each call of a tool takes: ours and those of both MPIs."""
    libraries = [("own", "own", "mpit", BLUE), ("mpich", "host", "MPICH", ORANGE), ("openmpi", "host", "Open MPI", GREY)]
    if any(results.peer(leg, owner, "cvar_get_num") is None for leg, owner, _, _ in libraries):
        return None
    figure, axes = new_figure(7.2, 6.8)

    def median(leg, owner, call):
        measured = results.peer(leg, owner, call)
        return None if measured is None else measured.median

    series = [(title, colour, [median(leg, owner, call) for call in beside.CALLS]) for leg, owner, title, colour in libraries]
    bars_side_by_side(axes, list(beside.CALLS.values()), series, 0.27, "lower right")
    axes.set(xlabel="ns a call, or a pair of calls", title="A tool's calls, at MPI_THREAD_MULTIPLE")
    axes.set_xlim(1, max(300, axes.get_xlim()[1]))
    return figure


WAYS = [("1 thread", "one thread", BLUE), ("2 threads on one", "two threads on one", ORANGE),
        ("2 threads on one each", "two threads on one each", GREY)]
SCHEMES = [("counter", "0 handles", "mpit::counter"), ("thread_local", None, "a thread-local"),
           ("counter as in MPICH", None, "as in MPICH: plain addition,\ntwo threads lose counts"),
           ("counter as in Open MPI", "0 handles", "as in Open MPI, no tool: not counted"),
           ("counter as in Open MPI", "1 handles", "as in Open MPI, with a tool"),
           ("shared atomic", None, "a shared atomic")]


def counter(results, new_figure):
    """One increment, by scheme and threads."""
    def measured(scheme, way):
        what, handles, _ = scheme
        return results[f"hot/{what}/{way}" + (f"/{handles}" if handles else "")]

    if any(measured(scheme, way) is None for scheme in SCHEMES for way, _, _ in WAYS):
        return None
    figure, axes = new_figure(7.2, 4.2)
    series = [(title, colour, [measured(scheme, way).median for scheme in SCHEMES]) for way, title, colour in WAYS]
    bars_side_by_side(axes, [title for _, _, title in SCHEMES], series, 0.26, "upper right")
    axes.set(xlabel="ns of processor time an increment", title="A counter")
    axes.set_xlim(0.1, 100)
    return figure


def distribution(results, new_figure):
    """One sample, by scheme and threads."""
    whose = schemes(results)
    if not whose:
        return None
    figure, axes = new_figure(7.2, 0.8 + 0.42 * len(whose))
    series = [(title, colour, [results[SAMPLE.format(way, each)].median for each in whose])
              for way, title, colour in zip(SAMPLING, ("one thread", "two threads", "16 threads"),
                                            (BLUE, ORANGE, GREY))]
    bars_side_by_side(axes, whose, series, 0.27, "upper right")
    axes.set(xlabel="ns of processor time a sample", title="A sample of a distribution")
    axes.set_xlim(0.5, 1000)
    return figure


def start(results, new_figure):
    """Start-up, by the number of variables."""
    counts = sorted({int(name.split("/")[1]) for name in results.part("start") or {}})
    if len(counts) < 5:
        return None
    figure, axes = new_figure(7.2, 3.8)
    for whose, title, colour, marker in (("ours", "mpit, before a tool comes", BLUE, "o"),
                                         ("tool", "mpit, the first tool", GREY, "s"),
                                         ("map", "std::unordered_map, a call each", GREEN, "^")):
        taken = [results.start("start", f"{whose}/{count}", "nanoseconds", 1000) for count in counts]
        axes.plot(counts, [measured.median for measured in taken], color=colour, marker=marker, label=title, linewidth=2)
        axes.fill_between(counts, [min(measured.samples) for measured in taken],
                          [max(measured.samples) for measured in taken], color=colour, alpha=0.2, linewidth=0)
    axes.set(xscale="log", yscale="log", xlabel="variables", ylabel="microseconds", title="Start-up in a fresh process")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(plain_number)
    faint_grid(axes, "both")
    axes.legend(loc="upper left", fontsize=9)
    return figure


PLOTS = {"names": names, "calls": calls, "counter": counter, "distribution": distribution, "start": start}


def update(results, folder, write):
    """The files that differ from the results; they are written anew where that is wished."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        print("== matplotlib is not installed: the plots stay as they were", file=sys.stderr)
        return []

    def new_figure(width, height):
        return pyplot.subplots(figsize=(width, height))

    differing = []
    for name, draw in PLOTS.items():
        with matplotlib.rc_context(SETTINGS):
            figure = draw(results, new_figure)
            if figure is None:
                print(f"== plots/{name}.svg: not all of it was measured, and it stays as it was", file=sys.stderr)
                continue
            text = finished(figure)
            pyplot.close(figure)
        path = folder / f"{name}.svg"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            differing.append(path)
            if write:
                folder.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return differing
