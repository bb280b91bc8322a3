"""The agents in real programs: the miniature runtime, both MPIs, and libraries that have no function of the standard."""

import itertools
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

import built
import samples
import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import origins  # noqa: E402

LOAD = os.environ.get("MPIT_INFO_LOAD", "")    # a program of the miniature runtime: load <seconds>
ALONE = os.environ.get("MPIT_INFO_ALONE", "")  # a program that has variables, and no MPI
# Words of a command line behind mpiexec.
OPTIONS = {"mpich": ("-genv", "MPIR_CVAR_NOSUCH", "1"), "openmpi": ("--oversubscribe", "--mca", "nonsense_x", "1")}
ENVIRONMENT = {"mpich": {"MPICH_ALLREDUCE_SHORT_MSG_SIZ": "4", "MPICH_CC": "gcc", "OMPI_MCA_nonsense_x": "1"},
               "openmpi": {"OMPI_MCA_btl_tcp_eager_limmit": "4", "OMPI_MCA_plm_slurm_args": "x", "MPIR_CVAR_NOSUCH": "1"}}
SENTENCES = {
    "mpich": ["MPICH_ALLREDUCE_SHORT_MSG_SIZ sets no control variable of this MPI; perhaps MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE is meant.",
              "MPIR_CVAR_NOSUCH sets no control variable of this MPI."],
    "openmpi": ["OMPI_MCA_btl_tcp_eager_limmit sets no control variable of this MPI; perhaps btl_tcp_eager_limit is meant.",
                "nonsense_x sets no control variable of this MPI."]}


def document_of(*arguments):
    """The document that mpit-info writes, checked against its schema where that can be done."""
    finished = built.run("--json", *arguments)
    if finished.returncode != 0:
        raise AssertionError(f"exit status {finished.returncode}: {finished.stderr}")
    document = json.loads(finished.stdout)
    try:
        import jsonschema
    except ImportError:
        return document
    schema = json.loads((tool.FRONT / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    return document


def named(items, name):
    return next(each for each in items if each["name"] == name)


@unittest.skipUnless(built.FOLDER, "the agents were not built")
class Agents(unittest.TestCase):
    def test_a_program_of_a_runtime_is_listed_when_its_mpi_has_begun(self):
        document = document_of("--", LOAD, "1")
        self.assertEqual((document["taken"], document["mpi"]["interface"]), ("after MPI_Init", "MPI_T"))
        self.assertEqual(document["mpi"]["version"], [5, 0])
        self.assertEqual(named(document["control_variables"], "MINI_PROTOCOL")["value"], "automatic")
        self.assertEqual(named(document["control_variables"], "MINI_SIZE_BOUNDS")["value"], [1024, 65536])
        self.assertEqual(named(document["performance_variables"], "messages_sent")["value"], 0)
        self.assertEqual(len(named(document["events"], "message_sent")["elements"]), 5)
        self.assertGreater(len(document["categories"]), 5)

    def test_changed_variables_say_what_they_were_and_who_has_changed_them(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "mini.conf")
            pathlib.Path(file).write_text("MINI_SPIN_COUNT = 250\nMINI_SIZE_BOUNDS = 10, 20\n", encoding="utf-8")
            given = {"MPIT_CONFIGURATION": file, "MINI_PROTOCOL": "eager", "MINI_BLOCK_SECONDS": "0.25"}
            document = document_of("--changed", "--", "env", *(f"{name}={value}" for name, value in given.items()), LOAD, "1",
                                   "--mpit", "MINI_COPY_PIECE=512")
        told = {each["name"]: (each["value"], each["default"], each["origin"], each["place"])
                for each in document["control_variables"]}
        self.assertEqual(told, {
            "MINI_SPIN_COUNT": (250, 100, "configuration", f"{file}:1"),
            "MINI_SIZE_BOUNDS": ([10, 20], [1024, 65536], "configuration", f"{file}:2"),
            "MINI_COPY_PIECE": (512, 0, "command_line", "argument 3"),
            "MINI_PROTOCOL": ("eager", "automatic", "environment", None),
            "MINI_BLOCK_SECONDS": (0.25, 0.1, "environment", None)})

    def test_counts_and_sums_of_events_are_exact_although_few_instances_are_sent(self):
        lines, finished = built.recorded("--rate", "5", "--event", "message_sent", "--variable", "*_sent", "--", LOAD, "1")
        names = [column["name"] for column in next(line for line in lines if line["message"] == "columns")["columns"]]
        values = dict(zip(names, [line for line in lines if line["message"] == "sample"][-1]["values"]))
        counts = [line for line in lines if line["message"] == "counts"][-1]
        self.assertLess(sum(line["message"] == "event" for line in lines), counts["count"])
        self.assertEqual(counts["count"], values["messages_sent"])
        self.assertEqual(counts["elements"]["bytes"]["sum"], values["bytes_sent"])
        for element in counts["elements"].values():
            self.assertEqual(sum(count for _, count in element["bins"]), counts["count"])
        self.assertIn("message_sent.bytes", finished.stdout)

    def test_events_of_a_newer_open_mpi_are_read_by_an_agent_that_was_built_with_an_older_header(self):
        given = {"LD_PRELOAD": built.sample("events-openmpi.so")}
        document = json.loads(built.run("--json", "--kind", "events", "--", built.sample("calls-openmpi"), variables=given).stdout)
        if document["mpi"]["version"] >= [4, 0]:
            self.skipTest("this Open MPI has events of its own")
        self.assertEqual([(each["name"], [element["type"] for element in each["elements"]]) for each in document["events"]],
                         [("barrier", ["unsigned_long"])])
        self.assertEqual([each["ordering"] for each in document["sources"]], ["unordered"])
        lines, finished = built.recorded("--event", "barrier", "--", built.sample("calls-openmpi"), variables=given)
        self.assertEqual([line["values"] for line in lines if line["message"] == "event"], [{"0": 1}])
        self.assertIn("barrier.0", finished.stdout)

    def test_of_open_mpi_6_every_use_of_the_tool_interface_is_ended_before_the_end_of_the_mpi(self):
        for command in ((), ("--at", "end"), ("watch",)):
            finished = built.run(*command, "--", built.sample("calls-openmpi"), variables={"LD_PRELOAD": built.sample("uses-openmpi.so")})
            self.assertEqual((finished.returncode, finished.stderr), (0, "0 uses\n"), command)

    def test_of_open_mpi_6_the_uses_of_each_agent_are_ended_once(self):
        """The agent begins three times in one process, as with sessions that follow each other."""
        script = (
            "import ctypes, sys\n"
            "finder = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)\n"
            "all_of_process = ctypes.CDLL(None)\n"
            "all_of_process.dlsym.argtypes, all_of_process.dlsym.restype = [ctypes.c_void_p, ctypes.c_char_p], ctypes.c_void_p\n"
            "find = finder(lambda name: all_of_process.dlsym(None, name))\n"
            "all_of_process.MPI_Init(None, None)\n"
            "all_of_process.MPI_T_init_thread(0, ctypes.byref(ctypes.c_int()))\n"
            "agent = ctypes.CDLL(sys.argv[1])\n"
            "for _ in range(3):\n"
            "    print(agent.mpit_info_use(find), agent.mpit_info_begin(b'after MPI_Init'), agent.mpit_info_end(b'at MPI_Finalize'))\n"
            "all_of_process.MPI_Finalize()\n")
        finished = subprocess.run([sys.executable, "-c", script, os.path.join(built.FOLDER, "mpit-info-openmpi.so")], text=True, timeout=120,
                                  env=tool.environment(**built.AS_ROOT, LD_PRELOAD=built.sample("uses-openmpi.so")), capture_output=True,
                                  check=False)
        # That of the program is left.
        self.assertEqual((finished.returncode, finished.stderr), (0, "1 uses\n"), finished.stdout)

    def test_at_its_end_the_counters_have_counted(self):
        finished = built.run("--at", "end", "--json", "--", LOAD, "1")
        document = json.loads(finished.stdout)
        self.assertEqual(document["taken"], "at MPI_Finalize")
        sent, received = (named(document["performance_variables"], f"messages_{what}")["value"] for what in ("sent", "received"))
        self.assertGreater(sent, 100)
        self.assertEqual(sent, received)

    def test_a_library_without_functions_of_the_standard_is_read_through_the_index(self):
        document = document_of("--", ALONE)
        self.assertEqual((document["taken"], document["mpi"]["interface"]), ("at exit", "index"))
        self.assertEqual(document["mpi"]["rank"], -1)
        self.assertEqual(len(document["performance_variables"]), 5)

    def test_variables_that_were_described_after_the_start_are_listed_at_the_end(self):
        for options, words in itertools.product(((), ("--at", "end")), ((), ("later",))):
            document = document_of(*options, "--", built.sample("described"), *words)
            self.assertEqual((document["taken"], document["mpi"]["interface"]), ("at exit", "index"))
            self.assertEqual(named(document["control_variables"], "DESCRIBED_LIMIT")["value"], 7)

    def test_a_sum_or_watermark_that_begins_at_the_end_has_no_value(self):
        for options in ((), ("--at", "end")):
            document = document_of(*options, "--", built.sample("described"))
            told = {each["name"]: (each["value"], each.get("problem")) for each in document["performance_variables"]}
            late = (None, "no value: counting began at the end")
            self.assertEqual(told.pop("described_queued"), (3, None))
            self.assertEqual(told, {"described_sent": late, "described_longest": late, "described_work": late})
        finished = built.run("--at", "end", "--", built.sample("described"))
        self.assertRegex(finished.stdout, r"described_sent +\(no value: counting began at the end\)")
        self.assertEqual(finished.stderr, "mpit-info: 3 performance variables came after the start and counted nothing before the end; "
                                          "mpit-info watch counts from then on\n")

    def test_a_shell_on_the_way_to_the_program_is_not_listed(self):
        finished = built.run("--json", "--", "sh", "-c", f"true; {LOAD} 1; true")
        self.assertEqual(len(json.loads(finished.stdout)["control_variables"]), 16)

    def test_processes_of_other_machines_come_through_a_port_and_show_their_token(self):
        document = document_of("--listen", "127.0.0.1", "--", LOAD, "1")
        self.assertEqual(len(document["control_variables"]), 16)

    def test_whoever_has_no_token_is_not_heard(self):
        intruder = ("import os, socket, sys\n"
                    "host, port, token = os.environ['MPIT_INFO_SOCKET'][4:].split('/')\n"
                    "sent = '{\"message\":\"token\",\"token\":\"%s\"}\\n{\"message\":\"snapshot\",\"document\":{}}\\n' % token[:-1]\n"
                    "other = socket.create_connection((host, int(port)))\n"
                    "other.sendall(sent.encode())\n"
                    "os.execv(sys.argv[1], sys.argv[1:])\n")
        document = document_of("--listen", "127.0.0.1", "--", sys.executable, "-c", intruder, LOAD, "1")
        self.assertEqual(document["program"][0], LOAD)

    def begun_with(self, request, serve):
        """The program with an agent and this request, and a tool that does with the socket what is said; status and output."""
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(os.path.join(folder, "socket"))
            listening.listen()
            given = {"LD_PRELOAD": os.path.join(built.FOLDER, "libmpit-info.so"), "MPIT_INFO_AGENTS": built.FOLDER,
                     "MPIT_INFO_SOCKET": os.path.join(folder, "socket"), "MPIT_INFO_REQUEST": request}
            with subprocess.Popen([LOAD, "0.2"], env={**tool.environment(), **given}, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT) as running:
                serve(listening)
                printed, _ = running.communicate(timeout=60)
        return running.returncode, printed

    def test_only_a_request_that_says_so_ends_a_program(self):
        alone = subprocess.run([LOAD, "0.2"], text=True, stdout=subprocess.PIPE, timeout=60, check=False)
        for request in ("", "no JSON", "[]", "{}", '{"want":"snapshot"}', '{"want":"watch","rate":Infinity}', '{"want":7,"at":[]}'):
            self.assertEqual(self.begun_with(request, lambda _: None), (alone.returncode, alone.stdout), request)

    def test_a_tool_that_goes_away_is_not_noticed_by_the_program(self):
        alone = subprocess.run([LOAD, "0.2"], text=True, stdout=subprocess.PIPE, timeout=60, check=False)
        watch = '{"want":"watch","rate":1000,"variables":["*"],"events":["*"]}'
        for serve in (lambda listening: listening.accept()[0].close(), lambda listening: listening.close()):
            self.assertEqual(self.begun_with(watch, serve), (alone.returncode, alone.stdout))

    def test_a_name_that_is_not_of_this_machine_is_refused(self):
        finished = built.run("--listen", "192.0.2.1", "--", LOAD, "1")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("cannot listen on 192.0.2.1", finished.stderr)

    def test_a_program_without_variables_is_explained(self):
        finished = built.run("--", "true")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("sent nothing", finished.stderr)

    def test_patterns_of_watched_variables_do_not_mind_the_case_of_letters(self):
        finished = built.run("watch", "--variable", "MESSAGES_S*", "--", LOAD, "1")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertIn("messages_sent", finished.stdout)
        self.assertNotIn("messages_received", finished.stdout)

    def test_a_watched_program_is_sampled_at_its_rate(self):
        for seconds in (2, 20, 60):  # a machine with other work to do may take fewer samples than were asked for
            told, _ = built.recorded("--rate", "20", "--", LOAD, str(seconds))
            samples = [each for each in told if each.get("message") == "sample"]
            if len(samples) > 10:
                break
        columns = next(each for each in told if each.get("message") == "columns")["columns"]
        sent = [each["name"] for each in columns].index("messages_sent")
        self.assertGreater(len(samples), 10)
        self.assertGreater(samples[-1]["values"][sent], samples[0]["values"][sent])
        self.assertTrue(all(a["values"][sent] <= b["values"][sent] for a, b in zip(samples, samples[1:])))
        end = next(each for each in told if each.get("message") == "end")
        self.assertLessEqual(len(samples), 20 * end["time"] + 2)


@unittest.skipUnless(built.FOLDER, "the agents were not built")
class RealMPIs(unittest.TestCase):
    def check(self, mpi, least, name):
        if not built.program(mpi):
            self.skipTest(f"{mpi} is not installed")
        document = document_of("--mpi", mpi)
        # The program that was run is not one of the user's.
        self.assertEqual((document["program"], document["taken"]), ([], "after MPI_Init"))
        self.assertGreater(len(document["control_variables"]), least)
        self.assertTrue(any(each["name"].startswith(name) for each in document["control_variables"]))
        read = [each for each in document["control_variables"] if each["value"] is not None]
        self.assertGreater(len(read), least)
        self.assertGreater(len(document["categories"]), 10)
        return document

    def test_mpich_is_listed(self):
        self.assertEqual(self.check("mpich", 300, "MPIR_CVAR_")["holes"], [])

    def test_open_mpi_is_listed_with_its_holes(self):
        self.check("openmpi", 700, "btl_")

    def test_without_a_program_an_installed_mpi_is_read_and_by_its_path_any(self):
        libraries = {"mpich": "libmpich.so.12", "openmpi": "libmpi.so.40"}
        for mpi in built.mpis():
            with self.subTest(mpi):
                loader = subprocess.run(["ldd", built.program(mpi)], capture_output=True, text=True, check=True).stdout
                path, = (line.split()[2] for line in loader.splitlines() if line.split()[0] == libraries[mpi])
                of_path, of_name = document_of("--mpi", path, "--at", "end"), document_of("--mpi", mpi)
                self.assertEqual((of_path["mpi"]["library"], of_path["taken"]), (of_name["mpi"]["library"], "at MPI_Finalize"))
        if built.mpis():
            self.assertIn(document_of()["mpi"]["library"], [document_of("--mpi", mpi)["mpi"]["library"] for mpi in built.mpis()])

    def test_an_mpi_that_is_not_there_is_refused_with_the_remedy(self):
        for mpi, sentence in (("nobody", "unknown MPI nobody; --mpi accepts mpich, openmpi, abi, or the path of a library: /opt/mpi/lib/libmpi.so"),
                              ("/none/libmpi.so", "there is no MPI /none/libmpi.so that can be loaded; --mpi /opt/mpi/lib/libmpi.so names "
                                                  "another one")):
            finished = built.run("--mpi", mpi)
            self.assertEqual((finished.returncode, finished.stderr), (2, f"mpit-info: {sentence}\n"))

    def test_a_library_that_is_no_mpi_is_named_with_the_reason(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as garbage:
            garbage.write(b"garbage" * 1000)
            garbage.flush()
            finished = built.run("--mpi", garbage.name)
            self.assertEqual((finished.returncode, finished.stderr.splitlines()), (2, [
                f"mpit-info: {garbage.name}: invalid ELF header",
                f"mpit-info: there is no MPI {garbage.name} that can be loaded; --mpi /opt/mpi/lib/libmpi.so names another one"]))
        library = tool.loaded_library()
        finished = built.run("--mpi", library)
        self.assertEqual((finished.returncode, finished.stderr), (2, f"mpit-info: {library} sent nothing (exit status 16): it is not the library "
                                                                     "of an MPI, or its start failed\n"))

    def test_a_document_asks_for_each_description_once(self):
        for mpi in built.mpis():
            with self.subTest(mpi):
                finished = built.run("watch", "--interval", "0", "--", built.sample(f"asked-{mpi}"))
                # Two documents; each time the sizes of the texts come first.
                self.assertIn("asked 4 times\n", finished.stdout)

    def test_variables_of_a_library_beside_an_mpi_are_listed_behind_those_of_the_mpi(self):
        for mpi, limit, category in (("mpich", "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", "COLLECTIVE"),
                                     ("openmpi", "btl_self_eager_limit", "opal_btl_self")):
            with self.subTest(mpi):
                program = built.sample(f"embedding-{mpi}")
                alone, document = document_of("--mpi", mpi), document_of("--", program, "/none")
                for kind in ("control_variables", "performance_variables", "categories"):
                    before = {each["index"]: each["name"] for each in alone[kind]}
                    numbers = [each["index"] for each in document[kind]]
                    self.assertEqual(len(numbers), len(set(numbers)), kind)
                    self.assertEqual({each["index"]: each["name"] for each in document[kind] if each["index"] in before}, before)
                controls = document["control_variables"]
                own = named(controls, "EMBEDDED_LIMIT")
                self.assertEqual((own["value"], own["default"], own["origin"]), (7, 7, "library"))
                mode = named(controls, "EMBEDDED_MODE")
                items = named(document["enumerations"], mode["enumeration"])["items"]
                self.assertEqual((mode["value"], [each["name"] for each in items]), ("loud", ["quiet", "loud"]))
                # A name that both have is that of the MPI.
                self.assertEqual([(each["value"] == -5, each["default"]) for each in controls if each["name"] == limit], [(False, None)])
                self.assertEqual(sum(each["value"] == -5 for each in controls if each["description"] == "Not that of the MPI"), 1)
                performances = {each["name"]: each for each in document["performance_variables"]}
                self.assertEqual(performances["embedded_depth"]["value"], 3)
                self.assertEqual(len(named(document["events"], "embedded_transfer")["elements"]), 1)
                # A category that both have is one, with the members of both.
                both, = [each for each in document["categories"] if each["name"] == category]
                member = performances["embedded_calls" if mpi == "mpich" else "embedded_sends"]["index"]
                self.assertEqual(both["performances"].count(member), 1)
                self.assertEqual(both["controls"], named(alone["categories"], category)["controls"])
                self.assertGreater(len(both["controls"]), 3)

    def check_second_rank(self, *options):
        for mpi in built.mpis():
            with self.subTest(mpi):
                document = document_of(*options, "--rank", "1", "--", *built.ranks(mpi, 2, built.program(mpi)))
                self.assertEqual((document["mpi"]["rank"], document["mpi"]["processes"]), (1, 2))

    def test_no_agent_needs_a_symbol_of_an_mpi_which_may_be_invisible(self):
        # The checks of an MPI call its functions.
        for file in set(pathlib.Path(built.FOLDER).glob("*.so")) - {pathlib.Path(built.FOLDER) / "libmpit-checks-abi.so"}:
            with self.subTest(file.name):
                needed = subprocess.run(["nm", "-D", "--undefined-only", "--format=just-symbols", str(file)], text=True, check=True,
                                        stdout=subprocess.PIPE).stdout
                self.assertIsNone(re.search(r"^(P?MPIX?_|ompi_|MPIR_).*", needed, re.MULTILINE))

    def test_all_ranks_tell(self):
        self.check_second_rank()

    def test_all_ranks_come_through_a_port(self):
        self.check_second_rank("--listen", "127.0.0.1")


class Origins(unittest.TestCase):
    """Origins and defaults of the control variables of MPIs that provide neither: the environment, files, the launcher."""

    def changed(self, *arguments, mpi, **variables):
        if not built.program(mpi):
            self.skipTest(f"{mpi} is missing")
        finished = built.run("--changed", "--json", *arguments, variables=variables)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return {each["name"]: (each["value"], each["default"], each["origin"], each["place"])
                for each in json.loads(finished.stdout)["control_variables"]}

    def test_a_variable_of_the_environment_that_mpich_reads_is_the_origin(self):
        told = self.changed("--mpi", "mpich", mpi="mpich", MPICH_ALLREDUCE_SHORT_MSG_SIZE="77")
        self.assertEqual(told, {"MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE":
                                (77, 2048, "environment", "MPICH_ALLREDUCE_SHORT_MSG_SIZE")})

    def test_a_setting_of_mpiexec_is_of_the_command_line(self):
        program = built.program("mpich")
        told = self.changed("--", "mpiexec.mpich", "-genv", "MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE", "78", "-n", "1",
                            str(program), mpi="mpich")
        self.assertEqual(told["MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE"], (78, 2048, "command_line", None))

    def test_files_and_the_environment_of_open_mpi_are_origins_with_their_places(self):
        with tempfile.TemporaryDirectory() as home:
            file = pathlib.Path(home) / ".openmpi" / "mca-params.conf"
            file.parent.mkdir()
            file.write_text("# mine\nbtl_tcp_eager_limit = 4242\nbtl_self_eager_limit = 9\n", encoding="utf-8")
            told = self.changed("--name", "btl_*_eager_limit", "--mpi", "openmpi", mpi="openmpi", HOME=home,
                                OMPI_MCA_btl_self_eager_limit="99")
        self.assertEqual(told, {
            "btl_tcp_eager_limit": (4242, 65536, "configuration", f"{os.path.realpath(home)}/.openmpi/mca-params.conf:2"),
            "btl_self_eager_limit": (99, 1024, "environment", "OMPI_MCA_btl_self_eager_limit")})

    def test_settings_that_set_nothing_are_named_by_watch_and_among_the_changed_ones(self):
        for mpi, options in OPTIONS.items():
            if not built.program(mpi):
                continue
            for words in (("watch", "--interval", "0"), ("--changed",)):
                with self.subTest(mpi=mpi, words=words):
                    finished = built.run(*words, "--", f"mpiexec.{mpi}", *options, "-n", "2", built.program(mpi), variables=ENVIRONMENT[mpi])
                    self.assertEqual(finished.returncode, 0, finished.stderr)
                    self.assertEqual([line for line in finished.stdout.splitlines() if "sets no control" in line], SENTENCES[mpi])
                    own = [line for line in finished.stdout.splitlines() if "launcher" in line and "ess_base_jobid" in line]
                    self.assertEqual(len(own), 1 if mpi == "openmpi" and words == ("--changed",) else 0, own)
                    self.assertNotIn("ranks have different values", finished.stderr)

    def test_what_a_script_exports_is_not_said_to_be_the_launchers(self):
        control = samples.control(0, "btl_self_eager_limit", origin="environment", place="OMPI_MCA_btl_self_eager_limit")
        for command, by in ((["mpiexec", "./x"], "the launcher"), (["sh", "job.sh"], "the launcher or a script")):
            self.assertEqual(origins.of_environment(control, command, {})["place"], f"OMPI_MCA_btl_self_eager_limit, set by {by}")

    def test_a_variable_of_another_component_is_not_taken_for_a_misspelt_one(self):
        document = samples.document(control_variables=[samples.control(0, "btl_self_eager_limit"), samples.control(1, "mca_base_param_files")])
        self.assertEqual(origins.unknown(["OMPI_MCA_btl_tcp_eager_limit", "OMPI_MCA_rmaps_base_x", "OMPI_MCA_PREFIXES", "OMPI_MCA_num_procs", "PMIX_ID"],
                                         document, []),
                         ["OMPI_MCA_btl_tcp_eager_limit sets no control variable of this MPI"])
