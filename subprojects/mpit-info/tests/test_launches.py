"""Several launches of one program, as of a script with two `mpiexec`: each has its own heading, sentences, table and section."""

import csv
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info.launches import Grouping, Launches  # noqa: E402

try:
    import screens
except ImportError:
    screens = None

SECONDS = 10


def hello(rank, processes=2, launch=None, host="here", **facts):
    """The first message of a process."""
    return {"message": "hello", "rank": rank, "processes": processes, "host": host, "launch": launch, **facts}


def grouped(*hellos):
    """The launch of each process."""
    grouping = Grouping()
    return [grouping.of_message(number, message) for number, message in enumerate(hellos)]


def messages_of(number, rank, launch, began, sent, program):
    """What a process of one counter and of one timer sends, with the numbers of processes in front."""
    document = {**samples.document(rank, 2), "program": program}
    for message in (hello(rank, launch=launch, pid=100 + number, began=1000.0 + began), {"message": "snapshot", "document": document},
                    {"message": "columns", "columns": [{"name": "messages_sent", "class": "counter"}, {"name": "time_packing", "class": "timer"}]},
                    *({"message": "sample", "time": float(second), "values": [sent * second, second * (0.6 if rank else 0.1) * (sent == 10)]}
                      for second in range(SECONDS + 1)),
                    {"message": "end", "time": float(SECONDS)}):
        yield {"process": number, **message}


def lines_of_record(launches=2):
    """A record of so many launches, of which rank 1 of the first one takes longer."""
    yield {"message": "recording", "format": "mpit-info stream 1", "program": ["sh", "job.sh"]}
    for launch in range(launches):
        told = [messages_of(2 * launch + rank, rank, f"PMIX_NAMESPACE={launch}", 20.0 * launch, 10 + launch, ["./ring", str(launch)])
                for rank in (0, 1)]
        yield from (message for both in zip(*told) for message in both)
    yield {"message": "status", "status": 0}


class Recognized(unittest.TestCase):
    def test_processes_with_the_same_number_of_a_launcher_are_one_launch_also_on_other_machines(self):
        self.assertEqual(grouped(hello(0, launch="a"), hello(1, launch="a", host="there")), [0, 0])

    def test_two_launches_at_once_are_kept_apart(self):
        self.assertEqual(grouped(hello(0, launch="a"), hello(1, launch="b"), hello(1, launch="a"), hello(0, launch="b")), [0, 1, 0, 1])

    def test_a_rank_that_is_there_begins_another_launch(self):
        one, other = hello(0, launch="launcher=7"), hello(1, launch="launcher=7")
        self.assertEqual(grouped(one, other, one, other), [0, 0, 1, 1])

    def test_programs_of_other_sizes_are_other_launches(self):
        self.assertEqual(grouped(hello(0, launch="launcher=7"), hello(1, processes=3, launch="launcher=7")), [0, 1])

    def test_without_a_number_processes_of_two_machines_belong_together_by_their_ranks(self):
        self.assertEqual(grouped(*(hello(rank, 4, f"launcher={host}", f"node{host}") for rank, host in enumerate((1, 1, 2, 2)))), [0, 0, 0, 0])
        self.assertEqual(grouped(hello(0, 4, "launcher=1"), hello(1, 4, "launcher=2")), [0, 1])

    def test_programs_without_an_mpi_are_together(self):
        self.assertEqual(grouped(hello(-1, 1), hello(-1, 1), hello(-1, 1)), [0, 0, 0])

    def test_a_process_that_starts_its_mpi_later_stays_in_its_launch(self):
        self.assertEqual(grouped(hello(-1, 1, pid=5), hello(0, 1, "launcher=7", pid=5), hello(0, 1, "launcher=7", pid=6)), [0, 0, 1])

    def test_messages_without_a_hello_are_of_the_first_launch(self):
        launches = Launches()
        launches.accept(3, {"message": "lost", "events": 2})
        self.assertEqual([history.lost for history in launches.all], [2])


class Shown(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.one, self.two, self.three = (self.record(f"{count}.jsonl", count) for count in (1, 2, 3))

    def record(self, name, launches):
        """The path of a record."""
        path = self.folder / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines_of_record(launches)), encoding="ascii")
        return str(path)

    def printed(self, *arguments):
        """What the tool prints."""
        finished = tool.call(*arguments)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return finished.stdout.replace("\xa0", " ")

    def test_the_whole_has_a_line_for_each_launch_and_each_has_a_table(self):
        text = self.printed("watch", "--replay", self.two, "--interval", "0")
        sentence = "time_packing: imbalance 83 %, rank 1 takes longer (6 s, the others 1 s)."
        self.assertEqual(text.splitlines()[:5], [
            "2 launches, 30.0 s", "sh job.sh", f"Launch 1: ./ring 0, 2 ranks, 10.0 s. {sentence}", "Launch 2: ./ring 1, 2 ranks, 10.0 s.", ""])
        first, second = text.split("\nLaunch 2: ./ring 1\n")
        self.assertIn(f"\nLaunch 1: ./ring 0\nMy MPI 1.2 (MPI-3.1)\n2 ranks, 10.0 s\n\n{sentence}\n", first)
        self.assertEqual(re.findall(r"messages_sent +counter +(\d+)", first), ["100"])
        self.assertEqual(re.findall(r"messages_sent +counter +(\d+)", second), ["110"])
        self.assertNotIn("takes longer", second)

    def test_processes_that_a_launcher_of_another_mpi_leaves_alone_are_told(self):
        for command, count, apart, is_told in (("mpiexec", "2", 0.1, True), ("sh", "2", 0.1, False), ("mpiexec", "2", 20.0, False),
                                               ("mpiexec", "1", 0.1, False)):
            path, lines = self.folder / "alone.jsonl", [{"message": "recording", "format": "mpit-info stream 1", "program": [command, "-n", count, "./ring"]}]
            for number in (0, 1):
                for message in messages_of(number, 0, None, apart * number, 10, ["./ring"]):
                    told = {"document": {**samples.document(0, 1), "program": ["./ring"]}} if message["message"] == "snapshot" else {}
                    lines.append({**message, **told, **({"processes": 1} if message["message"] == "hello" else {})})
            lines.append({"message": "status", "status": 0})
            path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
            text = self.printed("watch", "--replay", path, "--width", "200")
            self.assertIn("2 launches, ", text)
            self.assertEqual("\nEach of 2 processes is alone in its MPI_COMM_WORLD: perhaps mpiexec is not the launcher of their MPI.\n" in text,
                             is_told, text)

    def test_each_launch_and_each_comparison_has_the_times_of_its_ranks(self):
        counted = self.folder / "counted.jsonl"
        counted.write_text(pathlib.Path(self.two).read_text(encoding="ascii").replace("time_packing", "mpi_time"), encoding="ascii")
        first, second = self.printed("watch", "--replay", counted).split("\nLaunch 2: ./ring 1\n")
        self.assertRegex(first, "rank 1 +10 s +6 s +4 s +60 %")
        self.assertRegex(second, "rank 1 +10 s +0 s +10 s +0 %")
        text = self.printed("diff", counted, counted)
        self.assertEqual(re.findall("^rank 1 outside of MPI +(.*?)  ", text, re.MULTILINE), ["4 s", "10 s"])
        self.assertIn("   Rank 0 is late: outside of MPI for 9 s, the others for 4 s.", text)

    def test_one_launch_has_no_title(self):
        self.assertNotIn("aunch", self.printed("watch", "--replay", self.one))

    def test_lines_of_intervals_name_the_launch_from_the_second_one_on(self):
        lines = self.printed("watch", "--replay", self.two, "--interval", "5").splitlines()
        self.assertEqual([re.split("  +", line)[:-1 if "imbalance" in line else None][:-1] for line in lines if " messages_sent" in line and line[0].isdigit()],
                         [["5 s", "messages_sent", "50"], ["10 s", "messages_sent", "100"],
                          ["5 s", "launch 2", "messages_sent", "55"], ["10 s", "launch 2", "messages_sent", "110"]])

    def test_two_records_are_compared_launch_by_launch(self):
        text = self.printed("diff", self.two, self.three)
        self.assertEqual(re.findall("^Launch .*", text, re.MULTILINE), ["Launch 1: ./ring 0, ./ring 0", "Launch 2: ./ring 1, ./ring 1"])
        self.assertEqual(text.count("No difference."), 2)
        self.assertIn("A has 2 launches, B has 3 launches; 2 pairs in their order are compared.", text)
        self.assertEqual(len(json.loads(self.printed("diff", self.two, self.two, "--json"))["launches"]), 2)
        self.assertNotIn("launches", json.loads(self.printed("diff", self.one, self.one, "--json")))

    def test_pages_have_a_section_for_each_launch(self):
        for name, words, ids in (("report", ("watch", "--replay", self.two), ["launch-1", "launch-2"]), ("diff", ("diff", self.two, self.two), [])):
            with self.subTest(name):
                page = self.folder / f"{name}.html"
                self.printed(*words, "--report", page)
                text = page.read_text(encoding="utf-8")
                self.assertEqual(text.count('<div class="launch"'), 2)
                self.assertEqual(re.findall('<div class="launch" id="(.*?)"', text), ids)
                self.assertEqual(len(set(re.findall(' id="(.*?)"', text))), len(re.findall(' id="', text)))
                self.assertEqual([heading for heading in ("Launch 1: ./ring 0", "Launch 2: ./ring 1") if heading not in text], [])

    def test_exported_series_have_the_launch_as_a_label_if_there_are_several(self):
        text = self.printed("export", self.two, "--to", "openmetrics")
        self.assertIn('mpi_messages_sent_total{rank="1",host="here",launch="2"} 110 1030.000', text)
        self.assertIn('mpi_messages_sent_total{rank="1",host="here",launch="1"} 100 1010.000', text)
        self.assertIn('mpi_messages_sent_total{rank="1",host="here"} 100 1010.000', self.printed("export", self.one, "--to", "openmetrics"))

    def test_rows_of_csv_have_the_number_of_the_launch(self):
        rows = list(csv.DictReader(io.StringIO(self.printed("watch", "--replay", self.two, "--csv", "--interval", "0"))))
        self.assertEqual([row["launch"] for row in rows if row["rank"] == "0" and row["variable"] == "messages_sent"],
                         ["1"] * (SECONDS + 1) + ["2"] * (SECONDS + 1))

    @unittest.skipUnless(screens, "the Python package pyte is not installed (on Debian: python3-pyte)")
    def test_the_view_has_a_line_for_each_launch_and_a_key_for_the_others(self):
        with screens.Terminal(tool.command("watch", "--replay", self.two, "--speed", "3"), has_session=True) as terminal:
            lines = terminal.until(lambda text: "▸ Launch 1" in text or "messages_sent" in text)
            self.assertNotIn("Launch 2", "\n".join(lines))
            terminal.until(lambda text: "▸ Launch 2: ring 1, 2 ranks" in text and "  Launch 1: ring 0, 2 ranks, 10.0 s. time_packing" in text)
            terminal.press("l")
            lines = terminal.until(lambda text: "▸ Launch 1: ring 0" in text and "  Launch 2: ring 1" in text)
            self.assertRegex("\n".join(lines), "messages_sent +100 +100 +100 ")
            terminal.press("l")
            terminal.until(lambda text: "▸ Launch 2" in text)


@unittest.skipUnless(built.FOLDER, "no agent was built")
class Launched(unittest.TestCase):
    def watched(self, mpi, script):
        """The lines of the launches, and the launch that each process has told."""
        program = built.program(mpi)
        if not program:
            self.skipTest(f"{mpi} is not installed")
        words = f"mpiexec.{mpi}" + (" --oversubscribe" if mpi == "openmpi" else "")
        with tempfile.TemporaryDirectory() as folder:
            record = os.path.join(folder, "run.jsonl")
            finished = built.run("watch", "--interval", "0", "--record", record, "--", "sh", "-c", script.format(mpiexec=words, program=program))
            self.assertEqual(finished.returncode, 0, finished.stderr)
            told = [json.loads(line) for line in pathlib.Path(record).read_text(encoding="utf-8").splitlines()]
        return ([line for line in finished.stdout.splitlines() if re.match("[0-9]+ launches|Launch .* ranks?, ", line)],
                [each["launch"] for each in told if each["message"] == "hello"])

    def test_two_launches_one_after_the_other_and_at_once(self):
        for mpi in ("mpich", "openmpi"):
            for script in ("{mpiexec} -n 2 {program}; {mpiexec} -n 3 {program}", "{mpiexec} -n 2 {program} & {mpiexec} -n 3 {program}; wait"):
                with self.subTest(mpi=mpi, script=script):
                    lines, launches = self.watched(mpi, script)
                    self.assertEqual([line.partition(",")[0] for line in lines[:1]], ["2 launches"])
                    self.assertEqual(sorted(re.search("[23] ranks", line)[0] for line in lines[1:]), ["2 ranks", "3 ranks"])
                    self.assertEqual(sorted(map(launches.count, set(launches))), [2, 3])

    def test_a_shell_around_each_rank_changes_nothing(self):
        for mpi in ("mpich", "openmpi"):
            with self.subTest(mpi):
                lines, launches = self.watched(mpi, "{mpiexec} -n 2 sh -c '{program}; true'")
                self.assertEqual((lines, len(set(launches))), ([], 1))


if __name__ == "__main__":
    unittest.main()
