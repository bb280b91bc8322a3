// SPDX-License-Identifier: BSD-3-Clause
// A control variable of one value that is described at run time: the settings in a checked form, and the operations of
// handles. No compiler checks these settings: is_possible() does.
//
//   auto* made = tree.make<dynamic_control<int>>(inside, name, description, settings);
#pragma once

#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The common part of control variables of all types. A variable that no tool can write has a scope that says so.
template <class Settings> bool is_possible_control(const Settings& chosen, text description) noexcept {
    const bool refuses_all = chosen.read != nullptr && chosen.on_write == nullptr;
    const bool needs_description = chosen.scope >= scope::group;
    return static_cast<int>(chosen.scope) < scope_count && static_cast<int>(chosen.verbosity) < verbosity_count &&
           (!refuses_all || chosen.scope <= scope::readonly) && (!needs_description || description.length != 0) &&
           (chosen.storage == nullptr || chosen.read == nullptr);
}

// The texts of a variable besides its name, in memory of its group. No environment variable is called "".
struct dynamic_texts {
    text name, description, environment, renamed_from, deprecated;
    std::uint32_t key = 0; // of the name, once it is checked

    template <class Settings>
    dynamic_texts(text called, text meaning, const Settings& chosen) noexcept
        : name{called},
          description{meaning},
          environment{chosen.environment.names},
          renamed_from{text_of(chosen.renamed_from)},
          deprecated{text_of(chosen.deprecated)} {}

    static bool is_possible_list(text list) noexcept {
        return list.length == 0 || descriptor::defect_of_names(list, false) == descriptor::list_defect::none;
    }
    bool are_possible() noexcept {
        const core::name_scan seen = core::scan(name);
        key = seen.key;
        return core::is_possible_name(name, seen) && is_possible_list(environment) &&
               (renamed_from.length == 0 || (core::is_possible_name(renamed_from) && !core::equal(renamed_from, name)));
    }
    core::checked_name checked() const noexcept { return {name, key}; }
    // Copies in memory of the round; false without memory.
    template <class Memory> bool keep(Memory& memory) noexcept {
        name = memory.keep(name);
        description = memory.keep(description);
        environment = memory.keep_for_round(environment);
        renamed_from = memory.keep_for_round(renamed_from);
        deprecated = memory.keep_for_round(deprecated);
        return name.characters != nullptr && description.characters != nullptr && environment.characters != nullptr &&
               renamed_from.characters != nullptr && deprecated.characters != nullptr;
    }
};

// Where a value is: in memory, from the start; in the hands of a function, which tells it and may store another one.
enum class value_location : std::uint8_t { kept, passed, passed_and_stored };

template <class Settings> value_location value_location_of(const Settings& chosen) noexcept {
    if (chosen.read == nullptr) return value_location::kept;
    return chosen.on_write == nullptr ? value_location::passed : value_location::passed_and_stored;
}
// The one of three tables that fits; `Tables::table<where>` are they.
template <class Tables> const descriptor::control_operations* table_of(value_location where) noexcept {
    switch (where) {
    case value_location::passed: return &Tables::template table<value_location::passed>;
    case value_location::passed_and_stored: return &Tables::template table<value_location::passed_and_stored>;
    default: return &Tables::template table<value_location::kept>;
    }
}

template <class Settings>
void apply_dynamic_settings(descriptor::control& variable, const descriptor::category& inside,
                            const dynamic_texts& texts, const Settings& chosen) noexcept {
    const bool has_names = chosen.environment.are_none || texts.environment.length != 0;
    variable.rules = inside.rules;
    if (inside.rules->tells_library()) variable.resolution.store(descriptor::control::resolved);
    variable.environment = !has_names && inside.has_rules                    ? inside.rules->environment
                           : core::equal(texts.environment, variable.name) ? variable.name.characters
                                                                             : texts.environment.characters;
    variable.former_name = texts.renamed_from.length != 0 ? texts.renamed_from.characters : nullptr;
    variable.deprecation = texts.deprecated.length != 0 ? texts.deprecated.characters : nullptr;
    variable.scope = chosen.scope;
    variable.verbosity = chosen.verbosity;
}

template <class T, class Storage = T> class dynamic_control : public descriptor::control {
    using seen = typename seen_number<T>::type;

public:
    using settings = dynamic_settings<T, Storage>;

    // Texts, items and settings are checked, and the texts and items stay where they are. room_for() bytes are behind this object.
    dynamic_control(descriptor::category* in_category, const dynamic_texts& texts, const core::enumeration_view& items,
                    const settings& chosen) noexcept
        : control{in_category, texts.checked(), texts.description},
          minimum_{chosen.minimum},
          maximum_{chosen.maximum},
          read_{chosen.read},
          valid_{chosen.valid},
          on_write_{chosen.on_write},
          data_{chosen.data},
          initial_{chosen.default_value.is_there ? chosen.default_value.value : chosen.initial},
          kept_{static_cast<Storage>(chosen.initial)},
          cell_{chosen.storage != nullptr ? chosen.storage : &kept_} {
        if constexpr (core::number<T>) type = core::value_type<T>::type;
        else type = datatype::int_type;
        enumeration = items;
        unit = chosen.unit;
        has_default_value = chosen.default_value.is_there;
        operations = operations_for(value_location_of(chosen));
        apply_dynamic_settings(*this, *in_category, texts, chosen);
    }
    // The bytes behind this object that are its own.
    static std::size_t room_for(const settings& chosen) noexcept {
        return value_location_of(chosen) == value_location::kept ? 0 : sizeof(descriptor::control_operations);
    }
    static core::enumeration_view items_of_type() noexcept { return core::enumeration_view_of<T>(); }
    static bool is_possible(const settings& chosen, text description, const core::enumeration_view& items) noexcept {
        const seen initial = static_cast<seen>(chosen.initial);
        const bool is_kept = chosen.storage == nullptr && chosen.read == nullptr;
        if (chosen.storage != nullptr && !has_item(static_cast<seen>(adopted_cell<T, Storage>{chosen.storage}.get()), items)) return false;
        if (chosen.default_value.is_there &&
            (chosen.storage == nullptr ||
             !accepts(static_cast<seen>(chosen.default_value.value), chosen.minimum, chosen.maximum, items)))
            return false;
        return is_possible_control(chosen, description) && chosen.minimum <= chosen.maximum &&
               (!is_kept || accepts(initial, chosen.minimum, chosen.maximum, items)) &&
               (items.count == 0 || type_has_items);
    }

private:
    static constexpr bool type_has_items = __is_same(T, int) || core::enumerated<T>;

    static dynamic_control& self(descriptor::control& d) noexcept { return static_cast<dynamic_control&>(d); }
    static bool has_item(seen value, const core::enumeration_view& items) noexcept {
        if constexpr (type_has_items) return items.count == 0 || items.has(value);
        else return true;
    }
    static bool accepts(seen value, seen low, seen high, const core::enumeration_view& items) noexcept {
        if (!has_item(value, items)) return false;
        return value >= low && value <= high; // not a number is neither
    }

    T present() const { return read_ != nullptr ? read_(data_) : cell_.get(); }
    static void put(T number, void* buffer) noexcept {
        const seen value = static_cast<seen>(number);
        std::memcpy(buffer, &value, sizeof value);
    }
    static result read(descriptor::control& d, void*, object_key, void* buffer) {
        put(self(d).present(), buffer);
        return result::success;
    }
    static result write(descriptor::control& d, void*, object_key, const void* buffer) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        seen value{};
        std::memcpy(&value, buffer, sizeof value);
        return self(d).take(value, true);
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        dynamic_control& variable = self(d);
        seen value{};
        bool is_value = false;
        if constexpr (type_has_items)
            is_value = d.enumeration.count != 0 ? core::parse(written, d.enumeration, value)
                                                : core::parse(written, value, d.unit);
        else is_value = core::parse(written, value, d.unit);
        if (!is_value || !accepts(value, variable.minimum_, variable.maximum_, d.enumeration))
            return descriptor::apply_result::no_value;
        return variable.take(value, is_running || variable.read_ != nullptr) == result::success
                   ? descriptor::apply_result::taken
                   : descriptor::apply_result::refused;
    }
    result take(seen value, bool notifies) noexcept {
        if (!accepts(value, minimum_, maximum_, enumeration)) return result::invalid;
        const T wanted = static_cast<T>(value);
        if (valid_ != nullptr && !valid_(wanted, data_)) return result::invalid;
        if (read_ != nullptr && on_write_ == nullptr) return result::cannot_set_ever;
        if (notifies && on_write_ != nullptr) {
            const result answer = result_of(on_write_(wanted, data_));
            if (answer != result::success) return answer;
        }
        if (read_ == nullptr) cell_ = wanted;
        return result::success;
    }
    static void range(descriptor::control& d, void* low, void* high) {
        std::memcpy(low, &self(d).minimum_, sizeof(seen));
        std::memcpy(high, &self(d).maximum_, sizeof(seen));
    }
    static const void* number(descriptor::control& d) { return self(d).cell_.address(); }
    static void put_initial(descriptor::control& d, void* buffer) { put(self(d).initial_, buffer); }
    static void keep_initial(descriptor::control& d) { self(d).initial_ = self(d).present(); }
    static constexpr descriptor::control_operations table{
        .read = &read,
        .write = &write,
        .parse = &parse,
        .locate = &descriptor::locate_descriptor,
        .elements = &descriptor::one_element,
        .key = nullptr,
        .range = &range,
        .initial = &put_initial,
        .keep_initial = &keep_initial,
        .takes_values = true,
        .number = !__is_same(T, bool) && sizeof(Storage) == sizeof(seen) ? &number : nullptr,
    };
    // The initial value of one with a function is unknown: only tools may call it. The table is behind this object, because constant
    // ones for all types would be relocated in each process.
    const descriptor::control_operations* operations_for(value_location where) noexcept {
        if (where == value_location::kept) return &table;
        auto* const own = new (core::place{this + 1}) descriptor::control_operations{table};
        own->initial = nullptr;
        own->keep_initial = nullptr;
        own->number = nullptr;
        own->takes_values = where != value_location::passed;
        return own;
    }

    seen minimum_, maximum_;
    T (*read_)(void*);
    bool (*valid_)(const T&, void*);
    reply (*on_write_)(const T&, void*);
    void* data_;
    T initial_; // its value at load
    Storage kept_;
    adopted_cell<T, Storage> cell_; // what is kept here, or the storage
};

} // namespace internal
} // namespace mpit
