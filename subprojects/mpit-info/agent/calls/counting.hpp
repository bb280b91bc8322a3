// The functions that count calls: each calls the function of the MPI, and adds the call, its bytes and its time to the
// variables of the function, of the communicator and of the other process. No lock and no allocation after the first
// call in a communicator.
//
//   passing->route(find, counting_functions, real_functions);
#pragma once

#include "call_clock.hpp"
#include "distributions.hpp"
#include "peers.hpp"
#include "persistent.hpp"
#include "region_cells.hpp"
#include "variables.hpp"
#include "world_gate.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace mpit_info {

enum class amount { once, each, sum };
enum class object { none, communicator, datatype, request };

#define MPIT_INFO_TRAITS
#include "counting.inc"
#undef MPIT_INFO_TRAITS

inline constexpr std::uint64_t late = 1000; // nanoseconds

inline any_function real_functions[symbols];

// Whether this thread is in a function of the MPI: what that calls itself is part of it. A C++ exception of an error
// handler ends it.
inline thread_local bool is_inside [[gnu::tls_model("initial-exec")]] = false;
struct inside_mpi {
    std::uint64_t began;
    std::uint64_t ended = 0;
    call_thread* thread = nullptr; // null if the call is not logged
    logged_call* call = nullptr;
    communicator* in = nullptr; // null without one, and if it is not known yet
    std::uint64_t bytes = 0;    // 0 if the size of the datatype is not known yet

    explicit inside_mpi(std::uint64_t now) noexcept : began{now} { is_inside = true; }
    [[gnu::always_inline]] ~inside_mpi() {
        is_inside = false;
        if (call == nullptr) return;
        if (ended == 0) [[unlikely]]
            ended = call_clock.now();
        // Who reads in_mpi before the end never has the call in both.
        __atomic_store_n(&call->end, ended, __ATOMIC_RELEASE);
        __atomic_store_n(&thread->in_mpi, thread->in_mpi + (ended - began), __ATOMIC_RELEASE);
        thread->note_wait(thread->wait_in_calls, began, ended);
    }
    inside_mpi(const inside_mpi&) = delete;
};

// The sizes of datatypes: a thread remembers the last one until any datatype is freed.
inline std::atomic<unsigned> freed_datatypes{0};
struct known_size {
    MPI_Datatype datatype;
    unsigned freed;
    std::uint64_t size;
    bool is_known;
};
inline thread_local known_size last_size [[gnu::tls_model("initial-exec")]]{};
template <bool Asks> std::uint64_t size_of(MPI_Datatype datatype) noexcept {
    known_size& last = last_size; // of both kinds of calls: who does not ask has what another one was told
    const unsigned freed = freed_datatypes.load(std::memory_order_acquire);
    if (last.is_known && last.datatype == datatype && last.freed == freed) [[likely]]
        return last.size;
    if (!Asks) return 0;
    int size = 0;
    if (the_calls.type_size(datatype, &size) != MPI_SUCCESS || size < 0) return 0;
    last = {datatype, freed, static_cast<std::uint64_t>(size), true};
    return last.size;
}

// The time of a transfer of this size without waiting, in nanoseconds: the least that such a call has taken, and at
// most 20 microseconds and a nanosecond a byte, so that a process that always waits is seen to wait.
class transfer_times {
public:
    std::uint64_t waited(std::uint64_t bytes, std::uint64_t taken) noexcept {
        std::atomic<std::uint64_t>& least = least_[static_cast<std::size_t>(std::bit_width(bytes))];
        if (taken < least.load(std::memory_order_relaxed)) least.store(taken, std::memory_order_relaxed);
        return taken - std::min({least.load(std::memory_order_relaxed), 20'000 + bytes, taken});
    }

private:
    std::atomic<std::uint64_t> least_[65];

public:
    transfer_times() noexcept {
        for (auto& each : least_) each.store(1'000'000'000, std::memory_order_relaxed);
    }
};
template <function Number> inline transfer_times transfers;

// An argument of a function of the MPI. Each is a number or an address, and is handed on in the same register or place
// of the stack; of a narrower number the upper bits mean nothing.
template <class Type, int Index, class... Words> Type argument(const Words&... all) noexcept {
    const std::uintptr_t word = std::get<static_cast<std::size_t>(Index)>(std::tie(all...));
    if constexpr (std::is_pointer_v<Type>) return reinterpret_cast<Type>(word);
    else return static_cast<Type>(word);
}
template <class Handle> std::uint64_t word_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>) return reinterpret_cast<std::uintptr_t>(handle);
    else return static_cast<std::uint64_t>(handle);
}
template <int Index, class Type, class... Words> void replace_argument(Type by, Words&... all) noexcept {
    std::get<static_cast<std::size_t>(Index)>(std::tie(all...)) = word_of(by);
}

// Calls a function for each known one of the persistent requests that a call starts.
template <class Traits, class Visit, class... Words> void for_each_started(Visit visit, Words&... all) noexcept {
    int count = 1;
    if constexpr (Traits::requests >= 0) count = argument<int, Traits::requests>(all...);
    const MPI_Request* const requests = argument<const MPI_Request*, Traits::awaited>(all...);
    for (int i = 0; requests != nullptr && i < count; i++)
        if (const persistent_transfer* const each = persistent.find(word_of(requests[i]))) visit(*each);
}

// Before the MPI has checked the datatype, it is not asked for the size: what is not known then is 0.
template <class Traits, bool Asks, class... Words>
std::uint64_t bytes_of(const communicator* in, Words&... all) noexcept {
    if constexpr (Traits::of == function_class::start) {
        std::uint64_t sum = 0;
        for_each_started<Traits>([&sum](const persistent_transfer& each) { sum += each.bytes; }, all...);
        return sum;
    } else if constexpr (Traits::status >= 0 && Asks) {
        return the_calls.received_bytes(*argument<MPI_Status*, Traits::status>(all...));
    } else {
        if constexpr (Traits::in_place >= 0)
            if (argument<const void*, Traits::in_place>(all...) == MPI_IN_PLACE) return 0;
        if (in != nullptr && in->is_intercommunicator && Traits::peer < 0) return 0;
        // The number of processes is not known yet.
        if (!Asks && in == nullptr && Traits::communicator >= 0 && Traits::peer < 0) return 0;
        std::uint64_t count = 0;
        if constexpr (Traits::form == amount::sum) {
            for (int i = 0; in != nullptr && i < in->size; i++)
                count +=
                    static_cast<std::uint64_t>(argument<const typename Traits::count_type*, Traits::count>(all...)[i]);
        } else {
            count = static_cast<std::uint64_t>(argument<typename Traits::count_type, Traits::count>(all...));
            if (Traits::form == amount::each && in != nullptr) count *= static_cast<std::uint64_t>(in->size);
        }
        return count == 0 ? 0 : count * size_of<Asks>(argument<MPI_Datatype, Traits::datatype>(all...));
    }
}

// A message to a rank of a communicator.
inline void count_peer(const communicator& in, int rank, std::uint64_t bytes) noexcept {
    if (in.world_ranks != nullptr && rank != MPI_PROC_NULL)
        peers.sent(in.world_ranks[static_cast<std::size_t>(rank)], bytes);
}

// What a tool has asked for beside the variables.
enum detail : unsigned { by_region = 1, by_duration = 2 };
inline std::atomic<unsigned> details{0};

// The functions that transfer messages or wait for them.
template <class Traits> inline constexpr bool has_distribution = Traits::of < function_class::one_sided;
template <class Traits, class... Words>
void count_duration(const communicator* in, std::uint64_t bytes, bool has_peer, std::uint64_t taken,
                    Words&... all) noexcept {
    bool is_known = Traits::has_bytes && has_peer;
    if constexpr (Traits::in_place >= 0)
        is_known = is_known && argument<const void*, Traits::in_place>(all...) != MPI_IN_PLACE;
    if (Traits::peer < 0 && in != nullptr && in->is_intercommunicator) is_known = false;
    distributions.add(key_of(Traits::number, in != nullptr ? in->number : 0, is_known ? size_class_of(bytes) : no_size),
                      bytes, taken);
}

// `in` and `known` are what begin_call() has found.
template <class Traits, class... Words>
void count(communicator* in, std::uint64_t known, std::uint64_t taken, Words&... all) noexcept {
    constexpr const function_cells& own = all_functions[static_cast<int>(Traits::number)];
    if constexpr (Traits::communicator >= 0) {
        if (in == nullptr) in = &communicators.of(argument<MPI_Comm, Traits::communicator>(all...));
        if (!in->is_used.load(std::memory_order_acquire)) [[unlikely]]
            communicators.use(*in);
    }
    if constexpr (Traits::is_persistent) {
        const int peer = argument<int, Traits::peer>(all...);
        const bool is_send = Traits::number != function::MPI_Recv_init;
        persistent.add(word_of(*argument<const MPI_Request*, Traits::made>(all...)),
                       {peer != MPI_PROC_NULL ? bytes_of<Traits, true>(in, all...) : 0, is_send ? in : nullptr, peer});
    }
    bool has_peer = true, is_late = false;
    if constexpr (Traits::peer >= 0) has_peer = argument<int, Traits::peer>(all...) != MPI_PROC_NULL;
    std::uint64_t bytes = 0, waited = 0;
    if constexpr (Traits::has_bytes)
        if (has_peer) bytes = known != 0 && Traits::status < 0 ? known : bytes_of<Traits, true>(in, all...);
    if constexpr (Traits::waits) waited = transfers<Traits::number>.waited(bytes, taken);
    ++*own.calls;
    own.time->add(taken);
    if constexpr (Traits::has_bytes) *own.bytes += bytes;
    if constexpr (Traits::waits)
        if (waited != 0) own.waited->add(waited);
    if constexpr (Traits::waits && (Traits::of == function_class::receive || Traits::of == function_class::wait ||
                                    Traits::of == function_class::probe || Traits::of == function_class::send_receive))
        if (waited > late) {
            ++functions.late_senders;
            is_late = true;
        }
    if (const unsigned asked = details.load(std::memory_order_acquire); asked != 0) [[unlikely]] {
        if ((asked & by_region) != 0) count_in_region(Traits::number, bytes, taken, waited, is_late);
        if constexpr (has_distribution<Traits>)
            if ((asked & by_duration) != 0) count_duration<Traits>(in, bytes, has_peer, taken, all...);
    }
    if constexpr (Traits::of == function_class::start)
        for_each_started<Traits>([](const persistent_transfer& each) {
            if (each.to != nullptr) count_peer(*each.to, each.peer, each.bytes);
        }, all...);
    if (in == nullptr) return;
    communicator_cells& there = in->of_class[static_cast<std::size_t>(Traits::of)];
    ++there.calls;
    there.time.add(taken);
    if constexpr (Traits::has_bytes) there.bytes += bytes;
    if constexpr (Traits::waits)
        if (waited != 0) there.waited.add(waited);
    if constexpr (Traits::peer >= 0 && Traits::has_bytes && Traits::of != function_class::receive)
        count_peer(*in, argument<int, Traits::peer>(all...), bytes);
}

inline std::int32_t logged_rank(int rank) noexcept {
    return rank == MPI_ANY_SOURCE ? any_rank : rank == MPI_PROC_NULL ? no_rank : rank;
}

// A collective operation begins: returns its number in the communicator, or 0 if they are not counted there.
inline std::uint32_t begin_operation(const communicator* in) noexcept {
    if (in == nullptr || !in->is_counted || in->logged == nullptr) return 0;
    const std::uint32_t number = in->logged->operations + 1;
    call_thread::store(in->logged->operations, number);
    return number;
}

// Notes in the call log what this call is: the communicator only if it is known, since the MPI has not checked the
// handle yet.
template <class Traits, class... Words>
[[gnu::always_inline]] inline void begin_call(inside_mpi& here, Words&... all) noexcept {
    here.thread = this_call_thread();
    if (here.thread == nullptr) {
        // The log has no place for the thread. The operations of a communicator are counted over all threads.
        if constexpr (Traits::is_collective)
            begin_operation(communicators.known(argument<MPI_Comm, Traits::communicator>(all...)));
        return;
    }
    call_thread& own = *here.thread;
    const std::uint64_t number = own.calls;
    logged_call& last = own.call(number - 1);
    own.note_wait(own.wait_outside, last.end, here.began);
    std::uint64_t request = 0;
    std::int32_t second = 0;
    if constexpr (Traits::requests >= 0) second = argument<int, Traits::requests>(all...);
    if constexpr (Traits::awaited >= 0) {
        const MPI_Request* const first = argument<const MPI_Request*, Traits::awaited>(all...);
        if (first != nullptr && (Traits::requests < 0 || second > 0)) request = word_of(*first);
    }
    if constexpr (Traits::flag >= 0) {
        if (last.state == call_failed_poll) {
            call_thread::store(own.polling, own.polling + (here.began - last.end));
            if (last.function == static_cast<std::uint16_t>(Traits::number) && last.request == request) {
                call_thread::store(own.poll_began, here.began);
                here.call = &last;
                return;
            }
        } else {
            call_thread::store(own.first_poll, here.began);
        }
        // Until it has succeeded. A reader that sees the call sees this too.
        __atomic_store_n(&own.failed_polls, own.failed_polls + 1, __ATOMIC_RELEASE);
    }
    logged_call& call = own.call(number);
    call.begin = here.began;
    call_thread::store(call.end, 0);
    if constexpr (Traits::communicator >= 0)
        here.in = communicators.known(argument<MPI_Comm, Traits::communicator>(all...));
    if constexpr (Traits::has_bytes) here.bytes = bytes_of<Traits, false>(here.in, all...);
    call.bytes = here.bytes;
    call.request = request;
    call.operation = 0;
    if constexpr (Traits::is_collective) call.operation = begin_operation(here.in);
    call.function = static_cast<std::uint16_t>(Traits::number);
    call.communicator = here.in != nullptr ? here.in->logged_index : no_communicator;
    call.peer = call.tag = no_rank;
    if constexpr (Traits::other >= 0) call.peer = logged_rank(argument<int, Traits::other>(all...));
    if constexpr (Traits::tag >= 0) call.tag = argument<int, Traits::tag>(all...);
    if constexpr (Traits::sender >= 0) second = logged_rank(argument<int, Traits::sender>(all...));
    call.second = second;
    call.state = Traits::flag >= 0 ? call_failed_poll : call_done;
    call.polls = 0;
    here.call = &call;
    __atomic_store_n(&own.calls, number + 1, __ATOMIC_RELEASE);
}

// What is known only when a call has returned.
template <class Traits, class... Words>
[[gnu::always_inline]] inline void end_call(inside_mpi& here, int code, Words&... all) noexcept {
    if (here.call == nullptr) return;
    logged_call& call = *here.call;
    if constexpr (Traits::flag >= 0) {
        call_thread& own = *here.thread;
        call.polls++;
        if (code == MPI_SUCCESS && *argument<const int*, Traits::flag>(all...) == 0) return;
        call_thread::store(call.state, call_done);
        call_thread::store(own.failed_polls, own.failed_polls - 1);
    }
    if (code != MPI_SUCCESS) return;
    if constexpr (Traits::made >= 0) call.request = word_of(*argument<const MPI_Request*, Traits::made>(all...));
    if constexpr (Traits::communicator >= 0) {
        // The first call in a communicator that was not seen when it was made.
        if (call.communicator == no_communicator)
            call.communicator = communicators.of(argument<MPI_Comm, Traits::communicator>(all...)).logged_index;
        if constexpr (Traits::new_communicator >= 0) {
            const MPI_Comm made = *argument<const MPI_Comm*, Traits::new_communicator>(all...);
            const communicator* const parent = communicators.known(argument<MPI_Comm, Traits::communicator>(all...));
            if (made != the_calls.no_communicator && parent != nullptr && parent->logged != nullptr)
                communicators.add(made, {parent->logged->identity, call.operation});
        }
    }
}

// A function with counts of this type: int, or MPI_Count of those with the suffix _c.
template <class Function, class Count> struct with_counts : Function {
    using count_type = Count;
};

// The collective operations in which a thread may wait for others, but for those that make a communicator of another.
template <class Traits>
inline constexpr bool has_gate = Traits::is_collective && Traits::made < 0 && Traits::new_communicator < 0;
// The communicator that a call uses; may wait.
template <class Traits, class... Words> MPI_Comm communicator_to_use(const Words&... all) noexcept {
    const MPI_Comm given = argument<MPI_Comm, Traits::communicator>(all...);
    if (!the_world_gate.is_used()) [[likely]]
        return given;
    is_inside = true;
    const MPI_Comm used = the_world_gate.enter(given);
    is_inside = false;
    return used;
}
// Calls the function with this communicator, which has no error handler: that of the given one is called.
template <class Traits, class Function, class... Words>
[[gnu::cold, gnu::noinline]] int call_in(MPI_Comm used, Function next, Words... all) {
    const MPI_Comm given = argument<MPI_Comm, Traits::communicator>(all...);
    replace_argument<Traits::communicator>(used, all...);
    const int code = next(all...);
    if (code != MPI_SUCCESS) the_calls.comm_call_errhandler(given, code);
    return code;
}

template <std::size_t> using word = std::uintptr_t;
template <class Traits, class Indices> struct counted;
template <class Traits, std::size_t... Indices> struct counted<Traits, std::index_sequence<Indices...>> {
    template <int Symbol> static int call(word<Indices>... all) {
        auto* const next = reinterpret_cast<int (*)(word<Indices>...)>(real_functions[Symbol]);
        if (is_inside) return next(all...);
        if constexpr (Traits::frees == object::communicator) communicators.free(*argument<const MPI_Comm*, 0>(all...));
        if constexpr (Traits::frees == object::datatype) freed_datatypes.fetch_add(1);
        if constexpr (Traits::frees == object::request)
            if (const MPI_Request* const of = argument<const MPI_Request*, 0>(all...)) persistent.forget(word_of(*of));
        MPI_Status own;
        if constexpr (Traits::status >= 0)
            if (argument<MPI_Status*, Traits::status>(all...) == MPI_STATUS_IGNORE)
                replace_argument<Traits::status>(&own, all...);
        [[maybe_unused]] MPI_Comm used{};
        if constexpr (has_gate<Traits>) used = communicator_to_use<Traits>(all...);
        std::uint64_t taken = 0, bytes = 0;
        communicator* in = nullptr;
        int code = 0;
        {
            inside_mpi here{call_clock.now()};
            begin_call<Traits>(here, all...);
            if constexpr (has_gate<Traits>)
                code = used == argument<MPI_Comm, Traits::communicator>(all...) ? next(all...)
                                                                                : call_in<Traits>(used, next, all...);
            else code = next(all...);
            here.ended = call_clock.now();
            end_call<Traits>(here, code, all...);
            taken = call_clock.nanoseconds(here.ended - here.began);
            in = here.in;
            bytes = here.bytes;
        }
        if (code == MPI_SUCCESS) count<Traits>(in, bytes, taken, all...);
        return code;
    }
};

inline const any_function counting_functions[symbols] = {
#define COUNTING(symbol, function, arguments, type)                                                                    \
    reinterpret_cast<any_function>(                                                                                    \
        &counted<with_counts<function##_traits, type>, std::make_index_sequence<arguments>>::call<symbol>),
#define MPIT_INFO_COUNTING
#include "counting.inc"
#undef MPIT_INFO_COUNTING
#undef COUNTING
};

} // namespace mpit_info
