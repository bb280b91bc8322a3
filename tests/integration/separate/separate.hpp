// What the two files of the library do, and the trees that both of them and the program may name.
#pragma once

#include <mpit/mpit.hpp>

enum class engine { idle, polling };
template <>
inline constexpr auto mpit::enumeration_of<engine> =
    mpit::enumerators<engine>("engine", {{"idle", engine::idle}, {"polling", engine::polling}});

struct message {
    int source;
    double seconds;
};

struct values : mpit::category<"values", "Values of every kind"> {
    mpit::counter<> calls{this, "separate_calls", "Calls"};
    mpit::control<int> limit{
        this, "SEPARATE_LIMIT", "A number", {.initial = {5, 0, 1 << 20}, .unit = mpit::unit::bytes}};
    mpit::control<unsigned> width{this, "SEPARATE_WIDTH", "A number", {.initial = 3}};
    mpit::control<double> share{this, "SEPARATE_SHARE", "A number", {.initial = 0.5}};
    mpit::control<engine> mode{this, "SEPARATE_MODE", "An item", {.initial = engine::idle}};
    mpit::control<char[16]> device{this, "SEPARATE_DEVICE", "A text", {.initial = "none"}};
};

extern int adopted_limit;
struct happenings : mpit::category<"happenings", "Events, and storage of the library"> {
    mpit::event<message> arrived{this, "separate_arrived", "A message came"};
    mpit::control_ref<int> adopted{this, "SEPARATE_ADOPTED", "A number", {.storage = &adopted_limit}};
};

inline constexpr auto& held_values = mpit::registered<values>;
inline constexpr auto& held_happenings = mpit::registered<happenings>;

[[gnu::visibility("default")]] int begin_library();
[[gnu::visibility("default")]] void send(int source);
[[gnu::visibility("default")]] void send_later(int source);
[[gnu::visibility("default")]] void make_progress();
[[gnu::visibility("default")]] const char* last_report();
