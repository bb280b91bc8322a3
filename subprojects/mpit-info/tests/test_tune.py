"""The parts of `mpit-info tune`: values, ways to set them, statistics over pseudo-random results, races and verdicts."""

import random
import sys
import unittest
import unittest.mock

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info.refusal import Refusal  # noqa: E402
from mpit_info.tune import advantage, evidence, metric, race, search, setting, sweep, trial, verdict  # noqa: E402

OPEN_MPI = {"version": [3, 1], "library": "Open MPI v4.1.4, package: x", "rank": 0, "processes": 2, "interface": "MPI_T"}
MPICH = {**OPEN_MPI, "library": "MPICH Version:\t4.0.2"}


class Sweeps(unittest.TestCase):
    def test_ranges_have_both_ends_and_suffixes_are_powers_of_1024(self):
        self.assertEqual(sweep.parse("N=1k..8k*2").values, ["1024", "2048", "4096", "8192"])
        self.assertEqual(sweep.parse("N=0..10+5").values, ["0", "5", "10"])
        self.assertEqual(sweep.parse("N=1..3").values, ["1", "2", "3"])
        self.assertEqual(sweep.parse("N=0.1..0.3+0.1").values, ["0.1", "0.2", "0.3"])

    def test_lists_can_have_words_and_ranges(self):
        self.assertEqual(sweep.parse("N=eager,4k,1..2,").values, ["eager", "4096", "1", "2", ""])

    def test_values_that_mean_nothing_are_refused(self):
        for text in ("N", "=1", "N=", "N=4..1", "N=0..8*2", "N=1..8*1", "N=1..8+0", "N=1..1M"):
            with self.assertRaises(Refusal, msg=text):
                sweep.parse(text)

    def test_a_variable_with_two_sweeps_is_refused(self):
        with self.assertRaisesRegex(Refusal, "N has two sweeps"):
            sweep.parse_all(["N=1,2", "N=3"])

    def test_a_grid_has_all_combinations_and_a_limit(self):
        self.assertEqual(len(sweep.grid(sweep.parse_all(["N=1..3", "M=a,b"]))), 6)
        with self.assertRaisesRegex(Refusal, "optimise"):
            sweep.grid(sweep.parse_all(["N=1..100", "M=1..100"]))

    def test_labels_are_short(self):
        self.assertEqual([sweep.short(value) for value in ("65536", "1000", "0", "-1", "1048576", "eager")],
                         ["64k", "1000", "0", "-1", "1M", "eager"])


class Settings(unittest.TestCase):
    def way(self, name, library, **facts):
        document = samples.document(control_variables=[samples.control(0, name, **{"origin": None, "default": None, **facts})])
        return setting.way_of(name, {**document, "mpi": library}, ["./program"])

    def test_mpich_takes_the_name_from_the_environment(self):
        way = self.way("MPIR_CVAR_X", MPICH)
        self.assertEqual(way.lines("64", {}), [("mpiexec", "-genv MPIR_CVAR_X 64"), ("shell", "export MPIR_CVAR_X=64")])

    def test_open_mpi_takes_a_prefix_from_the_environment(self):
        way = self.way("btl_vader_eager_limit", OPEN_MPI)
        self.assertEqual(way.variable, "OMPI_MCA_btl_vader_eager_limit")
        self.assertEqual(way.lines("64", {}), [("mpiexec", "--mca btl_vader_eager_limit 64"),
                                           ("shell", "export OMPI_MCA_btl_vader_eager_limit=64"),
                                           ("~/.openmpi/mca-params.conf", "btl_vader_eager_limit = 64")])

    def test_what_open_mpi_needs_to_use_a_variable_is_set_too(self):
        way = self.way("coll_tuned_allreduce_algorithm", OPEN_MPI)
        self.assertEqual(way.lines("ring", {}), [("mpiexec", "--mca coll_tuned_use_dynamic_rules 1"),
                                             ("shell", "export OMPI_MCA_coll_tuned_use_dynamic_rules=1"),
                                             ("~/.openmpi/mca-params.conf", "coll_tuned_use_dynamic_rules = 1"),
                                             ("mpiexec", "--mca coll_tuned_allreduce_algorithm ring"),
                                             ("shell", "export OMPI_MCA_coll_tuned_allreduce_algorithm=ring"),
                                             ("~/.openmpi/mca-params.conf", "coll_tuned_allreduce_algorithm = ring")])
        # In the runs with the present value too, which without it is not used either.
        self.assertEqual(setting.environment({way.name: way}, ()), {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"})
        self.assertEqual(self.way("coll_tuned_priority", OPEN_MPI).needed({}), [])

    def test_what_open_mpi_needs_is_left_to_a_sweep_of_its_own(self):
        for name in ("coll_tuned_use_dynamic_rules", "env:OMPI_MCA_coll_tuned_use_dynamic_rules"):
            ways = {each: self.way(each, OPEN_MPI) for each in ("coll_tuned_allreduce_algorithm", name)}
            self.assertEqual(setting.environment(ways, ()), {})
            self.assertEqual([words for each, value in (("coll_tuned_allreduce_algorithm", "3"), (name, "0"))
                              for place, words in ways[each].lines(value, ways) if place == "shell"],
                             ["export OMPI_MCA_coll_tuned_allreduce_algorithm=3", "export OMPI_MCA_coll_tuned_use_dynamic_rules=0"])

    def test_a_library_with_mpit_beside_open_mpi_takes_its_own_name(self):
        way = self.way("MYMPI_LIMIT", OPEN_MPI, origin="library")
        self.assertEqual(way.variable, "MYMPI_LIMIT")
        self.assertEqual(way.lines("64", {})[-1], ("a file that MPIT_CONFIGURATION names", "MYMPI_LIMIT = 64"))

    def test_an_origin_of_a_value_does_not_change_its_way(self):
        self.assertEqual(self.way("btl_vader_eager_limit", OPEN_MPI, origin="library").variable,
                         "OMPI_MCA_btl_vader_eager_limit")
        self.assertEqual(self.way("MPIR_CVAR_X", MPICH, origin="library").lines("64", {})[0], ("mpiexec", "-genv MPIR_CVAR_X 64"))

    def test_arguments_are_replaced(self):
        ways = {"N": setting.way_of("N", None, ["./program", "--threads={N}"])}
        candidate = (("N", "4"),)
        self.assertEqual(setting.command(ways, candidate, ["./program", "--threads={N}"]), ["./program", "--threads=4"])
        self.assertEqual(setting.environment(ways, candidate), {})

    def test_values_are_compared_as_numbers(self):
        self.assertTrue(setting.is_same("1024", "1024.0"))
        self.assertFalse(setting.is_same("1024", "65536"))
        self.assertTrue(setting.is_same("eager", "eager"))

    def test_the_number_of_an_item_is_its_name(self):
        self.assertEqual([setting.item(samples.document(), name, value) for name, value in
                          (("MYMPI_PROTOCOL", "2"), ("MYMPI_PROTOCOL", "7"), ("MYMPI_PROTOCOL", "eager"), ("MYMPI_EAGER_LIMIT", "1"),
                           ("nosuch", "1"))], ["rendezvous", "7", "eager", "1", "1"])


class Metrics(unittest.TestCase):
    def of(self, text, output, over=None):
        return metric.parse(text, over).of(trial.Outcome(2.5, output))

    def test_a_pattern_takes_the_last_number_or_another_one(self):
        output = "8 bytes: 1.5 us\n16 bytes: 2.5 us\n"
        self.assertEqual(self.of("([0-9.]+) us", output), 2.5)
        self.assertEqual(self.of("([0-9.]+) us", output, "sum"), 4)

    def test_a_pattern_without_a_number_shows_the_output(self):
        with self.assertRaisesRegex(Refusal, "its last line is: all is well"):
            self.of("([0-9.]+) us", "all is well\n")

    def test_a_pattern_needs_one_group(self):
        for text in ("(a)(b)", "(?:a)", "(", "(a"):
            with self.assertRaises(Refusal, msg=text):
                metric.parse(text)

    def test_a_pattern_that_tries_all_ways_to_divide_a_text_is_refused_after_its_time(self):
        with unittest.mock.patch.object(metric, "MOST_SECONDS", 0.05):
            with self.assertRaisesRegex(Refusal, r"^the search for --metric \(\(\?:a\+\)\+\)b .* takes more than 0.05 s"):
                self.of("((?:a+)+)b", "a" * 60)
        self.assertEqual(self.of("([0-9.]+) us", "2.5 us"), 2.5)


class Evidence(unittest.TestCase):
    def test_pairs_that_all_agree_have_the_least_p(self):
        self.assertEqual(evidence.pairs_p([(20 + place, place) for place in range(10)]), 1 / 1024)

    def test_the_test_of_pairs_is_exact(self):
        # Of the 8 orders of three pairs, those that are at least as high as 6 > 1, 5 > 2, 3 < 4: these and all agreeing.
        self.assertEqual(evidence.pairs_p([(6, 1), (5, 2), (3, 4)]), 2 / 8)

    def test_equal_pairs_are_no_evidence(self):
        self.assertEqual(evidence.pairs_p([(1, 1)] * 10), 1.0)

    def test_a_disturbed_run_does_not_hide_a_difference(self):
        pairs = [(10 + place / 100, 8 + place / 100) for place in range(9)]
        self.assertLess(evidence.pairs_p([*pairs, (10.5, 900)]), 0.01)

    def test_the_test_of_pairs_is_right_about_chance(self):
        chance = random.Random(7)
        p = [evidence.pairs_p([(chance.random(), chance.random()) for _ in range(10)]) for _ in range(1000)]
        self.assertLess(sum(each <= 0.05 for each in p), 70)
        self.assertGreater(sum(each <= 0.05 for each in p), 20)

    def test_the_test_of_rounds_is_right_about_chance(self):
        chance = random.Random(7)
        p = [evidence.blocks_p([{name: chance.random() for name in "abcde"} for _ in range(4)], draws=400)
             for _ in range(300)]
        self.assertLess(sum(each <= 0.1 for each in p), 45)
        self.assertGreater(sum(each <= 0.1 for each in p), 15)

    def test_the_test_of_rounds_takes_a_change_of_the_machine_out(self):
        rounds = [{"a": load, "b": load + 1, "c": load + 2} for load in (0, 100, 50, 20, 70)]
        self.assertLess(evidence.blocks_p(rounds), 0.01)

    def test_a_value_may_be_missing_in_later_rounds(self):
        rounds = [{"a": 1, "b": 2, "c": 9}] * 3 + [{"a": 1, "b": 2}] * 4
        self.assertLess(evidence.blocks_p(rounds), 0.01)

    def test_an_interval_has_the_median_inside(self):
        low, high = evidence.interval([1.0, 2.0, 3.0, 4.0, 100.0])
        self.assertTrue(1 <= low < 3 < high <= 100)
        self.assertIsNone(evidence.interval([1.0]))

    def test_equal_values_share_ranks(self):
        self.assertEqual(evidence.ranks([3, 1, 3, 2]), [3.5, 1, 3.5, 2])


class Machine:
    """A machine whose results are a function of the candidate, pseudo-random noise, disturbed runs and a slow drift."""

    def __init__(self, cost, seed, noise=0.05, is_calm=False):
        self.cost, self.chance, self.noise, self.runs = cost, random.Random(f"machine {seed}"), noise, 0
        self.disturbed = 0 if is_calm else 0.1

    def measure(self, candidate):
        self.runs += 1
        disturbed = 1 + self.chance.expovariate(1) if self.chance.random() < self.disturbed else 1
        drift, noise = 1 + 0.1 * (self.runs // 20 % 3), 1 + self.chance.random() * self.noise
        return self.cost(candidate) * drift * noise * disturbed, 1.0


def tuned(machine, values=6, seed=1, is_highest_best=False):
    """A race and a verdict about that many values and the present one."""
    scale = advantage.Scale(is_highest_best)
    candidates = [(), *((("N", str(value)),) for value in range(values))]
    raced = race.Race(candidates, machine.measure, scale, 5, seed, ()).run()
    chosen, p = verdict.has_reason(raced, (), 0.01)

    def duel(one, other):
        made = verdict.Duel(one, other, machine.measure, scale, seed).run(10)
        return made.run(10) if made.is_open() else made

    return verdict.judge(search.Finding([raced], chosen, p), (), 0.01, duel), raced


def value_of(candidate):
    return candidate[0][1] if candidate else None


class Verdicts(unittest.TestCase):
    def test_a_variable_that_does_nothing_never_wins(self):
        kinds = [tuned(Machine(lambda _: 1.0, seed), seed=seed)[0].kind for seed in range(30)]
        self.assertEqual(kinds, [verdict.NO_DIFFERENCE] * 30)

    def test_more_values_raise_no_more_false_alarms(self):
        kinds = [tuned(Machine(lambda _: 1.0, seed), values=20, seed=seed)[0].kind for seed in range(10)]
        self.assertEqual(kinds, [verdict.NO_DIFFERENCE] * 10)

    def test_a_value_that_is_a_fifth_better_wins(self):
        found = [tuned(Machine(lambda candidate: 0.8 if value_of(candidate) == "3" else 1.0, seed, noise=0.02), seed=seed)[0]
                 for seed in range(12)]
        self.assertGreaterEqual(sum(told.kind == verdict.BETTER and value_of(told.winner) == "3" for told in found), 11)

    def test_the_size_of_a_change_is_that_of_the_new_runs(self):
        told, _ = tuned(Machine(lambda candidate: 0.8 if value_of(candidate) == "3" else 1.0, 3, is_calm=True))
        self.assertAlmostEqual(told.duel.share, -0.2, delta=0.06)
        self.assertTrue(told.duel.interval.low <= told.duel.share <= told.duel.interval.high)

    def test_a_present_value_that_is_best_stays(self):
        for values in (1, 2, 6):
            told, _ = tuned(Machine(lambda candidate: 1.2 ** int(value_of(candidate) or -1), 1, is_calm=True), values=values)
            self.assertEqual((told.kind, told.winner, value_of(told.duel.other)), (verdict.PRESENT_IS_BEST, (), "0"))
            self.assertAlmostEqual(told.duel.share, 1 / 1.2 - 1, delta=0.03)

    def test_a_present_value_that_is_better_than_some_only_is_not_the_best(self):
        told, raced = tuned(Machine(lambda candidate: 5.0 if value_of(candidate) == "1" else 1.0, 1, is_calm=True), values=2)
        self.assertEqual([value_of(each) for each in raced.stopped], ["1"])
        self.assertEqual((told.kind, told.winner), (verdict.NO_DIFFERENCE, ()))

    def test_new_runs_that_nearly_confirm_a_value_decide_nothing(self):
        better = (("N", "3"),)
        results = {better: [0.8] * 9 + [1.1], (): [1.0] * 10}
        duel = verdict.Duel(better, (), lambda candidate: (results[candidate].pop(0), 1.0), advantage.Scale(False), 1).run(10)
        self.assertTrue(verdict.LEVEL <= duel.p < verdict.NEARLY, duel.p)
        finding = search.Finding([], better, 0.5)
        told = verdict.judge(finding, (), 0.01, lambda one, other: duel)
        self.assertEqual((told.kind, told.winner), (verdict.NOT_DECIDED, ()))
        told = verdict.judge(finding, (), 0.3, lambda one, other: duel)
        self.assertEqual((told.kind, told.winner), (verdict.NO_DIFFERENCE, ()), "a fifth does not matter to whom a third does")

    def test_a_change_too_small_to_matter_does_not_win(self):
        told, _ = tuned(Machine(lambda candidate: 0.995 if value_of(candidate) == "3" else 1.0, 1, noise=0.0001))
        self.assertNotEqual(told.kind, verdict.BETTER)

    def test_a_new_run_that_fails_wins_nothing(self):
        machine = Machine(lambda candidate: 0.5 if value_of(candidate) == "3" else 1.0, 1)

        def measure(candidate):
            if value_of(candidate) == "3":
                raise trial.Failure("ended with status 3")
            return machine.measure(candidate)

        duel = verdict.Duel((("N", "3"),), (), measure, advantage.Scale(False), 1).run(10)
        self.assertFalse(duel.is_won(0.01))
        self.assertEqual(duel.problem, "ended with status 3")


class Races(unittest.TestCase):
    def test_each_round_has_all_values_in_a_random_order(self):
        orders = []

        def measure(candidate):
            orders.append(value_of(candidate))
            return 1.0 + len(orders) % 3, 1.0

        race.Race([(("N", str(value)),) for value in range(5)], measure, advantage.Scale(False), 4, 1).run()
        rounds = [orders[first:first + 5] for first in range(0, 20, 5)]
        self.assertTrue(all(sorted(each) == list("01234") for each in rounds))
        self.assertGreater(len({tuple(each) for each in rounds}), 1)

    def test_a_value_that_is_clearly_worse_is_stopped_early(self):
        costs = {"0": 1.0, "1": 1.02, "2": 1.3, "3": 5.0}
        machine = Machine(lambda candidate: costs[value_of(candidate)], 1, noise=0.03, is_calm=True)
        raced = race.Race([(("N", name),) for name in costs], machine.measure, advantage.Scale(False), 6, 1).run()
        self.assertEqual({value_of(each): len(raced.results(each)) for each in raced.candidates}["3"], 2)
        self.assertEqual([value_of(each) for each in raced.stopped][0], "3")
        self.assertEqual(len(raced.results((("N", "0"),))), 6)
        self.assertEqual(len(raced.results((("N", "1"),))), 6)

    def test_the_present_value_runs_in_all_rounds(self):
        machine = Machine(lambda candidate: 9.0 if candidate == () else 1.0, 1)
        _, raced = tuned(machine)
        self.assertEqual(len(raced.results(())), 5)

    def test_results_that_are_not_above_zero_are_compared_by_differences(self):
        scale = advantage.Scale(False).of([-1.0, 2.0])
        self.assertEqual(scale.contrast(-1.0, 2.0), 3.0)
        self.assertEqual(scale.share(3.0), -3.0)
        self.assertAlmostEqual(advantage.Scale(False).share(advantage.Scale(False).contrast(1.0, 2.0)), -0.5)
        self.assertAlmostEqual(advantage.Scale(True).share(advantage.Scale(True).contrast(2.0, 1.0)), 1.0)
