// The functions that count calls: each calls the function of the MPI, and adds the call, its bytes and its time to the
// variables of the function, of the communicator and of the other process. No lock and no allocation after the first
// call in a communicator.
//
//   passing->route(find, counting_functions, real_functions);
#pragma once

#include "call_clock.hpp"
#include "peers.hpp"
#include "region_cells.hpp"
#include "variables.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace mpit_info {

enum class amount { once, each, sum };
enum class object { none, communicator, datatype };

#define MPIT_INFO_TRAITS
#include MPIT_INFO_COUNTING_FILE
#undef MPIT_INFO_TRAITS

inline constexpr std::uint64_t late = 1000; // nanoseconds

inline any_function real_functions[symbols];

// Whether this thread is in a function of the MPI: what that calls itself is part of it. A C++ exception of an error
// handler ends it.
inline thread_local bool is_inside [[gnu::tls_model("initial-exec")]] = false;
struct inside_mpi {
    inside_mpi() noexcept { is_inside = true; }
    ~inside_mpi() { is_inside = false; }
    inside_mpi(const inside_mpi&) = delete;
};

// The sizes of datatypes: a thread remembers the last one until any datatype is freed.
inline std::atomic<unsigned> freed_datatypes{0};
inline std::uint64_t size_of(MPI_Datatype datatype) noexcept {
    thread_local struct {
        MPI_Datatype datatype;
        unsigned freed;
        std::uint64_t size;
        bool is_known;
    } last [[gnu::tls_model("initial-exec")]]{};
    const unsigned freed = freed_datatypes.load(std::memory_order_acquire);
    if (last.is_known && last.datatype == datatype && last.freed == freed) [[likely]]
        return last.size;
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
        const std::uint64_t known = least.load(std::memory_order_relaxed);
        if (taken < known) {
            least.store(taken, std::memory_order_relaxed);
            return 0;
        }
        return taken - std::min({known, 20'000 + bytes, taken});
    }

private:
    std::atomic<std::uint64_t> least_[65];

public:
    transfer_times() noexcept {
        for (auto& each : least_) each.store(1'000'000'000, std::memory_order_relaxed);
    }
};
template <class Traits> inline transfer_times transfers;

template <int Index, class... Arguments> decltype(auto) argument(Arguments&... all) noexcept {
    return std::get<static_cast<std::size_t>(Index)>(std::tie(all...));
}

template <class Traits, class... Arguments> std::uint64_t bytes_of(const communicator* in, Arguments&... all) noexcept {
    if constexpr (Traits::status >= 0) {
        return the_calls.received_bytes(*argument<Traits::status>(all...));
    } else {
        if constexpr (Traits::in_place >= 0)
            if (argument<Traits::in_place>(all...) == MPI_IN_PLACE) return 0;
        if (in != nullptr && in->is_intercommunicator && Traits::peer < 0) return 0;
        std::uint64_t count = 0;
        if constexpr (Traits::form == amount::sum) {
            for (int i = 0; in != nullptr && i < in->size; i++)
                count += static_cast<std::uint64_t>(argument<Traits::count>(all...)[i]);
        } else {
            count = static_cast<std::uint64_t>(argument<Traits::count>(all...));
            if (Traits::form == amount::each && in != nullptr) count *= static_cast<std::uint64_t>(in->size);
        }
        return count == 0 ? 0 : count * size_of(argument<Traits::datatype>(all...));
    }
}

template <class Traits, class... Arguments> void count(std::uint64_t taken, Arguments&... all) noexcept {
    constexpr const function_cells& own = all_functions[static_cast<int>(Traits::number)];
    communicator* in = nullptr;
    if constexpr (Traits::communicator >= 0) in = &communicators.of(argument<Traits::communicator>(all...));
    bool has_peer = true, is_late = false;
    if constexpr (Traits::peer >= 0) has_peer = argument<Traits::peer>(all...) != MPI_PROC_NULL;
    std::uint64_t bytes = 0, waited = 0;
    if constexpr (Traits::count >= 0)
        if (has_peer) bytes = bytes_of<Traits>(in, all...);
    if constexpr (Traits::waits) waited = transfers<Traits>.waited(bytes, taken);
    ++*own.calls;
    own.time->add(taken);
    if constexpr (Traits::count >= 0) *own.bytes += bytes;
    if constexpr (Traits::waits)
        if (waited != 0) own.waited->add(waited);
    if constexpr (Traits::waits && (Traits::of == function_class::receive || Traits::of == function_class::wait ||
                                    Traits::of == function_class::probe || Traits::of == function_class::send_receive))
        if (waited > late) {
            ++functions.late_senders;
            is_late = true;
        }
    count_in_region(Traits::number, bytes, taken, waited, is_late);
    if (in == nullptr) return;
    communicator_cells& there = in->of_class[static_cast<std::size_t>(Traits::of)];
    ++there.calls;
    there.time.add(taken);
    if constexpr (Traits::count >= 0) there.bytes += bytes;
    if constexpr (Traits::waits)
        if (waited != 0) there.waited.add(waited);
    if constexpr (Traits::peer >= 0 && Traits::count >= 0 && Traits::of != function_class::receive)
        if (in->world_ranks != nullptr && has_peer)
            peers.sent(in->world_ranks[static_cast<std::size_t>(argument<Traits::peer>(all...))], bytes);
}

template <class Traits, class Function> struct counted;
template <class Traits, class... Arguments> struct counted<Traits, int(Arguments...)> {
    template <int Symbol> static int call(Arguments... all) {
        auto* const next = reinterpret_cast<int (*)(Arguments...)>(real_functions[Symbol]);
        if (is_inside) return next(all...);
        if constexpr (Traits::frees == object::communicator) communicators.free(*argument<0>(all...));
        if constexpr (Traits::frees == object::datatype) freed_datatypes.fetch_add(1);
        MPI_Status own;
        if constexpr (Traits::status >= 0)
            if (argument<Traits::status>(all...) == MPI_STATUS_IGNORE) argument<Traits::status>(all...) = &own;
        std::uint64_t taken = 0;
        int code = 0;
        {
            const inside_mpi here;
            const std::uint64_t began = call_clock.now();
            code = next(all...);
            taken = call_clock.nanoseconds(call_clock.now() - began);
        }
        if (code == MPI_SUCCESS) count<Traits>(taken, all...);
        return code;
    }
};

inline const any_function counting_functions[symbols] = {
#define COUNTING(number, function, name)                                                                               \
    reinterpret_cast<any_function>(&counted<function##_traits, decltype(name)>::call<number>),
#define NOT_COUNTING(name) nullptr,
#define MPIT_INFO_COUNTING
#include MPIT_INFO_COUNTING_FILE
#undef MPIT_INFO_COUNTING
#undef NOT_COUNTING
#undef COUNTING
};

} // namespace mpit_info
