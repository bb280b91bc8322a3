// The enumerations of the runtime's variables, with the names that tools show for their values.
#pragma once

#include <mpit/mpit.hpp>

namespace mini {

// How a message travels: by its length, or always in one way.
enum class protocol { automatic, eager, rendezvous };

// The states of the engine's queues: nothing, receives that wait for messages, or messages that wait for receives.
enum class engine_state { closed, idle, expecting, backlogged };

} // namespace mini

template <>
inline constexpr auto mpit::enumeration_of<mini::protocol> =
    mpit::enumerators<mini::protocol>("protocol", {{"automatic", mini::protocol::automatic},
                                                   {"eager", mini::protocol::eager},
                                                   {"rendezvous", mini::protocol::rendezvous}});
template <>
inline constexpr auto mpit::enumeration_of<mini::engine_state> =
    mpit::enumerators<mini::engine_state>("engine_state", {{"closed", mini::engine_state::closed},
                                                           {"idle", mini::engine_state::idle},
                                                           {"expecting", mini::engine_state::expecting},
                                                           {"backlogged", mini::engine_state::backlogged}});
