/* Prints each call of the interface as a statement of C before the call: `do MPI_T_pvar_start(session, handle)`.
 *
 * The statements since the last variable, behind those before the first one, are the shortest program that shows what
 * was seen: mpit_info/check/program.py completes them. Numbers and texts stand as values; sessions, handles and outputs
 * by the names that the check gives them. */
#ifndef MPIT_INFO_TRACE_H
#define MPIT_INFO_TRACE_H

#define DO(...) (printf("do " __VA_ARGS__), putchar('\n'))
#define DONE(f, arguments, ...) (DO(#f "(" __VA_ARGS__), (f)arguments)

static inline const char* given(const void* pointer, const char* name) {
    return pointer == NULL ? "NULL" : pointer == (void*)1 ? "(void*)1" : name;
}

static inline const char* quoted(const char* name) {
    static char text[600];
    return name == NULL ? "NULL" : (snprintf(text, sizeof text, "\"%s\"", name), text);
}

/* The capacity of a text, which is in the variable of the length; "size" is of names, "room" of descriptions. */
static inline int sized(const int* length, const char* name) {
    return length == NULL ? 0 : (DO("%s = %d", name, *length), 0);
}

#define MPI_Init(c, v) DONE(MPI_Init, (c, v), "NULL, NULL)")
#define MPI_Init_thread(c, v, l, p) DONE(MPI_Init_thread, (c, v, l, p), "NULL, NULL, " #l ", " #p ")")
#define MPI_Finalize() DONE(MPI_Finalize, (), ")")
#define MPI_T_init_thread(l, p) DONE(MPI_T_init_thread, (l, p), "%d, %s)", l, given(p, #p))
#define MPI_T_finalize() DONE(MPI_T_finalize, (), ")")

#define MPI_T_enum_get_info(e, n, t, l)                                                                                \
    (sized(l, "size"),                                                                                                 \
     DONE(MPI_T_enum_get_info, (e, n, t, l), "%s, %s, %s, %s)", (e) == MPI_T_ENUM_NULL ? "MPI_T_ENUM_NULL" : "items",  \
          given(n, "&n"), given(t, "text"), given(l, "&size")))
#define MPI_T_enum_get_item(e, i, n, t, l)                                                                             \
    (sized(l, "size"), DONE(MPI_T_enum_get_item, (e, i, n, t, l), "items, %d, %s, %s, %s)", i, given(n, "&n"),         \
                            given(t, "text"), given(l, "&size")))

#define MPI_T_cvar_get_num(n) DONE(MPI_T_cvar_get_num, (n), "%s)", given(n, "&n"))
#define MPI_T_cvar_get_info(i, t, l, v, d, e, u, m, b, s)                                                              \
    (sized(l, "size"), sized(m, "room"),                                                                               \
     DONE(MPI_T_cvar_get_info, (i, t, l, v, d, e, u, m, b, s), "%d, %s, %s, %s, %s, %s, %s, %s, %s, %s)", i,           \
          given(t, "text"), given(l, "&size"), given(v, "&verbosity"), given(d, "&type"), given(e, "&items"),          \
          given(u, "text"), given(m, "&room"), given(b, "&bind"), given(s, "&scope")))
#define MPI_T_cvar_get_index(t, i) DONE(MPI_T_cvar_get_index, (t, i), "%s, &n)", quoted(t))
#define MPI_T_cvar_handle_alloc(i, o, h, n)                                                                            \
    DONE(MPI_T_cvar_handle_alloc, (i, o, h, n), "%d, %s, " #h ", " #n ")", i, given(o, "&object"))
#define MPI_T_cvar_handle_free(h) DONE(MPI_T_cvar_handle_free, (h), #h ")")
#define MPI_T_cvar_read(h, v) DONE(MPI_T_cvar_read, (h, v), #h ", %s)", given(v, "value"))
#define MPI_T_cvar_write(h, v) DONE(MPI_T_cvar_write, (h, v), #h ", %s)", given(v, "value"))

#define MPI_T_pvar_get_num(n) DONE(MPI_T_pvar_get_num, (n), "%s)", given(n, "&n"))
#define MPI_T_pvar_get_info(i, t, l, v, k, d, e, u, m, b, r, c, a)                                                     \
    (sized(l, "size"), sized(m, "room"),                                                                               \
     DONE(MPI_T_pvar_get_info, (i, t, l, v, k, d, e, u, m, b, r, c, a),                                                \
          "%d, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", i, given(t, "text"), given(l, "&size"),               \
          given(v, "&verbosity"), given(k, "&class"), given(d, "&type"), given(e, "&items"), given(u, "text"),         \
          given(m, "&room"), given(b, "&bind"), given(r, "&readonly"), given(c, "&continuous"), given(a, "&atomic")))
#define MPI_T_pvar_get_index(t, c, i) DONE(MPI_T_pvar_get_index, (t, c, i), "%s, %d, &n)", quoted(t), c)
#define MPI_T_pvar_session_create(s) DONE(MPI_T_pvar_session_create, (s), #s ")")
#define MPI_T_pvar_session_free(s) DONE(MPI_T_pvar_session_free, (s), #s ")")
#define MPI_T_pvar_handle_alloc(s, i, o, h, n)                                                                         \
    DONE(MPI_T_pvar_handle_alloc, (s, i, o, h, n), #s ", %d, %s, " #h ", " #n ")", i, given(o, "&object"))
#define MPI_T_pvar_handle_free(s, h) DONE(MPI_T_pvar_handle_free, (s, h), #s ", " #h ")")
#define MPI_T_pvar_start(s, h) DONE(MPI_T_pvar_start, (s, h), #s ", " #h ")")
#define MPI_T_pvar_stop(s, h) DONE(MPI_T_pvar_stop, (s, h), #s ", " #h ")")
#define MPI_T_pvar_read(s, h, v) DONE(MPI_T_pvar_read, (s, h, v), #s ", " #h ", %s)", given(v, "value"))
#define MPI_T_pvar_write(s, h, v) DONE(MPI_T_pvar_write, (s, h, v), #s ", " #h ", %s)", given(v, "value"))
#define MPI_T_pvar_reset(s, h) DONE(MPI_T_pvar_reset, (s, h), #s ", " #h ")")
#define MPI_T_pvar_readreset(s, h, v) DONE(MPI_T_pvar_readreset, (s, h, v), #s ", " #h ", %s)", given(v, "value"))

#define MPI_T_category_get_num(n) DONE(MPI_T_category_get_num, (n), "%s)", given(n, "&n"))
#define MPI_T_category_changed(n) DONE(MPI_T_category_changed, (n), "%s)", given(n, "&n"))
#define MPI_T_category_get_info(i, t, l, u, m, c, p, k)                                                                \
    (sized(l, "size"), sized(m, "room"),                                                                               \
     DONE(MPI_T_category_get_info, (i, t, l, u, m, c, p, k), "%d, %s, %s, %s, %s, %s, %s, %s)", i, given(t, "text"),   \
          given(l, "&size"), given(u, "text"), given(m, "&room"), given(c, "&cvars"), given(p, "&pvars"),              \
          given(k, "&categories")))
#define MPI_T_category_get_index(t, i) DONE(MPI_T_category_get_index, (t, i), "%s, &n)", quoted(t))
#define MPI_T_category_get_cvars(i, n, l)                                                                              \
    DONE(MPI_T_category_get_cvars, (i, n, l), "%d, %d, %s)", i, n, given(l, "list"))
#define MPI_T_category_get_pvars(i, n, l)                                                                              \
    DONE(MPI_T_category_get_pvars, (i, n, l), "%d, %d, %s)", i, n, given(l, "list"))
#define MPI_T_category_get_categories(i, n, l)                                                                         \
    DONE(MPI_T_category_get_categories, (i, n, l), "%d, %d, %s)", i, n, given(l, "list"))
#define MPI_T_category_get_num_events(i, n) DONE(MPI_T_category_get_num_events, (i, n), "%d, &n)", i)
#define MPI_T_category_get_events(i, n, l)                                                                             \
    DONE(MPI_T_category_get_events, (i, n, l), "%d, %d, %s)", i, n, given(l, "list"))

#define MPI_T_event_get_num(n) DONE(MPI_T_event_get_num, (n), "%s)", given(n, "&n"))
#define MPI_T_event_get_info(i, t, l, v, d, p, n, e, f, u, m, b)                                                       \
    (sized(l, "size"), sized(m, "room"), sized(n, "n"),                                                                \
     DONE(MPI_T_event_get_info, (i, t, l, v, d, p, n, e, f, u, m, b),                                                  \
          "%d, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", i, given(t, "text"), given(l, "&size"),                   \
          given(v, "&verbosity"), given(d, "types"), given(p, "places"), given(n, "&n"), given(e, "&items"),           \
          given(f, "&info"), given(u, "text"), given(m, "&room"), given(b, "&bind")))
#define MPI_T_event_get_index(t, i) DONE(MPI_T_event_get_index, (t, i), "%s, &n)", quoted(t))
#define MPI_T_event_handle_alloc(i, o, f, r)                                                                           \
    DONE(MPI_T_event_handle_alloc, (i, o, f, r), "%d, %s, MPI_INFO_NULL, " #r ")", i, given(o, "&object"))
#define MPI_T_event_handle_free(r, d, f)                                                                               \
    DONE(MPI_T_event_handle_free, (r, d, f), #r ", NULL, %s)", given((void*)f, "freed"))
#define MPI_T_event_handle_get_info(r, i) DONE(MPI_T_event_handle_get_info, (r, i), #r ", &info)")
#define MPI_T_event_handle_set_info(r, i) DONE(MPI_T_event_handle_set_info, (r, i), #r ", MPI_INFO_NULL)")
#define MPI_T_event_register_callback(r, l, i, d, f)                                                                   \
    DONE(MPI_T_event_register_callback, (r, l, i, d, f), #r ", %d, MPI_INFO_NULL, NULL, %s)", (int)(l),                \
         given((void*)f, "callback"))
#define MPI_T_event_set_dropped_handler(r, f)                                                                          \
    DONE(MPI_T_event_set_dropped_handler, (r, f), #r ", %s)", given((void*)f, "dropped"))
#define MPI_T_source_get_num(n) DONE(MPI_T_source_get_num, (n), "%s)", given(n, "&n"))
#define MPI_T_source_get_info(i, t, l, u, m, o, r, k, f)                                                               \
    (sized(l, "size"), DONE(MPI_T_source_get_info, (i, t, l, u, m, o, r, k, f),                                        \
                            "%d, %s, %s, NULL, NULL, %s, %s, %s, %s)", i, given(t, "text"), given(l, "&size"),         \
                            given(o, "&order"), given(r, "&ticks"), given(k, "&most"), given(f, "&info")))
#define MPI_T_source_get_timestamp(i, t) DONE(MPI_T_source_get_timestamp, (i, t), "%d, &ticks)", i)

/* The calls of a callback are statements of the callback. */
#define MPI_T_event_read(i, k, v)                                                                                      \
    (printf("in callback: MPI_T_event_read(instance, %d, value)\n", k), (MPI_T_event_read)(i, k, v))
#define MPI_T_event_copy(i, v) (puts("in callback: MPI_T_event_copy(instance, value)"), (MPI_T_event_copy)(i, v))
#define MPI_T_event_get_timestamp(i, t)                                                                                \
    (puts("in callback: MPI_T_event_get_timestamp(instance, &ticks)"), (MPI_T_event_get_timestamp)(i, t))
#define MPI_T_event_get_source(i, s)                                                                                   \
    (puts("in callback: MPI_T_event_get_source(instance, &n)"), (MPI_T_event_get_source)(i, s))

#endif
