// Discovery: all shared objects of a process that ask at once get one registry, and whoever gets it finds it begun. The
// list of loaded objects is that of the scenario; the C library holds its lock while it walks it, and so does the list
// here.
#include "scenario.hpp"

#include <mpit/module/discovery.hpp>

#include <dlfcn.h>
#include <sched.h>

namespace {

using mpit::registry::fingerprint_of_layout;
using mpit::registry::process_registry;
using mpit::registry::detail::discover_registry;
using mpit::registry::detail::discovery_cell;
using mpit::registry::detail::discovery_search;
using callback_of_walk = int (*)(dl_phdr_info*, std::size_t, void*);

// What an object has in its file.
struct note_of_object {
    ElfW(Nhdr) header { 5, 8, mpit::version::layout };
    char name[8] = "mpit";
    char distance[8] = {}; // not aligned
};

struct list_of_objects {
    virtual int walk(callback_of_walk visit, void* argument) = 0;
};
list_of_objects* objects = nullptr;

// The first fibers are threads of this program, whose cell and pointers are those of the headers. The last one is an
// object with a cell of its own, which may be the first to come.
template <int Threads, bool IsLocked> struct discovering final : list_of_objects {
    static constexpr int fibers = Threads + 1;
    discovery_cell other{nullptr};
    note_of_object notes[2];
    ElfW(Phdr) segments[2] {};
    dl_phdr_info infos[2]{};
    mpit::core::atomic<std::uint32_t> lock;
    process_registry* found[static_cast<std::size_t>(fibers)] = {};

    discovering() {
        objects = this;
        model::keep_allocations();
        model::keep_shards();
        keep(mpit_registry_cell_5, "cell of the program");
        keep(mpit::registry::cached_registry, "known registry");
        keep(mpit::registry::name_of_module, "name of the program");
        keep(mpit::registry::has_shims, "whether shims are there");
        model::call(other, "cell of an object");
        model::call(lock, "lock of the loader");
        discovery_cell* const cells[] = {&mpit_registry_cell_5, &other};
        for (int i = 0; i < 2; i++) {
            const std::int64_t distance = reinterpret_cast<char*>(cells[i]) - notes[i].distance;
            std::memcpy(notes[i].distance, &distance, sizeof distance);
            segments[i].p_type = PT_NOTE;
            segments[i].p_align = 4;
            segments[i].p_vaddr = reinterpret_cast<std::uintptr_t>(&notes[i]);
            segments[i].p_memsz = sizeof notes[i];
            infos[i].dlpi_name = i == 0 ? "" : "libother.so";
            infos[i].dlpi_phdr = &segments[i];
            infos[i].dlpi_phnum = 1;
        }
    }
    template <class T> static void keep(T& global, const char* name) {
        model::keep(&global, sizeof global);
        model::call(global, name);
    }
    // Of the whole walk the first object is enough: it holds the lock for the one inside.
    int walk(callback_of_walk visit, void* argument) override {
        if (visit != &discover_registry) {
            for (dl_phdr_info& each : infos)
                if (const int answer = visit(&each, sizeof each, argument)) return answer;
            return 0;
        }
        while (IsLocked && !lock.compare_and_set(0, 1)) sched_yield();
        const int answer = visit(&infos[0], sizeof infos[0], argument);
        if (IsLocked) lock.store(0);
        return answer;
    }
    void run(int fiber) {
        if (fiber < Threads) {
            found[fiber] = mpit::registry::the_registry();
        } else {
            discovery_search search;
            search.own = &other;
            dl_iterate_phdr(&discover_registry, &search);
            found[fiber] = search.known;
        }
        model::check(found[fiber] != nullptr, "there is a registry");
        if (found[fiber] == nullptr) return;
        model::check(found[fiber]->fingerprint == fingerprint_of_layout, "a registry that is found is begun");
    }
    int at_end() {
        for (process_registry* const each : found) model::check(each == found[0], "all have one registry");
        model::check(mpit_registry_cell_5.load() == found[0] && other.load() == found[0], "each object knows it");
        return 0;
    }
};

template <class Scenario> std::string mistake_of(const char* name, const model::weakening& mutant = {}) {
    const model::options with{.memory = model::cxx20,
                              .allows_waiting = true,
                              .kept_bytes_of_pages = sizeof(process_registry),
                              .mutant = mutant};
    const std::string mistake = model::explore<Scenario>(name, with).mistake;
    objects = nullptr;
    return mistake;
}

} // namespace

extern "C" int dl_iterate_phdr(callback_of_walk visit, void* argument) {
    if (model::this_fiber() >= 0 && objects != nullptr) return objects->walk(visit, argument);
    const auto of_the_system = reinterpret_cast<int (*)(callback_of_walk, void*)>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
    return of_the_system(visit, argument);
}

TEST_CASE("Shared objects that look for the registry at once get the same one, and find it begun") {
    CHECK(mistake_of<discovering<1, true>>("a program and an object look for the registry") == "");
    CHECK(mistake_of<discovering<2, true>>("two threads and an object look for the registry") == "");
}

TEST_CASE("Objects that look for the registry without the loader's lock get several") {
    CHECK(mistake_of<discovering<1, false>>("a mutant: the list has no lock") != "");
}

TEST_CASE("A registry that is found with a weaker order may not be begun") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    CHECK(mistake_of<discovering<2, true>>("mutant: the_registry",
                                           {"the_registry.hpp", "the_registry", operation::load, relaxed}) != "");
    CHECK(mistake_of<discovering<2, true>>("mutant: find_the_registry",
                                           {"discovery.hpp", "find_the_registry", operation::store, relaxed}) != "");
}
