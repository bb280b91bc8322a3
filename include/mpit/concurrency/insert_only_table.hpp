// SPDX-License-Identifier: BSD-3-Clause
// A hash table without removal. Finding takes no lock and never waits. Insertion is lock-free, also while the table
// grows: empty places of the old table are sealed, so that a late insertion continues in the next table, and any thread
// can finish the move alone. One step compares the eight places of a cache line, because a processor cannot predict how
// many single places a search visits.
//
//   insert_only_table<record> names;  record* there = names.insert(fresh, same_name);  // `fresh`, or an earlier one
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/core/message.hpp>
#include <mpit/core/spare_words.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// `Entry` has a member `hash`; entries are kept by address and never moved. The first size is a power of two.
template <class Entry, std::size_t FirstSize = 256> class insert_only_table {
public:
    constexpr insert_only_table() noexcept = default;

    // The entry with this hash for which `same(entry)` holds, or null.
    template <class Same> [[gnu::always_inline]] inline Entry* find(std::uint64_t hash, Same same) const noexcept {
        for (const places* table = present_.load(); table != nullptr; table = table->next.load()) {
            for (std::size_t index = home(hash, *table);; index = (index + group_size) & table->mask) {
                const atomic<std::uint64_t>* group = table->words() + index;
                for (std::uint32_t left = tagged(group, hash); left != 0; left &= left - 1) {
                    Entry* const entry = entry_of(group[place_of(left)].load());
                    if (same(*entry)) return entry;
                }
                // A group is filled from its begin, and sealed from its end.
                const std::uint64_t last = group[group_size - 1].load();
                if (last == empty) return nullptr;
                if (last == sealed) break;
            }
        }
        return nullptr;
    }

    // The same for the first entry that may be it, without a loop: `is_certain` is false where only find() can tell.
    struct first_find {
        Entry* entry;
        bool is_certain;
    };
    template <class Same>
    [[gnu::always_inline]] inline first_find find_quickly(std::uint64_t hash, Same same) const noexcept {
        const places* const table = present_.load();
        if (table == nullptr) return {nullptr, true};
        const atomic<std::uint64_t>* const group = table->words() + home(hash, *table);
        const std::uint32_t left = tagged(group, hash);
        if (left == 0) [[unlikely]]
            return {nullptr, group[group_size - 1].has(empty)};
        Entry* const entry = entry_of(group[place_of(left)].load());
        if (!same(*entry)) [[unlikely]]
            return {nullptr, false};
        return {entry, true};
    }

    // Adds `fresh` unless there is an entry that is the same. Answers the entry that is there now; null without memory.
    template <class Same> Entry* insert(Entry& fresh, Same same) noexcept {
        places* table = present_.load();
        if (table == nullptr) table = first_places();
        while (table != nullptr) {
            if (table->used.load(relaxed) * 2 > table->mask) {
                if (places* grown = move(*table)) {
                    table = grown;
                    continue;
                }
                if (table->used.load() > table->mask / 4 * 3)
                    return nullptr; // no memory to grow; empty places must remain
            }
            Entry* there = place(*table, fresh, same);
            if (there != nullptr) return there;
            table = following(*table);
        }
        return nullptr;
    }

    // Resets the table. Not to be called while it is used.
    void release_all() noexcept {
        places* table = present_.load();
        while (table != nullptr && table->next.load() != nullptr) table = table->next.load();
        present_.store(nullptr);
        while (table != nullptr) {
            places* const previous = table->previous;
            release_memory(table, bytes_of(table->mask + 1));
            table = previous;
        }
    }

    // The head of a table; its places follow. Shared, because each copy of the headers inserts, finds and moves
    // entries.
    struct alignas(64) places {
        std::size_t mask;         // one less than the number of places
        atomic<std::size_t> used; // entries, for the decision to grow
        atomic<places*> next;     // the larger table to which the entries move
        places* previous;         // for release_all()
        spare_words<4> spare;
        atomic<std::uint64_t>* words() noexcept { return reinterpret_cast<atomic<std::uint64_t>*>(this + 1); }
        const atomic<std::uint64_t>* words() const noexcept {
            return reinterpret_cast<const atomic<std::uint64_t>*>(this + 1);
        }
    };

private:
    // A word holds an address in its low 48 bits and a part of the hash above, so that most misses touch nothing else.
    static constexpr std::uint64_t empty = 0, sealed = 1, address_mask = (std::uint64_t{1} << 48) - 1;
    // The tag of an entry has its highest bit, so that an empty or a sealed place has none.
    static constexpr int tag_shift = 48;
    static constexpr std::uint64_t lowest_tag = std::uint64_t{1} << 63;
    static Entry* entry_of(std::uint64_t word) noexcept { return reinterpret_cast<Entry*>(word & address_mask); }
    static std::uint64_t word_of(Entry& entry) noexcept {
        return reinterpret_cast<std::uint64_t>(&entry) | (entry.hash | lowest_tag) >> tag_shift << tag_shift;
    }
    // The first place of the group where the search for a hash begins.
    static std::size_t home(std::uint64_t hash, const places& table) noexcept {
        return hash & table.mask & ~(group_size - 1);
    }
    // Which places of a group have the tag of a hash: the highest of four bits for each.
    static std::uint32_t tagged(const atomic<std::uint64_t>* group, std::uint64_t hash) noexcept {
        const std::uint64_t wanted = hash | lowest_tag;
#if defined(__SSE2__) && !MPIT_THREAD_SANITIZER && !defined(MPIT_ATOMIC_HEADER)
        if constexpr (group_size == 8)
            return vector_block::tagged(group, wanted); // whose words are loaded once more, one by one
#endif
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group_size; i++)
            bits |= std::uint32_t{group[i].load() >> tag_shift == wanted >> tag_shift} << (4 * i + 3);
        return bits;
    }
    static std::uint32_t place_of(std::uint32_t tagged_places) noexcept {
        return static_cast<std::uint32_t>(__builtin_ctz(tagged_places)) / 4;
    }
    static std::size_t bytes_of(std::size_t size) noexcept { return sizeof(places) + size * sizeof(std::uint64_t); }

    static places* new_places(std::size_t size) noexcept {
        auto* made = static_cast<places*>(pages(bytes_of(size)));
        if (made != nullptr) made->mask = size - 1;
        return made;
    }
    // Publishes the table that the first insertion found missing.
    places* first_places() noexcept {
        places* made = new_places(first_size);
        if (made == nullptr) return present_.load();
        if (present_.replace(nullptr, made)) return made;
        release_memory(made, bytes_of(first_size));
        return present_.load();
    }
    static places* following(places& table) noexcept {
        places* next = table.next.load();
        if (next != nullptr) return next;
        const std::size_t size = (table.mask + 1) * 4;
        places* made = new_places(size);
        if (made == nullptr) return nullptr;
        made->previous = &table;
        if (table.next.replace(nullptr, made)) return made;
        release_memory(made, bytes_of(size));
        return table.next.load();
    }

    // The entry now in this table, or null when the search met a sealed place and must continue in the next table.
    template <class Same> static Entry* place(places& table, Entry& fresh, Same same) noexcept {
        for (std::size_t index = home(fresh.hash, table);; index = (index + 1) & table.mask) {
            std::uint64_t word = table.words()[index].load();
            if (word == empty && table.words()[index].compare_exchange(word, word_of(fresh))) {
                table.used.fetch_add(1, relaxed);
                return &fresh;
            }
            if (word == sealed) return nullptr;
            Entry* there = entry_of(word);
            if (there == &fresh || (there->hash == fresh.hash && same(*there))) return there;
        }
    }

    // Moves every entry to the next table, together with other threads, and makes that the present one.
    places* move(places& full) noexcept {
        places* next = following(full);
        if (next == nullptr) return nullptr;
        for (std::size_t index = full.mask + 1; index-- > 0;) {
            std::uint64_t word = full.words()[index].load();
            if (word == empty && full.words()[index].compare_exchange(word, sealed)) continue;
            if (word == sealed) continue;
            Entry& entry = *entry_of(word);
            for (places* table = next; table != nullptr; table = following(*table))
                if (place(*table, entry, [&](Entry& there) { return &there == &entry; }) != nullptr) break;
        }
        present_.replace(&full, next);
        return next;
    }

    static constexpr std::size_t first_size = FirstSize, group_size = FirstSize < 8 ? FirstSize : 8;
    atomic<places*> present_;
};

} // namespace core
} // namespace mpit
