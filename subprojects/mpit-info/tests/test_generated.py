"""The table of functions, and what is generated of it."""

import importlib.util
import pathlib
import unittest

CALLS = pathlib.Path(__file__).resolve().parent.parent / "agent" / "calls"


def generator():
    specification = importlib.util.spec_from_file_location("generate", CALLS / "generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Generated(unittest.TestCase):
    def setUp(self):
        self.generate = generator()
        self.rows = list(self.generate.functions(CALLS / "functions.txt"))

    def test_each_function_is_in_the_table_once(self):
        names = [row[0] for row in self.rows]
        self.assertEqual(len(names), len(set(names)))

    def test_indices_are_those_of_arguments(self):
        for name, arguments, _, communicator, peer, carried, flags in self.rows:
            amounts = carried.split(":")[-1].split("*") if "*" in carried else []
            for word in [communicator, peer, *amounts, *(flags[flag] for flag in ("status", "in_place") if flag in flags)]:
                self.assertTrue(word == "-" or 0 <= int(word) < arguments, f"{name}: {word}")

    def test_each_class_has_words(self):
        self.assertEqual({row[2] for row in self.rows}, set(self.generate.CLASSES))

    def test_a_function_and_its_twin_stand_in_front_with_all_arguments(self):
        lines = list(self.generate.passing([row for row in self.rows if row[0] == "MPI_Barrier"]))
        self.assertEqual(lines[:2], ["PASS_ON(0, MPI_Barrier, (uintptr_t a0), (a0))", "PASS_ON(1, PMPI_Barrier, (uintptr_t a0), (a0))"])

    def test_both_parts_number_the_functions_alike(self):
        passing = [line for line in self.generate.passing(self.rows) if line.startswith("PASS_ON")]
        self.assertEqual(len(passing), len(list(self.generate.symbols(self.rows))))
