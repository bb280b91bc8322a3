/* Lets an MPI break one rule: MPIT_INFO_DEFECT names a defect. Loaded before the MPI, of which it calls the functions PMPI_T_*. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char* defect) {
    const char* wanted = getenv("MPIT_INFO_DEFECT");
    return wanted != NULL && strcmp(wanted, defect) == 0;
}

int MPI_T_init_thread(int required, int* provided) {
    int code = PMPI_T_init_thread(required, provided);
    if (is("wrong level")) *provided = -1;
    return code;
}
int MPI_T_finalize(void) { return is("never closed") ? MPI_SUCCESS : PMPI_T_finalize(); }
int MPI_T_cvar_get_info(int i, char* name, int* length, int* verbosity, MPI_Datatype* type, MPI_T_enum* items,
                        char* description, int* room, int* bind, int* scope) {
    int capacity = length == NULL ? 0 : *length, count, code;
    PMPI_T_cvar_get_num(&count);
    code = PMPI_T_cvar_get_info(i, name, length, verbosity, type, items, description, room, bind, scope);
    if (i >= count && is("wrong code")) return MPI_T_ERR_INVALID;
    if (code == MPI_SUCCESS && name != NULL && capacity > 0 && *length > capacity) {
        if (is("no null")) name[capacity - 1] = 'X';
        if (is("length of the part")) *length = capacity;
    }
    if (code == MPI_SUCCESS && name != NULL && capacity == 0 && is("written at length 0")) name[0] = '\0';
    if (code == MPI_SUCCESS && type != NULL && is("float")) *type = MPI_FLOAT;
    if (code == MPI_SUCCESS && verbosity != NULL && is("no such verbosity")) *verbosity = 4711;
    if (code == MPI_SUCCESS && scope != NULL && is("no such scope")) *scope = 4711;
    return code;
}
int MPI_T_cvar_get_index(const char* name, int* index) {
    int code = PMPI_T_cvar_get_index(name, index), count;
    PMPI_T_cvar_get_num(&count);
    for (int i = 0; name != NULL && code != MPI_SUCCESS && i < count && is("prefix of a name"); i++) {
        char other[512];
        int length = sizeof other;
        PMPI_T_cvar_get_info(i, other, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        if (name[0] != '\0' && strncmp(name, other, strlen(name)) == 0) return *index = i, MPI_SUCCESS;
    }
    return code;
}
int MPI_T_cvar_read(MPI_T_cvar_handle handle, void* value) {
    while (is("hangs")) sleep(1);
    return PMPI_T_cvar_read(handle, value);
}
int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void* value) {
    if (is("write is lost")) return MPI_SUCCESS;
    int code = PMPI_T_cvar_write(handle, value);
    return code == MPI_T_ERR_CVAR_SET_NEVER && is("write is not refused") ? MPI_SUCCESS : code;
}
int MPI_T_enum_get_item(MPI_T_enum items, int i, int* value, char* name, int* length) {
    int code = PMPI_T_enum_get_item(items, i, value, name, length);
    return code == MPI_T_ERR_INVALID_INDEX && is("deprecated code") ? MPI_T_ERR_INVALID_ITEM : code;
}
int MPI_T_pvar_get_index(const char* name, int class, int* index) {
    int code = PMPI_T_pvar_get_index(name, class, index);
    for (int other = MPI_T_PVAR_CLASS_STATE;
         code != MPI_SUCCESS && is("class is ignored") && other <= MPI_T_PVAR_CLASS_GENERIC; other++)
        code = PMPI_T_pvar_get_index(name, other, index);
    return code;
}
static MPI_T_pvar_session latest;
int MPI_T_pvar_session_create(MPI_T_pvar_session* session) {
    if (latest != MPI_T_PVAR_SESSION_NULL && is("one session")) return *session = latest, MPI_SUCCESS;
    int code = PMPI_T_pvar_session_create(session);
    if (code == MPI_SUCCESS) latest = *session;
    return code;
}
int MPI_T_pvar_session_free(MPI_T_pvar_session* session) {
    MPI_T_pvar_session before = *session;
    int code = PMPI_T_pvar_session_free(session);
    if (is("session is not null")) *session = before;
    return code;
}
static MPI_T_pvar_handle handles[4096];
static MPI_T_pvar_session owners[4096];
static int handle_count;
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int i, void* object, MPI_T_pvar_handle* handle, int* count) {
    /* As psm2, which writes a file where a process ends by a signal. */
    if (i == 3 && is("crash")) creat("left", 0600), abort();
    int code = PMPI_T_pvar_handle_alloc(session, i, object, handle, count);
    if (code != MPI_SUCCESS) return code;
    if (handle_count < 4096) handles[handle_count] = *handle, owners[handle_count++] = session;
    if (is("begins started")) PMPI_T_pvar_start(session, *handle);
    return code;
}
int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
    MPI_T_pvar_handle before = *handle;
    int code = PMPI_T_pvar_handle_free(session, handle);
    if (is("handle is not null")) *handle = before;
    return code;
}
int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    for (int i = 0; i < handle_count && is("any session"); i++)
        if (handles[i] == handle) session = owners[i];
    int code = PMPI_T_pvar_start(session, handle);
    if (handle == MPI_T_PVAR_ALL_HANDLES && handle_count > 0 && is("all is refused"))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    return code == MPI_T_ERR_PVAR_NO_STARTSTOP && is("continuous is started") ? MPI_SUCCESS : code;
}
int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return is("never stops") ? MPI_SUCCESS : PMPI_T_pvar_stop(session, handle);
}
int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (is("reset is lost")) return MPI_SUCCESS;
    int code = PMPI_T_pvar_reset(session, handle);
    return code == MPI_T_ERR_PVAR_NO_WRITE && is("read-only is reset") ? MPI_SUCCESS : code;
}
int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
    unsigned char whole[1 << 16];
    memset(whole, 0x5B, sizeof whole);
    int code = PMPI_T_pvar_read(session, handle, is("one byte more") ? whole : value);
    if (code != MPI_SUCCESS || !is("one byte more")) return code;
    size_t bytes = sizeof whole;
    while (bytes > 0 && whole[bytes - 1] == 0x5B) bytes--;
    memcpy(value, whole, bytes + 1);
    return code;
}
int MPI_T_category_get_info(int i, char* name, int* length, char* description, int* room, int* cvars, int* pvars,
                            int* categories) {
    int code = PMPI_T_category_get_info(i, name, length, description, room, cvars, pvars, categories);
    if (code == MPI_SUCCESS && pvars != NULL && is("one member more")) ++*pvars;
    return code;
}
int MPI_T_category_get_cvars(int i, int length, int list[]) {
    return PMPI_T_category_get_cvars(i, length > 0 && is("beyond the list") ? length + 1 : length, list);
}
int MPI_T_category_changed(int* stamp) {
    static int calls;
    int code = PMPI_T_category_changed(stamp);
    if (is("always changed")) *stamp += calls++;
    return code;
}
int MPI_T_event_get_info(int i, char* name, int* length, int* verbosity, MPI_Datatype types[], MPI_Aint places[],
                         int* elements, MPI_T_enum* items, MPI_Info* info, char* description, int* room, int* bind) {
    int code = PMPI_T_event_get_info(i, name, length, verbosity, types, places, elements, items, info, description,
                                     room, bind);
    if (code == MPI_SUCCESS && places != NULL && elements != NULL && *elements > 0 && is("displacement")) places[0] = 8;
    if (code == MPI_SUCCESS && info != NULL && is("no info")) *info = MPI_INFO_NULL;
    return code;
}
int MPI_T_event_read(MPI_T_event_instance instance, int i, void* value) {
    int code = PMPI_T_event_read(instance, i, value);
    return code == MPI_T_ERR_INVALID_INDEX && is("any element") ? MPI_SUCCESS : code;
}
static MPI_T_event_free_cb_function* freed;
static void freed_twice(MPI_T_event_registration registration, MPI_T_cb_safety level, void* data) {
    freed(registration, level, data);
    freed(registration, level, data);
}
int MPI_T_event_handle_free(MPI_T_event_registration registration, void* data, MPI_T_event_free_cb_function function) {
    freed = function;
    return PMPI_T_event_handle_free(registration, data, function != NULL && is("freed twice") ? freed_twice : function);
}
