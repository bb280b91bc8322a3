// SPDX-License-Identifier: BSD-3-Clause
// A control variable of MPI objects that is described at run time: each object has a value of its own, which a function of the
// library finds from the handle (MPI-5.0, 15.3.2).
//
//   group.bound_control<int>("COMM_LIMIT", "Largest message, in bytes",
//                            {.locate = &limit_of, .bound = {mpit::binding::communicator, sizeof(MPI_Comm)}});
#pragma once

#include <mpit/descriptor/object_key.hpp>
#include <mpit/dynamic/control.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Settings of a control variable of MPI objects. `locate` returns the address of the value in the object with this handle, of `count`
// numbers that follow each other if that is more than one, or null if there is no such object; it is called by any thread and in signal
// handlers. `bound` names the kind of object and the size of a handle, and has no `elements`. Nothing outside the program sets such a
// variable. `on_write` gets the handle and the values that a tool writes, and may refuse them. The others are those of dynamic_settings.
template <class T, class Storage = T> struct dynamic_bound_settings {
    using seen = internal::seen_number<T>;
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    Storage* (*locate)(std::uint64_t handle, void* data) = nullptr;
    dynamic_binding bound{};
    std::uint32_t count = 1; // at most 512; of a bool or an enumeration 1
    typename seen::type minimum = seen::lowest;
    typename seen::type maximum = seen::highest;
    mpit::unit unit{};
    reply (*on_write)(std::uint64_t handle, const T* values, void* data) = nullptr;
    void* data = nullptr;
    dynamic_items items{};
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

namespace MPIT_MODULE_LOCAL internal {

template <class T, class Storage = T> class dynamic_bound_control : public descriptor::control {
    using seen = typename seen_number<T>::type;
    static constexpr bool type_has_items = __is_same(T, int) || core::enumerated<T>;
    static constexpr std::uint32_t most = 512;

public:
    using settings = dynamic_bound_settings<T, Storage>;

    // Texts, items and settings are checked, and the texts and items stay where they are.
    dynamic_bound_control(descriptor::category* in_category, const dynamic_texts& texts, const core::enumeration_view& items,
                          const settings& chosen) noexcept
        : control{in_category, texts.checked(), texts.description}, chosen_{chosen} {
        if constexpr (core::number<T>) type = core::value_type<T>::type;
        else type = datatype::int_type;
        enumeration = items;
        unit = chosen.unit;
        count = chosen.count;
        binding = chosen.bound.kind;
        own_operations_.read = &read;
        own_operations_.write = &write;
        own_operations_.parse = &parse;
        own_operations_.locate = &locate;
        own_operations_.elements = &descriptor::count_elements;
        own_operations_.key = chosen.bound.handle_size == 4 ? &descriptor::key_at<std::uint32_t> : &descriptor::key_at<std::uint64_t>;
        operations = &own_operations_;
        apply_dynamic_settings(*this, *in_category, texts, chosen);
    }
    static std::size_t room_for(const settings&) noexcept { return 0; }
    static core::enumeration_view items_of_type() noexcept { return core::enumeration_view_of<T>(); }
    static bool is_possible(const settings& chosen, text description, const core::enumeration_view& items) noexcept {
        return chosen.locate != nullptr && is_possible_binding(chosen.bound.kind, chosen.bound.handle_size) && chosen.bound.elements == nullptr &&
               chosen.count != 0 && chosen.count <= (core::number<T> ? most : 1) && chosen.minimum <= chosen.maximum &&
               static_cast<int>(chosen.scope) < scope_count && static_cast<int>(chosen.verbosity) < verbosity_count &&
               (chosen.scope < scope::group || description.length != 0) && (items.count == 0 || (type_has_items && chosen.count == 1));
    }

private:
    static dynamic_bound_control& self(descriptor::control& d) noexcept { return static_cast<dynamic_bound_control&>(d); }
    static void* locate(descriptor::control& d, object_key key, std::uint32_t& generation) {
        generation = 0;
        return self(d).chosen_.locate(key, self(d).chosen_.data);
    }
    static result read(descriptor::control& d, void* cell, object_key, void* buffer) {
        for (std::uint32_t i = 0; i < d.count; i++) {
            const seen value = static_cast<seen>(adopted_cell<T, Storage>{static_cast<Storage*>(cell) + i}.get());
            std::memcpy(static_cast<char*>(buffer) + i * sizeof value, &value, sizeof value);
        }
        return result::success;
    }
    bool accepts(seen value) const noexcept {
        if (enumeration.count != 0 && !enumeration.has(static_cast<int>(value))) return false;
        return value >= chosen_.minimum && value <= chosen_.maximum; // not a number is neither
    }
    static result write(descriptor::control& d, void* cell, object_key key, const void* buffer) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        const settings& chosen = self(d).chosen_;
        T wanted[core::number<T> ? most : 1];
        for (std::uint32_t i = 0; i < d.count; i++) {
            seen value{};
            std::memcpy(&value, static_cast<const char*>(buffer) + i * sizeof value, sizeof value);
            if (!self(d).accepts(value)) return result::invalid;
            wanted[i] = static_cast<T>(value);
        }
        if (chosen.on_write != nullptr) {
            const result answer = result_of(chosen.on_write(key, wanted, chosen.data));
            if (answer != result::success) return answer;
        }
        for (std::uint32_t i = 0; i < d.count; i++) adopted_cell<T, Storage>{static_cast<Storage*>(cell) + i} = wanted[i];
        return result::success;
    }
    static descriptor::apply_result parse(descriptor::control&, text, bool) { return descriptor::apply_result::is_bound; }

    settings chosen_;
    // Constant tables for all types would be relocated in each process, also in one that describes no variable.
    descriptor::control_operations own_operations_{};
};

} // namespace internal
} // namespace mpit

#pragma GCC diagnostic pop
