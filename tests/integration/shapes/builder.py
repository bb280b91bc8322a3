# What the scripts that build many processes share: the compilers of the machine, a folder in which nothing is compiled
# twice, and the loop that runs every process and says what became of it. Every core of the machine compiles, links and runs.
# MPIT_SHORT_TESTS=1 asks for a part of them.
#
#     from builder import Builder, run_all

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
LIBRARIES = ["-ldl", "-lpthread"]


def is_clang(compiler):
    return any("clang" in pathlib.Path(word).name for word in compiler)


def cached(compiler):
    """The compiler behind ccache where that is installed, so that the next run compiles only what has changed."""
    return [*(["ccache"] if shutil.which("ccache") and "ccache" not in compiler[0] else []), *compiler]


class Builder:
    """Compiles and links in one folder; what was compiled once is not compiled again. A path is returned at once, and what
    makes it is in the queue of the pool; a command starts after those that make its arguments, which stand before it there."""

    def __init__(self, folder, headers, compiler, pool):
        self.folder = folder
        self.headers = headers
        self.compiler = compiler
        # Two compilers in one process are tried from the side of clang, so that the leg of g++ does not compile everything again.
        self.other = ["g++"] if is_clang(compiler) and shutil.which("g++") else None
        # On riscv64 g++ 12 has no instructions for an exchange of bytes, and nobody has one of 16 bytes.
        self.atomic_library = ["-latomic"] if self.machine().startswith("riscv64") else []
        self.pool = pool
        self.made = {}
        self.makers = {}
        self.paths = 0
        self.untried = []

    def machine(self):
        return subprocess.run([*self.compiler, "-dumpmachine"], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()

    def run(self, command):
        self.wait_for(*command)
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}")

    def wait_for(self, *paths):
        """Raises what the compiler or the linker has said of a path."""
        for path in paths:
            if path in self.makers:
                self.makers[path].result()

    def make(self, key, ending, function):
        key = tuple(map(str, key))
        if key not in self.made:
            self.paths += 1
            path = self.folder / f"{self.paths}{ending}"
            self.makers[path] = self.pool.submit(function, path)
            self.made[key] = path
        return self.made[key]

    def once(self, ending, command):
        """What the command makes in the place that `-o` names, at its end. Of two parts with the same file one is linked."""
        parts = [word for part in command for word in (part if isinstance(part, tuple) else [part])]
        command = [word for index, word in enumerate(parts) if word not in self.makers or word not in parts[:index]]
        return self.make([ending, *command], ending, lambda path: self.run([*command, "-o", str(path)]))

    def changed(self, path, command):
        """A copy of a file, after a command that changes the file at its end."""
        def change(copy):
            self.wait_for(path)
            shutil.copy(path, copy)
            self.run([*command, str(copy)])
        return self.make([path, *command], path.suffix, change)

    def object(self, source, flags, compiler=None, headers=None):
        return self.once(".o", [*cached(compiler or self.compiler), "-std=c++20", "-fPIC", *WARNINGS,
                                "-I", headers or self.headers, "-I", SOURCES, *flags, "-c", source])

    def with_shims(self, source, flags, compiler=None, headers=None):
        """An object and the standard functions, which are compiled once for all macros, and which the linker need not optimise.
        They are optimised where nothing else is asked for: that takes three times as long, and more symbols meet without it."""
        kept = dict.fromkeys(flag for flag in flags if not flag.startswith(("-D", "-flto")))
        if len(kept) > 1:
            kept = dict.fromkeys("-O0" if flag.startswith("-O") else flag for flag in kept)
        return (self.object(source, flags, compiler, headers), self.object(SOURCES / "shims.cpp", kept, compiler, headers))

    def library_object(self, name, flags, compiler=None, headers=None):
        return self.with_shims(SOURCES / "library.cpp", [*flags, f"-DLIBRARY={name}"], compiler, headers)

    def shared(self, parts, links=(), compiler=None):
        return self.once(".so", [*(compiler or self.compiler), "-shared", *links, *parts, *self.atomic_library])

    def libraries(self, flags, links=(), compiler=None):
        return [self.shared([self.library_object(name, flags, compiler)], links, compiler) for name in ("first", "second")]

    def program(self, parts, links=(), compiler=None):
        return self.once("", [*(compiler or self.compiler), *links, *parts, *LIBRARIES, *self.atomic_library])

    def tool(self, name):
        """The program of this name that belongs to the compiler, and None where it is not installed."""
        printed = subprocess.run([*self.compiler, f"-print-prog-name={name}"], text=True, stdout=subprocess.PIPE, check=True)
        return shutil.which(printed.stdout.strip())

    def archive(self, parts, tool=None):
        tool = tool or self.tool("ar")
        return self.make([tool, *parts], ".a", lambda path: self.run([tool, "rcs", str(path), *parts]))

    def loading(self, flags, modules, binding="local", links=(), compiler=None):
        """The command of a program that loads its two modules."""
        program = self.program([self.with_shims(SOURCES / "program.cpp", flags, compiler)], links, compiler)
        return [program, binding, "same", modules[0], "same", modules[1]]

    def linked(self, flags, parts, links=()):
        """The command of a program that is linked with its libraries, or with their objects."""
        return [self.program([self.with_shims(SOURCES / "program.cpp", ["-DLINKED", *flags]), *parts], links)]

    def can_link(self, flags, what, compiler=None):
        """Whether a compiler and its linker know some flags; where not, `what` is said at the end."""
        source = self.folder / "empty.cpp"
        source.write_text("int main() {}\n", encoding="utf-8")
        try:
            self.wait_for(self.once("", [*(compiler or self.compiler), *flags, source]))
        except RuntimeError:
            self.untried.append(what)
            return False
        return True


def complaint_of(build, command, judges):
    """Runs a process; what is wrong with it, or nothing."""
    try:
        build.wait_for(*command)
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return str(error)
    complaint = f"status {done.returncode}" if done.returncode != 0 else "".join(judge(done.stdout) for judge in judges)
    return complaint and f"{complaint}\n{done.stdout}"


def run_all(shapes, least, short):
    """Runs what `shapes` yields: the name of a process, a function that makes its command, and, where the exit status is
    not all, a function that looks at the output and returns a complaint. A short run takes the processes whose whole name is a match of
    `short`, and compiles nothing for the others."""
    headers, *compiler = sys.argv[1:]
    failed = left_out = 0
    is_short = os.environ.get("MPIT_SHORT_TESTS") == "1"
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        build = Builder(pathlib.Path(folder), headers, compiler, pool)
        processes = []
        for name, command, *judges in shapes(build):
            if is_short and not re.fullmatch(short, name):
                left_out += 1
                continue
            try:
                processes.append((name, pool.submit(complaint_of, build, command(), judges).result))
            except RuntimeError as error:
                processes.append((name, error.__str__))
        for name, complaint in processes:
            print("failed " if complaint() else "ok     ", name)
            if complaint():
                print(complaint())
                failed += 1
    for what in dict.fromkeys(build.untried):
        print("skipped:", what)
    if left_out > 0:
        print(f"skipped: {left_out} of {left_out + len(processes)} shapes in a short run")
    print(f"{len(processes)} shapes, {failed} failed")
    return 1 if failed or len(processes) + left_out < least or not processes else 0
