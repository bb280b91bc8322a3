// SPDX-License-Identifier: BSD-3-Clause
// The cells that hold the values of a variable. A variable has one cell for the process, or one cell for each MPI
// object. The cells of objects are in a table whose key is the value of the handle, unless a function of the author
// returns a cell inside of an object.
//
//   ++variables.collectives[comm];   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/descriptor/object_key.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;

// The type of the settings `locate` and `count` of an unbound variable, which must not have these settings.
// The constructor that refuses a value is not constexpr (descriptor/declared_settings.hpp).
struct not_bound {
    constexpr not_bound() noexcept {}
    template <class Setting> not_bound(Setting) noexcept {
        static_assert(sizeof(Setting) == 0,
                      "only a variable that is bound to MPI objects has the settings locate and count");
    }
};

template <class Cell, class Object> struct locate_setting {
    using type = Cell* (*)(typename descriptor::object_traits<Object>::handle);
};
template <class Cell> struct locate_setting<Cell, void> {
    using type = not_bound;
};
// The author's function that returns the cell inside of an MPI object, or null if the object does not exist.
template <class Cell, class Object> using locate_function = typename locate_setting<Cell, Object>::type;

template <class Object> struct count_setting {
    using type = std::uint32_t (*)(typename descriptor::object_traits<Object>::handle);
};
template <> struct count_setting<void> {
    using type = not_bound;
};
// The author's function that returns the number of elements that a bound variable has for an object.
template <class Object> using count_function = typename count_setting<Object>::type;

// The cells of a bound variable. Lookups take no lock, and cells never move. If a new object has the handle of a freed
// object, it also has the cell of the freed object. `Start` is the type of the initial value of a cell.
template <class Cell, class Object, class Start> class cell_store {
public:
    using handle = typename descriptor::object_traits<Object>::handle;
    static constexpr bool is_bound = true;

    constexpr cell_store(Start start, locate_function<Cell, Object> locate) noexcept : start_{start}, locate_{locate} {}

    // Returns the cell of an object, and creates the cell if created() was not called for the object.
    [[gnu::always_inline]] Cell& cell_of(handle object) noexcept {
        if (locate_ != nullptr) {
            Cell* const located = locate_(object);
            return located != nullptr ? *located : discarded_;
        }
        const object_key key = descriptor::key_of(object);
        entry* const cached = cached_.load();
        if (cached == nullptr || cached->key != key) [[unlikely]]
            return cell_in_table(key);
        return cached->cell;
    }
    // Returns the cell of an object, as cell_of() does, or null if the object does not exist or memory is exhausted.
    Cell* find_or_create(handle object) noexcept {
        if (locate_ != nullptr) return locate_(object);
        entry* const object_entry = entry_of(descriptor::key_of(object));
        return object_entry != nullptr ? &object_entry->cell : nullptr;
    }
    // Returns the cell of an object that exists, or null. `generation` distinguishes objects with equal handles.
    Cell* existing(object_key key, std::uint32_t& generation) noexcept {
        generation = 0;
        entry* object_entry = find(key);
        if (object_entry != nullptr && !exists(generation = object_entry->generation.load())) return nullptr;
        if (locate_ != nullptr) return locate_(descriptor::handle_of<handle>(key));
        return object_entry != nullptr ? &object_entry->cell : nullptr;
    }
    // Creates a table entry even if the author's function returns the cell, because the generation in the entry
    // invalidates the handles of tools when the object is freed.
    void created(object_key key) noexcept { create(key); }
    void freed(object_key key) noexcept {
        entry* object_entry = find(key);
        if (object_entry == nullptr) return;
        const std::uint32_t generation = object_entry->generation.load();
        if (!exists(generation) || !object_entry->generation.compare_and_set(generation, generation + 2)) return;
        cached_.compare_and_set(object_entry, nullptr);
        object_entry->cell.reset(start_);
        object_entry->generation.store(generation + 5);
    }
    void announced(object_key key, descriptor::announcement change) noexcept {
        switch (change) {
        case descriptor::announcement::created: return created(key);
        case descriptor::announcement::freed: return freed(key);
        case descriptor::announcement::unloaded: return unloaded();
        }
    }
    // Returns the cell that is used for an object that does not exist, or if memory is exhausted.
    constexpr Cell& discarded() noexcept { return discarded_; }
    // Removes all objects of an unloaded library. No thread may use the cells during the call.
    void unloaded() noexcept {
        cells_.release_all();
        memory_.release_all();
        spare_.store(nullptr);
        cached_.store(nullptr);
    }

private:
    struct entry {
        std::uint64_t hash = 0;
        object_key key = 0;
        core::atomic<std::uint32_t> generation{existing_state};
        core::atomic<std::uint32_t> lookups; // number of lookups in the table; concurrent increments may be lost
        Cell cell;
    };
    // The two low bits of a generation are the state of the object. The state is 3 while freed() resets the cell, so
    // that a new object cannot use the entry before the reset. The last release store in freed() pairs with the acquire
    // loads of the generation.
    static constexpr std::uint32_t state_mask = 3, existing_state = 1, freed_state = 2;
    static constexpr std::uint32_t lookups_until_cached = 64;
    static bool exists(std::uint32_t generation) noexcept { return (generation & state_mask) == existing_state; }
    static std::uint64_t hash_of(object_key key) noexcept {
        return core::folded_product(key ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
    }
    entry* find(object_key key) const noexcept {
        return cells_.find(hash_of(key), [&](const entry& candidate) { return candidate.key == key; });
    }
    [[gnu::noinline]] Cell& cell_in_table(object_key key) noexcept {
        entry* const object_entry = entry_of(key);
        if (object_entry == nullptr) return discarded_;
        // Only few lookups store `cached_`, so that lookups of several objects do not contend for the cache line.
        const std::uint32_t lookups = object_entry->lookups.load(core::relaxed) + 1;
        object_entry->lookups.store(lookups, core::relaxed);
        if (lookups % lookups_until_cached == 0 || cached_.load() == nullptr) cache(*object_entry);
        return object_entry->cell;
    }
    // cache() and freed() use the Dekker pattern. cache() stores `cached_` and then, after a seq_cst fence, loads the
    // generation of the entry. freed() changes the generation and then `cached_` by seq_cst exchanges. Therefore
    // cache() or freed() removes a freed entry from `cached_`.
    void cache(entry& object_entry) noexcept {
        cached_.store(&object_entry);
        core::seq_cst_fence();
        if (!exists(object_entry.generation.load())) cached_.compare_and_set(&object_entry, nullptr);
    }
    entry* entry_of(object_key key) noexcept {
        entry* const object_entry = find(key);
        return object_entry != nullptr && exists(object_entry->generation.load()) ? object_entry : create(key);
    }
    entry* create(object_key key) noexcept {
        entry* object_entry = find(key);
        if (object_entry == nullptr) {
            entry* new_entry = spare_.exchange(nullptr);
            if (new_entry == nullptr) new_entry = memory_.template make<entry>();
            if (new_entry == nullptr) return nullptr;
            new_entry->hash = hash_of(key);
            new_entry->key = key;
            new_entry->cell.reset(start_);
            object_entry = cells_.insert(*new_entry, [&](const entry& candidate) { return candidate.key == key; });
            if (object_entry == new_entry) return object_entry;
            spare_.store(new_entry);
            if (object_entry == nullptr) return nullptr;
        }
        const std::uint32_t generation = object_entry->generation.load();
        if ((generation & state_mask) == freed_state)
            object_entry->generation.compare_and_set(generation, generation + 3);
        return object_entry;
    }

    Start start_;
    locate_function<Cell, Object> locate_;
    core::atomic<entry*> cached_; // entry of a frequently used object, found without the table
    core::insert_only_table<entry> cells_;
    core::arena memory_;
    core::atomic<entry*> spare_; // unused entry: another thread had inserted the same object first
    Cell discarded_;             // receives counts if the object does not exist or memory is exhausted
};

// The one cell of a variable that is not bound to MPI objects.
template <class Cell, class Start> class cell_store<Cell, void, Start> {
public:
    static constexpr bool is_bound = false;

    constexpr cell_store(Start start, not_bound) noexcept : cell{start} {}
    Cell* existing(object_key, std::uint32_t& generation) noexcept {
        generation = 0;
        return &cell;
    }

    Cell cell;
};

// Returns the function that reads a key at the address of a handle that a tool passes, or null for unbound variables.
template <class Object> constexpr auto key_function() -> object_key (*)(const void*) {
    if constexpr (__is_same(Object, void)) return nullptr;
    else return &descriptor::key_at<typename descriptor::object_traits<Object>::handle>;
}

// Returns the cell of an object. `Variable` is a class derived from `Descriptor`.
template <class Variable, class Descriptor>
void* locate_in_cells(Descriptor& variable, object_key key, std::uint32_t& generation) {
    return static_cast<Variable&>(variable).cells().existing(key, generation);
}

// Returns the function that announces created and freed objects to a variable, or null for unbound variables.
template <class Variable, class Object> constexpr auto announcement_function() {
    using function = void (*)(descriptor::variable&, object_key, descriptor::announcement);
    if constexpr (__is_same(Object, void)) {
        return static_cast<function>(nullptr);
    } else {
        return static_cast<function>(
            [](descriptor::variable& variable, object_key key, descriptor::announcement change) {
            static_cast<Variable&>(variable).cells().announced(key, change);
        });
    }
}

} // namespace internal
} // namespace mpit
