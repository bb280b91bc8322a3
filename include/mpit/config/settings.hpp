// SPDX-License-Identifier: BSD-3-Clause
// Settings, the values from outside the program: adding one, finding those of a name, and ordering their sources.
//
//   add(registry.settings, value);   for (const setting* g = first_setting(registry.settings, key); g != nullptr; g = g->next) …
#pragma once

#include <mpit/core/name.hpp>
#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

inline void add(setting_store& store, setting& fresh) noexcept {
    fresh.number = store.count.fetch_add(1) + 1;
    atomic<setting*>& chain = store.chains[fresh.key % setting_store::chain_count];
    fresh.next = chain.load();
    while (!chain.compare_exchange(fresh.next, &fresh)) {}
}
// The latest value that may have the key, which those before it follow.
inline const setting* first_setting(const setting_store& store, std::uint32_t key) noexcept {
    return store.chains[key % setting_store::chain_count].load(core::sequential);
}
// Of the values from `entry` on the first one of a name that a source has given, or null.
inline const setting* matching(const setting* entry, text name, std::uint32_t key, mpit::origin source) noexcept {
    while (entry != nullptr && (entry->key != key || entry->source != source || !core::equal(entry->name, name)))
        entry = entry->next;
    return entry;
}
// The latest one.
inline const setting* latest_setting(const setting_store& store, text name, mpit::origin source) noexcept {
    const std::uint32_t key = core::scan(name).key;
    return matching(first_setting(store, key), name, key, source);
}
template <class Visit> void each_setting(const setting_store& store, const Visit& visit) {
    for (const atomic<setting*>& chain : store.chains)
        for (const setting* g = chain.load(); g != nullptr; g = g->next) visit(*g);
}

// A value whose texts stay where they are, as one that the process has. Returns null without memory.
[[gnu::cold]] inline setting* give(process_registry& registry, mpit::origin source, text name, text value,
                                   text place) noexcept {
    auto* made = registry.memory.make<setting>(place.length + 1);
    if (made == nullptr) return nullptr;
    auto* kept = reinterpret_cast<char*>(made + 1);
    std::memcpy(kept, place.characters, place.length);
    kept[place.length] = '\0';
    made->name = name;
    made->value = value;
    made->place = kept;
    made->key = core::scan(name).key;
    made->source = source;
    add(registry.settings, *made);
    return made;
}

// The latest value of a name and a source, if it is this one: then there is nothing to add. Null otherwise.
[[gnu::cold]] inline const setting* same_setting(const process_registry& registry, mpit::origin source, text name,
                                                 text value, text place) noexcept {
    const setting* there = latest_setting(registry.settings, name, source);
    return there != nullptr && core::equal(there->value, value) && core::equal(there->place, place) ? there : nullptr;
}

// The same with copies of the texts; one that says nothing new is left out. Returns null without memory.
[[gnu::cold]] inline const setting* add_setting_copy(process_registry& registry, mpit::origin source, text name,
                                                     text value, text place) noexcept {
    if (const setting* there = same_setting(registry, source, name, value, place)) return there;
    auto* room = static_cast<char*>(registry.memory.allocate(std::size_t{name.length} + value.length + 2)); // zeroed
    if (room == nullptr) return nullptr;
    std::memcpy(room, name.characters, name.length);
    std::memcpy(room + name.length + 1, value.characters, value.length);
    return give(registry, source, {room, name.length}, {room + name.length + 1, value.length}, place);
}

// Which source wins over which: those that stand between the library and a tool, from the weakest on.
inline constexpr int middle_sources = origin_count - 2;
constexpr std::uint32_t word_of_order(const mpit::origin (&weakest_first)[middle_sources]) noexcept {
    std::uint32_t word = 0;
    for (int i = 0; i < middle_sources; i++) word |= static_cast<std::uint32_t>(weakest_first[i]) << i * 8;
    return word;
}
inline mpit::origin source_at(const setting_store& store, int rank) noexcept {
    constexpr std::uint32_t declared =
        word_of_order({origin::configuration, origin::environment, origin::command_line, origin::info});
    const std::uint32_t order = store.order.load();
    return static_cast<mpit::origin>((order == 0 ? declared : order) >> rank * 8 & 0xff);
}
inline int rank_of(const setting_store& store, mpit::origin source) noexcept {
    if (source == origin::library || source == origin::tool) return source == origin::tool ? middle_sources : -1;
    int rank = 0;
    while (rank < middle_sources && source_at(store, rank) != source) rank++;
    return rank;
}

} // namespace registry
} // namespace mpit
