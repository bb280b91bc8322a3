// SPDX-License-Identifier: BSD-3-Clause
// A control variable of a text that is described at run time. Its length is known then; its buffers follow it in
// memory.
//
//   auto* made = new (room) dynamic_text{inside, texts, settings, initial, length};
#pragma once

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/variable/adopted_text.hpp>
#include <mpit/dynamic/control.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

class dynamic_text : public descriptor::control {
public:
    using settings = dynamic_settings<char[]>;

    // The texts are checked and stay where they are; room_for() bytes behind this object are its own, and zero.
    dynamic_text(descriptor::category* in_category, const dynamic_texts& texts, const settings& chosen, text initial,
                 std::uint32_t length) noexcept
        : control{in_category, texts.checked(), texts.description}, chosen_{chosen} {
        type = datatype::char_type;
        count = length + 1;
        operations = table_of<dynamic_text>(value_location_of(chosen));
        apply_dynamic_settings(*this, *in_category, texts, chosen);
        has_default_value = chosen.default_value != nullptr;
        if (has_default_value) store(core::present_buffer::initial_buffer, chosen.default_value);
        else if (is_kept(chosen)) store(core::present_buffer::initial_buffer, initial);
    }
    // Most bytes of the value: as chosen, or one less than a power of two.
    static std::uint32_t length_of(const settings& chosen, text initial) noexcept {
        if (chosen.length != 0 || !is_kept(chosen)) return chosen.length;
        std::uint32_t length = 63;
        while (length < initial.length) length = 2 * length + 1;
        return length;
    }
    static std::size_t room_for(const settings& chosen, std::uint32_t length) noexcept {
        return buffers_of(chosen) * words_for(length + 1) * sizeof(std::uint64_t);
    }
    static bool is_possible(const settings& chosen, text description, text initial) noexcept {
        if (initial.length >= largest_text || chosen.length >= largest_text) return false;
        const std::uint32_t length = length_of(chosen, initial);
        const bool has_default = chosen.default_value != nullptr;
        if (chosen.any_length && (is_kept(chosen) || chosen.on_write == nullptr)) return false;
        if (has_default && (chosen.storage == nullptr || text{chosen.default_value}.length > length)) return false;
        return is_possible_control(chosen, description) && initial.length <= length && length != 0;
    }

private:
    static dynamic_text& self(descriptor::control& d) noexcept { return static_cast<dynamic_text&>(d); }
    static bool is_kept(const settings& chosen) noexcept { return chosen.storage == nullptr && chosen.read == nullptr; }
    // One of them has the initial value. A text that never changes here has no spare buffers.
    static std::size_t buffers_of(const settings& chosen) noexcept {
        return chosen.scope == mpit::scope::constant || !is_kept(chosen) ? 1 : 1 + core::present_buffer::spare_count;
    }
    static std::size_t words_for(std::uint32_t bytes) noexcept { return (bytes + 7) / 8; }
    core::atomic<std::uint64_t>* buffer(int number) noexcept {
        const std::size_t index =
            number == core::present_buffer::initial_buffer ? 0 : static_cast<std::size_t>(number) + 1;
        return reinterpret_cast<core::atomic<std::uint64_t>*>(this + 1) + index * words_for(count);
    }
    void store(int number, text value) noexcept {
        core::atomic<std::uint64_t>* words = buffer(number);
        for (std::uint32_t offset = 0; offset < count; offset += 8) {
            std::uint64_t word = 0;
            const std::uint32_t left = offset < value.length ? value.length - offset : 0;
            if (left != 0) std::memcpy(&word, value.characters + offset, left < 8 ? left : 8);
            words[offset / 8].store(word);
        }
    }

    void load(int number, char* target) noexcept {
        for (std::uint32_t offset = 0; offset < count; offset += 8) {
            const std::uint64_t word = buffer(number)[offset / 8].load();
            std::memcpy(target + offset, &word, count - offset < 8 ? count - offset : 8);
        }
    }

    // Bytes behind the null are read as nulls.
    static result read(descriptor::control& d, void*, object_key, void* value) {
        dynamic_text& variable = self(d);
        auto* buffer = static_cast<char*>(value);
        if (is_kept(variable.chosen_)) {
            variable.present_.read([&](int number) { variable.load(number, buffer); });
            return result::success;
        }
        if (variable.chosen_.read == nullptr) {
            load_text(variable.chosen_.storage, buffer, variable.count);
            return result::success;
        }
        fill_text(buffer, variable.count,
                  [&](char* room) { variable.chosen_.read(room, variable.count, variable.chosen_.data); });
        return result::success;
    }
    static result write(descriptor::control& d, void*, object_key, const void* value) {
        // A variable that was loaded again keeps the scope that tools know.
        if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
        const auto* characters = static_cast<const char*>(value);
        const std::size_t length = strnlen(characters, d.count);
        return length == d.count ? result::invalid
                                 : self(d).take({characters, static_cast<std::uint32_t>(length)}, true);
    }
    static void put_initial(descriptor::control& d, void* value) {
        self(d).load(core::present_buffer::initial_buffer, static_cast<char*>(value));
    }
    // The buffer is not shared yet.
    static void keep_initial(descriptor::control& d) {
        if (is_kept(self(d).chosen_)) return;
        static_cast<void>(read(d, nullptr, 0, self(d).buffer(core::present_buffer::initial_buffer)));
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        const bool is_longer = written.length >= d.count;
        if (is_longer && !self(d).chosen_.any_length) return descriptor::apply_result::no_value;
        const bool notifies = is_running || is_longer || self(d).chosen_.read != nullptr;
        return self(d).take(written, notifies) == result::success ? descriptor::apply_result::taken
                                                                 : descriptor::apply_result::refused;
    }
    result take(text wanted, bool notifies) noexcept {
        if (chosen_.valid != nullptr && !chosen_.valid(wanted.characters, chosen_.data)) return result::invalid;
        if (chosen_.read != nullptr && chosen_.on_write == nullptr) return result::cannot_set_ever;
        if (notifies && chosen_.on_write != nullptr) {
            const result answer = result_of(chosen_.on_write(wanted.characters, chosen_.data));
            if (answer != result::success) return answer;
        }
        if (chosen_.storage != nullptr) {
            store_text(chosen_.storage, {wanted.characters, wanted.length < count ? wanted.length : count - 1});
            return result::success;
        }
        if (chosen_.read != nullptr) return result::success;
        return present_.write([&](int number) { store(number, wanted); }) ? result::success : result::cannot_set_now;
    }
    template <value_location Where>
    static constexpr descriptor::control_operations table{
        .read = &read,
        .write = &write,
        .parse = &parse,
        .locate = &descriptor::locate_descriptor,
        .elements = &descriptor::count_elements,
        .key = nullptr,
        .range = nullptr,
        .initial = Where != value_location::kept ? nullptr : &put_initial,
        .keep_initial = Where != value_location::kept ? nullptr : &keep_initial,
        .takes_values = Where != value_location::passed,
    };

    template <class Tables> friend const descriptor::control_operations* table_of(value_location) noexcept;

    const settings chosen_; // its initial text and environment are not used again
    core::present_buffer present_;
};

} // namespace internal
} // namespace mpit
