// The performance variables of the random sequences in model.cpp: every class and behaviour, arrays, continuous,
// readonly, computed and bound ones. The control variables are those of variables.hpp.
#pragma once

#include "variables.hpp"

inline double computed_level = 3, computed_sum = 0;
inline colour computed_state = colour::red, computed_colour = colour::blue;

struct modelled_variables : mpit::category<"modelled", "The variables of the random sequences"> {
    mpit::counter<> counter{this, "m_counter", ""};
    mpit::counter<unsigned> narrow{this, "m_narrow", ""};
    mpit::counter<unsigned long[3]> counters{this, "m_counters", ""};
    mpit::counter<> continuous{this, "m_continuous", "", {.continuous = true}};
    mpit::counter<> readonly{this, "m_readonly", "", {.readonly = true}};
    mpit::counter<> watched{this, "m_watched", "", {.readonly = true, .continuous = true}};
    mpit::counter<> not_atomic{this, "m_not_atomic", "", {.atomic = false}};
    mpit::aggregate<double> amount{this, "m_amount", ""};
    mpit::timer timer{this, "m_timer", ""};
    mpit::timer_of<unsigned long long> nanoseconds{this, "m_nanoseconds", "in nanoseconds"};
    mpit::level<unsigned long> level{this, "m_level", "", {.initial = 3}};
    mpit::level<double> real_level{this, "m_real_level", "", {.continuous = true}};
    mpit::level<unsigned[2]> levels{this, "m_levels", ""};
    mpit::size<unsigned long> size{this, "m_size", "", {.initial = 64}};
    mpit::percentage<> percentage{this, "m_percentage", "", {.initial = 0.25}};
    mpit::percentage<> full{this, "m_full", "", {.continuous = true}};
    mpit::high_watermark<unsigned long> highest{this, "m_level", "", {.of = &level}};
    mpit::low_watermark<unsigned long> lowest{this, "m_level", "", {.of = &level}};
    mpit::high_watermark<double> own_high{this, "m_own_high", "", {.initial = 1}};
    mpit::low_watermark<unsigned> own_low{this, "m_own_low", "", {.initial = 10}};
    mpit::high_watermark<unsigned long[2]> high_pair{this, "m_high_pair", ""};
    mpit::low_watermark<unsigned long long> always_low{this, "m_always_low", "", {.initial = 5, .continuous = true}};
    mpit::state<colour> state{this, "m_state", "", {.initial = colour::blue}};
    mpit::state<colour> open_state{this, "m_open_state", "", {.initial = colour::red, .continuous = true}};
    mpit::generic<mpit::count> generic{this, "m_generic", "", {.initial = 100}};
    mpit::generic<mpit::exact<std::int32_t>> small_generic{this, "m_small_generic", ""};
    mpit::generic<double> real_generic{this, "m_real_generic", "", {.initial = -0.5, .continuous = true}};
    mpit::computed<mpit::performance_class::level, unsigned long> of_level{
        this, "m_computed_level", "", {.value = [] { return static_cast<unsigned long>(computed_level); }}};
    mpit::computed<mpit::performance_class::counter, unsigned> of_sum{
        this, "m_computed_sum", "", {.value = [] { return static_cast<unsigned>(computed_sum); }}};
    mpit::computed<mpit::performance_class::state, colour> of_state{
        this, "m_computed_state", "", {.value = [] { return computed_state; }}};
    mpit::computed<mpit::performance_class::generic, colour> of_colour{
        this, "m_computed_colour", "", {.value = [] { return computed_colour; }}};
    mpit::computed<mpit::performance_class::generic, char[8]> of_text{
        this, "m_text", "", {.value = [](char (&to)[8]) { to[0] = 'x'; }}};
    mpit::counter<unsigned long, communicator> bound_counter{this, "m_bound_counter", ""};
    mpit::aggregate<double, communicator> bound_amount{this, "m_bound_amount", "", {.continuous = true}};
    mpit::level<unsigned, communicator> bound_level{this, "m_bound_level", "", {.initial = 2}};
    mpit::high_watermark<unsigned long, communicator> bound_high{this, "m_bound_high", "", {.initial = 4}};
    mpit::low_watermark<double, communicator> bound_low{this, "m_bound_low", "", {.initial = 6, .continuous = true}};
    mpit::state<colour, communicator> bound_state{this, "m_bound_state", "", {.initial = colour::green}};
    mpit::generic<mpit::exact<std::int64_t>, communicator> bound_generic{this, "m_bound_generic", "", {.initial = -7}};
};
inline constexpr auto& modelled = mpit::registered<modelled_variables>;
