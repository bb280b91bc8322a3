// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of categories and variables, as constant data that the compiler links into trees. A tree is complete
// before any code runs; the registry reads it once, when its program or library is loaded. Models the attributes of
// MPI-5.0, 15.3.6, 15.3.7 and 15.3.9.
//
//   for (const item* member = tree.first; member; member = member->next) …
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

// A kind that refers to another comes before it: numbers are given from the last kind to the first.
enum class kind : std::uint8_t { category, control, performance, event, enumeration, source };
inline constexpr int kind_count = 6;
inline constexpr int member_kind_count = 4; // the first kinds are those of which categories have members

struct category;
struct control;

// The common part of all declarations. Descriptors are shared, because the copy that serves a tool publishes, reads and
// writes the variables of all copies. Derived classes have the spare words.
struct item {
    text name;
    text description;
    item* next = nullptr;                   // in the same category, in the order of declaration
    core::atomic<registry::record*> record; // its record in the registry, while it is published
    std::uint32_t key;                      // of the name: most names have one of their own
    kind item_kind;
    performance_class variable_class{}; // of performance variables only

    item(const item&) = delete;
    item& operator=(const item&) = delete;

protected:
    constexpr item(kind k, core::checked_name n, text d, performance_class c = {}) noexcept
        : name{n.name}, description{d}, key{n.key}, item_kind{k}, variable_class{c} {}
};

// A category with its members.
struct category : item {
    bool has_former_names = false; // of its control variables; for checks in the compiler
    bool has_rules = false;        // g++ 12 cannot compare addresses with null under -fsanitize=undefined
    std::uint32_t members = 0;     // for the same reason
    category* parent = nullptr;
    item* first = nullptr;
    item* last = nullptr;
    const settings_rules* rules = nullptr; // of its control variables
    // The root of a tree with control variables has this function, which gives one of them its value from the
    // environment. A library without control variables has none of its code.
    void (*take_at_load)(control&, const registry::environment_filter&, registry::process_registry*,
                         registry::pending_tree*) noexcept = nullptr;
    core::spare_words<1> spare;

protected:
    // g++ 12 evaluates a tree twice, and the second evaluation starts from what the first one has changed. In the first
    // one __builtin_is_constant_evaluated() is false: it ends here, before it changes anything.
    constexpr category(core::checked_name n, text d) noexcept : item{kind::category, n, d} {
        if (!__builtin_is_constant_evaluated()) end_of_a_tentative_evaluation();
    }
    constexpr category(category* in_category, core::checked_name n, text d) noexcept
        : item{kind::category, n, d},
          has_rules{in_category->has_rules},
          parent{in_category},
          rules{in_category->rules} {
        in_category->adopt(*this);
    }

public:
    // Appends a member.
    constexpr void adopt(item& member) {
        (members++ == 0 ? first : last->next) = &member;
        last = &member;
    }
    // The category that all others of the tree are in.
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

// The announcements that a bound variable gets: the life of one object, or that the library is unloaded and no reader
// is left.
enum class announcement : std::uint8_t { created, freed, unloaded };

// The common part of control variables, performance variables and events.
struct variable : item {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    datatype type{};
    std::uint32_t count = 1;
    core::enumeration_view enumeration;
    void (*announce)(variable&, object_key, announcement) = nullptr; // of bound variables

protected:
    constexpr variable(kind k, category* in_category, core::checked_name n, text d, performance_class c = {}) noexcept
        : item{k, n, d, c} {
        in_category->adopt(*this);
    }
};

// Calls `function(item&)` for everything but categories in the category and those inside of it. The shims, which do so
// at many places, pass an item_visit, so that this is compiled once.
using item_visit = core::function_ref<void(item&)>;
template <class Function> void for_each_item(category& parent, const Function& function) noexcept {
    for (item* member = parent.first; member != nullptr; member = member->next) {
        if (member->item_kind == kind::category) for_each_item(static_cast<category&>(*member), function);
        else function(*member);
    }
}

// The outcome of a value from outside the program. It comes too early where its storage is an object that is not made
// yet.
enum class apply_result : std::uint8_t { taken, no_value, refused, is_constant, is_bound, is_too_early };

// The functions of one way to keep the value of a control variable; a library has a table of each way that it uses.
// Bound variables use the key, the others ignore it. (control_value.hpp)
struct control_operations {
    result (*read)(control&, void* cell, object_key, void* value);
    // Checks a value, asks the functions of the library and stores it.
    result (*write)(control&, void* cell, object_key, const void* value);
    // A value from outside the program. Once its library is running its functions hear of it, and may refuse.
    apply_result (*parse)(control&, text value, bool is_running);
    bool (*parse_number)(const control&, text value, std::uint64_t& word) = nullptr; // of numbers
    // Stores a value that was accepted: aligned numbers as tools see them, or a text with its null.
    result (*store)(control&, void* cell, object_key, const void* value, bool notifies);
    void* (*locate)(control&, object_key, std::uint32_t& generation); // null: there is no such object
    std::uint32_t (*elements)(control&, object_key) = nullptr; // null if each object has as many as the descriptor says
    object_key (*key)(const void* object_handle) = nullptr;    // null for unbound variables
    core::spare_words<2> spare{};
};

struct control : variable {
    enum : std::uint8_t { not_resolved, resolved_later, resolved }; // by a call of mpit::resolve in its library

    mpit::scope scope{};
    mpit::unit unit{};                  // of values from outside
    bool has_one_name = false;          // it is asked for under its name alone, and there is nothing more to say of it
    bool is_rejection_reported = false; // that the value in the environment cannot be used
    core::atomic<std::uint32_t> taken_by;  // the thread that gives it a value from outside; 0 for none
    core::atomic<std::uint8_t> resolution; // of adopted ones
    bool is_environment_early = false;     // its storage was not made when the environment was read
    bool has_default_value = false;        // an adopted one: it does not keep the value of its storage as its default
    bool is_default_unknown =
        false; // of an adopted one: a source outside has given the value before anybody saw the default
    core::atomic<std::uint32_t> applied; // of adopted ones: the fingerprint of the value that was stored last, or 0
    core::atomic<std::uint64_t> provenance_word; // the word of a provenance; of bound ones, of any object's value
    const char* environment = nullptr;           // a list, as in environment_names; its name, or "" for none
    const settings_rules* rules = nullptr;       // of its category
    const char* former_name = nullptr;           // null if it has always had its name
    const char* deprecation = nullptr;           // null if it may be used
    const control_operations* operations = nullptr;
    // Asks the functions of the library whether they accept a value, in the form of store(). Null if it has none.
    result (*ask)(control&, object_key, const void* value, bool notifies) = nullptr;
    // Where the value, the initial value and the range are in the object of the variable: offsets need no relocation,
    // as addresses would. The initial value and the range (minimum, then maximum) are as tools see them; 0 for none.
    std::uint32_t storage_offset = 0, initial_offset = 0, range_offset = 0;
    number_codec codec;         // of numbers
    bool is_adopted = false;    // storage_offset has the address of storage that its library may assign without a call
    bool is_one_number = false; // one atomic number, stored as tools see it
    bool has_limits = false;    // not every number of the type is accepted
    bool takes_any_length = false; // a text: functions of the library take longer ones from outside than tools see
    bool is_passed = false;        // each value is passed to functions of the library, which keep it
    bool takes_values = true;      // false if no function of the library keeps one
    core::spare_words<1> spare{};

    // Whether the value that it was declared with is known.
    bool has_initial() const noexcept { return initial_offset != 0 && !is_default_unknown; }
    // The library has assigned a value of its own.
    void note_assignment() noexcept {
        const provenance held{provenance_word.load()};
        if (held.word() != 0) provenance_word.store(held.assigned().word());
    }

protected:
    constexpr control(category* in_category, core::checked_name n, text d) noexcept
        : variable{kind::control, in_category, n, d} {}
};

// Locates what has no cell apart from its descriptor.
template <class Descriptor> void* locate_descriptor(Descriptor& d, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return &d;
}

// How a handle on a performance variable turns what the library counts into its own value.
enum class behaviour : std::uint8_t {
    accumulating, // the starting value, and what was added since
    following,    // what the library has now
    choosing,     // the same, for a state that is one of several: the word's upper half tells one change from the next
    marking_high, // the largest seen
    marking_low,  // the smallest seen
    direct,       // a text, which is the library's own: each handle reads and writes it as a whole
};

struct performance;

struct performance_operations {
    behaviour value_behaviour;
    bool real;                 // arithmetic on doubles, not on integers
    double words_per_unit = 0; // how much of the word is 1 in the value; 0 where both are the same
    bool is_in_shards = false; // each element has a cell in every shard; the cells are internal::shard_kept
    void* (*locate)(performance&, object_key, std::uint32_t& generation);     // null: there is no such object
    std::uint64_t (*sample)(performance&, void* cell, std::uint32_t element); // the word that the library has now
    void* (*level)(performance&, void* cell,
                   std::uint32_t element) = nullptr;                        // of watermarks: the level that is marked
    void (*number)(performance&, std::uint32_t first_shard_cell) = nullptr; // null if there are none
    object_key (*key)(const void* object_handle) = nullptr;                 // null for unbound variables
    result (*read)(performance&, void* cell, void* value) = nullptr;        // of direct ones
    // How many elements an object has, when a handle is allocated; null if each has as many as the descriptor says.
    std::uint32_t (*elements)(performance&, object_key) = nullptr;
    // Called with 1 before a handle on it starts to run, with -1 when it no longer does; null if nothing depends on
    // that.
    void (*watch)(performance&, int change) = nullptr;
    // The words of `count` elements from `first` on; null if each is sampled alone.
    void (*samples)(performance&, void* cell, std::uint32_t first, std::uint32_t count, std::uint64_t* words) = nullptr;
    // Of one that has one element: the address of the word that sample() gives, where it does nothing but load it; null
    // otherwise. `bytes` becomes 4 where only the lower half is there, and the upper one is zero, and 8 otherwise.
    const void* (*stored)(performance&, void* cell, std::uint32_t& bytes) = nullptr;
    // Of direct ones: gives the library a text of fewer bytes than the descriptor says, an empty one to reset it. Null
    // if no tool may write.
    result (*write)(performance&, void* cell, const char* value) = nullptr;
    core::spare_words<2> spare{};
};

struct performance : variable {
    bool readonly = false;
    bool continuous = false;
    bool atomic = true;
    core::atomic<std::uint32_t> shard_cell{0xffffffff}; // its first one, once it has any
    std::uint64_t starting_word = 0;                    // of an accumulating variable
    const performance_operations* operations = nullptr;
    core::spare_words<1> spare;

protected:
    constexpr performance(performance_class c, category* in_category, core::checked_name n, text d) noexcept
        : variable{kind::performance, in_category, n, d, c} {}
};

} // namespace descriptor

namespace MPIT_MODULE_LOCAL registry {

// Gives a control variable of a tree that is being loaded its value from the environment. (module/load.hpp)
[[gnu::cold]] void take_at_load(descriptor::control& variable, const environment_filter& filter,
                                process_registry* registry, pending_tree* tree) noexcept;

} // namespace registry
} // namespace mpit
