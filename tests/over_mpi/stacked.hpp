// What the tests of a roof on top of the host of the tests share: an epoch of the interface, at whose end nothing has crashed
// and the host has everything back.
#pragma once

#include "../catch.hpp"
#include "library.hpp"
#include "mock_host.hpp"

#include <climits>
#include <cstring>
#include <string>
#include <vector>

struct epoch {
    int provided = -1;
    epoch() { REQUIRE(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS); }
    ~epoch() {
        mock_host::be_kind();
        mock_host::end_registrations();
        MPI_T_finalize();
        const mock_host::host& host = mock_host::the_host();
        CHECK(host.crashes == 0);
        CHECK(host.control_handles.empty());
        CHECK(host.performance_handles.empty());
        CHECK(host.sessions.empty());
        CHECK(host.registrations.empty());
        CHECK(host.infos.empty());
    }
    epoch(const epoch&) = delete;
};

inline int control_number(const std::string& name) {
    int number = -1;
    return MPI_T_cvar_get_index(name.c_str(), &number) == MPI_SUCCESS ? number : -1;
}
inline int performance_number(const std::string& name, int in = MPI_T_PVAR_CLASS_COUNTER) {
    int number = -1;
    return MPI_T_pvar_get_index(name.c_str(), in, &number) == MPI_SUCCESS ? number : -1;
}
inline int event_number(const std::string& name) {
    int number = -1;
    return MPI_T_event_get_index(name.c_str(), &number) == MPI_SUCCESS ? number : -1;
}
inline int category_number(const std::string& name) {
    int number = -1;
    return MPI_T_category_get_index(name.c_str(), &number) == MPI_SUCCESS ? number : -1;
}
// There is no function for it.
inline int source_number(const std::string& name) {
    int count = 0;
    REQUIRE(MPI_T_source_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        char text[256];
        int size = sizeof text;
        REQUIRE(MPI_T_source_get_info(i, text, &size, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
                MPI_SUCCESS);
        if (text == name) return i;
    }
    return -1;
}
// Everything that is listed, in the order of its numbers.
inline std::vector<std::string> all_controls() {
    std::vector<std::string> names;
    int count = 0;
    REQUIRE(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        char text[256];
        int size = sizeof text;
        REQUIRE(MPI_T_cvar_get_info(i, text, &size, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
                MPI_SUCCESS);
        names.emplace_back(text);
    }
    return names;
}
template <class T> int add_to(std::deque<T>& list, T what) {
    const std::lock_guard here{mock_host::the_host().busy};
    list.push_back(std::move(what));
    return static_cast<int>(list.size()) - 1;
}
