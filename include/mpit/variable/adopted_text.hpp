// SPDX-License-Identifier: BSD-3-Clause
// Control variables that adopt a text of the library: a char[N] or a std::string. This header uses only assign(),
// size() and c_str() of the latter (MPI-5.0, 15.3.6).
//
//   char device[64] = "eth0";
//   mpit::control_ref<char[64]> name{this, "DEVICE", "Name of the network device", {.storage = &device}};
#pragma once

#include <mpit/variable/control_array.hpp>
#include <mpit/variable/control_ref.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // members of a class whose base has members

namespace mpit::inline v0_1 {
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
class control_ref<char[N], char[N]> : public internal::declared_control<characters<N>> {
    using base_type = internal::declared_control<characters<N>>;

public:
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const adopted_settings<char[N]>& settings = internal::no_settings<adopted_settings<char[N]>>)
        : base_type{in_category, name, description, settings},
          storage_{settings.storage},
          initial_{settings.default_value.value} {
        internal::adopt(*this, settings.storage, settings.default_value.is_given);
        this->type = datatype::char_type;
        this->count = N;
        this->storage_offset = __builtin_offsetof(control_ref, storage_);
        this->initial_offset = __builtin_offsetof(control_ref, initial_);
        this->operations = &descriptor::text_in_memory;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{in_category, name, description} {}
    // The present value.
    MPIT_MODULE_LOCAL characters<N> get() const noexcept {
        characters<N> value;
        core::load_text(*storage_, value.values, N);
        return value;
    }

private:
    char (*storage_)[N];
    characters<N> initial_; // its value at load
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
class control_ref<String, String> : public internal::declared_control<String> {
    using base_type = internal::declared_control<String>;

public:
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const adopted_settings<String>& settings = internal::no_settings<adopted_settings<String>>)
        : base_type{in_category, name, description, settings}, storage_{settings.storage}, read_{settings.read} {
        if (error::is_known_to_be_null(settings.storage)) error::an_adopted_variable_needs_its_storage();
        if (settings.scope > mpit::scope::readonly && error::is_known_to_be_null(settings.on_write))
            error::an_adopted_string_that_tools_may_write_needs_an_on_write_that_stores_it();
        this->type = datatype::char_type;
        this->count = settings.length + 1;
        this->has_one_name = false;
        this->takes_any_length = true;
        this->operations = &string_operations;
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr control_ref(descriptor::category* in_category, core::declared_name name, core::text description,
                          const internal::unnamed_setting&, const More&...)
        : control_ref{in_category, name, description} {}

private:
    using object_key = descriptor::object_key;
    static control_ref& self(descriptor::control& d) noexcept { return static_cast<control_ref&>(d); }

    // One that has a run-time initializer, which has not run, is zeros.
    bool is_made() const noexcept { return storage_->c_str() != nullptr; }
    static result read(descriptor::control& d, void*, object_key, void* buffer) {
        self(d).load(static_cast<char*>(buffer));
        return result::success;
    }
    void load(char* buffer) const {
        const std::uint32_t room = this->count;
        if (read_ != nullptr) return core::fill_text(buffer, room, [this, room](char* text) { read_(text, room); });
        std::memset(buffer, 0, room);
        if (!is_made()) return;
        const std::size_t length = storage_->size();
        std::memcpy(buffer, storage_->c_str(), length < room ? length : room - 1);
    }
    [[gnu::cold]] static descriptor::apply_result parse(descriptor::control& d, core::text written, bool is_running) {
        if (!self(d).is_made()) return descriptor::apply_result::is_too_early;
        return descriptor::take_from_outside(d, written.characters, is_running);
    }
    // An .on_write that hears of the text has stored it.
    static result store(descriptor::control& d, void*, object_key, const void* value, bool notifies) {
        const auto* const characters = static_cast<const char*>(value);
        if (!notifies || !self(d).has_on_write()) self(d).storage_->assign(characters, std::strlen(characters));
        return result::success;
    }
    static constexpr descriptor::control_operations string_operations{.read = &read,
                                                                      .write = &descriptor::write_text,
                                                                      .parse = &parse,
                                                                      .store = &store,
                                                                      .locate = &descriptor::locate_storage,
                                                                      .elements = nullptr,
                                                                      .key = nullptr};

    String* storage_;
    void (*read_)(char* buffer, std::size_t room);
};

} // namespace mpit

#pragma GCC diagnostic pop
