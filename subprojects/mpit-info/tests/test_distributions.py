"""Distributions: what their buckets tell of quantiles, how they are found among variables, and how outputs show them."""

import csv
import io
import itertools
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from rich.console import Console

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import distributions, element_labels, export, history, launches, live, measured, native_histograms, openmetrics, prometheus, report, report_data  # noqa: E402
from mpit_info import messages as messages_  # noqa: E402
from mpit_info.diff import command, sentences  # noqa: E402
from mpit_info.histogram import Histogram, schema_of  # noqa: E402
from mpit_info.history import Column  # noqa: E402
from mpit_info.nodes.distribution import Distribution  # noqa: E402
from mpit_info.nodes.history import NodesHistory  # noqa: E402
from mpit_info.nodes.lines import NodesIntervals  # noqa: E402
from mpit_info.nodes.summaries import Columns, Measured, Summary  # noqa: E402
from mpit_info.view_state import ViewState  # noqa: E402


def exponential(scale, lowest, highest):
    """The bounds of buckets that mpit declares."""
    return (*(2.0 ** (lowest + number / 2**scale) for number in range((highest - lowest) * 2**scale + 1)), math.inf)


def filled(bounds, values):
    counts = [0] * len(bounds)
    for value in values:
        counts[next(number for number, bound in enumerate(bounds) if value <= bound)] += 1
    return Histogram(bounds, tuple(counts), sum(values), min(values), max(values))


class Histograms(unittest.TestCase):
    def test_a_quantile_is_inside_of_the_edges_of_its_bucket_as_the_sorted_value_is(self):
        for seed in range(20):
            values = sorted(random.Random(seed).lognormvariate(2, 1.5) for _ in range(1 + 37 * seed))
            for bounds in (exponential(1, 0, 12), exponential(3, -4, 8), (1.0, 5.0, 20.0, math.inf)):
                of = filled(bounds, values)
                for share in (0, 0.01, 0.5, 0.99, 1):
                    lower, upper = of.edges(share)
                    self.assertLessEqual(lower, of.quantile(share))
                    self.assertLessEqual(of.quantile(share), upper)
                    place = max(math.ceil(share * len(values)), 1) - 1
                    self.assertTrue(lower <= values[place] <= upper, (seed, bounds, share))

    def test_quantiles_are_on_a_geometric_line_in_exponential_buckets_and_on_a_straight_one_in_others(self):
        self.assertAlmostEqual(Histogram((1.0, 2.0, 4.0, math.inf), (0, 0, 8, 0)).quantile(0.5), 2 * math.sqrt(2))
        self.assertAlmostEqual(Histogram((1.0, 2.0, 5.0, math.inf), (0, 0, 8, 0)).quantile(0.5), 3.5)
        self.assertAlmostEqual(Histogram((1.0, 2.0, 4.0, math.inf), (4, 0, 4, 0)).quantile(0.25), 0.5)
        self.assertAlmostEqual(Histogram((3.0, 6.0, 12.0, math.inf), (0, 0, 8, 0)).quantile(0.5), 6 * math.sqrt(2))

    def test_an_open_bucket_ends_at_the_maximum_and_without_one_tells_where_it_begins(self):
        self.assertEqual(Histogram((1.0, 2.0, math.inf), (0, 0, 3)).quantile(0.99), 2)
        self.assertEqual(Histogram((1.0, 2.0, math.inf), (0, 0, 3), None, 3, 9).edges(0.5), (3, 9))
        self.assertIsNone(Histogram((1.0, 2.0, math.inf), (0, 0, 0)).quantile(0.5))

    def test_bounds_tell_their_scale_and_offset_unless_they_are_not_aligned(self):
        self.assertEqual([schema_of(exponential(*each)) for each in ((0, 0, 40), (1, -3, 4), (3, 2, 5), (8, 0, 1))],
                         [(0, 0), (1, -6), (3, 16), (8, 0)])
        # Powers of two of nanoseconds are none of seconds.
        nanoseconds = (*(1e-9 * bound for bound in exponential(1, 0, 30)[:-1]), math.inf)
        self.assertEqual([schema_of(bounds) for bounds in (nanoseconds, (1.0, 2.0, 5.0, math.inf), (0.0, 1.0, math.inf), (math.inf,))], [None] * 4)

    def test_bounds_of_any_size_are_taken(self):
        for bounds in ((1e-100, 1e100, 1e200, math.inf), (1e-300, 1e300, math.inf), (1e-310, 1e-300, math.inf), (1.0, 1.0000000000000002, math.inf),
                       (1e-320, 1e-160, 1.0, 1e160, math.inf), (-1e308, 1e308, math.inf)):
            self.assertIsNone(schema_of(bounds), bounds)
            lower, upper = bounds[:2]
            self.assertTrue(lower <= Histogram(bounds, (0, 3, *([0] * (len(bounds) - 2)))).quantile(0.5) <= upper, bounds)
        self.assertEqual(schema_of((2.0**-1000, 2.0**-984, 2.0**-968, math.inf)), None)
        self.assertEqual(schema_of((2.0**-992, 2.0**-976, math.inf)), (-4, -62))

    def test_merging_loses_no_sample_and_other_scales_meet_at_the_coarser_one(self):
        values = [random.Random(1).expovariate(0.01) for _ in range(500)]
        fine, coarse = exponential(3, -2, 12), exponential(1, 0, 10)
        merged = Histogram.merged([filled(fine, values[:200]), filled(coarse, values[200:])])
        self.assertEqual(merged._replace(sum=None), filled(coarse, values)._replace(sum=None))
        self.assertAlmostEqual(merged.sum, sum(values))
        parts = [filled(fine, values[start::7]) for start in range(7)]
        self.assertEqual(Histogram.merged(parts).counts, filled(fine, values).counts)
        self.assertEqual(Histogram.merged([Histogram.merged(parts[:3]), *parts[3:]]).counts, filled(fine, values).counts)

    def test_what_is_not_known_of_all_is_not_known_of_the_merged_ones(self):
        one, other = Histogram((1.0, math.inf), (1, 0), 1, 1, 1), Histogram((1.0, math.inf), (0, 2))
        self.assertEqual(Histogram.merged([one, other]), ((1.0, math.inf), (1, 2), None, None, None))
        # A rank without samples has no extremes, which is known.
        self.assertEqual(Histogram.merged([one, Histogram((1.0, math.inf), (0, 0))]), one)

    def test_a_difference_has_the_samples_between_and_a_reset_begins_anew(self):
        before, now = (Histogram((1.0, math.inf), counts, total, 1, 9) for counts, total in (((1, 2), 10), ((1, 5), 31)))
        self.assertEqual(now.minus(before), ((1.0, math.inf), (0, 3), 21, None, None))
        self.assertEqual(before.minus(now), before)


BOUNDS = exponential(1, -20, 0)


def counts_of(values, bounds=BOUNDS):
    return list(filled(bounds, values).counts)


def document(ranks=1, bounds=BOUNDS, **more):
    """A library with a latency, whose parts are in one category, and a counter with elements that has no bounds there."""
    told = [float(bound) if math.isfinite(bound) else "inf" for bound in bounds]
    facts = {"type": "unsigned_long_long", "count": len(bounds)}
    return samples.document(processes=ranks, performance_variables=[
        samples.performance(0, "latency", **facts, description="How long a message takes"),
        samples.performance(1, "latency_sum", type="double", **{"class": "timer"}), samples.performance(2, "latency_count", **{**facts, "count": 1}),
        samples.performance(3, "latency_min", type="double", **{"class": "low_watermark"}),
        samples.performance(4, "latency_max", type="double", **{"class": "high_watermark"}),
        samples.performance(5, "other", **facts)], control_variables=[
        samples.control(0, "latency_bounds", type="double", count=len(bounds), scope="constant", value=told),
        samples.control(1, "other_bounds", type="double", count=len(bounds), scope="constant", value=told)], categories=[
        samples.category(0, "timing", [0], [0, 1, 2, 3, 4]), samples.category(1, "others", [], [5]), samples.category(2, "bounds", [1], [])], **more)


def columns_of(bounds):
    return [*({"name": "latency", "class": "counter", "element": number, "object": None, "type": "unsigned_long_long"} for number in range(len(bounds))),
            *({"name": "latency_" + end, "class": class_, "element": None, "object": None, "type": type_} for end, class_, type_ in (
                ("sum", "timer", "double"), ("count", "counter", "unsigned_long_long"), ("min", "low_watermark", "double"),
                ("max", "high_watermark", "double")))]


COLUMNS = columns_of(BOUNDS)


def values_of(values, bounds=BOUNDS):
    """What the parts of the distribution of these samples are; the extremes without samples are those of a new watermark."""
    return [*(counts_of(values, bounds) if values else [0] * len(bounds)), sum(values), len(values), min(values, default=1.7976931348623157e308), max(values, default=0)]


def messages(*ranks, bounds=BOUNDS, of_ranks=None):
    """The record of ranks with these samples in each second; `of_ranks` are the bounds of each rank if they differ."""
    of_ranks = of_ranks or [bounds] * len(ranks)
    yield {"message": "recording", "format": "mpit-info stream 1", "program": ["./stencil"]}
    for rank, seconds in enumerate(ranks):
        yield {"process": rank, "message": "hello", "rank": rank, "processes": len(ranks), "host": "node7", "pid": 100 + rank, "began": 1000000.0}
        yield {"process": rank, "message": "snapshot", "document": document(len(ranks), of_ranks[rank])}
        yield {"process": rank, "message": "columns", "columns": columns_of(of_ranks[rank])}
    for moment in range(len(ranks[0]) + 1):
        for rank, seconds in enumerate(ranks):
            yield {"process": rank, "message": "sample", "time": float(moment), "values": values_of([value for part in seconds[:moment] for value in part], of_ranks[rank])}
    for rank, seconds in enumerate(ranks):
        yield {"process": rank, "message": "end", "time": float(len(seconds)), "samples": len(seconds) + 1, "cost": 0.0}
    yield {"message": "status", "status": 0}


def replayed(told, *arguments, columns=120):
    """What the tool prints of a record."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "run.jsonl"
        record.write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")
        finished = tool.call("watch", "--replay", record, *arguments, variables={"COLUMNS": str(columns)}, check=True)
        return finished.stdout


def kept(told):
    """The history of a record."""
    history_ = history.History()
    for each in told:
        if "process" in each:
            history_.accept(each["process"], messages_.checked({name: value for name, value in each.items() if name != "process"}))
    return history_


FAST, SLOW = [5e-6] * 95 + [40e-6] * 5, [5e-6] * 90 + [0.001] * 10


class Declared(unittest.TestCase):
    def test_a_distribution_is_a_counter_with_bounds_in_its_category_and_its_parts(self):
        found = distributions.declared(kept(messages([FAST])))
        self.assertEqual([(each.name, each.object, each.bounds, each.unit, len(each.columns), list(each.parts)) for each in found],
                         [("latency", None, BOUNDS, "s", len(BOUNDS), ["_sum", "_count", "_min", "_max"])])

    def test_bounds_that_are_none_of_its_buckets_make_no_distribution(self):
        for wrong in ({"value": [1.0, 2.0, "inf"]}, {"value": [2.0 for _ in BOUNDS]}, {"value": None}, {"scope": "local"}, {"type": "int"}):
            told = document()
            told["control_variables"][0].update(wrong)
            self.assertEqual(distributions.of_document(told), {}, wrong)
        told = document()
        told["performance_variables"][0]["class"] = "level"
        self.assertEqual(distributions.of_document(told), {})

    def test_what_is_no_number_of_samples_makes_no_histogram(self):
        for wrong in ("inf", "nan", "", 0.5, -1, None, 1e300, [3], {}):
            self.assertIsNone(distributions.made((1.0, 2.0, math.inf), [1, wrong, 2], lambda end: None), wrong)
        self.assertEqual(distributions.made((1.0, 2.0, math.inf), [1, 3.0, "2"], lambda end: None).counts, (1, 3, 2))
        self.assertEqual(list(map(distributions.bound_of, ("+Inf", "1e150", 10**400, "nan", "here"))), [math.inf, 1e150, None, None, None])

    def test_ranks_are_merged_without_loss_and_their_extremes_are_those_of_all(self):
        of_run = kept(messages([FAST], [SLOW], [[]]))
        merged = distributions.merged(of_run, *distributions.declared(of_run))
        self.assertEqual((list(merged.counts), merged.minimum, merged.maximum), (counts_of(FAST + SLOW), 5e-6, 0.001))
        self.assertAlmostEqual(merged.sum, sum(FAST + SLOW))

    def test_ranks_with_fewer_buckets_are_merged_in_any_order(self):
        coarse, short = exponential(0, -20, 0), exponential(1, -20, -10)
        for of_ranks in ([BOUNDS, coarse], [coarse, BOUNDS], [short, BOUNDS]):
            of_run = kept(messages([FAST], [FAST], of_ranks=of_ranks))
            merged = distributions.merged(of_run, *distributions.declared(of_run))
            self.assertEqual((merged.count, merged.bounds), (200, min(of_ranks, key=len)))
            self.assertEqual(report_data.gather(of_run, list(of_run.columns))["variables"], [])

    def test_a_library_that_is_opened_again_with_fewer_buckets_has_these(self):
        first, again, short = list(messages([FAST])), list(messages([SLOW], bounds=exponential(0, -20, 0))), len(exponential(0, -20, 0))
        of_run = kept(first[:-2] + [each for each in again if each["message"] in ("snapshot", "columns")])
        self.assertIsNotNone(distributions.merged(of_run, *distributions.declared(of_run)))
        of_run = kept(first[:-2] + [{**each, "time": each["time"] + 1} if "time" in each else each
                                    for each in again if each["message"] in ("snapshot", "columns", "sample")])
        merged = distributions.merged(of_run, *distributions.declared(of_run))
        self.assertEqual((len(merged.bounds), list(merged.counts)), (short, counts_of(SLOW, exponential(0, -20, 0))))
        self.assertIsNone(distributions.made((1.0, math.inf), [1, 0, 2], lambda end: None))

    def test_ranks_with_no_bound_in_common_have_no_distribution_together(self):
        of_run = kept(messages([FAST], [FAST], of_ranks=[BOUNDS, tuple(1.1 * bound for bound in BOUNDS)]))
        self.assertIsNone(distributions.merged(of_run, *distributions.declared(of_run)))
        self.assertEqual(report_data.gather(of_run, list(of_run.columns))["maps"], [])
        self.assertIsNone(distributions.together([filled((math.inf,), FAST)]))

    def test_the_unit_is_that_of_the_sum_or_of_the_name_or_of_the_description(self):
        self.assertEqual([distributions.unit_of(*each) for each in (
            ("wait", "timer", "double"), ("message_bytes", "aggregate", "unsigned_long"), ("size", "counter", None, "Sizes of messages in bytes"),
            ("wait", "counter", None, "Waits, in seconds"), ("length", "aggregate", "double", "Lengths of a queue"))], ["s", "B", "B", "s", ""])

    def test_the_unit_is_known_if_the_sum_is_not_sampled(self):
        count = len(BOUNDS)
        told = [{**each, **{name: each[name][:count] for name in ("columns", "values") if name in each}} for each in messages([FAST])]
        self.assertEqual([each.unit for each in distributions.declared(kept(told))], ["s"])
        points = measured.joined(measured.points((each["process"], each) for each in told if "process" in each))
        self.assertEqual({point.column["unit"] for point in points}, {"s"})

    def of_nodes(self, *intervals):
        """The history after summaries of ranks with these samples, and the lines that were printed."""
        of_run, columns = NodesHistory(1.0), Columns()
        of_run.accept(0, {"message": "snapshot", "document": document(3)})
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with unittest.mock.patch("mpit_info.nodes.lines.write", lambda _, text: stream.write(text)):
            lines_ = NodesIntervals(1.0, of_run, lambda: list(of_run.columns), 120, stream)
            for number, ranks in enumerate(intervals):
                told = Summary(number, 1, len(ranks), began=number, until=number + 1.0, values={
                    Column(each["name"], each["class"], each["element"], None, 0): Measured(each["type"], Distribution.of(list(enumerate(values)), 2), None)
                    for each, values in zip(COLUMNS, zip(*map(values_of, ranks)))}).told(columns)
                if number == 0:
                    of_run.accept(0, {"message": "columns", "columns": columns.told()})
                of_run.accept(0, told)
                lines_(0, told)
        stream.seek(0)
        return of_run, stream.read()

    def test_of_many_nodes_the_sums_of_their_ranks_are_merged(self):
        of_run, printed = self.of_nodes([FAST, SLOW, FAST])
        merged = distributions.merged(of_run, *distributions.declared(of_run))
        self.assertEqual((list(merged.counts), merged.minimum, merged.maximum), (counts_of(FAST + SLOW + FAST), 5e-6, 0.001))
        self.assertRegex(printed, r"latency +p50 5.2 µs +p99 990 µs +300 samples")

    def test_of_the_interval_in_which_a_node_was_lost_no_samples_are_printed(self):
        _, printed = self.of_nodes([FAST, SLOW, FAST], [FAST, SLOW], [FAST + FAST, SLOW])
        self.assertEqual(re.findall(r"(\d) s +latency .* (\d+) samples", printed), [("1", "300"), ("3", "100")])


class Shown(unittest.TestCase):
    def test_a_distribution_is_one_row_with_quantiles_over_all_ranks_and_a_picture(self):
        lines = replayed(messages([FAST], [SLOW])).splitlines()
        row = next(number for number, line in enumerate(lines) if line.startswith("Distribution"))
        self.assertEqual(lines[row].split(), ["Distribution", "Samples", "Mean", "p50", "p99", "Maximum", "Buckets"])
        self.assertRegex(lines[row + 2], r"^latency +200 +55.6 µs +5.2 µs +1 ms +1 ms +3.81 µs █ {5}▁ {9}▁ 1.38 ms$")
        # A narrow terminal has a smaller picture in place of the mean, then none, and then no number of samples.
        narrow = [next(line for line in replayed(messages([FAST], [SLOW]), "--width", str(columns)).splitlines() if line.startswith("latency"))
                  for columns in (80, 64, 52)]
        self.assertRegex(narrow[0], "^latency +200 +5.2 µs .* 3.81 µs █[ █▁]{2,16}▁ 1.38 ms$")
        self.assertRegex(narrow[1], "^latency +200 +55.6 µs .* 1 ms$")
        self.assertRegex(narrow[2], "^latency +55.6 µs .* 1 ms$")
        self.assertEqual([len(line) <= columns for line, columns in zip(narrow, (80, 64, 52))], [True] * 3)
        self.assertNotIn("latency_sum", "\n".join(lines))
        self.assertNotIn("latency[", "\n".join(lines))

    def test_a_part_that_is_asked_for_by_its_name_has_a_row(self):
        lines = replayed(messages([FAST]), "--variable", "latency", "--variable", "latency_sum").splitlines()
        self.assertEqual(len([line for line in lines if line.startswith("latency_sum")]), 1)
        self.assertFalse([line for line in lines if line.startswith(("latency[", "latency_max"))])

    def test_a_distribution_without_samples_is_a_variable_that_stayed_at_0(self):
        told = replayed(messages([[]]))
        self.assertIn("1 variable stayed at 0", told)
        self.assertNotIn("Distribution", told)

    def test_the_view_has_a_line_with_its_picture_and_the_filter_counts(self):
        def seen(words=""):
            state = ViewState()
            state.filter = words
            console = Console(width=120, file=io.StringIO())
            console.print(live.view(of_run, list(of_run.columns), 120, 30, 10, state))
            return console.file.getvalue()

        of_run = kept(messages([FAST], [SLOW]))
        lines = [line for line in seen().splitlines() if line.startswith("latency")]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], "^latency +200 .* 3.81 µs █ {5}▁ {9}▁ 1.38 ms *$")
        self.assertEqual([any(line.startswith("latency") for line in seen(text).splitlines()) for text in ("late", "queue")], [True, False])

    def test_a_line_of_an_interval_has_the_quantiles_of_its_samples_alone(self):
        lines = replayed(messages([FAST, SLOW, []], [FAST, [], []]), "--interval", "1").splitlines()
        told = [line for line in lines if re.match(r"\d s  ", line)]
        self.assertEqual([" ".join(line.split()) for line in told], [
            "1 s latency p50 4.6 µs p99 40 µs 200 samples", "2 s latency p50 4.6 µs p99 1.3 ms 100 samples", "3 s no variable has changed"])

    def test_a_report_has_a_row_for_each_bucket_with_the_samples_of_each_time(self):
        of_run = kept(messages([FAST, SLOW, []], [FAST, [], []]))
        gathered = report_data.gather(of_run, list(of_run.columns))
        told = gathered["numbers"]["tracks"][0]
        self.assertEqual((told["name"], told["labels"][0], told["labels"][-1], len(told["labels"])), ("latency", "≤ 1.38 ms", "≤ 5.39 µs", 17))
        second = report_data.TRACK_BINS // 3
        sums = [[round(sum(row[place:place + second])) for place in (0, second, 2 * second)] for row in told["counts"]]
        self.assertEqual((sums[0], sums[-1], sum(map(sum, sums))), ([0, 10, 0], [190, 90, 0], 300))
        self.assertEqual(gathered["variables"] + gathered["still"], [])
        # Ranks with other buckets: all of their samples are in the rows of those that they have in common.
        coarse = exponential(0, -20, 0)
        for of_ranks in ([BOUNDS, coarse], [coarse, BOUNDS]):
            of_run = kept(messages([FAST, SLOW, []], [FAST, [], []], of_ranks=of_ranks))
            told = report_data.gather(of_run, list(of_run.columns))["numbers"]["tracks"][0]
            self.assertEqual(round(sum(map(sum, told["counts"]))), 300)
        launches_ = launches.Launches()
        for each in messages([FAST]):
            launches_.accept(each.get("process", 0), each)
        names = [row["name"] for row in report.facts_of_launch(launches_, launches_.all[0], list(launches_.all[0].columns), 1000)["rows"]]
        self.assertEqual(names, ["other_bounds", "latency", "other"])

    def test_a_list_has_one_variable_with_the_quantiles_and_its_parts_on_request(self):
        told = document()
        for member, value in zip(told["performance_variables"], [counts_of(FAST), sum(FAST), 100, 5e-6, 40e-6]):
            member["value"] = value
        lines = tool.printed("--name", "latency*", document=told, variables={"COLUMNS": "160"})
        self.assertIn("p50 5.2 µs, p99 38 µs, maximum 40 µs", " ".join(lines.split()))
        for name in ("latency_sum", "latency_bounds"):
            self.assertNotIn(name, lines)
            self.assertIn(name, tool.printed("--name", "latency", "--name", name, document=told))
        told["performance_variables"][0]["value"] = [0] * len(BOUNDS)
        self.assertIn("no sample", tool.printed("--name", "latency", document=told))
        for wrong in (-5, "inf", 0.5):
            bounds, member = distributions.of_document(told)["latency"], {**told["performance_variables"][0], "value": [wrong] * len(BOUNDS)}
            self.assertEqual(distributions.value_text(member, bounds, {}), [wrong] * len(BOUNDS))

    def test_a_picture_joins_buckets_where_it_is_narrow_and_shows_single_samples(self):
        of = filled(BOUNDS, [2.0**-19.5] * 1000 + [0.4])
        self.assertEqual(distributions.picture(of, "s", 60), "954 ns █" + " " * 36 + "▁ 500 ms")
        self.assertLessEqual(len(distributions.picture(of, "s", 30)), 30)


class Labels(unittest.TestCase):
    """Arrays whose elements have names."""

    @staticmethod
    def told(name="unexpected", **of_labels):
        control = samples.control(0, name + "_labels", count=40, **{"type": "char", "scope": "readonly", "value": "peer 3, \x1bpeer 5", **of_labels})
        yield {"message": "recording", "format": "mpit-info stream 1", "program": ["./stencil"]}
        yield {"process": 0, "message": "hello", "rank": 0, "processes": 1, "host": "node7", "pid": 100, "began": 1000000.0}
        yield {"process": 0, "message": "snapshot", "document": samples.document(
            performance_variables=[samples.performance(0, name, count=3)], control_variables=[control], categories=[samples.category(0, "queues", [0], [0])])}
        yield {"process": 0, "message": "columns", "columns": [
            {"name": name, "class": "counter", "element": number, "object": None, "type": "unsigned_long"} for number in range(3)]}
        for moment in (0.0, 1.0):
            yield {"process": 0, "message": "sample", "time": moment, "values": [moment, 2 * moment, 3 * moment]}
        yield {"message": "status", "status": 0}

    def labels(self, *arguments, **settings):
        of_run = kept(self.told(*arguments, **settings))
        return list(map(of_run.label, of_run.columns))

    def test_elements_are_shown_by_their_labels_and_others_by_their_numbers(self):
        self.assertEqual(self.labels(), ["unexpected[peer 3]", "unexpected[\N{REPLACEMENT CHARACTER}peer 5]", "unexpected[2]"])
        self.assertRegex(replayed(self.told()), r"(?m)^unexpected\[peer 3\] +counter +1 ")

    def test_labels_that_differ_between_ranks_are_not_shown(self):
        for other, label in (("peer 3, \x1bpeer 5, peer 7", "unexpected[peer 3]"), ("peer 0", "unexpected[0]")):
            told = [*self.told(), *({**each, "process": 1} for each in self.told(value=other) if "process" in each)]
            of_run = kept(told)
            self.assertEqual(of_run.label(next(iter(of_run.columns))), label)

    def test_labels_that_may_change_or_are_no_text_are_none(self):
        for wrong in ({"scope": "local"}, {"type": "int", "value": 3}, {"value": None}):
            self.assertEqual(self.labels(**wrong)[0], "unexpected[0]", wrong)

    def test_known_arrays_of_mpis_have_labels_without_such_a_variable(self):
        self.assertEqual([element_labels.label({}, name, 2) for name in (
            "pml_monitoring_messages_count", "osc_monitoring_messages_recv_size", "pml_ob1_posted_recvq_length", "nem_fbox_fall_back_to_queue_count",
            "pml_monitoring_flush")], ["rank 2", "rank 2", "rank 2", "local rank 2", ""])

    def test_exports_have_labels_and_bounds(self):
        rows = {}
        for name, told in (("labels", self.told()), ("bounds", messages([FAST]))):
            with tempfile.TemporaryDirectory() as folder:
                record = pathlib.Path(folder) / "run.jsonl"
                record.write_text("".join(json.dumps(line) + "\n" for line in told), encoding="utf-8")
                rows[name] = list(csv.DictReader(io.StringIO(tool.call("export", record, "--to", "csv", check=True).stdout)))
        self.assertEqual([(row["element"], row["label"]) for row in rows["labels"][:3]], [("0", "peer 3"), ("1", "\N{REPLACEMENT CHARACTER}peer 5"), ("2", "")])
        self.assertEqual([float(row["bound"]) for row in rows["bounds"][:len(BOUNDS)]], list(BOUNDS))
        self.assertEqual({row["bound"] for row in rows["bounds"] if not row["element"]}, {""})


class ForOthers(unittest.TestCase):
    """Exports, and the page for Prometheus."""

    def metrics(self, *seconds, node=None, **settings):
        """Those of the last sample."""
        told = [each for each in messages(seconds, **settings) if "process" in each and each.get("time") != 0]
        return openmetrics.metrics(measured.points((each["process"], each) for each in told), "77", node)

    def export(self, form, **settings):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "run.jsonl"
            record.write_text("".join(json.dumps(line) + "\n" for line in messages([FAST, SLOW], **settings)), encoding="utf-8")
            return tool.call("export", record, "--to", form, check=True).stdout

    def test_a_histogram_of_openmetrics_is_what_a_parser_of_prometheus_reads(self):
        try:
            from prometheus_client.openmetrics import parser
        except ImportError:
            self.skipTest("python3-prometheus-client is missing")
        told = {family.name: family for family in parser.text_string_to_metric_families(openmetrics.text(self.metrics(FAST)[:1]))}
        family = told["mpi_latency_seconds"]
        self.assertEqual((family.type, family.unit, family.documentation), ("histogram", "seconds", "How long a message takes"))
        known = [(each.name, each.labels.get("le"), each.value) for each in family.samples]
        self.assertEqual(known[-3:], [("mpi_latency_seconds_bucket", "+Inf", 100), ("mpi_latency_seconds_sum", None, sum(FAST)),
                                      ("mpi_latency_seconds_count", None, 100)])
        self.assertEqual([each[2] for each in known[:-2]], list(itertools.accumulate(counts_of(FAST))))
        self.assertEqual([float(each[1]) for each in known[:-2]], list(BOUNDS))

    def test_promtool_makes_blocks_of_histograms(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is missing")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "metrics"
            file.write_text(self.export("openmetrics"), encoding="utf-8")
            made = subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", file, folder], text=True, capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)

    def test_the_page_of_a_node_says_which_variables_a_histogram_has(self):
        text = openmetrics.text(self.metrics(FAST, node="n1"))
        self.assertEqual(re.findall(r'metric="(mpi_latency_seconds\w*)",name="(\w+)",class="(\w+)"', text), [
            ("mpi_latency_seconds_bucket", "latency", "counter"), ("mpi_latency_seconds_sum", "latency_sum", "timer"),
            ("mpi_latency_seconds_count", "latency_count", "counter")])
        self.assertIn("mpi_latency_max_high_watermark", text)

    def test_a_bucket_that_was_not_read_leaves_the_others_as_counters(self):
        for value, count in ((None, len(COLUMNS) - 1), (-1, len(COLUMNS))):
            told = [each for each in messages([FAST]) if "process" in each]
            told[-2]["values"][3] = value
            points = list(measured.joined(measured.points((each["process"], each) for each in told[:-3] + told[-2:-1])))
            self.assertEqual([point for point in points if point.column["class"] == measured.DISTRIBUTION], [])
            self.assertEqual(len(points), count)
            self.assertEqual(distributions.merged(kept(told), *distributions.declared(kept(told))), None)

    def test_more_buckets_than_bounds_leave_all_as_counters(self):
        told = [each for each in messages([FAST]) if "process" in each]
        told[-2]["values"].append(7)
        told[2]["columns"] = [*COLUMNS, {**COLUMNS[0], "element": len(BOUNDS)}]
        points = list(measured.joined(measured.points((each["process"], each) for each in told[:3] + told[-2:-1])))
        self.assertEqual((len(points), [point for point in points if point.column["class"] == measured.DISTRIBUTION]), (len(COLUMNS) + 1, []))

    def test_a_scraper_that_asks_for_protobuf_gets_native_histograms(self):
        protoc = shutil.which("protoc")
        if not protoc:
            self.skipTest("protobuf-compiler is missing")
        page, texts = native_histograms.page(self.metrics(FAST, node="n1")), []
        while page:
            size = shift = place = 0
            while True:
                size, shift, place = size | (page[place] & 127) << shift, shift + 7, place + 1
                if page[place - 1] < 128:
                    break
            texts.append(subprocess.run([protoc, "--decode_raw"], input=page[place:place + size], capture_output=True, check=True).stdout.decode())
            page = page[place + size:]
        native = next(text for text in texts if text.startswith('1: "mpi_latency_seconds"\n'))
        inner = native[native.index("  7 {"):]
        # The scale 1 and the first index -20 * 2 + 1, both zigzag, and 15 empty buckets, then 5 µs.
        self.assertIn("    5: 2\n", inner)
        self.assertRegex(inner, r"    12 {\n      1: 77\n      2: 11\n    }")
        self.assertEqual([text.split('"')[1] for text in texts[:3]], ["mpit_node_info", "mpit_variable_info", "mpit_process_info"])

    def test_the_page_is_protobuf_where_that_is_wanted_most_and_there_is_a_native_histogram(self):
        native = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
        self.assertEqual([native_histograms.is_wanted(accept) for accept in (
            f"{native},application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            f"application/openmetrics-text;version=1.0.0,{native};q=0.5", "text/plain", "", f"{native};q=x")], [True, False, False, False, False])
        self.assertEqual([native_histograms.has_any(self.metrics(*seconds)) for seconds in ((FAST,), ([],))], [True, True])

    def test_a_request_of_otlp_has_exponential_histograms(self):
        metrics = {metric["name"]: metric for metric in json.loads(self.export("otlp"))["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
        self.assertEqual(list(metrics), ["mpi_latency_seconds"])
        of = metrics["mpi_latency_seconds"]["exponentialHistogram"]
        point = of["dataPoints"][-1]
        self.assertEqual((of["aggregationTemporality"], point["scale"], point["zeroThreshold"], point["zeroCount"], point["positive"]["offset"]),
                         (2, 1, 2.0**-20, "0", -40))
        self.assertEqual((point["count"], point["min"], point["max"], point["startTimeUnixNano"], point["timeUnixNano"]),
                         ("200", 5e-6, 0.001, "1000000000000000", "1000002000000000"))
        # base^index < value <= base^(index + 1)
        for number, count in enumerate(map(int, point["positive"]["bucketCounts"])):
            lower, upper = (2 ** ((point["positive"]["offset"] + place) / 2) for place in (number, number + 1))
            self.assertEqual(count, sum(lower < value <= upper for value in FAST + SLOW))

    def test_times_in_powers_of_two_of_nanoseconds_are_exponential_in_these(self):
        bounds = tuple(bound / 1e9 for bound in exponential(1, 0, 30))
        metrics = self.metrics(FAST, bounds=bounds)
        told = json.loads(self.export("otlp", bounds=bounds))["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
        classic = next(metric for metric in metrics if metric.kind == "histogram")
        self.assertTrue(native_histograms.has_any(metrics))
        native = native_histograms.in_nanoseconds(classic)
        self.assertEqual((native.name, native.series[0][1][0][1].counts), ("mpi_latency_nanoseconds", classic.series[0][1][0][1].counts))
        point = told[0]["exponentialHistogram"]["dataPoints"][-1]
        self.assertEqual((told[0]["name"], told[0]["unit"], point["scale"], point["positive"]["offset"]), ("mpi_latency_nanoseconds", "ns", 1, 0))
        self.assertAlmostEqual(point["max"], 1e6)

    def test_other_bounds_are_explicit_in_otlp(self):
        told = export.otlp_value(Histogram((1.0, 5.0, math.inf), (3, 0, 2), 90, 0, 50))
        self.assertEqual(told, {"count": "5", "sum": 90, "min": 0, "max": 50, "explicitBounds": [1.0, 5.0], "bucketCounts": ["3", "0", "2"]})

    def test_a_view_of_prometheus_has_the_distributions_of_its_pages(self):
        for bounds in (BOUNDS, (*BOUNDS[:-1], 1e150, math.inf)):
            self.check_view(bounds)

    def check_view(self, bounds):
        def asked(*_):
            page = openmetrics.text(self.metrics(FAST + [2.0], bounds=bounds, node="n1"))
            return [({"__name__": name, "instance": "n1:9464", **dict(re.findall(r'(\w+)="([^"]*)"', labels))}, [[1000002.0, value]])
                    for name, labels, value in re.findall(r"^([^#{ ]+)\{(.*)\} (\S+)$", page, re.MULTILINE)]

        with unittest.mock.patch.object(prometheus.Prometheus, "asked", asked):
            source = prometheus.Prometheus("http://here", [], 60, False)
            of_run = source.history(None)
            for number, message in source.messages():
                of_run.accept(number, message)
        merged = distributions.merged(of_run, *distributions.declared(of_run))
        self.assertEqual((merged.bounds, list(merged.counts), merged.maximum), (bounds, counts_of(FAST + [2.0], bounds), 2.0))


class Compared(unittest.TestCase):
    def compared(self, one, other):
        return command.Comparison(["a", "b"], kept(one), kept(other))

    def of(self, one, other, ranks=2, seconds=10, spread=0.3):
        """The sentences about runs in which each second of a rank has values like these, with noise."""
        sides = []
        for side, values in enumerate((one, other)):
            noise = random.Random(side)
            sides.append(messages(*([[value * noise.lognormvariate(0, spread) for value in values] for _ in range(seconds)] for _ in range(ranks))))
        return sentences.sentences(self.compared(*sides))

    def test_a_distribution_that_has_moved_is_said_with_the_quantiles_that_differ(self):
        tail = [5e-6] * 190 + [12e-6] * 10
        told = self.of(tail, [5e-6] * 190 + [400e-6] * 10)
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r"^latency: p99 \d{3} µs, before 1\d µs \(x \d+(\.\d)?\)\.$")
        self.assertRegex(self.of(tail, [80e-6] * 200)[0], r"^latency: p50 \d\d µs, before 5(\.\d)? µs \(x .*\); p99 ...? µs, before 1\d µs \(.*\)\.$")

    def test_noise_and_few_samples_are_no_difference(self):
        for values in ([5e-6] * 190 + [40e-6] * 10, [5e-6], [5e-6] * 20):
            self.assertEqual(self.of(values, values), ["No difference."])
        # Some samples in the tail of one run may be an accident.
        self.assertEqual(self.of([5e-6] * 50, [5e-6] * 49 + [1e-3], ranks=1, seconds=1), ["No difference."])

    def test_buckets_that_touch_are_no_difference(self):
        # The same program: a median just below a bound in one run, just above it in the other.
        bound = BOUNDS[5]
        self.assertEqual(self.of([0.99 * bound] * 20, [1.01 * bound] * 20, spread=0), ["No difference."])

    def test_few_samples_against_many_of_the_same_kind_are_no_difference(self):
        noise, accused = random.Random(7), 0
        for _ in range(20):
            few, many = ([noise.lognormvariate(-12, 1) for _ in range(count)] for count in (10, 1000))
            accused += sentences.sentences(self.compared(messages([few]), messages([many]))) != ["No difference."]
        self.assertEqual(accused, 0)

    def test_a_distribution_without_samples_in_one_run_is_in_both(self):
        for one, other, told in ((FAST, [], "latency: no sample, before 100."), ([], FAST, "latency: 100 samples, before none.")):
            pair = self.compared(messages([one]), messages([other]))
            self.assertEqual(sentences.sentences(pair), [told])
            self.assertEqual([sorted([each.one.count, each.other.count]) for each in pair.distributions], [[0, 100]])
        # That a few samples are missing may be an accident.
        self.assertEqual(sentences.sentences(self.compared(messages([FAST[:3]]), messages([[]]))), ["No difference."])
        self.assertEqual(self.compared(messages([[]]), messages([[]])).distributions, [])

    def test_a_burst_in_a_part_of_the_run_is_no_difference(self):
        burst = [[5e-6] * 100 for _ in range(20)]
        burst[7] = [200e-6] * 100
        told = sentences.sentences(self.compared(messages([[5e-6] * 100] * 20), messages(burst)))
        self.assertEqual(told, ["No difference."])

    def test_a_difference_that_waits_for_a_processor_may_explain_is_not_said(self):
        def with_waits(told, seconds):
            for each in told:
                if each["message"] == "columns":
                    each = {**each, "columns": [*each["columns"], {"name": "processor_wait", "class": "timer", "element": None, "object": None, "type": "double"}]}
                elif each["message"] == "sample":
                    each = {**each, "values": [*each["values"], seconds * each["time"]]}
                yield each

        def said(seconds):
            pair = self.compared(messages([[5e-6] * 100] * 10), with_waits(messages([[80e-6] * 100] * 10), seconds))
            return [each for each in sentences.sentences(pair) if each.startswith("latency")]

        self.assertEqual([len(said(seconds)) for seconds in (1e-6, 0.1)], [1, 0])

    def test_a_comparison_has_a_table_and_json_with_counts_and_bounds(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, values in (("a", FAST), ("b", [80e-6] * 100)):
                paths.append(pathlib.Path(folder) / f"{name}.jsonl")
                paths[-1].write_text("".join(json.dumps(line) + "\n" for line in messages([values] * 10)), encoding="utf-8")
            lines = tool.call("diff", *paths, variables={"COLUMNS": "160"}, check=True).stdout.splitlines()
            told = json.loads(tool.call("diff", *paths, "--json", check=True).stdout)
            page = os.path.join(folder, "diff.html")
            tool.call("diff", *paths, "--report", page, check=True)
            self.assertRegex(pathlib.Path(page).read_text(encoding="utf-8"), r'(?s)<td class="name">latency</td><td>1000</td>.*<td>80 µs</td>')
        self.assertIn("latency: p50 80 µs, before 5.2 µs", lines[next(number for number, line in enumerate(lines) if line.startswith("latency:"))])
        self.assertEqual(len([line for line in lines if re.match(" *latency  ", line)]), 1)
        of, = told["distributions"]
        self.assertEqual((of["b"]["counts"], of["b"]["bounds"], of["b"]["maximum"]), (counts_of([80e-6] * 1000), list(BOUNDS[:-1]), 80e-6))
        self.assertEqual([variable["name"] for variable in told["performance_variables"]], [])


class Programs(unittest.TestCase):
    """Programs that embed mpit."""

    def watched(self, program):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "run.jsonl"
            finished = built.run("watch", "--rate", "200", "--interval", "0", "--record", record, "--", built.sample(program), variables={"COLUMNS": "160"})
            self.assertEqual((finished.returncode, finished.stderr), (0, ""), finished.stdout)
            of_run = kept(each for each in tool.messages(record) if messages_.KNOWN.get(each["message"]) and each["message"] not in messages_.OF_RECORDS)
        return of_run, {distributions.label(each): distributions.merged(of_run, each) for each in distributions.declared(of_run)}, finished.stdout

    def test_the_distributions_and_labels_of_a_program_are_those_that_it_declares(self):
        of_run, found, printed = self.watched("distributed")
        self.assertEqual(sorted(found), ["ratios", "sending", "sizes"])
        self.assertEqual([round(found["sending"].maximum * 1e6), round(found["sending"].minimum * 1e6), found["ratios"].count], [40, 5, 0])
        lower, upper = found["sending"].edges(0.5)
        self.assertTrue(lower <= 5e-6 <= upper < 6e-6, (lower, upper))
        self.assertRegex(printed, r"(?m)^sending +\d[\d,]* +6.75 µs +5.\d µs +4\d µs +40 µs +")
        self.assertRegex(printed, r"(?m)^sizes +\d[\d,]* +100 B +100 B +100 B +100 B +")
        self.assertRegex(printed, r"(?m)^sent\[peer 3\] +counter +\d")

    def test_the_buckets_of_a_communicator_are_read_one_by_one(self):
        _, found, _ = self.watched("distributed-mini")
        self.assertIn("sizes_of_communicator (MPI_COMM_WORLD)", found)
        self.assertEqual(found["sizes_of_communicator (MPI_COMM_WORLD)"].edges(0.5)[1], 100)
