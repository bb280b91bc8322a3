"""The module mpit_info.variables in processes with MPICH, with Open MPI and mpi4py, with the miniature runtime, and without an MPI."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import built
import tool
from built import sample

EXAMPLE = tool.FRONT.parent.parent / "examples" / "18-variables.py"
BEGIN = """
import ctypes, sys
from mpit_info import variables
from mpit_info.variables import controls, performances
def refused(attempt, *arguments):
    try:
        attempt(*arguments)
        print("accepted")
    except Exception as problem:
        print(f"{type(problem).__name__}: {problem}")
def set(name, value):
    controls[name].value = value
"""
# The runtime is an MPI-5.0, whose handles are pointers.
RUNTIME = BEGIN + """
mpi = ctypes.CDLL(sys.argv[1])
mpi.MPI_Init(None, None)
world = ctypes.c_void_p(0x101)
"""


def python_with_mpi4py():
    """A Python that has mpi4py over Open MPI."""
    for python in (sys.executable, "/usr/bin/python3"):
        finished = subprocess.run([python, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"], text=True, check=False,
                                  env=tool.environment(**built.AS_ROOT), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if finished.returncode == 0 and finished.stdout.startswith("Open MPI"):
            return python
    raise unittest.SkipTest("mpi4py over Open MPI is not installed (on Debian 12: python3-mpi4py)")


def printed(script, *words, begin=BEGIN, python=sys.executable):
    """What a script prints, which must end with status 0."""
    finished = subprocess.run([python, "-c", begin + textwrap.dedent(script), *words], env=tool.environment(**built.AS_ROOT), text=True,
                              timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if finished.returncode != 0:
        raise AssertionError(f"exit status {finished.returncode}: {finished.stdout}")
    return finished.stdout.splitlines()


class WithoutAnMpi(unittest.TestCase):
    def test_the_module_imports_nothing_outside_of_the_standard_library(self):
        self.assertEqual(printed("print([name for name in ('rich', 'jinja2', 'mpi4py') if name in sys.modules])"), ["[]"])

    def test_a_process_without_an_mpi_and_without_mpit_is_told_so(self):
        self.assertEqual(printed("refused(lambda: len(controls))"),
                         ["Error: no library of this process has the functions MPI_T_*; import mpi4py.MPI, or load one with them, before"])

    def test_a_library_with_mpit_is_read_and_written(self):
        self.assertEqual(printed("""
            kitchen = ctypes.CDLL(sys.argv[1])
            print(list(controls), list(performances))
            stoves = controls["KITCHEN_STOVES"]
            print(stoves, stoves.value, stoves.type.__name__, stoves.scope, stoves.verbosity, stoves.binding, stoves.enumeration)
            stoves.value = 5
            print(stoves.value, stoves.__doc__)
            kitchen.serve(2)
            with performances["dishes"] as dishes:
                kitchen.serve(3)
                print(dishes.value, dishes.variable_class)
            """, sample("functions.so")), [
                "['KITCHEN_STOVES', 'KITCHEN_ORDER'] ['dishes']",
                "<control variable KITCHEN_STOVES> 2 int local user_basic none None",
                "5 Dishes cooked at once",
                "3 counter"])

    def test_an_enumeration_whose_names_python_cannot_have_is_a_number(self):
        self.assertEqual(printed("""
            ctypes.CDLL(sys.argv[1])
            order = controls["KITCHEN_ORDER"]
            print(order.value, order.enumeration)
            order.value = 1
            print(order.value)
            """, sample("functions.so")), ["0 None", "1"])

    def test_an_item_whose_name_the_class_of_an_enumeration_has_is_not_lost(self):
        self.assertEqual(printed("""
            from mpit_info import variable_values
            for name in ("__class__", "__x__", "_missing_", "mro", "eager"):
                print(name, variable_values.choices("protocol", ((name, 0), ("rendezvous", 1), ("also_rendezvous", 1))))
            """), ["__class__ None", "__x__ None", "_missing_ None", "mro None", "eager <enum 'protocol'>"])

    def test_a_variable_of_a_library_that_was_closed_is_an_error_and_stays_one(self):
        self.assertEqual(printed("""
            import _ctypes
            ctypes.CDLL(sys.argv[1])
            print(len(performances))
            plugin = ctypes.CDLL(sys.argv[2])
            print([name for name in performances if name.startswith("first")])
            steps = performances["first_steps"]
            steps.start()
            _ctypes.dlclose(plugin._handle)
            refused(lambda: steps.value)
            steps.close()
            refused(steps.start)
            """, sample("functions.so"), sample("counting-first.so")), [
                "1", "['first_steps', 'first_reads']",
                "Error: first_steps: its object or library does not exist any more (MPI_T_ERR_INVALID_HANDLE)",
                "Error: first_steps: its library does not have it, or is not loaded any more (MPI_T_ERR_INVALID_INDEX)"])

    def test_a_search_leaves_the_count_of_references_of_other_libraries(self):
        self.assertEqual(printed("""
            import _ctypes
            ctypes.CDLL(sys.argv[1])
            plugin = ctypes.CDLL(sys.argv[2])
            print(len(controls))
            _ctypes.dlclose(plugin._handle)
            print(sys.argv[2] in open("/proc/self/maps").read())
            """, sample("functions.so"), sample("counting-first.so")), ["2", "False"])


class OfTheRuntime(unittest.TestCase):
    def check(self, script, *lines):
        self.assertEqual(printed(script, sample("libclosed.so"), begin=RUNTIME), list(lines))

    def test_values_have_the_types_of_python(self):
        self.check("""
            for name in ("MINI_EAGER_LIMIT", "MINI_BLOCK_SECONDS", "MINI_JOB_NAME", "MINI_SIZE_BOUNDS", "MINI_PROTOCOL"):
                print(repr(controls[name].value), controls[name].type.__name__)
            for name in (("unexpected_queue_length", "level"), "buffer_use", "messages_by_size", "queue_summary", "engine_state"):
                with performances[name] as variable:
                    print(repr(variable.value))
            """, "4096 int", "0.1 float", "'miniature' str", "[1024, 65536] int", "<protocol.automatic: 0> int",
                   "0", "0.0", "[0, 0, 0]", "'none unexpected, none posted'", "<engine_state.idle: 1>")

    def test_a_value_with_a_name_is_set_by_the_name_its_member_or_its_number(self):
        self.check("""
            protocol = controls["MINI_COMM_PROTOCOL"].of(world)
            for value in ("eager", protocol.enumeration.rendezvous, 1):
                protocol.value = value
                print(protocol.value, f"{protocol.value:>10}", int(protocol.value), protocol.value == protocol.enumeration["eager"])
            """, "eager      eager 1 True", "rendezvous rendezvous 2 False", "eager      eager 1 True")

    def test_a_wrong_value_is_the_exception_that_python_has_for_it_and_changes_nothing(self):
        self.check("""
            for name, values in {
                    "MINI_EAGER_LIMIT": ["4096", 1.5, None, 2**40, -1],
                    "MINI_SPIN_COUNT": [-1],
                    "MINI_BLOCK_SECONDS": ["0.5", -1],
                    "MINI_JOB_NAME": [3, b"name", "a\\0b", "x" * 64],
                    "MINI_SIZE_BOUNDS": [1, [1], [1, 2, 3], "12", [2, 1], [1, "x"]]}.items():
                before = controls[name].value
                for value in values:
                    refused(set, name, value)
                print(controls[name].value == before)
            refused(lambda: setattr(controls["MINI_COMM_PROTOCOL"].of(world), "value", "egaer"))
            refused(lambda: setattr(controls["MINI_COMM_PROTOCOL"].of(world), "value", 77))
            """, "TypeError: MINI_EAGER_LIMIT takes int, not str", "TypeError: MINI_EAGER_LIMIT takes int, not float",
                   "TypeError: MINI_EAGER_LIMIT takes int, not NoneType",
                   "OverflowError: MINI_EAGER_LIMIT: 1099511627776 is out of the range of its type c_int",
                   "InvalidValue: MINI_EAGER_LIMIT: the value or the call is not valid (MPI_T_ERR_INVALID)", "True",
                   "OverflowError: MINI_SPIN_COUNT: -1 is out of the range of its type c_uint", "True",
                   "TypeError: MINI_BLOCK_SECONDS takes float, not str",
                   "InvalidValue: MINI_BLOCK_SECONDS: the value or the call is not valid (MPI_T_ERR_INVALID)", "True",
                   "TypeError: MINI_JOB_NAME takes str, not int", "TypeError: MINI_JOB_NAME takes str, not bytes",
                   "ValueError: MINI_JOB_NAME takes a text of at most 63 bytes without a null",
                   "ValueError: MINI_JOB_NAME takes a text of at most 63 bytes without a null", "True",
                   "ValueError: MINI_SIZE_BOUNDS takes a list of 2 elements, not 1",
                   "ValueError: MINI_SIZE_BOUNDS takes a list of 2 elements, not [1]",
                   "ValueError: MINI_SIZE_BOUNDS takes a list of 2 elements, not [1, 2, 3]",
                   "ValueError: MINI_SIZE_BOUNDS takes a list of 2 elements, not '12'",
                   "InvalidValue: MINI_SIZE_BOUNDS: the value or the call is not valid (MPI_T_ERR_INVALID)",
                   "TypeError: MINI_SIZE_BOUNDS takes int, not str", "True",
                   "ValueError: MINI_COMM_PROTOCOL takes automatic, eager, rendezvous, not 'egaer'",
                   "InvalidValue: MINI_COMM_PROTOCOL: the value or the call is not valid (MPI_T_ERR_INVALID)")

    def test_a_text_of_the_greatest_length_and_of_bytes_that_are_no_text_comes_back(self):
        self.check("""
            for value in ("", "x" * 63, "äöü", "\\udcff"):
                set("MINI_JOB_NAME", value)
                print(controls["MINI_JOB_NAME"].value == value)
            """, "True", "True", "True", "True")

    def test_what_cannot_be_written_is_a_permission_error(self):
        self.check("""
            for name in ("MINI_ABI_VERSION", "MINI_PROTOCOL", "MINI_BUFFER_LIMIT"):
                refused(set, name, 1)
            try:
                set("MINI_ABI_VERSION", 1)
            except PermissionError as problem:
                print(problem.code, isinstance(problem, variables.Error))
            refused(performances["communicators"].reset)
            refused(lambda: setattr(performances["messages_sent"], "value", 1))
            """, "ReadOnly: MINI_ABI_VERSION: it cannot be set (MPI_T_ERR_CVAR_SET_NEVER)",
                   "ReadOnly: MINI_PROTOCOL: it cannot be set (MPI_T_ERR_CVAR_SET_NEVER)",
                   "ReadOnly: MINI_BUFFER_LIMIT: it cannot be set (MPI_T_ERR_CVAR_SET_NEVER)",
                   "MPI_T_ERR_CVAR_SET_NEVER True",
                   "ReadOnly: communicators: it cannot be written or reset (MPI_T_ERR_PVAR_NO_WRITE)",
                   *printed("""
            class Performance:
                value = property(lambda self: 1)
            refused(lambda: setattr(Performance(), "value", 1))
            """))

    def test_an_unknown_name_is_a_key_error_that_has_the_nearest_name(self):
        self.check("""
            for key in ("MINI_EAGER_LIMT", "nothing like it", 3, ("messages_sent", "counter"), "MINI_EAGER_LIMIT\\0"):
                refused(lambda: controls[key])
                print(key in controls, controls.get(key))
            try:
                controls["MINI_EAGER_LIMT"]
            except KeyError as problem:
                print(problem.code)
            """, "UnknownName: there is no control variable MINI_EAGER_LIMT; perhaps MINI_EAGER_LIMIT is meant", "False None",
                   "UnknownName: there is no control variable nothing like it", "False None",
                   "UnknownName: there is no control variable 3", "False None",
                   "UnknownName: there is no control variable ('messages_sent', 'counter')", "False None",
                   "UnknownName: there is no control variable MINI_EAGER_LIMIT\0; perhaps MINI_EAGER_LIMIT is meant", "False None",
                   "MPI_T_ERR_INVALID_NAME")

    def test_a_name_that_has_no_bytes_is_unknown(self):
        self.check("""
            print("\\ud800" in controls, ("\\ud800", "counter") in performances)
            try:
                controls["\\ud800"]
            except variables.UnknownName as problem:
                print(ascii(str(problem)))
            """, "False False", r"'there is no control variable \ud800'")

    def test_a_name_of_several_classes_needs_the_class(self):
        self.check("""
            refused(lambda: performances["posted_queue_length"])
            print(performances["posted_queue_length", "high_watermark"].variable_class, performances["messages_sent", "counter"])
            print([key for key in performances if key[0] == "posted_queue_length"], len(performances) == len(list(performances)))
            print("posted_queue_length" in performances, ("posted_queue_length", "level") in performances)
            """, "UnknownName: 2 performance variables are named posted_queue_length; use one of "
                   "['posted_queue_length', 'level'], ['posted_queue_length', 'high_watermark']",
                   "high_watermark <performance variable messages_sent>",
                   "[('posted_queue_length', 'level'), ('posted_queue_length', 'high_watermark')] True", "False True")

    def test_a_counter_counts_between_start_and_stop_and_other_sessions_do_not_see_it(self):
        self.check("""
            barrier = lambda: mpi.MPI_Barrier(world)
            first, second = performances["collective_calls"], performances["collective_calls"]
            refused(lambda: first.value)
            first.start(); second.start(); barrier(); barrier()
            print(first.value, second.value)
            first.reset(); first.start(); barrier()
            first.stop(); first.stop(); barrier()
            print(first.value, second.value)
            first.start(); barrier()
            print(first.value, second.value)
            """, "Error: collective_calls counts from start() on, or in a with statement", "2 2", "1 4", "2 5")

    def test_a_session_that_was_freed_is_an_error_until_the_next_start(self):
        self.check("""
            calls = performances["collective_calls"]
            with calls:
                mpi.MPI_Barrier(world)
                print(calls.value)
            refused(lambda: calls.value)
            calls.close()
            calls.start()
            print(calls.value)
            """, "1", "Error: collective_calls counts from start() on, or in a with statement", "0")

    def test_sessions_are_freed_when_nobody_holds_them_and_at_exit_but_not_in_a_forked_child(self):
        self.check("""
            import atexit, os
            interface, freed = variables._mpi(), []
            call = interface.call
            def logged(name, *arguments):
                freed.extend([name] if "free" in name else [])
                return call(name, *arguments)
            interface.call = logged
            atexit.register(lambda: print(freed, flush=True))
            performances["collective_calls"].start()
            print(freed, flush=True)
            freed.clear()
            kept = performances["collective_calls"]
            kept.start()
            child = os.fork()
            if child == 0:
                sys.exit(0)
            print(os.waitpid(child, 0)[1], kept.value, flush=True)
            """, "['pvar_handle_free', 'pvar_session_free']", "[]", "0 0", "['pvar_handle_free', 'pvar_session_free']")

    def test_a_variable_of_an_object_has_its_value_for_each(self):
        self.check("""
            other = ctypes.c_void_p()
            mpi.MPI_Comm_dup(world, ctypes.byref(other))
            of_world = performances["communicator_collectives"].of(world)
            of_other = performances["communicator_collectives"].of(other)
            with of_world, of_other:
                mpi.MPI_Barrier(other)
                print(of_world.value, of_other.value)
                mpi.MPI_Comm_free(ctypes.byref(ctypes.c_void_p(other.value)))
                refused(lambda: of_other.value)
            refused(lambda: performances["communicator_collectives"].start())
            refused(lambda: controls["MINI_COMM_PROTOCOL"].value)
            refused(lambda: controls["MINI_COMM_PROTOCOL"].of("world").value)
            refused(lambda: controls["MINI_COMM_PROTOCOL"].of(ctypes.c_int(7)).value)
            refused(lambda: controls["MINI_COMM_PROTOCOL"].of(ctypes.c_void_p()).value)
            refused(lambda: controls["MINI_COMM_PROTOCOL"].of(ctypes.c_void_p(0x100)).value)
            refused(performances["datatype_messages"].of(ctypes.c_void_p(0x200)).start)
            refused(performances["window_size"].of(ctypes.c_void_p(0x110)).start)
            refused(controls["MINI_EAGER_LIMIT"].of, world)
            """, "0 1", "Error: communicator_collectives: its object or library does not exist any more (MPI_T_ERR_INVALID_HANDLE)",
                   "Error: communicator_collectives belongs to a communicator: use .of(communicator)",
                   "Error: MINI_COMM_PROTOCOL belongs to a communicator: use .of(communicator)",
                   "TypeError: MINI_COMM_PROTOCOL belongs to a communicator, which 'world' is not",
                   "TypeError: MINI_COMM_PROTOCOL belongs to a communicator, which c_int(7) is not",
                   "Error: MINI_COMM_PROTOCOL: the communicator does not exist",
                   "Error: MINI_COMM_PROTOCOL: the communicator does not exist",
                   "Error: datatype_messages: the datatype does not exist", "Error: window_size: the window does not exist",
                   "TypeError: MINI_EAGER_LIMIT belongs to no object")

    def test_after_mpi_finalize_each_use_is_an_error_and_the_end_is_none(self):
        self.check("""
            limit, calls = controls["MINI_EAGER_LIMIT"], performances["collective_calls"]
            protocol = controls["MINI_COMM_PROTOCOL"]
            calls.start()
            mpi.MPI_Finalize()
            for use in (lambda: limit.value, lambda: protocol.of(world).value, lambda: calls.value, calls.stop,
                        lambda: controls["MINI_EAGER_LIMIT"], lambda: len(controls), calls.close):
                refused(use)
            """, *[f"Error: {name}: MPI_Finalize has been called (MPI_T_ERR_NOT_INITIALIZED)"
                   for name in ("MINI_EAGER_LIMIT", "MINI_COMM_PROTOCOL", "collective_calls", "collective_calls", "the control variables",
                                "the control variables")], "accepted")

    def test_a_tool_that_ends_the_interface_once_or_once_too_often_is_survived(self):
        self.check("""
            calls = performances["collective_calls"]
            calls.start()
            mpi.MPI_T_init_thread(0, ctypes.byref(ctypes.c_int()))
            mpi.MPI_T_finalize()
            print(calls.value, controls["MINI_EAGER_LIMIT"].value)
            mpi.MPI_T_finalize()
            refused(lambda: calls.value)
            refused(lambda: controls["MINI_EAGER_LIMIT"])
            """, "0 4096", "Error: collective_calls: the tool interface is not initialized (MPI_T_ERR_NOT_INITIALIZED)",
                   "Error: the control variables: the tool interface is not initialized (MPI_T_ERR_NOT_INITIALIZED)")

    def test_threads_read_and_write_at_once(self):
        self.check("""
            import concurrent.futures
            def work(number):
                for each in range(200):
                    controls["MINI_EAGER_LIMIT"].value = number
                    if not 0 <= controls["MINI_EAGER_LIMIT"].value < 8:
                        raise ValueError(controls["MINI_EAGER_LIMIT"].value)
                    with performances["collective_calls"] as calls:
                        if calls.value < 0:
                            raise ValueError(calls.value)
                return number
            with concurrent.futures.ThreadPoolExecutor(8) as threads:
                print(list(threads.map(work, range(8))))
            """, "[0, 1, 2, 3, 4, 5, 6, 7]")

    def test_an_mpi_is_preferred_to_a_library_with_mpit_alone_which_can_be_named(self):
        for first, second in ((sample("functions.so"), sample("libclosed.so")), (sample("libclosed.so"), sample("functions.so"))):
            self.assertEqual(printed("""
                libraries = [ctypes.CDLL(name) for name in sys.argv[1:]]
                print("MINI_EAGER_LIMIT" in controls, hasattr(variables._mpi().functions, "MPI_Init"))
                variables.use(next(each for each in libraries if not hasattr(each, "MPI_Init")))
                print("KITCHEN_STOVES" in controls, hasattr(variables._mpi().functions, "MPI_Init"))
                """, first, second), ["True True", "True False"])


class OfMpis(unittest.TestCase):
    DUMP = """
        import json
        def plain(value):
            return [plain(each) for each in value] if isinstance(value, list) else str(value) if hasattr(value, "name") else value
        found = {}
        for name, each in controls.items():
            try:
                found[name] = [plain(each.value), each.description, each.verbosity, each.binding, each.scope]
            except variables.Error as problem:
                found[name] = None
        with open(sys.argv[1], "w") as file:
            json.dump(found, file)
        """
    MPICH = BEGIN + """
mpi = ctypes.CDLL("libmpich.so.12")
mpi.MPI_Init(None, None)
"""
    OPEN_MPI = "from mpi4py import MPI\n" + BEGIN

    def check_same(self, found, document):
        """The values in Python are those of a document, whose booleans are the names of an enumeration."""
        listed = {each["name"]: [str(each["value"] == "true") if each["type"] == "bool" else each["value"],
                                 each["description"], each["verbosity"], each["binding"], each["scope"]]
                  for each in document["control_variables"]}
        found = {name: facts and [str(facts[0]) if isinstance(facts[0], bool) else facts[0], *facts[1:]] for name, facts in found.items()}
        self.assertGreater(len(found), 300)
        self.assertEqual(set(found), set(listed))
        for name, facts in found.items():
            self.assertEqual(facts, listed[name] if facts else None, name)
            self.assertEqual(facts is None, listed[name][0] is None, name)

    def test_values_in_mpich_are_those_that_mpit_info_lists(self):
        if not built.program("mpich"):
            self.skipTest("MPICH is not installed")
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "found.json")
            printed(self.DUMP, place, begin=self.MPICH)
            with open(place, encoding="utf-8") as file:
                self.check_same(json.load(file), json.loads(built.run("--json", "--mpi", "mpich").stdout))

    def test_values_in_a_program_with_mpi4py_are_those_that_mpit_info_lists_of_it(self):
        python = python_with_mpi4py()
        if not built.program("openmpi"):
            self.skipTest("there is no agent for Open MPI")
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "found.json")
            document = os.path.join(folder, "document.json")
            finished = built.run("--json", "--at", "end", "--output", document, "--", python, "-c",
                                 self.OPEN_MPI + textwrap.dedent(self.DUMP), place)
            self.assertEqual(finished.returncode, 0, finished.stderr)
            with open(place, encoding="utf-8") as found, open(document, encoding="utf-8") as listed:
                self.check_same(json.load(found), json.load(listed))

    def test_a_control_variable_of_mpich_is_set_and_its_list_is_one(self):
        if not built.program("mpich"):
            self.skipTest("MPICH is not installed")
        self.assertEqual(printed("""
            controls["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"].value = 3
            print(controls["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"].value)
            refused(set, "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "ring")
            lists = [each for each in controls.values() if isinstance(each.value, list)]
            for each in lists:
                each.value = [2 * element for element in each.value]
                print(len(each.value) > 1)
            mpi.MPI_Finalize()
            refused(lambda: controls["MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"])
            """, begin=self.MPICH), [
                "3", "TypeError: MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM takes int, not str", "True",
                "Error: the control variables: MPI_Finalize has been called (MPI_T_ERR_NOT_INITIALIZED)"])

    def test_a_null_handle_of_mpich_is_no_object(self):
        if not built.program("mpich"):
            self.skipTest("MPICH is not installed")
        # No variable of MPICH 4.0.2 belongs to an object.
        self.assertEqual(printed("""
            from mpit_info import process_mpi
            interface = process_mpi.ProcessMPI(mpi)
            for handle in (0x44000000, 0x04000000, 0):
                print(interface.has_object("communicator", ctypes.c_int(handle)))
            """, begin=self.MPICH), ["True", "False", "False"])

    def test_a_null_handle_of_open_mpi_is_no_object(self):
        self.assertEqual(printed("""
            library = ctypes.CDLL("libmpi.so.40")
            for name in ("world", "null"):
                handle = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, "ompi_mpi_comm_" + name)))
                refused(lambda: print(performances["pml_ob1_unexpected_msgq_length"].of(handle).value))
            """, begin=self.OPEN_MPI, python=python_with_mpi4py()),
                         ["0", "accepted", "Error: pml_ob1_unexpected_msgq_length: the communicator does not exist"])

    def test_a_text_of_open_mpi_is_read_whole_however_long_it_is(self):
        self.assertEqual(printed("""
            for _ in range(3):
                print(controls["opal_net_private_ipv4"].value == os.environ[NAME])
            """, begin="import os\nNAME = 'OMPI_MCA_opal_net_private_ipv4'\nos.environ[NAME] = ';'.join(['10.0.0.0/8'] * 9000)\n"
            + self.OPEN_MPI, python=python_with_mpi4py()), ["True"] * 3)

    def test_open_mpi_keeps_plugins_whose_variables_were_found_before_its_start(self):
        lines = printed("""
            def read(each):
                try:
                    return each.value
                except variables.Error:
                    return None
            before = list(controls.values())
            MPI.Init()
            print(len([read(each) for each in before]) == len(before))
            length = performances["pml_ob1_unexpected_msgq_length"]
            print(length.of(MPI.COMM_WORLD).value)
            refused(lambda: length.of(MPI.COMM_NULL).value)
            refused(lambda: length.of(MPI.GROUP_EMPTY).value)
            MPI.Finalize()
            refused(lambda: before[0].value)
            """, begin="import mpi4py\nmpi4py.rc.initialize = False\n" + self.OPEN_MPI, python=python_with_mpi4py())
        self.assertEqual(lines[:3], ["True", "0", "Error: pml_ob1_unexpected_msgq_length: the communicator does not exist"])
        self.assertIn("TypeError: pml_ob1_unexpected_msgq_length belongs to a communicator, which <mpi4py.MPI.Group", lines[3])
        self.assertIn("MPI_Finalize has been called (MPI_T_ERR_NOT_INITIALIZED)", lines[4])

    def test_before_mpi_init_open_mpi_has_no_communicator(self):
        self.assertEqual(printed("""
            refused(lambda: performances["pml_ob1_unexpected_msgq_length"].of(MPI.COMM_WORLD).value)
            """, begin="import mpi4py\nmpi4py.rc.initialize = False\n" + self.OPEN_MPI, python=python_with_mpi4py()),
                         ["Error: pml_ob1_unexpected_msgq_length: the communicator does not exist"])

    def test_a_communicator_that_was_freed_is_an_error(self):
        self.assertEqual(printed("""
            comm = MPI.COMM_WORLD.Dup()
            length = performances["pml_ob1_unexpected_msgq_length"].of(comm)
            print(length.value)
            comm.Free()
            refused(lambda: length.value)
            length.close()
            """, begin=self.OPEN_MPI, python=python_with_mpi4py()),
                         ["0", "Error: pml_ob1_unexpected_msgq_length: the communicator does not exist"])

    def test_the_level_of_threads_of_open_mpi_stays(self):
        self.assertEqual(printed("""
            print(len(controls) > 300, MPI.Query_thread() == MPI.THREAD_FUNNELED)
            """, begin="import mpi4py\nmpi4py.rc.thread_level = 'funneled'\n" + self.OPEN_MPI, python=python_with_mpi4py()), ["True True"])

    def test_the_example_prints_what_it_is_said_to_print(self):
        python = python_with_mpi4py()
        finished = subprocess.run(built.ranks("openmpi", 4, python, str(EXAMPLE)), env=tool.environment(**built.AS_ROOT), text=True,
                                  timeout=120, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(finished.stdout, EXAMPLE.with_suffix(".expected").read_text(encoding="utf-8"), finished.stderr)
        self.assertEqual(finished.returncode, 0)
