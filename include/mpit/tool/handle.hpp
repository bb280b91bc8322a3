// SPDX-License-Identifier: BSD-3-Clause
// Handles on control variables and on performance variables as values of C++ (MPI-5.0, 15.3.6 and 15.3.7). The type,
// the number of elements and the enumeration are checked when a handle is made, and never again. An MPI object is given
// by value, so that the address of a wrong one cannot be passed: MPI_T takes the address of the handle, which is that
// of a copy in a buffer larger than any handle.
//
//   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(2 * limit.read().value_or(1024));
//   auto messages = session.performance<unsigned long>("messages_sent", performance_class::counter, MPI_COMM_WORLD);
#pragma once

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/to_string.hpp> // IWYU pragma: export
#include <mpit/tool/typed_value.hpp>

#include <cstring>
#include <memory>
#include <utility>

namespace mpit::inline v0_1::tool {

// An MPI object, or none. A plain value, which holds a copy of the handle: a thread or a signal handler works on its
// own copy.
class object {
public:
    object() noexcept {}
    template <class Handle> object(const Handle& handle) noexcept : is_there_{true} {
        static_assert(__is_trivially_copyable(Handle) && sizeof(Handle) <= sizeof bytes_,
                      "an object is given as its handle, such as MPI_COMM_WORLD");
        std::memcpy(bytes_, &handle, sizeof handle);
    }
    // The address of the handle; null if no object was given.
    const void* address() const noexcept { return is_there_ ? bytes_ : nullptr; }
    // Whether an object was given.
    bool is_there() const noexcept { return is_there_; }

private:
    alignas(16) unsigned char bytes_[32]{};
    bool is_there_ = false;
};

// Whether an object can be given for a variable, or has to: MPI_T_ERR_INVALID_HANDLE if only one of them has one.
// For the library's own use.
inline result check(const object& setting, binding bind) noexcept {
    return setting.is_there() == (bind != binding::none) ? result::success : result::invalid_handle;
}

// Keeps a tool interface initialized for the lifetime of an object. Libraries, sessions and handles each have one, so
// that they may end in any order. For the library's own use.
template <class Interface> class opened {
public:
    explicit opened(thread_level required = thread_level::multiple) noexcept
        : answer_{Interface::initialize(required, provided_)} {}
    opened(opened&& other) noexcept
        : provided_{other.provided_}, answer_{std::exchange(other.answer_, result::not_initialized)} {}
    opened& operator=(opened&& other) noexcept {
        std::swap(provided_, other.provided_);
        std::swap(answer_, other.answer_);
        return *this;
    }
    ~opened() {
        if (answer_ == result::success) Interface::finalize();
    }

    // MPI_T_ERR_CANNOT_INIT if the interface cannot be had.
    result answer() const noexcept { return answer_; }
    thread_level provided() const noexcept { return provided_; }

private:
    thread_level provided_ = thread_level::single;
    result answer_;
};

// What handles on control variables and on performance variables have in common. These functions read what was told
// when the handle was made: any thread may call them, outside of signal handlers.
template <class T, class Facts> class typed_handle {
public:
    explicit operator bool() const noexcept { return is_good(); }
    // Whether the handle was made, or why not: MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID_HANDLE if the variable needs
    // an object or has none, wrong_type, wrong_count, or what the implementation answers.
    result answer() const noexcept { return answer_; }
    // What the interface tells of the variable.
    const Facts& facts() const noexcept { return facts_; }
    // The number of elements of the value.
    std::uint32_t count() const noexcept { return count_; }

protected:
    explicit typed_handle(result so_far) noexcept : answer_{so_far} {}
    typed_handle(typed_handle&& other) noexcept
        : facts_{std::move(other.facts_)},
          count_{other.count_},
          answer_{std::exchange(other.answer_, result::invalid_handle)} {}

    bool is_good() const noexcept { return answer_ == result::success; }
    // `tell(facts)` and `allocate(facts, address of the object, count)` answer as the interface does, and `free()`
    // undoes the second where the value has another number of elements.
    template <class Tell, class Allocate, class Free>
    void begin(const object& bound_object, Tell tell, Allocate allocate, Free free) {
        if (is_good()) answer_ = tell(facts_);
        if (is_good()) answer_ = check(bound_object, facts_.binding);
        if (is_good() && !typed_value<T>::has_type(facts_)) answer_ = result::wrong_type;
        if (is_good()) answer_ = allocate(facts_, bound_object.address(), count_);
        if (!is_good() || typed_value<T>::has_count(count_)) return;
        free();
        answer_ = result::wrong_count;
    }
    // `get(bytes)` stores what there is.
    template <class Get> result take(T& value, Get get) {
        if (!is_good()) return answer_;
        std::string scratch;
        const result got = get(typed_value<T>::room(value, facts_, count_, scratch));
        if (got == result::success) typed_value<T>::take(value, facts_, count_, scratch);
        return got;
    }
    // `put(bytes)` stores it.
    template <class Put> result give(const T& value, Put put) {
        if (!is_good()) return answer_;
        std::string scratch;
        const char* bytes = typed_value<T>::bytes(value, facts_, count_, scratch);
        return bytes == nullptr ? result::wrong_count : put(bytes);
    }
    // What `read(to)` reads, or nothing.
    template <class Read> static std::optional<T> value_of(Read read) {
        std::optional<T> value{T{}};
        if (read(*value) != result::success) value.reset();
        return value;
    }

private:
    Facts facts_;
    std::uint32_t count_ = 0;
    result answer_;
};

// A handle on a control variable, by its name or its number, which is freed with this object. Threads use one handle at
// once as the interface allows: over the registry without limits, over an MPI by its level of thread support. Not for
// signal handlers.
template <class T, class Interface> class control : public typed_handle<T, control_info> {
    using base = typed_handle<T, control_info>;

public:
    explicit control(const char* name, const object& bound_object = {}) : control{} {
        begin(bound_object,
              [name](control_info& facts) { return tell_named<Interface>(kind::control, name, {}, facts); });
    }
    explicit control(int number, const object& bound_object = {}) : control{} {
        begin(bound_object, [number](control_info& facts) { return Interface::tell(number, facts); });
    }
    control(control&& other) noexcept
        : base{std::move(other)}, interface_{std::move(other.interface_)}, handle_{other.handle_} {}
    ~control() {
        if (base::is_good()) Interface::free(handle_);
    }

    // Reads the value. Returns what the implementation answers, as MPI_T_ERR_INVALID_HANDLE if the library or the
    // object no longer exists.
    result read(T& value) {
        return base::take(value, [this](char* room) { return Interface::read(handle_, room); });
    }
    // The value, or nothing if it cannot be read.
    std::optional<T> read() {
        return base::value_of([this](T& value) { return read(value); });
    }
    // Writes a value. MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_INVALID for a value that it
    // cannot have, or wrong_count.
    result write(const T& value) {
        return base::give(value, [this](const char* bytes) { return Interface::write(handle_, bytes); });
    }

private:
    control() noexcept : control{opened<Interface>{}} {}
    explicit control(opened<Interface> interface) noexcept
        : base{interface.answer()}, interface_{std::move(interface)} {}
    template <class Tell> void begin(const object& bound_object, Tell tell) {
        base::begin(bound_object, tell, [this](const control_info& facts, const void* address, std::uint32_t& count) {
            return Interface::allocate(facts.number, address, handle_, count);
        }, [this] { Interface::free(handle_); });
    }

    opened<Interface> interface_;
    typename Interface::control_handle handle_{};
};

namespace MPIT_MODULE_LOCAL detail {

// A session of the interface, which is freed with the last handle of it.
template <class Interface> struct open_session {
    opened<Interface> interface;
    typename Interface::performance_session session{};
    result answer;

    open_session() noexcept
        : answer{interface.answer() != result::success ? interface.answer() : Interface::create(session)} {}
    open_session(const open_session&) = delete;
    ~open_session() {
        if (answer == result::success) Interface::end(session);
    }
};

} // namespace detail

// A handle on a performance variable of a session, which is freed with this object. Threads use one handle at once as
// the interface allows: over the registry without limits, over an MPI by its level of thread support. Signal handlers
// use MPI_T_pvar_read() and its like, or a batch.
template <class T, class Interface> class performance : public typed_handle<T, performance_info> {
    using base = typed_handle<T, performance_info>;
    using shared_session = std::shared_ptr<detail::open_session<Interface>>;

public:
    performance(shared_session session, performance_class variable_class, const char* name, const object& bound_object)
        : base{session->answer}, session_{std::move(session)} {
        begin(bound_object, [variable_class, name](performance_info& facts) {
            return tell_named<Interface>(kind::performance, name, variable_class, facts);
        });
    }
    performance(shared_session session, int number, const object& bound_object)
        : base{session->answer}, session_{std::move(session)} {
        begin(bound_object, [number](performance_info& facts) { return Interface::tell(number, facts); });
    }
    performance(performance&& other) noexcept
        : base{std::move(other)}, session_{std::move(other.session_)}, handle_{other.handle_} {}
    ~performance() {
        if (base::is_good()) Interface::free(session_->session, handle_);
    }

    // Starts the variable in this session. A continuous variable runs already, which is success.
    result start() noexcept { return base::facts().is_continuous ? base::answer() : change(&Interface::start); }
    // Stops the variable in this session. MPI_T_ERR_PVAR_NO_STARTSTOP for a continuous variable.
    result stop() noexcept { return change(&Interface::stop); }
    // Sets it to its starting value in this session. MPI_T_ERR_PVAR_NO_WRITE for a readonly one.
    result reset() noexcept { return change(&Interface::reset); }

    // Reads the value. Returns what the implementation answers, as MPI_T_ERR_INVALID_HANDLE if the library or the
    // object no longer exists. A timer of doubles is in seconds, one of integers in the unit that its description says.
    result read(T& value) {
        return base::take(value, [this](char* room) { return Interface::read(session_->session, handle_, room); });
    }
    // The value, or nothing if it cannot be read.
    std::optional<T> read() {
        return base::value_of([this](T& value) { return read(value); });
    }
    // Reads and resets in one step. MPI_T_ERR_PVAR_NO_ATOMIC if the variable does not promise it.
    result read_and_reset(T& value) {
        return base::take(value,
                          [this](char* room) { return Interface::read_and_reset(session_->session, handle_, room); });
    }
    // Writes the value of this session. MPI_T_ERR_PVAR_NO_WRITE, MPI_T_ERR_INVALID, or wrong_count.
    result write(const T& value) {
        return base::give(value,
                          [this](const char* bytes) { return Interface::write(session_->session, handle_, bytes); });
    }

private:
    using handle = typename Interface::performance_handle;

    result change(result (*action)(typename Interface::performance_session, handle) noexcept) noexcept {
        return base::is_good() ? action(session_->session, handle_) : base::answer();
    }
    template <class Tell> void begin(const object& bound_object, Tell tell) {
        base::begin(bound_object, tell,
                    [this](const performance_info& facts, const void* address, std::uint32_t& count) {
            return Interface::allocate(session_->session, facts, address, handle_, count);
        }, [this] { Interface::free(session_->session, handle_); });
    }

    shared_session session_;
    handle handle_{};
};

// A session: its handles have values of their own. It is freed with the last of them. Threads use it as the interface
// allows; signal handlers do not use it.
template <class Interface> class session {
public:
    session() : session_{std::make_shared<detail::open_session<Interface>>()} {}

    explicit operator bool() const noexcept { return answer() == result::success; }
    // Whether the session was made, or the error of the interface.
    result answer() const noexcept { return session_->answer; }

    // A handle, by name and class or by number. Its answer() says whether it could be made.
    template <class T>
    tool::performance<T, Interface> performance(const char* name, performance_class variable_class,
                                                const object& bound_object = {}) const {
        return {session_, variable_class, name, bound_object};
    }
    template <class T> tool::performance<T, Interface> performance(int number, const object& bound_object = {}) const {
        return {session_, number, bound_object};
    }
    // The same by its info, or by its view.
    template <class T, described Item>
    tool::performance<T, Interface> performance(const Item& item, const object& bound_object = {}) const {
        return performance<T>(attribute::number(item), bound_object);
    }

    // Starts all handles of the session; those of continuous variables are left alone. Returns the error of the
    // interface.
    result start() noexcept { return each(&Interface::start); }
    // Stops all handles of the session; those of continuous variables are left alone. Returns the error of the
    // interface.
    result stop() noexcept { return each(&Interface::stop); }
    // Resets all handles of the session; those of readonly variables are left alone. Returns the error of the
    // interface.
    result reset() noexcept { return each(&Interface::reset); }

private:
    using handle = typename Interface::performance_handle;
    result each(result (*change)(typename Interface::performance_session, handle) noexcept) noexcept {
        return answer() == result::success ? change(session_->session, Interface::every_handle()) : answer();
    }

    std::shared_ptr<detail::open_session<Interface>> session_;
};

} // namespace mpit::tool
