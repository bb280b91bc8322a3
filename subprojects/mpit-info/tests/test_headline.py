"""The sentences that a person reads first, over times outside of MPI, other times and bytes of ranks, and the tables below them."""

import io
import sys
import unittest

from rich.console import Console

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import first_page, headline, live, report, summary  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402
from mpit_info.view_state import ViewState  # noqa: E402


def class_of(name):
    """The class of a variable by its name."""
    return "timer" if "time" in name or name.endswith(("polling", "wait", "waited")) else "aggregate" if "bytes" in name else "counter"


def over_time(*rows, name="mpi_time"):
    """A run in which the time in MPI of each rank has grown by these values, a second each."""
    kept = History()
    for rank in range(len(rows[0])):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(rows[0]), "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [{"name": name, "class": "timer"}]})
        total = 0.0
        kept.accept(rank, {"message": "sample", "time": 0.0, "values": [0.0]})
        for second, row in enumerate(rows):
            total += row[rank]
            kept.accept(rank, {"message": "sample", "time": second + 1.0, "values": [total]})
    return kept


def history(seconds=10.0, first=0.0, **values):
    """A run of these seconds, in which each variable has grown to its values, one for each rank."""
    kept = History()
    ranks = len(next(iter(values.values())))
    for rank in range(ranks):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": ranks, "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [{"name": name, "class": class_of(name)} for name in values]})
        kept.accept(rank, {"message": "sample", "time": 0.0, "values": [first] * len(values)})
        kept.accept(rank, {"message": "sample", "time": seconds, "values": [each[rank] + first for each in values.values()]})
    return kept


class Lateness(unittest.TestCase):
    def first(self, *arguments, **values):
        """The first sentence."""
        return headline.sentences(history(*arguments, **values))[0]

    def test_the_rank_that_is_outside_of_mpi_longest_is_late(self):
        self.assertEqual(headline.sentences(history(mpi_time=[5.0, 5.0, 5.0, 0.8])), [
            "Rank 3 is late: outside of MPI for 9.2 s, the others for 5 s.",
            "Parallel efficiency 60 % (fair): load balance 66 %, communication efficiency 92 %."])

    def test_of_ranks_with_one_moment_nothing_is_said(self):
        self.assertEqual(headline.sentences(history(seconds=0.0, mpi_time=[0.0, 0.0])), [])

    def test_of_a_life_as_short_as_the_time_between_samples_of_ranks_nothing_is_said(self):
        for values in ({"mpi_time": [0.0, 0.0001]}, {"mpi_time": [0.0, 0.0], "processor_wait": [0.0004, 0.0003]}):
            self.assertEqual(headline.sentences(history(seconds=0.0002, **values)), [])

    def test_what_was_counted_before_a_tool_attached_does_not_count(self):
        self.assertEqual(self.first(first=100.0, mpi_time=[5.0, 5.0, 5.0, 0.8]), "Rank 3 is late: outside of MPI for 9.2 s, the others for 5 s.")

    def test_a_rank_that_waits_longer_in_one_function_is_not_early(self):
        # The root of a reduction waits for the others, which leave MPI at once and wait for the root in the next call.
        told = headline.sentences(history(MPI_Reduce_time=[5.0, 0.1, 0.1, 0.1], MPI_Bcast_time=[0.1, 5.0, 5.0, 5.0], mpi_time=[5.1] * 4))
        self.assertEqual(told[0], "No rank is late: each one is outside of MPI for 4.9 s.")

    def test_what_a_rank_had_counted_before_is_not_at_the_start_of_the_run(self):
        kept = over_time(*[[0.5, 0.1]] * 10)
        for rank, before in ((0, 7.0), (1, 300.0)):
            process = kept.processes[rank]
            process.rows = [[value + before for value in row] for row in process.rows]
            process.first, process.last = ((moment, [value + before for value in row]) for moment, row in (process.first, process.last))
        self.assertEqual(headline.sentences(kept)[0], "Rank 1 is late: outside of MPI for 9 s, the others for 5 s.")

    def test_ranks_that_are_close_to_the_worst_are_named_with_it(self):
        self.assertEqual(self.first(mpi_time=[5.0, 0.9, 1.1, 5.0]), "Ranks 1 and 2 are late: outside of MPI for 9 s, the others for 5 s.")

    def test_half_of_the_ranks_are_late(self):
        self.assertIn("Ranks 0 and 1 are late", self.first(mpi_time=[1.0, 1.0, 5.0, 5.0]))

    def test_one_rank_is_early_if_all_others_are_late(self):
        self.assertEqual(self.first(mpi_time=[0.8, 0.9, 0.7, 5.0]), "Rank 3 is early: outside of MPI for 5 s, the others for 9.2 s.")

    def test_the_report_names_the_early_rank(self):
        kept = history(mpi_time=[0.8, 0.9, 0.7, 5.0])
        try:
            text = report.text(Launches(lambda: kept), lambda _: list(kept.columns))
        except (ImportError, OSError) as problem:
            self.skipTest(f"the report needs jinja2 and dygraphs: {problem}")
        self.assertIn("Rank 3 is early", text)

    def test_the_time_between_polls_that_fail_may_be_either(self):
        told = headline.sentences(history(mpi_time=[5.0, 5.0, 0.8], mpi_polling=[0.0, 0.0, 6.0], MPI_Test_time=[5.0, 5.0, 0.8]))
        self.assertEqual(told, ["36 % of the time is in MPI, most of it in MPI_Test (36 %)."])
        self.assertIn("Rank 2 is late", self.first(mpi_time=[5.0, 5.0, 0.8], mpi_polling=[0.0, 0.0, 1.0]))

    def test_a_rank_without_a_processor_is_not_late(self):
        self.assertEqual(self.first(mpi_time=[5.0, 5.0, 0.8], processor_wait=[0.0, 0.0, 4.0]), "36 % of the time is in MPI.")

    def test_ranks_that_lack_processors_outside_of_mpi_are_told(self):
        waited = {"mpi_time": [5.0, 4.9], "processor_wait": [7.0, 7.0], "processor_wait_in_mpi": [3.0, 3.0]}
        self.assertEqual(headline.sentences(history(**waited, processor_wait_outside=[4.0, 4.0]))[1],
                         "Too few processors: outside of MPI the ranks waited for one for 79 % of the time.")
        self.assertEqual(headline.sentences(history(**waited, processor_wait_outside=[0.1, 0.1]))[0],
                         "Too few processors: the ranks waited for one for 70 % of the time.")
        # Rank 2 is late, and the others give their processors away.
        told = headline.sentences(history(mpi_time=[8.0, 8.0, 1.0], processor_wait=[7.0] * 3, processor_wait_in_mpi=[7.0] * 3))
        self.assertNotIn("processors", " ".join(told))

    def test_a_call_that_the_first_sample_was_in_is_of_the_main_thread(self):
        kept = History()
        for rank in range(2):
            kept.accept(rank, {"message": "hello", "rank": rank, "processes": 2, "began": 0.0})
            for time, values in ((0.1, {"mpi_time": 0.1}), (1.0, {"mpi_time": 0.6, "MPI_Barrier_time": 0.6})):
                kept.accept(rank, {"message": "columns", "columns": [{"name": name, "class": "timer"} for name in values]})
                kept.accept(rank, {"message": "sample", "time": time, "values": list(values.values())})
        self.assertEqual([round(each.in_mpi, 6) for each in headline.times_of(kept)], [0.5, 0.5])

    def test_the_start_and_the_end_of_the_run_are_named(self):
        for rows, moment in (([[1.1, 0.0], *[[0.5, 0.5]] * 9], "start"), ([*[[0.9, 0.9]] * 9, [1.1, 0.0]], "end")):
            self.assertIn(f"Rank 1 is late at the {moment}: outside of MPI for ", headline.sentences(over_time(*rows))[0])

    def test_a_rank_that_differs_in_changing_directions_is_not_named(self):
        self.assertEqual(headline.sentences(over_time(*[[0.9, 0.1]] * 6, *[[0.1, 0.9]] * 4))[0], "50 % of the time is in MPI.")

    def test_a_rank_that_differs_throughout_the_run_is_named(self):
        self.assertIn("Rank 1 is late:", headline.sentences(over_time(*[[0.4, 0.3], [0.5, 0.3]] * 5))[0])
        self.assertIn("Rank 2 is early:", headline.sentences(over_time(*[[0.3, 0.3, 0.4], [0.3, 0.3, 0.5]] * 5))[0])

    def test_little_differences_name_no_rank(self):
        self.assertEqual(self.first(mpi_time=[0.09, 0.0]), "No rank is late: each one is outside of MPI for 9.91 to 10 s.")
        self.assertIn("No rank is late", self.first(mpi_time=[5.0, 4.6]))

    def test_the_share_of_mpi_is_told_if_no_rank_can_be_named(self):
        self.assertEqual(headline.sentences(history(mpi_time=[4.0], MPI_Waitall_time=[3.0], MPI_Bcast_time=[1.0])),
                         ["40 % of the time is in MPI, most of it in MPI_Waitall (30 %)."])

    def test_without_counted_calls_nothing_is_said_about_ranks(self):
        self.assertEqual(headline.sentences(history(MPI_Recv_time=[5.0, 0.1])), [])


class Differences(unittest.TestCase):
    def test_the_rank_that_works_longest_is_named(self):
        self.assertEqual(headline.sentences(history(time_packing=[1.0, 4.0, 1.0, 1.0])),
                         ["time_packing: imbalance 75 %, rank 1 takes longer (4 s, the others 1 s)."])

    def test_one_rank_takes_less_if_all_others_take_longer(self):
        self.assertIn("rank 2 takes less (1 s, the others 4 s)", headline.sentences(history(time_packing=[4.0, 4.0, 1.0, 4.0]))[0])

    def test_short_times_have_a_readable_unit(self):
        self.assertIn("(190 µs, the others 5 s)", headline.sentences(history(time_packing=[5.0, 0.00019, 5.0]))[0])

    def test_at_most_three_differences_are_named_by_what_they_cost(self):
        told = headline.sentences(history(time_a=[1.0, 0.0], time_b=[3.0, 0.0], time_c=[2.0, 0.0], time_d=[4.0, 0.0]))
        self.assertEqual([sentence.split(":")[0] for sentence in told], ["time_d", "time_b", "time_c"])

    def test_the_ranks_come_before_other_times_and_these_before_bytes(self):
        told = headline.sentences(history(send_bytes=[1_000_000, 100_000], MPI_Send_bytes=[1_000_000, 100_000], receive_bytes=[48, 36],
                                          time_packing=[1.0, 0.5], mpi_time=[5.0, 1.0]))
        self.assertIn("Rank 1 is late", told[0])
        self.assertEqual(told[2:], ["time_packing: imbalance 50 %, rank 0 takes longer (1 s, the others 0.5 s).",
                                    "send_bytes: imbalance 90 %, rank 0 has more (1 MB, the others 100 kB)."])

    def test_less_than_a_hundredth_of_the_run_is_not_told(self):
        self.assertEqual(headline.sentences(history(time_packing=[0.09, 0.0])), [])

    def test_a_difference_now_and_then_is_not_told(self):
        rows = [[0.4, 0.4]] * 6 + [[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.4, 0.4]]
        self.assertEqual(headline.sentences(over_time(*rows, name="time_packing")), [])

    def test_times_of_functions_and_their_sums_are_not_told(self):
        self.assertEqual(headline.sentences(history(wait_time=[5.0, 1.0], MPI_Waitall_time=[5.0, 1.0])), [])

    def test_one_process_has_no_imbalance(self):
        self.assertEqual(headline.sentences(history(time_packing=[4.0])), [])


class FirstPage(unittest.TestCase):
    def test_the_ranks_have_their_times(self):
        found = first_page.ranks(history(mpi_time=[6.0, 1.0], mpi_polling=[0.0, 2.0]))
        self.assertEqual([list(first_page.cells_of_rank(each).values()) for each in found],
                         [["rank 0", "10 s", "6 s", "4 s", "60 %"], ["rank 1", "10 s", "1 s", "7 s to 9 s", "10 %"]])

    def test_of_many_ranks_the_extreme_ones_and_the_mean_of_the_others_are_there(self):
        found = first_page.ranks(history(mpi_time=[5.0 + (rank % 10) / 10 for rank in range(100)][:-1] + [1.0]))
        self.assertEqual((len(found), found[-1].title), (16, "85 others"))
        self.assertIn("rank 99", [each.title for each in found])
        self.assertAlmostEqual(sum(each.in_mpi for each in found[:-1]) + 85 * found[-1].in_mpi, sum(5.0 + (rank % 10) / 10 for rank in range(99)) + 1)

    def test_the_functions_with_most_time_are_first(self):
        values = {f"MPI_F{number}_{what}": [factor * number, 3 * factor * number]
                  for number in range(7) for what, factor in (("time", 0.1), ("calls", 1), ("bytes", 4000))}
        found = first_page.functions(history(mpi_time=[9.0, 9.0], **values), first_page.MOST_FUNCTIONS)
        self.assertEqual([each.name for each in found], ["MPI_F6", "MPI_F5", "MPI_F4", "MPI_F3", "MPI_F2"])
        self.assertEqual(list(first_page.cells_of_function(found[0]).values()), ["MPI_F6", "1.2 s", "12 %", "12", "48,000 B"])

    def rest(self, **values):
        """The names of the rest, and how many are left out."""
        kept = history(mpi_time=[5.0, 5.0], mpi_polling=[0.1, 0.0], processor_wait=[0.1, 0.1], **values)
        rest = first_page.rest(kept, list(kept.columns))
        return [column.name for column in rest.columns], rest.left_out

    def test_what_the_first_tables_have_is_not_in_the_rest(self):
        self.assertEqual(self.rest(barrier_calls=[5, 5], barrier_time=[1.0, 1.5], barrier_waited=[0.9, 1.0], MPI_Barrier_calls=[5, 5],
                                   MPI_Barrier_time=[1.0, 1.5], send_bytes=[7, 7], send_time=[0.1, 0.1], MPI_Send_time=[0.1, 0.1], MPI_Send_bytes=[7, 7]),
                         (["barrier_waited"], 0))

    def test_a_sum_over_two_functions_is_in_the_rest(self):
        self.assertEqual(self.rest(wait_time=[1.0, 1.0], MPI_Wait_time=[0.5, 0.5], MPI_Waitall_time=[0.5, 0.5]), (["wait_time"], 0))

    def test_the_rest_is_in_the_order_of_its_time_without_what_has_none(self):
        functions = {f"MPI_F{number}_time": [0.5, 0.5] for number in range(5)}
        self.assertEqual(self.rest(queue=[7, 9], other_waited=[0.3, 0.3], **functions, MPI_G_time=[0.001, 0.001], MPI_G_calls=[5, 5],
                                   MPI_H_time=[0.4, 0.4], MPI_H_calls=[3, 3]), (["MPI_H_time", "MPI_H_calls", "other_waited", "queue"], 2))

    def counted(self):
        """A run of four ranks, one of which is late."""
        functions = {f"MPI_F{number}_time": [0.03 * number] * 4 for number in range(1, 8)}
        return history(mpi_time=[6.0, 6.0, 1.0, 6.0], **functions, queue=[3, 3, 3, 3])

    def drawn(self, width, height, state=None):
        """The lines of the view."""
        kept, console = self.counted(), Console(width=width, file=io.StringIO())
        console.print(live.view(kept, list(kept.columns), width, height, 10, state or ViewState()))
        return console.file.getvalue().splitlines()

    def begins(self, lines):
        """The first words of the lines of tables."""
        return [line.split()[0] for line in lines if line and not line.startswith("─")]

    def test_the_view_has_the_first_page_as_far_as_there_is_room(self):
        for width, height in ((80, 20), (60, 20), (60, 11), (80, 40), (200, 60)):
            lines = self.drawn(width, height)
            self.assertLessEqual(len(lines), height, (width, height))
            self.assertLessEqual(max(map(len, lines)), width)
            self.assertIn("Rank", self.begins(lines))
        self.assertEqual([word for word in self.begins(self.drawn(80, 20)) if word in ("Rank", "Function", "Variable", "3")], ["Rank", "Rank", "Function"])
        self.assertIn("3 more variables: ↓, s and / show them", self.drawn(80, 23))
        self.assertEqual(self.begins(self.drawn(80, 40))[-4:], ["MPI_F2_time", "MPI_F1_time", "queue", "?"])

    def test_a_selected_variable_has_the_room_of_the_first_page(self):
        state = ViewState()
        self.drawn(80, 20, state)
        state.press("down")
        self.assertEqual([word for word in self.begins(self.drawn(80, 20, state)) if word in ("Rank", "Function", "Variable", "▸")], ["Rank", "Variable", "▸"])
        state.press("escape")
        self.assertIn("Function", self.begins(self.drawn(80, 20, state)))

    def test_the_table_has_the_first_page_and_its_sentence_at_the_end(self):
        kept, console = self.counted(), Console(width=100, file=io.StringIO())
        for part in summary.parts(Launches(lambda: kept), lambda _: list(kept.columns), 100):
            lines = part.lines(100, False) if hasattr(part, "lines") else [part]
            for line in lines:
                console.print(line)
        lines = console.file.getvalue().splitlines()
        titles = [line.split()[0] for line in lines if line.startswith(("Rank ", "Function", "Variable"))]
        self.assertEqual(titles, ["Rank", "Rank", "Function", "Variable", "Rank"])
        self.assertEqual(lines[-1], "Rank 2 is late: outside of MPI for 9 s, the others for 4 s.")
        # Who asks for some variables gets these, all of them.
        chosen = [column for column in kept.columns if column.name in ("MPI_F7_time", "MPI_F1_time")]
        told = [getattr(part, "plain", None) for part in summary.parts(Launches(lambda: kept), lambda _: chosen, 100)]
        self.assertEqual(told.count(None), 1)

    def test_without_counted_calls_all_variables_are_the_rest(self):
        kept = history(sent=[1, 2], time_packing=[0.0001, 0.0001])
        self.assertEqual((first_page.ranks(kept), first_page.functions(kept), first_page.rest(kept, list(kept.columns))),
                         ([], [], first_page.Rest(list(kept.columns), 0)))


if __name__ == "__main__":
    unittest.main()
