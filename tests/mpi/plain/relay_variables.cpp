// The one file in C++20: it adopts the globals, and has the functions of the interface.
#include "relay.hpp"
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

enum class answer { no, yes };
template <>
inline constexpr auto mpit::enumeration_of<answer> =
    mpit::enumerators<answer>("answer", {{"no", answer::no}, {"yes", answer::yes}});
template <>
inline constexpr auto mpit::enumeration_of<relay::protocol> = mpit::enumerators<relay::protocol>(
    "relay_protocol", {{"eager", relay::protocol::eager}, {"rendezvous", relay::protocol::rendezvous}});

struct relay_variables : mpit::category<"relay", "Messages of the relay"> {
    mpit::control_ref<int> window{
        this, "RELAY_WINDOW", "Messages under way at once", {.storage = &relay::window, .range = {1, 4096}}};
    mpit::computed<mpit::performance_class::size, unsigned long> shards{
        this, "relay_shards", "Lanes", {.value = [] { return static_cast<unsigned long>(relay::shards); }}};
    mpit::computed<mpit::performance_class::generic, answer> registers{
        this, "relay_registers_memory", "Whether memory is registered", {.value = [] {
        return relay::registers_memory ? answer::yes : answer::no;
    }}};
    mpit::computed<mpit::performance_class::state, relay::protocol> way{
        this, "relay_protocol", "How messages travel", {.value = [] { return relay::way; }}};
    mpit::counter<> messages{this, "relay_messages", "Messages sent"};
    mpit::aggregate<> bytes{this, "relay_bytes", "Bytes sent"};
};
inline constexpr auto& variables = mpit::registered<relay_variables>;

void relay::count(unsigned long bytes) {
    ++variables.messages;
    variables.bytes += bytes;
}
