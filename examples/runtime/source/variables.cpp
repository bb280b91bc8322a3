// The functions behind the variables, and the predefined objects.
#include "variables.hpp"

#include "communicator.hpp"
#include "datatype.hpp"
#include "request.hpp"
#include "world.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <string_view>

template struct mpit::tree_holder<mini::runtime_variables>;

namespace mini {

unsigned long communicators_alive() { return communicator_count(); }
unsigned long requests_alive() { return request_count(); }

// A tool may call these in a signal handler, so they neither allocate nor lock. The longest answer fits:
// "18446744073709551615 unexpected, 4294967295 posted".
void describe_queues(char (&words)[64]) {
    char* at = words;
    const auto add = [&](std::string_view text) { at = std::ranges::copy(text, at).out; };
    const auto add_count = [&](auto count) {
        if (count == 0) add("none");
        else at = std::to_chars(at, std::end(words), count).ptr;
    };
    if (variables.matching.engine_state == engine_state::closed) return add("closed");
    add_count(variables.matching.unexpected_queue_length.get());
    add(" unexpected, ");
    add_count(variables.matching.posted_queue_length.get());
    add(" posted");
}

mpit::counter_cell* bytes_cell_of(MPI_Comm comm) {
    communicator* const found = find(comm);
    return found != nullptr ? &found->bytes : nullptr;
}

// After MPI_Init the answer is that the variable can never be set again.
mpit::reply before_the_start(const mpit::count&) {
    return world_was_opened() ? mpit::reply::never : mpit::reply::accepted;
}

bool are_ascending(const mpit::elements<int, 2>& bounds) { return bounds[0] <= bounds[1]; }

std::int64_t engine_ticks() {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

namespace {

// A tool may bind to predefined objects before MPI_Init, so they are announced when the library is loaded.
[[gnu::constructor]] void announce_predefined_objects() {
    mpit::created(variables, MPI_COMM_WORLD);
    mpit::created(variables, MPI_COMM_SELF);
    for (const datatype& each : datatypes()) mpit::created(variables, each.handle);
}

} // namespace
} // namespace mini
