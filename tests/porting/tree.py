#!/usr/bin/env python3
# examples/porting/into_mpich.py on a small tree that is laid out as MPICH's: what it writes generates the tables, declares the functions
# without defining them, compiles without a warning, and links; an object over the other library's mpi.h does not link. A tree that is not as
# expected stays as it is.
#     tree.py <root of the project> <C compiler and its arguments> -- <C++ compiler and its arguments>

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FREED = "        MPL_free(MPID_nem_fbox_fall_back_to_queue_count);\n"
BINDING = """class G:
    out, declared = [], []

def dump_mpi_c(func, is_large=False):
    G.out.append(f"int {func['name']}(void) {{ return 0; }}")
    G.declared.append(func["name"])

def main():
    for name, folder in (("MPI_Send", "pt2pt"), ("MPI_T_cvar_read", "mpit"), ("MPI_Recv", "pt2pt")):
        dump_mpi_c({"name": name, "dir": folder}, False)
    print(*G.declared)
    print(*G.out, sep="\\n")

main()
"""
AUTOMAKE = """pmpi_convenience_libs =
mpi_convenience_libs =
lib_lib@MPILIBNAME@_la_LIBADD = $(mpi_convenience_libs)
if BUILD_ABI_LIB
lib_lib@MPIABILIBNAME@_la_LIBADD = $(pmpi_convenience_libs) $(mpi_convenience_libs)
endif BUILD_ABI_LIB
"""
MPI_H = """#ifdef BUILD_MPI_ABI
#include <mpi_abi.h>
#else
#include <mpit/mpi_t.h>
#define MPI_ERR_OTHER 15
#define MPI_ERR_INTERN 16
#if defined(__cplusplus) && !defined(MPICH_SKIP_MPICXX)
#include "mpicxx.h"
#endif
#endif
"""
TREE = {
    "Makefile.am": AUTOMAKE,
    "configure.ac": "AC_INIT([lab], [1])\nAC_PROG_CC\nAC_PROG_CXX\nAC_OUTPUT\n",
    "maint/extractcvars": "",
    "maint/gen_binding_c.py": BINDING,
    "src/binding/c/mpit_api.txt": "",
    "src/mpi/coll/igatherv/igatherv_tsp_linear.c": "MPIR_CVAR_GET_DEFAULT_INT(GATHERV_INTER_SSEND_MIN_PROCS, &least);\n",
    "src/mpi/coll/igatherv/igatherv_allcomm_sched_linear.c": "",
    "src/mpid/ch3/channels/nemesis/src/mpid_nem_finalize.c": "    {\n" + FREED + "    }\n",
    "src/include/mpiimpl.h": '#include "mpi.h"\n#include "mpit.h"\n',
    "src/include/mpi.h": MPI_H,
    **{f"src/include/{name}.h": "" for name in ("mpichconf", "utarray", "uthash", "mpitimpl", "mpit_err", "mpit_mem")},
    **{f"src/mpi_t/{name}.c": "" for name in ("mpit", "mpit_impl", "mpit_initthread", "mpit_finalize", "pvar_impl", "events_impl")},
    "src/mpi_t/Makefile.mk": "",
    "src/util/Makefile.mk": "",
}
TOOL = """#include "mpi.h"
#include <stdio.h>

int main(void) {
    int provided = 0, count = 0;
    const int code = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (code != MPI_SUCCESS) return printf("code %s\\n", code == MPI_ERR_OTHER ? "MPI_ERR_OTHER" : "of another kind"), 0;
    MPI_T_cvar_get_num(&count);
    printf("%d variables\\n", count);
    MPI_T_finalize();
    return 0;
}
"""


def run(command, **more):
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)


def compare(name, found, expected):
    if found == expected:
        print(f"ok      {name}")
        return 0
    print(f"failed  {name}\n{found}expected\n{expected}")
    return 1


def files_of(tree):
    return {str(path.relative_to(tree)): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def write_files(tree, files):
    for path, text in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")


class Objects:
    """Objects of the tree by name; complaints of the compilers are counted as failures."""

    def __init__(self, root, tree, folder, c, cpp):
        self.root, self.tree, self.folder, self.c, self.cpp, self.failed = root, tree, folder, c, cpp, 0

    def compile(self, name, source, *more):
        is_cpp = source.endswith(".cpp")
        command = [*self.cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden"] if is_cpp else \
            [*self.c, "-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        paths = ["-I", self.root / "include", "-I", self.tree / "src/include"]
        done = run([*command, "-fPIC", *more, *paths, "-c", source, "-o", self.folder / f"{name}.o"], cwd=self.tree)
        self.failed += compare(f"{name} compiles", done.stdout, "")

    def link(self, *names):
        done = run([*self.c, "-shared", *(self.folder / f"{name}.o" for name in names), "-o", self.folder / f"{names[0]}.so"])
        missing = [name for name in ("mpit_tools_over_mpi_abi_h", "mpit_tools_over_mpi_h") if name in done.stdout]
        return "links\n" if done.returncode == 0 else "".join(f"no {name}\n" for name in missing)


def older(into, tree):
    """A tree as of 3.4, where nothing is generated and each function has a file."""
    files = {**{path: text for path, text in TREE.items() if not path.startswith(("maint/", "src/binding/", "src/mpi_t/"))},
             "maint/extractcvars.in": "", "src/mpi_t/cvar_read.c": "", "src/mpi_t/mpit.c": "", "src/mpi_t/Makefile.mk": ""}
    write_files(tree, files)
    failed = compare("a tree as of 3.4", run([*into, tree]).stdout.splitlines()[-1] + "\n", "Run its autogen script, configure and make as before.\n")
    left = sorted(path for path in files_of(tree) if path.startswith(("src/mpi_t", "maint")))
    return failed + compare("its files of src/mpi_t and maint", "\n".join(left),
                            "maint/extractcvars.in\nsrc/mpi_t/Makefile.mk\nsrc/mpi_t/mpit_tools.cpp\nsrc/mpi_t/mpit_variables.c")


def configure(tree, cpp):
    """What configure says of a compiler that can, and of one that cannot."""
    if shutil.which("autoconf") is None:
        print("skipped: the C++ compiler in configure, autoconf is not installed")
        return 0
    failed = compare("autoconf", run(["autoconf"], cwd=tree).stdout, "")
    done = run(["./configure", f"CXX={' '.join(map(str, cpp))}"], cwd=tree)
    failed += compare("a compiler that can", f"{done.returncode}, {done.stdout.count('compiles mpit... yes')}\n", "0, 1\n")
    done = run(["./configure", "CXX=false"], cwd=tree)
    failed += compare("a compiler that cannot", done.stdout.splitlines()[-1] + "\n",
                      "configure: error: MPI_T is that of mpit here, which needs g++ 12, clang 14 or later: set CXX, or use a tree with the "
                      "MPI_T of MPICH\n")
    return failed


def build(root, tree, folder, c, cpp):
    """The two libraries and a tool, and the mistakes that do not link."""
    (folder / "abi").mkdir()
    (folder / "abi" / "mpi_abi.h").write_text((root / "examples/runtime/include/mpi.h").read_text(encoding="utf-8"), encoding="utf-8")
    made = Objects(root, tree, folder, c, cpp)
    of_abi = ["-I", folder / "abi"]
    made.compile("tools", "src/mpi_t/mpit_tools.cpp")
    made.compile("tools_abi", "src/mpi_t/mpit_tools.cpp", "-DMPIT_MPI_HEADER=<mpi_abi.h>", *of_abi)
    made.compile("variables", "src/mpi_t/mpit_variables.c", f'-DUSE_CONFIGFILE="{folder}/site.conf"')
    made.compile("variables_abi", "src/mpi_t/mpit_variables.c", "-DBUILD_MPI_ABI", *of_abi)
    made.compile("tables", "src/util/mpir_cvars.c")
    failed = made.failed + compare("libmpi", made.link("variables", "tools", "tables"), "links\n")
    failed += compare("libmpi_abi", made.link("variables_abi", "tools_abi", "tables"), "links\n")
    failed += compare("libmpi_abi over mpi.h", made.link("variables_abi", "tools", "tables"), "no mpit_tools_over_mpi_abi_h\n")
    failed += compare("libmpi over mpi_abi.h", made.link("variables", "tools_abi", "tables"), "no mpit_tools_over_mpi_h\n")
    (folder / "tool.c").write_text(TOOL, encoding="utf-8")
    made.compile("tool", str(folder / "tool.c"))
    linked = run([*c, *(folder / f"{name}.o" for name in ("tool", "variables", "tools", "tables")), "-o", folder / "tool"])
    failed += compare("a tool", linked.stdout, "")
    if linked.returncode != 0:
        return failed
    for what, site, given, expected in (
            ("nothing", "", {}, "8 variables\n"), ("a bad value", "", {"MPICH_LAB_EAGER_LIMIT": "many"}, "code MPI_ERR_OTHER\n"),
            ("a bad value in the file of the site", "# limits\nMPICH_LAB_EAGER_LIMIT=many\n", {}, "code MPI_ERR_OTHER\n"),
            ("the environment before the file", "MPICH_LAB_EAGER_LIMIT=many\n", {"MPICH_LAB_EAGER_LIMIT": "3"}, "8 variables\n"),
            ("a file that insists", "MPICH_LAB_EAGER_LIMIT:force=many\n", {"MPICH_LAB_EAGER_LIMIT": "3"}, "code MPI_ERR_OTHER\n")):
        (folder / "site.conf").write_text(site, encoding="utf-8")
        said = run([folder / "tool"], env={**os.environ, **given}).stdout.splitlines()
        failed += compare(f"{what} from outside", said[-1] + "\n", expected)
    return failed


def main():
    try:
        import yaml  # noqa: F401
    except ImportError:
        print("skipped: python3-yaml is not installed")
        return 77
    root, *rest = sys.argv[1:]
    root, border = pathlib.Path(root), rest.index("--")
    into = [sys.executable, root / "examples/porting/into_mpich.py"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = folder / "tree"
        write_files(tree, TREE)
        (tree / "src/mpi/lab.c").write_text((HERE / "declared.c").read_text(encoding="utf-8"), encoding="utf-8")
        finalize = tree / "src/mpid/ch3/channels/nemesis/src/mpid_nem_finalize.c"
        finalize.write_text("", encoding="utf-8")
        before = files_of(tree)
        failed = compare("a tree that is not as expected", run([*into, tree]).stdout,
                         f"into_mpich.py: src/mpid/ch3/channels/nemesis/src/mpid_nem_finalize.c has no {FREED.strip()!r}\n")
        failed += compare("it stays as it is", f"{files_of(tree) == before}\n", "True\n")
        finalize.write_text("    {\n" + FREED + "    }\n", encoding="utf-8")
        done = run([*into, tree])
        failed += compare("the tree is changed", done.stdout.splitlines()[-1] + "\n", "Run its autogen script, configure and make as before.\n")
        changed = files_of(tree)
        failed += compare("the second time", run([*into, tree]).stdout + f"{files_of(tree) == changed}\n",
                          "into_mpich.py: src/mpi_t/mpit_variables.c is there: the tree has been changed already\nTrue\n")
        binding = run([sys.executable, "maint/gen_binding_c.py"], cwd=tree).stdout
        failed += compare("functions that are declared, and those that are defined", binding,
                          "MPI_Send MPI_T_cvar_read MPI_Recv\nint MPI_Send(void) { return 0; }\nint MPI_Recv(void) { return 0; }\n")
        failed += compare("a list of objects for libmpi_abi", (tree / "Makefile.am").read_text(encoding="utf-8"),
                          AUTOMAKE.replace("\nmpi_convenience_libs =", "\nmpi_convenience_libs =\nabi_convenience_libs =").replace(
                              "$(pmpi_convenience_libs) $(mpi_convenience_libs)", "$(pmpi_convenience_libs) $(abi_convenience_libs)"))
        gathering = changed["src/mpi/coll/igatherv/igatherv_tsp_linear.c"].decode()
        failed += compare("the other lines", gathering + finalize.read_text(encoding="utf-8"),
                          "MPIR_CVAR_GET_DEFAULT_INT(MPIR_CVAR_GATHERV_INTER_SSEND_MIN_PROCS, &least);\n    {\n"
                          "        mpir_cvars_end_performance(MPID_nem_fbox_fall_back_to_queue_count);\n" + FREED + "    }\n")
        extracted = run(["sh", "maint/extractcvars", "--dirs=src"], cwd=tree)
        failed += compare("the tables are generated", extracted.stdout.splitlines()[-1] + "\n",
                          "8 control variables, 3 performance variables, 1 left\n")
        failed += older(into, folder / "older")
        failed += configure(tree, rest[border + 1:])
        failed += build(root, tree, folder, rest[:border], rest[border + 1:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
