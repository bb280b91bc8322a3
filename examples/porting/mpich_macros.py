"""The text that from_mpich.py --macros writes: the macros by which sources of MPICH add and change performance variables and raise events,
and the functions behind them. NAME stands for the name of the files, COUNT for the number of events.

    import mpich_macros; mpich_macros.MACROS.replace("NAME", "cvars")
"""

MACROS = """
/* The macros by which the sources add and change performance variables. Numbers stay where they are; a timer has cells, for
 * its time and for how often it was started, and tools see a counter of its name as well. One of a module X is added
 * and changed only if ENABLE_PVAR_X is not 0. */
typedef struct {
    mpit_timer timer;
    mpit_counter number;
    uint64_t began;
    bool is_there;
} MPIR_T_pvar_timer_t;
/* Adds a variable to its category until NAME_close(), once; over other storage it replaces the former one. A refusal is reported. One
 * thread at a time calls this, what is below, the macros ..._REGISTER_..., NAME_open() and NAME_close(), as in MPI_Init and MPI_Finalize:
 * there is no lock. Changing a variable needs none, and tools may read meanwhile. */
void NAME_add_performance(const char* category, mpit_performance row, bool storage_ends);
/* To be called before the storage of a variable is freed that was added with _REGISTER_DYNAMIC: its handles are invalid from then on, and
 * its number comes back when the variable is added again. Waits until no tool reads it. */
void NAME_end_performance(const void* storage);

#define MPIR_T_PVAR_FLAG_READONLY 1
#define MPIR_T_PVAR_FLAG_CONTINUOUS 2
#define MPIR_T_PVAR_FLAG_SUM 0
#define NAME_MPI_INT MPIT_TYPE_INT
#define NAME_MPI_UNSIGNED MPIT_TYPE_UNSIGNED
#define NAME_MPI_UNSIGNED_LONG MPIT_TYPE_UNSIGNED_LONG
#define NAME_MPI_UNSIGNED_LONG_LONG MPIT_TYPE_UNSIGNED_LONG_LONG
#define NAME_MPI_DOUBLE MPIT_TYPE_DOUBLE
#define NAME_MPI_T_VERBOSITY_USER_BASIC MPIT_USER_BASIC
#define NAME_MPI_T_VERBOSITY_USER_DETAIL MPIT_USER_DETAIL
#define NAME_MPI_T_VERBOSITY_USER_ALL MPIT_USER_ALL
#define NAME_MPI_T_VERBOSITY_TUNER_BASIC MPIT_TUNER_BASIC
#define NAME_MPI_T_VERBOSITY_TUNER_DETAIL MPIT_TUNER_DETAIL
#define NAME_MPI_T_VERBOSITY_TUNER_ALL MPIT_TUNER_ALL
#define NAME_MPI_T_VERBOSITY_MPIDEV_BASIC MPIT_DEVELOPER_BASIC
#define NAME_MPI_T_VERBOSITY_MPIDEV_DETAIL MPIT_DEVELOPER_DETAIL
#define NAME_MPI_T_VERBOSITY_MPIDEV_ALL MPIT_DEVELOPER_ALL

#define NAME_IF(MODULE, ...)                    \\
    do {                                        \\
        if (ENABLE_PVAR_##MODULE) __VA_ARGS__;  \\
    } while (0)
#define NAME_ROW(name_, desc_, verb_, flags_, ...)                                                         \\
    (mpit_performance) {                                                                                   \\
        .name = name_, .description = desc_, .verbosity = verb_,                                           \\
        .readonly = ((flags_) & MPIR_T_PVAR_FLAG_READONLY) != 0,                                           \\
        .continuous = ((flags_) & MPIR_T_PVAR_FLAG_CONTINUOUS) != 0, __VA_ARGS__                           \\
    }
#define NAME_NUMBERS(MODULE, class_, type_, name_, address_, count_, verb_, flags_, cat_, desc_)           \\
    NAME_NUMBERS_THAT(false, MODULE, class_, type_, name_, address_, count_, verb_, flags_, cat_, desc_)
#define NAME_NUMBERS_THAT(ends_, MODULE, class_, type_, name_, address_, count_, verb_, flags_, cat_, desc_) \\
    NAME_IF(MODULE, NAME_add_performance(cat_, NAME_ROW(name_, desc_, verb_, flags_, .variable_class = class_, \\
                .type = type_, .storage = (address_), .size = sizeof *(address_), .count = (unsigned)(count_)), ends_))

#define MPIR_T_PVAR_COUNTER_REGISTER_STATIC(MODULE, type_, name_, verb_, bind_, flags_, cat_, desc_)       \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_COUNTER, NAME_##type_, #name_, &PVAR_COUNTER_##name_, 1, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_COUNTER_ARRAY_REGISTER_STATIC(MODULE, type_, name_, verb_, bind_, flags_, cat_, desc_) \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_COUNTER, NAME_##type_, #name_, &PVAR_COUNTER_##name_[0],               \\
                 sizeof PVAR_COUNTER_##name_ / sizeof PVAR_COUNTER_##name_[0], NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_COUNTER_REGISTER_DYNAMIC(MODULE, type_, name_, addr_, count_, verb_, bind_, flags_, value_, number_, cat_, desc_) \\
    NAME_NUMBERS_THAT(true, MODULE, MPIT_CLASS_COUNTER, NAME_##type_, #name_, addr_, count_, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_AGGREGATE_REGISTER_STATIC(MODULE, type_, name_, verb_, bind_, flags_, cat_, desc_)     \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_AGGREGATE, NAME_##type_, #name_, &PVAR_AGGREGATE_##name_, 1, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_LEVEL_REGISTER_STATIC(MODULE, type_, name_, initial_, verb_, bind_, flags_, cat_, desc_) \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_LEVEL, NAME_##type_, #name_, &PVAR_LEVEL_##name_, 1, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_SIZE_REGISTER_STATIC(MODULE, type_, name_, initial_, verb_, bind_, flags_, cat_, desc_) \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_SIZE, NAME_##type_, #name_, &PVAR_SIZE_##name_, 1, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_PERCENTAGE_REGISTER_STATIC(MODULE, type_, name_, initial_, verb_, bind_, flags_, cat_, desc_) \\
    NAME_NUMBERS(MODULE, MPIT_CLASS_PERCENTAGE, NAME_##type_, #name_, &PVAR_PERCENTAGE_##name_, 1, NAME_##verb_, flags_, cat_, desc_)
#define MPIR_T_PVAR_TIMER_REGISTER_STATIC(MODULE, type_, name_, verb_, bind_, flags_, cat_, desc_)         \\
    NAME_IF(MODULE, {                                                                                      \\
        if (!PVAR_TIMER_##name_.is_there)                                                                  \\
            PVAR_TIMER_##name_ = (MPIR_T_pvar_timer_t){MPIT_TIMER_CELL, MPIT_COUNTER_CELL, 0, true};       \\
        NAME_add_performance(cat_, NAME_ROW(#name_, desc_, NAME_##verb_, flags_, .variable_class = MPIT_CLASS_TIMER, \\
                                           .type = MPIT_TYPE_DOUBLE, .timer = &PVAR_TIMER_##name_.timer), false); \\
        NAME_add_performance(cat_, NAME_ROW(#name_, desc_, NAME_##verb_, flags_, .variable_class = MPIT_CLASS_COUNTER, \\
                                           .type = MPIT_TYPE_UNSIGNED_LONG_LONG, .counter = &PVAR_TIMER_##name_.number), false); \\
    })

#define MPIR_T_PVAR_COUNTER_INC(MODULE, name_, n_) NAME_IF(MODULE, PVAR_COUNTER_##name_ += (n_))
#define MPIR_T_PVAR_COUNTER_INC_VAR(MODULE, ptr_, n_) NAME_IF(MODULE, *(ptr_) += (n_))
#define MPIR_T_PVAR_AGGREGATE_INC(MODULE, name_, n_) NAME_IF(MODULE, PVAR_AGGREGATE_##name_ += (n_))
#define MPIR_T_PVAR_LEVEL_SET(MODULE, name_, n_) NAME_IF(MODULE, PVAR_LEVEL_##name_ = (n_))
#define MPIR_T_PVAR_LEVEL_INC(MODULE, name_, n_) NAME_IF(MODULE, PVAR_LEVEL_##name_ += (n_))
#define MPIR_T_PVAR_LEVEL_DEC(MODULE, name_, n_) NAME_IF(MODULE, PVAR_LEVEL_##name_ -= (n_))
#define MPIR_T_PVAR_SIZE_SET(MODULE, name_, n_) NAME_IF(MODULE, PVAR_SIZE_##name_ = (n_))
#define MPIR_T_PVAR_PERCENTAGE_SET(MODULE, name_, n_) NAME_IF(MODULE, PVAR_PERCENTAGE_##name_ = (n_))
#define MPIR_T_PVAR_TIMER_START(MODULE, name_)                                                             \\
    NAME_IF(MODULE, {                                                                                      \\
        PVAR_TIMER_##name_.began = mpit_start();                                                           \\
        if (PVAR_TIMER_##name_.is_there) mpit_add(&PVAR_TIMER_##name_.number, 1);                          \\
    })
#define MPIR_T_PVAR_TIMER_END(MODULE, name_)                                                               \\
    NAME_IF(MODULE, if (PVAR_TIMER_##name_.is_there)                                                       \\
                        mpit_stop(&PVAR_TIMER_##name_.timer, PVAR_TIMER_##name_.began))
"""

EVENT_MACROS = """
/* The macros by which the sources declare and raise events. Without HAVE_MPIT_EVENTS they do nothing. Tools see the names of the elements as
 * element_0 and so on, and the clock of the library as the source. */
#ifdef HAVE_MPIT_EVENTS
extern mpit_event NAME_events[];
/* Adds an event to its category until NAME_close(), once. Returns its place in NAME_events; a refusal is reported. `type`, `offset` of the
 * first `count` elements are there; the function writes the rest. */
int NAME_add_event(const char* category, const char* name, const char* description, mpit_verbosity verbosity, mpit_element* elements, int count);

#define NAME_MPI_T_CB_REQUIRE_NONE MPIT_NO_RESTRICTION
#define NAME_MPI_T_CB_REQUIRE_MPI_RESTRICTED MPIT_RESTRICTED
#define NAME_MPI_T_CB_REQUIRE_THREAD_SAFE MPIT_THREAD_SAFE
#define NAME_MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE MPIT_ASYNC_SIGNAL_SAFE
#define NAME_TYPE_OF(datatype)                                                                             \\
    ((datatype) == MPI_INT ? MPIT_TYPE_INT : (datatype) == MPI_UNSIGNED ? MPIT_TYPE_UNSIGNED :             \\
     (datatype) == MPI_UNSIGNED_LONG ? MPIT_TYPE_UNSIGNED_LONG :                                           \\
     (datatype) == MPI_UNSIGNED_LONG_LONG ? MPIT_TYPE_UNSIGNED_LONG_LONG :                                 \\
     (datatype) == MPI_DOUBLE ? MPIT_TYPE_DOUBLE : (datatype) == MPI_CHAR ? MPIT_TYPE_CHAR : MPIT_TYPE_NONE)
#define MPIR_T_register_source(name_, desc_, order_, clock_, ticks_, last_, index_) (*(index_) = 0)
#define MPIR_T_register_event(source_, name_, verb_, types_, offsets_, count_, desc_, bind_, cat_, index_) \\
    do {                                                                                                   \\
        mpit_element NAME_elements[NAME_MOST_ELEMENTS + 1] = {MPIT_ROW_END};                               \\
        for (int NAME_i = 0; NAME_i < (int)(count_) && NAME_i < NAME_MOST_ELEMENTS; NAME_i++) {            \\
            NAME_elements[NAME_i].type = NAME_TYPE_OF((types_)[NAME_i]);                                   \\
            NAME_elements[NAME_i].offset = (size_t)(offsets_)[NAME_i];                                     \\
        }                                                                                                  \\
        (void)(source_);                                                                                   \\
        *(index_) = NAME_add_event(cat_, name_, desc_, NAME_##verb_, NAME_elements, (int)(count_));        \\
    } while (0)
#define MPIR_T_DO_EVENT(index_, safety_, ...) mpit_raise_at(&NAME_events[index_], NAME_##safety_, 0, __VA_ARGS__)
enum { NAME_MOST_ELEMENTS = 16 };
#else
#define MPIR_T_register_source(name_, desc_, order_, clock_, ticks_, last_, index_) (*(index_) = 0)
#define MPIR_T_register_event(source_, name_, verb_, types_, offsets_, count_, desc_, bind_, cat_, index_) \\
    ((void)(source_), (void)(types_), (void)(offsets_), *(index_) = 0)
#define MPIR_T_DO_EVENT(...) ((void)0)
#endif
"""

CATEGORIES = """
static const char* description_of(const char* category) {
    for (int i = 0; i < category_count; i++)
        if (strcmp(categories[i].name, category) == 0) return categories[i].description;
    return "";
}
static mpit_group* group_of(const char* category) {
    for (int i = 0; i < category_count; i++)
        if (strcmp(categories[i].name, category) == 0) return groups[i];
    return NULL;
}"""

EVENTS = """
/* The last one is for events that have no place: no tool sees it. */
enum { event_count = COUNT, most_elements = 16 };
extern mpit_event NAME_events[];
int NAME_add_event(const char* category, const char* name, const char* description, mpit_verbosity verbosity, mpit_element* elements, int count);
mpit_event NAME_events[event_count + 1];
static struct {
    char* name;
    mpit_group* own;
} events[event_count + 1];

int NAME_add_event(const char* category, const char* name, const char* description, mpit_verbosity verbosity, mpit_element* elements, int count) {
    char names[most_elements][16];
    int place = 0;
    size_t size = 0;
    while (place < event_count && events[place].name != NULL && strcmp(events[place].name, name) != 0) place++;
    if (place == event_count || count > most_elements) {
        fprintf(stderr, "NAME: the event %s has no place, or more than %d elements\\n", name, most_elements);
        return event_count;
    }
    if (events[place].own != NULL) return place;
    if (events[place].name == NULL) {
        events[place].name = malloc(strlen(name) + 1);
        if (events[place].name == NULL) return event_count;
        strcpy(events[place].name, name);
    }
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "element_%d", i);
        elements[i].name = names[i];
        elements[i].size = elements[i].type == MPIT_TYPE_CHAR ? 1 : elements[i].type <= MPIT_TYPE_UNSIGNED ? sizeof(int) : 8;
        if (elements[i].offset + elements[i].size > size) size = elements[i].offset + elements[i].size;
    }
    const mpit_event_type rows[] = {{.name = name, .event = &NAME_events[place], .elements = elements, .size = size,
                                     .description = description, .verbosity = verbosity}, MPIT_ROW_END};
    events[place].own = mpit_open(NULL, category, description_of(category), NULL);
    if (events[place].own == NULL) return event_count;
    mpit_add_events(events[place].own, rows);
    mpit_publish(events[place].own);
    return place;
}
static void forget_events(void) {
    for (int i = 0; i < event_count; i++) {
        mpit_close(events[i].own);
        events[i].own = NULL;
    }
}"""

ADDING = """
/* What the macros added since NAME_open(), by name and class: a library that is initialized again adds it again. */
static struct added {
    const char* name;
    mpit_class variable_class;
    const void* storage;
    mpit_group* own; /* of a category without control variables, and of storage that ends */
    struct added* next;
}* all_added;

void NAME_add_performance(const char* category, mpit_performance row, bool storage_ends) {
    struct added* made = all_added;
    while (made != NULL && (made->variable_class != row.variable_class || strcmp(made->name, row.name) != 0)) made = made->next;
    if (made != NULL && (!storage_ends || made->storage == row.storage)) return;
    if (made != NULL) {
        mpit_close(made->own);
    } else {
        made = malloc(sizeof *made);
        if (made == NULL) return;
        *made = (struct added){row.name, row.variable_class, NULL, NULL, all_added};
        all_added = made;
    }
    mpit_group* group = storage_ends ? NULL : group_of(category);
    made->own = group == NULL ? mpit_open(NULL, category, description_of(category), NULL) : NULL;
    made->storage = row.storage;
    if (group == NULL) group = made->own;
    if (group == NULL) return;
    const mpit_performance rows[] = {row, MPIT_ROW_END};
    mpit_add_performance(group, rows, NULL);
    mpit_publish(group);
}
void NAME_end_performance(const void* storage) {
    for (struct added* each = all_added; each != NULL && storage != NULL; each = each->next) {
        if (each->storage != storage || each->own == NULL) continue;
        mpit_close(each->own);
        each->own = NULL;
        each->storage = NULL;
    }
}
static void forget_performance(void) {
    while (all_added != NULL) {
        struct added* const each = all_added;
        all_added = each->next;
        mpit_close(each->own);
        free(each);
    }
}"""
