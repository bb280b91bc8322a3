// A library with 1002 control variables, 102 performance variables and an event, with shims of its own or, with
// PEERS_ARE_STACKED, on top of an MPI.
#include "../index/names.hpp"

#include <mpit/module/publish_pending.hpp>
#include <mpit/mpit.hpp>
#ifdef PEERS_ARE_STACKED
#ifndef MPIT_MPI_HEADER
#error                                                                                                                 \
    "with -DMPIT_MPI_HEADER='<mpi.h>' of the MPI: constants of another one are refused, as thread levels with MPI_T_ERR_INVALID"
#endif
#include <mpit/over_mpi.hpp>
#else
#include <mpit/mpi_t.hpp>
#endif

#include <deque>
#include <string>

namespace {

enum class protocol { automatic, eager, rendezvous };
struct message {
    int source;
    int tag;
    unsigned long bytes;
};

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<protocol> = mpit::enumerators<protocol>(
    "peers_protocol",
    {{"automatic", protocol::automatic}, {"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});

namespace {

struct variables_of_the_library : mpit::category<"peers_first", "Variables that are read"> {
    mpit::control<int> limit{this, "peers_eager_limit", "Largest message that is sent at once, in bytes"};
    mpit::control<protocol> way{this, "peers_protocol", "How messages travel", {.initial = protocol::eager}};
    mpit::counter<> messages{this, "peers_messages_sent", "Messages that a send was called for"};
    mpit::level<> queued{this, "peers_queue_length", "Messages that nobody has asked for yet"};
    mpit::event<message> arrived{this, "peers_message_arrived", "A message came"};
};
inline constexpr auto& library = mpit::registered<variables_of_the_library>;

struct part : mpit::descriptor::category {
    part(category& inside, const char* called) : category{&inside, called, "Some of the further variables"} {}
};

// Company for them, as many as a large MPI has, under names of the same lengths, some in each category.
struct company : mpit::category<"peers_company", "Further variables"> {
    static constexpr int controls_in_all = 1000, counters_in_all = 100, controls_of_a_part = 25;
    company() {
        name_maker maker;
        for (int i = 0; i < controls_in_all; i++) {
            if (i % controls_of_a_part == 0)
                parts.emplace_back(*this, names.emplace_back("peers_part_").append(std::to_string(i)).c_str());
            const std::string& called = names.emplace_back("peers_").append(maker.next());
            controls.emplace_back(&parts.back(), mpit::core::checked_name{called.c_str()}, "A further variable");
            if (i % (controls_in_all / counters_in_all) == 0)
                counters.emplace_back(&parts.back(), mpit::core::checked_name{called.c_str()}, "A further variable");
        }
    }
    std::deque<std::string> names{};
    std::deque<part> parts{};
    std::deque<mpit::control<int>> controls{};
    std::deque<mpit::counter<>> counters{};
};

[[gnu::constructor]] void register_company() {
    static company further;
    mpit::registry::register_tree(further, "the benchmark");
}

} // namespace

extern "C" [[gnu::visibility("default")]] void peers_send() {
    ++library.messages;
    library.arrived(1, 2, 3ul);
}
