// SPDX-License-Identifier: BSD-3-Clause
// A performance variable that is described at run time: the result of a function, or numbers in the library's storage, of the
// process or of an MPI object.
//
//   group.computed<mpit::performance_class::counter, unsigned long>("retries", "Sends tried again", {.storage = &retries});
#pragma once

#include <mpit/variable/computed.hpp>
#include <mpit/descriptor/object_key.hpp>
#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The common part of all classes with values of type T.
template <class T> class computed_values : public descriptor::performance {
public:
    using settings = dynamic_computed_settings<T>;

    static bool is_possible(const settings& chosen) noexcept {
        const int sources = (chosen.value != nullptr) + (chosen.value_at != nullptr) + (chosen.values != nullptr) +
                            (chosen.storage != nullptr);
        const bool is_bound = chosen.bound.kind != mpit::binding::none, has_parts = chosen.value_at != nullptr || chosen.values != nullptr;
        const bool has_elements = is_bound ? chosen.bound.elements != nullptr && has_parts
                                           : chosen.count == 1 || (chosen.count <= most && chosen.value == nullptr);
        const bool has_handle = !is_bound || is_possible_binding(chosen.bound.kind, chosen.bound.handle_size);
        return sources == 1 && has_elements && has_handle && chosen.count != 0 &&
               static_cast<int>(chosen.verbosity) < verbosity_count &&
               !(chosen.readonly && chosen.atomic.value == flag::yes);
    }

protected:
    [[gnu::noinline]] computed_values(performance_class of_class, behaviour behaves, descriptor::category* in_category,
                                      text called, text meaning, const settings& chosen) noexcept
        : performance{of_class, in_category, called, meaning}, chosen_{chosen} {
        type = core::datatype_of<T>();
        enumeration = core::enumeration_view_of<T>();
        binding = chosen.bound.kind;
        count = is_bound() ? 0 : chosen.count;
        own_operations_.value_behaviour = behaves;
        own_operations_.real = __is_same(T, double);
        own_operations_.locate = &descriptor::locate_descriptor;
        own_operations_.sample = &sample;
        if (chosen.on_watch != nullptr) own_operations_.watch = &watch;
        if (chosen.storage != nullptr && !is_bound()) own_operations_.stored = &stored;
        if (chosen.values != nullptr) own_operations_.samples = &samples;
        if (is_bound()) {
            own_operations_.locate = &locate;
            own_operations_.sample = &sample_of;
            own_operations_.elements = &elements;
            own_operations_.key = chosen.bound.handle_size == 4 ? &descriptor::key_at<std::uint32_t>
                                                                : &descriptor::key_at<std::uint64_t>;
        }
        operations = &own_operations_;
        apply_performance_settings(*this, chosen);
    }

private:
    static constexpr std::uint32_t most = 32768; // elements that a handle can have
    static const settings& settings_of(descriptor::performance& d) noexcept { return static_cast<computed_values&>(d).chosen_; }
    bool is_bound() const noexcept { return chosen_.bound.kind != mpit::binding::none; }

    static std::uint64_t part(const settings& from, descriptor::object_key key, std::uint32_t element) {
        if (from.value_at != nullptr) return word_of_value(from.value_at(key, element, from.data));
        T value{};
        from.values(key, element, 1, &value, from.data);
        return word_of_value(value);
    }
    static std::uint64_t sample(descriptor::performance& d, void*, std::uint32_t element) {
        const settings& from = settings_of(d);
        if (from.value != nullptr) return word_of_value(from.value(from.data));
        if (from.storage == nullptr) return part(from, 0, element);
        T value;
        __atomic_load(from.storage + element, &value, __ATOMIC_RELAXED);
        return word_of_value(value);
    }

    // A signed half would have to be extended, a bool is a byte.
    static const void* stored(descriptor::performance& d, void*, std::uint32_t& bytes) {
        bytes = sizeof(T);
        return sizeof(T) == 8 || __is_same(T, unsigned) ? settings_of(d).storage : nullptr;
    }
    static std::uint32_t elements(descriptor::performance& d, descriptor::object_key key) {
        return settings_of(d).bound.elements(key, settings_of(d).data);
    }
    static void watch(descriptor::performance& d, int change) {
        const settings& from = settings_of(d);
        from.on_watch(change, from.data);
    }
    // The cell of an object is its handle and one more, because null stands for no object.
    static void* locate(descriptor::performance& d, descriptor::object_key key, std::uint32_t& generation) {
        generation = 0;
        return elements(d, key) == 0 ? nullptr : reinterpret_cast<void*>(key + 1);
    }
    static std::uint64_t sample_of(descriptor::performance& d, void* cell, std::uint32_t element) {
        return part(settings_of(d), reinterpret_cast<std::uint64_t>(cell) - 1, element);
    }
    // The values are in the room of the words first: a word overwrites only values behind its own.
    static void samples(descriptor::performance& d, void* cell, std::uint32_t first, std::uint32_t count, std::uint64_t* words) {
        const settings& from = settings_of(d);
        const descriptor::object_key key = d.binding == binding::none ? 0 : reinterpret_cast<std::uint64_t>(cell) - 1;
        std::memset(words, 0, count * sizeof *words);
        from.values(key, first, count, reinterpret_cast<T*>(words), from.data);
        for (std::uint32_t i = count; i-- > 0;) {
            T value;
            std::memcpy(&value, reinterpret_cast<const char*>(words) + i * sizeof value, sizeof value);
            words[i] = word_of_value(value);
        }
    }

    settings chosen_;
    // Constant tables for all classes and types would be relocated in each process, also in one that describes no variable.
    descriptor::performance_operations own_operations_{};
};

template <performance_class Class, class T> class dynamic_computed : public computed_values<T> {
    static_assert(Class != performance_class::high_watermark && Class != performance_class::low_watermark,
                  "a watermark cannot be computed, because it has to see every change of its level");
    static_assert(may_have<Class, T>(),
                  "this class of performance variable cannot have this type; see the table in MPI-5.0, 15.3.7");

public:
    dynamic_computed(descriptor::category* in_category, text called, text meaning,
                     const dynamic_computed_settings<T>& chosen) noexcept
        : computed_values<T>{Class, behaviour_of<Class, T>(), in_category, called, meaning, chosen} {}
};

} // namespace internal
} // namespace mpit
