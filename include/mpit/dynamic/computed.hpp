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

// The common part of numbers and texts: what they are bound to, and who hears that handles run.
template <class Settings> class computed_item : public descriptor::performance {
public:
    using settings = Settings;

protected:
    computed_item(performance_class of_class, behaviour behaves, descriptor::category* in_category, text called, text meaning,
                  const settings& chosen) noexcept
        : performance{of_class, in_category, called, meaning}, chosen_{chosen} {
        binding = chosen.bound.kind;
        verbosity = chosen.verbosity;
        own_operations_.value_behaviour = behaves;
        own_operations_.locate = &descriptor::locate_descriptor;
        if (chosen.on_watch != nullptr) own_operations_.watch = &watch;
        if (is_bound()) {
            own_operations_.locate = &locate;
            own_operations_.elements = &elements;
            own_operations_.key = chosen.bound.handle_size == 4 ? &descriptor::key_at<std::uint32_t>
                                                                : &descriptor::key_at<std::uint64_t>;
        }
        operations = &own_operations_;
    }
    static bool is_possible_item(const settings& chosen) noexcept {
        const bool has_handle = chosen.bound.kind == mpit::binding::none ||
                                (chosen.bound.elements != nullptr && is_possible_binding(chosen.bound.kind, chosen.bound.handle_size));
        return has_handle && static_cast<int>(chosen.verbosity) < verbosity_count;
    }
    static const settings& settings_of(descriptor::performance& d) noexcept { return static_cast<computed_item&>(d).chosen_; }
    bool is_bound() const noexcept { return chosen_.bound.kind != mpit::binding::none; }
    static std::uint32_t elements(descriptor::performance& d, descriptor::object_key key) {
        return settings_of(d).bound.elements(key, settings_of(d).data);
    }
    // The handle of the object; 0 if there is none.
    static descriptor::object_key key_of(const descriptor::performance& d, void* cell) noexcept {
        return d.binding == mpit::binding::none ? 0 : reinterpret_cast<std::uint64_t>(cell) - 1;
    }

    settings chosen_;
    // Constant tables for all classes and types would be relocated in each process, also in one that describes no variable.
    descriptor::performance_operations own_operations_{};

private:
    static void watch(descriptor::performance& d, int change) {
        const settings& from = settings_of(d);
        from.on_watch(change, from.data);
    }
    // The cell of an object is its handle and one more, because null stands for no object.
    static void* locate(descriptor::performance& d, descriptor::object_key key, std::uint32_t& generation) {
        generation = 0;
        return elements(d, key) == 0 ? nullptr : reinterpret_cast<void*>(key + 1);
    }
};

// The common part of all classes with values of type T.
template <class T> class computed_values : public computed_item<dynamic_computed_settings<T>> {
    using item = computed_item<dynamic_computed_settings<T>>;

public:
    using settings = dynamic_computed_settings<T>;

    static bool is_possible(const settings& chosen) noexcept {
        const int sources = (chosen.value != nullptr) + (chosen.value_at != nullptr) + (chosen.values != nullptr) +
                            (chosen.storage != nullptr);
        const bool is_bound = chosen.bound.kind != mpit::binding::none, has_parts = chosen.value_at != nullptr || chosen.values != nullptr;
        const bool has_elements = is_bound ? has_parts : chosen.count == 1 || (chosen.count <= most && chosen.value == nullptr);
        return sources == 1 && has_elements && item::is_possible_item(chosen) && chosen.count != 0 &&
               !(chosen.readonly && chosen.atomic.value == flag::yes);
    }

protected:
    [[gnu::noinline]] computed_values(performance_class of_class, behaviour behaves, descriptor::category* in_category,
                                      text called, text meaning, const settings& chosen) noexcept
        : item{of_class, behaves, in_category, called, meaning, chosen} {
        descriptor::performance_operations& own = this->own_operations_;
        this->type = core::datatype_of<T>();
        this->enumeration = core::enumeration_view_of<T>();
        this->count = this->is_bound() ? 0 : chosen.count;
        own.real = __is_same(T, double);
        own.sample = this->is_bound() ? &sample_of : &sample;
        if (chosen.storage != nullptr && !this->is_bound()) own.stored = &stored;
        if (chosen.values != nullptr) own.samples = &samples;
        apply_performance_settings(*this, chosen);
    }

private:
    static constexpr std::uint32_t most = 32768; // elements that a handle can have
    static std::uint64_t part(const settings& from, descriptor::object_key key, std::uint32_t element) {
        if (from.value_at != nullptr) return word_of_value(from.value_at(key, element, from.data));
        T value{};
        from.values(key, element, 1, &value, from.data);
        return word_of_value(value);
    }
    static std::uint64_t sample(descriptor::performance& d, void*, std::uint32_t element) {
        const settings& from = item::settings_of(d);
        if (from.value != nullptr) return word_of_value(from.value(from.data));
        if (from.storage == nullptr) return part(from, 0, element);
        T value;
        __atomic_load(from.storage + element, &value, __ATOMIC_RELAXED);
        return word_of_value(value);
    }

    // A signed half would have to be extended, a bool is a byte.
    static const void* stored(descriptor::performance& d, void*, std::uint32_t& bytes) {
        bytes = sizeof(T);
        return sizeof(T) == 8 || __is_same(T, unsigned) ? item::settings_of(d).storage : nullptr;
    }
    static std::uint64_t sample_of(descriptor::performance& d, void* cell, std::uint32_t element) {
        return part(item::settings_of(d), item::key_of(d, cell), element);
    }
    // The values are in the room of the words first: a word overwrites only values behind its own.
    static void samples(descriptor::performance& d, void* cell, std::uint32_t first, std::uint32_t count, std::uint64_t* words) {
        const settings& from = item::settings_of(d);
        const descriptor::object_key key = item::key_of(d, cell);
        std::memset(words, 0, count * sizeof *words);
        from.values(key, first, count, reinterpret_cast<T*>(words), from.data);
        for (std::uint32_t i = count; i-- > 0;) {
            T value;
            std::memcpy(&value, reinterpret_cast<const char*>(words) + i * sizeof value, sizeof value);
            words[i] = word_of_value(value);
        }
    }
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

template <> class dynamic_computed<performance_class::generic, char[]> : public computed_item<dynamic_computed_settings<char[]>> {
public:
    dynamic_computed(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : computed_item{performance_class::generic, behaviour::direct, in_category, called, meaning, chosen} {
        type = datatype::char_type;
        count = chosen.length + 1;
        own_operations_.sample = [](descriptor::performance&, void*, std::uint32_t) { return std::uint64_t{}; };
        own_operations_.read = &read_text;
        own_operations_.write = &write_text;
        if (is_bound()) own_operations_.elements = &room_in;
        readonly = chosen.readonly || chosen.on_write == nullptr;
        continuous = chosen.continuous;
        atomic = false;
    }
    static bool is_possible(const settings& chosen) noexcept {
        return chosen.read != nullptr && chosen.length != 0 && chosen.length < largest_text && is_possible_item(chosen);
    }

private:
    static std::uint32_t room_in(descriptor::performance& d, descriptor::object_key key) {
        return elements(d, key) == 0 ? 0 : d.count;
    }
    static result read_text(descriptor::performance& d, void* cell, void* buffer) {
        const settings& from = settings_of(d);
        const descriptor::object_key key = key_of(d, cell);
        fill_text(static_cast<char*>(buffer), d.count, [&](char* room) { from.read(key, room, d.count, from.data); });
        return result::success;
    }
    static result write_text(descriptor::performance& d, void* cell, const char* value) {
        const settings& to = settings_of(d);
        const bool is_taken = to.on_write != nullptr && to.on_write(key_of(d, cell), value, to.data) == reply::accepted;
        return is_taken ? result::success : result::cannot_write;
    }
};

} // namespace internal
} // namespace mpit
