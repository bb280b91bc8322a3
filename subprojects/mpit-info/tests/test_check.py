# What `mpit-info check` finds: no fault in the miniature runtime, each defect that a layer adds to it, and those of real MPIs.

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import built
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info.check import program, suite  # noqa: E402

RUNTIME = pathlib.Path(os.environ["MPIT_INFO_LOAD"]).parent
LIBRARY = RUNTIME / "libmpi_abi.so.1"
DEFECTS = pathlib.Path(os.environ["MPIT_INFO_PROGRAMS"]) / "defects.so"
# The defects of programs/defects.c, and the check that finds each.
FOUND_BY = {
    "wrong level": "INIT-05", "never closed": "INIT-03", "wrong code": "CVAR-02", "no null": "STR-01", "length of the part": "STR-02",
    "written at length 0": "STR-06", "float": "DT-01", "no such verbosity": "VERB-02", "no such scope": "CVAR-06", "prefix of a name": "STR-11",
    "hangs": "CVAR-13", "write is lost": "CVAR-18", "write is not refused": "CVAR-21b", "deprecated code": "DT-12",
    "class is ignored": "PVAR-07b", "one session": "SESS-01", "session is not null": "SESS-04", "crash": "HNDL-01",
    "begins started": "HNDL-02", "handle is not null": "HNDL-04", "any session": "HNDL-05", "all is refused": "HNDL-12",
    "continuous is started": "PVAR-09", "never stops": "HNDL-08", "reset is lost": "PCLASS-10c", "read-only is reset": "PVAR-08",
    "one byte more": "HNDL-15", "one member more": "CAT-02", "beyond the list": "CAT-09", "always changed": "CAT-14",
    "displacement": "EVT-07", "no info": "EVT-09", "any element": "EVT-30b", "freed twice": "EVT-35",
}


def run(*words, environment=None, folder=None):
    """The tool with these words."""
    return subprocess.run(tool.command("check", *map(str, words)), check=False, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", cwd=folder,
                          env=tool.environment(**built.AS_ROOT, **(environment or {})))


def over_abi(*words, environment=None, folder=None):
    """The document of the checks that were compiled over the ABI, with the miniature runtime."""
    done = run("--agents", built.FOLDER, "--mpi", LIBRARY, "--json", *words, environment=environment, folder=folder)
    return json.loads(done.stdout), done


class Check(unittest.TestCase):
    def test_the_miniature_runtime_keeps_all_rules(self):
        run_of_all, done = over_abi("--", "env")
        wrong = [(check["name"], check["seen"]) for check in run_of_all["checks"] if check["verdict"] not in ("passed", "open", "nothing")]
        self.assertEqual([wrong, done.returncode], [[], 0])
        nothing = {check["name"] for check in run_of_all["checks"] if check["verdict"] == "nothing"}
        # It has one process, no constant control variable, and its descriptions are all there.
        self.assertLessEqual(len(nothing), 12, nothing)
        self.assertGreater(len(run_of_all["checks"]), 190)

    def test_each_defect_of_a_layer_is_found_and_shown_by_a_program(self):
        source = (pathlib.Path(__file__).resolve().parent / "programs" / "defects.c").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r'is\("([^"]+)"\)', source)), set(FOUND_BY))
        with tempfile.TemporaryDirectory() as folder:
            for defect, check in FOUND_BY.items():
                with self.subTest(defect):
                    found, done = over_abi("--preload", DEFECTS, "--name", check, "--limit", "5", "--programs", folder,
                                           environment={"MPIT_INFO_DEFECT": defect})
                    one, = found["checks"]
                    self.assertIn(one["verdict"], ("failed", "crashed", "hung"), one)
                    self.assertEqual([one["kind"], done.returncode], ["required", 1])
                    self.shows(pathlib.Path(folder) / f"{check.lower()}.c", defect)
        found, done = over_abi("--preload", DEFECTS, *(word for check in FOUND_BY.values() for word in ("--name", check)))
        self.assertEqual([{check["verdict"] for check in found["checks"]}, done.returncode], [{"passed"}, 0])

    def shows(self, path, defect):
        """Checks that a program of at most 30 lines shows a defect: it does not judge, but prints or ends otherwise than without the defect."""
        text = path.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), 30, text)
        done = subprocess.run([RUNTIME / "mpicc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable", "-Werror",
                               path, "-o", path.with_suffix("")], check=False, capture_output=True, encoding="utf-8")
        self.assertEqual([done.returncode, done.stderr], [0, ""], text)
        if defect != "hangs":
            shown = [subprocess.run([path.with_suffix("")], check=False, capture_output=True, encoding="utf-8",
                                    env={**os.environ, "MPIT_INFO_DEFECT": each, "LD_PRELOAD": str(DEFECTS)}) for each in (defect, "none")]
            self.assertNotEqual(*((each.returncode, each.stdout) for each in shown), text)

    def test_a_variable_that_ends_the_process_is_left_out_of_the_other_checks(self):
        with tempfile.TemporaryDirectory() as folder:
            found, _ = over_abi("--preload", DEFECTS, "--name", "HNDL-*", "--name", "PVAR-*", environment={"MPIT_INFO_DEFECT": "crash"}, folder=folder)
            self.assertEqual(os.listdir(folder), [])
        verdicts = {check["name"]: check["verdict"] for check in found["checks"]}
        self.assertEqual(verdicts.pop("HNDL-01"), "crashed")
        self.assertEqual({name for name, verdict in verdicts.items() if verdict in ("failed", "crashed", "hung")}, set())
        one, = [check for check in found["checks"] if check["name"] == "HNDL-01"]
        self.assertIn("performance variable 3, ", one["at"])
        self.assertIn("SIGABRT", one["seen"])

    def test_the_program_of_a_check_of_threads_is_its_function(self):
        for check in suite.checks():
            if check.source:
                text = program.text(check, [], [], [], "", "seen")
                with self.subTest(check.name), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "program.c"
                    path.write_text(text, encoding="utf-8")
                    self.assertLessEqual(len(text.splitlines()), 30, text)
                    done = subprocess.run([RUNTIME / "mpicc", "-std=gnu99", "-Wall", "-DHAS_CODES_OF_MPI_4=1", path, "-o", path.with_suffix(""), "-pthread"],
                                          check=False, capture_output=True, encoding="utf-8")
                    self.assertEqual([done.returncode, done.stderr], [0, ""], text)

    def test_each_check_has_a_comment_and_a_name_of_its_own(self):
        checks = suite.checks()
        sources = "".join(path.read_text(encoding="utf-8") for path in suite.folder().glob("*.c"))
        self.assertEqual(sorted(suite.function(check.name) for check in checks), sorted(re.findall(r"^CHECK(?:_EACH)?\((\w+)", sources, re.MULTILINE)))
        self.assertEqual(len({check.name for check in checks}), len(checks))
        for check in checks:
            self.assertTrue(check.rule.endswith("."), check)

    def test_tap_and_junit_have_every_check_and_a_report_what_is_broken(self):
        with tempfile.TemporaryDirectory() as folder:
            stored = pathlib.Path(folder) / "run.json"
            run("--agents", built.FOLDER, "--mpi", LIBRARY, "--json", "--preload", DEFECTS, "--name", "CVAR-*", "--output", stored,
                environment={"MPIT_INFO_DEFECT": "no such scope"})
            checks = json.loads(stored.read_text(encoding="utf-8"))["checks"]
            tap = run("--from", stored, "--tap").stdout.splitlines()
            self.assertEqual(tap[1], f"1..{len(checks)}")
            self.assertEqual([line.split()[2 if line.startswith("ok") else 3:][1] for line in tap if re.match("(not )?ok", line)],
                             [check["name"] for check in checks])
            self.assertEqual(sum(line.startswith("not ok") for line in tap), sum(check["verdict"] in ("failed", "crashed") for check in checks))
            suites = xml.fromstring(run("--from", stored, "--junit").stdout)
            self.assertEqual([int(suites.get("tests")), len(suites.findall("testcase"))], [len(checks), len(checks)])
            self.assertIn("MPI_T_cvar_get_info", "".join(each.text for each in suites.iter("failure")))
            report = run("--from", stored, "--markdown").stdout
            self.assertEqual(re.findall("^## (CVAR-06)", report, re.MULTILINE), ["CVAR-06"])
            self.assertEqual(report.count("```c\n#include <mpi.h>"), report.count("\n## "))
            table = run("--from", stored)
            self.assertEqual(table.returncode, 1)
            self.assertIn("its scope is 4711", table.stdout)

    def test_a_page_compares_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for defect, *mpi in (("no such scope", "--agents", built.FOLDER, "--mpi", LIBRARY), ("none", "--mpicc", RUNTIME / "mpicc")):
                files.append(pathlib.Path(folder) / f"{len(files)}.json")
                run(*mpi, "--json", "--preload", DEFECTS, "--name", "CVAR-0*", "--output", files[-1],
                    environment={"MPIT_INFO_DEFECT": defect})
            page = pathlib.Path(folder) / "page.html"
            done = run("--from", files[0], "--from", files[1], "--report", page)
            self.assertEqual([done.returncode, done.stderr], [1, ""])
            text = page.read_text(encoding="utf-8")
            row = re.search(r"CVAR-06<br>.*?</tr>", text, re.DOTALL)[0]
            self.assertEqual(re.findall(r'class="verdict (\w+)"', row), ["failed", "passed"])
            self.assertIn("#include &lt;mpi.h&gt;", row)
            self.assertEqual(re.findall("</b>, over (.*?)[.] ", text), ["the ABI of MPI-5.0", "a header of MPI-5.0, by mpicc"])

    def test_refusals(self):
        for words, sentence in ((["--mpi", "nothere"], "there is no mpicc.nothere"), (["--name", "XYZ"], "no check has such a name"),
                                (["--mpi", "not/there.so"], "there is no library not/there.so"),
                                (["--from", "/dev/null"], "is not a document of `mpit-info check --json`"),
                                (["--from", "a", "--from", "b"], "needs --report"), (["--from", "a", "--mpi", "mpich"], "takes the place of a run")):
            with self.subTest(words):
                done = run(*words)
                self.assertIn(sentence, done.stderr)
                self.assertIn(done.returncode, (1, 2))


class RealMPI(unittest.TestCase):
    """With the compiler of an MPI. The defects are those that its releases have."""

    def of(self, name, *checks):
        """The verdicts of checks."""
        if not shutil.which(f"mpicc.{name}"):
            self.skipTest(f"there is no mpicc.{name}")
        done = run("--mpi", name, "--json", *(word for check in checks for word in ("--name", check)))
        return {check["name"]: check["verdict"] for check in json.loads(done.stdout)["checks"]}

    def test_two_processes_of_mpich_describe_their_variables_equally(self):
        found = self.of("mpich", "CVAR-08", "PVAR-11", "CAT-05", "CVAR-09")
        self.assertEqual(found, {"CVAR-08": "passed", "PVAR-11": found["PVAR-11"], "CAT-05": "passed", "CVAR-09": "passed"})
        self.assertIn(found["PVAR-11"], ("passed", "nothing"))

    def test_two_processes_of_openmpi_describe_their_variables_equally(self):
        self.assertEqual(set(self.of("openmpi", "CVAR-08", "PVAR-11", "CAT-05", "CVAR-09").values()), {"passed"})


if __name__ == "__main__":
    unittest.main()
