"""What programs do that a tool may break: each entry runs alone, under a listing at the start and at the end, and watched, and must
end and print as it does alone."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import zlib

import comparison
import built
import tool
from comparison import Entry
from built import PROGRAMS, ranks

TORTURE = os.environ.get("MPIT_INFO_TORTURE", "")
MPIS = built.FOLDER and built.mpis()
PIPED = (None, "init", "end", "watch")
TO_ITS_END = (None, "end", "watch")
ON_TERMINAL = ("terminal", "screen")
WORKERS = 3 * (os.cpu_count() or 1)

entries = {}
left_out = 0
folders = contextlib.ExitStack()


def entry(name, words, ways=PIPED, **settings):
    """Adds an entry; its name says what the program does. In a short run the entries take turns with the ways of the tool, and every
    other one of those without an MPI is left out."""
    global left_out
    assert name not in entries
    if os.environ.get("MPIT_SHORT_TESTS") == "1" and ways[0] is None:
        if "MPI" not in name and zlib.crc32(name.encode()) % 2:
            left_out += len(ways)
            return
        left_out += len(ways) - 2
        ways = (None, ways[1 + len(entries) % (len(ways) - 1)])
    entries[name] = Entry(words, **settings), ways


def torture(kind, behaviour, *arguments):
    return [os.path.join(TORTURE, f"torture-{kind}"), behaviour, *arguments]


def without_numbers(text):
    """A launcher that complains names processes and jobs; the order of lines of several ranks is that of chance."""
    return b"\n".join(sorted(re.sub(rb"[0-9a-f]+", b"#", re.sub(rb"\s+", b" ", line)) for line in text.splitlines()))


def sorted_lines(text):
    return b"\n".join(sorted(text.splitlines()))


def shell(script):
    return ["bash", "-c", script]


def with_script(name, text):
    """A file of a script that stays until the tests have ended."""
    path = os.path.join(folders.enter_context(tempfile.TemporaryDirectory()), name)
    pathlib.Path(path).write_text(text, encoding="utf-8")
    os.chmod(path, 0o755)
    return path


def forks():
    entry("a bash loop of subshells", shell("for i in {1..150}; do (exit 3); s=$((s + $?)); done; echo $s; exit 3"))
    entry("a bash loop of programs", shell("for i in {1..100}; do /bin/false; s=$((s + $?)); done; echo $s; exit 4"))
    entry("a bash loop of pipes and substitutions",
          shell("for i in {1..60}; do s=$(echo $i | cat | sed s/$/x/); done; echo $s; (exit 5) & wait $!"))
    entry("bash with children in the background",
          shell("for i in {1..40}; do (sleep 0.05; exit 1) & all+=($!); done; "
                "for j in ${all[@]}; do wait $j; n=$((n + $?)); done; echo $n; exit 6"))
    entry("a program that forks in a loop", torture("index", "forks"))
    entry("a program without variables that forks in a loop", torture("plain", "forks"))
    entry("a program with an MPI that forks in a loop", torture("mini", "forks"), ended=True)
    entry("threads that fork", torture("index", "forks_of_threads"))
    entry("threads that fork beside an MPI", torture("mini", "forks_of_threads"), ended=True)
    entry("a child that works for long", torture("index", "outlived"))
    entry("vfork, posix_spawn and system", torture("index", "vforks"))
    entry("vfork, posix_spawn and system beside an MPI", torture("mini", "vforks"), ended=True)
    for mpi in MPIS:
        entry(f"a program of {mpi} that forks", torture(mpi, "forks"), TO_ITS_END, normal=sorted_lines)


def starts():
    entry("a program that replaces itself", torture("index", "execs"))
    entry("a program with an MPI that replaces itself before it starts the MPI", torture("mini", "execs"))
    entry("an MPI program that becomes a shell", [f"{PROGRAMS}/lifetime-mini", "world", "exec"], ended=True)
    entry("programs that end while an agent begins", torture("index", "short_lives"))
    entry("programs without variables that end while an agent begins", torture("plain", "short_lives"))
    entry("threads that end during the start", torture("index", "threads_at_start"))
    entry("threads that end during the start of an MPI", torture("mini", "threads_at_start"), ended=True)
    entry("a main thread that ends before others", torture("index", "main_thread_ends"))
    entry("a thread that ends the process while an agent begins", torture("index", "exit_of_thread"))
    entry("a program that ends at once", ["true"])
    entry("a program that is not there", shell("/nowhere/program; exit $?"))


def ends():
    for kind, ended in (("index", False), ("mini", True)):
        of = "with variables" if kind == "index" else "with an MPI"
        entry(f"a program {of} that ends without handlers", torture(kind, "quick"), ended=ended)
        entry(f"a program {of} that crashes", torture(kind, "crash"), ended=ended)
        entry(f"a program {of} that aborts", torture(kind, "aborts"), ended=ended)
        entry(f"a program {of} that is killed", torture(kind, "killed"), ended=ended)


def other_c_libraries():
    """Programs with musl."""
    if not os.path.exists(os.path.join(TORTURE, "torture-musl")):
        return
    for name, behaviour, *arguments in (
            ("forks in a loop", "forks"), ("has threads that fork", "forks_of_threads"), ("uses vfork, posix_spawn and system", "vforks"),
            ("replaces itself", "execs"), ("ends in a thread", "exit_of_thread"), ("ends without handlers", "quick"),
            ("crashes", "crash"), ("has few descriptors", "few_descriptors"), ("has few streams", "streams", "{file}")):
        entry(f"a program with musl that {name}", torture("musl", behaviour, *arguments))
    entry("a script that starts a program with musl", shell(f"{TORTURE}/torture-musl hello; echo $?; exit 3"))
    entry("a program with musl that may have regions", torture("musl", "hello"), (None, "watch"), options=["--regions"])
    entry("a program with musl whose agent sleeps", torture("musl", "hello"), (None, "watch"), variables={"MPIT_AGENT": "resident"})


def waits():
    """An agent waits for variables that never come."""
    for name, behaviour, *arguments in (
            ("forks in a loop", "forks"), ("has threads that fork", "forks_of_threads"), ("has a child that works for long", "outlived"),
            ("uses vfork, posix_spawn and system", "vforks"), ("replaces itself", "execs"), ("starts short lives", "short_lives"),
            ("has threads that end at the start", "threads_at_start"), ("ends its main thread", "main_thread_ends"),
            ("ends in a thread", "exit_of_thread"), ("ends without handlers", "quick"), ("crashes", "crash"), ("aborts", "aborts"),
            ("is killed", "killed"), ("closes all descriptors", "takes_all_descriptors"), ("has 1024 descriptors", "many_descriptors"),
            ("has few descriptors", "few_descriptors"), ("has few streams", "streams", "{file}"), ("writes small files", "small_files")):
        around = ["sh", "-c", 'ulimit -n 4096; exec "$@"', "sh"] if behaviour == "many_descriptors" else []
        entry(f"a program that waits for variables and {name}", torture("waiting", behaviour, *arguments), (None, "watch"), around=around)
    entry("a program that waits for variables and is interrupted", torture("waiting", "counts_signals"), (None, "watch"), around=DEFAULT,
          drive=send(signal.SIGINT))
    entry("a program that waits for variables while the tool is killed", torture("waiting", "kills_tool", "{file}"), (None, "watch"),
          killed=True)


def mpis():
    entry("sessions of the runtime", [f"{PROGRAMS}/lifetime-mini", "sessions", "finalize"], ended=True)
    entry("a static MPI", [f"{PROGRAMS}/lifetime-static", "world", "finalize"])
    if os.path.exists(f"{PROGRAMS}/lifetime-static-mpich"):
        entry("a static MPICH", [f"{PROGRAMS}/lifetime-static-mpich", "world", "finalize"])
    if "mpich" in MPIS:
        entry("sessions of MPICH", [f"{PROGRAMS}/lifetime-mpich", "session", "finalize"], ended=True)
        entry("sessions of MPICH that overlap", [f"{PROGRAMS}/lifetime-mpich", "sessions", "finalize"], ended=True)
        entry("two ranks with sessions of MPICH",
              ranks("mpich", 2, f"{PROGRAMS}/lifetime-mpich", "session", "finalize"), TO_ITS_END, normal=sorted_lines)
        entry("an MPICH whose session is never ended", [f"{PROGRAMS}/lifetime-mpich", "session", "unfinished"], ended=True)
    for mpi in MPIS:
        entry(f"a program of {mpi} that never starts it", [f"{PROGRAMS}/lifetime-{mpi}", "none", "finalize"])
        entry(f"a program of {mpi} that never ends it", [f"{PROGRAMS}/lifetime-{mpi}", "world", "unfinished"],
              TO_ITS_END, normal=without_numbers)
        if os.path.exists(f"{PROGRAMS}/lifetime-f08-{mpi}"):
            entry(f"mpi_f08 of {mpi}", [f"{PROGRAMS}/lifetime-f08-{mpi}", "world"], TO_ITS_END, normal=without_numbers)
        entry(f"a launcher of {mpi} that is a script",
              [with_script("launch", '#!/bin/sh\necho begin\n"$@"\ncode=$?\necho end $code\nexit $((code + 1))\n'),
               *ranks(mpi, 2, *torture(mpi, "hello"))], TO_ITS_END, normal=sorted_lines)
        entry(f"a listing of two ranks of {mpi}", ranks(mpi, 2, *torture(mpi, "hello")), (None, "init"), ended=True,
              normal=sorted_lines)
        if mpi == "openmpi":
            entry("a rank of openmpi that is killed", ranks(mpi, 2, *torture(mpi, "one_rank_dies")), TO_ITS_END,
                  normal=without_numbers)
        else:
            # The launcher of MPICH 4.2 ends with 0 and says nothing in 26 of 60 runs alone, with 9 and a report in the others.
            entry("a rank of mpich that is killed",
                  ["sh", "-c", '"$@"; code=$?; [ $code -ne 0 ] || code=9; exit $code', "sh",
                   *ranks(mpi, 2, *torture(mpi, "one_rank_dies"))], TO_ITS_END, normal=lambda text: b"")
        entry(f"a launcher of {mpi} that is killed",
              ["sh", "-c", 'echo $$ > "$0"; exec "$@"', "{file}.pid", *ranks(mpi, 2, *torture(mpi, "launcher_dies", "{file}.pid"))],
              TO_ITS_END, normal=lambda text: b"")
    if len(MPIS) == 2:
        entry("two MPIs in one process", [f"{PROGRAMS}/late", f"{PROGRAMS}/plugin-mpich.so", f"{PROGRAMS}/plugin-openmpi.so"],
              TO_ITS_END)
        entry("an MPI beside the runtime in one process",
              [f"{PROGRAMS}/late", f"{PROGRAMS}/plugin-mini.so", f"{PROGRAMS}/plugin-mpich.so"], TO_ITS_END)


def closing(which):
    """The words that close these streams for what follows."""
    return ["sh", "-c", 'exec "$@" ' + " ".join(f"{number}>&-" for number in which), "sh"]


def descriptors():
    for kind, ended in (("index", False), ("mini", True)):
        of = "with variables" if kind == "index" else "with an MPI"
        entry(f"a program {of} that closes all descriptors and takes their numbers", torture(kind, "takes_all_descriptors"),
              ended=ended)
        entry(f"a program {of} that closes its streams",
              ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *torture(kind, "streams", "{file}")], ended=ended)
    for which in ("0", "1", "2", "12", "012"):
        entry(f"closed standard streams {' and '.join(which)}", torture("index", "streams", "{file}"),
              around=closing(which), given=b"x")
    entry("closed standard streams where the tool prints what it found", torture("index", "streams", "{file}"), TO_ITS_END,
          around=closing("01"), shown=True)
    many = ["sh", "-c", 'ulimit -n 4096; exec "$@"', "sh"]
    entry("1024 descriptors in use", torture("index", "many_descriptors"), around=many)
    entry("1024 descriptors in use beside an MPI", torture("mini", "many_descriptors"), around=many, ended=True)
    full = ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh"]
    entry("no descriptor left", torture("index", "all_descriptors"), around=full)
    entry("no descriptor left beside an MPI", torture("mini", "all_descriptors"), around=full, ended=True)
    entry("a low limit of descriptors", torture("index", "few_descriptors"))
    entry("a low limit of descriptors for the tool as well", ["sh", "-c", "ulimit -n; exit 7"],
          around=["sh", "-c", 'ulimit -n 24; exec "$@"', "sh"])
    entry("descriptors that were inherited", torture("index", "reads_inherited"),
          around=["bash", "-c", 'exec "$@" 7< "${0}"', with_script("inherited", "inherited\n")])


def disks():
    entry("files that may not grow", torture("index", "small_files"))
    entry("a full disk", torture("index", "fills_disk", "/dev/full"))
    limited = ["bash", "-c", 'ulimit -f 8; exec "$@"', "bash"]
    entry("files that may not grow for the tool either", ["sh", "-c", "echo words; exit 7"], around=limited)
    entry("a full disk under the record", torture("index", "hello"), (None, "watch"), options=["--record", "/dev/full"])
    entry("a record that may not grow", torture("mini", "hello"), (None, "watch"), around=limited,
          options=["--record", "{file}"])
    folder = folders.enter_context(tempfile.TemporaryDirectory())
    # A mount of its own, where that is allowed; it goes with the tests.
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], stderr=subprocess.DEVNULL,
                      check=False).returncode == 0:
        folders.callback(subprocess.run, ["umount", "--lazy", folder], check=False)
        entry("a small disk under the record", torture("mini", "hello"), (None, "watch"),
              options=["--record", os.path.join(folder, "record.jsonl")])
        entry("a small disk under the report", torture("mini", "hello"), (None, "watch"),
              options=["--report", os.path.join(folder, "report.html")])


def clocks():
    library = os.path.join(TORTURE, "libclock_ahead.so")
    entry("a clock a year ahead in the program", ["sh", "-c", f'LD_PRELOAD=$LD_PRELOAD:{library} exec "$@"', "sh",
                                                  *torture("mini", "hello")], TO_ITS_END)
    # The same in Python alone.
    folder = folders.enter_context(tempfile.TemporaryDirectory())
    pathlib.Path(folder, "sitecustomize.py").write_text(
        "import time\nreal = time.time\ntime.time = lambda: real() + 365 * 24 * 3600\n", encoding="utf-8")
    entry("a clock a year ahead in the tool", torture("mini", "hello"), TO_ITS_END,
          variables={"PYTHONPATH": f"{folder}:{tool.FRONT}"})
    entry("a clock a year ahead everywhere", torture("mini", "hello"), TO_ITS_END, around=["env", f"LD_PRELOAD={library}"])
    entry("a clock a year ahead on a terminal", ["sh", "-c", f'LD_PRELOAD=$LD_PRELOAD:{library} exec "$@"', "sh",
                                                 *torture("mini", "hello")], ON_TERMINAL)


# Where tests run in the background, interrupts may be ignored.
DEFAULT = ["env", "--default-signal=INT,TERM,HUP,QUIT,TSTP,CONT"]


def send(*numbers, to_group=False):
    """Sends signals to the process, or to its group."""
    def drive(running):
        for number in numbers:
            (os.killpg if to_group else os.kill)(running.pid, number)
    return drive


def states(mark_of):
    """The state of each process of the group."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(fields[2]) == mark_of:
                found.append(fields[0])
    return found


def stop_and_continue(running):
    """Stops the process as a shell may do, and lets it go on when all of its group have stopped."""
    os.kill(running.pid, signal.SIGTSTP)
    limit = time.monotonic() + comparison.LIMIT / 2
    while set(states(running.pid)) != {"T"} and time.monotonic() < limit:
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGCONT)


def signals():
    for name in ("INT", "TERM", "HUP", "QUIT"):
        number = getattr(signal, "SIG" + name)
        entry(f"SIG{name} to the tool", torture("index", "counts_signals"), TO_ITS_END, around=DEFAULT, drive=send(number))
        entry(f"SIG{name} to the group", torture("index", "counts_signals"), TO_ITS_END, around=DEFAULT,
              drive=send(number, to_group=True))
        if name != "QUIT":
            entry(f"SIG{name} to the tool, which the program does not handle", torture("index", "waits_for_signal"), TO_ITS_END,
                  around=DEFAULT, drive=send(number), normal=lambda text: b"")
    entry("SIGTSTP and SIGCONT to the tool", torture("index", "stopped_and_continued"), TO_ITS_END, around=DEFAULT,
          drive=stop_and_continue)
    entry("SIGINT on a terminal", torture("index", "counts_signals"), ON_TERMINAL, around=DEFAULT,
          typed=[(b"ready", b"\x03")])
    # The view shows the words of the program, which must not be taken for its output.
    entry("two SIGINTs on a terminal",
          shell("trap 'echo first' INT; echo re''ady; sleep 20; trap 'echo second; exit 9' INT; echo ag''ain; sleep 20"), ON_TERMINAL,
          around=DEFAULT, typed=[(b"ready", b"\x03"), (b"again", b"\x03")])
    entry("SIGQUIT on a terminal", torture("index", "counts_signals"), ON_TERMINAL, around=DEFAULT,
          typed=[(b"ready", b"\x1c")])
    entry("a tool that is killed", torture("index", "kills_tool", "{file}"), TO_ITS_END, killed=True)
    entry("a tool that is killed beside an MPI", torture("mini", "kills_tool", "{file}"), TO_ITS_END, killed=True)
    # The shell of the terminal stops the job and lets it go on.
    entry("a job that is stopped on a terminal and goes on",
          ["bash", "--norc", "-m", "-c", '"$@"; echo stopped $?; fg > /dev/null; echo over $?', "bash",
           *torture("index", "stopped_and_continued")], ("terminal",), around=DEFAULT,
          typed=[(b"ready", b"\x1a")])


def streams():
    given = bytes(range(256)) * 4000
    entry("a program that reads a pipe", torture("index", "reads_input"), given=given)
    entry("a program with an MPI that reads a pipe", torture("mini", "reads_input"), given=given, ended=True)
    entry("cat of a pipe", ["cat"], given=given)
    entry("a program that reads a terminal", torture("index", "reads_lines"), ON_TERMINAL,
          typed=[(b"line 1: ", b"first words\n"), (b"line 2: ", b"second words\n")])
    entry("a shell with jobs on a terminal", ["bash", "--norc", "-m", "-c",
                                              "sleep 0.1 & fg; echo na''me; read name; echo it was $name; exit 8"], ON_TERMINAL,
          typed=[(b"name", b"words\n")])
    entry("a program that prints 10 MB", torture("index", "prints_much"))
    entry("a program with an MPI that prints 10 MB", torture("mini", "prints_much"), ended=True)
    entry("a program that prints 10 MB on a terminal", torture("index", "prints_much"), ON_TERMINAL)
    entry("a program that prints binary", torture("index", "prints_binary"))
    entry("a program that prints without an end of line", torture("index", "prints_unended"))
    entry("a program that prints without an end of line on a terminal", torture("index", "prints_unended"), ON_TERMINAL)
    entry("a program that prints binary on a terminal", shell(r"printf 'one\x01\xff\xfetwo\0three\n\xc3\xa4\n'; exit 5"),
          ON_TERMINAL, normal=bytes)
    entry("output before what the tool prints", torture("mini", "hello"), TO_ITS_END, shown=True)
    entry("a reader that leaves early", ["sh", "-c", '"$@" | head -n 3; exit 7', "sh", *torture("index", "prints_much")], TO_ITS_END)


def setUpModule():
    """Starts all runs at the same time; each test waits for its own."""
    global runs
    if built.FOLDER:
        runs = comparison.Runs(entries, WORKERS)


def tearDownModule():
    folders.close()


@unittest.skipUnless(TORTURE, "the agents were not built")
class Torture(unittest.TestCase):
    def test_both_mpis_are_there(self):
        for mpi in ("mpich", "openmpi"):
            if mpi not in MPIS:
                self.skipTest(f"{mpi} is not installed")

    def test_every_way_is_tried(self):
        if left_out > 0:
            self.skipTest(f"{left_out} of {left_out + sum(len(ways) for _, ways in entries.values())} runs in a short run")

    def test_there_is_another_c_library(self):
        if not os.path.exists(f"{TORTURE}/torture-musl"):
            self.skipTest("no compiler for musl (on Debian: musl-tools) was there")

    def test_there_is_a_module_of_fortran(self):
        if not os.path.exists(f"{PROGRAMS}/lifetime-f08-mpich"):
            self.skipTest("no Fortran compiler of MPICH was there")


def case_of(name):
    def case(self):
        self.assertEqual(runs.differences(name), [])
    return case


if TORTURE:
    for adds in (forks, starts, ends, other_c_libraries, waits, mpis, descriptors, disks, clocks, signals, streams):
        adds()
    chosen = os.environ.get("MPIT_TORTURE_ONLY")
    if chosen:
        entries = {name: value for name, value in entries.items() if re.search(chosen, name)}
    for each in entries:
        setattr(Torture, "test_" + re.sub(r"\W+", "_", each), case_of(each))
