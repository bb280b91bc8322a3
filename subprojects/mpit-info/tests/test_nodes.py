"""Summaries of many ranks: distributions that merge, intervals of several links, places in a tree, and sentences over them."""

import itertools
import json
import random
import socket
import sys
import unittest
import unittest.mock

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import first_page, headline, messages  # noqa: E402
from mpit_info.history import Column  # noqa: E402
from mpit_info.nodes import buckets  # noqa: E402
from mpit_info.nodes.distribution import Distribution  # noqa: E402
from mpit_info.nodes.history import NodesHistory  # noqa: E402
from mpit_info.nodes.links import Links  # noqa: E402
from mpit_info.nodes.merger import PATIENCE, Merger  # noqa: E402
from mpit_info.nodes import settings  # noqa: E402
from mpit_info.nodes.ranks import Ranks  # noqa: E402
from mpit_info.nodes.root import Root  # noqa: E402
from mpit_info.nodes.summaries import Columns, Measured, Summary  # noqa: E402
from mpit_info.nodes.tree import Tree  # noqa: E402

WORST = 5
KINDS = [lambda chance: chance.uniform(-1e6, 1e6), lambda chance: chance.randrange(-3, 4), lambda chance: 10 ** chance.uniform(-99, 99),
         lambda chance: chance.randrange(1 << 64), lambda chance: chance.choice([0, 0.1, -0.1, 2.0, 4096]), lambda chance: 1e16 * chance.random()]


def values_of(seed, count=300):
    """Values of ranks, of different kinds."""
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    return [(rank, kind(chance)) for rank in range(count)]


def facts(of):
    """What travels, in an order that does not depend on how it came together."""
    return json.dumps({**of.told(), "sum": of.told()["sum"]}, sort_keys=True)


def tree_of(parts, chance):
    """The distributions merged in some order, in some tree."""
    parts = list(parts)
    chance.shuffle(parts)
    while len(parts) > 1:
        group = [parts.pop(chance.randrange(len(parts))) for _ in range(min(chance.randrange(2, 5), len(parts)))]
        parts.append(Distribution.merged(group, WORST))
    return parts[0]


class Distributions(unittest.TestCase):
    def test_every_tree_over_the_same_ranks_has_the_same_result(self):
        for seed in range(30):
            chance, values = random.Random(seed), values_of(seed)
            cuts = sorted(chance.sample(range(1, len(values)), 20))
            parts = [Distribution.of(values[first:last], WORST) for first, last in itertools.pairwise([0, *cuts, len(values)])]
            expected = facts(Distribution.of(values, WORST))
            for _ in range(3):
                self.assertEqual(facts(tree_of(parts, chance)), expected)

    def test_count_sum_and_extremes_are_exact(self):
        from fractions import Fraction
        for seed in range(12):
            values = values_of(seed)
            merged = Distribution.merged([Distribution.of(values[start::7], WORST) for start in range(7)], WORST)
            total = sum(Fraction(value) for _, value in values)
            self.assertEqual(sum(map(Fraction, merged.told()["sum"])), total)
            self.assertEqual((merged.count, merged.minimum, merged.maximum),
                             (len(values), min(value for _, value in values), max(value for _, value in values)))
            self.assertEqual(merged.sum, total if isinstance(merged.sum, int) else float(total))

    def test_the_worst_ranks_are_those_of_all(self):
        values = values_of(1)
        merged = Distribution.merged([Distribution.of(values[start::9], WORST) for start in range(9)], WORST)
        self.assertEqual(merged.lowest, sorted((value, rank) for rank, value in values)[:WORST])
        self.assertEqual(merged.highest, sorted(((value, rank) for rank, value in values), key=lambda pair: (-pair[0], pair[1]))[:WORST])

    def test_quantiles_are_within_the_stated_error(self):
        for seed in range(18):
            values = sorted(value for _, value in values_of(seed))
            of = Distribution.of(list(enumerate(values)), WORST)
            for share in (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99):
                exact = values[max(-(-int(share * 100) * len(values) // 100), 1) - 1]
                self.assertLessEqual(abs(of.quantile(share) - exact), buckets.ERROR * abs(exact) * (1 + 1e-9), (seed, share))

    def test_a_bucket_has_its_upper_bound_and_not_its_lower_one(self):
        for power in (-30, -1, 0, 1, 40):
            self.assertEqual([buckets.of(value * 2.0 ** power) for value in (1, 1 + 1e-12, 2)],
                             [32 * power, 32 * power + 1, 32 * power + 32])

    def test_what_travels_conforms_and_comes_back(self):
        for seed in range(12):
            of = Distribution.of(values_of(seed), WORST)
            column = Column("name", "level", None, None, 0)
            columns = Columns()
            told = json.loads(json.dumps(Summary(7, 1, of.count, began=1.5, since=1.75, until=2.5, cost=0.1, values={
                column: Measured("double", of, None)}).told(columns)))
            self.assertEqual(messages.checked(told), told)
            self.assertEqual(Summary.from_told(told, columns).told(columns), told)
            self.assertEqual([told[name] for name in ("began", "since", "until", "cost")], [1.5, 1.75, 2.5, 0.1])

    def test_a_distribution_that_contradicts_itself_is_refused(self):
        told = Distribution.of([(0, 3), (1, 4)], WORST).told()
        for wrong in ({"count": 3}, {"positive": [1]}, {"positive": [10 ** 6, 2]}, {"sum": [1.5]}):
            with self.assertRaises(ValueError, msg=str(wrong)):
                Distribution.from_told({**told, **wrong})


class Mergers(unittest.TestCase):
    def merged(self, merger, now):
        """The intervals that are complete, with their ranks."""
        return [(summary.interval, summary.ranks) for summary in merger.complete(now)]

    def test_an_interval_waits_for_all_links(self):
        merger = Merger(WORST)
        for link in "ab":
            merger.add(link, Summary(1, ranks=4))
        self.assertEqual(self.merged(merger, 2), [(1, 8)])
        merger.add("a", Summary(2, ranks=4))
        self.assertEqual(self.merged(merger, 3), [])
        merger.add("b", Summary(2, ranks=4))
        self.assertEqual(self.merged(merger, 3), [(2, 8)])

    def test_a_late_link_does_not_hold_up_the_others(self):
        merger = Merger(WORST)
        for link in "ab":
            merger.add(link, Summary(1, ranks=4))
        self.assertEqual(self.merged(merger, 2), [(1, 8)])
        for number in range(2, 6):
            merger.add("a", Summary(number, ranks=4))
        # Its last summary counts for as long as it may be late.
        self.assertEqual(self.merged(merger, 6), [(2, 8), (3, 8)])
        self.assertEqual(self.merged(merger, 6 + PATIENCE), [(4, 4), (5, 4)])

    def test_a_lost_link_counts_no_more_and_one_that_has_ended_does(self):
        merger = Merger(WORST)
        for link in "abc":
            merger.add(link, Summary(1, ranks=4))
        self.assertEqual(self.merged(merger, 2), [(1, 12)])
        merger.lose("a")
        merger.end("b")
        merger.add("c", Summary(2, ranks=4))
        self.assertEqual(self.merged(merger, 3), [(2, 8)])

    def test_a_new_link_counts_from_its_first_interval(self):
        merger = Merger(WORST)
        merger.add("a", Summary(1, ranks=4))
        self.assertEqual(self.merged(merger, 2), [(1, 4)])
        merger.add("late", Summary(2, ranks=1))
        merger.add("a", Summary(2, ranks=4))
        self.assertEqual(self.merged(merger, 3), [(2, 5)])

    def test_the_last_interval_of_a_link_that_ends_is_not_lost(self):
        merger = Merger(WORST)
        merger.add("a", Summary(1, ranks=4))
        merger.end("a")
        self.assertEqual(self.merged(merger, 1), [(1, 4)])

    def test_a_summary_that_comes_after_its_interval_counts_for_the_next_one(self):
        merger = Merger(WORST)
        merger.add("a", Summary(1, ranks=4))
        self.assertEqual(self.merged(merger, 2), [(1, 4)])
        merger.add("b", Summary(1, ranks=4))
        merger.end("b")
        merger.end("a")
        self.assertEqual(self.merged(merger, 2), [(2, 8)])


class Ends(unittest.TestCase):
    def test_a_collector_that_comes_after_the_end_of_the_program_hears_of_it(self):
        links = Links(Merger(WORST), lambda message: None, lambda: 0)
        for name in ("early", "late"):
            above, below = socket.socketpair()
            self.addCleanup(above.close)
            self.addCleanup(below.close)
            below.setblocking(False)
            links.accept(unittest.mock.Mock(source=above), {"message": "node", "node": name})
            if name == "early":
                self.assertRaises(BlockingIOError, below.recv, 100)
                links.say({"message": "over"})
            self.assertEqual(below.recv(100), b'{"message": "over"}\n')


class OfANode(unittest.TestCase):
    """The ranks of one node."""

    def test_values_of_a_closed_library_stay_and_others_keep_their_places(self):
        sent, queue = ({"name": name, "class": class_, "element": None, "object": None} for name, class_ in (("sent", "counter"), ("queue", "level")))
        ranks = Ranks(WORST)
        ranks.accept(0, {"message": "hello", "rank": 0, "began": 1000.0})
        for time, columns, values in ((1, [sent, queue], [7, 3]), (2, [queue], [4])):
            ranks.accept(0, {"message": "columns", "columns": columns})
            between = ranks.summary(time)
            ranks.accept(0, {"message": "sample", "time": time, "values": values})
        self.assertEqual({column.name: measured.value.mean for column, measured in between.values.items()}, {"sent": 7})
        self.assertEqual({column.name: measured.value.mean for column, measured in ranks.summary(3).values.items()}, {"queue": 4, "sent": 7})


class Trees(unittest.TestCase):
    def tree(self, count, fan_in=3):
        """A tree in which so many nodes have joined."""
        self.now = 0.0
        tree = Tree(fan_in, lambda: self.now)
        for number in range(count):
            tree.join(f"n{number:03}", f"at {number}")
            tree.update({"node": f"n{number:03}", "ranks": 10, "processes": 10 * count})
        return tree

    def test_the_tree_is_as_low_as_its_fan_in_allows(self):
        self.assertEqual([self.tree(count).depth() for count in (1, 3, 4, 12, 13, 39, 40)], [1, 1, 2, 2, 3, 3, 4])

    def test_no_node_has_more_links_than_the_fan_in(self):
        tree = self.tree(50)
        self.assertLessEqual(max(len(node.children) for node in tree.nodes.values()), 3)

    def test_a_lost_node_is_named_with_its_ranks_and_those_below_it_join_again(self):
        tree = self.tree(7)
        below = sorted(tree.nodes["n000"].children)
        self.assertEqual(len(below), 3)
        tree.lose("n000")
        self.assertEqual(tree.lost(), [["n000", 10]])
        for name in below:
            tree.join(name, "there")
        self.now = 60.0
        tree.expire()
        self.assertEqual(tree.lost(), [["n000", 10]])

    def test_a_node_below_a_lost_one_that_does_not_join_again_is_lost(self):
        tree = self.tree(4)
        tree.lose("n000")
        self.now = 60.0
        tree.expire()
        self.assertEqual(sorted(name for name, _ in tree.lost()), ["n000", "n003"])

    def test_a_node_never_gets_a_parent_below_itself(self):
        tree = self.tree(13)
        for name in list(tree.nodes):
            tree.join(name, "again")
            above, steps = tree.nodes[name].parent, 0
            while above is not None:
                above, steps = above.parent, steps + 1
                self.assertLess(steps, 13)

    def test_the_root_takes_a_node_that_cannot_reach_its_parent(self):
        tree = self.tree(4)
        self.assertIsNone(tree.join("n003", "here", refused="at 0"))

    def test_a_node_that_comes_back_is_not_missing(self):
        tree = self.tree(3)
        tree.lose("n001")
        tree.join("n001", "again")
        self.assertEqual(tree.lost(), [])


class Roots(unittest.TestCase):
    def link(self, root, name):
        """The connection of a node with two ranks that has joined below the root."""
        connection = unittest.mock.Mock()
        connection.source.send = len
        root.take(connection, {"message": "node", "node": name, "address": f"at {name}", "joins": True})
        root.take(connection, {"message": "node", "node": name, "ranks": 2, "processes": 4})
        return connection

    def test_a_node_that_is_silent_when_the_program_has_ended_is_named(self):
        root, kept = Root(settings.Settings(**settings.DEFAULTS), 4), NodesHistory(1.0)
        root.begin(unittest.mock.Mock())
        ended, _ = self.link(root, "n000"), self.link(root, "n001")
        for message in root.told():
            kept.accept(0, message)
        root.end()
        root.take(ended, {"message": "node", "node": "n000", "ranks": 2, "processes": 4, "has_ended": True})
        root.take(ended, {"message": "end", "time": 0})
        for message in root.told():
            kept.accept(0, message)
        self.assertEqual(kept.missing_sentences(), [])
        for message in root.told(is_over=True):
            self.assertEqual(messages.checked(message), message)
            kept.accept(0, message)
        self.assertEqual(kept.missing_sentences(), [
            "Node n001 has not sent the last values of 2 ranks: what its collector had to send when the program ended is missing."])


def history_over(*rows, worst=WORST, **further):
    """A run in which the time in MPI of each rank has grown to the values of a row, a second each; further times are those at the end."""
    kept, columns = NodesHistory(1.0), Columns()
    kept.accept(0, {"message": "nodes", "nodes": 1, "ranks": len(rows[0]), "processes": len(rows[0]), "missing": []})
    for second, row in enumerate(rows):
        told = Summary(second, 1, len(row), began=0.0, until=second + 1.0, values={
            Column(name, "timer", None, None, 0): Measured("double", Distribution.of(list(enumerate(values)), worst), None)
            for name, values in {"mpi_time": row, **further}.items()}).told(columns)
        kept.accept(0, {"message": "columns", "columns": columns.told()})
        kept.accept(0, told)
    return kept


def growing(*last, seconds=10):
    """Rows that grow evenly to these values."""
    return [[value * (second + 1) / seconds for value in last] for second in range(seconds)]


class Sentences(unittest.TestCase):
    def test_the_rank_that_is_outside_of_mpi_longest_is_late(self):
        self.assertEqual(headline.sentences(history_over(*growing(5.0, 5.0, 5.0, 0.8))), [
            "Rank 3 is late: outside of MPI for 9.2 s, the others for 5 s.",
            "Parallel efficiency 60 % (fair): load balance 66 %, communication efficiency 92 %."])

    def test_a_rank_among_thousands_is_named(self):
        values = [5.0 + 0.001 * (rank % 7) for rank in range(4000)]
        values[1234] = 0.5
        self.assertIn("Rank 1234 is late", headline.sentences(history_over(*growing(*values)))[0])

    def test_more_ranks_than_travel_are_counted(self):
        values = [0.5 if rank % 10 == 0 else 5.0 for rank in range(1000)]
        self.assertIn("100 ranks are late: outside of MPI for 9.51 s, the others for 5 s", headline.sentences(history_over(*growing(*values)))[0])

    def test_one_rank_is_early_if_all_others_are_late(self):
        values = [0.8 + 0.01 * (rank % 3) for rank in range(99)]
        self.assertIn("Rank 99 is early: outside of MPI for 5 s, the others for 9.19 s.", headline.sentences(history_over(*growing(*values, 5.0))))

    def test_a_difference_at_the_end_is_said_to_be_there(self):
        rows = [[1.0, 1.0, 1.0, 1.0]] * 9 + [[3.0, 3.0, 3.0, 1.0]]
        self.assertEqual(headline.sentences(history_over(*rows))[0], "Rank 3 is late at the end: outside of MPI for 9 s, the others for 7 s.")

    def test_ranks_without_a_difference_are_said_to_have_none(self):
        self.assertEqual(headline.sentences(history_over(*growing(*[5.0] * 99, 4.9)))[0],
                         "No rank is late: each one is outside of MPI for 5 to 5.1 s.")

    def test_a_rank_without_a_processor_is_not_late(self):
        values, told = growing(*[5.0] * 99, 0.8), []
        for waits in ([0.0] * 99 + [4.0], [4.0] * 4 + [0.0] * 96):
            told.append(headline.sentences(history_over(*values, processor_wait=waits))[0])
        self.assertEqual(told, ["50 % of the time is in MPI.", "Rank 99 is late: outside of MPI for 9.2 s, the others for 5 s."])

    def test_the_table_of_the_ranks_has_the_worst_ones_and_the_mean_of_the_others(self):
        found = first_page.ranks(history_over(*growing(*[5.0] * 99, 0.8)))
        self.assertEqual([found[-2].title, found[-1].title], ["rank 99", "94 others"])
        self.assertEqual((len(found), round(found[-2].most, 6), round(found[-1].most, 6)), (7, 9.2, 5))

    def test_a_lost_node_is_named_with_its_ranks(self):
        kept = history_over(*growing(5.0, 5.0, 5.0, 0.8))
        kept.accept(0, {"message": "nodes", "nodes": 2, "ranks": 68, "processes": 68, "missing": [["n17", 64]]})
        self.assertEqual(headline.sentences(kept)[1], "Node n17 was lost, with 64 ranks.")
        self.assertEqual(kept.those_there(), "4 ranks of 68 on 1 node")


if __name__ == "__main__":
    unittest.main()
