// Calls of the functions on info objects. What an object holds is kept beside the library.
#pragma once

#include "control_calls.hpp"

// Reads an object that the library made, pair by pair.
inline info_model read_model(MPI_Info info) {
    info_model made;
    int count = -1;
    demand(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS && count >= 0, "an info object has a number of keys");
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
        int length = sizeof value, flag = 0;
        demand(MPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS, "every number below that of keys has one");
        demand(MPI_Info_get_string(info, key, &length, value, &flag) == MPI_SUCCESS && flag != 0, "a key has a value");
        made.emplace_back(key, value);
    }
    return made;
}
inline const std::string* value_in(const info_model& model, const std::string& key) {
    for (const auto& [k, v] : model)
        if (k == key) return &v;
    return nullptr;
}
// The pairs of MPI_INFO_ENV.
inline const info_model& environment_model() {
    static const info_model model = read_model(MPI_INFO_ENV);
    return model;
}

inline MPI_Info any_info() {
    if (the_world.in.one_in(8)) return MPI_INFO_NULL;
    return the_world.in.one_in(10) ? MPI_INFO_ENV : the_world.any(the_world.infos);
}
// What a function may read; null for what is not an object.
inline const info_model* readable(MPI_Info info) {
    return info == MPI_INFO_ENV ? &environment_model() : the_world.infos.find(info);
}
// A new object that a call has handed out.
inline void expect_new_info(bool has_succeeded, const output<MPI_Info>& made, const info_model& pairs) {
    if (!has_succeeded || made.is_null()) return made.expect_unchanged();
    is_starved = false;
    mpit::core::allocations_left.store(-1);
    demand(read_model(made.value()) == pairs, "a new info object has the pairs that are due");
    the_world.infos.add(made.value(), pairs);
}

inline std::optional<std::string> any_key() {
    static const char* const keys[] = {"a",    "b",   "c", "mpit_buffer_depth", "mpit_drop_policy", "mpit_sampling",
                                       "host", "wdir"};
    static constexpr std::size_t lengths[] = {0, 254, 255, 256, 300};
    const unsigned choice = the_world.in.number(16);
    if (choice == 0) return std::nullopt;
    if (choice == 1) return std::string(the_world.in.one_of(lengths), 'k');
    if (choice == 2) return the_world.in.text(8);
    return the_world.in.one_of(keys);
}
inline std::optional<std::string> any_value() {
    static const char* const values[] = {"1", "2",  "3",   "64",     "256",    "65536", "65537",
                                         "0", "-1", " 7 ", "oldest", "newest", "true",  "99999999999999999999",
                                         "",  "x,y"};
    static constexpr std::size_t lengths[] = {1022, 1023, 1024, 2000};
    const unsigned choice = the_world.in.number(16);
    if (choice == 0) return std::nullopt;
    if (choice == 1) return std::string(the_world.in.one_of(lengths), 'v');
    if (choice == 2) return the_world.in.text(20);
    return the_world.in.one_of(values);
}
inline bool is_key(const std::optional<std::string>& key) {
    return key && !key->empty() && key->size() < MPI_MAX_INFO_KEY;
}

inline void call_info_create() {
    output<MPI_Info> made{the_world.in};
    const int code = answered("Info_create", MPI_Info_create(made.pointer()), made.is_null() ? MPI_ERR_ARG : success);
    expect_new_info(code == MPI_SUCCESS, made, {});
}
inline void call_info_create_env() {
    static const std::string too_long(1500, 'l');
    std::vector<std::optional<text_input>> texts(the_world.in.number(5));
    std::vector<char*> arguments;
    for (std::optional<text_input>& each : texts) {
        each.emplace(the_world.in.one_in(6) ? too_long : the_world.in.text(12));
        arguments.push_back(each->pointer());
    }
    arguments.push_back(nullptr);
    int count = static_cast<int>(texts.size());
    if (the_world.in.one_in(8)) count = -1;
    char** const given = the_world.in.one_in(8) ? nullptr : arguments.data();
    output<MPI_Info> made{the_world.in};
    const int expected = made.is_null() || count < 0 || (count > 0 && given == nullptr) ? MPI_ERR_ARG : success;
    const int code = answered("Info_create_env", MPI_Info_create_env(count, given, made.pointer()), expected);
    if (code != MPI_SUCCESS) return made.expect_unchanged();
    is_starved = false;
    mpit::core::allocations_left.store(-1);
    the_world.infos.add(made.value(), read_model(made.value()));
}
inline void call_info_dup() {
    const MPI_Info from = any_info();
    const info_model* known = readable(from);
    output<MPI_Info> made{the_world.in};
    const int expected = known == nullptr ? MPI_ERR_INFO : made.is_null() ? MPI_ERR_ARG : success;
    const int code = answered("Info_dup", MPI_Info_dup(from, made.pointer()), expected);
    expect_new_info(code == MPI_SUCCESS, made, known != nullptr ? info_model{*known} : info_model{});
}
inline void call_info_free() {
    output<MPI_Info> info{the_world.in};
    const MPI_Info freed = any_info();
    info.hold(freed);
    const int expected = info.is_null() ? MPI_ERR_ARG : the_world.infos.find(freed) == nullptr ? MPI_ERR_INFO : success;
    const int code = answered("Info_free", MPI_Info_free(info.pointer()), expected);
    info.expect(code == MPI_SUCCESS, MPI_INFO_NULL);
    if (code == MPI_SUCCESS) the_world.infos.open.erase(word_of(freed));
}
inline void call_info_set() {
    const MPI_Info info = any_info();
    info_model* known = the_world.infos.find(info);
    const std::optional<std::string> key = any_key(), value = any_value();
    const text_input key_text{key}, value_text{value};
    const int expected = known == nullptr                              ? MPI_ERR_INFO
                         : !is_key(key)                                ? MPI_ERR_INFO_KEY
                         : !value || value->size() >= MPI_MAX_INFO_VAL ? MPI_ERR_INFO_VALUE
                                                                       : success;
    if (answered("Info_set", MPI_Info_set(info, key_text.pointer(), value_text.pointer()), expected) != MPI_SUCCESS)
        return;
    for (auto& [k, v] : *known)
        if (k == *key) return void(v = *value);
    known->emplace_back(*key, *value);
}
inline void call_info_delete() {
    const MPI_Info info = any_info();
    info_model* known = the_world.infos.find(info);
    const std::optional<std::string> key = any_key();
    const text_input key_text{key};
    const int expected = known == nullptr                    ? MPI_ERR_INFO
                         : !is_key(key)                      ? MPI_ERR_INFO_KEY
                         : value_in(*known, *key) == nullptr ? MPI_ERR_INFO_NOKEY
                                                             : success;
    if (answered("Info_delete", MPI_Info_delete(info, key_text.pointer()), expected) == MPI_SUCCESS)
        std::erase_if(*known, [&](const auto& pair) { return pair.first == *key; });
}
inline void call_info_get_nkeys() {
    const MPI_Info info = any_info();
    const info_model* known = readable(info);
    output<int> count{the_world.in};
    const int expected = known == nullptr ? MPI_ERR_INFO : count.is_null() ? MPI_ERR_ARG : success;
    const int code = answered("Info_get_nkeys", MPI_Info_get_nkeys(info, count.pointer()), expected);
    count.expect(code == MPI_SUCCESS, known != nullptr ? static_cast<int>(known->size()) : 0);
}
inline void call_info_get_nthkey() {
    const MPI_Info info = any_info();
    const info_model* known = readable(info);
    const int at = the_world.any_number(known != nullptr && !known->empty() ? known->size() : 1);
    std::optional<guarded_buffer> key;
    if (!the_world.in.one_in(8)) key.emplace(MPI_MAX_INFO_KEY);
    const bool is_there = known != nullptr && at >= 0 && static_cast<std::size_t>(at) < known->size();
    const int expected = known == nullptr ? MPI_ERR_INFO : !key || !is_there ? MPI_ERR_ARG : success;
    const int code =
        answered("Info_get_nthkey", MPI_Info_get_nthkey(info, at, static_cast<char*>(data_of(key))), expected);
    if (code == MPI_SUCCESS)
        demand((*known)[static_cast<std::size_t>(at)].first == reinterpret_cast<const char*>(key->data()),
               "keys stand in the order in which they came");
    else if (key) key->expect_unchanged();
}

// The three functions that look a value up have the arguments and the checks of their beginning in common.
struct info_question {
    MPI_Info info = any_info();
    const info_model* known = readable(info);
    std::optional<std::string> key = any_key();
    text_input text{key};
    output<int> flag{the_world.in};
    const std::string* value = known != nullptr && is_key(key) ? value_in(*known, *key) : nullptr;
    int code(bool has_length) const {
        if (known == nullptr) return MPI_ERR_INFO;
        if (!is_key(key)) return MPI_ERR_INFO_KEY;
        return !has_length || flag.is_null() ? MPI_ERR_ARG : success;
    }
};
inline void call_info_get() {
    info_question ask;
    static constexpr int lengths[] = {0, MPI_MAX_INFO_VAL - 1, MPI_MAX_INFO_VAL, INT_MAX, -1, INT_MIN};
    const int length =
        the_world.in.one_in(2) ? the_world.in.one_of(lengths) : static_cast<int>(the_world.in.number(20));
    const int largest = length < MPI_MAX_INFO_VAL ? length + 1 : MPI_MAX_INFO_VAL;
    std::optional<guarded_buffer> room;
    if (!the_world.in.one_in(8)) room.emplace(static_cast<std::size_t>(length < 0 ? 0 : largest));
    int expected = ask.code(true);
    if (expected == MPI_SUCCESS) expected = !room ? MPI_ERR_INFO_VALUE : length < 0 ? MPI_ERR_ARG : success;
    char* const to = static_cast<char*>(data_of(room));
    const int code =
        answered("Info_get", MPI_Info_get(ask.info, ask.text.pointer(), length, to, ask.flag.pointer()), expected);
    ask.flag.expect(code == MPI_SUCCESS, ask.value != nullptr);
    if (!room) return;
    if (code != MPI_SUCCESS || ask.value == nullptr) return room->expect_unchanged();
    const std::string cut = ask.value->substr(0, room->size() - 1);
    demand(cut == to, "a value is cut to its room");
    room->expect_unchanged_from(cut.size() + 1);
}
inline void call_info_get_string() {
    info_question ask;
    text_output value{the_world.in};
    int expected = ask.code(value.length() != nullptr);
    const int length = value.length() != nullptr ? *value.length() : 0;
    if (expected == MPI_SUCCESS) {
        if (length < 0) expected = MPI_ERR_ARG;
        else if (length > 0 && value.characters() == nullptr) expected = MPI_ERR_INFO_VALUE;
    }
    const int code = answered(
        "Info_get_string",
        MPI_Info_get_string(ask.info, ask.text.pointer(), value.length(), value.characters(), ask.flag.pointer()),
        expected);
    ask.flag.expect(code == MPI_SUCCESS, ask.value != nullptr);
    value.expect(code == MPI_SUCCESS && ask.value != nullptr, ask.value != nullptr ? *ask.value : "");
}
inline void call_info_get_valuelen() {
    info_question ask;
    output<int> length{the_world.in};
    const int expected = ask.code(!length.is_null());
    const int code =
        answered("Info_get_valuelen",
                 MPI_Info_get_valuelen(ask.info, ask.text.pointer(), length.pointer(), ask.flag.pointer()), expected);
    ask.flag.expect(code == MPI_SUCCESS, ask.value != nullptr);
    length.expect(code == MPI_SUCCESS && ask.value != nullptr,
                  ask.value != nullptr ? static_cast<int>(ask.value->size()) : 0);
}
