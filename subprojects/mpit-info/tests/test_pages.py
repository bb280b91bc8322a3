"""The forms that other programs read: the tree, Markdown, the manual page and the graph."""

import contextlib
import copy
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import main  # noqa: E402

# What a terminal obeys, a manual page, Markdown, HTML, a graph and rich; each in a line of its own and in the middle.
HOSTILE = ("\x1b[31m\x9b31m\x07\x08\x7f\u202eabc\u2066\u200f\ufeff\ud800\n.SH FORGED\n'so forged\n\\fBforged\\*[x]\n"
           "- [forged](x) ![x](y) | <b>forged</b> </script><script>forged</script> &lt; [bold]forged[/bold] `forged`\n"
           "# forged\n***\n\"];forged->forged;[\"\u2028\u2029\x85end")
FORMS = ("--table", "--tree", "--markdown", "--man", "--dot", "--json")
REQUESTS = {".TH", ".ds", ".ad", ".nh", ".SH", ".SS", ".TP", ".B", ".br", ".PP", ".BR"}

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
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


def places(value, path=()):
    """The paths of all that is no list and no object, one of each kind."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path
    else:
        for step, each in inner:
            yield from places(each, (*path, step))


def kinds_of_places(document):
    """One path for each property that a document may have."""
    kinds = {tuple(step for step in path if isinstance(step, str)): path for path in places(document)}
    return [path for path in kinds.values() if path != ("format",)]


def with_text(document, path, text):
    """The document with a text at this place."""
    changed = copy.deepcopy(document)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = text
    return changed


def unsafe(text):
    """The characters of a text that a terminal, a page or a reader could obey."""
    return sorted({ascii(character) for character in text
                   if character != "\n" and (unicodedata.category(character)[0] == "C" or character in "\u2028\u2029")})


class Fields(unittest.TestCase):
    """Each property of a document in turn holds what no output may hand on."""

    def printed(self, document, *arguments):
        """Status, output and complaints of the tool, which runs in this process, since there are hundreds of runs."""
        path = os.path.join(self.folder, "document.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump(document, file)
        out, complaints = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaints):
            status = main.main([*arguments, "--from", path])
        out.flush()
        return status, out.buffer.getvalue().decode(), complaints.getvalue()

    def outputs(self, form, text=HOSTILE.replace("\ud800", "")):
        """Yields the path and the output for each property; what the schema refuses is told on one safe line."""
        shown = 0
        with tempfile.TemporaryDirectory() as self.folder:
            for path in kinds_of_places(samples.document()):
                status, output, complaint = self.printed(with_text(samples.document(), path, text), form, "--width", "120")
                with self.subTest(path=path):
                    self.assertEqual((unsafe(output), unsafe(complaint)), ([], []))
                    if status:
                        self.assertEqual((status, output), (2, ""))
                        self.assertRegex(complaint, r"^mpit-info: .* does not fit the format .*\n$")
                    else:
                        shown += 1
                        yield path, output
        # Names, descriptions, values and the like are shown.
        self.assertGreater(shown, 20)

    def test_no_output_hands_on_what_a_terminal_obeys(self):
        for form in FORMS:
            for _ in self.outputs(form):
                pass

    def test_half_a_character_is_refused(self):
        with tempfile.TemporaryDirectory() as self.folder:
            status, output, complaint = self.printed(with_text(samples.document(), ("program", 0), HOSTILE), "--json")
        self.assertEqual((status, output), (2, ""))
        self.assertEqual(unsafe(complaint), [])

    def test_json_holds_all_texts_as_they_were(self):
        hostile = HOSTILE.replace("\ud800", "")
        for path, output in self.outputs("--json", hostile):
            self.assertEqual(json.loads(output), with_text(samples.document(), path, hostile))

    def test_no_text_becomes_a_request_of_a_manual_page(self):
        for path, output in self.outputs("--man"):
            lines = output.splitlines()
            self.assertEqual({line.split()[0] for line in lines if line[:1] in ".'"} - REQUESTS, set(), path)
            self.assertEqual([line for line in lines if re.search(r"\\\*\[x\]|\\f[BR]", line)], [], path)
            self.assertEqual([line for line in lines if line.startswith((".SH FORGED", ".SH \"FORGED"))], [], path)

    def test_no_text_becomes_markup_of_markdown(self):
        import markdown_it
        clean = markdown_it.MarkdownIt("commonmark").enable("table").parse(
            self.markdown(samples.document()))
        kinds = self.kinds_of_markup(clean)
        for path, output in self.outputs("--markdown"):
            tokens = markdown_it.MarkdownIt("commonmark").enable("table").parse(output)
            self.assertEqual({kind for kind in self.kinds_of_markup(tokens) if "forged" in kind}, set(), path)
            self.assertEqual({kind.split(" ")[0] for kind in self.kinds_of_markup(tokens)}
                             - {kind.split(" ")[0] for kind in kinds}, set(), path)

    def markdown(self, document):
        with tempfile.TemporaryDirectory() as self.folder:
            return self.printed(document, "--markdown")[1]

    def kinds_of_markup(self, tokens):
        """What there is beside text: the kinds of blocks and of marks, and all HTML and all links."""
        found = set()
        for token in tokens:
            found.add(token.type)
            for inner in token.children or []:
                href = inner.attrs.get("href", "") if inner.attrs else ""
                known = re.fullmatch(r'<a id="[^"]*">|</a>|', inner.content) if inner.type == "html_inline" else inner.type != "html_inline"
                found.add(inner.type if known and (not href or href.startswith("#")) else f"{inner.type} forged {inner.content}{href}")
        return found

    def test_no_text_becomes_a_node_of_a_graph(self):
        for path, output in self.outputs("--dot"):
            # Without its texts a graph has nothing that a document has written.
            bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", output)
            self.assertNotIn("forged", bare, path)
            self.assertEqual(bare.count('"'), 0, path)

    def test_categories_may_stand_in_each_other_as_deeply_as_they_like(self):
        deep = samples.document(categories=[
            samples.category(index, f"c{index}", [index] if index < 6 else [], categories=[index + 1] if index < 1199 else [])
            for index in range(1200)])
        with tempfile.TemporaryDirectory() as self.folder:
            for form in ("--tree", "--man", "--markdown"):
                status, output, complaint = self.printed(deep, form, "--width", "100", "--output", os.devnull)
                self.assertEqual((status, output, complaint), (0, "", ""), form)


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
