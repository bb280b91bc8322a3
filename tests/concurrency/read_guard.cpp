// Readers that an unload waits for: those that look, and not for ever those that were left.

#include "../catch.hpp"

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <csetjmp>
#include <sched.h>
#include <thread>

namespace {

struct tree_with_shards : mpit::category<"read_guard", "Makes the shards of this program"> {
    mpit::counter<> any{this, "any", "A counter"};
};
inline constexpr auto& tree = mpit::registered<tree_with_shards>;

std::jmp_buf out_of_reader;
[[gnu::noinline]] void leave_a_reader() {
    const mpit::core::read_guard guard;
    std::longjmp(out_of_reader, 1);
}

} // namespace

TEST_CASE("A reader that was left by longjmp is waited for once, and the next one of its thread as any other") {
    CHECK(tree.name.length > 0);
    const mpit::core::shard_set& shards = *mpit::core::shards.load();
    std::atomic<int> stage{0};
    const auto wait_for = [&stage](int n) {
        while (stage.load() != n) sched_yield();
    };
    std::thread reader{[&] {
        if (setjmp(out_of_reader) == 0) leave_a_reader();
        stage = 1;
        wait_for(2);
        {
            const mpit::core::read_guard guard;
            stage = 3;
            wait_for(4);
        }
        stage = 5;
        wait_for(6);
    }};
    wait_for(1);
    CHECK_FALSE(mpit::core::wait_for_grace_period(shards));
    CHECK(mpit::core::wait_for_grace_period(shards));
    stage = 2;
    wait_for(3);
    CHECK_FALSE(mpit::core::wait_for_grace_period(shards));
    stage = 4;
    wait_for(5);
    CHECK(mpit::core::wait_for_grace_period(shards));
    stage = 6;
    reader.join();
}
