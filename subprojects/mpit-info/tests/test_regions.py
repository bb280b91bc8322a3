"""Values by region, in programs that name their regions and call each function a known number of times, with both MPIs."""

import functools
import subprocess
import unittest

import built
from built import mpis, ranks, sample

DOUBLE = 8


def regions_in(messages):
    found, rank_of = {}, {}
    for message in messages:
        if message["message"] == "hello":
            rank_of[message["process"]] = message["rank"]
        elif message["message"] == "regions":
            known = found.setdefault(rank_of[message["process"]], {})
            known.update({each["number"]: {**each, "told": message["time"]} for each in message["regions"]})

    def path(known, number):
        each = known[number]
        return () if each["above"] is None else (*path(known, each["above"]), each["name"])

    return {rank: {path(known, number): each for number, each in known.items()} for rank, known in found.items()}


@functools.lru_cache
def watched(*words):
    """The regions of each rank, and the printed text. A program is run once."""
    messages, finished = built.recorded("--regions", "--", *words)
    return regions_in(messages), finished.stdout


def table(text):
    """The lines of the printed table of regions, from its titles on."""
    return [line for line in text[text.index("Region "):].splitlines() if line]


class Pcontrol(unittest.TestCase):
    def test_regions_nest_and_count_their_visits(self):
        for mpi in mpis():
            with self.subTest(mpi):
                told = watched(sample(f"regions-{mpi}"))[0][0]
                self.assertEqual({path: each["visits"] for path, each in told.items()}, {
                    (): 0, ("all",): 1, ("all", "solve"): 3, ("all", "solve", "halo"): 3, ("all", "output 0"): 2,
                    ("all", "output 1"): 1, ("all", "region 10"): 1, ("all", "region 11"): 1, ("all", "region 12"): 1,
                    ("all", "never left"): 1, ("all", "never left", "inner"): 1, ("end",): 1})

    def test_calls_and_bytes_of_each_region_are_exact(self):
        for mpi in mpis():
            with self.subTest(mpi):
                told = watched(sample(f"regions-{mpi}"))[0][0]
                counted = {path: {name: value for name, value in each["values"].items() if name.endswith(("_calls", "_bytes"))}
                           for path, each in told.items()}
                self.assertEqual(counted["all", "solve", "halo"], {
                    "send_calls": 6, "send_bytes": 600 * DOUBLE, "receive_calls": 6, "receive_bytes": 600 * DOUBLE, "wait_calls": 6})
                self.assertEqual(counted["all", "solve"], {"barrier_calls": 3})
                self.assertEqual(counted["all", "output 1"]["send_bytes"], 100 * DOUBLE)
                # "all" was left by name, with the regions in it.
                self.assertEqual(counted[()], {"barrier_calls": 1})

    def test_times_of_regions_are_those_of_the_run_without_those_in_them(self):
        told = watched(sample("regions-mpich"))[0][0]
        self.assertGreaterEqual(told["all", "solve"]["seconds"], 3 * 0.02)
        whole = sum(each["seconds"] for each in told.values())
        self.assertLessEqual(whole, max(each["told"] for each in told.values()))

    def test_each_rank_has_its_regions(self):
        for mpi in mpis():
            with self.subTest(mpi):
                told, text = watched(*ranks(mpi, 2, sample(f"regions-{mpi}"), "1"))
                solve = [told[rank]["all", "solve"] for rank in range(2)]
                self.assertEqual([each["visits"] for each in solve], [3, 3])
                self.assertGreaterEqual(solve[1]["seconds"] - solve[1]["values"]["MPI_Barrier_time"], 3 * 0.06)
                self.assertEqual(table(text)[0].split()[:4], ["Region", "Visits", "Time", "Share"])
                self.assertIn("solve", [line.split()[0] for line in table(text)])

    def test_regions_have_the_time_in_mpi_whatever_variables_are_chosen(self):
        told, _ = built.recorded("--regions", "--variable", "send_calls", "--", sample("regions-mpich"))
        values = regions_in(told)[0]["all", "solve", "halo"]["values"]
        self.assertLessEqual({"send_calls", "receive_bytes", "MPI_Recv_time"}, set(values))

    def test_fortran_names_regions_by_number(self):
        for mpi in mpis():
            for binding in ("f08", "f90", "f77"):
                with self.subTest(mpi=mpi, binding=binding):
                    told = watched(sample(f"regions-{binding}-{mpi}"))[0][0]
                    visits = {path: (each["visits"], each["values"].get("barrier_calls")) for path, each in told.items() if path}
                    named = {("halo",): (1, 1)} if binding == "f77" else {}
                    self.assertEqual(visits, {("region 10",): (3, 3), ("region 10", "region 11"): (3, 3), **named})

    def test_samples_know_the_region_of_the_main_thread(self):
        lines, _ = built.recorded("--regions", "--", sample("regions-mpich"))
        names = {each["number"]: each["name"] for line in lines if line["message"] == "regions" for each in line["regions"]}
        self.assertEqual([names[line["region"]] for line in lines if "region" in line][-1], "end")

    def test_without_the_option_no_region_is_known(self):
        told, finished = built.recorded("--", sample("regions-mpich"))
        self.assertEqual(regions_in(told), {})
        self.assertNotIn("Region ", finished.stdout)


class Header(unittest.TestCase):
    def test_a_program_with_the_header_runs_alone(self):
        for name in ("headed", "headed-fixed"):
            finished = subprocess.run([sample(f"{name}-mpich")], capture_output=True, text=True, check=False)
            self.assertEqual((finished.returncode, finished.stdout), (0, "done\n"))

    def test_regions_are_those_of_the_header_and_of_pcontrol(self):
        for mpi in mpis():
            for name in ("headed", "headed-fixed"):
                with self.subTest(mpi=mpi, name=name):
                    told = watched(sample(f"{name}-{mpi}"))[0][0]
                    self.assertEqual({path: (each["visits"], each["values"].get("barrier_calls", 0)) for path, each in told.items()}, {
                        (): (0, 0), ("whole",): (1, 0), ("whole", "start"): (1, 0), ("whole", "solve"): (5, 0), ("whole", "solve", "inner"): (5, 5)})

    def test_a_program_without_an_mpi_has_regions_with_its_own_variables(self):
        told, text = watched(sample("named"))
        steps = {path[-1:]: (each["visits"], each["values"].get("steps", 0)) for path, each in told[-1].items()}
        self.assertEqual(told[-1]["main",]["values"], {"waiting": 0.25})
        self.assertEqual((steps["input",], steps["output",]), ((1, 1), (1, 2)))
        self.assertEqual(told[-1]["main", "solve"]["values"], {"steps": 15})
        self.assertIn("steps", table(text)[0])

    def test_names_are_cut_and_found_again(self):
        told = watched(sample("named"))[0][-1]
        self.assertEqual(told["main", "0" * 63]["values"], {"steps": 4})
        self.assertEqual(told["main",]["visits"], 1)

    def test_threads_have_regions_of_their_own_that_are_summed_up(self):
        told = watched(sample("named"))[0][-1]
        self.assertEqual(told["solve",]["visits"], 6)

    def test_deep_and_many_regions_are_counted_together(self):
        told = watched(sample("named"))[0][-1]
        self.assertEqual(max(map(len, told)), 64)
        self.assertEqual(told["main", "deep"]["values"], {"steps": 7})
        many = [each for path, each in told.items() if path[:2] == ("main", "many") or path == ("other regions",)]
        # With "many" itself, and "last", whose steps are three.
        self.assertEqual(sum(each["visits"] for each in many), 2000 + 2)
        self.assertEqual(sum(each["values"].get("steps", 0) for each in many), 2000 + 3)
        self.assertLess(len(told), 1100)

    def test_a_forked_child_has_none(self):
        self.assertFalse([path for path in watched(sample("named"))[0][-1] if "child" in path])


class Annotations(unittest.TestCase):
    # Six of Caliper, three of which it passes on to ROCTX, and three of ROCTX.
    SEEN = 9

    def told(self, variables=None):
        """The steps of each region by its path; each annotation has reached its library."""
        messages, _ = built.recorded("--regions", "--", sample("annotated"), variables=variables, status=self.SEEN)
        return {path: each["values"].get("steps", 0) for path, each in regions_in(messages)[-1].items()}

    def test_caliper_roctx_and_nvtx_name_regions(self):
        self.assertEqual(self.told(), {
            (): 0, ("caliper",): 2, ("caliper", "inner"): 0, ("caliper", "inner", "halo"): 1, ("roctx",): 8, ("roctx", "unnamed"): 4,
            ("nvtx",): 128, ("nvtx", "attributes"): 16, ("nvtx", "wide"): 32, ("nvtx", "registered"): 64, ("nvtx", "registered", "crossed"): 0})

    def test_a_tool_of_the_user_for_nvtx_stays(self):
        self.assertNotIn(("nvtx",), self.told({"NVTX_INJECTION64_PATH": "/nonexistent.so"}))

    def test_annotations_without_the_tool_are_as_before(self):
        self.assertEqual(subprocess.run([sample("annotated")], check=False).returncode, self.SEEN)
