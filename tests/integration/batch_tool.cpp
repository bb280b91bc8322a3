// A tool that is a library and includes nothing but the reader's header: it has none of the standard's functions.
#include <mpit/tool.hpp>

#include "batch_sample.hpp"

namespace {

mpit::tool::batch<batch_sample> chosen;

} // namespace

extern "C" [[gnu::visibility("default")]] int tool_add_all() {
    using enum mpit::performance_class;
    int failures = 0;
    static_cast<void>(chosen.add({{&batch_sample::of_program, counter, "program_calls"},
                                  {&batch_sample::calls, counter, "batch_calls"},
                                  {&batch_sample::queued, level, "batch_queue"},
                                  {&batch_sample::deepest, high_watermark, "batch_queue"},
                                  {&batch_sample::computed, level, "batch_computed"},
                                  {&batch_sample::messages, counter, "batch_messages"},
                                  {&batch_sample::bytes, aggregate, "batch_bytes"}},
                                 [&](const char*, mpit::result) { failures++; }));
    return failures;
}
extern "C" [[gnu::visibility("default")]] int tool_start() { return static_cast<int>(chosen.start()); }
extern "C" [[gnu::visibility("default")]] int tool_reset() { return static_cast<int>(chosen.reset()); }
extern "C" [[gnu::visibility("default")]] int tool_read(batch_sample* to) { return static_cast<int>(chosen.read(*to)); }
