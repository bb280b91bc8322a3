"""The sentences that a person reads first, over times and bytes of ranks."""

import sys
import unittest

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import headline, report  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402


def over_time(*rows):
    """A run in which the time in MPI_Waitall of each rank has grown to these values, a second each."""
    kept = History()
    for rank in range(len(rows[0])):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(rows[0]), "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [{"name": "wait_calls", "class": "counter"},
                                                             {"name": "MPI_Waitall_time", "class": "timer"}]})
        total = 0.0
        kept.accept(rank, {"message": "sample", "time": 0.0, "values": [0, 0.0]})
        for second, row in enumerate(rows):
            total += row[rank]
            kept.accept(rank, {"message": "sample", "time": second + 1.0, "values": [second, total]})
    return kept


def history(seconds=10.0, **values):
    """A run of these seconds, in which each variable has grown to its values, one for each rank."""
    kept = History()
    for rank in range(len(next(iter(values.values())))):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": 4, "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [
            {"name": name, "class": "timer" if "time" in name else "aggregate" if "bytes" in name else "counter"} for name in values]})
        kept.accept(rank, {"message": "sample", "time": 0.0, "values": [0.0] * len(values)})
        kept.accept(rank, {"message": "sample", "time": seconds, "values": [each[rank] for each in values.values()]})
    return kept


class Headlines(unittest.TestCase):
    def test_the_rank_that_waits_least_is_late(self):
        self.assertEqual(headline.sentences(history(MPI_Waitall_time=[5.0, 5.0, 5.0, 0.8])),
                         ["Time in MPI_Waitall: imbalance 84 %, rank 3 is late (0.8 s, the others 5 s)."])

    def test_the_rank_that_works_longest_is_named(self):
        self.assertEqual(headline.sentences(history(time_packing=[1.0, 4.0, 1.0, 1.0])),
                         ["time_packing: imbalance 75 %, rank 1 takes longer (4 s, the others 1 s)."])

    def test_ranks_that_are_close_to_the_worst_are_named_with_it(self):
        self.assertIn("imbalance 80 %, ranks 1 and 2 are late (1 s, the others 5 s)",
                      headline.sentences(history(MPI_Recv_time=[5.0, 0.9, 1.1, 5.0]))[0])

    def test_one_rank_is_early_if_all_others_are_late(self):
        self.assertEqual(headline.sentences(history(MPI_Waitall_time=[0.8, 0.9, 0.7, 5.0])),
                         ["Time in MPI_Waitall: imbalance 84 %, rank 3 is early (5 s, the others 0.8 s)."])

    def test_a_send_that_takes_longer_makes_no_rank_late(self):
        for function in ("MPI_Send", "MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Put", "MPI_Start"):
            told = headline.sentences(history(**{f"{function}_time": [1.0, 4.0, 1.0, 1.0]}))
            self.assertEqual(told, [f"Time in {function}: imbalance 75 %, rank 1 takes longer (4 s, the others 1 s)."])

    def test_every_function_that_waits_for_others_tells_who_is_late(self):
        table = (tool.FRONT / "agent" / "calls" / "functions.txt").read_text(encoding="utf-8")
        rows = [line.split() for line in table.splitlines() if line and not line.startswith(("#", "function "))]
        waiting = {row[0] for row in rows if "waits" in row[6].split(",")}
        prompt = {row[0] for row in rows if headline.PROMPT.fullmatch(row[0])}
        self.assertEqual(prompt & waiting, {"MPI_Send", "MPI_Ssend"})
        # Communicators and windows are made by all of their processes together.
        left = {row[0] for row in rows if row[2] != "other"} - prompt
        self.assertEqual(left, waiting - {"MPI_Send", "MPI_Ssend"})

    def test_the_root_of_a_reduction_waits_and_is_not_early(self):
        self.assertIn("rank 0 waits longer (5 s, the others 0.1 s)",
                      headline.sentences(history(MPI_Reduce_time=[5.0, 0.1, 0.1, 0.1]))[0])

    def test_the_waiting_in_all_functions_names_the_late_rank_first(self):
        # Rank 3 is late in Waitall, and makes rank 2 late in Allreduce.
        told = headline.sentences(history(MPI_Waitall_time=[3.0, 3.0, 5.0, 0.5], MPI_Allreduce_time=[4.0, 4.0, 0.5, 1.0]))
        self.assertEqual(told[0], "Waiting in MPI: imbalance 77 %, rank 3 is late (1.5 s, the others 6.5 s).")
        self.assertIn("Time in MPI_Allreduce", told[1])

    def test_one_rank_that_waits_longer_in_all_functions_is_not_early(self):
        told = headline.sentences(history(MPI_Recv_time=[4.0, 0.5, 0.5, 0.5], MPI_Probe_time=[4.0, 0.5, 0.5, 0.5]))
        self.assertEqual(told[0], "Waiting in MPI: imbalance 88 %, rank 0 waits longer (8 s, the others 1 s).")

    def test_a_function_with_most_of_the_waiting_is_named_in_place_of_all(self):
        told = headline.sentences(history(MPI_Waitall_time=[5.0, 5.0, 5.0, 0.8], MPI_Barrier_time=[0.1, 0.1, 0.1, 0.1]))
        self.assertEqual(told, ["Time in MPI_Waitall: imbalance 84 %, rank 3 is late (0.8 s, the others 5 s)."])

    def test_the_start_of_the_run_is_told_last(self):
        rows = [[0.8, 0.1], *[[0, 0]] * 9]
        self.assertEqual(headline.sentences(over_time(*rows)), [
            "The ranks are balanced: no time in MPI differs steadily by 10 %, and by 1 % of the run.",
            "4.5 % of the time is in MPI, most of it in MPI_Waitall (4.5 %).",
            "Time in MPI_Waitall at the start: imbalance 88 %, rank 1 is late (0.1 s, the others 0.8 s)."])

    def test_the_end_of_the_run_is_named(self):
        self.assertIn("Time in MPI_Waitall at the end:", headline.sentences(over_time(*[[0, 0]] * 9, [0.8, 0.1]))[2])

    def test_short_times_have_a_readable_unit(self):
        self.assertIn("(190 µs, the others 5 s)", headline.sentences(history(MPI_Barrier_time=[5.0, 0.00019, 5.0]))[0])

    def test_half_of_the_ranks_are_late(self):
        self.assertIn("ranks 0 and 1 are late", headline.sentences(history(MPI_Waitall_time=[1.0, 1.0, 5.0, 5.0]))[0])

    def test_one_rank_takes_less_if_all_others_take_longer(self):
        self.assertIn("rank 2 takes less (1 s, the others 4 s)", headline.sentences(history(time_packing=[4.0, 4.0, 1.0, 4.0]))[0])

    def test_a_rank_that_is_early_throughout_the_run_is_named(self):
        self.assertIn("rank 2 is early", headline.sentences(over_time(*[[0.3, 0.3, 0.4], [0.3, 0.3, 0.5]] * 5))[0])

    def test_the_report_names_the_early_rank(self):
        kept = history(MPI_Waitall_time=[0.8, 0.9, 0.7, 5.0])
        try:
            text = report.text(Launches(lambda: kept), lambda _: list(kept.columns))
        except (ImportError, OSError) as problem:
            self.skipTest(f"the report needs jinja2 and dygraphs: {problem}")
        self.assertIn("rank 3 is early", text)

    def test_the_share_of_mpi_is_told_if_all_functions_are_watched(self):
        told = headline.sentences(history(wait_calls=[1, 1], MPI_Waitall_time=[5.0, 1.0], MPI_Bcast_time=[1.0, 1.0]))
        self.assertEqual(told[1], "40 % of the time is in MPI, most of it in MPI_Waitall (30 %).")

    def test_at_most_three_imbalances_are_named_behind_the_waiting_by_what_they_cost(self):
        told = headline.sentences(history(MPI_Recv_time=[1.0, 0.0], MPI_Bcast_time=[3.0, 0.0], MPI_Reduce_time=[2.0, 0.0],
                                          MPI_Scan_time=[4.0, 0.0]))
        self.assertEqual([sentence.split(":")[0] for sentence in told],
                         ["Waiting in MPI", "Time in MPI_Scan", "Time in MPI_Bcast", "Time in MPI_Reduce"])

    def test_times_come_before_bytes(self):
        told = headline.sentences(history(send_bytes=[100, 10], MPI_Recv_time=[1.0, 0.5]))
        self.assertEqual(told, ["Time in MPI_Recv: imbalance 50 %, rank 1 is late (0.5 s, the others 1 s).",
                                "send_bytes: imbalance 90 %, rank 0 has more (100 B, the others 10 B)."])

    def test_less_than_a_hundredth_of_the_run_is_not_told(self):
        self.assertEqual(headline.sentences(history(MPI_Recv_time=[0.09, 0.0])), [])

    def test_less_than_a_tenth_of_a_time_is_not_told(self):
        self.assertIn("The ranks are balanced",
                      headline.sentences(history(wait_calls=[1, 1], MPI_Waitall_time=[9.0, 8.2]))[0])

    def test_a_rank_that_differs_only_now_and_then_is_not_named(self):
        noise = over_time(*[[0.4, 0.4]] * 7, [0.9, 0.1], [0.9, 0.1], [0.4, 0.4])
        self.assertGreater(1 - noise.ordered()[1].last[1][1] / noise.ordered()[0].last[1][1], headline.LEAST_SHARE)
        self.assertIn("The ranks are balanced", headline.sentences(noise)[0])

    def test_a_rank_that_is_late_throughout_the_run_is_named(self):
        self.assertIn("rank 1 is late", headline.sentences(over_time(*[[0.4, 0.3], [0.5, 0.3]] * 5))[0])

    def test_a_rank_that_was_late_once_in_the_only_use_of_a_function_is_named(self):
        self.assertIn("rank 1 is late", headline.sentences(over_time(*[[0, 0]] * 4, [0.9, 0.1], *[[0, 0]] * 5))[0])

    def test_bytes_do_not_hide_that_the_times_are_balanced(self):
        told = headline.sentences(history(wait_calls=[1, 1], send_bytes=[100, 10], MPI_Waitall_time=[5.0, 5.0]))
        self.assertIn("The ranks are balanced", told[0])
        self.assertIn("send_bytes", told[2])

    def test_balanced_ranks_are_said_to_be_balanced(self):
        self.assertIn("The ranks are balanced",
                      headline.sentences(history(wait_calls=[1, 1], MPI_Waitall_time=[5.0, 5.0]))[0])

    def test_sums_over_functions_are_not_told_twice(self):
        told = headline.sentences(history(wait_time=[5.0, 1.0], MPI_Waitall_time=[5.0, 1.0]))
        self.assertEqual(len([sentence for sentence in told if "imbalance" in sentence]), 1)

    def test_one_process_has_no_imbalance(self):
        self.assertEqual(headline.sentences(history(time_packing=[4.0])), [])


if __name__ == "__main__":
    unittest.main()
