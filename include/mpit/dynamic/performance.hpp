// SPDX-License-Identifier: BSD-3-Clause
// Performance variables that are described at run time. One struct and one class serve all types. The value is in a
// cell or in storage of the library, or functions of the library return the value. mpit::dynamic makes a description
// from typed settings, and mpit::declare makes a description from a row of a C table.
//
//   from.cell = operations_of_cell<behaviour::following>;   from.storage = &level;   ...
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/dynamic/description.hpp>
#include <mpit/variable/computed.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The author's functions of a performance variable without a cell, and the thunks that call these functions.
struct performance_value {
    descriptor::number_codec codec; // codec of the numbers
    any_function source = nullptr;  // author's function, or null for numbers in storage
    void* data = nullptr;           // last argument of the author's functions
    // Thunks that call `source`. `sample` returns one element as a word, and `read_values` writes several elements.
    std::uint64_t (*sample)(const performance_value&, object_key handle, std::uint32_t element) = nullptr;
    void (*read_values)(const performance_value&, object_key handle, std::uint32_t first, std::uint32_t count,
                        void* values) = nullptr;
    void (*read_text)(std::uint64_t handle, char* buffer, std::size_t room, void* data) = nullptr;
    result (*write_text)(const performance_value&, object_key handle, const char* value) = nullptr;
    any_function on_write = nullptr;
    void (*on_watch)(int change, void* data) = nullptr;
    std::uint32_t (*elements)(std::uint64_t handle, void* data) = nullptr; // number of elements of an MPI object
};

// An author's function that writes the label of an element, at most `room` bytes with the terminating null.
using label_function = void (*)(std::uint64_t handle, std::uint32_t element, char* label, std::size_t room, void* data);

// The description of a performance variable. The texts are not copied, and belong to the author of the variable.
struct performance_description {
    performance_class of_class{};
    behaviour behaves{};
    datatype type{};
    std::uint32_t count = 1;                                  // number of elements, or bytes of a text with its null
    int sources = 0;                                          // number of sources of the value, which has to be 1
    const descriptor::performance_operations* cell = nullptr; // not null if the storage is a cell
    const void* storage = nullptr;
    const double* bounds = nullptr; // of the buckets of a counter, or null
    const char* labels = nullptr;   // of the elements, with commas between them, or null
    label_function label = nullptr; // writes the label of an element, or null
    bool has_parts = false;         // true if `source` can return single elements
    performance_value value;
    dynamic_items items{};
    core::enumeration_view items_of_type; // items of the C++ enumeration, used if `items` is empty
    dynamic_binding bound{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    flag atomic{};
};

// The reason why a description is rejected. `parts` means that no function returns single elements, although the
// variable has several elements or is bound.
enum class performance_defect : std::uint8_t {
    none,
    value,
    verbosity,
    atomic,
    binding,
    parts,
    elements,
    count,
    bounds,
    labels
};

// The table of operations for a cell of any datatype. The cell is a sum in shards, a level, a watermark or a state.
template <behaviour Behaves, bool IsReal = false, bool IsInSeconds = false>
inline constexpr const descriptor::performance_operations* operations_of_cell =
    &cell_operations<cell_form{Behaves, Behaves == behaviour::accumulating, IsReal, IsInSeconds, false, true}>;

class described_performance : public descriptor::performance {
    // A described_performance without a cell is followed by this struct in memory. The table of operations is made at
    // run time, because constant tables for all types would need relocations in each process.
    struct trailing_part {
        performance_value value;
        descriptor::performance_operations operations;
    };

public:
    static constexpr std::uint32_t max_elements = 32768; // largest number of elements of one handle

    // The items and the description must be valid, and all texts must stay in place. The caller provides
    // trailing_bytes() zeroed bytes after the object.
    described_performance(descriptor::category* parent, const described_texts& texts,
                          const core::enumeration_view& items, const performance_description& from) noexcept
        : performance{from.of_class, parent, texts.checked(), texts.description},
          storage_{const_cast<void*>(from.storage)} {
        type = from.type;
        const bool has_elements_of_object = from.bound.kind != mpit::binding::none && type != datatype::char_type;
        count = has_elements_of_object ? 0 : from.count;
        enumeration = items;
        binding = from.bound.kind;
        verbosity = from.verbosity;
        readonly = from.readonly;
        continuous = from.continuous;
        atomic = from.atomic.value == flag::by_default ? !from.readonly : from.atomic.value == flag::yes;
        operations = from.cell;
        if (from.cell != nullptr) return;
        auto* const part = new (core::placement{this + 1}) trailing_part{from.value, {}};
        apply(part->operations, from);
        operations = &part->operations;
    }
    static std::size_t trailing_bytes(const performance_description& from) noexcept {
        return from.cell != nullptr ? 0 : sizeof(trailing_part);
    }
    // Returns the defect of a description, but does not check the items of a state.
    static performance_defect defect_of(const performance_description& from) noexcept {
        using enum performance_defect;
        const bool is_bound = from.bound.kind != mpit::binding::none, is_text = from.type == datatype::char_type;
        if (from.sources != 1) return value;
        if (static_cast<int>(from.verbosity) >= verbosity_count) return verbosity;
        if (from.readonly && from.atomic.value == flag::yes) return atomic;
        if (is_bound && !is_possible_binding(from.bound.kind, from.bound.handle_size)) return binding;
        if (is_bound && !is_text && !from.has_parts) return parts;
        if (is_bound && from.value.elements == nullptr) return elements;
        if (from.count == 0 || from.count > (is_text ? core::largest_text : max_elements)) return count;
        if (from.bounds != nullptr && !are_bounds(from)) return bounds;
        if (!are_labels(from)) return labels;
        if (is_text) return from.count > 1 ? none : count;
        return from.count == 1 || from.has_parts || from.storage != nullptr ? none : parts;
    }

    // Returns false if the current value of a state is not one of the items.
    static bool are_possible_items(const performance_description& from, const core::enumeration_view& items) noexcept {
        const bool is_state = from.cell != nullptr && from.behaves == behaviour::choosing;
        return !is_state || items.has(static_cast<const state_cell<int>*>(from.storage)->get());
    }

private:
    // Returns true if the labels are as many as the elements. The labels of the elements of an object need a function.
    static bool are_labels(const performance_description& from) noexcept {
        if (from.labels == nullptr) return from.label == nullptr || from.type != datatype::char_type;
        return from.label == nullptr && from.labels[0] != '\0' && from.bound.kind == mpit::binding::none &&
               from.type != datatype::char_type && element_labels::count_in(from.labels) == from.count;
    }
    // Returns true if the bounds of a counter's buckets increase up to infinity. No comparison with a NaN is true.
    static bool are_bounds(const performance_description& from) noexcept {
        bool is_list = from.of_class == performance_class::counter;
        for (std::uint32_t i = 1; is_list && i < from.count; i++) is_list = from.bounds[i - 1] < from.bounds[i];
        return is_list && from.bounds[from.count - 1] > core::largest_double;
    }
    static described_performance& self(descriptor::performance& d) noexcept {
        return static_cast<described_performance&>(d);
    }
    static const performance_value& value_of(descriptor::performance& d) noexcept {
        return reinterpret_cast<trailing_part*>(&self(d) + 1)->value;
    }

    static void apply(descriptor::performance_operations& to, const performance_description& from) noexcept {
        to.value_behaviour = from.behaves;
        to.real = from.value.codec.is_real;
        to.locate = &descriptor::locate_descriptor;
        to.sample = &sample;
        if (from.value.on_watch != nullptr)
            to.watch = [](descriptor::performance& d, int change) { value_of(d).on_watch(change, value_of(d).data); };
        if (from.value.read_values != nullptr || (from.storage != nullptr && from.count != 1)) to.samples = &samples;
        if (from.storage != nullptr) to.stored = &stored;
        if (from.bound.kind != mpit::binding::none) {
            to.locate = &locate_object;
            to.elements = &elements;
            to.key =
                from.bound.handle_size == 4 ? &descriptor::key_at<std::uint32_t> : &descriptor::key_at<std::uint64_t>;
        }
        if (from.type != datatype::char_type) return;
        to.read = &read_text;
        to.write = &write_text;
    }
    // Returns the number of elements of the MPI object, or 0 if the object does not exist. The elements of a text are
    // its bytes, whose number is the same for all objects.
    static std::uint32_t elements(descriptor::performance& d, object_key key) {
        const std::uint32_t elements_of_object = value_of(d).elements(key, value_of(d).data);
        return elements_of_object != 0 && d.type == datatype::char_type ? d.count : elements_of_object;
    }
    // Returns the object's handle plus 1 in place of an address, so that the handle 0 does not become null. Returns
    // null if the object does not exist.
    static void* locate_object(descriptor::performance& d, object_key key, std::uint32_t& generation) {
        generation = 0;
        return elements(d, key) == 0 ? nullptr : reinterpret_cast<void*>(key + 1);
    }
    // Returns the handle from a result of locate_object(), or 0 for a variable that is not bound.
    static object_key key_of(const descriptor::performance& d, void* object) noexcept {
        return d.binding == mpit::binding::none ? 0 : reinterpret_cast<std::uint64_t>(object) - 1;
    }

    static std::uint64_t word_at(const descriptor::performance& d, const descriptor::number_codec& codec,
                                 const void* number) noexcept {
        const std::uint64_t word = descriptor::load(codec, number);
        return d.enumeration.count != 0 ? state_word(static_cast<int>(word)) : word;
    }
    static std::uint64_t sample(descriptor::performance& d, void* object, std::uint32_t element) {
        const performance_value& value = value_of(d);
        if (value.sample != nullptr) return value.sample(value, key_of(d, object), element);
        if (self(d).storage_ != nullptr)
            return word_at(d, value.codec,
                           static_cast<const char*>(self(d).storage_) + std::size_t{element} * value.codec.stored_size);
        std::uint64_t number = 0; // remains 0 for a text, which is not sampled
        if (value.read_values != nullptr) value.read_values(value, key_of(d, object), element, 1, &number);
        return word_at(d, value.codec, &number);
    }
    // Reads `count` elements as words. `read_values` writes the values into the memory of `words`, and the conversion
    // to words begins with the last value. A word is not smaller than a value, so the conversion overwrites only values
    // that are already converted.
    static void samples(descriptor::performance& d, void* object, std::uint32_t first, std::uint32_t count,
                        std::uint64_t* words) {
        const performance_value& value = value_of(d);
        const descriptor::number_codec codec = value.codec;
        const bool has_items = d.enumeration.count != 0;
        const char* numbers = reinterpret_cast<const char*>(words);
        if (value.read_values == nullptr) {
            numbers = static_cast<const char*>(self(d).storage_) + std::size_t{first} * codec.stored_size;
        } else {
            std::memset(words, 0, count * sizeof *words);
            value.read_values(value, key_of(d, object), first, count, words);
            if (codec.stored_size == 8 && !has_items) return; // the values already are words
        }
        for (std::uint32_t i = count; i-- > 0;) {
            const std::uint64_t word = descriptor::load(codec, numbers + std::size_t{i} * codec.stored_size);
            words[i] = has_items ? state_word(static_cast<int>(word)) : word;
        }
    }
    // Returns the storage if handles can read the stored numbers without a conversion to words. Returns null if the
    // numbers need a conversion, as bools, items and signed numbers of 4 bytes do.
    static const void* stored(descriptor::performance& d, void*, std::uint32_t& bytes) {
        const descriptor::number_codec& codec = value_of(d).codec;
        bytes = codec.stored_size;
        const bool is_word = bytes == 8 || (bytes == 4 && !codec.is_stored_signed);
        return is_word && d.enumeration.count == 0 ? self(d).storage_ : nullptr;
    }

    static result read_text(descriptor::performance& d, void* object, void* buffer) {
        const performance_value& value = value_of(d);
        core::fill_text(static_cast<char*>(buffer), d.count,
                        [&](char* characters) { value.read_text(key_of(d, object), characters, d.count, value.data); });
        return result::success;
    }
    static result write_text(descriptor::performance& d, void* object, const char* characters) {
        const performance_value& value = value_of(d);
        return value.write_text == nullptr ? result::cannot_write
                                           : value.write_text(value, key_of(d, object), characters);
    }

    void* storage_; // or the address of a cell, which locate_cell_by_address() reads directly after the descriptor
};

} // namespace internal
} // namespace mpit
