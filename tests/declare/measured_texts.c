/* Performance variables in C that are texts: of the process and of communicators, which tools read, write and reset. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>

#include <string.h>

enum { room = 64 };

/* A file that a stop writes, as a monitoring component has it. */
static char file[room] = "none";
static int running, written;
static bool is_busy;
static void read_file(uint64_t handle, char* text, size_t size, void* data) {
    CHECK(handle == 0 && size == room && data == file);
    strncat(text, file, size - 1);
}
static mpit_reply set_file(uint64_t handle, const char* text, void* data) {
    CHECK(handle == 0 && strlen(text) < room && data == file);
    if (is_busy) return MPIT_NOT_NOW;
    strcpy(file, text);
    return strcmp(text, "/") == 0 ? MPIT_NEVER : MPIT_ACCEPTED;
}
static void watch_file(int change, void* data) {
    CHECK(data == file);
    running += change;
    written += running == 0;
}

/* A label for each communicator; it fills its room to the last byte. */
static char labels[2][8] = {"world", "self"};
static bool is_freed;
static unsigned label_exists(uint64_t handle, void* data) {
    return (void)data, handle >= 5 && handle <= 6 && !is_freed;
}
static void read_label(uint64_t handle, char* text, size_t size, void* data) {
    (void)data;
    memcpy(text, labels[handle - 5], size); /* also where it has no null */
}
static mpit_reply set_label(uint64_t handle, const char* text, void* data) {
    (void)data;
    strncpy(labels[handle - 5], text, sizeof labels[0]);
    return MPIT_ACCEPTED;
}
static void read_version(uint64_t handle, char* text, size_t size, void* data) {
    (void)handle, (void)data;
    memcpy(text, "1.2\0x", 6); /* what is behind the null is not the text */
    (void)size;
}

static const mpit_performance measures[] = {
    MPIT_ROW_GET_TEXT("tests_file", room, read_file, "File that a stop writes", .data = file, .on_watch = watch_file,
                      .on_write = set_file),
    MPIT_ROW_GET_TEXT("tests_label", 8, read_label, "Label of a communicator", .continuous = true,
                      .bind = MPIT_BIND_COMM, .handle_size = sizeof(int), .elements = label_exists,
                      .on_write = set_label),
    MPIT_ROW_GET_TEXT("tests_version", 16, read_version, "Version of the library", .continuous = true), MPIT_ROW_END};

static MPI_T_pvar_handle handle_on(MPI_T_pvar_session session, const char* name, void* object, int elements) {
    return measured(session, name, MPI_T_PVAR_CLASS_GENERIC, object, elements);
}
static void expect_text(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const char* wanted) {
    char text[room + 1];
    memset(text, '?', sizeof text);
    CHECK(MPI_T_pvar_read(session, handle, text) == MPI_SUCCESS && strcmp(text, wanted) == 0 && text[room] == '?');
}

/* [PCLASS-13][PVAR-10] A generic of chars; one that no function stores is readonly, and none is read and reset in
 * one step. */
static void check_attributes(void) {
    MPI_Datatype type = MPI_INT;
    int of_class = 0, bind = -1, readonly = -1, continuous = -1, atomic = -1;
    round_name = "attributes";
    CHECK(MPI_T_pvar_get_info(pvar_index_of("tests_file", MPI_T_PVAR_CLASS_GENERIC), NULL, NULL, NULL, &of_class, &type,
                              NULL, NULL, NULL, &bind, &readonly, &continuous, &atomic) == MPI_SUCCESS);
    CHECK(of_class == MPI_T_PVAR_CLASS_GENERIC && type == MPI_CHAR && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(readonly == 0 && continuous == 0 && atomic == 0);
    CHECK(MPI_T_pvar_get_info(pvar_index_of("tests_version", MPI_T_PVAR_CLASS_GENERIC), NULL, NULL, NULL, NULL, NULL,
                              NULL, NULL, NULL, NULL, &readonly, &continuous, NULL) == MPI_SUCCESS);
    CHECK(readonly == 1 && continuous == 1);
}

/* [HNDL-17][HNDL-18][HNDL-19][HNDL-21] The library has the text, whether the handle runs or not, and may refuse one. */
static void check_writes(MPI_T_pvar_session session) {
    char longest[room], longer[room + 8], kept[room] = "kept";
    round_name = "writes";
    const MPI_T_pvar_handle handle = handle_on(session, "tests_file", NULL, room),
                            version = handle_on(session, "tests_version", NULL, 16);
    expect_text(session, handle, "none");
    CHECK(MPI_T_pvar_write(session, handle, "phase_1") == MPI_SUCCESS && strcmp(file, "phase_1") == 0);
    expect_text(session, handle, "phase_1");
    strcpy(file, "own"); /* the library changes it */
    CHECK(MPI_T_pvar_start(session, handle) == MPI_SUCCESS && running == 1);
    expect_text(session, handle, "own");
    memset(longest, 'l', sizeof longest - 1);
    longest[room - 1] = '\0';
    memset(longer, 'l', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    CHECK(MPI_T_pvar_write(session, handle, longest) == MPI_SUCCESS);
    expect_text(session, handle, longest);
    CHECK(MPI_T_pvar_write(session, handle, longer) == MPI_T_ERR_INVALID);
    expect_text(session, handle, longest);
    CHECK(MPI_T_pvar_readreset(session, handle, kept) == MPI_T_ERR_PVAR_NO_ATOMIC && strcmp(kept, "kept") == 0);
    CHECK(MPI_T_pvar_reset(session, handle) == MPI_SUCCESS && running == 1);
    expect_text(session, handle, "");
    CHECK(MPI_T_pvar_write(session, handle, "/") == MPI_T_ERR_PVAR_NO_WRITE);
    is_busy = true;
    CHECK(MPI_T_pvar_write(session, handle, "x") == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_PVAR_NO_WRITE);
    is_busy = false;
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS && file[0] == '\0');
    expect_text(session, version, "1.2");
    CHECK(MPI_T_pvar_write(session, version, "1.3") == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_reset(session, version) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_start(session, version) == MPI_T_ERR_PVAR_NO_STARTSTOP);
}

/* [HNDL-10][HNDL-15] The library hears when a handle runs, and when it no longer does, also if a tool frees it. */
static void check_starts(MPI_T_pvar_session session) {
    round_name = "starts";
    CHECK(running == 1 && written == 0);
    MPI_T_pvar_session other = begin_session();
    MPI_T_pvar_handle second = handle_on(other, "tests_file", NULL, room),
                      third = handle_on(session, "tests_file", NULL, room);
    CHECK(MPI_T_pvar_start(other, second) == MPI_SUCCESS && MPI_T_pvar_start(other, second) == MPI_SUCCESS &&
          running == 2);
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS && running == 1 && written == 0);
    CHECK(MPI_T_pvar_session_free(&other) == MPI_SUCCESS && running == 0 && written == 1);
    CHECK(MPI_T_pvar_start(session, third) == MPI_SUCCESS && running == 1);
    CHECK(MPI_T_pvar_handle_free(session, &third) == MPI_SUCCESS && running == 0 && written == 2);
}

/* [BIND-13][BIND-14] Each communicator has its text, until it is freed. */
static void check_objects(MPI_T_pvar_session session) {
    int world = 5, self = 6, none = 7, count = 0;
    MPI_T_pvar_handle refused = MPI_T_PVAR_HANDLE_NULL;
    round_name = "objects";
    const MPI_T_pvar_handle of_world = handle_on(session, "tests_label", &world, 8),
                            of_self = handle_on(session, "tests_label", &self, 8);
    CHECK(MPI_T_pvar_handle_alloc(session, pvar_index_of("tests_label", MPI_T_PVAR_CLASS_GENERIC), &none, &refused,
                                  &count) == MPI_T_ERR_INVALID_HANDLE);
    expect_text(session, of_world, "world");
    CHECK(MPI_T_pvar_write(session, of_self, "sevens_") == MPI_SUCCESS);
    expect_text(session, of_self, "sevens_");
    memcpy(labels[1], "of_eight", 8);
    expect_text(session, of_self, "of_eigh");
    expect_text(session, of_world, "world");
    CHECK(MPI_T_pvar_write(session, of_world, "of_eight") == MPI_T_ERR_INVALID);
    is_freed = true;
    char text[8];
    CHECK(MPI_T_pvar_read(session, of_world, text) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_write(session, of_world, "gone") == MPI_T_ERR_INVALID_HANDLE && strcmp(labels[0], "world") == 0);
}

int test_measured_texts(void) {
    round_name = "groups";
    begin_tool();
    mpit_group* const group = mpit_open(NULL, "tests_texts", "Texts that are measured", NULL);
    CHECK(mpit_add_performance(group, measures, NULL) == 0 && mpit_publish(group) == 0);
    MPI_T_pvar_session session = begin_session();
    check_attributes();
    check_writes(session);
    check_starts(session);
    check_objects(session);
    const MPI_T_pvar_handle open = handle_on(session, "tests_file", NULL, room);
    mpit_close(group);
    char text[room] = "kept";
    CHECK(MPI_T_pvar_read(session, open, text) == MPI_T_ERR_INVALID_HANDLE && strcmp(text, "kept") == 0);
    CHECK(MPI_T_pvar_write(session, open, "late") == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
