"""The report: that it is whole by itself, and what a browser makes of it."""

import html
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import digits, history, report  # noqa: E402
from mpit_info.launches import Launches  # noqa: E402

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") for path in [shutil.which(name)]
                if path), None)
try:
    import jinja2  # noqa: F401
    CAN_WRITE = (report.DYGRAPHS / "dygraph.min.js").is_file()
except ImportError:
    CAN_WRITE = False


def write(folder, *program, options=()):
    path = os.path.join(folder, "report.html")
    tool.printed("watch", "--event", "*", "--report", path, *options, program=["--fast", "--seconds", "3", *program])
    return pathlib.Path(path).read_text(encoding="utf-8")


class Browser:
    """Opens a page, does something in it, and reads what it has become."""

    def __init__(self, folder, *arguments):
        self.folder, self.arguments = folder, arguments

    def look(self, page, script):
        """What an expression of the page's own language is, after the page was drawn; complaints of the page fail."""
        before = "<script>window.complaints = []; addEventListener('error', e => complaints.push(e.message)); " \
            "addEventListener('securitypolicyviolation', e => complaints.push(e.blockedURI));</script>"
        after = ("<script>setTimeout(() => { const seen = document.createElement('pre'); seen.id = 'seen'; let told; "
                 f"try {{ told = (() => {{ {script} }})(); }} catch (e) {{ complaints.push(String(e)); }} "
                 "seen.textContent = JSON.stringify({told, complaints}); document.body.append(seen); }, 300);</script>")
        path = os.path.join(self.folder, "looked.html")
        pathlib.Path(path).write_text(page.replace("<style>", before + "<style>", 1)
                                      .replace("</body>", after + "</body>"), encoding="utf-8")
        with tempfile.TemporaryDirectory() as profile:
            finished = subprocess.run(
                [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900",
                 f"--user-data-dir={profile}", "--virtual-time-budget=5000", *self.arguments, "--dump-dom",
                 "file://" + path], text=True, capture_output=True, timeout=120, check=False)
        found = re.search(r'<pre id="seen">(.*?)</pre>', finished.stdout, re.DOTALL)
        if not found:
            raise AssertionError(f"the page was not drawn: {finished.stderr[-2000:]}")
        seen = json.loads(html.unescape(found[1]))
        if seen["complaints"]:
            raise AssertionError(f"the page complains: {seen['complaints']}")
        return seen["told"]


def grown(*ranks):
    """A run in which each rank has timers with these values, ten a second."""
    kept = history.History()
    for rank, variables in enumerate(ranks):
        kept.accept(rank, {"message": "hello", "rank": rank, "processes": len(ranks), "began": 0.0})
        kept.accept(rank, {"message": "columns", "columns": [{"name": f"sum_{place}", "class": "timer"} for place in range(len(variables))]})
        for moment, values in enumerate(zip(*variables)):
            kept.accept(rank, {"message": "sample", "time": moment / 10, "values": list(values)})
    return kept


def page_of(*histories, command=()):
    """The page of these launches."""
    launches = Launches(iter(histories).__next__, command)
    for place in range(1, len(histories)):
        launches.at(place)
    return report.text(launches, lambda history: list(history.columns))


@unittest.skipUnless(CAN_WRITE, "python3-jinja2 or libjs-dygraphs is not installed")
class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_no_text_of_a_program_becomes_part_of_the_page(self):
        hostile = "</script><script>forged()</script><b x=\"'>&amp;forged\x1b[31m\u202e\u2028-->{{ forged }}"

        def page(text):
            told = samples.document()
            for kind in ("control_variables", "performance_variables", "events"):
                for member in told[kind]:
                    member.update(name=member["name"] + text, description=text)
            told["mpi"]["library"] = told["control_variables"][1]["place"] = told["control_variables"][1]["value"] = text
            kept = history.History()
            kept.accept(0, {"message": "hello", "rank": 0, "processes": 2, "host": text, "began": 1e9})
            kept.accept(0, {"message": "snapshot", "document": told})
            names = [member["name"] for member in told["performance_variables"]]
            kept.accept(0, {"message": "columns", "columns": [{"name": name, "class": "counter", "object": text} for name in names]})
            for moment in range(3):
                kept.accept(0, {"message": "sample", "time": moment, "values": [10.0**99 * moment] * len(names)})
                kept.accept(0, {"message": "event", "time": moment, "event": "ev" + text, "values": {"el" + text: moment}})
            return page_of(kept, command=[text, text])

        clean, forged = page("fine"), page(hostile)
        for mark in ("<script", "</script", "<b", "-->"):
            self.assertEqual(forged.count(mark), clean.count(mark), mark)
        self.assertEqual([letter for letter in "\x1b\u202e\u2028\x7f" if forged.count(letter) > clean.count(letter)], [])
        numbers = re.search(r'<script type="application/json" class="numbers">(.*?)</script>', forged, re.DOTALL)[1]
        self.assertIn("forged()", json.dumps(json.loads(numbers, parse_constant=self.fail)))

    def test_the_page_needs_no_network(self):
        page = write(self.folder)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|@import|url\(', page), [])
        self.assertIn("default-src 'none'", page)

    def test_its_words_stand_in_it_without_a_script(self):
        page = write(self.folder, "--processes", "4")
        for word in ("messages_sent", "unexpected_message", "My MPI 1.2", "MYMPI_EAGER_LIMIT", "mympi.conf:12",
                     "0.2 % of one processor", "imbalance <b>60 %</b>"):
            self.assertIn(word, page)

    def test_filters_choose_the_time_lines(self):
        page = write(self.folder, options=("--class", "timer"))
        self.assertEqual(page.count('class="chart"'), 1)

    def test_a_report_that_cannot_be_written_is_refused_before_the_program_runs(self):
        finished = tool.run("watch", "--report", "/nowhere/report.html", program=["--prints", "it runs"])
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("cannot write /nowhere/report.html", finished.stderr)


@unittest.skipUnless(CAN_WRITE and BROWSER, "python3-jinja2, libjs-dygraphs or chromium is not installed")
class Drawings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.one, cls.four = write(cls.folder), write(cls.folder, "--processes", "4")

    def look(self, page, script, *arguments):
        return Browser(self.folder, *arguments).look(page, script)

    def test_every_variable_that_moved_has_a_time_line(self):
        told = self.look(self.one, "return cards.map(card => [card.querySelector('h3').textContent, "
                         "charts.get(card).graph.numRows()]);")
        self.assertEqual([name for name, _ in told], [
            "messages_sent", "time_waiting", "unexpected_queue_length", "communicator_bytes (MPI_COMM_WORLD)",
            "ring_fill[0]"])
        self.assertTrue(all(rows == 30 for _, rows in told))

    def test_something_is_painted(self):
        painted = self.look(self.four, """
            const inked = canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
                .some(part => part !== 0);
            return [cards.every(card => [...card.querySelectorAll('canvas')].some(inked)),
                    inked(document.querySelector('.track canvas'))];""")
        self.assertEqual(painted, [True, True])

    def test_rates_and_values_can_be_switched(self):
        told = self.look(self.one, """
            const sent = () => charts.get(cards[0]).graph.getValue(20, 1);
            const queue = () => charts.get(cards[2]).graph.getValue(20, 1);
            const before = [sent(), queue()];
            document.querySelector('[data-mode=value]').click();
            return [before, [sent(), queue()]];""")
        (rate, queue), (value, same) = told
        self.assertAlmostEqual(rate, 1000, delta=1)
        self.assertAlmostEqual(value, 2000, delta=1)
        self.assertEqual(queue, same)

    def test_ranks_are_a_band_or_lines(self):
        told = self.look(self.four, """
            const labels = () => charts.get(cards[0]).graph.getLabels();
            const band = [labels(), charts.get(cards[0]).graph.getValue(20, 1)];
            document.querySelector('[data-detail=ranks]').click();
            return [band, [labels(), charts.get(cards[0]).graph.getValue(20, 4)]];""")
        band, lines = told
        self.assertEqual(band[0], ["seconds", "mean"])
        self.assertEqual([round(value, -1) for value in band[1]], [1000, 2500, 4000])
        self.assertEqual(lines[0], ["seconds", "rank 0", "rank 1", "rank 2", "rank 3"])
        self.assertEqual(round(lines[1], -1), 4000)

    def test_axes_have_units(self):
        told = self.look(self.one, """
            const axes = () => cards.map(card => card.querySelector('.dygraph-ylabel').textContent);
            const rates = axes();
            document.querySelector('[data-mode=value]').click();
            return [rates, axes(), cards[0].querySelector('.dygraph-axis-label-x').textContent];""")
        self.assertEqual(told[0], ["number a second", "share of the time", "value", "B a second", "ratio"])
        self.assertEqual(told[1], ["value", "s", "value", "B", "ratio"])
        self.assertRegex(told[2], r"^[0-9.]+ s$")

    def test_shares_of_the_time_are_in_percent(self):
        labels = self.look(self.one, """
            const labels = () => [...cards[1].querySelectorAll('.dygraph-axis-label-y')].map(label => label.textContent);
            const shares = labels();
            document.querySelector('[data-mode=value]').click();
            return [shares, labels()];""")
        self.assertTrue(all(label.endswith(" %") for label in labels[0] if label), labels[0])
        self.assertFalse(any("%" in label for label in labels[1]), labels[1])

    def counted(self, ranks=3, seconds=4):
        """The page of a run whose calls were counted; the last rank is late."""
        kept = history.History()
        names = ("mpi_time", "wait_time", "wait_calls", "wait_waited", "MPI_Waitall_time", "MPI_Waitall_calls", "MPI_Bcast_time", "queue")
        for rank in range(ranks):
            kept.accept(rank, {"message": "hello", "rank": rank, "processes": ranks, "began": 0.0})
            kept.accept(rank, {"message": "columns", "columns": [
                {"name": name, "class": "counter" if "calls" in name else "level" if name == "queue" else "timer"} for name in names]})
            share = 0.1 if rank == ranks - 1 else 0.6
            for moment in range(10 * seconds + 1):
                time = moment / 10 * share
                kept.accept(rank, {"message": "sample", "time": moment / 10, "values": [time, time, moment, time / 2, time, moment, 1e-6 * time, moment % 3]})
        return page_of(kept)

    def test_the_first_screen_has_the_ranks_the_functions_and_two_pictures(self):
        told = self.look(self.counted(), """
            const cells = table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent));
            const figures = [...document.querySelectorAll('.first figure')];
            return [document.querySelector('.headline').textContent, cells(figures[0].querySelector('table'))[3].slice(0, 5),
                    cells(figures[1].querySelector('table'))[1], figures.every(each => each.getBoundingClientRect().bottom < innerHeight),
                    [...document.querySelectorAll('.bars div')].map(bar => Math.round(100 * bar.firstChild.offsetWidth / bar.offsetWidth)),
                    figures[2].querySelectorAll('polygon').length];""")
        self.assertEqual(told, ["Rank 2 is late: outside of MPI for 3.6 s, the others for 1.6 s.", ["rank 2", "4 s", "400 ms", "3.6 s", "10 %"],
                                ["MPI_Waitall", "1.73 s", "43 %", "40", "-"], True, [40, 40, 90], 1])

    def test_time_lines_are_in_groups_by_their_share_of_the_time(self):
        told = self.look(self.counted(), "return [...document.querySelectorAll('.group, .card h3')].map(each => each.textContent);")
        self.assertEqual(told, ["Ranks", "mpi_time", "Functions of MPI", "MPI_Waitall_time", "MPI_Waitall_calls", "Classes of functions", "wait_waited",
                                "Variables of the MPI and of the program", "queue"])

    def test_labels_of_an_axis_do_not_overlap_its_title(self):
        kept = grown([[slope * number for number in range(30)] for slope in (1.1e-4, 1.1e-6, 12.345, 1e7)])
        for page in (self.counted(), self.four, page_of(kept)):
            gaps = self.look(page, """
                const box = element => { const range = document.createRange(); range.selectNodeContents(element); return range.getBoundingClientRect(); };
                return cards.map(card => charts.get(card) ? Math.min(...[...card.querySelectorAll('.dygraph-axis-label-y')].map(label => box(label).left))
                    - box(card.querySelector('.dygraph-ylabel')).right : 1);""")
            self.assertTrue(all(gap >= 0 for gap in gaps), gaps)

    def test_states_have_words(self):
        kept = history.History()
        told = samples.document()
        told["enumerations"][1]["items"][1]["name"] = "<b>busy"
        kept.accept(0, {"message": "hello", "rank": 0, "processes": 1, "host": "here", "began": 1e9})
        kept.accept(0, {"message": "snapshot", "document": told})
        kept.accept(0, {"message": "columns", "columns": [{"name": "engine_state", "class": "state", "type": "int"}]})
        for moment in range(4):
            kept.accept(0, {"message": "sample", "time": moment, "values": [moment % 2]})
        axis, labels = self.look(page_of(kept), """
            return [cards[0].querySelector('.dygraph-ylabel').textContent,
                    [...cards[0].querySelectorAll('.dygraph-axis-label-y')].map(label => label.textContent)];""")
        self.assertEqual((axis, [label for label in labels if label]), ("state", ["idle", "<b>busy"]))

    def test_one_process_has_no_switch_for_ranks(self):
        self.assertEqual(self.look(self.one, "return document.querySelectorAll('[data-detail]').length;"), 0)

    def test_all_time_lines_follow_where_one_is_looked_at_closer(self):
        told = self.look(self.one, """
            look(document.querySelector('.launch'), [1, 2]);
            const whole = document.querySelector('.whole');
            const ranges = cards.map(card => charts.get(card).graph.xAxisRange());
            const shown = !whole.hidden;
            whole.click();
            return [ranges, shown, charts.get(cards[0]).graph.xAxisRange(), whole.hidden];""")
        self.assertEqual(told, [[[1, 2]] * 5, True, [0, 2.9], True])

    def test_time_lines_can_be_filtered(self):
        told = self.look(self.one, """
            const input = document.querySelector('.line-filter');
            input.value = 'Time WAIT'; input.dispatchEvent(new Event('input'));
            return cards.filter(card => card.offsetParent).map(card => card.querySelector('h3').textContent);""")
        self.assertEqual(told, ["time_waiting"])

    def test_variables_can_be_filtered(self):
        told = self.look(self.one, """
            const input = document.querySelector('.row-filter');
            input.value = 'eager'; input.dispatchEvent(new Event('input'));
            return [[...document.querySelectorAll('.rows tr')].filter(row => row.offsetParent).map(row => row.cells[0].textContent),
                    document.querySelector('.row-count').textContent];""")
        self.assertEqual(told, [["MYMPI_EAGER_LIMIT", "MYMPI_PROTOCOL"], "2 of 12 variables"])

    def test_changed_control_variables_say_where_their_values_came_from(self):
        told = self.look(self.one, "return [...document.querySelectorAll('#changed tbody tr')]"
                         ".map(row => [...row.cells].slice(0, 4).map(cell => cell.textContent));")
        self.assertEqual(told, [["MYMPI_EAGER_LIMIT", "1024", "65536", "environment"],
                                ["MYMPI_PROTOCOL", "eager", "automatic", "configuration file mympi.conf:12"],
                                ["MYMPI_BACKOFF", "inf", "0.25", "tool"]])

    def test_the_page_is_light_or_dark_as_people_want_it(self):
        script = "return getComputedStyle(document.body).backgroundColor;"
        light = self.look(self.one, script, "--blink-settings=preferredColorScheme=1")
        dark = self.look(self.one, script, "--blink-settings=preferredColorScheme=0")
        self.assertEqual((light, dark), ("rgb(246, 247, 249)", "rgb(18, 22, 28)"))

    def test_nothing_is_wider_than_the_page(self):
        self.assertEqual(self.look(self.four, "return document.documentElement.scrollWidth <= innerWidth;"), True)

    def test_time_lines_in_sight_are_drawn_at_once(self):
        page = self.one.replace("drawTracks();\n</script>", "drawTracks();\nwindow.atOnce = charts.size;\n</script>")
        self.assertGreater(self.look(page, "return window.atOnce;"), 2)

    def test_the_page_reads_the_integers_that_were_packed(self):
        numbers = [None, *(sign * number for number in (0, 1, 4, 5, 6, 3333, 3334, 3335, 19_533, 19_534, 19_535, 10**12) for sign in (1, -1))]
        for middle in (0, -7, 1000):
            text = json.dumps(digits.packed(numbers, middle))
            self.assertEqual(self.look(self.one, f"return unpacked({text}, {middle}).map(value => value === null ? null : value + 0);"), numbers)

    def test_each_launch_has_its_own_time_lines(self):
        runs = [grown(([0, 1, 2],)), grown(([0, 5, 9, 9],), ([0, 1, 1, 1],))]
        told = self.look(page_of(*runs), """
            cards.forEach(draw);
            const ends = cards.map(card => charts.get(card).graph.xAxisRange()[1]);
            look(cards[0].closest('.launch'), [0, 0.1]);
            return [ends, cards.map(card => charts.get(card).graph.xAxisRange()[1]), cards.map(card => dataOf(card).ranks.length)];""")
        self.assertEqual(told, [[0.2, 0.3], [0.1, 0.3], [1, 2]])

    def test_the_page_shows_the_values_of_the_samples(self):
        script = "return dataOf(cards[0]).variables.map(variable => variable.lines[0].values.map(value => value === null ? null : value + variable.lines[0].base));"
        values = [0, 3, 3, 123_456, 700_000_000], [1e-9, 0.25, 0.5, 2.0, 3456.5]
        kept = grown(values)
        told = self.look(page_of(kept), script)
        for expected, found in zip(values, told, strict=True):
            for one, other in zip(expected, found, strict=True):
                self.assertAlmostEqual(one, other, delta=max(expected) / report.FINEST[True])

    def test_a_minute_of_eight_ranks_and_thirty_variables_is_under_500_kilobytes(self):
        luck = random.Random(4)
        kept = grown(*([list(itertools.accumulate(luck.lognormvariate(10, 1) for _ in range(600))) for _ in range(30)] for _ in range(8)))
        self.assertLess(len(page_of(kept)), 500_000)

    def test_regions_are_a_table_that_a_click_sorts(self):
        kept = grown([[0.0, 1.0]], [[0.0, 2.0]])
        for rank in range(2):
            kept.accept(rank, {"message": "regions", "time": 1.0, "regions": [
                {"number": number, "name": name, "above": above, "visits": visits, "seconds": seconds, "values": {"sum_0": sums}}
                for number, name, above, visits, seconds, sums in ((0, "", None, 0, 1.0, 0), (1, "<b>", 0, 1, 2.0 + rank, 9), (2, "halo", 1, 20, 0.5, 10))]})
        read = "[...document.querySelectorAll('#regions tbody tr')].map(row => row.cells[0].textContent)"
        click = "[...document.querySelectorAll('#regions th')].find(title => title.textContent === '%s').click(); "
        page = page_of(kept)
        self.assertEqual(self.look(page, f"return {read};"), ["<b>", "halo", "outside of regions"])
        self.assertEqual(self.look(page, "return [...document.querySelectorAll('#regions tbody tr')[0].cells].slice(1).map(cell => cell.textContent);"),
                         ["1", "3 s", "75 %", "2.5 s", "17 %", "rank 1", "19"])
        visits = click % "Visits"
        self.assertEqual(self.look(page, f"{visits} const down = {read}; {visits} const up = {read}; {visits} return [down, up, {read}];"), [
            ["halo", "<b>", "outside of regions"], ["outside of regions", "<b>", "halo"], ["<b>", "halo", "outside of regions"]])

    def test_a_program_without_regions_has_no_table_of_them(self):
        self.assertNotIn('id="regions"', self.one)

    def test_time_lines_out_of_sight_are_drawn_later(self):
        page = self.one.replace('<article class="card"', '<article style="margin-bottom: 3000px" class="card"')
        self.assertLess(self.look(page, "return charts.size;"), 5)
