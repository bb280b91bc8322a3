// SPDX-License-Identifier: BSD-3-Clause
// The description of a control variable that is added at run time. One struct describes variables of all types.
// mpit::dynamic makes a description from typed settings, and mpit::declare makes a description from a row of a C table.
// The constructor of described_control reads the description.
//
//   control_description from;   from.storage = &limit;   from.codec = descriptor::codec_of<int>();   ...
#pragma once

#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;

// A pointer to an author's function of any type. A thunk casts the pointer back to the function's type before a call.
using any_function = void (*)();

// The author's functions of a control variable, and the thunks that call these functions.
struct value_functions {
    void* data = nullptr;
    any_function valid = nullptr;
    any_function on_write = nullptr;
    any_function source = nullptr; // returns the value, or the address of the value in an object
    // Offset of the value in each MPI object's struct, in bytes, for a row of MPIT_ROW_IN_OBJECT.
    std::size_t offset = 0;
    void (*read)(const value_functions&, void* value, std::uint32_t room) = nullptr; // calls `source` to get the value
    void* (*locate)(const value_functions&, object_key handle) = nullptr;            // calls `source` to find the value

    // Without this user-provided constructor, compilers would zero a whole control_description in a longer loop.
    value_functions() noexcept {}
};

// The description of a control variable. The texts are not copied, and belong to the author of the variable.
struct control_description {
    descriptor::number_codec codec; // codec of a number
    bool is_text = false;
    bool is_list = false;                                // true for numbers with commas between them
    bool any_length = false;                             // true for a text without a limit of length
    bool has_limits = false;                             // true if some numbers of the type are rejected
    void* storage = nullptr;                             // null if the variable itself stores the value
    std::uint64_t minimum = 0, maximum = 0, initial = 0; // numbers as words
    value_functions functions;
    // Calls `valid` with a value, and also `on_write` if `notifies`. Copied to descriptor::control::call_functions.
    result (*call_functions)(descriptor::control&, object_key handle, const void* value, bool notifies) = nullptr;
    std::uint32_t count = 1; // count of numbers, or bytes of a text with its null; 0 for too many
    mpit::unit unit{};
    dynamic_items items{};
    core::enumeration_view items_of_type; // items of the C++ enumeration, used if `items` is empty
    text initial_text, default_text;
    bool has_default = false;
    dynamic_binding bound{};
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;

    [[gnu::noinline]] control_description() noexcept {} // not inline, for one copy of the code
    bool has_own_value() const noexcept { return storage == nullptr && functions.source == nullptr; }
    bool has_functions() const noexcept { return call_functions != nullptr || functions.source != nullptr; }
    bool has_initial() const noexcept { return has_own_value() || has_default; }
};

// The name and the description of a variable.
struct described_texts {
    text name, description;
    std::uint32_t key = 0; // hash of the name, set by are_possible()

    described_texts(text variable_name, text variable_description) noexcept
        : name{variable_name}, description{variable_description} {}
    bool are_possible() noexcept {
        const core::name_scan scan = core::scan(name);
        key = scan.key;
        return core::is_possible_name(name, scan);
    }
    core::checked_name checked() const noexcept { return {name, key}; }
    // Replaces the name and the description by copies in `memory`. Returns false if memory is exhausted.
    template <class Memory> bool copy_to(Memory& memory) noexcept {
        name = memory.copy(name);
        description = memory.copy(description);
        return name.characters != nullptr && description.characters != nullptr;
    }
};

// The texts of a control variable. If `environment` is empty, no environment variable sets the control variable.
struct control_texts : described_texts {
    text environment, renamed_from, deprecated;

    control_texts(text variable_name, text variable_description, const control_description& from) noexcept
        : described_texts{variable_name, variable_description},
          environment{from.environment.names},
          renamed_from{text_of(from.renamed_from)},
          deprecated{text_of(from.deprecated)} {}

    static bool is_possible_list(text list) noexcept {
        return list.length == 0 || descriptor::defect_of_names(list, false) == descriptor::list_defect::none;
    }
    bool are_possible() noexcept {
        return described_texts::are_possible() && is_possible_list(environment) &&
               (renamed_from.length == 0 || (core::is_possible_name(renamed_from) && !core::equal(renamed_from, name)));
    }
    template <class Memory> bool copy_to(Memory& memory) noexcept {
        environment = memory.copy_until_release(environment);
        renamed_from = memory.copy_until_release(renamed_from);
        deprecated = memory.copy_until_release(deprecated);
        return described_texts::copy_to(memory) && environment.characters != nullptr &&
               renamed_from.characters != nullptr && deprecated.characters != nullptr;
    }
};

} // namespace internal
} // namespace mpit
