// SPDX-License-Identifier: BSD-3-Clause
// A control variable of several numbers that is described at run time, over an array of the library, or over a struct of
// such numbers. Each number is read and written by one atomic access: a reader while they change may see old and new ones.
//
//   static int ports[2];   group.control<int[]>("PORTS", "First and last port", {.storage = ports, .count = 2});
#pragma once

#include <mpit/dynamic/control.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Settings of an array of `count` numbers in `storage`, at most 512. The range, from `minimum` to `maximum`, and the `unit` hold
// for each. Values from outside are separated by commas, those of two numbers by a colon as well. The others are those of
// dynamic_settings.
template <core::number T> struct dynamic_settings<T[], T[]> {
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    T* storage = nullptr;
    std::uint32_t count = 0;
    typename core::value_type<T>::arithmetic minimum = core::limits<typename core::value_type<T>::arithmetic>::lowest;
    typename core::value_type<T>::arithmetic maximum = core::limits<typename core::value_type<T>::arithmetic>::highest;
    mpit::unit unit{};
    reply (*on_write)(const T* values, void* data) = nullptr;
    void* data = nullptr;
    environment_names environment{};
    const char* renamed_from = nullptr;
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

namespace MPIT_MODULE_LOCAL internal {

template <class T> constexpr bool is_array_of_numbers = false;
template <core::number T> constexpr bool is_array_of_numbers<T[]> = true;

template <class T> class dynamic_array : public descriptor::control {
    using arithmetic = typename core::value_type<T>::arithmetic;

public:
    using settings = dynamic_settings<T[]>;
    static constexpr std::uint32_t most = 512;

    // room_for() bytes behind this object are its own: the initial values.
    dynamic_array(descriptor::category* in_category, const dynamic_texts& texts, const settings& chosen) noexcept
        : control{in_category, texts.checked(), texts.description}, chosen_{chosen} {
        type = core::value_type<T>::type;
        count = chosen.count;
        unit = chosen.unit;
        own_operations_.read = &read;
        own_operations_.write = &write;
        own_operations_.parse = &parse;
        own_operations_.locate = &descriptor::locate_descriptor;
        own_operations_.elements = &descriptor::count_elements;
        own_operations_.range = &range;
        own_operations_.initial = &put_initial;
        own_operations_.keep_initial = &keep_initial;
        operations = &own_operations_;
        apply_dynamic_settings(*this, *in_category, texts, chosen);
        keep_initial(*this);
    }
    static std::size_t room_for(const settings& chosen) noexcept { return chosen.count * sizeof(T); }
    static bool is_possible(const settings& chosen, text description) noexcept {
        const bool has_description = chosen.scope < scope::group || description.length != 0;
        return chosen.storage != nullptr && chosen.count != 0 && chosen.count <= most && chosen.minimum <= chosen.maximum &&
               has_description && static_cast<int>(chosen.scope) < scope_count &&
               static_cast<int>(chosen.verbosity) < verbosity_count;
    }

private:
    static dynamic_array& self(descriptor::control& d) noexcept { return static_cast<dynamic_array&>(d); }
    T* initial() noexcept { return reinterpret_cast<T*>(this + 1); }
    static void copy(const T* storage, std::uint32_t count, void* buffer) noexcept {
        for (std::uint32_t i = 0; i < count; i++) {
            T value;
            __atomic_load(storage + i, &value, __ATOMIC_RELAXED);
            std::memcpy(static_cast<char*>(buffer) + i * sizeof value, &value, sizeof value);
        }
    }
    static result read(descriptor::control& d, void*, object_key, void* buffer) {
        copy(self(d).chosen_.storage, d.count, buffer);
        return result::success;
    }
    static result write(descriptor::control& d, void*, object_key, const void* buffer) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        T wanted[most];
        std::memcpy(static_cast<void*>(wanted), buffer, d.count * sizeof(T));
        return self(d).take(wanted, true);
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        const char separator =
            d.count == 2 && std::memchr(written.characters, ',', written.length) == nullptr ? ':' : ',';
        T wanted[most];
        for (std::uint32_t i = 0; i < d.count; i++) {
            text element;
            const bool is_more = core::take_element(written, element, separator);
            arithmetic number{};
            if (is_more != (i + 1 < d.count) || !core::parse(core::without_blanks(element), number, d.unit))
                return descriptor::apply_result::no_value;
            wanted[i] = number;
            if (!(number >= self(d).chosen_.minimum && number <= self(d).chosen_.maximum))
                return descriptor::apply_result::no_value;
        }
        return self(d).take(wanted, is_running) == result::success ? descriptor::apply_result::taken
                                                                  : descriptor::apply_result::refused;
    }
    result take(const T (&wanted)[most], bool notifies) noexcept {
        for (std::uint32_t i = 0; i < count; i++) {
            const arithmetic number = wanted[i];
            if (!(number >= chosen_.minimum && number <= chosen_.maximum)) return result::invalid;
        }
        if (notifies && chosen_.on_write != nullptr) {
            const result answer = result_of(chosen_.on_write(wanted, chosen_.data));
            if (answer != result::success) return answer;
        }
        for (std::uint32_t i = 0; i < count; i++) {
            T value = wanted[i];
            __atomic_store(chosen_.storage + i, &value, __ATOMIC_RELEASE);
        }
        return result::success;
    }
    static void range(descriptor::control& d, void* low, void* high) {
        std::memcpy(low, &self(d).chosen_.minimum, sizeof(arithmetic));
        std::memcpy(high, &self(d).chosen_.maximum, sizeof(arithmetic));
    }
    static void put_initial(descriptor::control& d, void* buffer) { copy(self(d).initial(), d.count, buffer); }
    static void keep_initial(descriptor::control& d) { copy(self(d).chosen_.storage, d.count, self(d).initial()); }

    settings chosen_;
    // Constant tables for all types would be relocated in each process, also in one that describes no variable.
    descriptor::control_operations own_operations_{};
};

} // namespace internal
} // namespace mpit

#pragma GCC diagnostic pop
