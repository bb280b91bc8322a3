// A library with 1002 control variables, 102 performance variables and an event, under a roof of its own or, with
// PEERS_ARE_STACKED, on top of an MPI.
#include "../index/names.hpp"

#include "../index/names.hpp"

#include <mpit/mpit.hpp>
#ifdef PEERS_ARE_STACKED
#include <mpit/stack/mpi_t.hpp>
#else
#include <mpit/c/mpi_t.hpp>
#endif

#include <deque>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace {

enum class protocol { automatic, eager, rendezvous };
struct message {
    int source;
    int tag;
    unsigned long bytes;
};

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<protocol> =
    mpit::enumerators<protocol>("peers_protocol", {{"automatic", protocol::automatic},
                                                   {"eager", protocol::eager},
                                                   {"rendezvous", protocol::rendezvous}});

namespace {

struct variables_of_the_library : mpit::category<"peers", "Variables that are read"> {
    mpit::control<int> limit{this, "peers_eager_limit", "Largest message that is sent at once, in bytes"};
    mpit::control<protocol> way{this, "peers_protocol", "How messages travel", {.initial = protocol::eager}};
    mpit::counter<> messages{this, "peers_messages_sent", "Messages that a send was called for"};
    mpit::level<> queued{this, "peers_queue_length", "Messages that nobody has asked for yet"};
    mpit::event<message> arrived{this, "peers_message_arrived", "A message came"};
};
inline constexpr auto& library = mpit::enrolled<variables_of_the_library>;

// Company for them, as many as a large MPI has, under names of the same lengths.
struct company : mpit::category<"peers_company", "Further variables"> {
    static constexpr int controls_in_all = 1000, counters_in_all = 100;
    company() {
        name_maker maker;
        for (int i = 0; i < controls_in_all; i++) {
            const std::string& called = names.emplace_back("peers_").append(maker.next());
            controls.push_back(std::make_unique<mpit::control<int>>(this, called.c_str(), "A further variable"));
            if (i < counters_in_all)
                counters.push_back(std::make_unique<mpit::counter<>>(this, called.c_str(), "A further variable"));
        }
    }
    std::deque<std::string> names{};
    std::vector<std::unique_ptr<mpit::control<int>>> controls{};
    std::vector<std::unique_ptr<mpit::counter<>>> counters{};
};

[[gnu::constructor]] void enrol_company() {
    static company further;
    mpit::index::enrol(further, "the benchmark");
}

} // namespace

extern "C" [[gnu::visibility("default")]] void peers_send() {
    ++library.messages;
    library.arrived(1, 2, 3ul);
}
