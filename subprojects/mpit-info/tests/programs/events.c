/* A library that a user preloads: with it Open MPI 4.1.4 has an event, as Open MPI 6 has, whose header and constants it
 * has not. MPI_Barrier raises it, with the number of the call, when a callback is there. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if MPI_VERSION < 4
typedef unsigned long *registration, *instance; /* as in Open MPI 6 */
typedef void event_function(instance, registration, int safety, void* data);
typedef void free_function(registration, int safety, void* data);
typedef void dropped_function(MPI_Count, registration, int source, int safety, void* data);

static unsigned long made, number;
static event_function* volatile raised;
static void* data_of_raised;

static void put(const char* text, char* room, int* length) {
    if (length == NULL) return;
    if (room != NULL && *length > 0) snprintf(room, (size_t)*length, "%s", text);
    *length = (int)strlen(text) + 1;
}
int MPI_T_event_get_num(int* count) { return *count = 1, MPI_SUCCESS; }
int MPI_T_event_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* types,
                         MPI_Aint* displacements, int* elements, MPI_T_enum* items, MPI_Info* info, char* description,
                         int* description_length, int* bind) {
    (void)info;
    if (index != 0) return MPI_T_ERR_INVALID_INDEX;
    put("barrier", name, name_length);
    put("A barrier begins.", description, description_length);
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    if (types != NULL && *elements > 0) types[0] = MPI_UNSIGNED_LONG;
    if (displacements != NULL && *elements > 0) displacements[0] = 0;
    *elements = 1;
    *items = MPI_T_ENUM_NULL;
    *bind = MPI_T_BIND_NO_OBJECT;
    return MPI_SUCCESS;
}
int MPI_T_event_handle_alloc(int index, void* object, MPI_Info info, registration* to) {
    (void)object, (void)info;
    if (index != 0) return MPI_T_ERR_INVALID_INDEX;
    *to = &made;
    return MPI_SUCCESS;
}
int MPI_T_event_register_callback(registration of, int safety, MPI_Info info, void* data, event_function* call) {
    (void)of, (void)info;
    if (safety < 0 || safety > 3) return MPI_T_ERR_INVALID;
    data_of_raised = data;
    raised = call;
    return MPI_SUCCESS;
}
int MPI_T_event_set_dropped_handler(registration of, dropped_function* call) {
    return (void)of, (void)call, MPI_SUCCESS;
}
int MPI_T_event_handle_free(registration of, void* data, free_function* call) {
    raised = NULL;
    if (call != NULL) call(of, 0, data);
    return MPI_SUCCESS;
}
int MPI_T_event_read(instance of, int element, void* value) {
    if (element != 0) return MPI_T_ERR_INVALID;
    memcpy(value, of, sizeof *of);
    return MPI_SUCCESS;
}
int MPI_T_event_copy(instance of, void* value) { return MPI_T_event_read(of, 0, value); }
int MPI_T_event_get_timestamp(instance of, MPI_Count* ticks) { return *ticks = (MPI_Count)*of, MPI_SUCCESS; }
int MPI_T_event_get_source(instance of, int* source) { return (void)of, *source = 0, MPI_SUCCESS; }
int MPI_T_source_get_num(int* count) { return *count = 1, MPI_SUCCESS; }
int MPI_T_source_get_info(int index, char* name, int* name_length, char* description, int* description_length,
                          int* ordering, MPI_Count* ticks_per_second, MPI_Count* max_ticks, MPI_Info* info) {
    (void)info;
    if (index != 0) return MPI_T_ERR_INVALID_INDEX;
    put("calls", name, name_length);
    put("The number of the call.", description, description_length);
    *ordering = 1; /* unordered */
    *ticks_per_second = *max_ticks = 1000;
    return MPI_SUCCESS;
}
int MPI_Barrier(MPI_Comm in) {
    for (int i = 0; raised == NULL && i < 20000; i++) usleep(1000);
    event_function* const call = raised;
    number++;
    if (call != NULL) call(&number, &made, 0, data_of_raised);
    return PMPI_Barrier(in);
}
#endif
