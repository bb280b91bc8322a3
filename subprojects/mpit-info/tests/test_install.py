"""The tool as a package: the wheel, Python 3.9, the manual page, completion, a pager, and agents that are missing."""

import ast
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

import built
import samples
import tool

PACKAGE = tool.FRONT / "mpit_info"


def output_of(*words, folder=None, **variables):
    return subprocess.run(words, env=tool.environment(**variables), cwd=folder, text=True, timeout=120, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=True).stdout


def wheel_in(folder, **variables):
    """A wheel that was built in a copy of the tree of its sources."""
    if not all(importlib.util.find_spec(name) for name in ("pip", "setuptools", "wheel")):
        raise unittest.SkipTest("pip, setuptools or wheel is missing")
    shutil.copytree(tool.FRONT, os.path.join(folder, "subprojects", "mpit-info"))
    shutil.copytree(tool.FRONT.parent.parent / "include", os.path.join(folder, "include"))
    output_of(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", "wheels",
              "subprojects/mpit-info", folder=folder, **variables)
    wheel, = pathlib.Path(folder, "wheels").glob("mpit_info-*.whl")
    return wheel


class Packages(unittest.TestCase):
    def test_every_module_is_in_the_grammar_of_python_3_9(self):
        for path in PACKAGE.glob("*.py"):
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))

    def test_no_interpreter_is_fixed(self):
        self.assertEqual((tool.FRONT / "mpit-info").read_text(encoding="utf-8").splitlines()[0], "#!/usr/bin/env python3")

    def test_a_wheel_runs_alone_and_brings_the_sources_of_the_agents(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = wheel_in(folder)
            self.assertTrue(wheel.name.endswith("-py3-none-any.whl"))
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(os.path.join(folder, "unpacked"))
            document = pathlib.Path(folder, "document.json")
            document.write_text(json.dumps(samples.document()), encoding="utf-8")
            inside = {"folder": os.path.join(folder, "unpacked"), "PYTHONPATH": ""}
            # Without site packages there is no rich, which only the tree and watch need.
            python = (sys.executable, "-S", "-c", "import sys; from mpit_info.__main__ import run; sys.exit(run())")
            self.assertRegex(output_of(*python, "--version", **inside), r"^mpit-info \d+\.\d+\.\d+\n$")
            self.assertIn("MYMPI_EAGER_LIMIT", output_of(*python, "--from", str(document), **inside))
            place, include = output_of(*python[:3], "from mpit_info.build_agent import sources; print(*sources())", **inside).split()
            self.assertTrue(place.endswith("mpit_info/sources") and include.endswith("mpit_info/sources/include"))
            self.assertTrue(os.path.exists(os.path.join(folder, "unpacked", "mpit_info", "mpit-info.1")))
            self.assertEqual([path.name for path in pathlib.Path(folder, "unpacked").glob("*.data/data/include/mpit-info/*")], ["regions.h"])

    def test_a_wheel_with_agents_lists_and_watches_without_a_compiler(self):
        if not built.mpis():
            self.skipTest("mpich and openmpi are missing")
        with tempfile.TemporaryDirectory() as folder:
            wheel = wheel_in(folder, MPIT_INFO_PACKED=built.FOLDER)
            self.assertRegex(wheel.name, r"-py3-none-(many)?linux_\w+\.whl$")
            output_of(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", os.path.join(folder, "site"), str(wheel))
            inside = {"PYTHONPATH": os.path.join(folder, "site"), "PATH": f"{folder}/site/bin:{os.environ['PATH']}", "XDG_CACHE_HOME": folder,
                      "CC": "false", "CXX": "false", **built.AS_ROOT}
            for mpi in built.mpis():
                with self.subTest(mpi):
                    self.assertIn("after MPI_Init", output_of("mpit-info", "--mpi", mpi, **inside))
                    program = os.path.join(os.environ["MPIT_INFO_PROGRAMS"], f"calls-{mpi}")
                    watched = output_of("mpit-info", "watch", "--calls", "yes", "--variable", "*_calls", program, **inside)
                    self.assertIn("send_calls", watched)

    def test_the_name_of_a_wheel_has_the_processor_and_the_newest_glibc_that_its_agents_need(self):
        if not importlib.util.find_spec("setuptools"):
            self.skipTest("setuptools is missing")
        script = ("import runpy, sys, setuptools\n"
                  "setuptools.setup = lambda **settings: print(settings['options']['bdist_wheel']['plat_name'])\n"
                  "runpy.run_path(sys.argv[1])")
        for texts, platform in (((b"\x3e\0...GLIBC_2.2.5\0GLIBC_2.14\0", b"\x3e\0"), "manylinux_2_17_x86_64"),
                                ((b"\xb7\0...GLIBC_2.17\0", b"\xb7\0...GLIBC_2.34\0GLIBC_2.17\0"), "manylinux_2_34_aarch64"),
                                ((b"\x3e\0...GLIBC_2.36\0", b"\x3e\0...\0libstdc++.so.6\0"), "linux_x86_64")):
            with self.subTest(platform), tempfile.TemporaryDirectory() as folder:
                for number, text in enumerate(texts):
                    pathlib.Path(folder, f"{number}.so").write_bytes(bytes(18) + text)
                self.assertEqual(output_of(sys.executable, "-c", script, tool.FRONT / "setup.py", MPIT_INFO_PACKED=folder), f"{platform}\n")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "libmpit-calls.so").write_bytes(bytes(18) + b"\x3e\0...\0sinf\0")
            refused = subprocess.run([sys.executable, "-c", script, tool.FRONT / "setup.py"], env=tool.environment(MPIT_INFO_PACKED=folder),
                                     capture_output=True, text=True, check=False)
        self.assertEqual((refused.returncode, refused.stderr), (1, f"{folder}/libmpit-calls.so exports sinf() and other functions of its compiler\n"))

    def test_a_wheel_is_refused_where_the_directory_of_agents_has_none(self):
        if not importlib.util.find_spec("setuptools"):
            self.skipTest("setuptools is missing")
        with tempfile.TemporaryDirectory() as folder:
            for place, named in ((folder, folder), (f"{folder}/none", f"{folder}/none"), ("", "the directory without a name")):
                refused = subprocess.run([sys.executable, tool.FRONT / "setup.py", "--name"], env=tool.environment(MPIT_INFO_PACKED=place),
                                         cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual((refused.returncode, refused.stderr), (1, f"there are no agents, *.so, in {named}, MPIT_INFO_PACKED\n"))

    def test_without_rich_the_tree_is_refused_with_the_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rich.py").write_text("raise ImportError", encoding="ascii")
            refused = subprocess.run(tool.command("--tree", "--from", "-"), input=json.dumps(samples.document()), text=True,
                                     env={**tool.environment(), "PYTHONPATH": f"{folder}:{tool.FRONT}"}, capture_output=True,
                                     check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, r"^mpit-info: the Python package rich is missing \(apt-get install python3-rich, or pip")


class Help(unittest.TestCase):
    def test_the_manual_page_has_every_option_and_no_mistake(self):
        page = output_of(*tool.command("page"))
        for option in ("--changed", "--openmetrics", "--mpicc", "--to"):
            self.assertIn(option.replace("-", "\\-"), page)
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is missing")
        checked = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=page, text=True, capture_output=True, check=False)
        self.assertEqual(checked.stdout + checked.stderr, "")

    def test_bash_completes_commands_options_and_their_words(self):
        script = output_of(*tool.command("completion", "bash")) + """
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mpit_info; echo "${COMPREPLY[@]}"; }
        try mpit-info wa; try mpit-info watch --rep; try mpit-info export --to c; try mpit-info completion z"""
        self.assertEqual(output_of("bash", "-c", script).splitlines(), ["watch", "--report --replay", "csv caliper", "zsh"])

    def test_fish_and_zsh_accept_their_scripts(self):
        tried = 0
        for shell in filter(shutil.which, ("fish", "zsh")):
            script = output_of(*tool.command("completion", shell))
            tried += subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True, check=True).returncode == 0
        if not tried:
            self.skipTest("fish and zsh are missing")

    def test_a_long_list_on_a_terminal_gets_a_pager_and_a_short_one_none(self):
        for arguments, is_paged in (((), True), (("--name", "MYMPI_EAGER_LIMIT"), False)):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(samples.document(), file)
                file.flush()
                leader, follower = tool.terminal()
                tool.call("--from", file.name, *arguments, stdin=follower, stdout=follower, check=True,
                          variables={"TERM": "xterm", "PAGER": "sed s/^/paged:/", "LINES": "20", "COLUMNS": "80"})
                os.close(follower)
                written = b""
                try:
                    while b"limit" not in written.lower():
                        written += os.read(leader, 65536)
                except OSError:
                    pass
                os.close(leader)
            self.assertEqual(b"paged:" in written, is_paged, arguments)


class MissingAgents(unittest.TestCase):
    def test_an_mpi_without_an_agent_is_named_with_those_that_are_found(self):
        if not built.program("mpich"):
            self.skipTest("mpich is missing")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libmpit-info.so", "mpit-info-index.so", "mpit-info-openmpi.so"):
                if os.path.exists(os.path.join(built.FOLDER, name)):
                    os.symlink(os.path.join(built.FOLDER, name), os.path.join(folder, name))
            for command in ((), ("watch",)):
                finished = tool.call(*command, "--agents", folder, "--", built.program("mpich"))
                self.assertRegex(finished.stderr, r"^mpit-info: no agent for this MPI, MPICH.* \(found: .*; build one with `mpit-info "
                                                  r"build-agent --mpicc mpicc`\)\n$")
            pathlib.Path(folder, "mpit-info-mpich.so").write_bytes(b"of another architecture")
            self.assertRegex(tool.call("--agents", folder, "--", built.program("mpich")).stderr,
                             r"^mpit-info: the agent for this MPI, MPICH.*, could not be loaded; with MPIT_INFO_DEBUG=1 it prints the reason\n$")

    def test_build_agent_builds_an_agent_that_lists_and_counts_calls(self):
        if not built.program("mpich"):
            self.skipTest("mpich is missing")
        if os.environ.get("MPIT_SHORT_TESTS") == "1":
            self.skipTest("20 s of compilation are left out in a short run")
        with tempfile.TemporaryDirectory() as folder:
            compiler = pathlib.Path(folder, "compiler")
            compiler.write_text('#!/bin/sh\nexec c++ "$@" -O0\n', encoding="ascii")
            compiler.chmod(0o755)
            agents = pathlib.Path(folder, "agents")
            agents.mkdir()
            for name in ("libmpit-info.so", "mpit-info-index.so"):  # the others are built
                shutil.copy(os.path.join(built.FOLDER, name), agents)
            finished = tool.call("build-agent", "--mpicc", "mpicc.mpich", "--agents", agents, variables={"CXX": str(compiler)}, timeout=None)
            self.assertEqual(finished.returncode, 0, finished.stderr)
            steps = re.findall(r"^\[(\d)/4\] ([\w.-]+), [0-9.]+ s$", finished.stderr, re.MULTILINE)
            self.assertEqual([number for number, _ in steps], list("1234"))
            self.assertEqual(sorted(file for _, file in steps), ["libmpit-calls.so", "libmpit-regions.so", "mpit-info-calls-mpich.so",
                                                                 "mpit-info-mpich.so"])
            listed = output_of(*tool.command("--agents", agents, "--mpi", "mpich", "--name", "MPIR_CVAR_CH4_*"))
            self.assertIn("MPICH", listed)
            watched = output_of(*tool.command("watch", "--calls", "yes", "--variable", "*_calls", "--agents", agents, "--",
                                              os.path.join(os.environ["MPIT_INFO_PROGRAMS"], "calls-mpich")))
            self.assertIn("send_calls", watched)

    def test_build_agent_refuses_a_compiler_without_an_mpi(self):
        with tempfile.TemporaryDirectory() as folder:
            finished = tool.call("build-agent", "--mpicc", "false", "--agents", folder)
            self.assertEqual((finished.returncode, os.listdir(folder)), (2, []))
        self.assertRegex(finished.stderr, "^mpit-info: false failed: ")

    def wrapper(self, folder, text):
        path = pathlib.Path(folder, "wrapper")
        path.write_text("#!/bin/sh\n" + text, encoding="ascii")
        path.chmod(0o755)
        return path

    def test_a_wrapper_that_answers_anything_is_refused_in_a_sentence_without_what_a_terminal_interprets(self):
        garbage, kind = r"printf '\377\033]0;owned\007\n'", r"printf 'kind mpich\nstandard 3 1\n'"
        for name, text, sentence in (
                ("no kind", garbage, "has none of the binary interfaces"),
                ("a kind that is a path", r"printf 'kind ../../x\nstandard 3 1\n'", "has none of the binary interfaces"),
                ("a standard that is no number", r"printf 'kind mpich\nstandard MPI_VERSION MPI_SUBVERSION\n'",
                 "has none of the binary interfaces"),
                ("an open quote", f"""case $1 in -E) {kind} ;; *) printf "gcc '" ;; esac""", "does not show its flags"),
                ("flags that are no text", f"case $1 in -E) {kind} ;; *) echo gcc -I/x; {garbage} ;; esac", "does not show its flags"),
                ("errors that are no text", f"{garbage} >&2; exit 1", "failed: ")):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                agents = pathlib.Path(folder, "agents")
                finished = tool.call("build-agent", "--mpicc", self.wrapper(folder, text), "--agents", agents, text=False)
                said = finished.stderr.decode()
                self.assertEqual((finished.returncode, os.listdir(agents)), (2, []))
                self.assertRegex(said, "^mpit-info: .*" + sentence)
                self.assertTrue(said.rstrip("\n").isprintable(), said)

    def test_a_terminal_shows_what_is_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mpi.h").write_text("#define OPEN_MPI\n#define MPI_VERSION 3\n#define MPI_SUBVERSION 1\n", encoding="ascii")
            compiler = self.wrapper(folder, f"""case "$*" in *probe.c) exec cc "$@" ;; esac
                for turn in $(seq 600); do [ -e {folder}/go ] || sleep 0.1; done; for last; do :; done; : >"$last" """)
            leader, follower = tool.terminal()
            with subprocess.Popen(tool.command("build-agent", "--mpicc", folder, "--agents", os.path.join(folder, "agents")), stderr=follower,
                                  stdout=subprocess.DEVNULL, env=tool.environment(CC=str(compiler), CXX=str(compiler), COLUMNS="80")) as running:
                os.close(follower)
                shown = b""
                while not re.search(rb"\r\x1b\[Kcompiling mpit-info-calls-openmpi.so \d+ s", shown):
                    shown += os.read(leader, 65536)
                pathlib.Path(folder, "go").touch()
                while b"[6/6]" not in shown:
                    shown += os.read(leader, 65536)
            os.close(leader)
            self.assertEqual(running.returncode, 0)

    def test_an_agent_that_cannot_be_copied_whole_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mpi.h").write_text("#define OPEN_MPI\n#define MPI_VERSION 3\n#define MPI_SUBVERSION 1\n", encoding="ascii")
            compiler = self.wrapper(folder, """case "$*" in *probe.c) exec cc "$@" ;; esac; for last; do :; done; : >"$last" """)
            agents = pathlib.Path(folder, "agents")
            with open(os.path.join(folder, "mpit-info-abi.so"), "wb") as installed:
                installed.truncate(1 << 24)
            script = ("import resource, sys; from mpit_info import agents, main\n"
                      "agents.installed = lambda: [sys.argv[1]]\n"
                      "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 23, 1 << 23))\n"
                      "sys.exit(main.main(['build-agent', '--mpicc', sys.argv[1], '--agents', sys.argv[2]]))")
            finished = subprocess.run([sys.executable, "-c", script, folder, agents], capture_output=True, text=True, check=False,
                                      env=tool.environment(CC=str(compiler), CXX=str(compiler)))
            self.assertIn("File too large", finished.stderr)
            self.assertFalse((agents / "mpit-info-abi.so").exists())

    def test_a_build_that_is_interrupted_leaves_no_file_and_no_compiler(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                agents, there = pathlib.Path(folder, "agents"), pathlib.Path(folder, "there")
                wrapper = self.wrapper(folder, f"sleep 1000 & echo $! > {there}.new; mv {there}.new {there}; wait")
                with subprocess.Popen(tool.command("build-agent", "--mpicc", wrapper, "--agents", agents), env=tool.environment(),
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
                    while not there.exists() and running.poll() is None:
                        time.sleep(0.01)
                    running.send_signal(number)
                    running.communicate(timeout=60)
                self.assertEqual((running.returncode, os.listdir(agents)), (128 + number, []))
                state = pathlib.Path(f"/proc/{int(there.read_text(encoding='ascii'))}/stat")
                end = time.monotonic() + 60
                while state.exists() and " Z " not in state.read_text(encoding="ascii") and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertLess(time.monotonic(), end)
