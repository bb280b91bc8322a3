// SPDX-License-Identifier: BSD-3-Clause
// The description of a control variable at run time: one struct for all types. mpit::dynamic fills it from typed
// settings, mpit::declare from a row of a C table; described_control is made from it.
//
//   control_description from;   from.storage = &limit;   from.codec = descriptor::codec_of<int>();   ...
#pragma once

#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;

// A function of the library. A thunk casts it back to exactly its type.
using any_function = void (*)();

// The functions of the library, with thunks that call them. Only a variable with functions has this struct.
struct value_functions {
    void* data = nullptr;
    any_function valid = nullptr;
    any_function on_write = nullptr;
    any_function source = nullptr; // returns the value, or finds an object
    std::size_t offset = 0;        // for a row of C: of the value in each object, in bytes
    void (*read)(const value_functions&, void* value, std::uint32_t room) = nullptr; // thunk of a `source` of values
    void* (*locate)(const value_functions&, object_key handle) = nullptr;            // thunk of a `source` of objects

    // User-provided: then compilers store each member, which is shorter than a loop of zeros over all of a description.
    value_functions() noexcept {}
};

// The description of a control variable. It refers to the texts of its author.
struct control_description {
    descriptor::number_codec codec; // of numbers
    bool is_text = false;
    bool is_list = false;    // numbers, possibly a single one: separated by commas, with or without blanks
    bool any_length = false; // of a text
    bool has_limits = false; // some numbers of the type are refused
    void* storage = nullptr; // null: the variable stores the value itself
    std::uint64_t minimum = 0, maximum = 0, initial = 0; // numbers as words
    value_functions functions;
    // Validates a value, and passes it to `on_write` if `notifies`; as descriptor::control::ask.
    result (*call_functions)(descriptor::control&, object_key handle, const void* value, bool notifies) = nullptr;
    std::uint32_t count = 1; // of numbers; of bytes in a text with its null, 0 for too many
    mpit::unit unit{};
    dynamic_items items{};
    core::enumeration_view items_of_type; // used if `items` is empty
    text initial_text, default_text;
    bool has_default = false;
    dynamic_binding bound{};
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;

    [[gnu::noinline]] control_description() noexcept {} // one copy of the code, for all descriptions
    bool has_own_value() const noexcept { return storage == nullptr && functions.source == nullptr; }
    bool has_functions() const noexcept { return call_functions != nullptr || functions.source != nullptr; }
    bool has_initial() const noexcept { return has_own_value() || has_default; }
};

// The texts of a variable.
struct described_texts {
    text name, description;
    std::uint32_t key = 0; // of the name, set by are_possible()

    described_texts(text variable_name, text variable_description) noexcept
        : name{variable_name}, description{variable_description} {}
    bool are_possible() noexcept {
        const core::name_scan scan = core::scan(name);
        key = scan.key;
        return core::is_possible_name(name, scan);
    }
    core::checked_name checked() const noexcept { return {name, key}; }
    // Replaces the texts by copies in the memory. Returns false if memory is exhausted.
    template <class Memory> bool copy_to(Memory& memory) noexcept {
        name = memory.copy(name);
        description = memory.copy(description);
        return name.characters != nullptr && description.characters != nullptr;
    }
};

// The texts of a control variable. An empty `environment` has no names.
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
