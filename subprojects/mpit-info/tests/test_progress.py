"""The sentences about ranks that make no progress, from call logs that are written here."""

import struct
import sys
import unittest

import tool

sys.path.insert(0, str(tool.FRONT))
from mpit_info import call_log, progress, stuck  # noqa: E402

FUNCTIONS = ("MPI_Barrier", "MPI_Recv", "MPI_Ssend", "MPI_Bcast", "MPI_Reduce", "MPI_Irecv", "MPI_Wait", "MPI_Test", "MPI_Allreduce")
WORLD = (1, 3, "MPI_COMM_WORLD")
NOW = 1000.0


def call(function, begin, end=None, **more):
    """The bytes of a call; times are seconds, ticks are nanoseconds."""
    told = {"bytes": 0, "request": 0, "operation": 0, "communicator": 0, "peer": -2, "tag": -2, "second": 0, "state": 0, "polls": 0, **more}
    return call_log.CALL.pack(int(begin * 1e9), int((end or 0) * 1e9), told["bytes"], told["request"], told["operation"],
                              FUNCTIONS.index(function), told["communicator"], told["peer"], told["tag"], told["second"], told["state"],
                              told["polls"])


def log(rank, *calls, operations=0, communicators=((WORLD, None),), phase=0, poll=0, moment=None):  # pylint: disable=too-many-arguments
    """The Log of a rank of three with these calls in its main thread. `communicators` are pairs of one and the rank in it; `poll` is when
    the last poll began that shares the last call.
    """
    head = call_log.HEAD.pack(call_log.FORMAT, 100 + rank, rank, 3, len(FUNCTIONS), len(communicators), 1, 16, len(communicators), 1, phase, 0, 0,
                              1 << 32, 0, b"node", b"")
    names = b"".join(call_log.NAME.pack(name.encode()) for name in FUNCTIONS)
    told = b"".join(call_log.COMMUNICATOR.pack(identity, size, rank if own is None else own, operations, 0, name.encode())
                    for (identity, size, name), own in communicators)
    room = list(calls) + [bytes(call_log.CALL.size)] * (16 - len(calls))
    first_poll = struct.unpack_from("<Q", calls[-1])[0] if calls else 0
    thread = call_log.THREAD.pack(100 + rank, 1, len(calls), 0, 0, 0, first_poll, int(poll * 1e9)) + b"".join(room)
    return call_log.parsed(head + names + told + thread, moment)


class Progress(unittest.TestCase):
    def test_the_rank_that_is_missing_in_a_barrier_is_named_with_what_it_does(self):
        waiting = [log(rank, call("MPI_Barrier", 978, operation=41), operations=41) for rank in (0, 1)]
        self.assertEqual(progress.headline([*waiting, log(2, call("MPI_Barrier", 970, 977, operation=40), operations=40)], NOW), [
            "Unchanged for 22 s: ranks 0 and 1 are in MPI_Barrier of MPI_COMM_WORLD (operation 41), rank 2 is not: it has made 40 operations "
            "there and is outside of MPI since 23 s."])

    def test_ranks_that_receive_from_each_other_are_a_circle(self):
        logs = [log(rank, call("MPI_Recv", 990, peer=(rank + 1) % 3, tag=7)) for rank in range(3)]
        self.assertEqual(progress.sentences(logs, NOW), [
            "Ranks 0-2 wait for each other: rank 0 is in MPI_Recv of MPI_COMM_WORLD from rank 1 with tag 7, rank 1 is in MPI_Recv of "
            "MPI_COMM_WORLD from rank 2 with tag 7, rank 2 is in MPI_Recv of MPI_COMM_WORLD from rank 0 with tag 7."])

    def test_a_chain_ends_at_the_rank_that_waits_for_nobody(self):
        logs = [log(0, call("MPI_Ssend", 990, peer=1, tag=3)), log(1, call("MPI_Recv", 980, 985, peer=2)), log(2)]
        self.assertEqual(progress.sentences(logs, NOW), [
            "Rank 0 is in MPI_Ssend of MPI_COMM_WORLD to rank 1 with tag 3, and rank 1 is outside of MPI since 15 s.",
            "Rank 2 has made no call of MPI."])

    def test_different_collectives_of_one_number_are_told(self):
        logs = [log(0, call("MPI_Bcast", 990, operation=5, peer=0), operations=5),
                *(log(rank, call("MPI_Reduce", 990, operation=5, peer=0), operations=5) for rank in (1, 2))]
        self.assertEqual(progress.sentences(logs, NOW), [
            "Rank 0 is in MPI_Bcast of MPI_COMM_WORLD (operation 5), ranks 1 and 2 are in MPI_Reduce of MPI_COMM_WORLD (operation 5)."])

    def test_different_roots_and_sizes_are_told(self):
        logs = [log(rank, call("MPI_Bcast", 990, operation=5, peer=rank % 2, bytes=8), operations=5) for rank in range(3)]
        self.assertIn("ranks 0 and 2 are in MPI_Bcast with root 0 of MPI_COMM_WORLD (operation 5), rank 1 is in MPI_Bcast with root 1",
                      progress.sentences(logs, NOW)[0].replace("Ranks", "ranks"))
        logs = [log(rank, call("MPI_Allreduce", 990, operation=5, bytes=8 + 8 * (rank == 1)), operations=5) for rank in range(3)]
        self.assertIn("rank 1 is in MPI_Allreduce of 16 bytes", progress.sentences(logs, NOW)[0])
        logs = [log(rank, call("MPI_Allreduce", 990, operation=5, bytes=8 * (rank == 1)), operations=5) for rank in range(3)]
        self.assertEqual(progress.sentences(logs, NOW), ["Ranks 0-2 are in MPI_Allreduce of MPI_COMM_WORLD (operation 5)."])

    def test_a_wait_names_the_rank_of_its_request(self):
        logs = [log(0, call("MPI_Irecv", 980, 981, peer=2, tag=9, request=77), call("MPI_Wait", 982, request=77, communicator=0xffff)), log(1), log(2)]
        self.assertEqual(progress.sentences(logs, NOW), [
            "Rank 0 is in MPI_Wait for the MPI_Irecv from rank 2 with tag 9, and rank 2 has made no call of MPI.",
            "Rank 1 has made no call of MPI."])

    def test_polls_without_success_are_one_call_that_has_not_returned(self):
        logs = [log(0, call("MPI_Irecv", 980, 981, peer=1, request=77), call("MPI_Test", 982, 999, request=77, communicator=0xffff, state=1, polls=5000)), log(1), log(2)]
        self.assertIn("rank 0 polls with MPI_Test for the MPI_Irecv from rank 1", progress.headline(logs, NOW)[0])
        self.assertEqual(round(progress.quiet_for(logs, NOW)), 18)

    def test_a_poll_that_does_not_return_is_a_call(self):
        for poll, expected in ((0, "is outside of MPI since 15 s"), (984, "is outside of MPI since 15 s"), (990, "polls with MPI_Test")):
            test = call("MPI_Test", 982, 985, request=77, communicator=0xffff, state=1, polls=2)
            told = progress.sentences([log(0, test, poll=poll, moment=NOW), log(1, call("MPI_Recv", 980, peer=0, tag=1), moment=NOW)], NOW)
            self.assertIn(expected, " ".join(told))

    def test_ranks_that_are_all_outside_of_mpi_are_not_told(self):
        self.assertEqual(progress.headline([log(rank, call("MPI_Barrier", 900, 901, operation=1)) for rank in range(3)], NOW), [])

    def test_a_rank_that_has_ended_or_is_on_another_node_is_named(self):
        self.assertEqual(progress.sentences([log(0, call("MPI_Recv", 990, peer=2, tag=1))], NOW),
                         ["Rank 0 is in MPI_Recv of MPI_COMM_WORLD from rank 2 with tag 1."])

    def test_a_call_without_a_begin_is_left_out(self):
        damaged = log(0, call("MPI_Recv", 0, 5), call("MPI_Barrier", 990, 991))
        self.assertEqual([each.function for each in damaged.last(5)], ["MPI_Barrier"])

    def test_two_logs_of_a_rank_are_of_two_launches(self):
        logs = [log(rank) for rank in (1, 0, 2)]
        self.assertEqual([[each.rank for each in those] for those in stuck.by_launch([*logs, log(1)])], [[0, 1, 2], [1]])

    def test_all_in_finalize_is_told_if_it_is_asked_for(self):
        logs = [log(rank, call("MPI_Barrier", 900, 901, operation=1), phase=1) for rank in range(2)]
        self.assertEqual(progress.sentences(logs, NOW), [])
        self.assertEqual(progress.sentences(logs, NOW, is_asked=True), ["Ranks 0 and 1 are in MPI_Finalize or behind it."])

    def test_bytes_that_are_no_call_log_are_refused(self):
        for data in (b"", b"mpitcal2", b"x" * 500, call_log.HEAD.pack(call_log.FORMAT, *[1 << 20] * 3, *[1 << 20] * 6, 0, 0, 0, 1, 0, b"", b"")):
            with self.assertRaises(call_log.Unreadable):
                call_log.parsed(data)

    def test_a_rank_is_named_by_its_number_in_the_world(self):
        # Ranks 0 and 2 are 1 and 0 of another communicator.
        own = (77, 2, "halves")
        logs = [log(0, call("MPI_Recv", 990, communicator=1, peer=0), communicators=((WORLD, None), (own, 1))),
                log(1), log(2, communicators=((WORLD, None), (own, 0)))]
        self.assertEqual(progress.sentences(logs, NOW), ["Rank 0 is in MPI_Recv of halves from rank 2, and rank 2 has made no call of MPI.",
                                                         "Rank 1 has made no call of MPI."])


if __name__ == "__main__":
    unittest.main()
