// SPDX-License-Identifier: BSD-3-Clause
// The cells of a variable: one for the process, or one for each MPI object. Cells of objects are kept here by the value
// of the handle, unless a function of the author finds them inside the objects.
//
//   ++variables.collectives[comm];   mpit::created(variables, comm);   mpit::freed(variables, comm);
#pragma once

#include <mpit/concurrency/fence.hpp>
#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/descriptor/object_key.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;

// Stands where a setting has no meaning for variables that are not bound.
struct not_bound {
    constexpr not_bound() noexcept {}
    template <class Given> constexpr not_bound(Given) noexcept {
        static_assert(sizeof(Given) == 0,
                      "only a variable that is bound to MPI objects has the settings locate and count");
    }
};

template <class Cell, class Object> struct locate_setting {
    using type = Cell* (*)(typename descriptor::object_traits<Object>::handle);
};
template <class Cell> struct locate_setting<Cell, void> {
    using type = not_bound;
};
// The author's function that finds the cell in his object, or null if there is no such object.
template <class Cell, class Object> using locate_function = typename locate_setting<Cell, Object>::type;

template <class Object> struct count_setting {
    using type = std::uint32_t (*)(typename descriptor::object_traits<Object>::handle);
};
template <> struct count_setting<void> {
    using type = not_bound;
};
// The author's function that says how many elements the value of an object has.
template <class Object> using count_function = typename count_setting<Object>::type;

// The cells of a bound variable. They are found without locks and never move; a freed object's cell is used again when
// its handle value comes back. `Start` is what a new cell begins with.
template <class Cell, class Object, class Start> class cell_store {
public:
    using handle = typename descriptor::object_traits<Object>::handle;
    static constexpr bool is_bound = true;

    constexpr cell_store(Start start, locate_function<Cell, Object> locate) noexcept : start_{start}, locate_{locate} {}

    // The cell of an object; it is made here if the object was not announced.
    [[gnu::always_inline]] Cell& cell_of(handle object) noexcept {
        if (locate_ != nullptr) {
            Cell* const located = locate_(object);
            return located != nullptr ? *located : nowhere_;
        }
        const object_key key = descriptor::key_of(object);
        entry* const known = known_.load();
        if (known == nullptr || known->key != key) [[unlikely]]
            return cell_at_length(key);
        return known->cell;
    }
    // The same, or null: there is no such object, or no memory.
    Cell* find_or_make(handle object) noexcept {
        if (locate_ != nullptr) return locate_(object);
        entry* const found = entry_of(descriptor::key_of(object));
        return found != nullptr ? &found->cell : nullptr;
    }
    // The cell of an object that exists, or null. A later object with an equal handle has another generation.
    Cell* existing(object_key key, std::uint32_t& generation) noexcept {
        generation = 0;
        entry* found = find(key);
        if (found != nullptr && !exists(generation = found->generation.load())) return nullptr;
        if (locate_ != nullptr) return locate_(descriptor::handle_of<handle>(key));
        return found != nullptr ? &found->cell : nullptr;
    }
    // Announcements count for located cells as well: a handle on a freed object does not see the next one.
    void created(object_key key) noexcept { create(key); }
    void freed(object_key key) noexcept {
        entry* found = find(key);
        if (found == nullptr) return;
        const std::uint32_t generation = found->generation.load();
        if (!exists(generation) || !found->generation.replace(generation, generation + 2)) return;
        known_.replace(found, nullptr);
        found->cell.reset(start_);
        found->generation.store(generation + 5);
    }
    // Not to be called while the cells are used; afterwards no object is known.
    void unloaded() noexcept {
        cells_.release_all();
        memory_.release_all();
        spare_.store(nullptr);
        known_.store(nullptr);
    }

private:
    struct entry {
        std::uint64_t hash = 0;
        object_key key = 0;
        core::atomic<std::uint32_t> generation{existing_state};
        core::atomic<std::uint32_t> finds; // in the table; several threads may lose some
        Cell cell;
    };
    // The low bits of a generation are the state of the object. Its cell begins anew when it is freed, which comes
    // before every use of an equal handle: threads that find the next object at once count in it at once.
    static constexpr std::uint32_t state_mask = 3, existing_state = 1, freed_state = 2;
    static constexpr std::uint32_t finds_until_known = 64;
    static bool exists(std::uint32_t generation) noexcept { return (generation & state_mask) == existing_state; }
    static std::uint64_t hash_of(object_key key) noexcept {
        return core::folded_product(key ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93);
    }
    entry* find(object_key key) const noexcept {
        return cells_.find(hash_of(key), [&](const entry& e) { return e.key == key; });
    }
    [[gnu::noinline]] Cell& cell_at_length(object_key key) noexcept {
        entry* const found = entry_of(key);
        if (found == nullptr) return nowhere_;
        // Threads that use several objects mostly read the known one, and seldom replace it.
        const std::uint32_t finds = found->finds.load(core::relaxed) + 1;
        found->finds.store(finds, core::relaxed);
        if (finds % finds_until_known == 0 || known_.load() == nullptr) remember(*found);
        return found->cell;
    }
    // Either this finds that the object was freed, or its end finds it known.
    void remember(entry& found) noexcept {
        known_.store(&found);
        core::whole_fence();
        if (!exists(found.generation.load())) known_.replace(&found, nullptr);
    }
    entry* entry_of(object_key key) noexcept {
        entry* const found = find(key);
        return found != nullptr && exists(found->generation.load()) ? found : create(key);
    }
    entry* create(object_key key) noexcept {
        entry* there = find(key);
        if (there == nullptr) {
            entry* fresh = spare_.exchange(nullptr);
            if (fresh == nullptr) fresh = memory_.template make<entry>();
            if (fresh == nullptr) return nullptr;
            fresh->hash = hash_of(key);
            fresh->key = key;
            fresh->cell.reset(start_);
            there = cells_.insert(*fresh, [&](const entry& e) { return e.key == key; });
            if (there == fresh) return there;
            spare_.store(fresh);
            if (there == nullptr) return nullptr;
        }
        const std::uint32_t generation = there->generation.load();
        if ((generation & state_mask) == freed_state) there->generation.replace(generation, generation + 3);
        return there;
    }

    Start start_;
    locate_function<Cell, Object> locate_;
    core::atomic<entry*> known_; // of an object that exists and is used often, found without the table
    core::insert_only_table<entry> cells_;
    core::arena memory_;
    core::atomic<entry*> spare_; // made for an object that another thread has announced first
    Cell nowhere_;               // takes what concerns no object, or an object for which there was no memory
};

// The one cell of a variable that belongs to the process.
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

// How a tool's address of an object handle becomes a key; null if nothing is bound.
template <class Object> constexpr auto key_function() -> object_key (*)(const void*) {
    if constexpr (__is_same(Object, void)) return nullptr;
    else return &descriptor::key_at<typename descriptor::object_traits<Object>::handle>;
}

// Locates the cell of an object. Variable is a class derived from Descriptor.
template <class Variable, class Descriptor>
void* locate_in_cells(Descriptor& d, object_key key, std::uint32_t& generation) {
    return static_cast<Variable&>(d).cells().existing(key, generation);
}

// How a bound variable learns of objects; null if nothing is bound.
template <class Variable, class Object> constexpr auto announcement_function() {
    using function = void (*)(descriptor::variable&, object_key, descriptor::announcement);
    if constexpr (__is_same(Object, void)) {
        return static_cast<function>(nullptr);
    } else {
        return static_cast<function>([](descriptor::variable& v, object_key key, descriptor::announcement what) {
            auto& cells = static_cast<Variable&>(v).cells();
            switch (what) {
            case descriptor::announcement::created: return cells.created(key);
            case descriptor::announcement::freed: return cells.freed(key);
            case descriptor::announcement::unloaded: return cells.unloaded();
            }
        });
    }
}

} // namespace internal
} // namespace mpit
