"""The tables of regions, over messages of processes."""

import io
import sys
import unittest

from rich.console import Console

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import live, regions, schema, summary  # noqa: E402
from mpit_info.history import History  # noqa: E402
from mpit_info.messages import checked  # noqa: E402


def region(number, name, above, visits, seconds, **values):
    return {"number": number, "name": name, "above": above, "visits": visits, "seconds": seconds, "values": values}


def history(*ranks):
    """A run whose ranks have told these lists of regions."""
    kept = History()
    for rank, told in enumerate(ranks):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(ranks), "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [{"name": "queue", "class": "level"}, {"name": "messages", "class": "counter"}]})
        kept.accept(rank, {"message": "sample", "time": 0.0, "values": [0, 0], "region": 0})
        kept.accept(rank, {"message": "sample", "time": 1.0, "values": [4, 0], "region": 2})
        kept.accept(rank, {"message": "sample", "time": 2.0, "values": [6, 8], "region": 2})
        kept.accept(rank, checked({"message": "regions", "time": 2.0, "regions": told}))
    return kept


def one(slow=0.0):
    return [region(0, "", None, 0, 0.5), region(1, "solve", 0, 2, 2.0 + slow, messages=3, send_bytes=10),
            region(2, "halo", 1, 4, 0.5, messages=5, send_bytes=20, MPI_Recv_time=0.25, receive_waited=0.125)]


def seen(part, width=200):
    """The lines of something that rich prints."""
    console = Console(width=width, file=io.StringIO())
    console.print(part)
    return console.file.getvalue().splitlines()


def printed(kept, width=200):
    return [line.split() for line in seen(summary.by_region(kept, list(kept.columns), width), width)]


class Tables(unittest.TestCase):
    def test_a_region_has_the_values_of_those_in_it(self):
        solve, halo, outside = regions.rows(history(one()))
        self.assertEqual((solve.path, solve.seconds.mean, solve.own, solve.visits), (("solve",), 2.5, 2.0, 2))
        self.assertEqual((solve.values["messages"], solve.values["send_bytes"]), (8, 30))
        self.assertEqual((halo.values["messages"], halo.in_mpi, halo.waited), (5, 0.25, 0.125))
        self.assertEqual((outside.path, outside.seconds.mean), ((), 0.5))

    def test_a_level_has_its_mean_over_the_samples_in_the_region(self):
        solve, halo, outside = regions.rows(history(one()))
        self.assertEqual((halo.values["queue"], outside.values["queue"]), (5.0, 0.0))
        self.assertNotIn("queue", solve.values)

    def test_shares_are_of_the_whole_run(self):
        shares = [[line[0], line[line.index("%") - 1]] for line in printed(history(one()))[2:4]]
        self.assertEqual(shares, [["solve", "83"], ["halo", "17"]])

    def test_times_and_bytes_have_units(self):
        titles, _, solve, *_ = (" ".join(line) for line in printed(history(one())))
        self.assertIn("Visits Time Share Own", titles)
        self.assertRegex(solve, r" \d+(\.\d+)? s .* \d+ B\b")

    def test_the_rank_that_computes_longest_is_named(self):
        title, _, solve, *_ = printed(history(one(), one(slow=3.0), one()))
        self.assertIn("Longest", title)
        self.assertEqual(solve[solve.index("rank") + 1], "1")

    def test_a_sentence_names_the_region_in_which_a_rank_computes_longer(self):
        kept = history(one(), one(slow=3.0), one())
        self.assertEqual(regions.sentences(kept), ["In region solve: rank 1 computes longer (5 s, the others 2 s)."])
        self.assertEqual(regions.sentences(history(one(), one())), [])

    def test_time_in_mpi_is_no_computing(self):
        waiting = [region(0, "", None, 0, 0.5), region(1, "halo", 0, 1, 4.0, MPI_Recv_time=3.5)]
        computing = [region(0, "", None, 0, 0.5), region(1, "halo", 0, 1, 4.0, MPI_Recv_time=0.5)]
        self.assertEqual(regions.sentences(history(waiting, computing)), ["In region halo: rank 1 computes longer (3.5 s, the others 0.5 s)."])

    def test_other_variables_have_columns_as_long_as_there_is_room(self):
        self.assertEqual(printed(history(one()))[0][-1], "messages")
        self.assertNotIn("messages", printed(history(one()), 70)[0])

    def test_of_many_regions_those_with_most_time_are_shown_in_their_order(self):
        many = history([region(0, "", None, 0, 0.0), *(region(number, f"r{number}", 0, 1, number % 50 + 0.5) for number in range(1, 100))])
        names = [line[0] for line in printed(many)[2:]]
        self.assertEqual(names, [f"r{number}" for number in range(1, 100) if number % 50 >= 30])
        self.assertEqual(regions.left_out(regions.rows(many), 40), "60 regions with less time were left out.")

    def test_the_live_view_has_the_regions_in_a_third_of_its_height(self):
        kept = history([region(0, "", None, 0, 0.5), *(region(number, f"r{number}", 0, 1, 1.0) for number in range(1, 100))])
        for height, expected in ((30, 7), (15, 0)):
            with self.subTest(height):
                lines = seen(live.view(kept, list(kept.columns), 120, height))
                self.assertEqual(sum(line.split()[0].startswith("r") for line in lines if line.split()), expected)
                self.assertLessEqual(len(lines), height)

    def test_a_later_message_has_only_what_has_changed(self):
        kept = history(one())
        kept.accept(0, checked({"message": "regions", "time": 3.0, "regions": [region(2, "halo", 1, 5, 1.5)]}))
        solve, halo, _ = regions.rows(kept)
        self.assertEqual((solve.seconds.mean, halo.seconds.mean, halo.visits), (3.5, 1.5, 5))

    def test_a_region_below_none_or_itself_is_left_out(self):
        kept = history([region(0, "", None, 0, 0.5), region(1, "lost", 7, 1, 1.0), region(2, "circle", 2, 1, 1.0), region(3, "good", 0, 1, 1.0)])
        self.assertEqual([row.path for row in regions.rows(kept)], [("good",), ()])

    def test_a_region_that_is_no_region_is_refused(self):
        for wrong in ({"number": -1}, {"seconds": "long"}, {"above": 1.5}, {"visits": None}):
            with self.subTest(wrong), self.assertRaises(schema.Misfit):
                checked({"message": "regions", "time": 1.0, "regions": [{**region(1, "solve", 0, 1, 1.0), **wrong}]})

    def test_a_program_that_names_no_region_has_no_table(self):
        self.assertEqual(regions.rows(history([region(0, "", None, 0, 5.0)])), [])
