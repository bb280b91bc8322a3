// Calls of the clauses on initialization, enumerations and control variables, with whatever arguments the input asks
// for.
#pragma once

#include "world.hpp"

inline void call_init_thread() {
    static constexpr int levels[] = {
        MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE, -1, 7, INT_MAX, INT_MIN};
    const int required = the_world.in.one_of(levels);
    const bool is_level = required == 0 || required == 1024 || required == 2048 || required == 4096;
    output<int> provided{the_world.in};
    const int expected = is_level ? MPI_SUCCESS : MPI_T_ERR_INVALID;
    const int code = answered("init_thread", MPI_T_init_thread(required, provided.pointer()), expected);
    if (code == MPI_SUCCESS && the_world.initialized++ == 0) the_world.level_of_epoch = required;
    provided.expect(code == MPI_SUCCESS, the_world.level_of_epoch);
}
inline void call_finalize() {
    if (the_world.initialized == 1 && !the_world.in.one_in(4)) return; // little can be done in a closed interface
    const int expected = the_world.is_open() ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED;
    if (the_world.initialized == 1) the_world.close_all();
    if (answered("finalize", MPI_T_finalize(), expected) == MPI_SUCCESS) the_world.initialized--;
}

inline MPI_T_enum any_enumeration() {
    if (the_world.in.one_in(6)) return handle_number<MPI_T_enum>(the_world.any_word());
    const std::size_t which = the_world.in.number(static_cast<unsigned>(facts.enumerations.size()));
    const std::uint64_t flipped = the_world.in.one_in(12) ? std::uint64_t{1} << the_world.in.number(64) : 0;
    return handle_number<MPI_T_enum>(word_of(facts.enumerations[which].handle) ^ flipped);
}
inline void call_enum_get_info() {
    const MPI_T_enum handle = any_enumeration();
    const enumeration_info* known = facts.enumeration(handle);
    output<int> count{the_world.in};
    text_output name{the_world.in};
    const int expected = code_of_query(known != nullptr && name.is_well_formed(), true);
    const int code = answered("enum_get_info",
                              MPI_T_enum_get_info(handle, count.pointer(), name.characters(), name.length()), expected);
    const bool is_known = code == MPI_SUCCESS;
    count.expect(is_known, is_known ? static_cast<int>(known->items.size()) : 0);
    name.expect(is_known, is_known ? known->name : "");
}
inline void call_enum_get_item() {
    const MPI_T_enum handle = any_enumeration();
    const enumeration_info* known = facts.enumeration(handle);
    const int at = the_world.any_number(known != nullptr && !known->items.empty() ? known->items.size() : 1);
    output<int> value{the_world.in};
    text_output name{the_world.in};
    const bool is_item = known != nullptr && at >= 0 && static_cast<std::size_t>(at) < known->items.size();
    const int expected = code_of_query(known != nullptr && name.is_well_formed(), is_item);
    const int code = answered(
        "enum_get_item", MPI_T_enum_get_item(handle, at, value.pointer(), name.characters(), name.length()), expected);
    const item_facts* item = code == MPI_SUCCESS ? &known->items[static_cast<std::size_t>(at)] : nullptr;
    value.expect(item != nullptr, item != nullptr ? item->value : 0);
    name.expect(item != nullptr, item != nullptr ? item->name : "");
}

// The functions that count, and those that find a name, are alike for all kinds.
inline void call_get_num(function_name name, int (*function)(int*), std::size_t count) {
    output<int> number{the_world.in};
    const int expected = code_of_query(!number.is_null(), true);
    number.expect(answered(name, function(number.pointer()), expected) == MPI_SUCCESS, static_cast<int>(count));
}
template <class Facts, class Find> void call_get_index(function_name name, const std::vector<Facts>& from, Find find) {
    const std::optional<std::string> wanted = the_world.any_name(from);
    output<int> number{the_world.in};
    int known = -1;
    if (wanted)
        for (std::size_t i = 0; i < from.size(); i++)
            if (from[i].name == *wanted) known = static_cast<int>(i);
    const text_input text{wanted};
    int expected = code_of_query(wanted && !number.is_null(), true);
    if (expected == MPI_SUCCESS && known < 0) expected = MPI_T_ERR_INVALID_NAME;
    number.expect(answered(name, find(text.pointer(), number.pointer()), expected) == MPI_SUCCESS, known);
}
inline void call_cvar_get_num() { call_get_num("cvar_get_num", &MPI_T_cvar_get_num, facts.controls.size()); }
inline void call_cvar_get_index() { call_get_index("cvar_get_index", facts.controls, &MPI_T_cvar_get_index); }
// What is told alike of variables and events.
struct description_output {
    text_output name{the_world.in}, description{the_world.in};
    output<int> verbosity{the_world.in}, bind{the_world.in};
    output<MPI_T_enum> enumeration{the_world.in};

    bool is_well_formed() const { return name.is_well_formed() && description.is_well_formed(); }
    void expect(bool is_known, const variable_info& f) const {
        name.expect(is_known, f.name);
        description.expect(is_known, f.description);
        verbosity.expect(is_known, f.verbosity);
        bind.expect(is_known, f.bind);
        enumeration.expect(is_known, f.enumeration);
    }
};
inline void call_cvar_get_info() {
    const int number = the_world.any_number(facts.controls.size());
    const variable_info* known = facts_or_null(subject::control, number);
    description_output told;
    output<int> scope{the_world.in};
    output<MPI_Datatype> type{the_world.in};
    const bool is_known =
        answered("cvar_get_info",
                 MPI_T_cvar_get_info(number, told.name.characters(), told.name.length(), told.verbosity.pointer(),
                                     type.pointer(), told.enumeration.pointer(), told.description.characters(),
                                     told.description.length(), told.bind.pointer(), scope.pointer()),
                 code_of_query(told.is_well_formed(), known != nullptr)) == MPI_SUCCESS;
    const variable_info& f = is_known ? *known : variable_info{};
    told.expect(is_known, f);
    type.expect(is_known, f.type);
    scope.expect(is_known, f.scope);
}

// The elements of the value of a control variable.
inline int count_of(const bound_to& to) {
    const std::string& name = to.variable().name;
    if (name == "C_BOUND_ARRAY") return static_cast<int>(to.object & 7);
    return name == "C_TEXT" ? 32 : name == "C_ARRAY" ? 4 : 1;
}
inline void call_cvar_handle_alloc() {
    const int number = the_world.any_number(facts.controls.size());
    const variable_info* known = facts_or_null(subject::control, number);
    const object_argument object{known};
    output<MPI_T_cvar_handle> handle{the_world.in};
    output<int> count{the_world.in};
    handle.hold(the_world.any(the_world.controls));
    bound_to to{subject::control, number};
    const bool is_complete = !handle.is_null() && !count.is_null();
    int expected = code_of_query(is_complete, known != nullptr);
    if (expected == MPI_SUCCESS) expected = the_world.bind(to, object.pointer());
    const int code =
        answered("cvar_handle_alloc",
                 MPI_T_cvar_handle_alloc(number, object.pointer(), handle.pointer(), count.pointer()), expected);
    if (code == MPI_SUCCESS) {
        count.expect(true, count_of(to));
        the_world.controls.add(handle.value(), {to, count.value()});
    } else {
        count.expect_unchanged();
        if (the_world.is_open() && is_complete) handle.expect(true, MPI_T_CVAR_HANDLE_NULL);
        else handle.expect_unchanged();
    }
}
inline void call_cvar_handle_free() {
    output<MPI_T_cvar_handle> handle{the_world.in};
    const MPI_T_cvar_handle freed = the_world.any(the_world.controls);
    handle.hold(freed);
    int expected = code_of_query(!handle.is_null(), true);
    if (expected == MPI_SUCCESS && the_world.controls.find(freed) == nullptr) expected = MPI_T_ERR_INVALID_HANDLE;
    const int code = answered("cvar_handle_free", MPI_T_cvar_handle_free(handle.pointer()), expected);
    handle.expect(code == MPI_SUCCESS, MPI_T_CVAR_HANDLE_NULL);
    if (code == MPI_SUCCESS) the_world.controls.open.erase(word_of(freed));
}

// The buffer for the value of a handle: of exactly its size, or of none if nothing may be read or written.
inline std::optional<guarded_buffer> value_buffer(const bound_to* to, int count) {
    if (the_world.in.one_in(16)) return std::nullopt;
    const std::size_t size = to == nullptr ? 0 : static_cast<std::size_t>(count) * size_of(to->variable().type);
    return std::optional<guarded_buffer>{std::in_place, size};
}
inline void* data_of(const std::optional<guarded_buffer>& buffer) { return buffer ? buffer->data() : nullptr; }

inline void call_cvar_read() {
    const MPI_T_cvar_handle handle = the_world.any(the_world.controls);
    const control_handle* known = the_world.controls.find(handle);
    if (known != nullptr && !the_world.is_there(known->to)) known = nullptr;
    const std::optional<guarded_buffer> value =
        value_buffer(known == nullptr ? nullptr : &known->to, known == nullptr ? 0 : known->count);
    int expected = code_of_query(value.has_value(), true);
    if (expected == MPI_SUCCESS && known == nullptr) expected = MPI_T_ERR_INVALID_HANDLE;
    const int code = answered("cvar_read", MPI_T_cvar_read(handle, data_of(value)), expected);
    if (code != MPI_SUCCESS && value) value->expect_unchanged();
    if (code != MPI_SUCCESS || known->to.variable().is_bound()) return;
    const auto written = the_world.control_values.find(known->to.number);
    if (written == the_world.control_values.end()) return;
    demand(std::memcmp(value->data(), written->second.data(), value->size()) == 0,
           "a control variable has the value that was written last");
}
inline void call_cvar_write() {
    const MPI_T_cvar_handle handle = the_world.any(the_world.controls);
    const control_handle* known = the_world.controls.find(handle);
    if (known != nullptr && !the_world.is_there(known->to)) known = nullptr;
    std::optional<guarded_buffer> value =
        value_buffer(known == nullptr ? nullptr : &known->to, known == nullptr ? 0 : known->count);
    if (value) {
        if (the_world.in.one_in(2)) the_world.in.fill(value->data(), value->size());
        else std::memset(value->data(), 0, value->size());
        if (value->size() > 0) value->data()[0] = static_cast<unsigned char>(the_world.in.byte());
        value->keep();
    }
    int expected = code_of_query(value.has_value(), true);
    if (expected == MPI_SUCCESS && known == nullptr) expected = MPI_T_ERR_INVALID_HANDLE;
    const bool reaches_it = expected == MPI_SUCCESS;
    const bool is_never = reaches_it && known->to.variable().scope <= MPI_T_SCOPE_READONLY;
    const int code = answered("cvar_write", MPI_T_cvar_write(handle, data_of(value)));
    if (value) value->expect_unchanged();
    demand(reaches_it ? code != MPI_T_ERR_INVALID_HANDLE && code != MPI_T_ERR_NOT_INITIALIZED : code == expected,
           "a value is written through an open handle alone");
    demand(!is_never || code == MPI_T_ERR_CVAR_SET_NEVER, "what never changes is not written");
    if (code != MPI_SUCCESS) return;
    const bool ends_in_nulls = known->to.variable().type == MPI_CHAR;
    std::string written{reinterpret_cast<const char*>(value->data()), value->size()};
    if (ends_in_nulls) {
        const std::size_t length = written.find('\0');
        demand(length != std::string::npos, "a text without its null is no value");
        written.resize(length);
        written.resize(value->size());
    }
    if (!known->to.variable().is_bound()) the_world.control_values[known->to.number] = written;
}
