"""`mpit-info diff`: what differs between two runs, in the terminal, as a page and beside a run that is watched."""

import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

from rich.console import Console

import samples
import test_report
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import history, report_data  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402
from mpit_info.diff import by_region, command, compared, page, result, runs, sentences, tables  # noqa: E402

COUNTER = {"name": "sent", "class": "counter", "element": None, "object": None, "type": "unsigned_long"}
LEVEL = {"name": "queue", "class": "level", "element": None, "object": None, "type": "unsigned_long"}


def run(rate, queue, ranks=2, seconds=10, columns=(COUNTER, LEVEL), controls=()):
    """A run in which each rank sends at a rate, and has a queue of a length that is a function of the time."""
    kept = history.History()
    for rank in range(ranks):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": ranks, "began": 1000.0})
        kept.accept(rank, {"message": "snapshot", "document": samples.document(control_variables=list(controls))})
        kept.accept(rank, {"message": "columns", "columns": list(columns)})
        for moment in range(10 * seconds + 1):
            kept.accept(rank, {"message": "sample", "time": moment / 10, "values": [
                rate * (1 + rank) * moment, queue(moment)][:len(columns)]})
    return kept


def found(one, other):
    return {variable.name: variable for variable in compared.variables(one, other)}


class Differences(unittest.TestCase):
    def test_a_rate_that_doubles_differs(self):
        told = found(run(100, lambda _: 5, ranks=1), run(200, lambda _: 5, ranks=1))
        self.assertTrue(told["sent"].differs)
        self.assertFalse(told["queue"].differs)
        self.assertEqual(compared.change(*compared.numbers(told["sent"])), 1.0)

    def test_a_longer_run_with_the_same_rate_does_not_differ(self):
        told = found(run(100, lambda _: 5, seconds=5), run(100, lambda _: 5, seconds=10))
        self.assertFalse(told["sent"].differs)
        self.assertEqual(tables.cells(told["sent"])["Total"], "+100 %")
        self.assertEqual(*[round(number) for number in compared.numbers(told["sent"])])

    def test_a_change_inside_of_the_spread_over_time_does_not_differ(self):
        told = found(run(1, lambda moment: moment % 40), run(1, lambda moment: moment % 40 + 5))
        self.assertFalse(told["queue"].differs)
        self.assertNotEqual(compared.change(*compared.numbers(told["queue"])), 0)

    def test_a_change_inside_of_the_spread_over_the_ranks_does_not_differ(self):
        self.assertFalse(found(run(100, lambda _: 5, ranks=4), run(130, lambda _: 5, ranks=4))["sent"].differs)

    def test_a_change_beyond_the_spread_differs(self):
        self.assertTrue(found(run(1, lambda moment: moment % 4), run(1, lambda moment: 20 + moment % 4))["queue"].differs)

    def test_the_quartiles_are_those_of_ranks_and_time(self):
        side = found(run(100, lambda _: 5, ranks=4), run(100, lambda _: 5, ranks=4))["sent"].one
        self.assertEqual([round(value) for value in (side.low, side.middle, side.high)], [1750, 2500, 3250])
        self.assertEqual((side.spread.minimum, side.spread.maximum), (10_000, 40_000))

    def test_a_variable_of_one_run_differs(self):
        told = found(run(100, lambda _: 5), run(100, lambda _: 5, columns=(COUNTER,)))
        self.assertTrue(told["queue"].differs)
        self.assertIsNone(told["queue"].other)

    def test_the_largest_change_stands_first(self):
        told = compared.variables(run(100, lambda _: 5, ranks=1), run(110, lambda _: 50, ranks=1))
        self.assertEqual([variable.name for variable in told], ["queue", "sent"])

    def test_changes_are_spoken(self):
        told = {None: "-", 0.0: "0 %", 0.125: "+12 %", -0.5: "-50 %", 19.0: "x 20", float("inf"): "from 0"}
        self.assertEqual({share: tables.change_text(share) for share in told}, told)

    def test_control_variables_that_differ_or_are_missing_are_listed(self):
        one, other = (run(1, lambda _: 1, controls=controls) for controls in (
            [samples.control(0, "A", value=1), samples.control(1, "B", value=2), samples.control(2, "C", value=3)],
            [samples.control(0, "A", value=1), samples.control(1, "B", value=9), samples.control(2, "D", value=4)]))
        self.assertEqual([(each.name, each.one, each.other) for each in compared.controls(one, other)],
                         [("B", "2", "9"), ("C", "3", None), ("D", None, "4")])


class Counted(unittest.TestCase):
    def of(self, outside, *, seconds=10.0, calls=1000, polls=5, waits=0.0, size=8, first=0, barriers=0):
        """A run whose ranks are outside of MPI for these seconds; `first` samples are missing."""
        kept = history.History()
        values = {"mpi_time": "timer", "processor_wait": "timer", "send_bytes": "aggregate", "MPI_Send_calls": "counter",
                  "MPI_Send_bytes": "aggregate", "MPI_Send_time": "timer", "MPI_Test_calls": "counter", "sent": "counter", "MPI_Barrier_calls": "counter"}
        for rank, each in enumerate(outside):
            kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(outside), "began": 1000.0})
            kept.accept(rank, {"message": "snapshot", "document": samples.document()})
            kept.accept(rank, {"message": "columns", "columns": [{"name": name, "class": class_} for name, class_ in values.items()]})
            for moment in range(first, 101):
                share = moment / 100
                kept.accept(rank, {"message": "sample", "time": seconds * share, "values": [
                    (seconds - each) * share, waits * share, round(calls * share) * size, round(calls * share), round(calls * share) * size,
                    (seconds - each) * share, round(polls * share), round(calls * share) * 3, barriers * (moment > 50)]})
        return kept

    def sentences(self, one, other):
        """The sentences of the comparison."""
        return sentences.sentences(command.Comparison(["a", "b"], one, other))

    def test_a_rank_that_is_late_now_is_named(self):
        one, other = self.of([1.3, 1.3, 1.3]), self.of([1.3, 2.9, 1.3])
        self.assertEqual(self.sentences(one, other), ["Rank 1 is late now: outside of MPI for 2.9 s, before for 1.3 s."])
        self.assertEqual(self.sentences(other, one), ["Rank 1 is no longer late: outside of MPI for 1.3 s, before for 2.9 s."])
        self.assertEqual(self.sentences(self.of([1.3, 1.3, 2.9]), other), [
            "Rank 1 is late now: outside of MPI for 2.9 s, before for 1.3 s.",
            "Rank 2 is no longer late: outside of MPI for 1.3 s, before for 2.9 s."])

    def test_all_ranks_may_have_changed(self):
        self.assertEqual(self.sentences(self.of([1.0, 1.0]), self.of([2.0, 2.0])), [
            "Both ranks are outside of MPI longer: for 2 s, before for 1 s."])

    def test_a_difference_that_is_at_one_place_is_told_with_it_if_it_is_large(self):
        def stalled(seconds):
            kept = self.of([1.3, 1.3])
            process = kept.ordered()[1]
            places = [place for place, column in enumerate(kept.columns) if column.name in ("mpi_time", "MPI_Send_time")]
            for moment, row in zip(process.times, process.rows):
                for place in places:
                    row[place] -= seconds * min(max(moment - 4.1, 0) / 0.8, 1)
            return kept

        told = "Rank 1 is late now, once: outside of MPI for 2.8 s, before for 1.3 s."
        self.assertEqual(self.sentences(self.of([1.3, 1.3]), stalled(0.9)), ["No difference."])
        self.assertIn(told, self.sentences(self.of([1.3, 1.3]), stalled(1.5)))

    def test_what_waits_for_a_processor_may_explain_is_no_difference(self):
        self.assertEqual(self.sentences(self.of([1.3, 1.3]), self.of([1.3, 2.9], waits=1.5)), ["No difference."])
        self.assertEqual(self.sentences(self.of([1.3, 1.3]), self.of([1.3, 1.3], seconds=14.0, waits=2.0)), ["No difference."])
        self.assertEqual(self.sentences(self.of([1.3, 1.3]), self.of([1.3, 1.3], seconds=14.0)), ["The run takes longer: 14 s, before 10 s."])

    def test_calls_and_bytes_are_compared_by_their_totals(self):
        one = self.of([1.3, 1.3])
        # Another message size, with the same calls: a rate would be no difference of a run that takes longer.
        self.assertEqual(self.sentences(one, self.of([1.3, 1.3], size=16)), ["MPI_Send_bytes: 32 kB, before 16 kB (+100 %)."])
        self.assertEqual(self.sentences(one, self.of([1.3, 1.3], polls=9000)), ["No difference."])

    def test_a_first_sample_that_comes_after_the_first_calls_is_no_difference(self):
        self.assertEqual(self.sentences(self.of([1.3, 1.3], barriers=20), self.of([1.3, 1.3], barriers=20, first=1)), ["No difference."])

    def test_totals_that_do_not_repeat_are_no_difference(self):
        # Runs of the same time make as many calls as they can.
        self.assertEqual(self.sentences(self.of([1.3, 1.3], calls=1000), self.of([1.3, 1.3], calls=1010)), ["No difference."])
        told = self.sentences(self.of([1.3, 1.3], calls=1000), self.of([1.3, 1.3], calls=3000))
        self.assertEqual(told, ["MPI_Send_bytes: 2.4 kB/s, before 800 B/s (+200 %); 2 more variables differ."])

    def test_another_number_of_ranks_is_said(self):
        self.assertEqual(self.sentences(self.of([1.0] * 3), self.of([1.0] * 4))[0], "4 ranks, before 3.")


class Regions(unittest.TestCase):
    def of(self, *regions):
        """A run of two ranks with these regions: path by numbers, visits, seconds and the time in MPI."""
        kept = run(10, lambda _: 1)
        for rank in range(2):
            kept.accept(rank, {"message": "regions", "time": 10.0, "regions": [
                {"number": number, "name": name, "above": above, "visits": visits, "seconds": seconds,
                 "values": {"MPI_Recv_time": mpi}} for number, name, above, visits, seconds, mpi in regions]})
        return kept

    def setUp(self):
        self.one = self.of((0, "", None, 0, 1.0, 0.0), (1, "step", 0, 8, 2.0, 0.5), (2, "halo", 1, 8, 2.0, 2.0))
        self.other = self.of((0, "", None, 0, 1.0, 0.0), (1, "step", 0, 16, 4.0, 1.0), (2, "halo", 1, 16, 8.0, 8.0), (3, "out", 0, 1, 1.0, 0.0))
        self.comparisons = command.Comparisons(["a", "b"], Launches(lambda: self.one), Launches(lambda: self.other))

    def test_the_change_of_a_region_is_that_of_a_visit(self):
        changes = {each.path: by_region.change_of(each) for each in self.comparisons.all[0].regions}
        self.assertEqual(changes, {("step",): 0.5, ("step", "halo"): 1.0, ("out",): None, (): 0.0})

    def test_the_table_has_both_runs(self):
        console = Console(width=120, file=io.StringIO())
        console.print(*tables.parts(self.comparisons, 120))
        lines = [line.split() for line in console.file.getvalue().splitlines()]
        self.assertIn("halo 8 16 2 s 8 s +100 % 100 % 100 %".split(), lines)
        self.assertIn("out - 1 - 1 s - - 0 %".split(), lines)

    def test_the_json_has_both_runs(self):
        told = {tuple(each["path"]): each for each in json.loads(result.text(self.comparisons))["regions"]}
        self.assertEqual(told["step", "halo"], {"path": ["step", "halo"], "a": {"visits": 8, "seconds": 2.0, "own": 2.0, "in_mpi": 2.0},
                                                "b": {"visits": 16, "seconds": 8.0, "own": 8.0, "in_mpi": 8.0}, "change": 1.0})

    def test_the_page_has_both_runs(self):
        try:
            text = page.text(self.comparisons)
        except ImportError:
            self.skipTest("the page needs jinja2")
        self.assertIn(">  halo</td><td>8</td><td>16</td><td>2 s</td><td>8 s</td><td>+100 %</td>", text)

    def test_runs_without_regions_have_no_table(self):
        self.assertEqual(command.Comparison(["a", "b"], run(1, abs), run(1, abs)).regions, [])


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, name, *program):
        tool.printed("watch", "--record", self.path(name), program=["--fast", "--seconds", "2", "--processes", "4", *program])
        return self.path(name)

    def diff(self, *arguments):
        finished = self.run_diff(*arguments)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return finished.stdout

    def run_diff(self, *arguments):
        return tool.call("diff", *arguments)

    def test_equal_runs_do_not_differ(self):
        one, other = self.record("a.jsonl"), self.record("b.jsonl")
        text = self.diff(one, other)
        self.assertIn("\nNo difference.\n", text)
        self.assertIn("6 variables did not change beyond their spread over ranks and time, or follow from other times; --all shows them.", text)
        self.assertIn("messages_sent", self.diff(one, other, "--all"))

    def test_a_variable_with_another_name_is_in_one_run_only(self):
        text = self.diff(self.record("a.jsonl"), self.record("b.jsonl", "--rename", "renamed"))
        line = next(line for line in text.splitlines() if line.startswith("messages_sent"))
        self.assertEqual(line.split()[2:5], ["2.5k", "/s", "-"])

    def test_events_are_counted_on_both_sides(self):
        for name, seconds in (("a.jsonl", 2), ("b.jsonl", 4)):
            tool.printed("watch", "--event", "*", "--record", self.path(name), program=["--fast", "--seconds", seconds])
        text = self.diff(self.path("a.jsonl"), self.path("b.jsonl"))
        self.assertRegex(text, r"(?m)^unexpected_message +10 +20 +0 %$")

    def test_documents_are_compared_too(self):
        for name, value in (("a.json", 7), ("b.json", 70)):
            told = samples.document(performance_variables=[samples.performance(0, "messages_sent", value=value)])
            told["control_variables"][0]["value"] = value
            pathlib.Path(self.path(name)).write_text(json.dumps(told), encoding="utf-8")
        text = self.diff(self.path("a.json"), self.path("b.json"))
        self.assertIn("\nmessages_sent: 70, before 7 (+900 %).\n1 control variable differs.\n", text)
        self.assertRegex(text, r"MYMPI_EAGER_LIMIT +7 +70")

    def test_what_is_in_one_run_only_does_not_hide_what_differs(self):
        several = [samples.performance(number, name, value=value) for number, (name, value) in enumerate((("sent", 7), ("idle", 0), ("busy", 3)))]
        for name, known, controls in (("a.json", several[:1], ("A", "B", "C", "VERSION")), ("b.json", several, ("A", "D", "VERSION"))):
            told = samples.document(performance_variables=known, control_variables=[
                samples.control(number, each, value=ord(name[0]), scope="constant" if each == "VERSION" else "local")
                for number, each in enumerate(controls)])
            pathlib.Path(self.path(name)).write_text(json.dumps({**told, "categories": []}), encoding="utf-8")
        text = self.diff(self.path("a.json"), self.path("b.json"))
        self.assertIn("\nNo difference, but 1 variable is in one run only.\n1 control variable differs.\n", text)
        self.assertIn("4 control variables differ, but are in one run only, constant or of the job; --all shows them.", text)
        self.assertRegex(text, r"(?m)^A +97 +98")
        self.assertNotRegex(text, r"(?m)^(B +9|C|D|VERSION|idle) ")
        self.assertRegex(self.diff(self.path("a.json"), self.path("b.json"), "--all"), r"(?m)^B +97 +\(none\)")

    def test_a_software_counter_of_open_mpi_keeps_its_description(self):
        told = samples.document(performance_variables=[
            samples.performance(0, "runtime_spc_OMPI_SPC_SEND", description="Calls of MPI_Send", **{"class": "size"})])
        history = runs.of_document(told).all[0]
        shown = report_data.gather(history, list(history.columns))["still"]
        self.assertEqual([(each["class"], each["description"]) for each in shown], [("counter", "Calls of MPI_Send")])

    def test_the_json_has_both_sides(self):
        told = json.loads(self.diff(self.record("a.jsonl"), self.record("b.jsonl"), "--json"))
        self.assertEqual(told["format"], "mpit-info comparison 1")
        sent = next(each for each in told["performance_variables"] if each["name"] == "messages_sent")
        self.assertEqual((sent["a"]["minimum"], sent["b"]["maximum"], sent["change"]), (1900, 7600, 0))

    def test_a_file_that_is_neither_is_refused(self):
        pathlib.Path(self.path("a.txt")).write_text("nothing\n", encoding="utf-8")
        finished = self.run_diff(self.path("a.txt"), self.path("a.txt"))
        self.assertEqual(finished.returncode, 2)
        self.assertIn("is not a record", finished.stderr)

    def test_a_run_that_is_watched_can_be_compared(self):
        text = tool.printed("watch", "--against", self.record("a.jsonl"),
                            program=["--fast", "--seconds", "2", "--processes", "4"])
        self.assertIn("B  this run, ", text)
        self.assertIn("\nNo difference.\n", text)

    def test_the_table_fits_the_width(self):
        one, other = self.record("a.jsonl"), self.record("b.jsonl", "--rename", "renamed")
        for width in (50, 80, 120):
            lines = self.diff(one, other, "--all", "--width", width).splitlines()
            self.assertLessEqual(max(map(len, lines)), width)
            table = lines[next(number for number, line in enumerate(lines) if line.startswith("Variable")):]
            self.assertNotIn("…", "".join(table))

    @unittest.skipUnless(test_report.CAN_WRITE, "python3-jinja2 is not installed")
    def test_no_text_of_a_run_becomes_part_of_the_page(self):
        path, hostile = self.path("diff.html"), "<script>forged()</script>"
        self.diff(self.record("a.jsonl"), self.record("b.jsonl", "--rename", hostile), "--report", path)
        page = pathlib.Path(path).read_text(encoding="utf-8")
        self.assertNotIn(hostile, page)
        self.assertIn("&lt;script&gt;forged()", page)

    @unittest.skipUnless(test_report.CAN_WRITE and test_report.BROWSER, "python3-jinja2 or chromium is not installed")
    def test_the_page_shows_variables_that_differ_and_all_on_request(self):
        path = self.path("diff.html")
        self.diff(self.record("a.jsonl"), self.record("b.jsonl"), "--report", path)
        told = test_report.Browser(self.folder).look(pathlib.Path(path).read_text(encoding="utf-8"), """
            const cards = [...document.querySelectorAll('.card')];
            const [filter, every] = ['.filter', '.every'].map(name => document.querySelector(name));
            const seen = () => cards.filter(card => card.offsetParent).map(card => card.querySelector('h3').firstChild.data.trim());
            const before = seen();
            every.click();
            const after = seen();
            filter.value = 'waiting'; filter.dispatchEvent(new Event('input'));
            return [before, after.length, seen(), document.querySelectorAll('rect.band').length > 6,
                    document.documentElement.scrollWidth <= innerWidth];""")
        self.assertEqual(told, [[], 6, ["time_waiting"], True, True])
