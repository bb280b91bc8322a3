// A library whose variables a batch reads while it is loaded and unloaded.
#include <mpit/mpit.hpp>

#include <atomic>

namespace {

std::atomic<unsigned long> computed_number{0};
struct plugin_variables : mpit::category<"batch_plugin", "Loaded at run time"> {
    mpit::counter<> calls{this, "batch_calls", "Calls"};
    mpit::level<> queued{this, "batch_queue", "A level"};
    mpit::high_watermark<> deepest{this, "batch_queue", "The level at its highest", {.of = &queued}};
    mpit::computed<mpit::performance_class::level, unsigned long> computed{
        this, "batch_computed", "A number", {.value = [] { return computed_number.load(); }}};
    mpit::counter<> messages{this, "batch_messages", "Messages"};
    mpit::aggregate<> bytes{this, "batch_bytes", "Their bytes"};
};
constexpr auto& of_plugin = mpit::registered<plugin_variables>;

} // namespace

extern "C" [[gnu::visibility("default")]] void plugin_count(int calls) {
    for (int i = 0; i < calls; i++) {
        ++of_plugin.calls;
        ++of_plugin.queued;
        ++of_plugin.messages;
        of_plugin.bytes += 3;
        computed_number++;
    }
    of_plugin.queued = 1;
}
