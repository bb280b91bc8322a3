"""Numbers for people, graphs of one line, and what is kept of a run."""

import sys
import unittest
import unittest.mock

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import figures, headline, history, quantities, report_data, rows, sampled, summary, tracks  # noqa: E402

COUNTER = {"name": "sent", "class": "counter", "element": None, "object": None, "type": "unsigned_long"}
LEVEL = {"name": "queue", "class": "level", "element": None, "object": None, "type": "unsigned_long"}


def run(samples, columns=(COUNTER, LEVEL), began=(0.0,)):
    """A history of processes that began at these moments and told the same samples, pairs of a time and values."""
    kept = history.History()
    for rank, moment in enumerate(began):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(began), "began": 1000.0 + moment})
        kept.accept(rank, {"message": "columns", "columns": list(columns)})
    for moment, values in samples:
        for rank in range(len(began)):
            kept.accept(rank, {"message": "sample", "time": moment, "values": [value * (rank + 1) for value in values]})
    return kept


def column(kept, name):
    return next(column for column in kept.columns if column.name == name)


class Figures(unittest.TestCase):
    def test_short_numbers_have_three_digits_and_a_prefix(self):
        told = {0: "0", 99999: "99999", 100000: "100k", 1234567: "1.23M", -1234567: "-1.23M", 0.25: "0.25",
                0.0000123: "1.230e-5", 999.4: "999", 999.7: "1k", 999999: "1M", 2.5e21: "2.5e+03E", None: "-",
                18446744073709551615: "18.4E"}
        self.assertEqual({value: figures.short(value) for value in told}, told)

    def test_exact_numbers_have_all_digits(self):
        told = {18446744073709551615: "18,446,744,073,709,551,615", 0.125: "0.125", 702512658.4: "702,512,658",
                3.0: "3", None: "-"}
        self.assertEqual({value: figures.exact(value) for value in told}, told)

    def test_bytes_keep_their_digits_and_times_get_a_readable_unit(self):
        self.assertEqual([quantities.exact(*each) for each in ((6553600, "B"), (0.000178624, "s"), (0.25, "%"), (1234567, ""), (1.5e6, "B"))],
                         ["6,553,600 B", "179 µs", "25 %", "1,234,567", "1,500,000 B"])

    def test_a_share_of_the_time_is_at_most_all_of_it(self):
        self.assertEqual([quantities.rate_text(share, "s") for share in (0.5, 1.004, 1.05, 2.5)],
                         ["50 % of time", "100 % of time", "100 % of time", "2.5 s/s"])
        self.assertEqual([quantities.rate_text(63.4, ""), quantities.rate_text(5e5, "B")], ["63.4/s", "500 kB/s"])

    def test_a_mean_of_counters_is_a_whole_number_and_not_zero_if_one_has_counted(self):
        kept = run([])
        self.assertEqual([kept.whole(value, column(kept, "sent")) for value in (50.5, 50.4, 0.25, 0, None)], [51, 50, 0.25, 0, None])
        self.assertEqual(kept.whole(50.5, column(kept, "queue")), 50.5)
        self.assertEqual(quantities.whole(0.7, column(kept, "sent"), "double"), 0.7)

    def test_a_tiny_share_is_no_power_of_ten(self):
        self.assertEqual([figures.percent(share) for share in (9.4e-8, 2e-5, 0)], ["<0.001 %", "0.002 %", "0 %"])

    def test_imbalance_is_how_far_the_highest_is_above_the_mean_and_not_known_around_zero(self):
        for values, expected in (([1, 2, 6], (1, 3, 6, 1.0)), ([4, None, 4], (4, 4, 4, 0.0)), ([0, 0], (0, 0, 0, None)), ([None], (None,) * 4)):
            self.assertEqual(figures.spread(values), expected)

    def test_texts_for_numbers_that_json_lacks_and_numbers_that_no_sum_could_hold_are_no_numbers(self):
        self.assertEqual([figures.number(value) for value in ("nan", "inf", "-inf", None, "eager", 10**400, -1e101, "1e999", 3, "4.5", 1e100)],
                         [*[None] * 8, 3, 4.5, 1e100])

    def test_what_became_infinite_is_not_drawn_and_not_shown(self):
        infinite = float("inf")
        self.assertEqual([figures.short(infinite), figures.exact(-infinite), figures.percent(float("nan"))], ["-"] * 3)
        self.assertEqual(figures.blocks([1e100, infinite, -1e100, 0], 4), "█ ▁▅")
        self.assertEqual(figures.blocks([0, 5e-324], 2), "▁█")
        self.assertEqual(figures.exact(1e99), "1e+99")

    def test_a_graph_begins_at_zero_fills_its_line_shows_the_latest_leaves_gaps_and_goes_below_zero(self):
        for values, width, expected in (([0, 1, 2, 3, 4, 5, 6, 7], 8, "▁▂▃▄▅▆▇█"), ([50, 100], 2, "▅█"), ([0, 0], 2, "▁▁"), ([7, 7], 2, "██"),
                                        ([9, 9, 0, None, 7], 3, "▁ █"), ([7], 3, "  █"), ([-7, 0], 2, "▁█")):
            self.assertEqual(figures.blocks(values, width), expected)


class Histories(unittest.TestCase):
    def test_levels_are_means_over_the_time(self):
        kept = run([(0, [0, 3]), (1, [0, 9]), (2, [0, 3])])
        self.assertEqual(kept.spread(column(kept, "queue")).mean, 5)

    def test_graphs_of_counters_show_rates_and_others_values(self):
        kept = run([(number / 4, [number * number, 7]) for number in range(9)])
        self.assertEqual(list(kept.columns[column(kept, "sent")]), [None, 4, 12, 20, 28, 36, 44])
        self.assertEqual(list(kept.columns[column(kept, "queue")]), [7] * 7)

    def test_a_graph_goes_on_where_samples_are_rare(self):
        kept = run([(number, [100 * number, 7]) for number in range(3)])
        self.assertEqual(list(kept.columns[column(kept, "sent")]), [None, None, None, None, 100, 100, 100])

    def test_a_long_time_without_samples_costs_no_more_than_the_graph_has_blocks(self):
        for began in ((0, 3600), (0, 31_536_000), (0, 1e9)):
            with unittest.mock.patch.object(history.History, "close_slot", autospec=True,
                                            side_effect=history.History.close_slot) as closed:
                kept = run([(0, [0, 1]), (1, [5, 1])], began=began)
            self.assertLess(closed.call_count, 5 * history.MOST_SLOTS)
            self.assertEqual(len(kept.columns[column(kept, "sent")]), history.MOST_SLOTS)

    def test_a_graph_is_the_same_however_long_nothing_was_told(self):
        told = [(0, [0, 7]), (0.5, [8, 3]), (1, [16, 9])]
        with unittest.mock.patch.object(history, "MOST_SLOTS", 300):
            graphs = [kept.columns for moment in (400, 10_000)
                      for kept in [run([*told, (moment, [16, 5]), (moment + 0.5, [24, 6]), (moment + 2, [24, 6])])]]
        self.assertEqual(*({key.name: list(graph) for key, graph in each.items()} for each in graphs))
        self.assertEqual(set(list(next(iter(graphs[1].values())))[:200]), {0})

    def test_a_process_that_is_behind_takes_part_in_the_graphs(self):
        kept = run([(number / 4, [number, 7]) for number in range(20)], began=(100, 0))
        self.assertEqual(list(kept.columns[column(kept, "queue")])[-5:], [10.5] * 5)
        self.assertLess(max(len(process.marks) for process in kept.ordered()), 10)

    def test_a_clock_that_is_wrong_is_not_believed(self):
        kept = history.History()
        for rank, began in enumerate((1000, 1002.5, 4600, 0)):
            kept.accept(rank, {"message": "hello", "rank": rank, "processes": 4, "began": began, "heard": 1003})
        self.assertEqual([process.shift for process in kept.ordered()], [0, 2.5, 3, 3])

    def test_processes_that_began_later_are_moved_in_time(self):
        kept = run([(0, [0, 1]), (1, [5, 1])], began=(0, 2.5))
        self.assertEqual([process.times for process in kept.ordered()], [[0, 1], [2.5, 3.5]])
        self.assertEqual(kept.end, 3.5)

    def test_memory_is_bounded_and_the_ends_are_kept(self):
        kept = run([(number / 10, [number, 1]) for number in range(50_001)])
        process = kept.ordered()[0]
        self.assertLessEqual(len(process.times), sampled.MOST_SAMPLES)
        self.assertGreater(len(process.times), sampled.MOST_SAMPLES // 4)
        self.assertEqual((process.times[0], process.taken, process.last), (0, 50_001, (5000, [50_000, 1])))
        self.assertEqual(kept.rate(column(kept, "sent")), 10)

    def test_columns_may_change_in_the_middle(self):
        kept = run([(0, [1, 2]), (1, [2, 2])])
        kept.accept(0, {"message": "columns", "columns": [LEVEL, {**COUNTER, "object": "another"}, COUNTER]})
        kept.accept(0, {"message": "sample", "time": 2, "values": [5, 0, 3]})
        self.assertEqual(kept.ordered()[0].rows, [[2, None, 1], [2, None, 2], [5, 0, 3]])
        self.assertEqual(kept.rate(column(kept, "sent")), 1)
        self.assertEqual(kept.spread(column(kept, "queue")).mean, 3)

    def closed(self):
        """A run in which the library of one variable is closed, and the processes go on."""
        kept = run([(0, [0, 4]), (1, [10, 8])], began=(0, 0))
        for rank in range(2):
            kept.accept(rank, {"message": "columns", "columns": [LEVEL]})
            kept.accept(rank, {"message": "sample", "time": 2, "values": [6]})
        return kept, column(kept, "sent"), column(kept, "queue")

    def test_a_variable_of_a_closed_library_keeps_its_values_for_the_end(self):
        kept, sent, queue = self.closed()
        self.assertEqual(kept.spread(sent)[:3], (10, 15, 20))
        self.assertEqual(kept.rate(sent), 7.5)
        self.assertEqual([process.value(queue) for process in kept.ordered()], [6, 6])
        self.assertEqual([series for line in report_data.gather(kept, [sent])["numbers"]["variables"][0]["lines"]
                          for series in [line["values"]]], [[0, 10, None], [0, 20, None]])

    def test_a_variable_of_a_closed_library_leaves_the_view_until_it_is_there_again(self):
        kept, sent, queue = self.closed()
        self.assertEqual(kept.those_sampled([sent, queue]), [queue])
        kept.accept(1, {"message": "columns", "columns": [COUNTER, LEVEL]})
        kept.accept(1, {"message": "sample", "time": 3, "values": [2, 6]})
        self.assertEqual(kept.those_sampled([sent, queue]), [sent, queue])
        self.assertEqual([process.value(sent) for process in kept.ordered()], [10, 2])
        self.assertGreater(kept.ordered()[1].rate(sent), 0)

    def test_what_a_process_has_withdrawn_is_in_the_view_again_when_it_has_ended(self):
        kept, sent, queue = self.closed()
        for rank in range(2):
            kept.accept(rank, {"message": "end", "time": 2})
        self.assertEqual(kept.those_sampled([sent, queue]), [sent, queue])

    def test_a_process_that_starts_an_mpi_is_told_of_again(self):
        kept = history.History()
        for number, rank, pid in ((0, -1, 71), (1, 0, 71), (2, -1, 72)):
            kept.accept(number, {"message": "hello", "rank": rank, "processes": 1, "host": "one", "pid": pid})
            kept.accept(number, {"message": "columns", "columns": [COUNTER]})
        self.assertEqual([process.number for process in kept.ordered()], [2, 1])

    def test_a_rank_without_a_sample_is_not_sampled_and_not_zero(self):
        timer = {"name": "time_packing", "class": "timer"}
        kept = run([(0, [0]), (10, [5])], columns=(timer,), began=(0.0,))
        for rank in (0, 1):
            kept.accept(rank, {"message": "hello", "rank": rank, "processes": 2, "began": 1000.0})
        told = rows.rank_cells(kept, rows.Row(rows.Variable((), "", list(kept.columns)), None), kept.ordered())
        self.assertEqual(told, {"rank 0": "5 s", "rank 1": "not sampled"})
        self.assertEqual((kept.unsampled_sentences(), kept.missing_sentences(), kept.those_there()), (["Not sampled: rank 1."], [], "2 ranks"))
        self.assertEqual((headline.sentences(kept), headline.mean_growth(kept, column(kept, "time_packing"))), ([], 5))

    def test_columns_of_one_name_are_told_apart(self):
        kept = run([(0, [1, 2])], columns=(LEVEL, LEVEL))
        self.assertEqual([kept.label(column) for column in kept.columns], ["queue", "queue #2"])

    def test_labels_name_the_class_where_names_are_the_same(self):
        kept = run([], columns=(LEVEL, {**LEVEL, "class": "high_watermark"}, COUNTER))
        self.assertEqual([kept.label(column) for column in kept.columns],
                         ["queue, level", "queue, high watermark", "sent"])

    def test_states_have_names(self):
        kept = run([(0, [1])], columns=({**LEVEL, "name": "engine_state", "class": "state"},))
        kept.accept(0, {"message": "snapshot", "document": samples.document()})
        engine = column(kept, "engine_state")
        self.assertEqual([kept.state(engine, value) for value in (0, 1, 2, None)], ["idle", "busy", None, None])

    def test_lost_events_are_counted(self):
        kept = run([], began=(0, 0))
        for rank in (0, 1, 1):
            kept.accept(rank, {"message": "lost", "time": 1, "events": 100})
        self.assertEqual(kept.lost, 300)

    def test_the_overhead_is_that_of_the_busiest_process(self):
        kept = run([], began=(0, 0))
        kept.accept(0, {"message": "end", "time": 10, "samples": 100, "cost": 0.02})
        kept.accept(1, {"message": "end", "time": 5, "samples": 50, "cost": 0.03})
        self.assertAlmostEqual(kept.overhead(), 0.006)


class Tracks(unittest.TestCase):
    def test_totals_count_instances_that_were_not_sent_and_none_twice(self):
        track = tracks.Track()
        bytes_ = {"sum": 800, "minimum": 8, "maximum": 64, "bins": [[8, 90], [64, 10]]}
        track.add(0.5, {"bytes": 8})
        track.set_totals(1.0, 100, {"bytes": bytes_})
        track.add(0.9, {"bytes": 8})
        self.assertEqual((track.count, track.elements["bytes"]), (100, (8, 64)))
        self.assertAlmostEqual(track.counted(0, 1.1), 100)
        self.assertAlmostEqual(track.counted(0, 0.5), 50, delta=2)
        track.add(1.5, {"bytes": 8})
        self.assertEqual(track.count, 101)
        track.set_totals(2.0, 101, {"bytes": bytes_})
        self.assertEqual((track.count, round(track.counted(1.0, 2.1))), (101, 1))

    def test_totals_of_processes_are_added(self):
        kept = history.History()
        for process in (0, 1):
            kept.accept(process, {"message": "counts", "time": 1, "event": "sent", "count": 3, "elements": {
                "bytes": {"sum": 10, "minimum": process, "maximum": 8, "bins": [[0, 1], [4, 2]]}}})
        self.assertEqual(kept.totals("sent")["bytes"], (20, 0, 8, {0: 2, 4: 4}))
        self.assertEqual(summary.common(kept.totals("sent")["bytes"].bins), "4 to 8: 67 %, 0: 33 %")

    def test_events_are_counted_where_they_came(self):
        track = tracks.Track()
        for moment in (0, 0.5, 0.51, 3):
            track.add(moment, {"bytes": 8 * moment})
        self.assertEqual(track.count, 4)
        self.assertEqual([round(track.counted(begin, begin + 1)) for begin in range(4)], [3, 0, 0, 1])
        self.assertEqual(track.elements, {"bytes": (0, 24)})

    def test_bins_grow_with_the_run_and_lose_no_event(self):
        track = tracks.Track()
        for number in range(10_000):
            track.add(number / 7, {})
        self.assertLessEqual(len(track.bins), tracks.MOST_BINS)
        self.assertEqual((track.count, sum(track.bins)), (10_000, 10_000))
        self.assertAlmostEqual(track.counted(0, 2000), 10_000)
        self.assertAlmostEqual(track.counted(0, 5000 / 7), 5000, delta=1)


class Lines(unittest.TestCase):
    def gathered(self, kept):
        return report_data.gather(kept, list(kept.columns))["numbers"]

    def test_what_grows_does_so_steadily_between_samples(self):
        kept = run([(0, [10, 1]), (1, [20, 2]), (3, [40, 3])], began=(0, 0.25))
        lines = self.gathered(kept)["variables"][0]["lines"]
        self.assertEqual([line["base"] for line in lines], [10, 47.5])
        self.assertEqual(self.gathered(kept)["times"], [0, 1.625, 3.25])
        self.assertEqual([line["values"] for line in lines], [[0, 16.25, None], [None, 0, 32.5]])

    def test_other_values_hold_until_the_next_sample(self):
        kept = run([(0, [10, 1]), (1, [20, 2]), (3, [40, 9])], began=(0, 0.25))
        self.assertEqual([line["values"] for line in self.gathered(kept)["variables"][1]["lines"]],
                         [[1, 2, 9], [None, 4, 18]])

    def test_the_page_stays_small_however_much_was_told(self):
        kept = run([(number / 10, [number, number % 5] * 10) for number in range(2000)],
                   columns=[{**each, "element": element} for element in range(10) for each in (COUNTER, LEVEL)],
                   began=[0] * 64)
        numbers = self.gathered(kept)
        self.assertEqual(sum(len(line["values"]) for variable in numbers["variables"] for line in variable["lines"])
                         <= report_data.MOST_NUMBERS, True)
        self.assertGreater(len(numbers["times"]), 400)
