// A program without an MPI that describes its variables when it runs: before main() it has none. With an argument it waits for a
// tool, which mpit-info is.
#include <mpit/dynamic.hpp>

#include <new>

static int describe(void*) noexcept {
    // Stays until the end of the process, as a library's does.
    alignas(mpit::dynamic) static char place[sizeof(mpit::dynamic)];
    auto* const group = new (place) mpit::dynamic{"described", "Described by main"};
    const auto answer = group->control<int>("DESCRIBED_LIMIT", "Most messages", {.initial = 7});
    return answer == mpit::result::success && group->publish().code == mpit::result::success ? 0 : 1;
}

int main(int count, char**) {
    return count > 1 ? mpit::before_tools(&describe) != mpit::result::success : describe(nullptr);
}
