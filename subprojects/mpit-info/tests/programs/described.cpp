// A program without an MPI that describes its variables when it runs: before main() it has none. With an argument it
// waits for a tool, which mpit-info is.
#include <mpit/dynamic.hpp>

#include <new>

static unsigned long work(void*) noexcept { return 7; }

static int describe(void*) noexcept {
    // Stays until the end of the process, as a library's does.
    alignas(mpit::dynamic) static char place[sizeof(mpit::dynamic)];
    auto* const group = new (place) mpit::dynamic{"described", "Described by main"};
    static mpit::counter_cell sent;
    static mpit::level_cell<unsigned long long> queued;
    const auto answer = group->control<int>("DESCRIBED_LIMIT", "Most messages", {.initial = 7});
    if (answer != mpit::result::success ||
        group->counter("described_sent", "Messages sent", {.cell = &sent}) != mpit::result::success ||
        group->level("described_queued", "Messages that wait", {.cell = &queued}) != mpit::result::success ||
        group->high_watermark("described_longest", "Most messages that waited", {.cell = &queued}) !=
            mpit::result::success ||
        group->computed<mpit::performance_class::generic, unsigned long>("described_work", "Work done",
                                                                         {.value = work}) != mpit::result::success ||
        group->publish().code != mpit::result::success)
        return 1;
    sent += 200;
    queued += 3;
    return 0;
}

int main(int count, char**) {
    return count > 1 ? mpit::before_tools(&describe) != mpit::result::success : describe(nullptr);
}
