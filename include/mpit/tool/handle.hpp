// SPDX-License-Identifier: BSD-3-Clause
// Handles on control variables and performance variables as C++ values (MPI-5.0, 15.3.6 and 15.3.7). The type, the
// number of elements and the enumeration are checked only when a handle is allocated.
//
//   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(2 * limit.read().value_or(1024));
//   auto messages = session.performance<unsigned long>("messages_sent", performance_class::counter, MPI_COMM_WORLD);
#pragma once

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/object.hpp>    // IWYU pragma: export
#include <mpit/tool/to_string.hpp> // IWYU pragma: export
#include <mpit/tool/typed_value.hpp>

#include <cstring>
#include <memory>
#include <utility>

namespace mpit::inline v1_0::tool {

// Returns MPI_T_ERR_INVALID_HANDLE if an MPI object is passed for an unbound variable, or if no MPI object is passed
// for a bound variable. For the library's own use.
inline result check(const object& bound_object, binding required) noexcept {
    return bound_object.is_there() == (required != binding::none) ? result::success : result::invalid_handle;
}

// Keeps a tool interface initialized for the lifetime of this object. Libraries, sessions and handles may be destroyed
// in any order, because each of them contains an `initialization`. For the library's own use.
template <class Interface> class initialization {
public:
    explicit initialization(thread_level required = thread_level::multiple) noexcept
        : status_{Interface::initialize(required, provided_)} {}
    initialization(initialization&& other) noexcept
        : provided_{other.provided_}, status_{std::exchange(other.status_, result::not_initialized)} {}
    initialization& operator=(initialization&& other) noexcept {
        std::swap(provided_, other.provided_);
        std::swap(status_, other.status_);
        return *this;
    }
    ~initialization() {
        if (status_ == result::success) Interface::finalize();
    }

    // Returns MPI_T_ERR_CANNOT_INIT if the interface cannot be initialized.
    result status() const noexcept { return status_; }
    thread_level provided() const noexcept { return provided_; }

private:
    thread_level provided_ = thread_level::single;
    result status_;
};

// The base class of handles on control variables and performance variables. Outside of signal handlers, any thread may
// call the functions, because they return data that were stored when the handle was allocated.
template <class T, class Info> class typed_handle {
public:
    explicit operator bool() const noexcept { return is_valid(); }
    // Returns the result of the allocation, which is success, MPI_T_ERR_INVALID_NAME, wrong_type, wrong_count, or
    // another result of the implementation. MPI_T_ERR_INVALID_HANDLE means that a bound variable was used without an
    // MPI object, or an unbound variable with an MPI object.
    result status() const noexcept { return status_; }
    // Returns the attributes of the variable.
    const Info& info() const noexcept { return info_; }
    // Returns the number of elements of the value.
    std::uint32_t count() const noexcept { return count_; }

protected:
    explicit typed_handle(result status) noexcept : status_{status} {}
    typed_handle(typed_handle&& other) noexcept
        : info_{std::move(other.info_)},
          count_{other.count_},
          status_{std::exchange(other.status_, result::invalid_handle)} {}

    bool is_valid() const noexcept { return status_ == result::success; }
    // Allocates the handle. `describe(info)` fills `info`, and `allocate(info, object, count)` stores the number of
    // elements. `free()` frees the handle again if the variable has another number of elements than T.
    template <class Describe, class Allocate, class Free>
    void begin(const object& bound_object, Describe describe, Allocate allocate, Free free) {
        if (is_valid()) status_ = describe(info_);
        if (is_valid()) status_ = check(bound_object, info_.binding);
        if (is_valid() && !typed_value<T>::has_type(info_)) status_ = result::wrong_type;
        if (is_valid()) status_ = allocate(info_, bound_object.address(), count_);
        if (!is_valid() || typed_value<T>::has_count(count_)) return;
        free();
        status_ = result::wrong_count;
    }
    // Reads the variable with `read(bytes)`, which stores the elements at the address `bytes`. A read of a text may
    // store `longest_text` characters, if these are more than the elements.
    template <class Read> result read_with(T& value, Read read, std::uint32_t longest_text = 0) {
        if (!is_valid()) return status_;
        std::string scratch;
        if (longest_text > count_) {
            const std::unique_ptr<char[]> text{new char[longest_text + 1]};
            *text.get() = '\0';
            const result status = read(text.get());
            scratch.assign(text.get(), strnlen(text.get(), longest_text));
            if (status == result::success) typed_value<T>::set(value, info_, longest_text, scratch);
            return status;
        }
        const result status = read(typed_value<T>::read_buffer(value, info_, count_, scratch));
        if (status == result::success) typed_value<T>::set(value, info_, count_, scratch);
        return status;
    }
    // Writes the variable with `write(bytes)`, which writes the elements from the address `bytes`.
    template <class Write> result write_with(const T& value, Write write) {
        if (!is_valid()) return status_;
        std::string scratch;
        const char* bytes = typed_value<T>::write_bytes(value, info_, count_, scratch);
        return bytes == nullptr ? result::wrong_count : write(bytes);
    }
    // Returns the value that `read(value)` stores, or nothing if `read` fails.
    template <class Read> static std::optional<T> optional_value(Read read) {
        std::optional<T> value{T{}};
        if (read(*value) != result::success) value.reset();
        return value;
    }

private:
    Info info_;
    std::uint32_t count_ = 0;
    result status_;
};

// A handle on the control variable with a name or an index. The destructor frees the handle. Several threads may use
// one handle on a variable of the registry at the same time. If the variable belongs to an MPI, the thread level of the
// MPI says which threads may use the handle. Signal handlers must not use this class.
template <class T, class Interface> class control : public typed_handle<T, control_info> {
    using base = typed_handle<T, control_info>;

public:
    explicit control(const char* name, const object& bound_object = {}) : control{} {
        begin(bound_object,
              [name](control_info& info) { return describe_by_name<Interface>(kind::control, name, {}, info); });
    }
    explicit control(int index, const object& bound_object = {}) : control{} {
        begin(bound_object, [index](control_info& info) { return Interface::tell(index, info); });
    }
    // Copies the description of the variable, in place of a query of the interface.
    explicit control(const control_info& described, const object& bound_object = {}) : control{} {
        begin(bound_object, [&described](control_info& info) {
            info = described;
            return result::success;
        });
    }
    control(control&& other) noexcept
        : base{std::move(other)}, interface_{std::move(other.interface_)}, handle_{other.handle_} {}
    ~control() {
        if (base::is_valid()) Interface::free(handle_);
    }

    // Reads the value. Returns the result of the implementation, such as MPI_T_ERR_INVALID_HANDLE if the library of the
    // variable or the bound MPI object no longer exists.
    result read(T& value) {
        std::uint32_t longest_text = 0;
        if constexpr (requires { Interface::longest_text(); })
            if (base::info().type == datatype::char_type) longest_text = Interface::longest_text();
        return base::read_with(value, [this](char* bytes) { return Interface::read(handle_, bytes); }, longest_text);
    }
    // Returns the value of the variable, or nothing if the variable cannot be read.
    std::optional<T> read() {
        return base::optional_value([this](T& value) { return read(value); });
    }
    // Writes a value. The result is success, MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_INVALID
    // for a value that the variable cannot have, or wrong_count.
    result write(const T& value) {
        return base::write_with(value, [this](const char* bytes) { return Interface::write(handle_, bytes); });
    }

private:
    control() noexcept : control{initialization<Interface>{}} {}
    explicit control(initialization<Interface> interface) noexcept
        : base{interface.status()}, interface_{std::move(interface)} {}
    template <class Describe> void begin(const object& bound_object, Describe describe) {
        base::begin(bound_object, describe,
                    [this](const control_info& info, const void* address, std::uint32_t& count) {
            return Interface::allocate(info.number, address, handle_, count);
        }, [this] { Interface::free(handle_); });
    }

    initialization<Interface> interface_;
    typename Interface::control_handle handle_{};
};

namespace MPIT_MODULE_LOCAL detail {

// A session of the tool interface. The session is freed when the tool::session and all its handles are destroyed.
template <class Interface> struct open_session {
    initialization<Interface> interface;
    typename Interface::performance_session session{};
    result status;

    open_session() noexcept
        : status{interface.status() != result::success ? interface.status() : Interface::create(session)} {}
    open_session(const open_session&) = delete;
    ~open_session() {
        if (status == result::success) Interface::end(session);
    }
};

} // namespace detail

// A handle on a performance variable in a session. The destructor frees the handle. Several threads may use one handle
// on a variable of the registry at the same time. If the variable belongs to an MPI, the thread level of the MPI says
// which threads may use the handle. Signal handlers must not use this class, but may use MPI_T_pvar_read() or a batch.
template <class T, class Interface> class performance : public typed_handle<T, performance_info> {
    using base = typed_handle<T, performance_info>;
    using shared_session = std::shared_ptr<detail::open_session<Interface>>;

public:
    performance(shared_session session, performance_class variable_class, const char* name, const object& bound_object)
        : base{session->status}, session_{std::move(session)} {
        begin(bound_object, [variable_class, name](performance_info& info) {
            return describe_by_name<Interface>(kind::performance, name, variable_class, info);
        });
    }
    performance(shared_session session, int index, const object& bound_object)
        : base{session->status}, session_{std::move(session)} {
        begin(bound_object, [index](performance_info& info) { return Interface::tell(index, info); });
    }
    performance(shared_session session, const performance_info& described, const object& bound_object)
        : base{session->status}, session_{std::move(session)} {
        begin(bound_object, [&described](performance_info& info) {
            info = described;
            return result::success;
        });
    }
    performance(performance&& other) noexcept
        : base{std::move(other)}, session_{std::move(other.session_)}, handle_{other.handle_} {}
    ~performance() {
        if (base::is_valid()) Interface::free(session_->session, handle_);
    }

    // Starts the variable in this session. Returns success for a continuous variable, which is always running.
    result start() noexcept { return base::info().is_continuous ? base::status() : change(&Interface::start); }
    // Stops the variable in this session. Returns MPI_T_ERR_PVAR_NO_STARTSTOP for a continuous variable.
    result stop() noexcept { return change(&Interface::stop); }
    // Sets the variable to its starting value in this session. Returns MPI_T_ERR_PVAR_NO_WRITE for a readonly variable.
    result reset() noexcept { return change(&Interface::reset); }

    // Reads the value. Returns the result of the implementation, such as MPI_T_ERR_INVALID_HANDLE if the library or the
    // MPI object no longer exists. If a timer has the type double, the value is in seconds. For an integer timer, the
    // description of the variable names the unit.
    result read(T& value) {
        return base::read_with(value,
                               [this](char* bytes) { return Interface::read(session_->session, handle_, bytes); });
    }
    // Returns the value of the variable, or nothing if the variable cannot be read.
    std::optional<T> read() {
        return base::optional_value([this](T& value) { return read(value); });
    }
    // Reads and resets the value in one step. Returns MPI_T_ERR_PVAR_NO_ATOMIC if the variable is not atomic.
    result read_and_reset(T& value) {
        return base::read_with(
            value, [this](char* bytes) { return Interface::read_and_reset(session_->session, handle_, bytes); });
    }
    // Sets the variable's value in this session. Errors are MPI_T_ERR_PVAR_NO_WRITE, MPI_T_ERR_INVALID and wrong_count.
    result write(const T& value) {
        return base::write_with(
            value, [this](const char* bytes) { return Interface::write(session_->session, handle_, bytes); });
    }

private:
    using handle = typename Interface::performance_handle;

    result change(result (*action)(typename Interface::performance_session, handle) noexcept) noexcept {
        return base::is_valid() ? action(session_->session, handle_) : base::status();
    }
    template <class Describe> void begin(const object& bound_object, Describe describe) {
        base::begin(bound_object, describe,
                    [this](const performance_info& info, const void* address, std::uint32_t& count) {
            return Interface::allocate(session_->session, info, address, handle_, count);
        }, [this] { Interface::free(session_->session, handle_); });
    }

    shared_session session_;
    handle handle_{};
};

// A session for handles on performance variables. Each handle has its own value of the variable. The session is freed
// after its last handle. Threads may use a session as the interface's thread level allows. Signal handlers must not use
// a session.
template <class Interface> class session {
public:
    session() : session_{std::make_shared<detail::open_session<Interface>>()} {}
    session(const session&) = default; // copies also instead of a move, which would leave no session behind

    explicit operator bool() const noexcept { return status() == result::success; }
    // Returns the result of creating the session, which is success or an error of the tool interface.
    result status() const noexcept { return session_->status; }

    // Allocates a handle on the performance variable with a name and class, or with an index. status() of the handle
    // returns the result of the allocation.
    template <class T>
    tool::performance<T, Interface> performance(const char* name, performance_class variable_class,
                                                const object& bound_object = {}) const {
        return {session_, variable_class, name, bound_object};
    }
    template <class T> tool::performance<T, Interface> performance(int index, const object& bound_object = {}) const {
        return {session_, index, bound_object};
    }
    // Allocates a handle on the performance variable that a performance_info or a variable_view describes.
    template <class T, info_or_view Item>
    tool::performance<T, Interface> performance(const Item& item, const object& bound_object = {}) const {
        if constexpr (std::is_same_v<Item, performance_info>) return {session_, item, bound_object};
        else return performance<T>(attribute::number(item), bound_object);
    }

    // Starts all handles of the session except handles on continuous variables. Returns success or an error.
    result start() noexcept { return change_all(&Interface::start); }
    // Stops all handles of the session except handles on continuous variables. Returns success or an error.
    result stop() noexcept { return change_all(&Interface::stop); }
    // Resets all handles of the session except handles on readonly variables. Returns success or an error.
    result reset() noexcept { return change_all(&Interface::reset); }

private:
    using handle = typename Interface::performance_handle;
    result change_all(result (*change)(typename Interface::performance_session, handle) noexcept) noexcept {
        return status() == result::success ? change(session_->session, Interface::all_handles()) : status();
    }

    std::shared_ptr<detail::open_session<Interface>> session_;
};

} // namespace mpit::tool
