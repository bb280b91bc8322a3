# The tables of our own measurements. Each is a list of lines, or None if a part of it was not measured.
#     tables.index(results)

import re

from report.results import Measured, in_words, ratio

SIZES = (16, 1000, 16384, 131072)
OURS = "MPI_T_cvar_get_index"
SINGLE = re.compile(r"(.*) single reads(.*)$")


def row(*cells):
    return "| " + " | ".join("" if cell is None else str(cell) for cell in cells) + " |"


def table(head, body):
    body = list(body)
    return [row(*head), row(*("---" for _ in head)), *(row(*cells) for cells in body)] if body else None


def all_sizes(results, question):
    """Whether the question was asked among all numbers of names; of a quick run one is enough."""
    enough = any if results.is_quick() else all
    return enough(results[f"index/{size}/{OURS}/{question}"] is not None for size in SIZES)


def index_rows(results, wanted):
    """Whatever was asked so, with its ratio to the index among 1000 names, and the instructions there."""
    named = dict.fromkeys((what, question) for _, what, question in results.names("index"))
    for what, question in named:
        if not wanted(what, question):
            continue
        cells = [results[f"index/{size}/{what}/{question}"] for size in SIZES]
        if not any(cells):
            continue
        reference = results[f"index/1000/{OURS}/{question.split(',')[0]}"]
        factor = ratio(results[f"index/1000/{what}/{question}"], reference)
        yield what, question, cells, in_words(factor)


def index(results):
    if not all_sizes(results, "hit"):
        return None
    rows = list(index_rows(results, lambda what, question: question in ("walk", "hit", "miss") and "mutex" not in what
                           and "more and more" not in what))
    return with_counts(results, ["number from name, ns", *(f"{size} names" for size in SIZES), "ratio at 1000"],
                       [[f"{what}, {question}", *cells, factor] for what, question, cells, factor in rows],
                       [f"index/1000/{what}/{question}" for what, question, _, _ in rows])


def index_threads(results):
    if not all_sizes(results, "hit, two threads"):
        return None
    taken = index_rows(results, lambda what, question: question.startswith("hit") and not what.startswith("strlen"))
    rows = {(what, question): (cells, factor) for what, question, cells, factor in taken}
    body = []
    for what, question in rows:
        if question == "hit" and ((what, "hit, two threads") in rows or "more and more" in what):
            body.append([what, "1", *rows[what, question][0], rows[what, question][1]])
            if (what, "hit, two threads") in rows:
                body.append([what, "2", *rows[what, "hit, two threads"][0], rows[what, "hit, two threads"][1]])
        if question == "hit, another thread registers":
            body.append([what, "1, and one that registers", *rows[what, question][0], rows[what, question][1]])
    return table(["any name that is there, ns", "threads", *(f"{size} names" for size in SIZES), "ratio at 1000"], body)


def index_cold(results):
    if not all_sizes(results, "cold"):
        return None
    return table(["any name, cold, ns", *(f"{size} names" for size in SIZES), "ratio at 1000"],
                 ([what, *cells, factor] for what, question, cells, factor in
                  index_rows(results, lambda what, question: question == "cold")))


def counted(results, name):
    of = results.instructions(name)
    return "" if of is None else f"{of:.0f}" if of >= 9.5 else f"{of:.1f}"


def with_counts(results, head, body, names):
    """A table with a column of instructions, where they were counted; `names` are the benchmarks of its rows."""
    if not results.part("instructions"):
        return table(head, body)
    return table([*head, "instructions"], ([*cells, counted(results, name)] for cells, name in zip(body, names)))


def hot(results):
    body, names = [], []
    for what, way, *handles in results.names("hot"):
        if handles and handles[0] != "0 handles":
            continue
        name = f"hot/{what}/{way}" + (f"/{handles[0]}" if handles else "")
        more = [results[f"hot/{what}/{way}/{count} handles"] for count in (1, 8)]
        names.append(name)
        body.append([what, way, results[name], *more, in_words(ratio(results[name], results[f"hot/thread_local/{way}"]))])
    head = ["one change, ns", "threads", "no handle", "1 handle", "8 handles", "ratio to thread_local"]
    return with_counts(results, head, body, names)


def against(results, room, reference, head):
    """Each benchmark of a room beside one of them."""
    names = [f"{room}/{name}" for name, in results.names(room)]
    body = [[name.removeprefix(f"{room}/"), results[name], in_words(ratio(results[name], results[f"{room}/{reference}"]))]
            for name in names]
    return with_counts(results, head, body, names)


def events(results):
    return against(results, "events", "cycle counter read",
                   ["one raise, ns", "median (spread)", "ratio to reading the cycle counter"])


def others(results):
    """What people would choose instead, each question with the ratio to mpit."""
    body, names = [], []
    for question, whose in results.names("others"):
        name = f"others/{question}/{whose}"
        names.append(name)
        body.append([question, whose, results[name], in_words(ratio(results[name], results[f"others/{question}/mpit"]))])
    return with_counts(results, ["ns of processor time", "by", "median (spread)", "ratio to mpit"], body, names)


SAMPLE = "others/sample, {}/{}"
SAMPLING = ("1 thread", "2 threads", "16 threads")
LOOP = "the loop alone"


def schemes(results):
    """Who records samples, in the order of the source."""
    return [whose for question, whose in results.names("others") if question == "sample, 1 thread" and whose != LOOP]


def distribution(results):
    """One sample, by scheme, if instructions were counted: those of the recording without its loop."""
    loop = results.instructions(SAMPLE.format(SAMPLING[0], LOOP))
    if loop is None:
        return None
    body = []
    for whose in schemes(results):
        name = SAMPLE.format(SAMPLING[0], whose)
        count = results.instructions(name)
        body.append([whose, results[name], "" if count is None else f"{count - loop:.0f}",
                     f"{results.part('bytes_of_thread')[name]:.0f}"])
    return table(["one sample, ns", "median (spread)", "instructions", "bytes a thread"], body)


def session(results):
    return against(results, "session", "cvar_get_num",
                   ["one call or pair of calls, ns", "median (spread)", "ratio to cvar_get_num"])


def batch(results):
    """Each batch beside a call for each of its variables."""
    body, names = [], []
    for (what,) in results.names("batch"):
        found = SINGLE.match(what)
        together = results[f"batch/{found[1]} variables{found[2]}"] if found else None
        if together is not None:
            names.append(f"batch/{found[1]} variables{found[2]}")
            said = f"{found[1]}{found[2]}".replace(":", "")
            single = results[f"batch/{what}"]
            said = re.sub(r"^(\d+)( while.*)?$", r"\1 counters\2", said)
            body.append([said, together, single, in_words(ratio(together, single))])
    return with_counts(results, ["variables, ns for all of them", "one batch read", "single reads", "ratio"], body, names)


def with_spread(of, digits):
    return Measured([of["minimum"], of["median"], of["maximum"]], digits)


def compilers(results):
    compiled = results.part("compile")
    if not compiled:
        return None
    globals_of = {each["compiler"]: each["seconds"]["median"] for each in compiled if "globals" in each["source"]}
    return table(["source", "compiler", "seconds", "ratio to the globals", "MB at most", "object KB", "loaded KB"],
                 ([each["source"], each["compiler"], with_spread(each["seconds"], 2),
                   f"{each['seconds']['median'] / globals_of[each['compiler']]:.2f}",
                   f"{each['megabytes']['median']:.0f}", f"{each['object_bytes'] / 1024:.0f}",
                   f"{each['loaded_bytes'] / 1024:.0f}"] for each in compiled))


def registration(results):
    return table(["a tree of 1000 variables in a fresh process", "registering it, microseconds", "with creating the registry",
                  "publishing it, microseconds", "page faults of registering", "page faults of publishing"],
                 ([each["compiler"], with_spread(each["microseconds"], 0), with_spread(each["with_index"], 0),
                   with_spread(each["first_tool"], 0), f"{each['page_faults']['median']:.0f}",
                   f"{each['page_faults_of_tool']['median']:.0f}"] for each in results.part("registration") or []))


def start(results):
    counts = sorted({int(name.split("/")[1]) for name in results.part("start") or {}})
    body = []
    for count in counts:
        ours, other = (results.start("start", f"{whose}/{count}", "nanoseconds", 1000) for whose in ("ours", "map"))
        tool = results.start("start", f"tool/{count}", "nanoseconds", 1000)
        cells = [f"{count}", ours, other, in_words(ratio(ours, other)), f"{1000 * ours.median / count:.0f}", tool]
        for whose in ("ours", "tool", "map"):
            cells += [f"{results.start('start', f'{whose}/{count}', 'page_faults').median:.0f}",
                      f"{results.start('start', f'{whose}/{count}', 'bytes').median / count:.0f}"]
        body.append(cells)
    return table(["variables", "start-up, microseconds", "a map with calls", "ratio", "ns a variable",
                  "first tool, microseconds", "page faults", "bytes a variable", "page faults of the tool",
                  "bytes a variable of the tool", "page faults of the map", "bytes a variable of the map"], body)


def load(results):
    figures = {"open": "dlopen", "close": "dlclose", "open again": "dlopen again", "close again": "dlclose again"}
    return table(["1000 variables, microseconds", "with mpit", "globals with a call each", "ratio"],
                 ([title, ours, other, in_words(ratio(ours, other))] for figure, title in figures.items()
                  if (ours := results.start("load", "ours", figure, 1000))
                  and (other := results.start("load", "map", figure, 1000))))


def code(results):
    """Lines with what compilers make of them: a table, and the instructions themselves."""
    rows = results.part("code")
    if not rows:
        return None
    plain = {each["compiler"]: each["bytes"] for each in rows if "thread_local" in each["line"]}
    lines = table(["line", "compiler", "instructions", "bytes", "ratio to thread_local"],
                  ([f"`{each['line']}`", each["compiler"], len(each["instructions"]), each["bytes"],
                    f"{each['bytes'] / plain[each['compiler']]:.1f}"] for each in rows))
    return [*lines, "", "```", *"\n\n".join(f"{each['line']}    // {each['compiler']}\n"
                                            + "\n".join(f"    {one}" for one in each["instructions"])
                                            for each in rows).splitlines(), "```"]


def counter_code(results):
    """The shortest one."""
    for each in results.part("code") or []:
        if (each["line"], each["compiler"]) == ("++library.messages;", "g++"):
            return ["```", f"{each['line']}    // {each['compiler']} -O2, {each['bytes']} bytes",
                    *(f"    {one}" for one in each["instructions"]), "```"]
    return None
