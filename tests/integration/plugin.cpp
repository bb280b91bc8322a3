// A library that programs load while they run: one of each kind of variable under names that begin with PLUGIN,
// declared in the namespace OWNER.
#include "shapes/names.hpp"

#ifndef OWNER
#define OWNER PLUGIN
#endif

namespace OWNER {
enum class mode { calm, busy };
}
template <>
inline constexpr auto mpit::enumeration_of<OWNER::mode> =
    mpit::enumerators<OWNER::mode>(TEXT(PLUGIN) "_mode", {{"calm", OWNER::mode::calm}, {"busy", OWNER::mode::busy}});

namespace OWNER {
struct call {
    int number;
    double weight;
};
static std::int64_t ticks = 0;
struct variables : mpit::category<TEXT(PLUGIN), "Loaded at run time"> {
    mpit::control<int> limit{this, TEXT(PLUGIN) "_limit", "A number", {.initial = 5}};
    mpit::control<mode> chosen{this, TEXT(PLUGIN) "_mode", "A mode"};
    mpit::counter<> calls{this, TEXT(PLUGIN) "_calls", "Calls"};
    struct : mpit::category<TEXT(PLUGIN) "_inside", "In the category of the plugin"> {
        mpit::aggregate<double> time{this, TEXT(PLUGIN) "_time", "Half a unit for every call"};
        mpit::level<unsigned long> level{this, TEXT(PLUGIN) "_level", "A level"};
        mpit::event<call> called{this, TEXT(PLUGIN) "_called", "A call was made"};
    } inside{this};
    mpit::source clock{
        this, TEXT(PLUGIN) "_clock", "Calls so far", {.ticks_per_second = 10, .clock = [] { return ticks; }}};
    mpit::event<call> counted{this, TEXT(PLUGIN) "_counted", "A call was counted", {.source = &clock}};
};
inline constexpr auto& all = mpit::registered<variables>;
} // namespace OWNER

extern "C" [[gnu::visibility("default")]] void plugin_count(int calls) {
    for (int i = 0; i < calls; i++) {
        ++OWNER::all.calls;
        OWNER::all.inside.time += 0.5;
        OWNER::ticks++;
        OWNER::all.inside.called(i, 0.5);
        OWNER::all.counted(i, 0.25);
    }
    OWNER::all.inside.level = static_cast<unsigned long>(calls);
}
extern "C" [[gnu::visibility("default")]] unsigned long long plugin_calls() { return OWNER::all.calls.get(); }
extern "C" [[gnu::visibility("default")]] int plugin_limit() { return OWNER::all.limit; }
