"""The search: what a person means stands first."""

import unittest

import samples
import tool

DOCUMENT = samples.document(categories=[], control_variables=[
    samples.control(0, "MYMPI_RENDEZVOUS_CHUNK", description="Size of a piece, of messages above the eager limit"),
    samples.control(1, "MYMPI_EAGERNESS", description="How often is polled"),
    samples.control(2, "MYMPI_EAGER_LIMIT", description="Largest message sent at once"),
    samples.control(3, "MYMPI_VERY_EAGER_LIMIT_OF_SHARED_MEMORY", description="Largest message within a node"),
    samples.control(4, "eager", description="Whether messages are sent at once"),
    samples.control(5, "MYMPI_PREEAGER", description=""),
    samples.control(6, "MYMPI_TOPOLOGY", description="Which network"),
    samples.control(7, "rndvThreshold", description=""),
    samples.control(8, "MYMPI_EGER", description="Spelt like another word"),
])


def found(*words, document=DOCUMENT):
    names = {member["name"] for kind in ("control_variables", "performance_variables", "events", "categories",
                                         "enumerations") for member in document[kind]}
    lines = tool.run("find", *words, document=document).stdout.splitlines()
    return [line.split()[0] for line in lines if line and line.split()[0] in names]


class Search(unittest.TestCase):
    def test_names_stand_before_items_and_descriptions(self):
        self.assertEqual(found("eager"), [
            "eager", "MYMPI_EAGER_LIMIT", "MYMPI_VERY_EAGER_LIMIT_OF_SHARED_MEMORY", "MYMPI_EAGERNESS",
            "MYMPI_PREEAGER", "protocol", "MYMPI_RENDEZVOUS_CHUNK"])

    def test_in_a_narrow_terminal_names_are_whole_and_descriptions_below_them(self):
        text = tool.printed("find", "eager", "--width", "60", document=DOCUMENT)
        self.assertIn("MYMPI_VERY_EAGER_LIMIT_OF_SHARED_MEMORY", text)
        self.assertIn("    control variable\n    Largest message within a node\n", text)

    def test_who_knows_all_words_stands_alone(self):
        self.assertEqual(found("eager", "limit"), [
            "MYMPI_EAGER_LIMIT", "MYMPI_VERY_EAGER_LIMIT_OF_SHARED_MEMORY", "MYMPI_RENDEZVOUS_CHUNK"])

    def test_a_close_spelling_is_understood(self):
        self.assertEqual(found("topolgy"), ["MYMPI_TOPOLOGY"])
        self.assertEqual(found("eagre", "limt")[0], "MYMPI_EAGER_LIMIT")

    def test_close_spellings_are_left_out_where_the_word_itself_is_known(self):
        self.assertNotIn("MYMPI_EGER", found("eager"))
        self.assertEqual(found("ege")[0], "MYMPI_EGER")

    def test_words_of_mixed_case_are_words(self):
        self.assertEqual(found("threshold"), ["rndvThreshold"])

    def test_events_and_their_elements_are_found(self):
        self.assertEqual(found("unexpected_message")[0], "unexpected_message")

    def test_items_of_an_enumeration_lead_to_the_variable(self):
        document = samples.document()
        self.assertIn("MYMPI_PROTOCOL", found("rendezvous", document=document))

    def test_the_best_are_shown_and_the_others_counted(self):
        text = tool.printed("find", "eager", "--limit", "2", document=DOCUMENT)
        self.assertIn("5 more; --limit shows them", text)

    def test_filters_narrow_the_search_down(self):
        self.assertEqual(found("eager", "--name", "*SHARED*"), ["MYMPI_VERY_EAGER_LIMIT_OF_SHARED_MEMORY"])

    def test_nothing_found_is_said_and_seen_in_the_status(self):
        finished = tool.run("find", "zzzzzz", document=DOCUMENT)
        self.assertEqual(finished.returncode, 1)
        self.assertIn("Nothing matches zzzzzz.", finished.stdout)
