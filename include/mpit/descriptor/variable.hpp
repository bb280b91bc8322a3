// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of categories and variables. The compiler links the descriptors into a tree, which is complete before any
// code runs. The registry reads each tree once, when the program or library that contains the tree is loaded. The
// members of a descriptor model the attributes of MPI-5.0, 15.3.6, 15.3.7 and 15.3.9.
//
//   for (const item* member = tree.first; member; member = member->next) ...
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/function_ref.hpp>
#include <mpit/core/name.hpp>
#include <mpit/core/spare_words.hpp>
#include <mpit/descriptor/number_codec.hpp>
#include <mpit/descriptor/provenance.hpp>
#include <mpit/descriptor/settings_policy.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

struct record;
class process_registry;
class environment_filter;
struct pending_tree;

} // namespace registry

namespace MPIT_MODULE_LOCAL descriptor {

using core::text;

// The value of the handle of an MPI object, which is an address in some implementations and a number in others.
using object_key = std::uint64_t;

// The kinds of items, such as categories and variables. The registry assigns indices from the last kind to the first
// kind, because items refer only to items of later kinds.
enum class kind : std::uint8_t { category, control, performance, event, enumeration, source };
inline constexpr int kind_count = 6;
inline constexpr int member_kind_count = 4; // categories have members only of the first four kinds

struct category;
struct control;

// The base class of all descriptors. Libraries in a process use each other's descriptors, because the library that a
// tool calls reads and writes the variables of all libraries. Only derived classes have spare words.
struct item {
    text name;
    text description;
    item* next = nullptr;                   // next item of the same category, in the order of declaration
    core::atomic<registry::record*> record; // record in the registry, while the item is published
    std::uint32_t key;                      // hash of the name; few names share a hash
    kind item_kind;
    performance_class variable_class{}; // class of a performance variable

    item(const item&) = delete;
    item& operator=(const item&) = delete;

protected:
    constexpr item(kind new_kind, core::checked_name new_name, text new_text, performance_class new_class = {}) noexcept
        : name{new_name.name},
          description{new_text},
          key{new_name.key},
          item_kind{new_kind},
          variable_class{new_class} {}
};

struct category : item {
    bool has_former_names = false; // true if a control variable in the category has a former name, for check_names()
    bool has_rules = false;        // flag, because g++ 12 cannot compare `rules` with null under -fsanitize=undefined
    std::uint32_t members = 0;     // number of members; g++ 12 cannot compare `first` with null either
    category* parent = nullptr;
    item* first = nullptr;
    item* last = nullptr;
    const settings_rules* rules = nullptr; // policy of the control variables in the category
    // Sets a control variable from the environment. Only the root of a tree with control variables has this pointer.
    void (*apply_environment_at_load)(control&, const registry::environment_filter&, registry::process_registry*,
                                      registry::pending_tree*) noexcept = nullptr;
    core::spare_words<1> spare;

protected:
    // g++ 12 evaluates a tree twice. In the first evaluation __builtin_is_constant_evaluated() is false, and a call
    // that is not constexpr ends this evaluation before the tree changes.
    constexpr category(core::checked_name new_name, text new_text) noexcept : item{kind::category, new_name, new_text} {
        if (!__builtin_is_constant_evaluated()) end_of_a_tentative_evaluation();
    }
    constexpr category(category* outer, core::checked_name new_name, text new_text) noexcept
        : item{kind::category, new_name, new_text}, has_rules{outer->has_rules}, parent{outer}, rules{outer->rules} {
        outer->adopt(*this);
    }

public:
    constexpr void adopt(item& member) {
        (members++ == 0 ? first : last->next) = &member;
        last = &member;
    }
    // Returns the outermost category of the tree.
    constexpr category& root() noexcept {
        category* outer = this;
        while (__builtin_is_constant_evaluated() ? !error::is_known_to_be_null(outer->parent)
                                                 : outer->parent != nullptr)
            outer = outer->parent;
        return *outer;
    }

private:
    static void end_of_a_tentative_evaluation() noexcept {}
};

// Tells a bound variable that an object was created or freed, or that the library is unloaded and has no readers.
enum class announcement : std::uint8_t { created, freed, unloaded };

// The descriptor of a control variable, a performance variable or an event.
struct variable : item {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    datatype type{};
    std::uint32_t count = 1;
    core::enumeration_view enumeration;
    void (*announce)(variable&, object_key, announcement) = nullptr; // function of a bound variable

protected:
    constexpr variable(kind new_kind, category* parent, core::checked_name new_name, text new_text,
                       performance_class new_class = {}) noexcept
        : item{new_kind, new_name, new_text, new_class} {
        parent->adopt(*this);
    }
    // Constructs a variable that is in no category yet.
    constexpr variable(kind new_kind, core::checked_name new_name, text new_text) noexcept
        : item{new_kind, new_name, new_text} {}
};

// Calls `function(item&)` for each variable, event and source of the category and of its subcategories. If callers pass
// an item_visit, the compiler instantiates this template only once.
using item_visit = core::function_ref<void(item&)>;
template <class Function> void for_each_item(category& parent, const Function& function) noexcept {
    for (item* member = parent.first; member != nullptr; member = member->next) {
        if (member->item_kind == kind::category) for_each_item(static_cast<category&>(*member), function);
        else function(*member);
    }
}

// The outcome of applying a value from outside of the program. Only a `stored` value has taken effect. A `malformed`
// value is not a possible value of the variable. `storage_not_constructed` means that the library's object in which the
// value is stored is not yet constructed.
enum class apply_result : std::uint8_t {
    stored,
    malformed,
    rejected_by_library,
    is_constant,
    is_bound,
    storage_not_constructed
};

// The functions for one kind of storage. A program contains only the functions for the storage of its variables.
struct control_operations {
    result (*read)(control&, void* cell, object_key, void* value);
    // Checks a value from a tool, calls the functions of the library and stores the value.
    result (*write)(control&, void* cell, object_key, const void* value);
    // Checks and stores a value from outside of the program. Calls on_write of the library if `is_running` is true.
    apply_result (*parse)(control&, text value, bool is_running);
    bool (*parse_number)(const control&, text value, std::uint64_t& word) = nullptr; // parser of number types
    // Stores an accepted value, which is aligned numbers in the form that tools see, or a null-terminated text.
    result (*store)(control&, void* cell, object_key, const void* value, bool notifies);
    void* (*locate)(control&, object_key, std::uint32_t& generation); // returns null if the object does not exist
    std::uint32_t (*elements)(control&, object_key) = nullptr;        // null if each object has `count` elements
    object_key (*key)(const void* object_handle) = nullptr;           // null for unbound variables
    core::spare_words<2> spare{};
};

struct control : variable {
    enum : std::uint8_t { not_resolved, resolution_deferred, resolved }; // state of a call of mpit::resolve

    mpit::scope scope{};
    mpit::unit unit{};                            // unit of values from outside
    bool has_only_its_name = false;               // true if no former name, no deprecation and no adopted storage
    bool is_rejection_reported = false;           // true if a rejected environment value was reported
    core::atomic<std::uint32_t> resolving_thread; // thread that applies a value from outside, or 0
    core::atomic<std::uint8_t> resolution;        // state of an adopted variable, or of a variable with on_rejected
    bool was_storage_unconstructed = false; // true if the storage was not constructed when the environment was read
    bool has_default_value = false;         // for adopted storage: the default is declared
    bool is_default_unknown = false; // for adopted storage: a value was set from outside before the default was read
    core::atomic<std::uint32_t> applied_fingerprint; // fingerprint of the last value in adopted storage, or 0
    core::atomic<std::uint64_t> provenance_word;     // provenance; for a bound variable, of any object's value
    const char* environment = nullptr;     // list as in environment_names, the variable's name, or "" for no names
    const settings_rules* rules = nullptr; // policy of the category
    const char* former_name = nullptr;     // former name, or null
    const char* deprecation = nullptr;     // null if the variable is not deprecated
    const control_operations* operations = nullptr;
    // Lets functions of the library accept or reject a value, in the form that store() takes. May be null.
    result (*call_functions)(control&, object_key, const void* value, bool notifies) = nullptr;
    // The offsets of the value, the initial value and the range in the object of the variable. Unlike addresses,
    // offsets need no relocations. The initial value and the range (minimum, then maximum) are in the form that tools
    // see. An offset of 0 means that the variable has no initial value or range.
    std::uint32_t storage_offset = 0, initial_offset = 0, range_offset = 0;
    number_codec codec; // codec of number types
    // True for adopted storage (its address is at storage_offset), to which the library assigns without a call of mpit.
    bool is_adopted = false;
    bool is_one_number = false; // one atomic number, stored in the form that tools see
    bool has_limits = false;    // true if the range excludes numbers of the type
    // True if a text from outside of the program may be longer than the text that tools can see.
    bool accepts_any_length = false;
    bool is_stored_by_functions = false; // true if functions of the library return and store the value
    bool accepts_values = true;          // false if no function of the library stores the value
    core::spare_words<1> spare{};

    // Returns true if the declared initial value is known.
    bool has_initial() const noexcept { return initial_offset != 0 && !is_default_unknown; }
    // Records in the provenance that the library itself has assigned a value.
    void note_assignment() noexcept {
        const provenance present{provenance_word.load()};
        if (present.word() != 0) provenance_word.store(present.assigned().word());
    }

protected:
    constexpr control(category* parent, core::checked_name new_name, text new_text) noexcept
        : variable{kind::control, parent, new_name, new_text} {}
    constexpr control(core::checked_name new_name, text new_text) noexcept
        : variable{kind::control, new_name, new_text} {}
};

// Returns the descriptor. The functions of a variable that has no cell get the descriptor instead of a cell.
template <class Descriptor>
void* locate_descriptor(Descriptor& variable, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return &variable;
}

// Determines how the value of a handle on a performance variable follows from the values of the library.
enum class behaviour : std::uint8_t {
    accumulating, // starting value plus the amounts that were added while the handle ran
    following,    // current value
    // The current state, in a word whose upper half counts changes. A tool's value lasts until the state changes.
    choosing,
    marking_high, // largest value while the handle ran
    marking_low,  // smallest value while the handle ran
    direct,       // text of the library, which all handles read and write
};

struct performance;

struct performance_operations {
    behaviour value_behaviour;
    bool real;                     // true for arithmetic on doubles
    double words_per_unit = 0;     // word of the value 1, such as 1e9 for a second; 0 if the value is the word
    bool is_in_shards = false;     // each element is an internal::sharded_sum with a cell in every shard
    std::uint8_t cells_beside = 0; // number of further cells that assign_cells() assigns after those of the elements
    void* (*locate)(performance&, object_key, std::uint32_t& generation); // returns null if the object does not exist
    std::uint64_t (*sample)(performance&, void* cell, std::uint32_t element);  // returns the current word
    void* (*level)(performance&, void* cell, std::uint32_t element) = nullptr; // marked level, for watermarks
    // Assigns cells in shards to the elements, from `first_shard_cell` on. `assign_cells` may be null.
    void (*assign_cells)(performance&, std::uint32_t first_shard_cell) = nullptr;
    object_key (*key)(const void* object_handle) = nullptr;          // null for unbound variables
    result (*read)(performance&, void* cell, void* value) = nullptr; // for behaviour::direct
    // Returns the number of elements for an object. `elements` is null if each object has `count` elements.
    std::uint32_t (*elements)(performance&, object_key) = nullptr;
    // Handles call watch() with 1 before they run, and with -1 when they no longer run. `watch` may be null.
    void (*watch)(performance&, int change) = nullptr;
    // Stores the words of `count` elements from `first` on. If `samples` is null, sample() reads each element.
    void (*samples)(performance&, void* cell, std::uint32_t first, std::uint32_t count, std::uint64_t* words) = nullptr;
    // Returns the address of the word of a variable of one element, or null if sample() does more than load the word.
    // Sets `bytes` to 8, or to 4 if only the lower half of the word is stored and the upper half is zero.
    const void* (*stored)(performance&, void* cell, std::uint32_t& bytes) = nullptr;
    // Passes the library a text of less than `count` bytes, for behaviour::direct. A reset of the variable passes an
    // empty text. `write` is null if no tool may write the variable.
    result (*write)(performance&, void* cell, const char* value) = nullptr;
    core::spare_words<2> spare{};
};

struct performance : variable {
    bool readonly = false;
    bool continuous = false;
    bool atomic = true;
    core::atomic<std::uint32_t> shard_cell{0xffffffff}; // index of the first shard cell, or 0xffffffff
    std::uint64_t starting_word = 0;                    // starting value of an accumulating variable
    const performance_operations* operations = nullptr;
    core::spare_words<1> spare;

protected:
    constexpr performance(performance_class new_class, category* parent, core::checked_name new_name,
                          text new_text) noexcept
        : variable{kind::performance, parent, new_name, new_text, new_class} {}
};

} // namespace descriptor

namespace MPIT_MODULE_LOCAL registry {

// Sets a control variable from the environment while the tree of the variable is loaded (module/load.hpp).
[[gnu::cold]] void apply_environment_at_load(descriptor::control& variable, const environment_filter& filter,
                                             process_registry* registry, pending_tree* tree) noexcept;

} // namespace registry
} // namespace mpit
