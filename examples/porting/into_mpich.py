#!/usr/bin/env python3
"""Puts mpit into the source tree of an MPICH, 3.4 or later, in place of its own MPI_T. To be run before the tree's autogen.sh.

    into_mpich.py <tree of MPICH>

docs/porting.md describes the result. The tree refers to the generator and the headers in this copy of mpit. A tree that is not as expected,
or that has been changed already, is left as it is.
"""

import pathlib
import shlex
import sys

from source_tree import Mistake, run

PORTING = pathlib.Path(__file__).resolve().parent
INCLUDE = PORTING.parent.parent / "include"

# In 3.4 all files of src/mpi_t leave: each has one of the functions, which are generated since 4.0.
LEAVE = ["src/mpi_t/mpit.c", "src/mpi_t/mpit_impl.c", "src/mpi_t/mpit_initthread.c", "src/mpi_t/mpit_finalize.c", "src/mpi_t/pvar_impl.c",
         "src/mpi_t/events_impl.c", "src/include/mpitimpl.h", "src/include/mpit_err.h", "src/include/mpit_mem.h"]

TABLES = """#!/bin/sh
# The tables and macros of mpit, from the declarations in src. autogen.sh runs this in the tree.
set -e
made=$(mktemp -d)
{generator} --macros --include mpichconf.h --include mpi.h --rejection-code MPI_ERR_OTHER --name mpir_cvars --output "$made" src
mv "$made/mpir_cvars.h" src/include/
mv "$made/mpir_cvars.c" src/util/
mv "$made/README.envvar" .
rmdir "$made"
"""

TOOLS = """/* SPDX-License-Identifier: BSD-3-Clause */
// The functions of MPI_T: one object over mpi.h for libmpi, and one over mpi_abi.h for libmpi_abi. Both have other constants.
#define MPICH_SKIP_MPICXX // mpi.h: the C++ binding of MPICH, if there is one, is built later
#include <mpit/declare.hpp>
#ifndef MPIT_MPI_HEADER
#define MPIT_MPI_HEADER <mpi.h>
#endif
#include <mpit/mpi_t.hpp>

// mpit_variables.c needs the name that its own header stands for: the object of the other library is no silent mistake.
#ifdef MPI_ABI_VERSION
extern "C" __attribute__((used, visibility("hidden"))) const char mpit_tools_over_mpi_abi_h = 1;
#else
extern "C" __attribute__((used, visibility("hidden"))) const char mpit_tools_over_mpi_h = 1;
#endif
"""

HEADER = """/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPICH needs of its tool information interface, which is that of mpit. */
#ifndef MPIT_H_INCLUDED
#define MPIT_H_INCLUDED

#include "mpir_cvars.h"
#include "utarray.h"
#include "uthash.h"

/* Describes the control variables, once, and takes their values from outside. MPI_ERR_OTHER if one cannot be used. Any thread. */
int MPIR_T_env_init(void);

/* Tools may look after MPI_Finalize: nothing ends there. */
#define MPIR_T_is_initialized() 1
#define MPIR_T_env_finalize() ((void) 0)

#endif
"""

VARIABLES = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the control variables when MPI_Init calls MPIR_T_env_init(), or before the first tool is answered. */
#include "mpiimpl.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MPI_ABI_VERSION
extern const char mpit_tools_over_mpi_abi_h __attribute__((visibility("hidden")));
#define TOOLS_ARE_THERE mpit_tools_over_mpi_abi_h
#else
extern const char mpit_tools_over_mpi_h __attribute__((visibility("hidden")));
#define TOOLS_ARE_THERE mpit_tools_over_mpi_h
#endif

/* An object in mpi.h, a number in mpi_abi.h. */
#ifndef MPI_T_PVAR_ALL_HANDLES
static char all_handles;
MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES = (MPI_T_pvar_handle) & all_handles;
#endif

/* The configuration file of the site (--with-configfile) sets what the environment does not: NAME=VALUE. NAME:force=VALUE wins. */
static void read_site_file(void)
{
#ifdef USE_CONFIGFILE
    char line[1024];
    FILE *file = fopen(USE_CONFIGFILE, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, '=');
        if (line[0] == '#' || value == NULL)
            continue;
        *value++ = '\\0';
        value[strcspn(value, " \\t\\r\\n")] = '\\0';
        char *force = strstr(line, ":force");
        if (force != NULL)
            *force = '\\0';
        setenv(line, value, force != NULL);
    }
    if (file != NULL)
        fclose(file);
#endif
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int answer;

static void open_variables(void)
{
    read_site_file();
    answer = !TOOLS_ARE_THERE || mpir_cvars_open() != 0 ? MPI_ERR_INTERN : mpir_cvars_rejected();
}

int MPIR_T_env_init(void)
{
    pthread_once(&once, open_variables);
    return answer;
}

static int describe(void *data)
{
    (void) data;
    return MPIR_T_env_init();
}

__attribute__((constructor)) static void wait_for_tools(void)
{
    mpit_before_tools(describe, NULL);
}
"""

# automake would link a library with a C++ source by the C++ compiler.
MAKEFILE = """## The tool information interface is that of mpit.

AM_CPPFLAGS += -I$(top_srcdir)/src/mpi_t -I{include}
mpi_core_sources += src/mpi_t/mpit_variables.c{more}
mpi_convenience_libs += src/mpi_t/mpit_tools.lo
{abi}
mpit_compile = $(MKDIR_P) src/mpi_t && $(LIBTOOL) --tag=CC --mode=compile $(CXX) -std=c++20 -O2 -fno-exceptions -fno-rtti \\
    -fvisibility=hidden -I{include}

src/mpi_t/mpit_tools.lo: src/mpi_t/mpit_tools.cpp
	$(mpit_compile) -Isrc/include -I$(top_srcdir)/src/include -c -o $@ $(top_srcdir)/src/mpi_t/mpit_tools.cpp
src/mpi_t/mpit_tools_abi.lo: src/mpi_t/mpit_tools.cpp
	$(mpit_compile) -DMPIT_MPI_HEADER='<mpi_abi.h>' -I$(top_srcdir)/src/binding/abi -c -o $@ $(top_srcdir)/src/mpi_t/mpit_tools.cpp
"""
ABI = """if BUILD_ABI_LIB
abi_convenience_libs += src/mpi_t/mpit_tools_abi.lo
endif BUILD_ABI_LIB
"""

COMPILER = """
# The functions of the tool information interface are C++20.
AC_LANG_PUSH([C++])
AC_MSG_CHECKING([whether $CXX compiles mpit])
mpit_saved_CXXFLAGS=$CXXFLAGS
CXXFLAGS="$CXXFLAGS -std=c++20 -I{include}"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[#include <mpit/declare.hpp>]])], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([MPI_T is that of mpit here, which needs g++ 12, clang 14 or later: set CXX, or use a tree with the MPI_T of MPICH])])
CXXFLAGS=$mpit_saved_CXXFLAGS
AC_LANG_POP([C++])
"""

# mpi_proto.h declares what dump_mpi_c() has seen: the functions are generated, and dropped.
BINDING = """# The functions of src/binding/c/mpit are those of mpit: they are declared, and not defined.
_dump_mpi_c = dump_mpi_c

def dump_mpi_c(func, *more):
    begin = len(G.out)
    _dump_mpi_c(func, *more)
    if func['dir'] == 'mpit':
        del G.out[begin:]

"""


def put_mpit_into(tree):
    if tree.has("src/mpi_t/mpit_variables.c"):
        raise Mistake("src/mpi_t/mpit_variables.c is there: the tree has been changed already")
    is_generated = tree.has("src/binding/c/mpit_api.txt")
    if not is_generated and not tree.has("src/mpi_t/cvar_read.c"):
        raise Mistake("src/binding/c/mpit_api.txt and src/mpi_t/cvar_read.c are missing: this is no MPICH of 3.4 or later")
    tree.leave = LEAVE
    if not is_generated:
        tree.leave = [f"src/mpi_t/{path.name}" for path in sorted((tree.root / "src/mpi_t").glob("*.c"))] + ["src/include/mpitimpl.h"]
    quoted = {name: shlex.quote(str(path)) for name, path in (("generator", PORTING / "from_mpich.py"), ("include", INCLUDE))}
    # 4.0 makes maint/extractcvars of this.
    extract = "maint/extractcvars.in" if tree.has("maint/extractcvars.in") else "maint/extractcvars"
    tree.put(extract, TABLES.format(**quoted).replace(quoted["generator"], f"python3 {quoted['generator']}"))
    makefile = tree.text("Makefile.am")
    has_abi = "if BUILD_ABI_LIB" in makefile
    more = " src/mpi_t/qmpi_register.c" if is_generated else ""
    tree.put("src/mpi_t/Makefile.mk", MAKEFILE.format(abi=ABI if has_abi else "", more=more, **quoted))
    tree.put("src/mpi_t/mpit_tools.cpp", TOOLS)
    tree.put("src/mpi_t/mpit_variables.c", VARIABLES)
    tree.put("src/include/mpit.h", HEADER)
    if has_abi and "abi_convenience_libs =" not in makefile:
        separate_abi(tree)
    tree.replace("configure.ac", "\nAC_PROG_CXX\n", f"\nAC_PROG_CXX\n{COMPILER.format(**quoted)}")
    if is_generated:
        tree.replace("maint/gen_binding_c.py", "\ndef main():\n", f"\n{BINDING}def main():\n")
    for path in ("src/mpi/coll/igatherv/igatherv_tsp_linear.c", "src/mpi/coll/igatherv/igatherv_allcomm_sched_linear.c"):
        # The name of no variable, which would be looked for when the line runs.
        if tree.has(path) and "_DEFAULT_INT(GATHERV_" in tree.text(path):
            tree.replace(path, "_DEFAULT_INT(GATHERV_", "_DEFAULT_INT(MPIR_CVAR_GATHERV_")
    counters = "MPID_nem_fbox_fall_back_to_queue_count"
    tree.replace("src/mpid/ch3/channels/nemesis/src/mpid_nem_finalize.c", f"        MPL_free({counters});\n",
                 f"        mpir_cvars_end_performance({counters});\n        MPL_free({counters});\n")


def separate_abi(tree):
    """4.3 links the same convenience libraries into both: libmpi_abi gets its own list."""
    tree.replace("Makefile.am", "\nmpi_convenience_libs =\n", "\nmpi_convenience_libs =\nabi_convenience_libs =\n")
    lines = tree.text("Makefile.am").splitlines(keepends=True)
    tree.put("Makefile.am", "".join(line.replace("$(mpi_convenience_libs)", "$(abi_convenience_libs)") if "MPIABILIBNAME" in line else line
                                    for line in lines))


if __name__ == "__main__":
    sys.exit(run("into_mpich.py", __doc__, put_mpit_into))
