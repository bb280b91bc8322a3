// SPDX-License-Identifier: BSD-3-Clause
// A performance variable that is described at run time: the result of a function, or a number in the library's storage.
//
//   group.computed<mpit::performance_class::counter, unsigned long>("retries", "Sends tried again", {.storage = &retries});
#pragma once

#include <mpit/variable/computed.hpp>
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
        : performance{Class, in_category, called, meaning},
          value_{chosen.value},
          data_{chosen.data},
          storage_{chosen.storage} {
        type = core::datatype_of<T>();
        enumeration = core::enumeration_view_of<T>();
        operations = &table;
        apply_performance_settings(*this, chosen);
    }
    static bool is_possible(const settings& chosen) noexcept {
        return (chosen.value == nullptr) != (chosen.storage == nullptr) &&
               static_cast<int>(chosen.verbosity) < verbosity_count &&
               !(chosen.readonly && chosen.atomic.value == flag::yes);
    }

private:
    T (*value_)(void*);
    void* data_;
    const T* storage_;

    static std::uint64_t sample(descriptor::performance& d, void*, std::uint32_t) {
        const auto& variable = static_cast<dynamic_computed&>(d);
        if (variable.value_ != nullptr) return word_of_value(variable.value_(variable.data_));
        T value;
        __atomic_load(variable.storage_, &value, __ATOMIC_RELAXED);
        return word_of_value(value);
    }
    static constexpr descriptor::performance_operations table{
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
    };
};

} // namespace internal
} // namespace mpit
