/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers all that Open MPI has before the first tool gets an answer, and finds the objects of tools. */
#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/file/file.h"
#include "ompi/instance/instance.h"
#include "ompi/runtime/ompi_info_support.h"
#include "ompi/win/win.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_variables.h"
#include "opal/runtime/opal.h"
#include "opal/util/event.h"

#ifdef MPIT_OVER_ABI
#include "ompi/mpi/c/abi.h"
#include "ompi/mpi/c/abi_converters.h"
/* A predefined object has a number in the ABI, and others their address. */
#define OBJECT(kind, type, handle) ompi_convert_abi_##kind##_intern_##kind((type##_ABI_INTERNAL)(uintptr_t)(handle))
#else
#define OBJECT(kind, type, handle) ((type)(uintptr_t)(handle))
#endif

extern const int mpit_cannot_init __attribute__((visibility("hidden")));

/* A handler of a signal may look: it does not wait for the lock, and then sees what the table had. */
static bool has(opal_pointer_array_t* table, const void* object) {
    const bool is_locked = 0 == opal_mutex_trylock(&table->lock);
    bool is_there = false;
    for (int i = 0; i < table->size && !is_there; ++i) { is_there = NULL != object && table->addr[i] == object; }
    if (is_locked) { opal_mutex_unlock(&table->lock); }
    return is_there;
}

static void* find(int bind, uint64_t handle) {
    void* object = NULL;
    opal_pointer_array_t* table = NULL;
    switch (bind) {
    case MCA_BASE_VAR_BIND_MPI_COMM:
        object = OBJECT(comm, MPI_Comm, handle);
        table = &ompi_mpi_communicators;
        break;
    case MCA_BASE_VAR_BIND_MPI_WIN:
        object = OBJECT(win, MPI_Win, handle);
        table = &ompi_mpi_windows;
        break;
    case MCA_BASE_VAR_BIND_MPI_FILE:
        object = OBJECT(file, MPI_File, handle);
        table = &ompi_file_f_to_c_table;
        break;
    }
    return NULL != table && has(table, object) ? object : NULL;
}

/* What is initialized here stays until the process ends: tools may come again. */
static int describe(void* data) {
    (void)data;
    ompi_mpi_instance_lock();
    const bool is_there = OPAL_SUCCESS == opal_init_util(NULL, NULL) && OPAL_SUCCESS == opal_event_register_params() &&
                          OPAL_SUCCESS == opal_event_init() &&
                          OMPI_SUCCESS == ompi_info_register_framework_params(NULL);
    ompi_mpi_instance_unlock();
    return is_there && 0 == mca_variables_open(find) ? 0 : mpit_cannot_init;
}

__attribute__((constructor)) static void wait_for_tools(void) { (void)mpit_before_tools(describe, NULL); }
