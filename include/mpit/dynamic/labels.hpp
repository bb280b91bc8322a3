// SPDX-License-Identifier: BSD-3-Clause
// Labels of the elements of performance variables that are described at run time. Tools read the labels of an array
// NAME in the control variable NAME_labels, for a bound variable by the object.
//
//   from.labels = {"eth0,lo", nullptr};   new (memory) stored_labels{parent, name, from};
#pragma once

#include <mpit/dynamic/performance.hpp>
#include <mpit/variable/describing_control.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

class stored_labels : public describing_control {
public:
    static constexpr std::uint32_t most_labels = core::largest_text / element_labels::room_of_label;

    // `list` is a copy of the list of labels that stays in place, or an empty text if a function writes the labels.
    stored_labels(descriptor::category* parent, text base, const performance_description& of, text list) noexcept
        : describing_control{base,
                             "_labels",
                             "Labels of the elements",
                             datatype::char_type,
                             of.label == nullptr ? list.length + 1 : of.count * element_labels::room_of_label,
                             *operations_for(of.bound)},
          list_{list},
          label_{of.label},
          elements_{of.value.elements},
          data_{of.value.data},
          element_count_{of.count} {
        verbosity = of.verbosity;
        scope = of.label == nullptr ? mpit::scope::constant : mpit::scope::readonly;
        binding = of.bound.kind;
        if (binding != mpit::binding::none) count = most_labels * element_labels::room_of_label;
        parent->adopt(*this);
    }

private:
    static std::uint32_t elements_of(const stored_labels& self, object_key key) {
        const std::uint32_t elements = self.elements_(key, self.data_);
        return elements < most_labels ? elements : most_labels;
    }
    static std::uint32_t bytes_of_object(descriptor::control& variable, object_key key) {
        return elements_of(static_cast<const stored_labels&>(variable), key) * element_labels::room_of_label;
    }
    // Returns the number of elements in place of an address. The number is also the generation, so that a handle is
    // invalid if its object has another number of elements now, because the tool's buffer has the former size.
    static void* locate_object(descriptor::control& variable, object_key key, std::uint32_t& generation) {
        generation = elements_of(static_cast<const stored_labels&>(variable), key);
        return reinterpret_cast<void*>(std::uintptr_t{generation});
    }
    static result read_labels(descriptor::control& variable, void* cell, object_key key, void* buffer) {
        const auto& self = static_cast<const stored_labels&>(variable);
        if (self.label_ == nullptr) return std::memcpy(buffer, self.list_.characters, variable.count), result::success;
        const bool is_bound = self.binding != mpit::binding::none;
        const auto elements =
            is_bound ? static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(cell)) : self.element_count_;
        return element_labels::write_list(buffer, elements * element_labels::room_of_label, elements,
                                          [&](std::uint32_t element, char* label) {
            return element_labels::write_label(label, [&](char* written) {
                self.label_(key, element, written, element_labels::room_of_label, self.data_);
            });
        });
    }
    template <class Handle> static constexpr descriptor::control_operations operations_in_objects() {
        descriptor::control_operations operations = describing_operations<&read_labels>;
        operations.locate = &locate_object;
        operations.elements = &bytes_of_object;
        operations.key = &descriptor::key_at<Handle>;
        return operations;
    }
    static const descriptor::control_operations* operations_for(const dynamic_binding& bound) noexcept {
        static constexpr descriptor::control_operations of_four_bytes = operations_in_objects<std::uint32_t>(),
                                                        of_eight_bytes = operations_in_objects<std::uint64_t>();
        if (bound.kind == mpit::binding::none) return &describing_operations<&read_labels>;
        return bound.handle_size == 4 ? &of_four_bytes : &of_eight_bytes;
    }

    text list_;
    label_function label_;
    std::uint32_t (*elements_)(std::uint64_t handle, void* data);
    void* data_;
    std::uint32_t element_count_;
};

} // namespace internal
} // namespace mpit
