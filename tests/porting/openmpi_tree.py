#!/usr/bin/env python3
# examples/porting/into_openmpi.py on a small tree that is laid out as Open MPI's: what it changes, that the objects in C++ compile, and that
# a tree that is not as expected stays as it is.
#     openmpi_tree.py <root of the project> <C compiler and its arguments> -- <C++ compiler and its arguments>

import pathlib
import shlex
import sys
import tempfile

from tree import compare, files_of, run, write_files

BASE, TOOL = "opal/mca/base", "ompi/mpi/tool"
INCLUDE = '#include "opal/mca/base/mca_base_vari.h"\n'
ENDS = {"mca_base_var.c": "    /* All done */\n    return var_index;\n", "mca_base_pvar.c": "    return pvar->pvar_index;\n",
        "mca_base_var_group.c": "    group->group_isvalid = false;\n\n    /* deregister all */\n"}
TREE = {
    f"{BASE}/Makefile.am": "AM_CPPFLAGS =\nEXTRA_DIST =\nlibmca_base_la_SOURCES = mca_base_event.c mca_base_event_dispatch.c\n",
    f"{BASE}/mca_base_event_dispatch.c": "",
    **{f"{BASE}/{name}": f"{INCLUDE}int one(void)\n{{\n{end}}}\n" for name, end in ENDS.items()},
    **{f"{TOOL}/{name}": "" for name in ("Makefile.am", "Makefile_abi.include", "cvar_read.c.in", "mpit_common.c")},
}
EXPECTED = sorted([*(f"{BASE}/{name}" for name in ("Makefile.am", "mca_base_pvar.c", "mca_base_var.c", "mca_base_var_group.c", "mca_events.c",
                                                   "mca_variables.c", "mca_variables.h", "mpit_declare.cpp")),
                   *(f"{TOOL}/{name}" for name in ("Makefile.am", "mpit_tools.cpp", "mpit_variables.c"))])
CALLED = """    mca_variables_registered(var->mbv_group_index);
    /* All done */
    return var_index;
"""


def compile_tools(root, tree, folder, cpp):
    """The files in C++ with the flags of the Makefile, over the header of the ABI."""
    text = (tree / TOOL / "Makefile.am").read_text(encoding="utf-8")
    flags = shlex.split(next(line for line in text.splitlines() if line.startswith("AM_CPPFLAGS = ")).partition("= ")[2])
    failed = 0
    for source in (f"{BASE}/mpit_declare.cpp", f"{TOOL}/mpit_tools.cpp"):
        done = run([*cpp, "-std=c++20", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-fPIC", *flags,
                    "-I", root / "examples/runtime/include", "-c", tree / source, "-o", folder / "made.o"])
        failed += compare(f"{source} compiles", done.stdout, "")
    return failed


def main():
    root, *rest = sys.argv[1:]
    root, cpp = pathlib.Path(root), rest[rest.index("--") + 1:]
    into = [sys.executable, root / "examples/porting/into_openmpi.py"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tree = folder / "tree"
        write_files(tree, {**TREE, f"{BASE}/mca_base_var_group.c": INCLUDE})
        before = files_of(tree)
        failed = compare("a tree that is not as expected", run([*into, tree]).stdout,
                         f"into_openmpi.py: {BASE}/mca_base_var_group.c has no 'group->group_isvalid = false;'\n")
        failed += compare("it stays as it is", f"{files_of(tree) == before}\n", "True\n")
        write_files(tree, TREE)
        said = run([*into, tree]).stdout.splitlines()
        failed += compare("what follows", said[-1] + "\n", "Run its autogen script, configure and make as before.\n")
        failed += compare("the files", "\n".join(sorted(files_of(tree))) + "\n", "\n".join(EXPECTED) + "\n")
        changed = (tree / BASE / "mca_base_var.c").read_text(encoding="utf-8")
        failed += compare("a call", f"{CALLED in changed}, {changed.count('mca_variables.h')}\n", "True, 1\n")
        makefile = (tree / BASE / "Makefile.am").read_text(encoding="utf-8")
        failed += compare("a makefile", f"{'mca_base_event_dispatch' in makefile}, {makefile.count('mca_events.c')}\n", "False, 1\n")
        failed += compare("a changed tree", run([*into, tree]).stdout,
                          f"into_openmpi.py: {TOOL}/mpit_variables.c is there: the tree has been changed already\n")
        failed += compare("no tree", run([*into, folder]).stdout,
                          f"into_openmpi.py: {BASE}/mca_base_event_dispatch.c is missing: this is no Open MPI 6\n")
        failed += compile_tools(root, tree, folder, cpp)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
