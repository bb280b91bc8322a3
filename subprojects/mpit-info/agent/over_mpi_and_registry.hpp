// An MPI and the registry of the process as one interface for a reader: beside an MPI that does not serve them there
// may be variables of a library that embeds mpit. The MPI's numbers come first; what comes later, on either side, gets
// the next ones. A name that is listed already, as by an MPI that embeds mpit, is not listed again. A category of both
// has the members of both.
//
//   agent<over_mpi_and_registry>::begin(moment, whereabouts);
#pragma once

#include <mpit/concurrency/append_array.hpp>
#include <mpit/tool/over_mpi.hpp>
#include <mpit/tool/over_registry.hpp>

#include <algorithm>
#include <atomic>
#include <new>

namespace mpit_info {

// The numbers of one kind. Any thread may read them; one at a time adds.
class merged_numbers {
public:
    struct place {
        bool is_of_registry;
        int number; // -1: there is none
    };
    int count() const noexcept { return count_.load(); }
    place at(int number) const noexcept {
        if (number < 0 || number >= count()) return {false, -1};
        const int kept = places_.at(static_cast<std::uint32_t>(number));
        return {kept % 2 != 0, kept / 2};
    }
    // The number that stands for one of a side, or -1.
    int number_of(place one) const noexcept {
        return one.number < 0 ? -1 : numbers_[one.is_of_registry].find(static_cast<std::uint32_t>(one.number)) - 1;
    }
    // `twin(place)` returns the place of the same name on the other side. A thread that finds another one here uses
    // what is known.
    template <class Twin> void take_in(int of_mpi, int of_registry, Twin twin) {
        if (taken_[0].load() >= of_mpi && taken_[1].load() >= of_registry) return;
        if (is_busy_.exchange(true)) return;
        const struct turn {
            std::atomic<bool>& is_busy;
            ~turn() { is_busy.store(false); }
        } here{is_busy_};
        for (int side = 0; side < 2; side++)
            for (int i = taken_[side].load(); i < (side == 0 ? of_mpi : of_registry); i++) {
                const int known = taken_[1 - side].load() == 0 ? -1 : number_of(twin(place{side != 0, i}));
                if (!keep(side, i, known)) return;
                taken_[side].store(i + 1);
            }
    }

private:
    // Returns false without memory.
    bool keep(int side, int number, int known) noexcept {
        auto* const stands_for = numbers_[side].ensure(static_cast<std::uint32_t>(number));
        auto* const next = places_.ensure(static_cast<std::uint32_t>(count()));
        if (stands_for == nullptr || next == nullptr) return false;
        if (known < 0) next->store(2 * number + side);
        stands_for->store(1 + (known < 0 ? count() : known));
        if (known < 0) count_.fetch_add(1);
        return true;
    }

    mpit::core::append_array<int> places_; // twice the number on its side, one more in the registry
    mpit::core::append_array<int>
        numbers_[2]; // by the numbers of the MPI and of the registry, one higher; zero: not known
    std::atomic<int> taken_[2]{}, count_{0};
    std::atomic<bool> is_busy_{false};
};

struct over_mpi_and_registry {
private:
    using result = mpit::result;
    using kind = mpit::tool::kind;
    using thread_level = mpit::thread_level;
    using performance_info = mpit::tool::performance_info;
    using mpi = mpit::tool::over_mpi;
    using registry = mpit::tool::over_registry;
    template <class OfMpi, class OfRegistry> struct either {
        bool is_of_registry = false;
        OfMpi of_mpi{};
        OfRegistry of_registry{};

        either() = default;
        either(OfMpi one) noexcept : of_mpi{one} {}
        either(OfRegistry one) noexcept : is_of_registry{true}, of_registry{one} {}
    };
    // Calls `use(interface, handle)` with the side of a handle.
    template <class Either, class Use> static auto on_side(const Either& of, Use use) {
        return of.is_of_registry ? use(registry{}, of.of_registry) : use(mpi{}, of.of_mpi);
    }
    struct two_sessions {
        mpi::performance_session of_mpi{};
        registry::performance_session of_registry{};
        bool has_registry = false;
    };
    template <class Either, class Use> static auto on_session(const two_sessions* session, const Either& of, Use use) {
        return of.is_of_registry ? use(registry{}, session->of_registry, of.of_registry)
                                 : use(mpi{}, session->of_mpi, of.of_mpi);
    }

public:
    using control_handle = either<mpi::control_handle, registry::control_handle>;
    using performance_session = two_sessions*;
    using performance_handle = either<mpi::performance_handle, registry::performance_handle>;
    using event_registration = either<mpi::event_registration, registry::event_registration>;
    using event_instance = either<mpi::event_instance, registry::event_instance>;

    static result initialize(thread_level required, thread_level& provided) noexcept {
        const result answer = mpi::initialize(required, provided);
        if (answer == result::success) {
            uses_.fetch_add(1);
            publish();
        }
        return answer;
    }
    static std::uint32_t longest_text() noexcept { return mpi::longest_text(); }
    static void finalize() noexcept {
        uses_.fetch_sub(1);
        mpi::finalize();
    }
    // Ends all uses, and the first time that which over_mpi keeps from its first use on.
    static void finalize_all() noexcept {
        if (uses_.load() == 0) return;
        for (int i = uses_.exchange(0) + keeps_.exchange(false); i > 0; i--) mpi::finalize();
    }
    // Publishes what libraries have declared. A registry has been prepared for forks before it is opened, and stays
    // open.
    static void publish() noexcept {
        thread_level level{};
        if (mpit::registry::is_registrar.load() == 0 ||
            registry::initialize(thread_level::multiple, level) != result::success)
            return;
        if (is_registry_open_.exchange(true)) registry::finalize();
    }
    static bool is_of_registry(kind of, int number) noexcept { return list(of).at(number).is_of_registry; }

    static int count(kind of) {
        merged_numbers& all = list(of);
        all.take_in(mpi::count(of), is_registry_open_.load() ? registry::count(of) : 0,
                    [of](merged_numbers::place one) {
            return merged_numbers::place{!one.is_of_registry, one.is_of_registry ? twin<registry, mpi>(of, one.number)
                                                                                 : twin<mpi, registry>(of, one.number)};
        });
        return all.count();
    }
    template <class Facts> static result tell(int number, Facts& info) {
        const auto [is_of_registry, own] = list(kind_of(info)).at(number);
        if (own < 0) return result::invalid_index;
        const result answer = is_of_registry ? registry::tell(own, info) : mpi::tell(own, info);
        if constexpr (std::is_same_v<Facts, mpit::tool::category_info>)
            if (answer == result::success) number_members(is_of_registry, info);
        info.number = number;
        return answer;
    }
    // Grows with every change of a category.
    static result changes_of_categories(int& number) noexcept {
        int of_registry = 0;
        const result answer = mpi::changes_of_categories(number);
        if (is_registry_open_.load()) static_cast<void>(registry::changes_of_categories(of_registry));
        number += of_registry;
        return answer;
    }

    static result allocate(int number, const void* object, control_handle& handle, std::uint32_t& count) noexcept {
        const auto [is_of_registry, own] = list(kind::control).at(number);
        handle.is_of_registry = is_of_registry;
        if (own < 0) return result::invalid_index;
        return is_of_registry ? registry::allocate(own, object, handle.of_registry, count)
                              : mpi::allocate(own, object, handle.of_mpi, count);
    }
    static void free(control_handle handle) noexcept {
        on_side(handle, [](auto side, auto of) { side.free(of); });
    }
    static result read(control_handle handle, void* value) noexcept {
        return on_side(handle, [=](auto side, auto of) { return side.read(of, value); });
    }
    static result write(control_handle handle, const void* value) noexcept {
        return on_side(handle, [=](auto side, auto of) { return side.write(of, value); });
    }

    // The registry's session is made for its first handle. One thread at a time allocates in a session.
    static result create(performance_session& session) noexcept {
        session = new (std::nothrow) two_sessions;
        const result answer = session == nullptr ? result::out_of_memory : mpi::create(session->of_mpi);
        if (answer != result::success) delete session;
        return answer;
    }
    static void end(performance_session session) noexcept {
        if (session->has_registry) registry::end(session->of_registry);
        mpi::end(session->of_mpi);
        delete session;
    }
    static result allocate(performance_session session, const performance_info& info, const void* object,
                           performance_handle& handle, std::uint32_t& count) noexcept {
        const auto [is_of_registry, own] = list(kind::performance).at(info.number);
        handle.is_of_registry = is_of_registry;
        if (own < 0) return result::invalid_index;
        performance_info there = info;
        there.number = own;
        if (!is_of_registry) return mpi::allocate(session->of_mpi, there, object, handle.of_mpi, count);
        if (!session->has_registry)
            if (const result answer = registry::create(session->of_registry); answer != result::success) return answer;
        session->has_registry = true;
        return registry::allocate(session->of_registry, there, object, handle.of_registry, count);
    }
    static void free(performance_session session, performance_handle handle) noexcept {
        on_session(session, handle, [](auto side, auto in, auto of) { side.free(in, of); });
    }
    static result start(performance_session session, performance_handle handle) noexcept {
        return on_session(session, handle, [](auto side, auto in, auto of) { return side.start(in, of); });
    }
    static result stop(performance_session session, performance_handle handle) noexcept {
        return on_session(session, handle, [](auto side, auto in, auto of) { return side.stop(in, of); });
    }
    static result read(performance_session session, performance_handle handle, void* value) noexcept {
        return on_session(session, handle, [=](auto side, auto in, auto of) { return side.read(in, of, value); });
    }

    static result allocate_event(int number, const void* object, event_registration& handle) noexcept {
        const auto [is_of_registry, own] = list(kind::event).at(number);
        handle.is_of_registry = is_of_registry;
        if (own < 0) return result::invalid_index;
        return is_of_registry ? registry::allocate_event(own, object, handle.of_registry)
                              : mpi::allocate_event(own, object, handle.of_mpi);
    }
    template <class Listener>
    static result register_callback(event_registration handle, mpit::safety level, Listener& listener) noexcept {
        return on_side(handle, [&](auto side, auto of) { return side.register_callback(of, level, listener); });
    }
    template <class Listener> static void end_event(event_registration handle, Listener* listener) noexcept {
        on_side(handle, [=](auto side, auto of) { side.end_event(of, listener); });
    }
    static result read_element(event_instance instance, int element, void* value) noexcept {
        return on_side(instance, [=](auto side, auto of) { return side.read_element(of, element, value); });
    }
    static result copy_payload(event_instance instance, void* payload) noexcept {
        return on_side(instance, [=](auto side, auto of) { return side.copy_payload(of, payload); });
    }
    static result time_of(event_instance instance, std::int64_t& ticks, int& source) noexcept {
        const result answer = on_side(instance, [&](auto side, auto of) { return side.time_of(of, ticks, source); });
        if (answer == result::success) source = list(kind::source).number_of({instance.is_of_registry, source});
        return answer;
    }

private:
    static merged_numbers& list(kind of) noexcept { return lists_[static_cast<int>(of)]; }
    static kind kind_of(const mpit::tool::control_info&) noexcept { return kind::control; }
    static kind kind_of(const performance_info&) noexcept { return kind::performance; }
    static kind kind_of(const mpit::tool::event_info&) noexcept { return kind::event; }
    static kind kind_of(const mpit::tool::source_info&) noexcept { return kind::source; }
    static kind kind_of(const mpit::tool::category_info&) noexcept { return kind::category; }

    // The number in `To` of what has the name of this one in `From`, or -1.
    template <class From, class To> static int twin(kind of, int number) {
        switch (of) {
        case kind::control: return twin<To>(of, told<From, mpit::tool::control_info>(number), {});
        case kind::performance: {
            const auto info = told<From, performance_info>(number);
            return twin<To>(of, info, info.variable_class);
        }
        case kind::event: return twin<To>(of, told<From, mpit::tool::event_info>(number), {});
        case kind::category: return twin<To>(of, told<From, mpit::tool::category_info>(number), {});
        case kind::source: break;
        default: return -1;
        }
        // Sources are few, and are not found by name.
        const std::string name = told<From, mpit::tool::source_info>(number).name;
        for (int i = 0, end = To::count(kind::source); i < end && !name.empty(); i++)
            if (told<To, mpit::tool::source_info>(i).name == name) return i;
        return -1;
    }
    template <class To>
    static int twin(kind of, const mpit::tool::named_info& info, mpit::performance_class variable_class) noexcept {
        int found = -1;
        return !info.name.empty() && To::find(of, info.name.c_str(), variable_class, found) == result::success ? found
                                                                                                               : -1;
    }
    // What cannot be described has no name.
    template <class From, class Facts> static Facts told(int number) {
        Facts info;
        if (From::tell(number, info) != result::success) info.name.clear();
        return info;
    }

    // Gives the members of a category their numbers, and a category of the MPI those of the registry's of its name.
    static void number_members(bool is_of_registry, mpit::tool::category_info& info) {
        number_all(is_of_registry, info);
        if (is_of_registry || !is_registry_open_.load()) return;
        const int twin_number = twin<registry>(kind::category, info, {});
        mpit::tool::category_info more;
        if (twin_number < 0 || registry::tell(twin_number, more) != result::success) return;
        number_all(true, more);
        add_missing(more.controls, info.controls);
        add_missing(more.performances, info.performances);
        add_missing(more.events, info.events);
        add_missing(more.categories, info.categories);
    }
    static void number_all(bool is_of_registry, mpit::tool::category_info& info) {
        number_each(is_of_registry, kind::control, info.controls);
        number_each(is_of_registry, kind::performance, info.performances);
        number_each(is_of_registry, kind::event, info.events);
        number_each(is_of_registry, kind::category, info.categories);
    }
    static void number_each(bool is_of_registry, kind of, std::vector<int>& members) {
        if (members.empty()) return;
        static_cast<void>(count(of));
        for (int& each : members) each = list(of).number_of({is_of_registry, each});
        std::erase(members, -1);
    }
    static void add_missing(const std::vector<int>& from, std::vector<int>& to) {
        for (const int each : from)
            if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }

    static inline merged_numbers lists_[mpit::descriptor::kind_count];
    static inline std::atomic<bool> is_registry_open_{false};
    static inline std::atomic<int> uses_{0};
    static inline std::atomic<bool> keeps_{true};
};

} // namespace mpit_info
