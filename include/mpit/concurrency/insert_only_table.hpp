// SPDX-License-Identifier: BSD-3-Clause
// A hash table without removal, with open addressing and linear probing. A look-up acquires no lock and never waits. An
// insertion is lock-free, even while the table grows, as in Click's hash table (2007). A thread that grows the table
// seals the empty slots of the old table, so that a late insertion continues in the next table. Any thread can finish
// the growth of the table alone. A look-up compares the tags of eight slots (one cache line) at once, as Swiss tables
// do, because a processor cannot predict how many single slots a search visits.
//
//   insert_only_table<record> names;  record* entry = names.insert(added, same_name);  // `added`, or an earlier one
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/spare_words.hpp>
#include <mpit/core/vector_block.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The class `Entry` must have a member `hash`, and `FirstSize` must be a power of two. The table stores the addresses
// of entries, which never move. The compare-exchange of a slot in insert_into() publishes an entry and pairs with the
// acquire loads of the slot in find().
template <class Entry, std::size_t FirstSize = 256> class insert_only_table {
public:
    constexpr insert_only_table() noexcept = default;

    // Returns the entry with the hash `hash` for which `same(entry)` is true, or null.
    template <class Same> [[gnu::always_inline]] inline Entry* find(std::uint64_t hash, Same same) const noexcept {
        for (const table_header* table = current_.load(); table != nullptr; table = table->next.load()) {
            for (std::size_t index = home(hash, *table);; index = (index + group_size) & table->mask) {
                const atomic<std::uint64_t>* group = table->words() + index;
                for (std::uint32_t matches = match_tag(group, hash); matches != 0; matches &= matches - 1) {
                    Entry* const entry = entry_of(group[first_slot(matches)].load());
                    if (same(*entry)) return entry;
                }
                // A group is filled from the first slot and sealed from the last slot, so that its last slot ends the
                // search.
                const std::uint64_t last = group[group_size - 1].load();
                if (last == empty) return nullptr;
                if (last == sealed) break;
            }
        }
        return nullptr;
    }

    // The result of find_in_home_group(), which performs the first step of find() and compares only the first entry
    // whose tag matches. If `is_certain` is false, the caller must call find().
    struct home_group_result {
        Entry* entry;
        bool is_certain;
    };
    template <class Same>
    [[gnu::always_inline]] inline home_group_result find_in_home_group(std::uint64_t hash, Same same) const noexcept {
        const table_header* const table = current_.load();
        if (table == nullptr) return {nullptr, true};
        const atomic<std::uint64_t>* const group = table->words() + home(hash, *table);
        const std::uint32_t matches = match_tag(group, hash);
        if (matches == 0) [[unlikely]]
            return {nullptr, group[group_size - 1].load_equals(empty)};
        Entry* const entry = entry_of(group[first_slot(matches)].load());
        if (!same(*entry)) [[unlikely]]
            return {nullptr, false};
        return {entry, true};
    }

    // Inserts `new_entry` unless the table has an entry with the same hash for which `same(entry)` is true. Returns the
    // entry that is in the table after the call, or null if memory is exhausted.
    template <class Same> Entry* insert(Entry& new_entry, Same same) noexcept {
        table_header* table = current_.load();
        if (table == nullptr) table = first_table();
        while (table != nullptr) {
            if (table->used.load(relaxed) * 2 > table->mask) {
                if (table_header* larger = migrate(*table)) {
                    table = larger;
                    continue;
                }
                if (table->used.load() > table->mask / 4 * 3)
                    return nullptr; // memory is exhausted, and a search needs empty slots to end
            }
            Entry* existing = insert_into(*table, new_entry, same);
            if (existing != nullptr) return existing;
            table = next_table(*table);
        }
        return nullptr;
    }

    // Resets the table and releases the memory. No thread may use the table during the call.
    void release_all() noexcept {
        table_header* table = current_.load();
        while (table != nullptr && table->next.load() != nullptr) table = table->next.load();
        current_.store(nullptr);
        while (table != nullptr) {
            table_header* const previous = table->previous;
            release_memory(table, bytes_of(table->mask + 1));
            table = previous;
        }
    }

    // The header of a table, which the slots follow. Several libraries of a process can use the same table.
    struct alignas(64) table_header {
        std::size_t mask;           // the number of slots minus 1
        atomic<std::size_t> used;   // the number of entries, which decides when the table grows
        atomic<table_header*> next; // the larger table to which all entries move
        table_header* previous;     // the smaller table, for release_all()
        spare_words<4> spare;
        atomic<std::uint64_t>* words() noexcept { return reinterpret_cast<atomic<std::uint64_t>*>(this + 1); }
        const atomic<std::uint64_t>* words() const noexcept {
            return reinterpret_cast<const atomic<std::uint64_t>*>(this + 1);
        }
    };

private:
    // A slot holds the address of an entry in the low 48 bits, and a tag (upper bits of the hash) in the high 16 bits.
    // Because of the tags, a search reads few wrong entries. The highest bit is 1 in every tag, but not in an empty or
    // sealed slot.
    static constexpr std::uint64_t empty = 0, sealed = 1, address_mask = (std::uint64_t{1} << 48) - 1;
    static constexpr int tag_shift = 48;
    static constexpr std::uint64_t lowest_tag = std::uint64_t{1} << 63;
    static Entry* entry_of(std::uint64_t word) noexcept { return reinterpret_cast<Entry*>(word & address_mask); }
    static std::uint64_t word_of(Entry& entry) noexcept {
        return reinterpret_cast<std::uint64_t>(&entry) | (entry.hash | lowest_tag) >> tag_shift << tag_shift;
    }
    // Returns the index of the slot at which the search for a hash begins, which is the first slot of a group.
    static std::size_t home(std::uint64_t hash, const table_header& table) noexcept {
        return hash & table.mask & ~(group_size - 1);
    }
    // Returns four bits for each slot of a group, and sets the highest of the four if the slot has the tag of the hash.
    static std::uint32_t match_tag(const atomic<std::uint64_t>* group, std::uint64_t hash) noexcept {
        const std::uint64_t pattern = hash | lowest_tag;
#if defined(__SSE2__) && !MPIT_THREAD_SANITIZER && !defined(MPIT_ATOMIC_HEADER)
        if constexpr (group_size == 8)
            return vector_block::match_upper_16_bits(group, pattern); // find() loads a matching word again, atomically
#endif
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group_size; i++)
            bits |= std::uint32_t{group[i].load() >> tag_shift == pattern >> tag_shift} << (4 * i + 3);
        return bits;
    }
    static std::uint32_t first_slot(std::uint32_t matches) noexcept {
        return static_cast<std::uint32_t>(__builtin_ctz(matches)) / 4;
    }
    static std::size_t bytes_of(std::size_t size) noexcept {
        return sizeof(table_header) + size * sizeof(std::uint64_t);
    }

    static table_header* new_table(std::size_t size) noexcept {
        auto* table = static_cast<table_header*>(pages(bytes_of(size)));
        if (table != nullptr) table->mask = size - 1;
        return table;
    }
    // Publishes the first table. The compare-exchange pairs with the acquire loads of current_.
    table_header* first_table() noexcept {
        table_header* table = new_table(first_size);
        if (table == nullptr) return current_.load();
        if (current_.compare_and_set(nullptr, table)) return table;
        release_memory(table, bytes_of(first_size));
        return current_.load();
    }
    // Returns the next, larger table, and publishes it if necessary. Returns null if memory is exhausted. The
    // compare-exchange pairs with the acquire loads of `next`.
    static table_header* next_table(table_header& table) noexcept {
        table_header* next = table.next.load();
        if (next != nullptr) return next;
        const std::size_t size = (table.mask + 1) * 4;
        table_header* larger = new_table(size);
        if (larger == nullptr) return nullptr;
        larger->previous = &table;
        if (table.next.compare_and_set(nullptr, larger)) return larger;
        release_memory(larger, bytes_of(size));
        return table.next.load();
    }

    // Inserts an entry into one table. Returns the new or existing entry, or null if the search meets a sealed slot.
    template <class Same> static Entry* insert_into(table_header& table, Entry& new_entry, Same same) noexcept {
        for (std::size_t index = home(new_entry.hash, table);; index = (index + 1) & table.mask) {
            std::uint64_t word = table.words()[index].load();
            if (word == empty && table.words()[index].compare_exchange(word, word_of(new_entry))) {
                table.used.fetch_add(1, relaxed);
                return &new_entry;
            }
            if (word == sealed) return nullptr;
            Entry* existing = entry_of(word);
            if (existing == &new_entry || (existing->hash == new_entry.hash && same(*existing))) return existing;
        }
    }

    // Moves all entries to the next table, which becomes the current table. Several threads can move entries at once. A
    // thread seals from the last slot to the first, because find() checks only the last slot of a group for a seal.
    table_header* migrate(table_header& full) noexcept {
        table_header* next = next_table(full);
        if (next == nullptr) return nullptr;
        for (std::size_t index = full.mask + 1; index-- > 0;) {
            std::uint64_t word = full.words()[index].load();
            if (word == empty && full.words()[index].compare_exchange(word, sealed)) continue;
            if (word == sealed) continue;
            Entry& entry = *entry_of(word);
            for (table_header* table = next; table != nullptr; table = next_table(*table))
                if (insert_into(*table, entry, [&](Entry& existing) { return &existing == &entry; }) != nullptr) break;
        }
        current_.compare_and_set(&full, next);
        return next;
    }

    static constexpr std::size_t first_size = FirstSize, group_size = FirstSize < 8 ? FirstSize : 8;
    atomic<table_header*> current_;
};

} // namespace core
} // namespace mpit
