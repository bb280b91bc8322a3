"""A sentence that the tool prints is true, or it is not printed: programs of which is known who is late and what hangs.

The test runs some of them; all of them, under load: `test_truth.py --all --busy 12 --mpi mpich`, with MPIT_INFO_BUILT and MPIT_INFO_PROGRAMS.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import built
import tool

PROGRAMS = os.environ.get("MPIT_INFO_PROGRAMS", "")
# In the environment of the processes of a run.
MARK = "MPIT_INFO_TRUTH"
# Seconds without a call until a sentence; of a run that hangs, after its sentence; and of any run.
PATIENCE, LIMIT = 3.0, 100.0
# In a healthy program none of these words is true.
OF_HANGS = re.compile(r"no progress|\bhang|hung|deadlock|stuck|wait for each other", re.I)
RANKS = r"[Rr]anks? (\d[\d, -]*(?: and [\d-]+)?)"
IN_CALL = re.compile(RANKS + r" (?:(?:is|are|are each) in|polls? with) (MPI_\w+)(?: of \d+ requests)?(?: of (?!\d+ bytes)[^()]*? \(operation \d+\)| of MPI_COMM_\w+)?"
                     r"(?: for the MPI_\w+)?(?: (from|to) (any rank|rank \d+))?(?: with tag (\d+))?")
OUTSIDE = re.compile(RANKS + r" (?:is|are) outside of MPI")
SILENT = re.compile(RANKS + r" (?:has|have) sent nothing")
MISSING = re.compile(RANKS + r" (?:is not: it|are not: they) (?:(?:has|have) made \d+ operations? there and )?")
CIRCLE = re.compile(RANKS + r" wait for each other")
LATE = re.compile(r"^[Rr]anks? (\d[\d, ]*(?: and \d+)?) (?:is|are) (late|early)|^(\d+) ranks are (late|early)|^(No rank) (?:is late|has more to do)", re.M)

# What each program calls before its case.
OF_START = re.compile(r"MPI_Comm_dup|MPI_Comm_split|MPI_Barrier of MPI_COMM_WORLD \(operation 3\)")

# `who`: `late 2`, `early 0`, `nobody`, or `any` if it is not known. `states`: what each rank may be in when nothing changes, as
# `0,1=Barrier 2=Recv<1#7|outside`; then `missing` are those that an operation lacks, beside those outside, `circle` those that wait for each other, `never` what no
# sentence has.
Case = collections.namedtuple("Case", "words ranks who states hangs missing circle never", defaults=[None])


def rounds(words, ranks, who):
    """A program that computes and exchanges."""
    return Case(words, ranks, who, "", False, (), ())


def hang(words, ranks, states, missing=(), circle=()):
    """A program that hangs."""
    outside = sorted(rank for rank, allowed in states_of(states).items() if allowed == ["outside"])
    return Case(words, ranks, "late " + ",".join(map(str, outside)) if outside else "any", states, True, missing, circle)


def slow(words, ranks, who, states="", missing=()):
    """A program that is healthy, and in which nothing begins or ends for seconds."""
    return Case(words, ranks, who, states, False, missing, ())


def states_of(text):
    """The states that are allowed, by rank."""
    found = {}
    for part in text.split():
        those, _, allowed = part.partition("=")
        for rank in those.split(","):
            found[int(rank)] = allowed.split("|")
    return found


CASES = [
    rounds("barrier late=2", 4, "late 2"),
    rounds("barrier late=1 how=io", 2, "late 1"),
    rounds("allreduce late=0 how=sleep", 4, "late 0"),
    rounds("alltoall late=3", 4, "late 3"),
    rounds("ring late=1 how=sleep", 4, "late 1"),
    rounds("ring late=2,5 how=sleep rounds=30", 8, "late 2,5"),
    rounds("stencil late=2 how=io", 4, "late 2"),
    rounds("stencil late=0 bytes=200000", 3, "late 0"),
    rounds("poll late=1", 3, "late 1"),
    rounds("poll late=1 how=sleep between=1", 3, "late 1"),
    rounds("probe late=2 how=sleep", 4, "late 2"),
    rounds("chain late=1 how=sleep", 4, "late 1"),
    rounds("reduce late=2", 4, "late 2"),
    rounds("bcast late=0 how=sleep", 4, "late 0"),
    rounds("scan late=0", 3, "late 0"),
    rounds("fence late=1 how=sleep", 4, "late 1"),
    rounds("halves late=3 how=sleep", 4, "late 3"),
    rounds("later late=2", 4, "late 2"),
    rounds("persistent late=0 how=sleep", 4, "late 0"),
    rounds("neighbour late=1 how=sleep", 4, "late 1"),
    rounds("barrier late=2 how=sleep when=start more=800", 4, "late 2"),
    rounds("ring late=2 how=sleep when=end more=800", 4, "late 2"),
    rounds("ring early=1 how=sleep base=10", 4, "early 1"),
    rounds("master late=0 how=sleep", 4, "late 0"),
    rounds("master how=sleep base=20 rounds=100", 4, "early 0"),
    rounds("pipeline late=2 how=sleep", 4, "late 2"),
    rounds("calls_aside late=1 how=sleep", 3, "late 1"),
    rounds("lock_long late=1 how=sleep", 3, "late 1"),

    rounds("barrier", 4, "nobody"),
    rounds("allreduce how=sleep base=8", 4, "nobody"),
    rounds("ring how=sleep base=8", 8, "nobody"),
    rounds("ring share=jitter", 4, "nobody"),
    rounds("stencil share=jitter how=sleep base=10", 4, "nobody"),
    rounds("barrier share=moving", 4, "nobody"),
    rounds("ring share=moving how=sleep", 4, "nobody"),
    rounds("token", 4, "nobody"),
    rounds("token how=sleep base=10", 3, "nobody"),
    rounds("alltoall base=0 bytes=400000 rounds=300", 4, "nobody"),
    rounds("ring base=0 rounds=3000", 4, "nobody"),
    rounds("poll between=20", 4, "nobody"),
    rounds("probe", 3, "nobody"),
    rounds("many_calls", 4, "nobody"),
    rounds("bcast base=1 bytes=30000000 rounds=20", 4, "nobody"),
    rounds("prints", 4, "nobody"),
    rounds("halves", 4, "nobody"),
    rounds("pipeline how=sleep", 4, "nobody"),
    rounds("chain", 4, "nobody"),
    rounds("later share=jitter", 3, "nobody"),
    rounds("persistent how=sleep base=5", 4, "nobody"),

    hang("barrier_missing", 4, "0,1,3=Barrier 2=outside", [2]),
    hang("barrier_spins", 3, "0,2=Barrier 1=outside", [1]),
    hang("two_orders", 2, "0=Barrier 1=Barrier", [0, 1]),
    hang("gather_scatter", 2, "0=Gather 1=Scatter", [0, 1]),
    hang("wrong_root", 2, "0=Bcast 1=Bcast"),
    hang("other_size", 2, "0=Bcast 1=Barrier", [0]),
    hang("ssend_pair", 2, "0=Ssend>1#4 1=Ssend>0#4", circle=[0, 1]),
    hang("recv_circle", 3, "0=Recv<2#4 1=Recv<0#4 2=Recv<1#4", circle=[0, 1, 2]),
    hang("recv_circle", 4, "0=Recv<3#4 1=Recv<0#4 2=Recv<1#4 3=Recv<2#4", circle=[0, 1, 2, 3]),
    hang("wrong_tag", 3, "0=Recv<1#7 1,2=Barrier", [0]),
    hang("wrong_communicator", 3, "0=Recv<1#7 1,2=Barrier", [0]),
    hang("recv_finished", 2, "0=Recv<1#7 1=Finalize"),
    hang("recv_spins", 2, "0=Recv<1#7 1=outside"),
    hang("file_lock", 2, "0=outside 1=Recv<0#7"),
    hang("reads_pipe", 3, "0,1=Barrier 2=outside", [2]),
    hang("stopped", 3, "0,1=Barrier 2=outside|silent", [2]),
    hang("thread_holds", 2, "0=Recv<1#7|outside 1=Barrier", [0]),
    hang("waitall", 4, "0=Waitall<2#7 1,2,3=Barrier", [0]),
    hang("wait_one", 3, "0=Wait<1#7 1=outside 2=Barrier", [0, 1]),
    hang("iprobe_loop", 3, "0=Iprobe<1#7 1,2=Barrier", [0]),
    hang("test_loop", 3, "0=Test<1#7 1,2=Barrier", [0]),
    hang("test_two", 3, "0=Test<1#7|Test<1#8 1,2=Barrier", [0]),
    hang("reversed", 4, "0=Recv<2#7 1,3=Barrier 2=outside", [0, 2]),
    hang("groups", 3, "0=Barrier 1=Barrier 2=outside", [0, 1, 2])._replace(never=r"[Rr]anks 0 and 1 are in"),
    hang("bcast_reduce", 2, "0=Bcast 1=Reduce"),
    hang("intercommunicator", 4, "0=Recv<2#7 1,2,3=Barrier", [0]),
    hang("window_lock", 3, "0=Barrier 1=Recv<2#7 2=Win_lock|Win_unlock|Put", [1, 2]),
    hang("finalize_early", 3, "0,1=Finalize 2=Barrier", [0, 1]),
    hang("send_no_receive", 2, "0=Send>1#7 1=outside"),
    hang("ssend_chain", 4, "0=Ssend>1#4 1=Ssend>2#4 2=Ssend>3#4 3=outside"),
    hang("recv_chain", 4, "0=outside 1=Recv<0#4 2=Recv<1#4 3=Recv<2#4"),
    hang("any_source", 3, "0=Recv<any#7 1,2=Barrier", [0]),
    hang("half_missing", 4, "0=Barrier 1=outside 2,3=Barrier", [0, 1]),

    slow("barrier base=4000 rounds=1", 3, "nobody", "0,1,2=outside|Barrier"),
    slow("barrier base=5000 rounds=1 how=sleep", 3, "nobody", "0,1,2=outside|Barrier"),
    slow("barrier base=1000 rounds=1 how=io", 2, "any", "0,1=outside|Barrier"),
    slow("barrier late=1 more=4000 rounds=1", 3, "late 1", "0,2=Barrier 1=outside", [1]),
    slow("allreduce late=2 more=1500 rounds=1 how=io", 3, "late 2", "0,1=Allreduce 2=outside", [2]),
    slow("ring late=1 more=5000 rounds=1 how=sleep", 4, "late 1", "0,3=Waitall|Finalize 2=Waitall<1#0 1=outside"),
    slow("poll late=1 more=5000 rounds=1 how=sleep", 3, "late 1", "0=Testall|Finalize 2=Testall<1#0 1=outside"),
    slow("halves late=3 more=5000 rounds=1 how=sleep", 4, "late 3", "0,1=Allreduce|Finalize 2=Allreduce 3=outside", [3]),
    slow("barrier late=0 when=start more=5000 rounds=20 how=sleep", 3, "late 0", "0=outside 1,2=Barrier", [0]),
    slow("barrier late=0 when=end more=5000 rounds=20 how=sleep", 3, "late 0", "0=outside 1,2=Barrier", [0]),
    slow("token base=2800 rounds=1 how=sleep", 3, "nobody", "0=outside|Recv<2#0|Finalize 1=outside|Recv<0#0|Finalize 2=outside|Recv<1#0|Finalize"),
    slow("barrier base=3500 rounds=2 how=sleep", 3, "nobody", "0,1,2=outside|Barrier"),
    slow("master base=4000 rounds=2 how=sleep", 3, "early 0", "0=Recv<any#0 1,2=outside"),
    slow("pipeline late=1 more=5000 rounds=1 how=sleep", 3, "late 1", "0=Ssend>1#0|Finalize 1=outside 2=Recv<1#0"),
    slow("slow_operation how=sleep", 2, "nobody", "0,1=Allreduce"),
    slow("one_poll how=sleep", 3, "late 1", "0,2=Barrier 1=outside", [1]),
    slow("poll_slowly base=3000 how=sleep", 2, "any", "0=outside|Barrier 1=outside|Test<0#0", [1]),
    slow("overlap base=2 more=5000 how=sleep", 3, "late 1", "0,2=Barrier 1=outside", [1]),
    slow("one_ends_later late=1 more=5000 how=sleep", 3, "late 1", "0,2=Finalize 1=outside"),
    slow("busy_half how=sleep", 4, "any", "0,1=outside|Allreduce|Barrier 2,3=outside"),
    slow("helper_thread how=sleep", 2, "late 1", "0=Barrier 1=outside", [1]),
    slow("slow_transfer rounds=1500", 2, "nobody", "0=Recv<1#0|outside|Wait 1=Recv<0#0|outside|Wait"),
    slow("fence late=0 more=5000 rounds=1 how=sleep", 3, "late 0", "0=outside 1,2=Win_fence|Win_free|Win_create|Finalize"),
]
# What the test runs, because all need half an hour: something in each was false or silent once.
FEW = ("token how=sleep base=10", "barrier share=moving", "barrier_missing", "recv_circle", "recv_finished", "test_loop",
       "one_poll how=sleep", "slow_operation how=sleep")


def numbers(text):
    """The ranks of `0, 1 and 4-6`."""
    found = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def judge_lateness(case, text):
    """`right`, `silent`, or what is false in the sentence about the late ranks."""
    found = LATE.search(text)
    if not found:
        return "silent"
    if case.who == "any":
        return "right"
    kind, _, those = case.who.partition(" ")
    if found[5]:
        return "right" if kind == "nobody" else f"false: {found[0]}"
    if found[3]:
        is_right = kind != "nobody" and found[4] == kind and int(found[3]) == len(numbers(those))
        return "right" if is_right else f"false: {found[0]}"
    named, told = set(numbers(found[1])), set(numbers(those))
    rest = set(range(case.ranks)) - told
    is_right = kind != "nobody" and named == (told if found[2] == kind else rest)
    return "right" if is_right else f"false: {found[0]}"


def is_allowed(allowed, function, way, peer, tag):
    """Whether a rank may be in this call."""
    for each in allowed:
        found = re.fullmatch(r"(\w+)(?:([<>])(\w+)#(\d+))?", each)
        name = "outside" if found[1] == "outside" else f"MPI_{found[1]}"
        if name == function and (peer is None or found[3] is None or (way, peer) == (found[2], found[3])) and tag in (None, "", found[4]):
            return True
    return False


def without_start(text):
    """The sentences without those about the calls that each program makes before its case, which last on a busy machine."""
    return "".join(part for part in re.split(r"(?=^Unchanged for)", text, flags=re.M) if not OF_START.search(part))


def judge_progress(case, text):
    """`right`, `silent`, or what is false in the sentences about what the ranks are in."""
    if "Unchanged for" not in text:
        return "silent"
    allowed, told, wrong = states_of(case.states), set(), []
    if not case.hangs and OF_HANGS.search(text):
        wrong.append(OF_HANGS.search(text)[0])
    if case.never and re.search(case.never, text):
        wrong.append(re.search(case.never, text)[0])
    for found in CIRCLE.finditer(text):
        if numbers(found[1]) != sorted(case.circle):
            wrong.append(found[0])
    for found in MISSING.finditer(text):
        if not all(rank in case.missing or "outside" in allowed.get(rank, []) for rank in numbers(found[1])):
            wrong.append(found[0])
    text = MISSING.sub(lambda found: f"rank {found[1]} ", text)
    for found in IN_CALL.finditer(text):
        way = {"from": "<", "to": ">"}.get(found[3])
        peer = found[4] and found[4].removeprefix("rank ").removesuffix(" rank")
        for rank in numbers(found[1]):
            told.add(rank)
            if not is_allowed(allowed.get(rank, []), found[2], way, peer, found[5]):
                wrong.append(f"rank {rank}: {found[0]}")
    for state, pattern in (("outside", OUTSIDE), ("silent", SILENT)):
        for found in pattern.finditer(text):
            for rank in numbers(found[1]):
                told.add(rank)
                if state not in allowed.get(rank, []):
                    wrong.append(f"rank {rank}: {found[0]}")
    if wrong:
        return f"false: {'; '.join(wrong)}"
    return "right" if told >= set(allowed) and (not case.circle or CIRCLE.search(text)) else f"vague: nothing about ranks {sorted(set(allowed) - told)}"


def command_of(case, mpi, record):
    """The words that run a case."""
    launch = [f"mpiexec.{mpi}", *(["--oversubscribe"] if mpi == "openmpi" else [])]
    program = case.words.split()
    if not os.path.isabs(program[0]):
        program.insert(0, os.path.join(PROGRAMS, f"truth-{mpi}"))
    else:
        program[0] += f"-{mpi}"
    return tool.command("watch", "--interval", "0", "--record", record, "--agents", built.FOLDER, "--", *launch, "-n", case.ranks, *program)


def run(case, mpi, limit=LIMIT):
    """The sentences about the progress and those at the end. A run that hangs ends a second after its first sentence."""
    patience = {"MPIT_INFO_PATIENCE": str(PATIENCE)} if case.states else {}
    with tempfile.TemporaryDirectory() as folder:
        variables = {**built.AS_ROOT, **patience, "COLUMNS": "1000", MARK: folder}
        process = subprocess.Popen(command_of(case, mpi, os.path.join(folder, "record.jsonl")), env=tool.environment(**variables), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
        told, is_told = [], threading.Event()

        def read():
            for line in process.stderr:
                if line.startswith("mpit-info: "):
                    told.append(line.removeprefix("mpit-info: "))
                    is_told.set()

        reader, printed = threading.Thread(target=read), []
        writer = threading.Thread(target=lambda: printed.append(process.stdout.read()))
        reader.start(), writer.start()
        ends = time.monotonic() + (limit if not case.hangs else 5 * PATIENCE + 5)
        try:
            while process.poll() is None and time.monotonic() < ends:
                if case.hangs and is_told.wait(0.1):
                    ends = min(ends, time.monotonic() + 1)
                time.sleep(0.1)
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait(20)
        except subprocess.TimeoutExpired:
            pass
        finally:
            end_all(folder)
            process.wait()
        reader.join(), writer.join()
        return "".join(told), "".join(printed), time.monotonic() > ends and not case.hangs


def end_all(mark):
    """Ends the processes of a run: what hangs does not end by itself, and what is stopped does not see SIGTERM."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}\0".encode() in pathlib.Path(f"/proc/{entry}/environ").read_bytes():
                os.kill(int(entry), signal.SIGKILL)


def judged(case, mpi):
    """The two judgements, and the sentences."""
    told, printed, is_over_time = run(case, mpi)
    if not re.search(r"^\d+ ranks", printed, re.M):
        raise AssertionError(f"{case.words} with {mpi}: the tool printed no result: {printed}")
    final = "\n".join(line for line in printed.splitlines() if line.endswith("."))
    lateness = judge_lateness(case, final)
    # A healthy program needs no sentence.
    said = without_start(told + final)
    progress = judge_progress(case, said) if case.hangs or "Unchanged for" in said else None
    return case, mpi, lateness, progress, told, final, is_over_time


def built_mpis():
    """The MPIs whose programs were built."""
    return [mpi for mpi in ("mpich", "openmpi") if built.program(mpi) and os.path.exists(os.path.join(PROGRAMS, f"truth-{mpi}"))]


class Truth(unittest.TestCase):
    def test_no_sentence_is_false(self):
        mpis = built_mpis()
        if not mpis:
            self.skipTest("the programs were not built")
        given = total = 0
        for number, words in enumerate(FEW):
            case = next(each for each in CASES if each.words == words)
            with self.subTest(words):
                _, _, lateness, progress, told, final, _ = judged(case, mpis[number % len(mpis)])
                for verdict in (lateness, progress):
                    self.assertFalse((verdict or "").startswith("false"), told + final)
                    total += verdict is not None
                    given += verdict == "right"
        print(f"answers given: {given} of {total}")
        self.assertGreater(given, total / 2)


def main():
    """Runs all cases, and prints a line of each, the sentences, and the numbers of right, silent and false ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--mpi", default="mpich,openmpi")
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.words or any(case.words.startswith(word) for word in options.words)]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    counted = collections.Counter()
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for case, mpi, lateness, progress, told, final, is_over_time in pool.map(
                    lambda pair: judged(*pair), itertools.product(cases, options.mpi.split(","))):
                print(f"{mpi:8} {case.ranks} {case.words:50} [{case.who}] {lateness} | {progress}{' | TIME' if is_over_time else ''}")
                if case.states and not options.quiet or "false" in f"{lateness}{progress}":
                    print(*("      " + line for line in (told + final).splitlines()), sep="\n")
                sys.stdout.flush()
                for name, verdict in (("lateness", lateness), ("progress", progress)):
                    if verdict and (name == "progress" or case.who != "any"):
                        counted[mpi, name, verdict.partition(":")[0]] += 1
    finally:
        for process in busy:
            process.kill()
    for key, count in sorted(counted.items()):
        print(*key, count)
    print(f"answers given: {sum(count for key, count in counted.items() if key[2] == 'right')} of {sum(counted.values())}")
    return int(any(key[2] == "false" for key in counted))


if __name__ == "__main__":
    sys.exit(main())
