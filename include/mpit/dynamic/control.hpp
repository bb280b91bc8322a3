// SPDX-License-Identifier: BSD-3-Clause
// The class of control variables that are described at run time. One class serves numbers, enumerations, lists of
// numbers and texts. The value is in the variable, in storage of the library or in MPI objects, or comes from functions
// of the library. defect_of() checks a description at run time, because the compiler cannot check the description.
//
//   new (core::placement{memory}) described_control{category, texts, items, description};
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/dynamic/description.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The reason why a description is rejected, or `none` for a possible description. are_possible_items() checks the
// items.
enum class control_defect : std::uint8_t {
    none,
    constants,  // the scope or the verbosity does not exist
    writer,     // tools may write in this scope, but no function stores the value
    words,      // several processes have to change the variable, but the description is empty
    storage,    // storage and a `read` function, or a default without storage
    any_length, // no function stores a text of any length
    count,      // zero, too large, or less than a text needs
    binding,
    range, // the range is empty or does not contain the initial number
};

class described_control : public descriptor::control {
public:
    static constexpr std::uint32_t max_numbers = 512;

    // The arguments must be valid, and the texts and items must stay in place. The caller provides trailing_bytes()
    // zeroed bytes after the object. If the description has functions, the trailing bytes begin with these functions.
    // The remaining bytes have the initial numbers of a list, the default of an adopted text, or the sequence lock of a
    // text that is not adopted.
    [[gnu::always_inline]] described_control(descriptor::category* parent, const control_texts& texts,
                                             const core::enumeration_view& items,
                                             const control_description& from) noexcept
        : control{parent, texts.checked(), texts.description} {
        type = from.is_text ? datatype::char_type : from.codec.type;
        count = from.count;
        enumeration = items;
        unit = from.unit;
        binding = from.bound.kind;
        codec = from.codec;
        call_functions = from.call_functions;
        has_default_value = from.has_default;
        has_limits = from.has_limits;
        accepts_any_length = from.any_length;
        is_adopted = from.storage != nullptr;
        if (is_adopted) std::memcpy(storage_, &from.storage, sizeof from.storage);
        storage_offset = __builtin_offsetof(described_control, storage_);
        if (from.has_functions()) new (core::placement{this + 1}) value_functions{from.functions};
        apply(*parent, texts, from);
        if (!from.is_text) {
            range_offset = __builtin_offsetof(described_control, range_);
            descriptor::word_to_buffer(codec, from.minimum, range_);
            descriptor::word_to_buffer(codec, from.maximum, range_ + codec.tool_size);
        }
        if (from.functions.source != nullptr) use_functions(from);
        else if (from.is_text) use_text(from);
        else use_numbers(from);
    }
    // Returns the functions of the variable's description. The description must have functions.
    const value_functions& functions() const noexcept { return *reinterpret_cast<const value_functions*>(this + 1); }
    static std::size_t trailing_bytes(const control_description& from) noexcept {
        const std::size_t functions_size = from.has_functions() ? sizeof(value_functions) : 0;
        if (from.functions.source != nullptr) return functions_size;
        if (!from.is_text) return functions_size + (from.is_list ? std::size_t{from.count} * from.codec.tool_size : 0);
        if (from.storage != nullptr) return functions_size + from.count;
        // The sequence lock of a constant text needs no spare buffers, because no thread writes the text.
        const int buffers = from.scope == scope::constant ? 1 : 1 + core::buffer_selection::spare_count;
        return functions_size + sizeof(core::buffer_selection) +
               static_cast<std::size_t>(buffers) * ((from.count + 7) / 8) * 8;
    }
    // Returns the defect of a description, but does not check the items of an enumeration.
    static control_defect defect_of(const control_description& from, text description) noexcept {
        using enum control_defect;
        const bool has_storage = from.storage != nullptr, is_stored_by_functions = from.functions.read != nullptr;
        const bool is_bound = from.functions.locate != nullptr, has_writer = from.functions.on_write != nullptr;
        if (static_cast<int>(from.scope) >= scope_count || static_cast<int>(from.verbosity) >= verbosity_count)
            return constants;
        // If no tool can write a variable, the variable's scope has to be readonly or constant.
        if (is_stored_by_functions && !has_writer && from.scope > scope::readonly) return writer;
        if (from.scope >= scope::group && description.length == 0) return words;
        if ((has_storage && is_stored_by_functions) || (from.has_default && !has_storage)) return storage;
        if (from.any_length && (from.has_own_value() || !has_writer)) return any_length;
        if (from.is_text && (from.initial_text.length >= from.count || from.default_text.length >= from.count))
            return count;
        if (from.count < (from.is_text ? 2 : 1) || from.count > (from.is_text ? core::largest_text : max_numbers))
            return count;
        if (is_bound &&
            (!is_possible_binding(from.bound.kind, from.bound.handle_size) || from.bound.elements != nullptr))
            return binding;
        if (!from.has_limits) return none;
        const auto is_inside = [&](std::uint64_t word) {
            return descriptor::is_between(from.codec, from.minimum, word, from.maximum);
        };
        return is_inside(from.minimum) && (!from.has_initial() || is_inside(from.initial)) ? none : range;
    }
    static bool are_possible_items(const control_description& from, const core::enumeration_view& items) noexcept {
        if (items.count == 0) return true;
        if (from.codec.type != datatype::int_type || from.is_list || from.count != 1) return false;
        if (from.storage != nullptr && !items.has(static_cast<int>(descriptor::load(from.codec, from.storage))))
            return false;
        return !from.has_initial() || items.has(static_cast<int>(from.initial));
    }

private:
    void use_functions(const control_description& from) noexcept {
        is_stored_by_functions = from.functions.read != nullptr;
        accepts_values = !is_stored_by_functions || from.functions.on_write != nullptr;
        operations = is_stored_by_functions        ? from.is_text ? &text_of_functions : &numbers_of_functions
                     : from.bound.handle_size == 4 ? &numbers_in_objects<std::uint32_t>
                                                   : &numbers_in_objects<std::uint64_t>;
    }
    void use_numbers(const control_description& from) noexcept {
        const bool is_list = from.is_list;
        operations = is_list ? &descriptor::numbers_in_memory : &descriptor::number_in_memory<&descriptor::parse_any>;
        is_one_number = count == 1 && !is_list && codec.is_stored_unconverted();
        initial_offset = is_list ? trailing_offset() : __builtin_offsetof(described_control, initial_);
        if (is_list) return descriptor::set_initial_from_storage(*this);
        descriptor::word_to_buffer(codec, from.initial, initial_);
        if (!is_adopted) descriptor::store(codec, storage_, from.initial);
    }
    void use_text(const control_description& from) noexcept {
        const text initial = is_adopted ? from.default_text : from.initial_text;
        if (is_adopted) {
            operations = &descriptor::text_in_memory;
            initial_offset = trailing_offset();
        } else {
            operations = &descriptor::text_in_seqlock;
            storage_offset = trailing_offset();
            initial_offset = storage_offset + sizeof(core::buffer_selection);
            new (core::placement{descriptor::part_of(*this, storage_offset)}) core::buffer_selection;
        }
        if (initial.length != 0)
            std::memcpy(descriptor::part_of(*this, initial_offset), initial.characters, initial.length);
    }
    // Returns the offset of the first byte after the object and its functions.
    std::uint32_t trailing_offset() const noexcept {
        return sizeof(described_control) + (call_functions != nullptr ? sizeof(value_functions) : 0);
    }
    void apply(const descriptor::category& parent, const control_texts& texts,
               const control_description& from) noexcept {
        const bool has_names = from.environment.are_none || texts.environment.length != 0;
        rules = parent.rules;
        if (parent.rules->notifies_library()) resolution.store(descriptor::control::resolved);
        environment = !has_names && parent.has_rules         ? parent.rules->environment
                      : core::equal(texts.environment, name) ? name.characters
                                                             : texts.environment.characters;
        former_name = texts.renamed_from.length != 0 ? texts.renamed_from.characters : nullptr;
        deprecation = texts.deprecated.length != 0 ? texts.deprecated.characters : nullptr;
        scope = from.scope;
        verbosity = from.verbosity;
    }

    static described_control& self(descriptor::control& d) noexcept { return static_cast<described_control&>(d); }
    static result read_function(descriptor::control& d, void*, object_key, void* buffer) {
        const value_functions& library = self(d).functions();
        library.read(library, buffer, d.count);
        return result::success;
    }
    // Stores nothing, because the library's function `on_write` has already stored the value.
    static result store_nothing(descriptor::control&, void*, object_key, const void*, bool) noexcept {
        return result::success;
    }
    static void* locate_in_object(descriptor::control& d, object_key handle, std::uint32_t& generation) {
        generation = 0;
        const value_functions& library = self(d).functions();
        return library.locate(library, handle);
    }
    static const descriptor::control_operations numbers_of_functions, text_of_functions;
    template <class Handle> static const descriptor::control_operations numbers_in_objects;

    alignas(8) unsigned char storage_[8]{}; // value of one number, or address of adopted storage
    alignas(8) unsigned char initial_[8]{}; // initial value of one number
    alignas(8) unsigned char range_[16]{};  // minimum and maximum of a number
};

inline constexpr descriptor::control_operations described_control::numbers_of_functions{
    .read = &read_function,
    .write = &descriptor::write_numbers,
    .parse = &descriptor::parse_number,
    .parse_number = &descriptor::parse_any,
    .store = &store_nothing,
    .locate = &descriptor::locate_storage,
};
inline constexpr descriptor::control_operations described_control::text_of_functions{
    .read = &read_function,
    .write = &descriptor::write_text,
    .parse = &descriptor::parse_text,
    .store = &store_nothing,
    .locate = &descriptor::locate_storage,
};
template <class Handle>
inline constexpr descriptor::control_operations described_control::numbers_in_objects{
    .read = &descriptor::read_numbers,
    .write = &descriptor::write_numbers,
    .parse = &descriptor::parse_bound,
    .store = &descriptor::store_numbers,
    .locate = &locate_in_object,
    .key = &descriptor::key_at<Handle>,
};

} // namespace internal
} // namespace mpit
