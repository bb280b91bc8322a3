// A library that programs load while they run. Whatever a tool asks of it calls a function of its own, which takes its
// time or does what the program wants: so it is being used whenever it is unloaded.
#include <mpit/mpit.hpp>

#include <atomic>
#include <cstdlib>

namespace slow {

// What the program does in every function of the library; it may begin with the first one, while the library is loaded.
std::atomic<void (*)()> visitor{nullptr};
[[gnu::constructor(101)]] void begin_with_visitor() {
    if (const char* address = std::getenv("SLOW_VISITOR"))
        visitor.store(reinterpret_cast<void (*)()>(std::strtoul(address, nullptr, 16)));
}

void pass() {
    if (void (*const visit)() = visitor.load()) return visit();
    for (int i = 0; i < 2000; i++) __asm__ __volatile__("");
}
template <class T> T after_a_while(T value) {
    pass();
    return value;
}

using communicator = mpit::object<mpit::binding::communicator, int>;
struct call {
    int number;
};
std::atomic<std::int64_t> ticks{0};
mpit::counter_cell counted_by_object;

struct variables : mpit::category<"slow", "Whatever is asked takes a while"> {
    mpit::control<int> even{this, "slow_even", "Even numbers", {.initial = 4, .valid = [](const int& value) {
        return after_a_while(value % 2 == 0);
    }, .on_write = [](const int&) { return after_a_while(mpit::reply::accepted); }}};
    mpit::control<char[32]> text{this, "slow_text", "A text", {.initial = "as it was loaded"}};
    mpit::control<int[8], communicator> elements{
        this, "slow_elements", "Two elements", {.count = [](int) { return after_a_while(2u); }}};
    mpit::computed<mpit::performance_class::level, unsigned long> seven{
        this, "slow_seven", "Always seven", {.value = [] { return after_a_while(7ul); }}};
    mpit::computed<mpit::performance_class::generic, char[16]> word{
        this, "slow_word", "A word", {.value = [](char (&to)[16]) { to[0] = after_a_while('x'); }}};
    mpit::counter<> calls{this, "slow_calls", "Calls"};
    mpit::counter<unsigned long, communicator> located{
        this, "slow_located", "Calls on a communicator", {.locate = [](int) {
        return after_a_while(&counted_by_object);
    }}};
    mpit::level<unsigned long> depth{this, "slow_depth", "A level"};
    mpit::high_watermark<unsigned long> highest{this, "slow_highest", "The highest level", {.of = &depth}};
    mpit::source clock{this, "slow_clock", "Calls so far", {.ordering = mpit::ordering::ordered, .clock = [] {
        return after_a_while(ticks.load());
    }}};
    mpit::event<call> called{this, "slow_called", "A call was made", {.source = mpit::steady_clock}};
    mpit::event<call, communicator> called_on{this,
                                              "slow_called_on",
                                              "A call was made on a communicator",
                                              {.exists = [](int) { return after_a_while(true); }}};
    mpit::event<call> counted{this, "slow_counted", "A call was counted", {.source = &clock}};
};
constexpr auto& all = mpit::registered<variables>;
const bool is_announced = (mpit::created<mpit::binding::communicator>(all, 1), true);

[[gnu::destructor]] void use_at_the_end() {
    ++all.calls;
    all.called(0);
}

} // namespace slow

extern "C" {
[[gnu::visibility("default")]] void plugin_count(int calls) {
    for (int i = 0; i < calls; i++) {
        ++slow::all.calls;
        ++slow::all.depth;
        slow::ticks++;
        slow::all.called(i);
        slow::all.counted(i);
        slow::all.called.defer(i);
        slow::all.called_on[1](i);
        slow::all.called.deliver();
        --slow::all.depth;
    }
}
[[gnu::visibility("default")]] void plugin_take_reports() {
    mpit::set_report_handler([](const char*) { ++slow::all.calls; });
}
[[gnu::visibility("default")]] void plugin_visit(void (*visitor)()) { slow::visitor.store(visitor); }
}
