/* The names of the 51 functions of the MPI tool information interface, for tests that treat them all alike. It compiles
 * as C99 and as C++; each use says what X makes of a name without its prefix. The first opens the interface and the last
 * closes it, so calls in this order work.
 *
 *   #define ADDRESS(name) &MPI_T_##name,
 *   EVERY_FUNCTION(ADDRESS) */
#ifndef TESTS_STANDARD_FUNCTIONS_H
#define TESTS_STANDARD_FUNCTIONS_H

#define EVERY_FUNCTION(X)                                                                                              \
    X(init_thread)                                                                                                     \
    X(enum_get_info)                                                                                                   \
    X(enum_get_item)                                                                                                   \
    X(cvar_get_num)                                                                                                    \
    X(cvar_get_info)                                                                                                   \
    X(cvar_get_index)                                                                                                  \
    X(cvar_handle_alloc)                                                                                               \
    X(cvar_handle_free)                                                                                                \
    X(cvar_read)                                                                                                       \
    X(cvar_write)                                                                                                      \
    X(pvar_get_num)                                                                                                    \
    X(pvar_get_info)                                                                                                   \
    X(pvar_get_index)                                                                                                  \
    X(pvar_session_create)                                                                                             \
    X(pvar_session_free)                                                                                               \
    X(pvar_handle_alloc)                                                                                               \
    X(pvar_handle_free)                                                                                                \
    X(pvar_start)                                                                                                      \
    X(pvar_stop)                                                                                                       \
    X(pvar_read)                                                                                                       \
    X(pvar_write)                                                                                                      \
    X(pvar_reset)                                                                                                      \
    X(pvar_readreset)                                                                                                  \
    X(event_get_num)                                                                                                   \
    X(event_get_info)                                                                                                  \
    X(event_get_index)                                                                                                 \
    X(event_handle_alloc)                                                                                              \
    X(event_handle_free)                                                                                               \
    X(event_handle_get_info)                                                                                           \
    X(event_handle_set_info)                                                                                           \
    X(event_register_callback)                                                                                         \
    X(event_callback_get_info)                                                                                         \
    X(event_callback_set_info)                                                                                         \
    X(event_set_dropped_handler)                                                                                       \
    X(event_read)                                                                                                      \
    X(event_copy)                                                                                                      \
    X(event_get_timestamp)                                                                                             \
    X(event_get_source)                                                                                                \
    X(source_get_num)                                                                                                  \
    X(source_get_info)                                                                                                 \
    X(source_get_timestamp)                                                                                            \
    X(category_get_num)                                                                                                \
    X(category_get_info)                                                                                               \
    X(category_get_index)                                                                                              \
    X(category_get_cvars)                                                                                              \
    X(category_get_pvars)                                                                                              \
    X(category_get_events)                                                                                             \
    X(category_get_categories)                                                                                         \
    X(category_get_num_events)                                                                                         \
    X(category_changed)                                                                                                \
    X(finalize)

enum { function_count = 51 };

#endif
