// SPDX-License-Identifier: BSD-3-Clause
// The description of a control variable at run time: one struct for all types. mpit::dynamic fills it from its
// settings, which have types, a row of C without any; described_control is made of it.
//
//   control_description from;   from.storage = &limit;   from.codec = descriptor::codec_of<int>();   …
#pragma once

#include <mpit/descriptor/control_value.hpp>
#include <mpit/descriptor/object_key.hpp>
#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;

// A function of the library, which a thunk casts back to exactly its type.
using any_function = void (*)();

// The functions of the library, behind thunks that know their types. A variable without any has none of this.
struct value_functions {
    void* data = nullptr;
    any_function valid = nullptr;
    any_function on_write = nullptr;
    any_function source = nullptr; // returns the value, or finds an object
    std::size_t offset = 0;        // of a row of C: where the value is in each object
    void (*read)(const value_functions&, void* value,
                 std::uint32_t room) = nullptr;                           // of a value that `source` returns
    void* (*locate)(const value_functions&, object_key handle) = nullptr; // of a value in each object

    // Not the implicit one: the compilers store member by member then, which is shorter than a loop of zeros over all
    // of a description.
    value_functions() noexcept {}
};

// The description of a control variable, whose texts are those of its author.
struct control_description {
    descriptor::number_codec codec; // of numbers
    bool is_text = false;
    bool is_list = false;                                // of numbers, perhaps of one: separated by commas, with blanks
    bool any_length = false;                             // of a text
    bool has_limits = false;                             // not each number of the type is accepted
    void* storage = nullptr;                             // null: the variable keeps the value itself
    std::uint64_t minimum = 0, maximum = 0, initial = 0; // words of numbers
    value_functions functions;
    // As descriptor::control has it.
    result (*ask)(descriptor::control&, object_key handle, const void* value, bool notifies) = nullptr;
    std::uint32_t count = 1; // of numbers; of a text the bytes with its null, 0 for too many
    mpit::unit unit{};
    dynamic_items items{};
    core::enumeration_view items_of_type; // if there are no others
    text initial_text, default_text;
    bool has_default = false;
    dynamic_binding bound{};
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;

    [[gnu::noinline]] control_description() noexcept {} // once, for all of its sites
    bool is_kept() const noexcept { return storage == nullptr && functions.source == nullptr; }
    bool has_functions() const noexcept { return ask != nullptr || functions.source != nullptr; }
    bool has_initial() const noexcept { return is_kept() || has_default; }
};

// The texts of a variable, in memory of its group.
struct described_texts {
    text name, description;
    std::uint32_t key = 0; // of the name, once it is checked

    described_texts(text name_of_variable, text words) noexcept : name{name_of_variable}, description{words} {}
    bool are_possible() noexcept {
        const core::name_scan seen = core::scan(name);
        key = seen.key;
        return core::is_possible_name(name, seen);
    }
    core::checked_name checked() const noexcept { return {name, key}; }
    // Copies in memory of the round; false without memory.
    template <class Memory> bool keep(Memory& memory) noexcept {
        name = memory.keep(name);
        description = memory.keep(description);
        return name.characters != nullptr && description.characters != nullptr;
    }
};

// Those of a control variable. No environment variable is called "".
struct control_texts : described_texts {
    text environment, renamed_from, deprecated;

    control_texts(text name_of_variable, text words, const control_description& from) noexcept
        : described_texts{name_of_variable, words},
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
    template <class Memory> bool keep(Memory& memory) noexcept {
        environment = memory.keep_for_round(environment);
        renamed_from = memory.keep_for_round(renamed_from);
        deprecated = memory.keep_for_round(deprecated);
        return described_texts::keep(memory) && environment.characters != nullptr &&
               renamed_from.characters != nullptr && deprecated.characters != nullptr;
    }
};

} // namespace internal
} // namespace mpit
