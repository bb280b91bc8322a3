// SPDX-License-Identifier: BSD-3-Clause
// Control variables that adopt a text of the library: a char[N] or a std::string. This header uses only assign(),
// size() and c_str() of the latter (MPI-5.0, 15.3.6).
//
//   char device[64] = "eth0";
//   mpit::control_ref<char[64]> name{this, "DEVICE", "Name of the network device", {.storage = &device}};
#pragma once

#include <mpit/variable/control_array.hpp>
#include <mpit/variable/control_ref.hpp>
#include <mpit/variable/text_value.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The part that both kinds of text share. `Kind` loads and stores the text, answers whether its storage is made, and says whether that
// takes a longer text from outside than tools see.
template <class Kind> class adopted_text : public descriptor::control {
protected:
    template <class Settings>
    constexpr adopted_text(descriptor::category* in_category, core::checked_name called, text meaning,
                           const Settings& chosen, std::uint32_t room)
        : descriptor::control{in_category, called, meaning} {
        type = datatype::char_type;
        count = room;
        operations = &table;
        apply_control_settings(*this, *in_category, chosen);
        has_one_name = false; // its initial value is kept at load
        if (error::is_known_to_be_null(chosen.storage)) error::an_adopted_variable_needs_its_storage();
    }

private:
    static Kind& self(descriptor::control& d) noexcept { return static_cast<Kind&>(d); }
    static result read(descriptor::control& d, void*, object_key, void* value) {
        self(d).load(static_cast<char*>(value));
        return result::success;
    }
    static result write(descriptor::control& d, void*, object_key, const void* value) {
        const auto* characters = static_cast<const char*>(value);
        const std::size_t length = strnlen(characters, d.count);
        if (length == d.count) return result::invalid;
        return self(d).take({characters, static_cast<std::uint32_t>(length)}, true);
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, text written, bool is_running) {
        if (written.length >= d.count && !Kind::takes_any_length) return descriptor::apply_result::no_value;
        if (!self(d).is_made()) return descriptor::apply_result::is_too_early;
        return self(d).take(written, is_running) == result::success ? descriptor::apply_result::taken
                                                                    : descriptor::apply_result::refused;
    }
    static constexpr descriptor::control_operations table{
        .read = &read,
        .write = &write,
        .parse = &parse,
        .locate = &descriptor::locate_descriptor,
        .elements = &descriptor::count_elements,
        .key = nullptr,
        .range = nullptr,
        .initial = Kind::initial_function(),
        .keep_initial = Kind::keep_initial_function(),
    };
};

} // namespace internal

// Settings of an adopted char[N]: the address of its `storage`. It has no `initial` value of its own and no `locate`; the
// others are those of control_settings.
template <std::size_t N> struct adopted_settings<char[N], char[N]> {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    char (*storage)[N] = nullptr;
    internal::in_the_storage initial{};
    internal::initial_text<N> default_value{}; // as tools see it, if it is not the value of the storage at load
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::local;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const characters<N>&) = nullptr;
    reply (*on_write)(const characters<N>&) = nullptr;
    internal::not_bound locate{};
};

// A text in a char[N] of static storage duration. A tool's write changes it byte by byte, so that a library which reads its
// own name at the same moment may see parts of both texts, and always a null; .on_write can say when it is a bad moment. Any
// thread and any signal handler may call get(), which may see parts of both texts as well.
template <std::size_t N>
class control_ref<char[N], char[N]> : public internal::adopted_text<control_ref<char[N], char[N]>> {
    using base_type = internal::adopted_text<control_ref>;
    friend base_type;

public:
    constexpr control_ref(descriptor::category* in_category, core::declared_name called, core::text meaning,
                          const adopted_settings<char[N]>& chosen = internal::no_settings<adopted_settings<char[N]>>)
        : base_type{in_category, called, meaning, chosen, N},
          storage_{chosen.storage},
          functions_{chosen.valid, chosen.on_write} {
        this->has_default_value = chosen.default_value.is_given;
        for (std::size_t i = 0; i < N; i++) initial_[i] = chosen.default_value.value.values[i];
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* in_category, core::declared_name called, core::text meaning,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{in_category, called, meaning} {}
    // The present value.
    MPIT_MODULE_LOCAL characters<N> get() const noexcept {
        characters<N> value;
        load(value.values);
        return value;
    }

private:
    static constexpr bool takes_any_length = false;
    MPIT_MODULE_LOCAL static bool is_made() noexcept { return true; }
    void load(char* buffer) const noexcept { internal::load_text(*storage_, buffer, N); }
    MPIT_MODULE_LOCAL result take(core::text value, bool notifies) noexcept {
        characters<N> wanted;
        std::memcpy(wanted.values, value.characters, value.length);
        const result answer = functions_.ask(wanted, notifies);
        if (answer == result::success) internal::store_text(*storage_, value);
        return answer;
    }
    static constexpr auto initial_function() -> void (*)(descriptor::control&, void*) {
        return
            [](descriptor::control& d, void* buffer) { std::memcpy(buffer, static_cast<control_ref&>(d).initial_, N); };
    }
    static constexpr auto keep_initial_function() -> void (*)(descriptor::control&) {
        return [](descriptor::control& d) { static_cast<control_ref&>(d).load(static_cast<control_ref&>(d).initial_); };
    }

    char (*storage_)[N];
    internal::control_functions<characters<N>> functions_;
    char initial_[N]{}; // its value at load
};

// Settings of an adopted std::string in `storage`, which no thread may read while another one assigns it. It has no `initial`
// value of its own and no `locate`; what is not said here is as in control_settings. `read` copies it for a tool under
// the lock of its library, at most `room` bytes with a null; without `read` the library assigns only while no tool reads.
// `on_write` stores the value that a tool writes, under the same lock; without it tools cannot write. Values from outside
// are assigned, once the library runs through `on_write` if there is one.
template <core::text_object String> struct adopted_settings<String, String> {
    internal::unnamed_setting unnamed = internal::no_unnamed_setting; // a value without a name, which is refused
    String* storage = nullptr;
    internal::in_the_storage initial{};
    std::uint32_t length = 255; // tools see and write so many bytes; values from outside may have more
    void (*read)(char* buffer, std::size_t room) = nullptr;
    descriptor::declared_environment<false> environment{};
    core::former_name renamed_from{};
    const char* deprecated = nullptr;
    mpit::scope scope = mpit::scope::readonly;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool (*valid)(const String&) = nullptr;
    reply (*on_write)(const String&) = nullptr;
    internal::not_bound locate{};
};

// A text in a std::string of static storage duration. Threads of tools read it, and write it through `.on_write`, as its
// settings say; tools must not use it in signal handlers.
template <core::text_object String>
class control_ref<String, String> : public internal::adopted_text<control_ref<String, String>> {
    using base_type = internal::adopted_text<control_ref>;
    friend base_type;

public:
    constexpr control_ref(descriptor::category* in_category, core::declared_name called, core::text meaning,
                          const adopted_settings<String>& chosen = internal::no_settings<adopted_settings<String>>)
        : base_type{in_category, called, meaning, chosen, chosen.length + 1},
          storage_{chosen.storage},
          read_{chosen.read},
          functions_{chosen.valid, chosen.on_write} {
        if (chosen.scope > mpit::scope::readonly && error::is_known_to_be_null(chosen.on_write))
            error::an_adopted_string_that_tools_may_write_needs_an_on_write_that_stores_it();
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* in_category, core::declared_name called, core::text meaning,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{in_category, called, meaning} {}

private:
    static constexpr bool takes_any_length = true;
    // One that has a run-time initializer, which has not run, is zeros.
    MPIT_MODULE_LOCAL bool is_made() const noexcept { return storage_->c_str() != nullptr; }
    MPIT_MODULE_LOCAL void load(char* buffer) const {
        const std::uint32_t room = this->count;
        if (read_ != nullptr) return internal::fill_text(buffer, room, [this, room](char* text) { read_(text, room); });
        std::memset(buffer, 0, room);
        if (!is_made()) return;
        const std::size_t length = storage_->size();
        std::memcpy(buffer, storage_->c_str(), length < room ? length : room - 1);
    }
    MPIT_MODULE_LOCAL result take(core::text value, bool notifies) {
        String wanted;
        wanted.assign(value.characters, value.length);
        const result answer = functions_.ask(wanted, notifies);
        const bool is_stored = notifies && functions_.on_write != nullptr; // by that
        if (answer == result::success && !is_stored) storage_->assign(value.characters, value.length);
        return answer;
    }
    // Its first value is not known: it may change until the program runs.
    static constexpr auto initial_function() -> void (*)(descriptor::control&, void*) { return nullptr; }
    static constexpr auto keep_initial_function() -> void (*)(descriptor::control&) { return nullptr; }

    String* storage_;
    void (*read_)(char* buffer, std::size_t room);
    internal::control_functions<String> functions_;
};

} // namespace mpit

#pragma GCC diagnostic pop
