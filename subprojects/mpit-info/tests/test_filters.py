"""Filters: which variables are left, in every output alike, and what JSON is then."""

import json
import pathlib
import tempfile
import unittest

import samples
import tool


def left(*arguments, kind="control_variables", document=None):
    text = tool.printed("--json", *arguments, document=document or samples.document())
    return [member["name"] for member in json.loads(text)[kind]]


class Filters(unittest.TestCase):
    def test_a_verbosity_lets_simpler_ones_through(self):
        self.assertEqual(left("-v", "user"), ["MYMPI_PROTOCOL", "MYMPI_RING_SIZES", "MYMPI_BACKOFF"])
        self.assertEqual(left("-v", "tuner_basic"),
                         ["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL", "MYMPI_RING_SIZES", "MYMPI_BACKOFF"])
        self.assertEqual(len(left("-v", "tuner")), 5)
        self.assertEqual(len(left("-v", "developer")), 6)

    def test_an_unknown_verbosity_is_refused_with_the_known_ones(self):
        finished = tool.run("-v", "expert", document=samples.document())
        self.assertEqual(finished.returncode, 2)
        self.assertIn("unknown verbosity expert; use user, tuner, developer", finished.stderr)

    def test_a_class_leaves_only_performance_variables(self):
        self.assertEqual(left("--class", "level", "--class", "timer", kind="performance_variables"),
                         ["time_waiting", "unexpected_queue_length"])
        self.assertEqual(left("--class", "level"), [])

    def test_a_category_holds_all_categories_below_it(self):
        self.assertEqual(left("--category", "p2p"), ["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL"])
        self.assertEqual(left("--category", "p2p_*"), ["MYMPI_EAGER_LIMIT"])
        self.assertEqual(len(left("--category", "mympi", kind="performance_variables")), 5)
        self.assertEqual(left("--category", "p2p", kind="events"), ["unexpected_message"])

    def test_an_unknown_category_is_refused(self):
        finished = tool.run("--category", "rma", document=samples.document())
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("unknown category rma", finished.stderr)

    def test_categories_in_a_circle_end(self):
        circle = [samples.category(0, "a", [0], categories=[1]), samples.category(1, "b", [1], categories=[0])]
        document = samples.document(categories=circle)
        self.assertEqual(left("--category", "b", document=document), ["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL"])
        for form in ("--table", "--tree", "--markdown", "--man", "--dot"):
            self.assertIn("MYMPI", tool.printed(form, document=document))

    def test_patterns_of_names_do_not_mind_the_case_of_letters(self):
        self.assertEqual(left("--name", "*eager*", "--name", "mympi_back*"), ["MYMPI_EAGER_LIMIT", "MYMPI_BACKOFF"])

    def test_one_kind_leaves_the_others_out(self):
        document = json.loads(tool.printed("--json", "--kind", "events", document=samples.document()))
        filled = {name for name, members in document.items() if isinstance(members, list) and members}
        self.assertEqual(filled, {"program", "events", "sources"})

    def test_variables_can_be_chosen_by_what_they_are_bound_to(self):
        self.assertEqual(left("--bound", "communicator"), ["MYMPI_COMMUNICATOR_WEIGHT"])
        self.assertEqual(left("--bound", "communicator", kind="performance_variables"), ["communicator_bytes"])

    def test_changed_variables_differ_from_their_default_or_were_set_by_somebody(self):
        controls = [samples.control(0, "SAME"), samples.control(1, "OTHER", value=1),
                    samples.control(2, "SET_TO_ITS_DEFAULT", origin="environment"),
                    samples.control(3, "OF_UNKNOWN_DEFAULT", default=None, origin=None, value=4),
                    samples.control(4, "SET_OVER_AN_UNKNOWN_DEFAULT", default=None, origin="environment", value=4),
                    samples.control(5, "UNREADABLE", value=None, problem="MPI_T_ERR_INVALID")]
        document = samples.document(control_variables=controls, categories=[])
        self.assertEqual(left("--changed", document=document), ["OTHER", "SET_OVER_AN_UNKNOWN_DEFAULT"])

    def test_values_of_another_document_stand_in_for_unknown_defaults(self):
        here = samples.document(categories=[], control_variables=[
            samples.control(0, "SAME", default=None, origin=None, value=1),
            samples.control(1, "OTHER", default=None, origin=None, value=2),
            samples.control(2, "NEW", default=None, origin=None, value=3),
            samples.control(3, "OF_KNOWN_DEFAULT", default=4, origin=None, value=4)])
        there = samples.document(control_variables=[
            samples.control(7, name, value=1) for name in ("SAME", "OTHER", "OF_KNOWN_DEFAULT", "GONE")])
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(there, file)
            file.flush()
            self.assertEqual(left("--changed", "--against", file.name, document=here), ["OTHER"])

    def test_filters_narrow_down_together(self):
        self.assertEqual(left("--changed", "-v", "user", "--category", "p2p"), ["MYMPI_PROTOCOL"])

    def test_categories_and_enumerations_follow_what_is_left(self):
        document = json.loads(tool.printed("--json", "--name", "MYMPI_PROTOCOL", document=samples.document()))
        self.assertEqual([category["name"] for category in document["categories"]], ["mympi", "p2p"])
        self.assertEqual(document["categories"][0]["categories"], [1])
        self.assertEqual(document["categories"][1]["performances"], [])
        self.assertEqual([enumeration["name"] for enumeration in document["enumerations"]], ["protocol"])

    def test_indices_stay_what_they_were(self):
        document = json.loads(tool.printed("--json", "--name", "*EAGER*", document=samples.document()))
        self.assertEqual([control["index"] for control in document["control_variables"]], [0])
        self.assertEqual([category["index"] for category in document["categories"]], [0, 1, 3])

    def test_all_outputs_show_the_same_variables(self):
        for form in ("--table", "--tree", "--json", "--markdown", "--man", "--dot"):
            text = tool.printed(form, "--category", "p2p_eager", document=samples.document()).replace("\\", "")
            self.assertIn("MYMPI_EAGER_LIMIT", text, form)
            self.assertIn("unexpected_queue_length", text, form)
            self.assertNotIn("MYMPI_PROTOCOL", text, form)
            self.assertNotIn("messages_sent", text, form)

    def test_a_name_that_does_not_occur_has_status_1_and_similar_names(self):
        for form in ((), ("--json",), ("--tree",)):
            finished = tool.run("--name", "messages_snt", *form, document=samples.document())
            self.assertEqual(finished.returncode, 1, form)
            self.assertEqual(finished.stderr, "mpit-info: no name matches messages_snt; similar names: messages_sent\n")
        self.assertIn("Nothing matches the filters.", tool.run("--name", "nothing", document=samples.document()).stdout)

    def test_a_library_without_members_of_a_kind_has_none(self):
        told = samples.document(events=[], sources=[], categories=[])
        self.assertIn("\nThere are no events.\n", tool.printed("--kind", "events", document=told))
        self.assertIn("\nNothing matches the filters.\n", tool.run("--kind", "events", "--name", "a*", document=told).stdout)

    def test_no_changed_variable_is_a_result_and_not_an_error(self):
        document = samples.document(control_variables=[samples.control(0, "SAME")], categories=[])
        self.assertEqual(tool.run("--changed", document=document).returncode, 0)


class Documents(unittest.TestCase):
    def assert_valid(self, document):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is missing")
        schema = json.loads((tool.FRONT / "schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        problems = [f"{list(problem.path)}: {problem.message}"
                    for problem in jsonschema.Draft202012Validator(schema).iter_errors(document)]
        self.assertEqual(problems, [])

    def test_a_document_is_valid_by_the_schema(self):
        self.assert_valid(json.loads(tool.printed("--json", document=samples.document())))

    def test_a_filtered_document_is_valid_by_the_schema(self):
        for arguments in (("--changed",), ("--kind", "events"), ("--category", "p2p"), ("--name", "nothing")):
            self.assert_valid(json.loads(tool.run("--json", *arguments, document=samples.document()).stdout))

    def test_what_a_sender_leaves_out_is_completed(self):
        sparse = {"format": "mpit-info 1", "control_variables": [{"index": 0, "name": "ALONE"}]}
        self.assert_valid(json.loads(tool.printed("--json", document=sparse)))
        self.assertIn("ALONE", tool.printed(document=sparse))

    def test_a_document_without_filters_comes_out_as_it_went_in(self):
        self.assertEqual(json.loads(tool.printed("--json", document=samples.document())), samples.document())

    def test_the_schema_describes_every_property(self):
        schema = json.loads((tool.FRONT / "schema.json").read_text(encoding="utf-8"))
        missing = []

        def visit(node, name):
            for word, inner in node.get("properties", {}).items():
                referred = schema["$defs"][inner["$ref"].split("/")[-1]] if "$ref" in inner else {}
                if "const" not in inner and not (inner.get("description") or referred.get("description")):
                    missing.append(f"{name}.{word}")
                visit(inner, f"{name}.{word}")
            if "items" in node:
                visit(node["items"], name)

        visit(schema, "document")
        self.assertEqual(missing, [])

    def test_the_manual_names_every_property(self):
        schema = json.loads((tool.FRONT / "schema.json").read_text(encoding="utf-8"))
        page = (tool.FRONT / "docs" / "manual.md").read_text(encoding="utf-8")
        rows = {row.split("`")[1]: row for row in page.splitlines() if row.startswith("| `")}
        for name, described in schema["properties"].items():
            of_member = described.get("properties", described.get("items", {}).get("properties", {}))
            self.assertEqual([inner for inner in of_member if f"`{inner}`" not in rows[name]], [], name)

    def test_what_is_no_document_is_refused(self):
        for text in ({"format": "other"}, [1, 2]):
            finished = tool.run(document=text)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("no", finished.stderr)
            self.assertNotIn("Traceback", finished.stderr)

    def test_a_file_that_is_missing_or_no_json_is_refused(self):
        for path, words in (("/nowhere/file.json", "cannot read"), (str(pathlib.Path(__file__)), "is not JSON")):
            finished = tool.run("--from", path)
            self.assertEqual(finished.returncode, 2)
            self.assertIn(words, finished.stderr)
