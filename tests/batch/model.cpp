// Random changes, starts, stops and resets: a batch and a session with a handle for each of its variables always show
// the same values, whatever another batch and another session do.
//     MPIT_MODEL_SEED=7 session-batch_model     repeats the sequence that a failure has named
#include "../session/modelled.hpp"
#include "tool.hpp"

#include <mpit/mpi_t/constants.hpp>
#include <mpit/tool.hpp>

#include <cstdlib>
#include <functional>
#include <random>
#include <sstream>

namespace {

using mpit::performance_class;
using mpit::result;

struct sample {
    unsigned long long counter, continuous, readonly, watched, not_atomic, nanoseconds, always_low;
    unsigned narrow, levels[2], own_low, of_sum, bound_level;
    unsigned long counters[3], level, size, highest, lowest, high_pair[2], of_level, bound_counter, bound_high;
    double amount, timer, real_level, percentage, full, own_high, real_generic, bound_amount, bound_low;
    colour state, open_state, of_state, of_colour, bound_state;
    mpit::count generic;
    mpit::exact<std::int32_t> small_generic;
    mpit::exact<std::int64_t> bound_generic;
    char text[8];
};
using choice = mpit::tool::choice<sample>;

communicator object = handle_number<communicator>(0x4000);
std::vector<choice> all_choices() {
    using enum performance_class;
    return {
        {&sample::counter, counter, "m_counter"},
        {&sample::narrow, counter, "m_narrow"},
        {&sample::counters, counter, "m_counters"},
        {&sample::continuous, counter, "m_continuous"},
        {&sample::readonly, counter, "m_readonly"},
        {&sample::watched, counter, "m_watched"},
        {&sample::not_atomic, counter, "m_not_atomic"},
        {&sample::amount, aggregate, "m_amount"},
        {&sample::timer, timer, "m_timer"},
        {&sample::nanoseconds, timer, "m_nanoseconds"},
        {&sample::level, level, "m_level"},
        {&sample::real_level, level, "m_real_level"},
        {&sample::levels, level, "m_levels"},
        {&sample::size, size, "m_size"},
        {&sample::percentage, percentage, "m_percentage"},
        {&sample::full, percentage, "m_full"},
        {&sample::highest, high_watermark, "m_level"},
        {&sample::lowest, low_watermark, "m_level"},
        {&sample::own_high, high_watermark, "m_own_high"},
        {&sample::own_low, low_watermark, "m_own_low"},
        {&sample::high_pair, high_watermark, "m_high_pair"},
        {&sample::always_low, low_watermark, "m_always_low"},
        {&sample::state, state, "m_state"},
        {&sample::open_state, state, "m_open_state"},
        {&sample::generic, generic, "m_generic"},
        {&sample::small_generic, generic, "m_small_generic"},
        {&sample::real_generic, generic, "m_real_generic"},
        {&sample::of_level, level, "m_computed_level"},
        {&sample::of_sum, counter, "m_computed_sum"},
        {&sample::of_state, state, "m_computed_state"},
        {&sample::of_colour, generic, "m_computed_colour"},
        {&sample::text, generic, "m_text"},
        {&sample::bound_counter, counter, "m_bound_counter", &object},
        {&sample::bound_amount, aggregate, "m_bound_amount", &object},
        {&sample::bound_level, level, "m_bound_level", &object},
        {&sample::bound_high, high_watermark, "m_bound_high", &object},
        {&sample::bound_low, low_watermark, "m_bound_low", &object},
        {&sample::bound_state, state, "m_bound_state", &object},
        {&sample::bound_generic, generic, "m_bound_generic", &object},
    };
}

using random_source = std::mt19937_64;
int up_to(random_source& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// One change of the library.
void change(random_source& random) {
    const int n = up_to(random, 12);
    const double quarters = n * 0.25;
    const colour any = std::vector<colour>{colour::red, colour::green, colour::blue}[static_cast<std::size_t>(n) % 3];
    auto& v = modelled;
    const std::vector<std::function<void()>> changes{
        [&] { v.counter += n; },
        [&] { v.narrow += static_cast<unsigned>(n) * 0x2000'0000u; },
        [&] { v.counters[static_cast<std::size_t>(n) % 3] += n; },
        [&] { v.continuous += n; },
        [&] { v.readonly += n; },
        [&] { v.watched += n; },
        [&] { v.not_atomic += n; },
        [&] { v.amount += quarters; },
        [&] { v.timer.add(static_cast<std::uint64_t>(n) * 250'000'000); },
        [&] { v.nanoseconds.add(static_cast<std::uint64_t>(n)); },
        [&] { v.level = static_cast<unsigned long>(n); },
        [&] { v.real_level = quarters - 1; },
        [&] { v.levels[static_cast<std::size_t>(n) % 2] = static_cast<unsigned>(n); },
        [&] { v.size = static_cast<unsigned long>(n); },
        [&] { v.percentage = quarters - 0.5; },
        [&] { v.full = quarters - 0.5; },
        [&] { v.own_high = quarters; },
        [&] { v.own_low = static_cast<unsigned>(n); },
        [&] { v.high_pair[static_cast<std::size_t>(n) % 2] = static_cast<unsigned long>(n); },
        [&] { v.always_low = static_cast<unsigned long long>(n); },
        [&] { v.state = any; },
        [&] { v.open_state = any; },
        [&] { v.generic += n - 6; },
        [&] { v.small_generic += n - 6; },
        [&] { v.real_generic += quarters - 1; },
        [&] { computed_level = n; },
        [&] { computed_sum += n; },
        [&] { computed_state = any; },
        [&] { computed_colour = any; },
        [&] { v.bound_counter[object] += n; },
        [&] { v.bound_amount[object] += quarters; },
        [&] { v.bound_level[object] = static_cast<unsigned>(n); },
        [&] { v.bound_high[object] = static_cast<unsigned long>(n); },
        [&] { v.bound_low[object] = quarters; },
        [&] { v.bound_state[object] = any; },
        [&] { v.bound_generic[object] += n - 6; },
    };
    changes[random() % changes.size()]();
}

// A batch, and a session with the same variables.
struct both_ways {
    mpit::tool::batch<sample> batch;
    session in;
    struct single {
        choice of;
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    };
    std::vector<single> singles;
    sample now;

    explicit both_ways(random_source& random) {
        std::memset(static_cast<void*>(&now), 0x5a, sizeof now);
        for (const choice& each : all_choices())
            if (up_to(random, 4) != 0) add(each);
    }
    both_ways(const both_ways&) = delete;
    void add(const choice& of) {
        INFO(of.request.name);
        REQUIRE(batch.add(of) == result::success);
        const int var_class = mpit::mpi_t::class_constants[static_cast<int>(of.request.variable_class)];
        single& made = singles.emplace_back(single{of});
        int count = -1;
        REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index(of.request.name, var_class),
                                        const_cast<void*>(of.request.object_handle), &made.handle,
                                        &count) == MPI_SUCCESS);
    }
    bool is_added(const choice& of) const {
        for (const single& each : singles)
            if (each.of.request.offset == of.request.offset) return true;
        return false;
    }
    void step(random_source& random, bool object_is_there) {
        switch (up_to(random, 5)) {
        case 0:
            static_cast<void>(batch.start());
            MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        case 1:
            static_cast<void>(batch.stop());
            MPI_T_pvar_stop(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        case 2:
            static_cast<void>(batch.reset());
            MPI_T_pvar_reset(in.handle, MPI_T_PVAR_ALL_HANDLES);
            break;
        default:
            if (up_to(random, 10) != 0) break;
            for (const choice& each : all_choices())
                if (!is_added(each) && (each.request.object_handle == nullptr || object_is_there)) return add(each);
        }
    }
    // The first disagreement, in words.
    std::string compare() {
        const sample before = now;
        const result answer = batch.read(now);
        bool is_gone = false;
        for (const single& each : singles) {
            char value[64];
            std::memset(value, 0x5a, sizeof value);
            const auto& of = each.of.request;
            const std::size_t bytes = of.count * mpit::core::size_of(of.type);
            const char* field = reinterpret_cast<const char*>(&now) + of.offset;
            const int read = MPI_T_pvar_read(in.handle, each.handle, value);
            is_gone = is_gone || read == MPI_T_ERR_INVALID_HANDLE;
            const char* wanted = read == MPI_SUCCESS ? value : reinterpret_cast<const char*>(&before) + of.offset;
            if (std::memcmp(field, wanted, bytes) == 0) continue;
            std::ostringstream said;
            said << of.name << " of class " << static_cast<int>(of.variable_class)
                 << " is another value in the batch, the call answers " << read << ", the bytes are";
            for (std::size_t i = 0; i < bytes; i++)
                said << " " << static_cast<int>(field[i]) << "/" << static_cast<int>(wanted[i]);
            return said.str();
        }
        const bool is_right = answer == (is_gone ? result::invalid_handle : result::success);
        return is_right ? "" : std::string{"the batch answers that "} + mpit::tool::to_string(answer);
    }
};

} // namespace

TEST_CASE("A batch always has the values of handles of a session") {
    initialized tools;
    const char* chosen = std::getenv("MPIT_MODEL_SEED");
    const std::uint64_t first = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
    const std::uint64_t sequences = chosen != nullptr ? 1 : std::getenv("MPIT_LONG_TESTS") != nullptr ? 20'000 : 200;
    for (std::uint64_t seed = first; seed < first + sequences; seed++) {
        random_source random{seed};
        mpit::created(modelled, object);
        bool object_is_there = true;
        both_ways one{random}, other{random};
        for (int step = 0; step < 60; step++) {
            for (int i = up_to(random, 8); i > 0; i--) change(random);
            // Any change makes the object known again.
            one.step(random, object_is_there);
            other.step(random, object_is_there);
            if (up_to(random, 50) == 0) {
                mpit::freed(modelled, object);
                mpit::created(modelled, object);
            }
            const std::string said = one.compare() + other.compare();
            if (said.empty()) continue;
            FAIL("MPIT_MODEL_SEED=" << seed << ", step " << step << ": " << said);
        }
        mpit::freed(modelled, object);
    }
}
