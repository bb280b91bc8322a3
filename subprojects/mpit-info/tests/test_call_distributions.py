"""How long calls took, over messages of processes: what is merged, and what is said of it."""

import io
import sys
import unittest

from rich.console import Console

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import call_distributions, schema, summary  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.messages import checked  # noqa: E402

BUCKETS = {"scale": 2, "lowest": 6, "highest": 36}


def calls(function, *buckets, **more):
    """Calls of a function in these buckets: pairs of number and count."""
    return {"function": function, "seconds": 1.0, "buckets": [list(pair) for pair in buckets], **more}


def allreduce(*buckets, **more):
    return calls("MPI_Allreduce", *buckets, **{"communicator": "halo", "class": 4, "bytes": 8, **more})


def history(*ranks):
    """A run whose ranks have told these lists of calls."""
    kept = History()
    for rank, told in enumerate(ranks):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(ranks), "began": 0.0})
        kept.accept(rank, checked({"message": "distributions", "time": 1.0, **BUCKETS, "distributions": told}))
    return kept


def printed(kept, width=120):
    """The lines of the sentence, the table and the notes."""
    console = Console(width=width, file=io.StringIO())
    for part in summary.of_calls(kept, width):
        console.print(part)
    return [line.split() for line in console.file.getvalue().splitlines() if line.strip()]


def told(kept):
    """The lines as texts with single blanks."""
    return [" ".join(words) for words in printed(kept)]


class CallDistributions(unittest.TestCase):
    def test_ranks_are_merged_by_function_communicator_and_size(self):
        kept = history([allreduce((20, 3), longest=2e-6), calls("MPI_Wait", (0, 1), longest=5e-8)],
                       [allreduce((20, 1), (24, 2), longest=4e-6), allreduce((20, 5), longest=2e-6, **{"class": 5, "bytes": 16})])
        found = {call_distributions.title(row): row.histogram for row in call_distributions.rows(kept)}
        self.assertEqual({title: each.count for title, each in found.items()},
                         {"MPI_Allreduce of 8 B on halo": 6, "MPI_Allreduce of 16 B on halo": 5, "MPI_Wait": 1})
        self.assertEqual([found["MPI_Allreduce of 8 B on halo"].counts[number] for number in (20, 24)], [4, 2])
        self.assertEqual(found["MPI_Allreduce of 8 B on halo"].maximum, 4e-6)

    def test_later_messages_replace_earlier_ones(self):
        kept = history([allreduce((20, 3), longest=2e-6)])
        before = kept.frozen()
        kept.accept(0, checked({"message": "distributions", "time": 2.0, **BUCKETS, "distributions": [allreduce((20, 7), longest=3e-6)]}))
        self.assertEqual([row.histogram.count for each in (before, kept) for row in call_distributions.rows(each)], [3, 7])

    def test_sizes_that_differ_are_told_as_their_class(self):
        kept = history([allreduce((20, 1), **{"class": 4})], [allreduce((20, 1), bytes=7)])
        self.assertEqual([call_distributions.size_text(row) for row in call_distributions.rows(kept)], ["5 to 8 B"])
        for class_, text in ((0, "0 B"), (1, "1 B"), (2, "2 B"), (3, "3 to 4 B"), (11, "513 to 1,024 B"), (None, "")):
            row = call_distributions.Row(call_distributions.Key("MPI_Send", None, class_, False), None, None)
            self.assertEqual(call_distributions.size_text(row), text)

    def test_a_percentile_is_said_of_100_calls_or_more(self):
        few, many = (history([allreduce((26, count - 1), (80, 1), longest=0.05)]) for count in (99, 100))
        self.assertEqual(call_distributions.sentences(few), ["Maximum of 99 calls of MPI_Allreduce of 8 B on halo: 50 ms, median at most 5.8 µs."])
        self.assertEqual(call_distributions.sentences(many),
                         ["p99 of MPI_Allreduce of 8 B on halo: at most 5.8 µs, median at most 5.8 µs, maximum 50 ms."])
        self.assertTrue(told(few)[3].endswith(" 99 5.8 µs - 50 ms") and told(many)[3].endswith(" 100 5.8 µs 5.8 µs 50 ms"))

    def test_a_time_that_is_a_bound_is_rounded_up(self):
        self.assertEqual([call_distributions.time_text(value) for value in (53.817e-6, 41e-6, 1.0001, 0.0)], ["53.9 µs", "41 µs", "1.01 s", "0 s"])

    def test_a_longest_call_before_the_tool_came_is_not_told(self):
        kept = history([allreduce((26, 150), (80, 1))], [allreduce((20, 1), longest=2e-6)])
        self.assertIn("maximum at most 67.2 ms.", call_distributions.sentences(kept)[0].replace("\n", " "))
        self.assertIn("≤ 67.2 ms", told(kept)[3])
        kept = history([allreduce((26, 150), (121, 1))])
        self.assertEqual((call_distributions.sentences(kept), told(kept)[2][-1]), ([], "-"))

    def test_nothing_is_said_of_calls_without_a_tail(self):
        self.assertEqual(call_distributions.sentences(history([allreduce((26, 150), (27, 50), longest=6e-6)])), [])
        self.assertEqual(printed(history([])), [])

    def test_calls_that_are_not_told_apart_are_said(self):
        kept = history([allreduce((26, 150), longest=5e-6), calls("MPI_Bcast", (99, 1234), longest=2.0, others=True)])
        self.assertEqual(told(kept)[-1], "1,234 calls are not told apart by communicator and size.")
        self.assertFalse(any("MPI_Bcast" in line for line in told(kept)))

    def test_a_communicator_without_a_name_is_described(self):
        kept = history([allreduce((26, 99), (80, 1), longest=0.05, communicator="unnamed, 4 ranks")])
        self.assertTrue(call_distributions.sentences(kept)[0].startswith("p99 of MPI_Allreduce of 8 B on a communicator of 4 ranks: "))

    def test_what_is_no_distribution_is_refused(self):
        for wrong in ({"buckets": [[1]]}, {"buckets": [[-1, 1]]}, {"seconds": -1}, {"class": 66}, {"function": None}):
            with self.subTest(wrong), self.assertRaises(schema.Misfit):
                checked({"message": "distributions", "time": 1.0, **BUCKETS, "distributions": [{**allreduce((20, 3)), **wrong}]})

    def test_buckets_beyond_the_last_one_count_as_the_last_one(self):
        self.assertEqual([row.histogram.counts[-1] for row in call_distributions.rows(history([allreduce((900, 3))]))], [3])

