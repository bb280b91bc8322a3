// SPDX-License-Identifier: BSD-3-Clause
// Stores the settings of the process in a hash table of lock-free lists. A setting is a value for a control variable
// from outside the program. The functions add a setting, find settings by name, and return the precedence of an origin.
//
//   add_setting(registry, origin::info, name, value, place);
//   const setting* latest = latest_setting(registry.settings, name, origin::info);
#pragma once

#include <mpit/core/name.hpp>
#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

inline void add(setting_store& store, setting& new_setting) noexcept {
    new_setting.sequence_number = store.count.fetch_add(1) + 1;
    atomic<setting*>& chain = store.chains[new_setting.key % setting_store::chain_count];
    new_setting.next = chain.load();
    while (!chain.compare_exchange(new_setting.next, &new_setting)) {}
}
// Returns the latest setting in the hash chain of a key. The chain may also contain settings with other keys. The
// seq_cst accesses of two threads to the chain and to the state of an unpublished tree form a Dekker pattern. One
// thread adds a setting and then loads the states of trees. Another thread stores the state of a tree and then loads
// the chain. Either the thread that adds a setting finds the tree, or the thread that adds the tree finds the setting.
inline const setting* first_setting(const setting_store& store, std::uint32_t key) noexcept {
    return store.chains[key % setting_store::chain_count].load(core::seq_cst);
}
// Returns the first setting from `entry` on that has the key, the name and the origin, or null if there is none.
inline const setting* next_match(const setting* entry, text name, std::uint32_t key, mpit::origin origin) noexcept {
    while (entry != nullptr && (entry->key != key || entry->origin != origin || !core::equal(entry->name, name)))
        entry = entry->next;
    return entry;
}
inline const setting* latest_setting(const setting_store& store, text name, mpit::origin origin) noexcept {
    const std::uint32_t key = core::scan(name).key;
    return next_match(first_setting(store, key), name, key, origin);
}
template <class Visit> void for_each_setting(const setting_store& store, const Visit& visit) {
    for (const atomic<setting*>& chain : store.chains)
        for (const setting* entry = chain.load(); entry != nullptr; entry = entry->next) visit(*entry);
}

// Adds a setting that refers to the texts `name` and `value` and copies `place`. Returns null if memory is exhausted.
[[gnu::cold]] inline setting* add_setting(process_registry& registry, mpit::origin origin, text name, text value,
                                          text place) noexcept {
    auto* new_setting = registry.memory.make<setting>(place.length + 1);
    if (new_setting == nullptr) return nullptr;
    auto* place_copy = reinterpret_cast<char*>(new_setting + 1);
    std::memcpy(place_copy, place.characters, place.length);
    place_copy[place.length] = '\0';
    new_setting->name = name;
    new_setting->value = value;
    new_setting->place = place_copy;
    new_setting->key = core::scan(name).key;
    new_setting->origin = origin;
    add(registry.settings, *new_setting);
    return new_setting;
}

// Returns the latest setting with this name and origin if it has the value `value` and the place `place`, or else null.
[[gnu::cold]] inline const setting* equal_setting(const process_registry& registry, mpit::origin origin, text name,
                                                  text value, text place) noexcept {
    const setting* last = latest_setting(registry.settings, name, origin);
    return last != nullptr && core::equal(last->value, value) && core::equal(last->place, place) ? last : nullptr;
}

// Adds a setting with copies of all texts, unless an equal setting exists. Returns null if memory is exhausted.
[[gnu::cold]] inline const setting* add_setting_copy(process_registry& registry, mpit::origin origin, text name,
                                                     text value, text place) noexcept {
    if (const setting* existing = equal_setting(registry, origin, name, value, place)) return existing;
    auto* buffer = static_cast<char*>(registry.memory.allocate(std::size_t{name.length} + value.length + 2)); // zeroed
    if (buffer == nullptr) return nullptr;
    std::memcpy(buffer, name.characters, name.length);
    std::memcpy(buffer + name.length + 1, value.characters, value.length);
    return add_setting(registry, origin, {buffer, name.length}, {buffer + name.length + 1, value.length}, place);
}

// The origin `library` is always the weakest, and `tool` is always the strongest. A 32-bit word stores the order of the
// origins between `library` and `tool`, with the weakest origin in the lowest byte.
inline constexpr int ordered_origin_count = origin_count - 2;
constexpr std::uint32_t word_of_order(const mpit::origin (&weakest_first)[ordered_origin_count]) noexcept {
    std::uint32_t word = 0;
    for (int i = 0; i < ordered_origin_count; i++) word |= static_cast<std::uint32_t>(weakest_first[i]) << i * 8;
    return word;
}
inline mpit::origin origin_at(const setting_store& store, int rank) noexcept {
    constexpr std::uint32_t default_order =
        word_of_order({origin::configuration, origin::environment, origin::command_line, origin::info});
    const std::uint32_t order = store.order.load();
    return static_cast<mpit::origin>((order == 0 ? default_order : order) >> rank * 8 & 0xff);
}
inline int rank_of(const setting_store& store, mpit::origin ranked) noexcept {
    if (ranked == origin::library || ranked == origin::tool) return ranked == origin::tool ? ordered_origin_count : -1;
    int rank = 0;
    while (rank < ordered_origin_count && origin_at(store, rank) != ranked) rank++;
    return rank;
}

} // namespace registry
} // namespace mpit
