#include "mock_host.hpp"

#include <algorithm>
#include <cstring>

using namespace mock_host;

namespace {

// Handles are numbers that no other kind of handle has, so that a wrong one is seen.
const void* next_handle() {
    static std::uintptr_t last = 0x7000;
    return reinterpret_cast<const void*>(last += 8);
}
template <class Handle> Handle as_handle(const void* made) { return reinterpret_cast<Handle>(const_cast<void*>(made)); }

using guard = std::lock_guard<std::recursive_mutex>;

constexpr int success = MPI_SUCCESS, refused = MPI_T_ERR_INVALID; // as int, for what lambdas answer
int crash() {
    the_host().crashes++;
    return MPI_T_ERR_INVALID;
}
// An MPI reads the handle at the address, which must be one.
bool is_no_object(int bind, const void* object) {
    return bind != MPI_T_BIND_NO_OBJECT && reinterpret_cast<std::uintptr_t>(object) < 4096;
}
template <class List> bool has(const List& list, int number) {
    return number >= 0 && static_cast<std::size_t>(number) < list.size();
}
template <class List> auto& at(List& list, int number) { return list[static_cast<std::size_t>(number)]; }
template <class Map, class Handle> bool knows(const Map& map, Handle handle) {
    return map.count(reinterpret_cast<const void*>(handle)) != 0;
}

void put_text(const std::string& text, char* buffer, int* size) {
    if (size == nullptr) return;
    if (buffer != nullptr && *size > 0) {
        const auto length = std::min(text.size(), static_cast<std::size_t>(*size) - 1);
        std::memcpy(buffer, text.data(), length);
        buffer[length] = '\0';
    }
    *size = static_cast<int>(text.size()) + 1;
}
template <class T, class U> void put(T* to, U value) {
    if (to != nullptr) *to = static_cast<T>(value);
}
template <class List> int count(const List& list, int* number) {
    const guard here{the_host().busy};
    if (number == nullptr || the_host().epochs == 0) return crash();
    *number = static_cast<int>(list.size());
    return MPI_SUCCESS;
}
int put_members(const std::vector<int>& all, int length, int* members) {
    for (int i = 0; i < length && has(all, i); i++) members[i] = at(all, i);
    return MPI_SUCCESS;
}
int give_info(MPI_Info* info, const std::map<std::string, std::string>& hints = {}) {
    if (info == nullptr) return MPI_SUCCESS;
    *info = MPI_INFO_NULL;
    if (the_host().gives_no_info) return MPI_SUCCESS;
    PMPI_Info_create(info);
    for (const auto& [key, value] : hints) PMPI_Info_set(*info, key.c_str(), value.c_str());
    return MPI_SUCCESS;
}

struct shown {
    int event;
    std::string payload;
    MPI_Count stamp;
    int source;
};
std::map<const void*, shown>& instances() {
    static std::map<const void*, shown> all;
    return all;
}
std::shared_ptr<registration> find(MPI_T_event_registration handle) {
    const auto found = the_host().registrations.find(handle);
    return found == the_host().registrations.end() ? nullptr : found->second;
}
const shown* find(MPI_T_event_instance handle) {
    const auto found = instances().find(handle);
    return found == instances().end() ? nullptr : &found->second;
}

} // namespace

namespace mock_host {

host& the_host() {
    static host one;
    return one;
}

void be_kind() {
    const guard here{the_host().busy};
    host& h = the_host();
    h.fails_to_make_handles = h.fails_to_register = h.fails_to_read = h.gives_no_info = h.ends_registrations_later =
        false;
    h.fails_to_initialize = false;
    h.asked_for_controls = h.opens_a_plugin = h.makes_a_handle = nullptr;
}

int raise(int event, const void* payload, int source, MPI_Count stamp, MPI_T_cb_safety level, const void* object) {
    struct call {
        std::shared_ptr<registration> of;
        callback with;
        MPI_T_event_registration handle;
        MPI_T_event_instance instance;
    };
    std::vector<call> calls;
    {
        const guard here{the_host().busy};
        for (auto& [handle, r] : the_host().registrations) {
            const auto chosen = r->callbacks.lower_bound(static_cast<int>(level));
            if (r->event != event || chosen == r->callbacks.end() || (r->object != nullptr && r->object != object))
                continue;
            const void* instance = next_handle();
            const std::string bytes{static_cast<const char*>(payload), at(the_host().events, event).size};
            instances()[instance] = {event, bytes, stamp, source};
            calls.push_back({r, chosen->second, as_handle<MPI_T_event_registration>(handle),
                             as_handle<MPI_T_event_instance>(instance)});
        }
    }
    for (call& c : calls) {
        c.with.function(c.instance, c.handle, level, c.with.data);
        const guard here{the_host().busy};
        instances().erase(c.instance);
        c.of = nullptr;
    }
    return static_cast<int>(calls.size());
}

void lose(int event, MPI_Count count, int source, MPI_T_cb_safety level) {
    const guard here{the_host().busy};
    const auto all = the_host().registrations;
    for (const auto& [handle, r] : all)
        if (r->event == event && r->dropped != nullptr)
            r->dropped(count, as_handle<MPI_T_event_registration>(handle), source, level, nullptr);
}

void end_registrations() {
    std::vector<std::function<void()>> ends;
    {
        const guard here{the_host().busy};
        ends.swap(the_host().ends);
    }
    for (const auto& end : ends) end();
}

} // namespace mock_host

extern "C" {

int PMPI_Initialized(int* flag) { return *flag = 1, MPI_SUCCESS; }
int PMPI_Finalized(int* flag) { return *flag = the_host().has_ended, MPI_SUCCESS; }
int PMPI_Query_thread(int* level) { return *level = MPI_THREAD_MULTIPLE, MPI_SUCCESS; }
int PMPI_Get_library_version(char* text, int* length) {
    *length = MPI_MAX_LIBRARY_VERSION_STRING;
    put_text(the_host().version, text, length);
    --*length;
    return MPI_SUCCESS;
}

int PMPI_T_init_thread(int, int* provided) {
    if (the_host().opens_a_plugin) the_host().opens_a_plugin();
    const guard here{the_host().busy};
    if (the_host().fails_to_initialize) return MPI_T_ERR_CANNOT_INIT;
    the_host().epochs++;
    put(provided, MPI_THREAD_SERIALIZED);
    return MPI_SUCCESS;
}
int PMPI_T_finalize() { return the_host().epochs--, MPI_SUCCESS; }

// ---- Control variables

int PMPI_T_cvar_get_num(int* number) {
    if (the_host().asked_for_controls) the_host().asked_for_controls();
    return count(the_host().controls, number);
}
int PMPI_T_cvar_get_info(int number, char* name, int* name_size, int* verbosity, MPI_Datatype* type,
                         MPI_T_enum* enumeration, char* description, int* size, int* bind, int* scope) {
    const guard here{the_host().busy};
    the_host().questions++;
    if (!has(the_host().controls, number)) return crash();
    const control& c = at(the_host().controls, number);
    if (c.is_hole) return MPI_T_ERR_INVALID_INDEX;
    put_text(c.name, name, name_size);
    put(verbosity, MPI_T_VERBOSITY_USER_ALL);
    put(type, MPI_INT);
    put(enumeration, c.items == nullptr ? MPI_T_ENUM_NULL : as_handle<MPI_T_enum>(c.items));
    put_text(c.description, description, size);
    put(bind, c.bind);
    put(scope, MPI_T_SCOPE_LOCAL);
    return MPI_SUCCESS;
}
int PMPI_T_cvar_handle_alloc(int number, void* object, MPI_T_cvar_handle* handle, int* elements) {
    const guard here{the_host().busy};
    if (!has(the_host().controls, number) || handle == nullptr || elements == nullptr) return crash();
    const control& c = at(the_host().controls, number);
    if (c.is_hole || is_no_object(c.bind, object)) return crash();
    if (the_host().fails_to_make_handles) return MPI_T_ERR_OUT_OF_HANDLES;
    const void* made = next_handle();
    the_host().control_handles[made] = number;
    *handle = as_handle<MPI_T_cvar_handle>(made);
    *elements = 1;
    return MPI_SUCCESS;
}
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle* handle) {
    const guard here{the_host().busy};
    if (handle == nullptr || the_host().control_handles.erase(*handle) == 0) return crash();
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void* value) {
    const guard here{the_host().busy};
    if (!knows(the_host().control_handles, handle) || value == nullptr) return crash();
    const control& c = at(the_host().controls, the_host().control_handles[handle]);
    if (c.cannot_be_read) return MPI_T_ERR_INVALID_INDEX;
    if (the_host().fails_to_read) return MPI_T_ERR_INVALID;
    std::memcpy(value, &c.value, sizeof c.value);
    return MPI_SUCCESS;
}
int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void* value) {
    const guard here{the_host().busy};
    if (!knows(the_host().control_handles, handle) || value == nullptr) return crash();
    std::memcpy(&at(the_host().controls, the_host().control_handles[handle]).value, value, sizeof(int));
    return MPI_SUCCESS;
}

// ---- Performance variables

int PMPI_T_pvar_get_num(int* number) { return count(the_host().performances, number); }
int PMPI_T_pvar_get_info(int number, char* name, int* name_size, int* verbosity, int* in, MPI_Datatype* type,
                         MPI_T_enum* enumeration, char* description, int* size, int* bind, int* readonly,
                         int* continuous, int* atomic) {
    const guard here{the_host().busy};
    if (!has(the_host().performances, number)) return crash();
    const performance& p = at(the_host().performances, number);
    if (p.is_hole) return MPI_T_ERR_INVALID_INDEX;
    put_text(p.name, name, name_size);
    put(verbosity, MPI_T_VERBOSITY_USER_ALL);
    put(in, p.in);
    put(type, MPI_UNSIGNED_LONG_LONG);
    put(enumeration, MPI_T_ENUM_NULL);
    put_text(p.description, description, size);
    put(bind, p.bind);
    put(readonly, 0);
    put(continuous, 0);
    put(atomic, 1);
    return MPI_SUCCESS;
}
int PMPI_T_pvar_session_create(MPI_T_pvar_session* session) {
    const guard here{the_host().busy};
    if (session == nullptr || the_host().epochs == 0) return crash();
    if (the_host().fails_to_make_handles) return MPI_T_ERR_OUT_OF_SESSIONS;
    const void* made = next_handle();
    the_host().sessions[made] = 1;
    *session = as_handle<MPI_T_pvar_session>(made);
    return MPI_SUCCESS;
}
int PMPI_T_pvar_session_free(MPI_T_pvar_session* session) {
    const guard here{the_host().busy};
    if (session == nullptr || the_host().sessions.erase(*session) == 0) return crash();
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}
int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int number, void* object, MPI_T_pvar_handle* handle,
                             int* elements) {
    if (the_host().makes_a_handle) the_host().makes_a_handle();
    const guard here{the_host().busy};
    if (!knows(the_host().sessions, session) || !has(the_host().performances, number)) return crash();
    if (is_no_object(at(the_host().performances, number).bind, object)) return crash();
    if (at(the_host().performances, number).name.rfind("mtl_psm2_", 0) == 0) return crash(); // as Open MPI's
    if (the_host().looks_behind_objects && object != nullptr &&
        (static_cast<const unsigned char*>(object)[224] & 0x30) != 0)
        return MPI_T_ERR_INVALID_HANDLE;
    if (the_host().fails_to_make_handles) return MPI_T_ERR_OUT_OF_HANDLES;
    const void* made = next_handle();
    the_host().performance_handles[made] = number;
    *handle = as_handle<MPI_T_pvar_handle>(made);
    *elements = 1;
    return MPI_SUCCESS;
}
int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
    const guard here{the_host().busy};
    if (!knows(the_host().sessions, session) || the_host().performance_handles.erase(*handle) == 0) return crash();
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}
static int use(MPI_T_pvar_session session, MPI_T_pvar_handle handle, bool may_be_all,
               const std::function<void(performance&)>& with) {
    const guard here{the_host().busy};
    if (!knows(the_host().sessions, session)) return crash();
    if (may_be_all && handle == MPI_T_PVAR_ALL_HANDLES) return MPI_SUCCESS;
    if (!knows(the_host().performance_handles, handle)) return crash();
    with(at(the_host().performances, the_host().performance_handles[handle]));
    return MPI_SUCCESS;
}
int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    the_host().started++;
    return use(session, handle, true, [](performance&) {});
}
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return use(session, handle, true, [](performance&) {});
}
int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
    return use(session, handle, false, [&](performance& p) { std::memcpy(value, &p.value, sizeof p.value); });
}
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* value) {
    return use(session, handle, false, [&](performance& p) { std::memcpy(&p.value, value, sizeof p.value); });
}
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return use(session, handle, true, [](performance& p) { p.value = 0; });
}
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
    return use(session, handle, false, [&](performance& p) {
        std::memcpy(value, &p.value, sizeof p.value);
        p.value = 0;
    });
}

// ---- Enumerations

static const enumeration* find(MPI_T_enum handle) {
    for (const enumeration& each : the_host().enumerations)
        if (handle == as_handle<MPI_T_enum>(&each)) return &each;
    return nullptr;
}
int PMPI_T_enum_get_info(MPI_T_enum handle, int* items, char* name, int* size) {
    const guard here{the_host().busy};
    const enumeration* found = find(handle);
    if (found == nullptr) return crash();
    put(items, found->items.size());
    put_text(found->name, name, size);
    return MPI_SUCCESS;
}
int PMPI_T_enum_get_item(MPI_T_enum handle, int item, int* value, char* name, int* size) {
    const guard here{the_host().busy};
    const enumeration* found = find(handle);
    if (found == nullptr || !has(found->items, item)) return crash();
    put(value, item);
    put_text(at(found->items, item), name, size);
    return MPI_SUCCESS;
}

// ---- Categories

int PMPI_T_category_get_num(int* number) { return count(the_host().categories, number); }
int PMPI_T_category_get_info(int number, char* name, int* name_size, char* description, int* size, int* controls,
                             int* performances, int* categories) {
    const guard here{the_host().busy};
    the_host().questions++;
    if (!has(the_host().categories, number)) return crash();
    const category& c = at(the_host().categories, number);
    put_text(c.name, name, name_size);
    put_text(c.description, description, size);
    put(controls, c.controls.size());
    put(performances, c.performances.size());
    put(categories, c.categories.size());
    return MPI_SUCCESS;
}
int PMPI_T_category_get_num_events(int number, int* events) {
    const guard here{the_host().busy};
    if (!has(the_host().categories, number) || events == nullptr) return crash();
    *events = static_cast<int>(at(the_host().categories, number).events.size());
    return MPI_SUCCESS;
}
int PMPI_T_category_get_cvars(int number, int length, int members[]) {
    return put_members(at(the_host().categories, number).controls, length, members);
}
int PMPI_T_category_get_pvars(int number, int length, int members[]) {
    return put_members(at(the_host().categories, number).performances, length, members);
}
int PMPI_T_category_get_events(int number, int length, int members[]) {
    return put_members(at(the_host().categories, number).events, length, members);
}
int PMPI_T_category_get_categories(int number, int length, int members[]) {
    return put_members(at(the_host().categories, number).categories, length, members);
}
int PMPI_T_category_changed(int* number) {
    const guard here{the_host().busy};
    if (the_host().epochs == 0) return crash();
    return *number = the_host().update_number, MPI_SUCCESS;
}

// ---- Events and sources

int PMPI_T_event_get_num(int* number) { return count(the_host().events, number); }
int PMPI_T_event_get_info(int number, char* name, int* name_size, int* verbosity, MPI_Datatype types[],
                          MPI_Aint displacements[], int* elements, MPI_T_enum* enumeration, MPI_Info* info,
                          char* description, int* size, int* bind) {
    const guard here{the_host().busy};
    if (!has(the_host().events, number)) return crash();
    const event& e = at(the_host().events, number);
    if (e.is_hole) return MPI_T_ERR_INVALID_INDEX;
    put_text(e.name, name, name_size);
    put(verbosity, MPI_T_VERBOSITY_TUNER_BASIC);
    for (int i = 0; elements != nullptr && i < *elements && has(e.elements, i); i++) {
        if (types != nullptr) types[i] = at(e.elements, i).type;
        if (displacements != nullptr) displacements[i] = at(e.elements, i).displacement;
    }
    put(elements, e.elements.size());
    put(enumeration, e.enumeration);
    put_text(e.description, description, size);
    put(bind, e.bind);
    return give_info(info);
}
int PMPI_T_event_handle_alloc(int number, void* object, MPI_Info info, MPI_T_event_registration* handle) {
    const guard here{the_host().busy};
    if (!has(the_host().events, number) || handle == nullptr) return crash();
    if (is_no_object(at(the_host().events, number).bind, object)) return crash();
    if (the_host().fails_to_make_handles) return MPI_T_ERR_OUT_OF_HANDLES;
    auto made = std::make_shared<registration>();
    made->event = number;
    made->object = object;
    if (info != MPI_INFO_NULL) made->hints = the_host().infos[info];
    const void* word = next_handle();
    the_host().registrations[word] = made;
    *handle = as_handle<MPI_T_event_registration>(word);
    return MPI_SUCCESS;
}
static int use_registration(MPI_T_event_registration handle, const std::function<int(registration&)>& with) {
    const guard here{the_host().busy};
    const auto found = find(handle);
    return found == nullptr ? crash() : with(*found);
}
int PMPI_T_event_handle_set_info(MPI_T_event_registration handle, MPI_Info info) {
    return use_registration(handle, [&](registration& r) { return r.hints = the_host().infos[info], success; });
}
int PMPI_T_event_handle_get_info(MPI_T_event_registration handle, MPI_Info* info) {
    return use_registration(handle,
                            [&](registration& r) { return info == nullptr ? crash() : give_info(info, r.hints); });
}
int PMPI_T_event_handle_free(MPI_T_event_registration handle, void* data, MPI_T_event_free_cb_function* function) {
    return use_registration(handle, [&](registration& r) {
        if (the_host().fails_to_register) return refused;
        if (function != nullptr) r.end = [=] { function(handle, MPI_T_CB_REQUIRE_NONE, data); };
        const auto forget = [=] {
            const guard again{the_host().busy};
            the_host().registrations.erase(handle);
        };
        if (the_host().ends_registrations_later) the_host().ends.push_back(forget);
        else forget();
        return success;
    });
}
int PMPI_T_event_register_callback(MPI_T_event_registration handle, MPI_T_cb_safety level, MPI_Info, void* data,
                                   MPI_T_event_cb_function* function) {
    return use_registration(handle, [&](registration& r) {
        if (the_host().fails_to_register) return refused;
        if (function == nullptr) r.callbacks.erase(static_cast<int>(level));
        else r.callbacks[static_cast<int>(level)] = {function, data};
        return success;
    });
}
int PMPI_T_event_callback_set_info(MPI_T_event_registration handle, MPI_T_cb_safety, MPI_Info) {
    return find(handle) == nullptr ? crash() : MPI_SUCCESS;
}
int PMPI_T_event_callback_get_info(MPI_T_event_registration handle, MPI_T_cb_safety level, MPI_Info* info) {
    return use_registration(handle, [&](registration& r) {
        if (info == nullptr) return crash();
        return r.callbacks.count(static_cast<int>(level)) == 0 ? refused : give_info(info);
    });
}
int PMPI_T_event_set_dropped_handler(MPI_T_event_registration handle, MPI_T_event_dropped_cb_function* function) {
    return use_registration(handle, [&](registration& r) {
        if (the_host().fails_to_register) return refused;
        return r.dropped = function, success;
    });
}
static int look_at(MPI_T_event_instance handle, const void* output, const std::function<int(const shown&)>& with) {
    const guard here{the_host().busy};
    const shown* seen = find(handle);
    return seen == nullptr || output == nullptr ? crash() : with(*seen);
}
int PMPI_T_event_read(MPI_T_event_instance handle, int element, void* buffer) {
    return look_at(handle, buffer, [&](const shown& seen) {
        const auto& elements = at(the_host().events, seen.event).elements;
        if (!has(elements, element)) return crash();
        const auto& e = at(elements, element);
        return std::memcpy(buffer, seen.payload.data() + e.displacement, e.size), success;
    });
}
int PMPI_T_event_copy(MPI_T_event_instance handle, void* buffer) {
    return look_at(handle, buffer, [&](const shown& seen) {
        return std::memcpy(buffer, seen.payload.data(), seen.payload.size()), success;
    });
}
int PMPI_T_event_get_timestamp(MPI_T_event_instance handle, MPI_Count* stamp) {
    return look_at(handle, stamp, [&](const shown& seen) { return *stamp = seen.stamp, success; });
}
int PMPI_T_event_get_source(MPI_T_event_instance handle, int* source) {
    return look_at(handle, source, [&](const shown& seen) { return *source = seen.source, success; });
}
int PMPI_T_source_get_num(int* number) { return count(the_host().sources, number); }
int PMPI_T_source_get_info(int number, char* name, int* name_size, char* description, int* size,
                           MPI_T_source_order* ordering, MPI_Count* ticks_per_second, MPI_Count* max_ticks,
                           MPI_Info* info) {
    const guard here{the_host().busy};
    if (!has(the_host().sources, number)) return crash();
    const source& s = at(the_host().sources, number);
    if (s.is_hole) return MPI_T_ERR_INVALID_INDEX;
    put_text(s.name, name, name_size);
    put_text(s.description, description, size);
    put(ordering, s.ordering);
    put(ticks_per_second, s.ticks_per_second);
    put(max_ticks, INT64_MAX);
    return give_info(info);
}
int PMPI_T_source_get_timestamp(int number, MPI_Count* stamp) {
    const guard here{the_host().busy};
    if (!has(the_host().sources, number) || stamp == nullptr) return crash();
    return *stamp = at(the_host().sources, number).now, MPI_SUCCESS;
}

// ---- Info objects

int PMPI_Info_create(MPI_Info* info) {
    const guard here{the_host().busy};
    const void* made = next_handle();
    the_host().infos[made] = {};
    return *info = as_handle<MPI_Info>(made), MPI_SUCCESS;
}
int PMPI_Info_free(MPI_Info* info) {
    const guard here{the_host().busy};
    if (the_host().infos.erase(*info) == 0) return crash();
    return *info = MPI_INFO_NULL, MPI_SUCCESS;
}
static int use_info(MPI_Info info, const std::function<void(std::map<std::string, std::string>&)>& with) {
    const guard here{the_host().busy};
    if (!knows(the_host().infos, info)) return crash();
    return with(the_host().infos[info]), MPI_SUCCESS;
}
int PMPI_Info_set(MPI_Info info, const char* key, const char* value) {
    return use_info(info, [&](auto& pairs) { pairs[key] = value; });
}
int PMPI_Info_get(MPI_Info info, const char* key, int length, char* value, int* flag) {
    return use_info(info, [&](auto& pairs) {
        *flag = pairs.count(key) != 0;
        if (*flag) snprintf(value, static_cast<std::size_t>(length) + 1, "%s", pairs[key].c_str());
    });
}
int PMPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag) {
    return use_info(info, [&](auto& pairs) {
        *flag = pairs.count(key) != 0;
        if (*flag) *length = static_cast<int>(pairs[key].size());
    });
}
int PMPI_Info_get_nkeys(MPI_Info info, int* number) {
    return use_info(info, [&](auto& pairs) { *number = static_cast<int>(pairs.size()); });
}
int PMPI_Info_get_nthkey(MPI_Info info, int number, char* key) {
    return use_info(info, [&](auto& pairs) { std::strcpy(key, std::next(pairs.begin(), number)->first.c_str()); });
}
}
