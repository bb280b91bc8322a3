// Variables that refuse something.
#include <mpit/mpit.hpp>

struct lab_variables : mpit::category<"lab", "Messages of the lab"> {
    mpit::control<int> window{this, "LAB_WINDOW", "Messages under way at once", {.initial = {64, 1, 4096}}};
    mpit::control<int> version{this, "LAB_VERSION", "Version", {.initial = 3, .scope = mpit::scope::constant}};
    mpit::control<int> ports{this, "LAB_PORTS", "Ports", {.on_write = [](const int&) { return mpit::reply::not_now; }}};
    mpit::counter<> ticks{this, "lab_ticks", "Ticks", {.readonly = true, .continuous = true}};
};
inline constexpr auto& lab = mpit::registered<lab_variables>;
