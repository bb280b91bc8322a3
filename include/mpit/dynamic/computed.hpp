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

template <performance_class Class, class T> class dynamic_computed : public descriptor::performance {
    static_assert(Class != performance_class::high_watermark && Class != performance_class::low_watermark,
                  "a watermark cannot be computed, because it has to see every change of its level");
    static_assert(may_have<Class, T>(),
                  "this class of performance variable cannot have this type; see the table in MPI-5.0, 15.3.7");

public:
    using settings = dynamic_computed_settings<T>;

    dynamic_computed(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : performance{Class, in_category, called, meaning}, chosen_{chosen} {
        type = core::datatype_of<T>();
        enumeration = core::enumeration_view_of<T>();
        binding = chosen.bound.kind;
        count = is_bound() ? 0 : chosen.count;
        const bool at_once = chosen.values != nullptr;
        operations = !is_bound()                     ? at_once ? &at_once_of<of_the_process> : &of_the_process
                     : chosen.bound.handle_size == 4 ? at_once ? &at_once_of<of_objects<std::uint32_t>> : &of_objects<std::uint32_t>
                     : at_once                       ? &at_once_of<of_objects<std::uint64_t>>
                                                     : &of_objects<std::uint64_t>;
        apply_performance_settings(*this, chosen);
    }
    static bool is_possible(const settings& chosen) noexcept {
        const int sources = (chosen.value != nullptr) + (chosen.value_at != nullptr) + (chosen.values != nullptr) +
                            (chosen.storage != nullptr);
        const bool is_bound = chosen.bound.kind != mpit::binding::none, has_parts = chosen.value_at != nullptr || chosen.values != nullptr;
        const bool has_elements = is_bound ? chosen.bound.elements != nullptr && has_parts
                                           : chosen.count == 1 || (chosen.count <= most && chosen.value == nullptr);
        const bool has_handle = !is_bound || chosen.bound.handle_size == 4 || chosen.bound.handle_size == 8;
        return sources == 1 && has_elements && has_handle && chosen.count != 0 &&
               static_cast<int>(chosen.bound.kind) < mpit::binding_count &&
               static_cast<int>(chosen.verbosity) < verbosity_count &&
               !(chosen.readonly && chosen.atomic.value == flag::yes);
    }

private:
    static constexpr std::uint32_t most = 32768; // elements that a handle can have
    static const settings& settings_of(descriptor::performance& d) noexcept { return static_cast<dynamic_computed&>(d).chosen_; }
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

    static std::uint32_t elements(descriptor::performance& d, descriptor::object_key key) {
        return settings_of(d).bound.elements(key, settings_of(d).data);
    }
    static void watch(descriptor::performance& d, int change) {
        const settings& from = settings_of(d);
        if (from.on_watch != nullptr) from.on_watch(change, from.data);
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
    static constexpr descriptor::performance_operations of_the_process{
        .value_behaviour = behaviour_of<Class, T>(),
        .real = __is_same(T, double),
        .words_per_unit = 0,
        .in_shards = descriptor::shard_use::none,
        .locate = &descriptor::locate_descriptor,
        .sample = &sample,
        .level = nullptr,
        .number = nullptr,
        .key = nullptr,
        .read = nullptr,
        .watch = &watch,
    };
    template <class Handle> static constexpr descriptor::performance_operations of_objects = [] {
        descriptor::performance_operations changed = of_the_process;
        changed.locate = &locate;
        changed.sample = &sample_of;
        changed.key = &descriptor::key_at<Handle>;
        changed.elements = &elements;
        return changed;
    }();
    template <const descriptor::performance_operations& Table>
    static constexpr descriptor::performance_operations at_once_of = [] {
        descriptor::performance_operations changed = Table;
        changed.samples = &samples;
        return changed;
    }();

    settings chosen_;
};

} // namespace internal
} // namespace mpit
