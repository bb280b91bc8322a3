"""The forms that other programs read: the tree, Markdown, the manual page and the graph."""

import re
import shutil
import subprocess
import unittest

import samples
import tool

AWKWARD = samples.document(
    control_variables=[
        samples.control(0, ".TH_AND_'QUOTES\\",
                        description=".SH not a heading\n'so neither\n\\fBnot bold\\fR -- ~^`\""),
        samples.control(1, "A_LONG_PATH", type="char", value="/one/" + "long_" * 60 + "path", default="",
                        description="'Größe | of <b>all</b> *things* [x](y) $a$ `code`"),
        samples.control(2, "x" * 120, description="y" * 300),
        samples.control(3, "BACKQUOTES", type="char", value="`a``b", default=""),
    ],
    categories=[samples.category(0, "a <b> | c", [0, 1], categories=[1]), samples.category(1, "'twice\"", [1, 2, 0])])


def checked(command, text):
    """What a checking program prints about a text; the text must not stop it."""
    finished = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    return finished.returncode, finished.stdout, finished.stderr


def needs(program):
    """Skips a test where a program is not installed."""
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Trees(unittest.TestCase):
    def test_members_stand_below_their_category(self):
        lines = tool.printed("--tree", document=samples.document()).splitlines()
        depth = {word: next(line.index(word) for line in lines if word in line)
                 for word in ("mympi", "p2p", "p2p_eager", "MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL", "MYMPI_RING_SIZES")}
        self.assertEqual(depth, {"mympi": 0, "MYMPI_RING_SIZES": 4, "p2p": 4, "MYMPI_PROTOCOL": 8, "p2p_eager": 8,
                                 "MYMPI_EAGER_LIMIT": 12})

    def test_what_is_in_no_category_comes_last(self):
        lines = tool.printed("--tree", document=samples.document()).splitlines()
        self.assertLess(lines.index(next(line for line in lines if "(in no category)" in line)),
                        lines.index(next(line for line in lines if "MYMPI_BACKOFF" in line)))

    def test_a_category_of_two_others_is_drawn_once(self):
        shared = [samples.category(0, "a", categories=[2]), samples.category(1, "b", categories=[2]),
                  samples.category(2, "shared", [0, 1])]
        text = tool.printed("--tree", document=samples.document(categories=shared))
        self.assertEqual(text.count("MYMPI_EAGER_LIMIT"), 1)
        self.assertEqual(text.count("shared"), 2)


class Markdown(unittest.TestCase):
    def test_every_link_has_a_target(self):
        for document in (samples.document(), AWKWARD):
            text = tool.printed("--markdown", document=document)
            targets = re.findall(r'<a id="([^"]*)">', text)
            links = re.findall(r"\]\(#([^)]*)\)", text)
            self.assertEqual(set(links) - set(targets), set())
            self.assertEqual(len(targets), len(set(targets)))

    def test_the_contents_name_every_category_at_its_depth(self):
        text = tool.printed("--markdown", document=samples.document())
        contents = text[text.index("## Contents"):].split("\n\n")[1].splitlines()
        self.assertEqual([line.split("]")[0] for line in contents[:4]],
                         ["- [mympi", "    - [p2p", "        - [p2p\\_eager", "    - [communicators"])

    def test_a_variable_of_two_categories_is_described_once(self):
        text = tool.printed("--markdown", document=AWKWARD)
        self.assertEqual(text.count('<a id="control_variables-1">'), 1)
        self.assertIn("Described above: [", text)

    def test_nothing_that_a_library_writes_becomes_markup(self):
        try:
            import markdown
        except ImportError:
            self.skipTest("python3-markdown is missing")
        html = markdown.markdown(tool.printed("--markdown", document=AWKWARD))
        self.assertNotIn("<b>", html)
        self.assertNotIn("<em>things", html)
        self.assertNotIn('href="y"', html)
        self.assertIn("<code>&quot;`a``b&quot;</code>", html.replace('"`a``b"', "&quot;`a``b&quot;"))


class ManualPages(unittest.TestCase):
    @needs("groff")
    def test_groff_has_nothing_to_complain_about(self):
        for document in (samples.document(), AWKWARD, samples.many_variables(50)):
            text = tool.printed("--man", document=document)
            status, _, complaints = checked(["groff", "-man", "-ww", "-Tutf8"], text)
            self.assertEqual((status, complaints), (0, ""))

    @needs("mandoc")
    def test_mandoc_has_nothing_to_complain_about(self):
        for document in (samples.document(), AWKWARD, samples.many_variables(50)):
            _, complaints, _ = checked(["mandoc", "-Tlint", "-Wwarning"], tool.printed("--man", document=document))
            self.assertEqual(complaints, "")

    @needs("groff")
    def test_texts_are_printed_as_they_are(self):
        _, page, _ = checked(["groff", "-man", "-Tutf8", "-P-cbou"], tool.printed("--man", document=AWKWARD))
        flat = " ".join(page.split())
        self.assertIn(".TH_AND_'QUOTES\\", flat)
        self.assertIn(".SH not a heading 'so neither \\fBnot bold\\fR -- ~^`\"", flat)
        self.assertIn("'Größe | of <b>all</b>", flat)

    @needs("groff")
    def test_every_variable_is_on_the_page(self):
        _, page, _ = checked(["groff", "-man", "-Tutf8", "-P-cbou"], tool.printed("--man", document=samples.document()))
        for kind in ("control_variables", "performance_variables", "events", "enumerations"):
            for member in samples.document()[kind]:
                self.assertIn(member["name"], page)


class Graphs(unittest.TestCase):
    @needs("dot")
    def test_graphviz_draws_every_member(self):
        for document in (samples.document(), AWKWARD):
            status, drawing, complaints = checked(["dot", "-Tsvg"], tool.printed("--dot", document=document))
            self.assertEqual((status, complaints), (0, ""))
            nodes = drawing.count('class="node"')
            self.assertEqual(nodes, sum(len(document[kind]) for kind in
                                        ("control_variables", "performance_variables", "events", "categories")))

    @needs("dot")
    def test_arrows_lead_from_categories_to_members(self):
        _, drawing, _ = checked(["dot", "-Tsvg"], tool.printed("--dot", document=samples.document()))
        arrows = {arrow.replace("&#45;", "-").replace("&gt;", ">")
                  for arrow in re.findall(r"<title>([^<]*&#45;&gt;[^<]*)</title>", drawing)}
        self.assertIn("category_0->category_1", arrows)
        self.assertIn("category_3->controls_0", arrows)
        self.assertEqual(len(arrows), 13)


if __name__ == "__main__":
    unittest.main()
