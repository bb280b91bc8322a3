// Looking up the index of a control variable by its name, as a tool does, among 16 to 131072 others; compared with the
// containers that a library would use instead. There is one index in a process and it only grows, so each size is a run
// of its own:
//
//   index-benchmark 1000 [options of Google Benchmark]
//   index-benchmark 1000 registering     with a thread that registers all the time, so that there are more and more names
#include "harness.hpp"
#include "questions.hpp"
#include "rivals.hpp"
#include "tool.hpp"

#include <mpit/module/publish_pending.hpp>
#include <mpit/mpit.hpp>

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <thread>

namespace {

struct measured_variables : mpit::category<"measured", "Variables that are looked for"> {};

// A thread that registers one variable after the other, some thousands a second, while this lives.
class registrar {
public:
    registrar() {
        thread_ = std::thread{[this] {
            while (!is_over_) {
                mpit::registry::register_tree(trees().emplace_back(trees().size()), "the benchmark");
                std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
        }};
    }
    ~registrar() {
        is_over_ = true;
        thread_.join();
    }
    registrar(const registrar&) = delete;

private:
    struct late_tree : mpit::descriptor::category {
        std::string name;
        mpit::control<int> control;
        explicit late_tree(std::size_t number)
            : category{"late", "Variables that come while others look"},
              name{"LATE_" + std::to_string(number)},
              control{this, mpit::core::checked_name{name.c_str()}, "A variable that came late"} {}
    };
    static std::deque<late_tree>& trees() {
        static std::deque<late_tree> all;
        return all;
    }

    std::atomic<bool> is_over_{false};
    std::thread thread_;
};

int number_of(const char* name) {
    int number = -1;
    MPI_T_cvar_get_index(name, &number);
    return number;
}

// All benchmarks of one size.
class measurement {
public:
    measurement(int size, name_maker& maker) : size_{size}, present_(names(size, maker)), absent_(names(size, maker)) {
        static measured_variables tree;
        static std::vector<std::unique_ptr<mpit::control<int>>> variables; // as long-lived as their tree
        for (const std::string& name : present_)
            variables.push_back(
                std::make_unique<mpit::control<int>>(&tree, mpit::core::checked_name{name.c_str()}, "A variable"));
        mpit::registry::register_tree(tree, "the benchmark");
        initialize_tool();
    }

    void add_all() {
        add_warm("MPI_T_cvar_get_index", number_of);
        rivals_.for_each(size_, [&](const char* what, auto ask) { add_warm(what, ask); });
        rivals_.for_each_guarded([&](const char* what, auto ask) { add(what, "hit", hits_, ask); });

        add(own, "hit, two threads", hits_, number_of)->Threads(2);
        const auto add_two = [&](const char* what, auto ask) { add(what, "hit, two threads", hits_, ask)->Threads(2); };
        rivals_.for_each(size_, add_two);
        rivals_.for_each_guarded(add_two);

        add_floor("strlen", [](const char* name) { return static_cast<int>(std::strlen(name)); });
        add_floor("strlen and hash", [](const char* name) { return static_cast<int>(mpit::core::hash({name})); });

        add_cold("nothing", [](const char*) { return 0; });
        add_cold(own, number_of);
        rivals_.for_each(size_, [&](std::string_view what, auto ask) {
            if (what != "unordered_map") add_cold(what.data(), ask); // a temporary string is no cheaper when cold
        });
    }

    // Both take turns in one process, because names are added.
    void add_with_registrar() {
        add("MPI_T_cvar_get_index among more and more", "hit", hits_, number_of);
        measured(group() + "MPI_T_cvar_get_index among more and more/hit, another thread registers",
                 [this](benchmark::State& state) {
            const registrar here;
            ask_all(state, hits_, number_of);
        });
    }

    bool all_agree() {
        constexpr std::size_t some = 1000;
        bool agree = true;
        const auto compare = [&](const char*, auto ask) {
            for (std::size_t i = 0; i < some; i++) {
                agree = agree && ask(hits_.names[i]) == number_in(rivals_.hash_map, hits_.names[i]);
                agree = agree && ask(misses_.names[i]) == -1;
            }
        };
        compare(own, number_of);
        rivals_.for_each(size_, compare);
        rivals_.for_each_guarded(compare);
        return agree;
    }

private:
    static constexpr const char* own = "MPI_T_cvar_get_index";

    static std::vector<std::string> names(int count, name_maker& maker) {
        return ranges::views::generate_n([&] { return maker.next(); }, count) | ranges::to<std::vector>();
    }
    std::string group() const { return "index/" + std::to_string(size_) + "/"; }

    template <class Ask>
    benchmark::internal::Benchmark* add(const char* what, const char* question, const questions& about, Ask ask) {
        return measured(group() + what + "/" + question,
                        [&about, ask](benchmark::State& state) { ask_all(state, about, ask); });
    }
    template <class Ask> void add_warm(const char* what, Ask ask) {
        add(what, "walk", walk_, ask);
        add(what, "hit", hits_, ask);
        add(what, "miss", misses_, ask);
    }
    template <class Ask> void add_floor(const char* what, Ask ask) {
        add(what, "walk", walk_, ask);
        add(what, "hit", hits_, ask);
    }
    template <class Ask> void add_cold(const char* what, Ask ask) {
        measured(group() + what + "/cold", [this, ask](benchmark::State& state) { ask_cold(state, hits_, ask); })
            ->Iterations(1)
            ->Repetitions(cold_repetitions)
            ->UseManualTime();
    }

    int size_;
    std::vector<std::string> present_, absent_;
    name_maker chance_{};
    rivals rivals_{present_};
    questions walk_{present_}, hits_{present_, chance_}, misses_{absent_, chance_};
};

} // namespace

int main(int count, char** arguments) {
    const int size = count > 1 ? std::atoi(arguments[1]) : 1000;
    const bool is_registering = count > 2 && std::string_view{arguments[2]} == "registering";
    benchmark::Initialize(&count, arguments);

    name_maker maker;
    measurement all{size, maker};
    if (!all.all_agree()) return 1;
    is_registering ? all.add_with_registrar() : all.add_all();
    benchmark::RunSpecifiedBenchmarks();
}
