// Reads and counts in a tree.
#include "separate.hpp"

#include <mpit/settings.hpp>

#include <cstring>

namespace {

char report_kept[512] = "";
int times_described = 0;
int describe(void*) noexcept { return times_described++, 0; }

} // namespace

const char* last_report() { return report_kept; }

// The sum of what the environment has set, which is checked before a tool comes.
int begin_library() {
    mpit::set_report_handler([](const char* sentence) { std::strncpy(report_kept, sentence, sizeof report_kept - 1); });
    char name[] = "library", option[] = "--mpit", rejected[] = "SEPARATE_LIMIT=many";
    char* arguments[] = {name, option, rejected, nullptr};
    int count = 3;
    static_cast<void>(mpit::take_arguments(count, arguments));
    if (mpit::before_tools(&describe) != mpit::result::success) return -1;
    adopted_limit = 40; // what an older reader of settings would do
    const bool is_weaker = mpit::is_outranked(held_happenings.adopted, mpit::origin::library);
    mpit::resolve<happenings>();
    if (mpit::given(held_happenings.adopted, mpit::origin::configuration, "separate.conf:1") !=
        mpit::result::set_not_now)
        return -2;
    return (is_weaker ? 100000 : 0) + held_values.limit + static_cast<int>(held_values.width) + adopted_limit +
           (held_values.share == 0.25 ? 10 : 0) + (held_values.mode == engine::polling ? 20 : 0) +
           (held_values.device.get() == "card0" ? 30 : 0);
}
