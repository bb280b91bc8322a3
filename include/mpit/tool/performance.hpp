// SPDX-License-Identifier: BSD-3-Clause
// Sessions, and performance variables as values of C++ (MPI-5.0, 15.3.7). A handle keeps its session alive, and its
// value is independent of other handles.
//
//   mpit::tool::session<over_mpi> session;
//   auto messages = session.performance<unsigned long>("messages_sent", performance_class::counter);
//   messages.start();   …   std::printf("%lu\n", messages.read().value_or(0));
#pragma once

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/opened.hpp>
#include <mpit/tool/typed_handle.hpp>

#include <memory>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

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

// A handle on a performance variable of a session, which is freed with this object. Threads use one handle at once as the
// interface allows: over the registry without limits, over an MPI by its level of thread support. Signal handlers use
// MPI_T_pvar_read() and its like, or a batch.
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

    // Reads the value. Returns what the implementation answers, as MPI_T_ERR_INVALID_HANDLE if the library or the object
    // no longer exists. A timer of doubles is in seconds, one of integers in the unit that its description says.
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
        base::begin(
            bound_object, tell,
            [this](const performance_info& facts, const void* address, std::uint32_t& count) {
                return Interface::allocate(session_->session, facts, address, handle_, count);
            },
            [this] { Interface::free(session_->session, handle_); });
    }

    shared_session session_;
    handle handle_{};
};

// A session: its handles have values of their own. It is freed with the last of them. Threads use it as the interface allows;
// signal handlers do not use it.
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

    // Starts all handles of the session; those of continuous variables are left alone. Returns the error of the interface.
    result start() noexcept { return each(&Interface::start); }
    // Stops all handles of the session; those of continuous variables are left alone. Returns the error of the interface.
    result stop() noexcept { return each(&Interface::stop); }
    // Resets all handles of the session; those of readonly variables are left alone. Returns the error of the interface.
    result reset() noexcept { return each(&Interface::reset); }

private:
    using handle = typename Interface::performance_handle;
    result each(result (*change)(typename Interface::performance_session, handle) noexcept) noexcept {
        return answer() == result::success ? change(session_->session, Interface::every_handle()) : answer();
    }

    std::shared_ptr<detail::open_session<Interface>> session_;
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
