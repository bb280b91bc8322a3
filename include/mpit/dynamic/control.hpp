// SPDX-License-Identifier: BSD-3-Clause
// Control variables that are described at run time: one class for numbers, enumerations, lists of numbers and texts, in
// storage, behind functions and in MPI objects. No compiler checks a description: is_possible() does.
//
//   new (core::place{memory}) described_control{category, texts, items, description};
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/dynamic/description.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

class described_control : public descriptor::control {
public:
    static constexpr std::uint32_t most_numbers = 512;

    // Texts, items and the description are checked, and texts and items stay where they are. room_for() bytes behind
    // this object are its own, and zero: the initial numbers of a list, the buffers of a text, or the operations of a
    // value that is not in memory.
    [[gnu::always_inline]] described_control(descriptor::category* in_category, const control_texts& texts,
                                             const core::enumeration_view& items,
                                             const control_description& from) noexcept
        : control{in_category, texts.checked(), texts.description}, value{from.value} {
        if (from.functions.are_any()) value.functions = new (core::place{this + 1}) value_functions{from.functions};
        value.has_limits = from.value.has_limits || items.count != 0;
        type = value.codec.type;
        count = from.count;
        enumeration = items;
        unit = from.unit;
        binding = from.bound.kind;
        has_default_value = from.has_default;
        operations = from.functions.source == nullptr ? from.operations : own_operations(from);
        apply(*in_category, texts, from);
        if (from.is_text()) begin_with_text(from);
        else if (value.is_list) keep_initial(*this);
        else if (from.is_kept()) {
            value.storage = &value.kept;
            descriptor::store(value.codec, value.storage, from.value.kept);
        }
    }
    static std::size_t room_for(const control_description& from) noexcept {
        const std::size_t functions = from.functions.are_any() ? sizeof(value_functions) : 0;
        if (from.functions.source != nullptr) return functions + sizeof(descriptor::control_operations);
        if (!from.is_text())
            return functions + (from.value.is_list ? std::size_t{from.count} * from.value.codec.stored_size : 0);
        // One that never changes here has no spare buffers.
        const bool changes = from.is_kept() && from.scope != mpit::scope::constant;
        const std::size_t buffers = changes ? 1 + core::present_buffer::spare_count : 1;
        return functions + sizeof(core::present_buffer) + buffers * words_for(from.count) * 8;
    }
    // Of all but the items.
    static bool is_possible(const control_description& from, text description) noexcept {
        const bool has_storage = from.value.storage != nullptr, is_passed = from.functions.read != nullptr;
        // A variable that no tool can write has a scope that says so.
        const bool refuses_all = is_passed && from.functions.on_write == nullptr;
        if (static_cast<int>(from.scope) >= scope_count || static_cast<int>(from.verbosity) >= verbosity_count ||
            (refuses_all && from.scope > scope::readonly) || (from.scope >= scope::group && description.length == 0) ||
            (has_storage && is_passed) || (from.has_default && !has_storage))
            return false;
        return from.is_text() ? is_possible_text(from) : are_possible_numbers(from);
    }
    static bool are_possible_items(const control_description& from, const core::enumeration_view& items) noexcept {
        const control_value& value = from.value;
        if (items.count == 0) return true;
        if (value.codec.type != datatype::int_type || value.is_list || from.count != 1) return false;
        if (value.storage != nullptr && !has_item(items, descriptor::load(value.codec, value.storage))) return false;
        return !from.has_initial() || has_item(items, value.initial);
    }

    // In storage, and perhaps one number that tools see as it is there.
    template <bool IsStoredAsSeen> static const descriptor::control_operations number_operations;
    static const descriptor::control_operations text_operations;

    control_value value;

private:
    static described_control& self(descriptor::control& d) noexcept { return static_cast<described_control&>(d); }

    static bool is_possible_text(const control_description& from) noexcept {
        if (from.value.any_length && (from.is_kept() || from.functions.on_write == nullptr)) return false;
        return from.count > 1 && from.count <= largest_text && from.initial_text.length < from.count &&
               from.default_text.length < from.count;
    }
    static bool has_item(const core::enumeration_view& items, std::uint64_t word) noexcept {
        return items.count == 0 || items.has(static_cast<int>(word));
    }
    [[gnu::always_inline]] static bool are_possible_numbers(const control_description& from) noexcept {
        const control_value& value = from.value;
        const descriptor::number_codec& codec = value.codec;
        const bool is_bound = from.functions.locate != nullptr;
        if (is_bound &&
            (!is_possible_binding(from.bound.kind, from.bound.handle_size) || from.bound.elements != nullptr))
            return false;
        if (from.count == 0 || from.count > most_numbers) return false;
        return !value.has_limits ||
               (descriptor::is_between(codec, value.minimum, value.minimum, value.maximum) &&
                (!from.has_initial() || descriptor::is_between(codec, value.minimum, value.initial, value.maximum)));
    }

    // Behind this object, and its functions if it has any.
    void* own_part() noexcept {
        return reinterpret_cast<char*>(this + 1) + (value.functions != nullptr ? sizeof(value_functions) : 0);
    }
    // Those of a value that is not in memory are there: constant ones would be relocated in each process.
    const descriptor::control_operations* own_operations(const control_description& from) noexcept {
        auto* const own = new (core::place{own_part()}) descriptor::control_operations{*from.operations};
        own->initial = nullptr; // unknown: only tools may call the function
        own->keep_initial = nullptr;
        own->number = nullptr;
        if (value.is_passed()) {
            own->locate = &descriptor::locate_descriptor;
            own->read = [](descriptor::control& d, void*, object_key, void* buffer) {
                self(d).value.functions->read(*self(d).value.functions, buffer, d.count);
                return result::success;
            };
            own->takes_values = value.functions->on_write != nullptr;
        } else {
            own->locate = [](descriptor::control& d, object_key handle, std::uint32_t& generation) {
                generation = 0;
                return self(d).value.functions->locate(*self(d).value.functions, handle);
            };
            own->key =
                from.bound.handle_size == 4 ? &descriptor::key_at<std::uint32_t> : &descriptor::key_at<std::uint64_t>;
            own->parse = [](descriptor::control&, text, bool) { return descriptor::apply_result::is_bound; };
            own->range = nullptr;
        }
        return own;
    }
    void apply(const descriptor::category& inside, const control_texts& own, const control_description& from) noexcept {
        const bool has_names = from.environment.are_none || own.environment.length != 0;
        rules = inside.rules;
        if (inside.rules->tells_library()) resolution.store(descriptor::control::resolved);
        environment = !has_names && inside.has_rules       ? inside.rules->environment
                      : core::equal(own.environment, name) ? name.characters
                                                           : own.environment.characters;
        former_name = own.renamed_from.length != 0 ? own.renamed_from.characters : nullptr;
        deprecation = own.deprecated.length != 0 ? own.deprecated.characters : nullptr;
        scope = from.scope;
        verbosity = from.verbosity;
    }

    result ask(object_key handle, const void* seen, bool notifies) const noexcept {
        const value_functions& own = *value.functions;
        return own.ask == nullptr ? result::success : own.ask(value, handle, seen, notifies);
    }

    // Numbers. Each is read and written by one atomic access: a reader while several change may see old and new ones.
    static void* locate_storage(descriptor::control& d, object_key, std::uint32_t& generation) noexcept {
        generation = 0;
        return self(d).value.storage;
    }
    // A bool and an enumeration are one int for tools.
    static result read_numbers(descriptor::control& d, void* storage, object_key, void* buffer) {
        const descriptor::number_codec& codec = self(d).value.codec;
        if (!codec.is_stored_as_seen()) {
            const auto seen = static_cast<int>(descriptor::load(codec, storage));
            return std::memcpy(buffer, &seen, sizeof seen), result::success;
        }
        auto* to = static_cast<char*>(buffer);
        const std::size_t size = codec.seen_size, bytes = d.count * size;
        if (size == 4) {
            auto* from = static_cast<const descriptor::stored_32*>(storage);
            for (std::size_t i = 0; i < bytes; i += 4) {
                const std::uint32_t number = __atomic_load_n(from++, __ATOMIC_RELAXED);
                std::memcpy(to + i, &number, 4);
            }
        } else {
            auto* from = static_cast<const descriptor::stored_64*>(storage);
            for (std::size_t i = 0; i < bytes; i += 8) {
                const std::uint64_t number = __atomic_load_n(from++, __ATOMIC_RELAXED);
                std::memcpy(to + i, &number, 8);
            }
        }
        return result::success;
    }
    static result write_numbers(descriptor::control& d, void* storage, object_key key, const void* buffer) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        alignas(8) unsigned char numbers[most_numbers * 8];
        const std::size_t bytes = std::size_t{d.count} * self(d).value.codec.seen_size; // 4 or 8 each
        for (std::size_t i = 0; i < bytes; i += 4) std::memcpy(numbers + i, static_cast<const char*>(buffer) + i, 4);
        return self(d).take(storage, key, numbers, true);
    }
    [[gnu::cold]] static descriptor::apply_result parse_numbers(descriptor::control& d, text written, bool is_running) {
        described_control& variable = self(d);
        const control_value& value = variable.value;
        alignas(8) unsigned char numbers[most_numbers * 8];
        const bool has_comma = std::memchr(written.characters, ',', written.length) != nullptr;
        const char separator = d.count == 2 && !has_comma ? ':' : ',';
        for (std::uint32_t i = 0; i < d.count; i++) {
            text element = written;
            const bool is_more = value.is_list && core::take_element(written, element, separator);
            if (value.is_list) element = core::without_blanks(element);
            std::uint64_t word = 0;
            if (is_more != (i + 1 < d.count) || !value.parse(d, element, word) || !variable.accepts(word))
                return descriptor::apply_result::no_value;
            descriptor::show_word(value.codec, word, numbers + std::size_t{i} * value.codec.seen_size);
        }
        return variable.take(value.storage, 0, numbers, is_running || value.is_passed()) == result::success
                   ? descriptor::apply_result::taken
                   : descriptor::apply_result::refused;
    }
    bool accepts(std::uint64_t word) const noexcept {
        return has_item(enumeration, word) && descriptor::is_between(value.codec, value.minimum, word, value.maximum);
    }
    // `numbers` are aligned, as tools see them.
    [[gnu::always_inline]] result take(void* storage, object_key handle, const unsigned char* numbers,
                                       bool notifies) noexcept {
        const descriptor::number_codec codec = value.codec;
        const unsigned char* const end = numbers + std::size_t{count} * codec.seen_size;
        for (const unsigned char* number = numbers; value.has_limits && number != end; number += codec.seen_size)
            if (!accepts(descriptor::seen_word(codec, number))) return result::invalid;
        if (value.functions != nullptr) {
            const result status = ask(handle, numbers, notifies);
            if (status != result::success || value.is_passed()) return status;
        }
        auto* to = static_cast<char*>(storage);
        for (; numbers != end; numbers += codec.seen_size, to += codec.stored_size)
            descriptor::store(codec, to, descriptor::seen_word(codec, numbers));
        return result::success;
    }
    static const void* number(descriptor::control& d) { return self(d).value.storage; }
    [[gnu::cold]] static void put_range(descriptor::control& d, void* low, void* high) {
        descriptor::show_word(self(d).value.codec, self(d).value.minimum, low);
        descriptor::show_word(self(d).value.codec, self(d).value.maximum, high);
    }
    [[gnu::cold]] static void put_initial(descriptor::control& d, void* buffer) {
        if (self(d).value.is_list)
            std::memcpy(buffer, self(d).own_part(), std::size_t{d.count} * self(d).value.codec.stored_size);
        else descriptor::show_word(self(d).value.codec, self(d).value.initial, buffer);
    }
    [[gnu::cold]] static void keep_initial(descriptor::control& d) {
        control_value& value = self(d).value;
        if (value.is_list) static_cast<void>(read_numbers(d, value.storage, 0, self(d).own_part()));
        else value.initial = descriptor::load(value.codec, value.storage);
    }

    // Texts. That of the variable itself is in several buffers, of which the first has the initial text.
    static std::size_t words_for(std::uint32_t bytes) noexcept { return (bytes + 7) / 8; }
    void begin_with_text(const control_description& from) noexcept {
        if (value.is_passed()) return;
        new (core::place{own_part()}) core::present_buffer;
        if (from.has_default) store(core::present_buffer::initial_buffer, from.default_text);
        else if (value.storage == nullptr) store(core::present_buffer::initial_buffer, from.initial_text);
    }
    core::present_buffer& present() noexcept { return *static_cast<core::present_buffer*>(own_part()); }
    core::atomic<std::uint64_t>* buffer(int number) noexcept {
        const std::size_t index =
            number == core::present_buffer::initial_buffer ? 0 : static_cast<std::size_t>(number) + 1;
        return reinterpret_cast<core::atomic<std::uint64_t>*>(&present() + 1) + index * words_for(count);
    }
    void store(int number, text written) noexcept {
        core::atomic<std::uint64_t>* words = buffer(number);
        for (std::uint32_t offset = 0; offset < count; offset += 8) {
            std::uint64_t word = 0;
            const std::uint32_t left = offset < written.length ? written.length - offset : 0;
            if (left != 0) std::memcpy(&word, written.characters + offset, left < 8 ? left : 8);
            words[offset / 8].store(word);
        }
    }
    void load(int number, char* target) noexcept {
        const core::atomic<std::uint64_t>* const words = buffer(number);
        for (std::uint32_t offset = 0; offset < count; offset += 8) {
            const std::uint64_t word = words[offset / 8].load();
            std::memcpy(target + offset, &word, count - offset < 8 ? count - offset : 8);
        }
    }
    // Bytes behind the null are read as nulls.
    static result read_text(descriptor::control& d, void*, object_key, void* target) {
        auto* const characters = static_cast<char*>(target);
        if (self(d).value.storage != nullptr)
            load_text(static_cast<const char*>(self(d).value.storage), characters, d.count);
        else self(d).present().read([&](int number) { self(d).load(number, characters); });
        return result::success;
    }
    static result write_text(descriptor::control& d, void*, object_key, const void* target) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        const auto* const characters = static_cast<const char*>(target);
        const std::size_t length = strnlen(characters, d.count);
        return length == d.count ? result::invalid
                                 : self(d).take({characters, static_cast<std::uint32_t>(length)}, true);
    }
    [[gnu::cold]] static descriptor::apply_result parse_text(descriptor::control& d, text written, bool is_running) {
        const control_value& value = self(d).value;
        const bool is_longer = written.length >= d.count;
        if (is_longer && !value.any_length) return descriptor::apply_result::no_value;
        return self(d).take(written, is_running || is_longer || value.is_passed()) == result::success
                   ? descriptor::apply_result::taken
                   : descriptor::apply_result::refused;
    }
    // Each text from everywhere passes here.
    result take(text written, bool notifies) noexcept {
        if (value.functions != nullptr) {
            const result status = ask(0, written.characters, notifies);
            if (status != result::success || value.is_passed()) return status;
        }
        if (value.storage == nullptr)
            return present().write([&](int number) { store(number, written); }) ? result::success
                                                                                : result::cannot_set_now;
        const std::uint32_t length = written.length < count ? written.length : count - 1;
        return store_text(static_cast<char*>(value.storage), {written.characters, length}), result::success;
    }
    [[gnu::cold]] static void put_initial_text(descriptor::control& d, void* target) {
        self(d).load(core::present_buffer::initial_buffer, static_cast<char*>(target));
    }
    // The buffer is not shared yet.
    [[gnu::cold]] static void keep_initial_text(descriptor::control& d) {
        if (self(d).value.storage != nullptr)
            static_cast<void>(read_text(d, nullptr, 0, self(d).buffer(core::present_buffer::initial_buffer)));
    }
};

template <bool IsStoredAsSeen>
inline constexpr descriptor::control_operations described_control::number_operations{
    .read = &read_numbers,
    .write = &write_numbers,
    .parse = &parse_numbers,
    .locate = &locate_storage,
    .elements = &descriptor::count_elements,
    .key = nullptr,
    .range = &put_range,
    .initial = &put_initial,
    .keep_initial = &keep_initial,
    .takes_values = true,
    .number = IsStoredAsSeen ? &number : nullptr,
};
inline constexpr descriptor::control_operations described_control::text_operations{
    .read = &read_text,
    .write = &write_text,
    .parse = &parse_text,
    .locate = &descriptor::locate_descriptor,
    .elements = &descriptor::count_elements,
    .key = nullptr,
    .range = nullptr,
    .initial = &put_initial_text,
    .keep_initial = &keep_initial_text,
};

} // namespace internal
} // namespace mpit
