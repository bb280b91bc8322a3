"""The layer that counts calls, in programs that call each function a known number of times, with both MPIs."""

import pathlib
import sys
import tempfile
import unittest

import built
from built import mpis, ranks, sample

DOUBLE, INT = 8, 4


def watched(*words, options=(), variables=None):
    """The last values of a run by name, or by name and object or element, of each rank; and the printed text."""
    columns, values, rank_of = {}, {}, {}
    messages, finished = built.recorded(*options, "--", *words, variables=variables)
    for message in messages:
        if message["message"] == "hello":
            rank_of[message["process"]] = message["rank"]
        elif message["message"] == "columns":
            columns[message["process"]] = [(each["name"], *[each[key] for key in ("object", "element") if each[key] is not None])
                                           for each in message["columns"]]
        elif message["message"] == "sample":
            values[rank_of[message["process"]]] = {name if len(name) > 1 else name[0]: value for name, value in zip(
                columns[message["process"]], message["values"])}
    return values, finished.stdout


class Calls(unittest.TestCase):
    def test_calls_and_bytes_are_exact(self):
        for mpi in mpis():
            with self.subTest(mpi):
                told = watched(sample(f"calls-{mpi}"))[0][0]
                self.assertEqual(
                    {name: told[name] for name in ("send_calls", "receive_calls", "wait_calls", "barrier_calls", "one_to_all_calls",
                                                   "all_to_all_calls", "other_calls", "start_calls")},
                    {"send_calls": 22, "receive_calls": 21, "wait_calls": 13, "barrier_calls": 2, "one_to_all_calls": 2,
                     "all_to_all_calls": 2, "other_calls": 11, "start_calls": 3})
                self.assertEqual(told["send_bytes"], (20 * 100 + 3) * DOUBLE)
                self.assertEqual(told["receive_bytes"], (20 * 100 + 3) * DOUBLE)
                self.assertEqual(told["one_to_all_bytes"], (2 + 3) * INT)
                self.assertEqual(told["all_to_all_bytes"], 2 * INT + INT)
                self.assertEqual(told["start_bytes"], 2 * 2 * 50 * DOUBLE)

    def test_calls_of_fortran_are_counted_once(self):
        for mpi in mpis():
            for binding in ("f08", "f90", "f77"):
                with self.subTest(mpi=mpi, binding=binding):
                    told = watched(sample(f"calls-{binding}-{mpi}"))[0][0]
                    self.assertEqual([told[f"{name}_calls"] for name in ("send", "receive", "wait", "barrier")], [10, 10, 10, 10])
                    self.assertEqual(told["send_bytes"], 10 * 100 * DOUBLE)

    def test_calls_over_the_interface_of_mpi_5_are_exact(self):
        told = watched(sample("abi/calls"), options=["--calls", "yes", "--split"])[0][0]
        self.assertEqual([told[f"{name}_calls"] for name in ("send", "receive", "wait", "barrier", "one_to_all", "other")],
                         [12, 11, 11, 1, 1, 2])
        self.assertEqual([told[f"{name}_bytes"] for name in ("send", "receive", "one_to_all")],
                         [(10 * 100 + 3) * DOUBLE, (10 * 100 + 3) * DOUBLE, 5 * INT])
        self.assertEqual(told["communicator_send_calls", "ring"], 12)

    def test_a_profiler_of_the_user_is_called_and_counts_nothing_twice(self):
        told = watched(sample("calls-mpich"), variables={"LD_PRELOAD": sample("profiler-mpich.so")})[0][0]
        self.assertEqual(told["send_calls"], 22)

    def test_the_wait_for_a_processor_begins_with_the_counting(self):
        # The program runs in a process that has waited before; it prints how long that is, and how long it has waited at its end.
        begin = ("import os, sys, time\n"
                 "waited = lambda of: int(open(f'/proc/{of}/schedstat').read().split()[1])\n"
                 "child = os.fork()\n"
                 "if child == 0:\n"
                 "    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
                 "    rival = os.fork()\n"
                 "    while rival == 0 and os.getppid() > 1 or rival and waited('self') < 2e8: pass\n"
                 "    if rival == 0: os._exit(0)\n"
                 "    os.kill(rival, 9)\n"
                 "    print(waited('self'), flush=True)\n"
                 "    os.execv(sys.argv[1], sys.argv[1:])\n"
                 "os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)\n"
                 "print(waited(child), flush=True)\n"
                 "os.waitpid(child, 0)\n")
        for mpi in mpis():
            with self.subTest(mpi):
                lines, finished = built.recorded("--calls", "yes", "--", sys.executable, "-c", begin, sample(f"calls-{mpi}"))
                before, after = (int(line) for line in finished.stdout.split() if line.isdigit() and len(line) > 8)
                names = [column["name"] for column in [line for line in lines if line["message"] == "columns"][-1]["columns"]]
                told = [line for line in lines if line["message"] == "sample"][-1]["values"][names.index("processor_wait")]
                self.assertLessEqual(told, (after - before) / 1e9)

    def test_nothing_is_counted_if_nobody_asks(self):
        for mpi in mpis():
            with self.subTest(mpi):
                self.assertNotIn("send_calls", watched(sample(f"calls-{mpi}"), options=["--calls", "no"])[0][0])

    def test_calls_are_counted_where_the_variables_of_the_mpi_count_nothing(self):
        told = watched(sample("calls-openmpi"), variables={"LD_PRELOAD": sample("sizes-openmpi.so")})[0][0]
        self.assertEqual((told["size_5"], told.get("send_calls")), (1, 22))

    def test_communicators_have_names_and_numbers_after_they_were_freed(self):
        for mpi in mpis():
            with self.subTest(mpi):
                told = watched(sample(f"calls-{mpi}"), options=["--split"])[0][0]
                self.assertEqual(told["communicator_send_calls", "ring"], 22)
                self.assertEqual(told["communicator_barrier_calls", "MPI_COMM_WORLD"], 2)

    def test_messages_are_told_by_rank(self):
        told = watched(*ranks("mpich", 2, sample("calls-mpich")), options=["--peers"])[0]
        self.assertEqual((told[0]["messages_to", 1], told[1]["messages_to", 0]), (23, 23))
        self.assertEqual(told[0]["bytes_to", 1], (20 * 100 + 3 + 2 * 50) * DOUBLE)

    def test_the_late_rank_is_named_first(self):
        for mpi in mpis():
            with self.subTest(mpi):
                text = watched(*ranks(mpi, 3, sample(f"calls-{mpi}"), "1"), options=["--rate", "100"])[1]
                # Without a processor of its own it may not be certain, and then no rank is named, or nothing is said.
                self.assertRegex(text, r"\n\n(Rank 1 is late: (without waiting for a processor, )?outside of MPI for |"
                                       r"\d+ % of the time is in MPI|Variable )")

    def test_variables_of_communicators_are_read_for_the_world(self):
        told = watched(sample("calls-openmpi"), options=["--variable", "pml_ob1_posted_recvq_length"])[0][0]
        self.assertEqual(set(told), {("pml_ob1_posted_recvq_length", "MPI_COMM_WORLD")})

    def test_patterns_choose_among_the_variables(self):
        told = watched(sample("calls-mpich"), options=["--variable", "send_*"])[0][0]
        self.assertEqual(set(told) - {"send_waited"}, {"send_calls", "send_bytes", "send_time"})


def distributions(*words, options=("--calls", "distributions"), variables=None):
    """The last distributions of each rank by function, communicator and class; the values at the end, and the printed text."""
    found, values, columns, rank_of = {}, {}, {}, {}
    messages, finished = built.recorded(*options, "--", *words, variables=variables)
    for message in messages:
        if message["message"] == "hello":
            rank_of[message["process"]] = message["rank"]
        elif message["message"] == "columns":
            columns[message["process"]] = [each["name"] for each in message["columns"]]
        elif message["message"] == "sample":
            values[rank_of[message["process"]]] = dict(zip(columns[message["process"]], message["values"]))
        elif message["message"] == "distributions":
            found.setdefault(rank_of[message["process"]], {}).update(
                {(each["function"], each.get("communicator"), each.get("class"), *["others"] * each.get("others", False)): each
                 for each in message["distributions"]})
    return found, values, finished.stdout


def count(told):
    """The calls of a distribution."""
    return sum(calls for _, calls in told["buckets"])


class Distributions(unittest.TestCase):
    def test_each_call_is_in_one_distribution(self):
        for mpi in mpis():
            with self.subTest(mpi):
                found, values, text = distributions(*ranks(mpi, 3, sample(f"durations-{mpi}"), "delays"))
                for rank in range(3):
                    told = {key: (count(each), each.get("bytes")) for key, each in found[rank].items()}
                    scatter = ("MPI_Scatter", "halo", 3 if rank else None)
                    self.assertEqual(told, {
                        ("MPI_Barrier", "MPI_COMM_WORLD", None): (1, None), ("MPI_Barrier", "halo", None): (100, None),
                        ("MPI_Allreduce", "halo", 4): (200, 8), ("MPI_Bcast", "halo", 4): (3, None), ("MPI_Bcast", "halo", 0): (1, 0),
                        scatter: (1, 4 if rank else None), ("MPI_Send", "halo", None): (1, None), ("MPI_Sendrecv", "halo", 7): (1, 64)})
                    for function in ("MPI_Allreduce", "MPI_Barrier"):
                        time = sum(each["seconds"] for key, each in found[rank].items() if key[0] == function)
                        self.assertAlmostEqual(time, values[rank][f"{function}_time"], delta=1e-6)
                # The others wait for rank 0 in one barrier, of which a busy machine may let them miss the beginning.
                for rank in (1, 2):
                    self.assertGreaterEqual(found[rank]["MPI_Barrier", "halo", None]["longest"], 0.05)
                self.assertRegex(text, r"\n(p99|Maximum) of ")
                self.assertRegex(text, r"\nMPI_Allreduce +halo +8 B +600 ")

    def test_no_call_of_many_threads_is_lost(self):
        for mpi in mpis():
            with self.subTest(mpi):
                found = distributions(sample(f"durations-{mpi}"), "threads")[0]
                self.assertEqual(count(found[0]["MPI_Iprobe", "MPI_COMM_WORLD", None]), 80 * 500)

    def test_no_call_is_lost_when_there_are_more_communicators_and_sizes_than_room(self):
        for mpi in mpis():
            with self.subTest(mpi):
                found, _, text = distributions(sample(f"durations-{mpi}"), "many")
                others = count(found[0]["MPI_Bcast", None, None, "others"])
                self.assertEqual(sum(map(count, found[0].values())), 50 * 12)
                self.assertIn(f"{others} calls are not told apart by communicator and size.", text)

    def test_communicators_of_one_name_have_one_distribution(self):
        for mpi in mpis():
            with self.subTest(mpi):
                found, _, text = distributions(sample(f"durations-{mpi}"), "twins")
                self.assertEqual(count(found[0]["MPI_Bcast", "twin", 4]), 40 * 10)
                self.assertRegex(text, r"\nMPI_Bcast +twin +8 B +400 ")

    def test_without_the_request_there_are_none(self):
        found, _, text = distributions(sample("calls-mpich"), options=["--calls", "yes"])
        self.assertEqual(found, {})
        self.assertNotIn("Half", text)


class Networks(unittest.TestCase):
    def test_counters_of_the_node_are_shown_from_zero(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, path) for path in ("class/net/eth7/statistics/tx_bytes",
                                                             "class/infiniband/mlx5_0/ports/1/counters/port_xmit_data",
                                                             "class/cxi/cxi0/device/telemetry/hni_sts_tx_ok_octets")]
            for file in files:
                file.parent.mkdir(parents=True)
                file.write_text("1000@1700000000.5\n" if "cxi" in str(file) else "1000\n", encoding="utf-8")
            told = watched(sample("calls-mpich"), "-1", *files, options=["--network", "--calls", "no"],
                           variables={"MPIT_INFO_SYS": folder})[0][0]
        self.assertEqual({name: value for name, value in told.items() if name.startswith("net_")},
                         {"net_eth7_sent_bytes": 500, "net_mlx5_0_1_sent_bytes": 4 * 500, "net_cxi0_sent_bytes": 500})
