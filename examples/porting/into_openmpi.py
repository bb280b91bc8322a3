#!/usr/bin/env python3
"""Puts mpit into the source tree of an Open MPI 6, in place of its own MPI_T. To be run before the tree's autogen.pl.

    into_openmpi.py <tree of Open MPI>

docs/porting.md describes the result. The tree refers to the headers in this copy of mpit. A tree that is not as expected, or that has been
changed already, is left as it is.
"""

import pathlib
import sys

from source_tree import Mistake, run

PORTING = pathlib.Path(__file__).resolve().parent
INCLUDE = PORTING.parent.parent / "include"
BASE, TOOL = "opal/mca/base", "ompi/mpi/tool"

# All copies call the functions of libopen-pal.
FLAGS = f"""-I{INCLUDE} -DMPIT_NAMES=opal_mpit_ -DMPIT_NAMES_VISIBILITY='"default"'"""
COMPILE = """$(LIBTOOL) --tag=CC --mode=compile $(CXX) -std=c++20 -O2 -fno-exceptions -fno-rtti -fvisibility=hidden"""

# automake would link a library with a C++ source by the C++ compiler.
DECLARE = f"""
AM_CPPFLAGS += {FLAGS} -DMCA_HAS_EVENTS
libmca_base_la_LIBADD = mpit_declare.lo
EXTRA_DIST += mpit_declare.cpp
mpit_declare.lo: mpit_declare.cpp
	{COMPILE} {FLAGS} -c -o $@ $(srcdir)/mpit_declare.cpp
"""
TOOLS = f"""# The functions of tools are those of mpit.
AM_CPPFLAGS = {FLAGS} -DMPIT_IN_PLUGIN
noinst_LTLIBRARIES = libmpi_mpit.la
libmpi_mpit_la_SOURCES = mpit_variables.c
libmpi_mpit_la_LIBADD = mpit_tools.lo
EXTRA_DIST = mpit_tools.cpp
mpit_tools.lo: mpit_tools.cpp
	{COMPILE} {FLAGS} \\
	    -I$(top_builddir)/ompi/include -I$(top_srcdir)/ompi/include -c -o $@ $(srcdir)/mpit_tools.cpp
if OMPI_STANDARD_ABI
noinst_LTLIBRARIES += libmpi_mpit_abi.la
libmpi_mpit_abi_la_SOURCES = mpit_variables.c
libmpi_mpit_abi_la_CPPFLAGS = $(AM_CPPFLAGS) -DMPIT_OVER_ABI -DOMPI_NO_MPI_PROTOTYPES
libmpi_mpit_abi_la_LIBADD = mpit_tools_abi.lo
mpit_tools_abi.lo: mpit_tools.cpp
	{COMPILE} {FLAGS} \\
	    -I$(top_builddir)/ompi/mpi/c/standard_abi -c -o $@ $(srcdir)/mpit_tools.cpp
endif
"""


def copy(tree, folder, *names):
    for name in names:
        tree.put(f"{folder}/{name.rpartition('/')[2]}", (PORTING / name).read_text(encoding="utf-8"))


def put_mpit_into(tree):
    if tree.has(f"{TOOL}/mpit_variables.c"):
        raise Mistake(f"{TOOL}/mpit_variables.c is there: the tree has been changed already")
    if not tree.has(f"{BASE}/mca_base_event_dispatch.c"):
        raise Mistake(f"{BASE}/mca_base_event_dispatch.c is missing: this is no Open MPI 6")
    tree.leave = [f"{TOOL}/{path.name}" for path in sorted((tree.root / TOOL).iterdir()) if not path.name.startswith("Makefile.")]
    tree.leave.append(f"{BASE}/mca_base_event_dispatch.c")
    copy(tree, BASE, "mca_variables.h", "mca_variables.c", "mca_events.c", "openmpi/mpit_declare.cpp")
    copy(tree, TOOL, "openmpi/mpit_variables.c", "openmpi/mpit_tools.cpp")
    tree.replace(f"{BASE}/Makefile.am", "mca_base_event_dispatch.c", "mca_events.c mca_variables.c mca_variables.h")
    tree.put(f"{BASE}/Makefile.am", tree.text(f"{BASE}/Makefile.am") + DECLARE)
    tree.put(f"{TOOL}/Makefile.am", TOOLS)
    include = '#include "opal/mca/base/mca_base_vari.h"\n'
    for name, place, call in (
            ("mca_base_var.c", "    /* All done */\n    return var_index;\n", "mca_variables_registered(var->mbv_group_index)"),
            ("mca_base_pvar.c", "    return pvar->pvar_index;\n", "mca_variables_registered(pvar->group_index)"),
            ("mca_base_var_group.c", "    group->group_isvalid = false;\n\n", "mca_variables_ending(group_index)")):
        tree.replace(f"{BASE}/{name}", include, f'{include}#include "mca_variables.h"\n')
        tree.replace(f"{BASE}/{name}", place, f"    {call};\n{place}")


if __name__ == "__main__":
    sys.exit(run("into_openmpi.py", __doc__, put_mpit_into))
