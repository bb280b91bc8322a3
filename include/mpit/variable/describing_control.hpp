// SPDX-License-Identifier: BSD-3-Clause
// Control variables that describe the elements of another variable, because the standard has no attribute for this
// purpose. Tools read the bounds of the buckets of a histogram NAME in NAME_bounds, and the labels of the elements of
// an array NAME in NAME_labels (MPI-5.0, 15.3.6). No tool and no user can set these variables.
//
//   struct bucket_bounds : describing_control { ... describing_control{name, "_bounds", "Largest value ...", ...} };
#pragma once

#include <mpit/core/text_value.hpp>
#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::object_key;
using descriptor::text;

// A name with a suffix, in the memory of the object.
struct suffixed_name {
    static constexpr std::uint32_t capacity = 64, longest_suffix = 7;
    char joined[capacity]{};
    std::uint32_t joined_length = 0;
    constexpr suffixed_name(text base, text suffix) noexcept {
        if (!is_possible(base)) error::the_name_of_a_histogram_or_of_an_array_with_labels_has_more_than_56_characters();
        for (std::uint32_t i = 0; i < base.length && is_possible(base); i++)
            joined[joined_length++] = base.characters[i];
        for (std::uint32_t i = 0; i < suffix.length; i++) joined[joined_length++] = suffix.characters[i];
    }
    static constexpr bool is_possible(text base) noexcept { return base.length + longest_suffix < capacity; }
    constexpr core::checked_name checked() const noexcept { return text{joined, joined_length}; }
};

// The base class of the descriptors. The constructor does not add the variable to a category.
struct describing_control : suffixed_name, descriptor::control {
protected:
    constexpr describing_control(text base, text suffix, text variable_description, datatype element_type,
                                 std::uint32_t element_count, const descriptor::control_operations& table) noexcept
        : suffixed_name{base, suffix}, control{checked(), variable_description} {
        type = element_type;
        count = element_count;
        environment = "";
        accepts_values = false;
        operations = &table;
    }
};

// The table of operations of a variable that tools read by the function `Read`.
template <result (*Read)(descriptor::control&, void*, object_key, void*)>
inline constexpr descriptor::control_operations describing_operations{
    .read = Read, .write = [](descriptor::control&, void*, object_key, const void*) {
    return result::set_never;
}, .parse = &descriptor::parse_bound, .store = [](descriptor::control&, void*, object_key, const void*, bool) {
    return result::set_never;
}, .locate = &descriptor::locate_descriptor<descriptor::control>};

class element_labels;

} // namespace internal

// The labels of the elements of an array, such as algorithms, devices or peers. Labels are a text with a comma between
// two labels, an enumeration of which each item labels the element with the item's value, or a function. The function
// writes the label of one element, at most `room` bytes with the terminating null. Any thread and any signal handler
// may call the function, while tools read the labels.
class labels {
public:
    // The type of a function that writes the label of an element.
    using label_function = void (*)(std::uint32_t element, char* label, std::size_t room);

    MPIT_MODULE_LOCAL constexpr labels() noexcept {}
    MPIT_MODULE_LOCAL constexpr labels(const char* list) noexcept : source_{source::list}, list_{list} {}
    template <class E, std::size_t N>
    MPIT_MODULE_LOCAL constexpr labels(const enumeration<E, N>& items) noexcept
        : source_{source::items}, items_{items.view()} {}
    template <class Function>
        requires requires(Function label) { label_function{label}; }
    MPIT_MODULE_LOCAL constexpr labels(Function label) noexcept : source_{source::function}, function_{label} {}

private:
    friend internal::element_labels;
    enum class source : std::uint8_t { absent, list, items, function };
    source source_ = source::absent;
    core::text list_;
    core::enumeration_view items_;
    label_function function_ = nullptr;
};

namespace MPIT_MODULE_LOCAL internal {

// The control variable NAME_labels of an array NAME with labels. The scope is constant, or readonly for a function.
class element_labels : public describing_control {
    using source = labels::source;

public:
    static constexpr std::uint32_t room_of_label = 64; // for a label that a function writes, with the null

    // Writes the label that `write` writes into `room_of_label` bytes. Returns the length of the label, in which a
    // semicolon replaces a comma.
    template <class Write> static std::uint32_t write_label(char* label, const Write& write) {
        core::fill_text(label, room_of_label, write);
        std::uint32_t size = 0;
        for (; label[size] != '\0'; size++)
            if (label[size] == ',') label[size] = ';';
        return size;
    }
    // Stores the labels of `elements` elements as a text with commas between the labels. `write(element, label)` writes
    // the label of one element and returns the length.
    template <class Write>
    static result write_list(void* buffer, std::uint32_t bytes, std::uint32_t elements, const Write& write) {
        std::memset(buffer, 0, bytes);
        auto* next = static_cast<char*>(buffer);
        for (std::uint32_t element = 0; element < elements; element++) {
            next += write(element, next);
            if (element + 1 < elements) *next++ = ',';
        }
        return result::success;
    }
    static constexpr std::uint32_t count_in(text list) noexcept {
        std::uint32_t number = 1;
        for (std::uint32_t i = 0; i < list.length; i++) number += list.characters[i] == ',' ? 1 : 0;
        return number;
    }

    // Adds no variable to the category if the array has no labels.
    constexpr element_labels(descriptor::category* parent, text array, std::uint32_t elements, mpit::verbosity of_array,
                             const labels& of) noexcept
        : describing_control{of.source_ == source::absent ? text{} : array,
                             "_labels",
                             "Labels of the elements",
                             datatype::char_type,
                             bytes_of(of, elements),
                             describing_operations<&read_labels>},
          labels_{of},
          elements_{elements} {
        if (of.source_ == source::absent) return;
        verbosity = of_array;
        scope = of.source_ == source::function ? mpit::scope::readonly : mpit::scope::constant;
        parent->adopt(*this);
    }

private:
    // Returns the size of the text with its terminating null.
    static constexpr std::uint32_t bytes_of(const labels& of, std::uint32_t elements) noexcept {
        std::uint32_t bytes = elements * room_of_label;
        if (of.source_ == source::list) {
            if (count_in(of.list_) != elements) error::an_array_has_not_as_many_labels_as_elements();
            bytes = of.list_.length + 1;
        } else if (of.source_ == source::items) {
            bytes = elements;
            for (int i = 0; i < of.items_.count; i++) {
                const core::enumeration_item& item = of.items_.items[i];
                if (item.value < 0 || static_cast<std::uint32_t>(item.value) >= elements)
                    error::an_item_of_the_labels_is_not_the_number_of_an_element();
                if (count_in(item.name) != 1) error::a_label_has_a_comma();
                bytes += item.name.length;
            }
        }
        return bytes;
    }
    // Writes the label of an element.
    std::uint32_t write_label(std::uint32_t element, char* label) const noexcept {
        if (labels_.source_ == source::items) {
            const int position = labels_.items_.position(static_cast<int>(element));
            if (position < 0) return 0;
            const text label_of_item = labels_.items_.items[position].name;
            std::memcpy(label, label_of_item.characters, label_of_item.length);
            return label_of_item.length;
        }
        return write_label(label, [&](char* written) { labels_.function_(element, written, room_of_label); });
    }
    static result read_labels(descriptor::control& variable, void*, object_key, void* buffer) {
        const auto& self = static_cast<const element_labels&>(variable);
        if (self.labels_.source_ == source::list)
            return std::memcpy(buffer, self.labels_.list_.characters, self.count), result::success;
        return write_list(buffer, self.count, self.elements_,
                          [&](std::uint32_t element, char* label) { return self.write_label(element, label); });
    }

    labels labels_;
    std::uint32_t elements_;
};

// The control variable with the labels of an array. A variable that is not an array has no labels.
template <bool IsArray> class labels_of_array {
public:
    constexpr labels_of_array(descriptor::category* parent, text array, std::uint32_t elements,
                              mpit::verbosity of_array, const labels& of) noexcept
        : labels_{parent, array, elements, of_array, of} {}

private:
    element_labels labels_;
};
template <> class labels_of_array<false> {
public:
    template <class Setting>
    constexpr labels_of_array(descriptor::category*, text, std::uint32_t, mpit::verbosity, const Setting&) noexcept {}
};

} // namespace internal
} // namespace mpit
