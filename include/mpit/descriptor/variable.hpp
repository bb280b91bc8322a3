// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of categories and variables, as constant data that the compiler links into trees. A tree is complete
// before any code runs; the registry reads it once, when its program or library is loaded. Models the attributes of
// MPI-5.0, 15.3.6, 15.3.7 and 15.3.9.
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

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

struct record;
class process_registry;
class environment_filter;
struct pending_tree;

} // namespace registry

namespace MPIT_MODULE_LOCAL descriptor {

using core::text;

// The value of the handle of an MPI object: an address in some implementations, a number in others.
using object_key = std::uint64_t;

// Indices are assigned from the last kind to the first: a kind precedes the kinds to which it refers.
enum class kind : std::uint8_t { category, control, performance, event, enumeration, source };
inline constexpr int kind_count = 6;
inline constexpr int member_kind_count = 4; // the first kinds, of which categories have members

struct category;
struct control;

// The descriptor of any declaration. Descriptors are shared between copies of these headers, because the copy that
// serves a tool publishes, reads and writes the variables of all copies. Derived classes have the spare words.
struct item {
    text name;
    text description;
    item* next = nullptr;                   // in the same category, in the order of declaration
    core::atomic<registry::record*> record; // of the registry, while the item is published
    std::uint32_t key;                      // a hash of the name, which few names share
    kind item_kind;
    performance_class variable_class{}; // of performance variables only

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

// A category with its members.
struct category : item {
    bool has_former_names = false; // of control variables in it, for check_names()
    bool has_rules = false;        // g++ 12 cannot compare `rules` with null under -fsanitize=undefined
    std::uint32_t members = 0;     // their number, because g++ 12 cannot compare `first` with null either
    category* parent = nullptr;
    item* first = nullptr;
    item* last = nullptr;
    const settings_rules* rules = nullptr; // of control variables in it
    // In the root of a tree with control variables: sets one from the environment. Other libraries lack its code.
    void (*apply_environment_at_load)(control&, const registry::environment_filter&, registry::process_registry*,
                                      registry::pending_tree*) noexcept = nullptr;
    core::spare_words<1> spare;

protected:
    // g++ 12 evaluates a tree twice, and the second evaluation would start from the changes of the first one, in which
    // __builtin_is_constant_evaluated() is false. A call that is not constexpr ends the first one before any change.
    constexpr category(core::checked_name new_name, text new_text) noexcept : item{kind::category, new_name, new_text} {
        if (!__builtin_is_constant_evaluated()) end_of_a_tentative_evaluation();
    }
    constexpr category(category* outer, core::checked_name new_name, text new_text) noexcept
        : item{kind::category, new_name, new_text}, has_rules{outer->has_rules}, parent{outer}, rules{outer->rules} {
        outer->adopt(*this);
    }

public:
    // Appends a member.
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

// The announcements to a bound variable: an object was created or freed, or its library is unloaded and has no readers.
enum class announcement : std::uint8_t { created, freed, unloaded };

// The descriptor of a control variable, a performance variable or an event.
struct variable : item {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    datatype type{};
    std::uint32_t count = 1;
    core::enumeration_view enumeration;
    void (*announce)(variable&, object_key, announcement) = nullptr; // of bound variables

protected:
    constexpr variable(kind new_kind, category* parent, core::checked_name new_name, text new_text,
                       performance_class new_class = {}) noexcept
        : item{new_kind, new_name, new_text, new_class} {
        parent->adopt(*this);
    }
};

// Calls `function(item&)` for each member of the category and of the categories inside of it, except categories. The
// shims, which do so at many places, pass an item_visit, so that this is compiled once.
using item_visit = core::function_ref<void(item&)>;
template <class Function> void for_each_item(category& parent, const Function& function) noexcept {
    for (item* member = parent.first; member != nullptr; member = member->next) {
        if (member->item_kind == kind::category) for_each_item(static_cast<category&>(*member), function);
        else function(*member);
    }
}

// The outcome of a value from outside of the program: stored (taken), not a value of the variable (no_value), refused
// by a function of the library, for a constant or bound variable, or too early for storage without a constructed
// object.
enum class apply_result : std::uint8_t {
    stored,
    malformed,
    rejected_by_library,
    is_constant,
    is_bound,
    storage_not_constructed
};

// The functions of one storage kind, of which a library contains those that it uses. Only bound variables use the key.
struct control_operations {
    result (*read)(control&, void* cell, object_key, void* value);
    // Checks a value, calls call_functions() and stores the value.
    result (*write)(control&, void* cell, object_key, const void* value);
    // Checks, and stores, a value from outside of the program. While the library runs, its functions get it, too.
    apply_result (*parse)(control&, text value, bool is_running);
    bool (*parse_number)(const control&, text value, std::uint64_t& word) = nullptr; // of numbers
    // Stores a value that was accepted: aligned numbers in the form that tools see, or a text with its null.
    result (*store)(control&, void* cell, object_key, const void* value, bool notifies);
    void* (*locate)(control&, object_key, std::uint32_t& generation); // returns null if the object does not exist
    std::uint32_t (*elements)(control&, object_key) = nullptr;        // null: each object has `count`
    object_key (*key)(const void* object_handle) = nullptr;           // null for unbound variables
    core::spare_words<2> spare{};
};

struct control : variable {
    enum : std::uint8_t { not_resolved, resolution_deferred, resolved }; // by a call of mpit::resolve in its library

    mpit::scope scope{};
    mpit::unit unit{};              // of values from outside
    bool has_only_its_name = false; // only its name is in the environment: no former name, not deprecated, not adopted
    bool is_rejection_reported = false;           // of its value in the environment
    core::atomic<std::uint32_t> resolving_thread; // the thread that applies a value from outside; 0 for none
    core::atomic<std::uint8_t> resolution;        // if it is adopted, or its library gets rejected values
    bool was_storage_unconstructed = false;       // its storage was not constructed when the environment was read
    bool has_default_value = false;  // if it is adopted: the default is declared, not the value of its storage
    bool is_default_unknown = false; // if it is adopted: it was set from outside before the default was read
    core::atomic<std::uint32_t> applied_fingerprint; // if it is adopted: of the value that was stored last, or 0
    core::atomic<std::uint64_t> provenance_word;     // of the value; if it is bound, of the value of any object
    const char* environment = nullptr;               // a list, as in environment_names; its name, or "" for none
    const settings_rules* rules = nullptr;           // the policy of its category
    const char* former_name = nullptr;               // or null
    const char* deprecation = nullptr;               // null if it is not deprecated
    const control_operations* operations = nullptr;
    // Calls the functions of the library, which accept or refuse a value in the form of store(). Null if it has none.
    result (*call_functions)(control&, object_key, const void* value, bool notifies) = nullptr;
    // The offsets of the value, the initial value and the range in the object of the variable; addresses would need
    // relocations. The initial value and the range (minimum, then maximum) are in the form that tools see; 0 for none.
    std::uint32_t storage_offset = 0, initial_offset = 0, range_offset = 0;
    number_codec codec;         // of numbers
    bool is_adopted = false;    // at storage_offset is the address of storage, which its library assigns without a call
    bool is_one_number = false; // one atomic number, stored in the form that tools see
    bool has_limits = false;    // the range excludes numbers of the type
    bool accepts_any_length = false; // a text: functions of the library accept longer ones from outside than tools see
    bool is_stored_by_functions = false; // functions of the library return and store the value
    bool accepts_values = true;          // false if no function of the library stores it
    core::spare_words<1> spare{};

    // Returns true if the declared value is known.
    bool has_initial() const noexcept { return initial_offset != 0 && !is_default_unknown; }
    // Called when the library assigns a value of its own.
    void note_assignment() noexcept {
        const provenance present{provenance_word.load()};
        if (present.word() != 0) provenance_word.store(present.assigned().word());
    }

protected:
    constexpr control(category* parent, core::checked_name new_name, text new_text) noexcept
        : variable{kind::control, parent, new_name, new_text} {}
};

// Locates a variable without a cell, whose functions get the descriptor instead.
template <class Descriptor>
void* locate_descriptor(Descriptor& variable, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return &variable;
}

// The value of a handle on a performance variable, as a function of the values of the library.
enum class behaviour : std::uint8_t {
    accumulating, // the starting value, and what was added while the handle ran
    following,    // the present value
    choosing,     // the present state, with a count of changes in the upper half: a written value lasts until one
    marking_high, // the largest value while the handle ran
    marking_low,  // the smallest value while the handle ran
    direct,       // a text of the library, which all handles read and write
};

struct performance;

struct performance_operations {
    behaviour value_behaviour;
    bool real;                 // arithmetic on doubles, not on integers
    double words_per_unit = 0; // the word of the value 1, as 1e9 nanoseconds for a second; 0 if the value is the word
    bool is_in_shards = false; // each element is an internal::sharded_sum, with a cell in every shard
    void* (*locate)(performance&, object_key, std::uint32_t& generation); // returns null if the object does not exist
    std::uint64_t (*sample)(performance&, void* cell, std::uint32_t element);  // returns the present word
    void* (*level)(performance&, void* cell, std::uint32_t element) = nullptr; // of watermarks: the marked level
    // Assigns cells in shards, from the first one on, to the elements; null if the variable is not in shards.
    void (*assign_cells)(performance&, std::uint32_t first_shard_cell) = nullptr;
    object_key (*key)(const void* object_handle) = nullptr;          // null for unbound variables
    result (*read)(performance&, void* cell, void* value) = nullptr; // of direct variables
    // Returns the number of elements of an object, when a handle is allocated; null: each object has `count`.
    std::uint32_t (*elements)(performance&, object_key) = nullptr;
    // Called with 1 before a handle starts to run, and with -1 when it no longer runs; or null.
    void (*watch)(performance&, int change) = nullptr;
    // Stores the words of `count` elements from `first` on; null if each element is sampled alone.
    void (*samples)(performance&, void* cell, std::uint32_t first, std::uint32_t count, std::uint64_t* words) = nullptr;
    // For a variable of one element: returns the address of the word if sample() only loads it, else null. `bytes`
    // becomes 8, or 4 if only the lower half is stored and the upper half is zero.
    const void* (*stored)(performance&, void* cell, std::uint32_t& bytes) = nullptr;
    // Of direct variables: passes the library a text below `count` bytes, empty for a reset. Null if no tool may write.
    result (*write)(performance&, void* cell, const char* value) = nullptr;
    core::spare_words<2> spare{};
};

struct performance : variable {
    bool readonly = false;
    bool continuous = false;
    bool atomic = true;
    core::atomic<std::uint32_t> shard_cell{0xffffffff}; // the first of its cells in shards; 0xffffffff without any
    std::uint64_t starting_word = 0;                    // of an accumulating variable
    const performance_operations* operations = nullptr;
    core::spare_words<1> spare;

protected:
    constexpr performance(performance_class new_class, category* parent, core::checked_name new_name,
                          text new_text) noexcept
        : variable{kind::performance, parent, new_name, new_text, new_class} {}
};

} // namespace descriptor

namespace MPIT_MODULE_LOCAL registry {

// Sets a control variable from the environment while its tree is loaded. (module/load.hpp)
[[gnu::cold]] void apply_environment_at_load(descriptor::control& variable, const environment_filter& filter,
                                             process_registry* registry, pending_tree* tree) noexcept;

} // namespace registry
} // namespace mpit
