"""A job whose nodes a Prometheus server scrapes, in place of a program: `Prometheus(url, [("job_id", "77")], 3600, True).messages()`.

It has the interface of recording.Replay. All series of a scrape have its time, so that they are a sample of each process of the page
(openmetrics.py), read at the moment that the page tells. Nodes are scraped at different times, and perhaps no more: what the sentences
compare must not depend on the time in which only some ranks are known.
"""

import bisect
import collections
import functools
import http.client
import json
import math
import time
import urllib.error
import urllib.parse
import urllib.request

from mpit_info import distributions, document, figures, headline, messages, progress, schema, words
from mpit_info.history import MOST_SLOTS, History
from mpit_info.refusal import Refusal
from mpit_info.sampled import SLOT

# Seconds for an answer, between two queries, and by which queries overlap: a scrape is stored a little after its time.
PATIENCE, PERIOD, OVERLAP, TICK = 60, 2, 30, 0.05
# A node that was not scraped for so many times the time between two scrapes is named.
MOST_MISSED = 2.5
# The labels that name a process.
LABELS = ("job_id", "host", "launch", "rank", "process")
NODE, PROCESS, VARIABLE, BEGAN, MOMENT = (
    "mpit_node_info", "mpit_process_info", "mpit_variable_info", "mpit_process_start_time_seconds", "mpit_sample_timestamp_seconds")
INFOS, OF_PROCESS = (NODE, PROCESS), (NODE, PROCESS, BEGAN, MOMENT)


class Known:
    """A process: its number and its page, when its times begin, the moment of its last sample, when that was scraped, and the least age of
    a sample then.
    """

    def __init__(self, number, instance, began):
        self.number, self.instance, self.began, self.columns = number, instance, began, {}
        self.moment, self.scraped, self.age = -math.inf, 0.0, math.inf
        self.document, self.bounds = {}, {}


class Page:
    """The page of a node, and when it was scraped."""

    def __init__(self, host):
        self.host, self.times = host, []

    def interval(self, moment):
        """The seconds between this scrape and the one before; 0 for the first one."""
        place = bisect.bisect_left(self.times, moment)
        return moment - self.times[place - 1] if place else 0.0

    def after(self, moment):
        """When the page was scraped next; infinite if it was not."""
        place = bisect.bisect_right(self.times, moment)
        return self.times[place] if place < len(self.times) else math.inf


class Prometheus:
    """What the server has of the last `seconds`, and then, with `follows`, what comes; `match` are pairs of a label and its value."""

    runs_program, status = False, None

    def __init__(self, url, match, seconds, follows):
        self.url, self.follows, self.seen = url, follows, {}
        matchers = ['__name__=~"mpit?_.+"', *(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in match)]
        self.selector = f"{{{','.join(matchers)}}}"
        self.processes, self.pages, self.variables, self.end_of_news = {}, {}, {}, []
        self.began = {}  # when the times of the first process of each launch begin
        self.scrapes = self.new_scrapes(seconds)
        programs = {values[PROCESS].get("program") for _, processes in self.scrapes for values in processes.values() if PROCESS in values}
        self.command = [*filter(None, programs)] if len(programs) == 1 else []
        self.history = functools.partial(ScrapedHistory, self)
        # Graphs of what was before are not seen.
        self.drawn_from = self.scrapes[-1][0][0] - MOST_SLOTS * SLOT if self.scrapes and follows else math.inf
        if not self.scrapes:
            raise Refusal(f"{url} has scraped no page of --openmetrics{' with these labels' if match else ''} in the last {seconds:g} s", 1)

    def problems(self):
        """Why there is nothing more of a run that may go on."""
        return self.end_of_news

    def asked(self, query):
        """The series that the server answers."""
        try:
            request = urllib.request.Request(f"{self.url}/api/v1/query", urllib.parse.urlencode({"query": query}).encode())
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return [(series["metric"], series.get("values", [])) for series in schema.parsed(answer.read())["data"]["result"]]
        except urllib.error.HTTPError as problem:
            try:
                reason = schema.parsed(problem.read())["error"]
            except (ValueError, TypeError, LookupError, OSError):
                reason = f"{problem.code} {problem.reason}"
            raise Refusal(f"{self.url} refuses: {reason}") from None
        except (OSError, http.client.HTTPException) as problem:
            raise Refusal(f"cannot read {self.url}: {getattr(problem, 'reason', None) or problem}") from None
        except (ValueError, TypeError, LookupError):
            raise Refusal(f"{self.url} does not answer as a Prometheus server") from None

    def new_scrapes(self, seconds):
        """The scrapes of the last seconds that were not known: pairs of their time and page, and of what they have of each process. That is a
        value for each column, and labels for infos.
        """
        series, found, seen = self.asked(f"{self.selector}[{math.ceil(seconds)}s]"), {}, dict(self.seen)
        for labels, _ in series:
            if labels["__name__"] == VARIABLE:
                self.variables[labels.get("instance"), labels.get("metric")] = (
                    labels.get("name", ""), labels.get("class") or "generic", labels.get("type", ""))
        while series:
            labels, values = series.pop()
            name, instance = labels["__name__"], labels.get("instance", "")
            variable = self.variables.get((labels.get("instance"), name))
            if variable is None and name not in OF_PROCESS:
                continue
            process = tuple(labels.get(label, "") for label in LABELS)
            # A bucket has its bound in place of its number.
            element = distributions.bound_of(labels["le"]) if "le" in labels else whole(labels.get("element"), None)
            if "le" in labels and element is None:
                continue
            column = name if variable is None else (*variable, element, labels.get("object"))
            for moment, value in values:
                if moment > self.seen.get(instance, 0):
                    found.setdefault((moment, instance), {}).setdefault(process, {})[column] = labels if name in INFOS else value
                    seen[instance] = max(moment, seen.get(instance, 0))
        self.seen = seen
        return sorted(found.items(), key=lambda pair: pair[0])

    def messages(self):
        """Yields pairs of a process's number and its message, and at each tick without any, None and None."""
        asked = answered = time.monotonic()
        yield from self.messages_of(self.scrapes)
        self.scrapes.clear()
        while self.follows:
            time.sleep(TICK)
            yield None, None
            now = time.monotonic()
            if now - asked >= PERIOD:
                asked = now
                try:
                    yield from self.messages_of(self.new_scrapes(now - answered + OVERLAP))
                    answered, self.end_of_news = now, []
                except Refusal as refusal:
                    # The server may be started again, and has what it scrapes then.
                    self.end_of_news = [f"what came later is missing: {refusal}"]

    def messages_of(self, scrapes):
        """The messages of each process of these scrapes."""
        told = []
        for (moment, instance), processes in scrapes:
            for values in processes.values():
                if facts := values.pop(NODE, None):
                    self.pages.setdefault(instance, Page(facts.get("host", instance))).times.append(moment)
            for key, values in processes.items() if instance in self.pages else ():
                facts, began, sampled = values.pop(PROCESS, None), number_of(values.pop(BEGAN, None)), number_of(values.pop(MOMENT, None))
                if facts is not None and None not in (began, sampled):
                    told.append(((*key, began), instance, moment, sampled, facts, values))
        # The times of a launch begin with those of its first process, which need not be the first one that was scraped.
        for key, instance, _, _, facts, _ in sorted(told, key=lambda each: each[0][-1]):
            if key not in self.processes:
                hello, document_ = first_messages(facts, key[-1])
                hello["began"] = max(key[-1], self.began.setdefault(hello["launch"], key[-1]))
                known = self.processes[key] = Known(len(self.processes), instance, hello["began"])
                known.document = document_["document"]
                yield from ((known.number, checked(message)) for message in (hello, document_))
        for key, instance, moment, sampled, _, values in told:
            yield from self.messages_of_process(self.processes[key], instance, moment, sampled, values)

    def messages_of_process(self, known, instance, scraped, moment, values):  # pylint: disable=too-many-arguments
        """The messages about a process in a scrape: a sample, if that is new."""
        known.age = min(known.age, scraped - moment)
        if moment <= known.moment:
            return
        known.moment, known.scraped, known.instance = moment, scraped, instance
        values, bounds = counted(values)
        if bounds != known.bounds:
            known.bounds = bounds
            yield known.number, checked({"message": "snapshot", "document": {**known.document, **members_of(bounds)}})
        if values.keys() != known.columns.keys():
            known.columns = dict.fromkeys(sorted(values, key=lambda column: [*column[:3], column[3] or 0, column[4] or ""]))
            yield known.number, checked({"message": "columns", "columns": [
                {"name": name, "class": class_, "type": type_, "element": element, "object": bound}
                for name, class_, type_, element, bound in known.columns]})
        yield known.number, checked({"message": "sample", "time": max(moment - known.began, 0.0), "values": [
            number_of(values[column], column[2]) for column in known.columns]})


def number_of(text, type_="double"):
    """The number of a series, whole for a variable of such a type; None if it is none."""
    value = None if text is None else figures.number(text)
    return value if value is None or type_ in ("double", "float") or not value.is_integer() else int(value)


def counted(values):
    """The values with the counts of the buckets of each distribution in place of those up to their bounds, and the bounds by the name."""
    reached, found, bounds = {}, {}, {}
    for column, value in values.items():
        if isinstance(column[3], float):
            reached.setdefault((*column[:3], column[4]), {})[column[3]] = number_of(value)
        else:
            found[column] = value
    for (name, class_, type_, bound), counts in reached.items():
        before = 0
        for number, (_, count) in enumerate(sorted(counts.items())):
            found[name, class_, type_, number, bound] = None if None in (count, before) else count - before
            before = count
        bounds[name] = [bound if math.isfinite(bound) else "inf" for bound in sorted(counts)]
    return found, bounds


def members_of(bounds):
    """The part of a document with these distributions."""
    names = list(bounds)
    return {"control_variables": [{"index": number, "name": f"{name}_bounds", "type": "double", "count": len(bounds[name]), "scope": "constant",
                                   "value": bounds[name]} for number, name in enumerate(names)],
            "performance_variables": [{"index": number, "name": name, "class": "counter", "type": "unsigned_long_long", "count": len(bounds[name])}
                                      for number, name in enumerate(names)],
            "categories": [{"index": 0, "name": "distributions", "controls": list(range(len(names))), "performances": list(range(len(names)))}]}


def whole(text, otherwise):
    """The number of a label."""
    return int(text) if text and text.isdecimal() else otherwise


def checked(message):
    """A message as a process would have sent it."""
    try:
        return messages.checked(message)
    except schema.Misfit as misfit:
        raise Refusal(f"a series of mpit-info {misfit}") from None


def first_messages(facts, began):
    """The first messages of a process."""
    rank, processes, pid = (whole(facts.get(name), other) for name, other in (("rank", -1), ("processes", 1), ("pid", 0)))
    yield {"message": "hello", "rank": rank, "processes": processes, "host": facts.get("host", ""), "pid": pid,
           "launch": " ".join(filter(None, (facts.get("launch_id"), facts.get("job_id")))) or None, "began": began}
    version = [whole(part, 0) for part in facts.get("standard", "").split(".") if part]
    yield {"message": "snapshot", "document": {
        "format": document.FORMAT, "taken": "while it runs", "program": [facts.get("program", "")],
        "mpi": {"version": version or None, "library": facts.get("library"), "rank": rank, "processes": processes}}}


class ScrapedHistory(History):
    """The processes of a launch, of which some may be known for a part of the time only."""

    def __init__(self, source, rank):
        super().__init__(rank)
        self.source = source

    def close_slot(self):
        """Adds a block to every graph, unless it is not seen."""
        if self.began + self.slot * SLOT >= self.source.drawn_from:
            super().close_slot()
            return
        self.slot += 1
        for process in self.ordered():
            process.skip_to(self.slot - 1)

    def known(self):
        """What the server tells of each process."""
        return [each for each in self.source.processes.values() if each.number in self.processes]

    def unseen(self):
        """The most seconds of a rank outside of the time in which all ranks were sampled, with the difference of the clocks. It is infinite if
        that is too much for times to be compared.
        """
        there = self.ordered()
        if self.missing() or self.lost_sentences() or not there or not all(process.first for process in there):
            return math.inf
        common = min(process.last[0] for process in there) - max(process.first[0] for process in there)
        ages = [each.age for each in self.known()]
        seconds = self.seconds() - max(common, 0) + max(ages) - min(ages)
        return seconds if seconds <= headline.LEAST_SHARE * self.seconds() else math.inf

    def lost_sentences(self):
        """A sentence about each node that was scraped no more, while ranks of others were."""
        by_page, told = collections.defaultdict(list), []
        for each in self.known():
            by_page[self.source.pages[each.instance]].append(each)
        last = {page: max(each.scraped for each in those) for page, those in by_page.items()}
        limit = MOST_MISSED * max((page.interval(moment) for page, moment in last.items()), default=0)
        for page, moment in last.items():
            seconds = min(page.after(moment), max(last.values())) - moment
            # Others have ended before.
            there = {each.number for each in by_page[page] if moment - each.scraped <= limit}
            ranks = headline.named([process.title() for process in self.ordered() if process.number in there])
            if seconds > limit > 0:
                node = f"Node {document.clean(page.host)}"
                told.append(f"{node} was not scraped for {progress.seconds(seconds)}: nothing newer is known of {ranks}.")
        return told

    def missing_sentences(self):
        """A sentence about ranks that no page has."""
        return [f"{words.plural(self.missing(), 'rank')} of {self.ordered()[0].processes} are not in Prometheus."] if self.missing() else []
