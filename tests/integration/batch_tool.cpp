// A tool that is a library and includes nothing but the reader's header: it has none of the standard's functions.
#include <mpit/tool.hpp>

#include "batch_sample.hpp"

namespace {

mpit::tool::batch<batch_sample> chosen;

} // namespace

extern "C" [[gnu::visibility("default")]] int tool_add_all() {
    using enum mpit::performance_class;
    int failures = 0;
    static_cast<void>(chosen.add({{&batch_sample::of_program, "program_calls", counter},
                                  {&batch_sample::calls, "batch_calls", counter},
                                  {&batch_sample::queued, "batch_queue", level},
                                  {&batch_sample::deepest, "batch_queue", high_watermark},
                                  {&batch_sample::computed, "batch_computed", level},
                                  {&batch_sample::messages, "batch_messages", counter},
                                  {&batch_sample::bytes, "batch_bytes", aggregate}},
                                 [&](const char*, mpit::result) { failures++; }));
    return failures;
}
extern "C" [[gnu::visibility("default")]] int tool_start() { return static_cast<int>(chosen.start()); }
extern "C" [[gnu::visibility("default")]] int tool_reset() { return static_cast<int>(chosen.reset()); }
extern "C" [[gnu::visibility("default")]] int tool_read(batch_sample* to) { return static_cast<int>(chosen.read(*to)); }
