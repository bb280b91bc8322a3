// The typed reader on a real MPI: what it says is what the functions of the standard say, also of variables that these
// describe wrongly, and of a library beside the MPI, where one is preloaded.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpi.h>

#include <mpit/tool/over_mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

using mpit::result;
using mpit::tool::kind;
using mpit::tool::over_mpi;
using library = mpit::tool::library<over_mpi>;

int failures = 0, checks = 0;
void check(bool holds, const char* what, const std::string& of) {
    checks++;
    if (holds) return;
    std::printf("failed for %s: %s\n", of.c_str(), what);
    failures++;
}
#define CHECK(holds, of) check((holds), #holds, of)

// A number that is read without the reader.
long long plainly_read(int number, MPI_Datatype type) {
    MPI_T_cvar_handle handle;
    int count = 0, value = 0;
    unsigned long wide = 0;
    MPI_T_cvar_handle_alloc(number, nullptr, &handle, &count);
    MPI_T_cvar_read(handle, type == MPI_UNSIGNED_LONG ? static_cast<void*>(&wide) : &value);
    MPI_T_cvar_handle_free(&handle);
    return type == MPI_UNSIGNED_LONG ? static_cast<long long>(wide) : value;
}

void check_controls(const library& interface) {
    int listed = 0, read = 0;
    for (const mpit::tool::control_info& each : interface.controls()) {
        listed++;
        int number = -1;
        CHECK(interface.find(kind::control, each.name.c_str(), {}, number) == result::success, each.name);
        if (each.binding != mpit::binding::none) continue;
        auto any = interface.control<mpit::tool::any_value>(each.number);
        if (!any || !any.read().has_value()) continue;
        read++;
        // In Open MPI 5.0.7 it is an object of a function that has returned: a read returns what the stack has there.
        const bool is_on_the_stack = each.name == "mpi_ft_verbose";
        if (each.type == mpit::datatype::int_type && any.count() == 1 && !is_on_the_stack)
            CHECK(interface.control<int>(each.number).read() == plainly_read(each.number, MPI_INT), each.name);
        if (each.type == mpit::datatype::unsigned_long_type)
            CHECK(static_cast<long long>(interface.control<unsigned long>(each.number).read().value()) ==
                      plainly_read(each.number, MPI_UNSIGNED_LONG),
                  each.name);
        if (each.type == mpit::datatype::char_type)
            CHECK(interface.control<std::string>(each.number).read() == std::get<std::string>(*any.read()), each.name);
        CHECK((interface.control<std::array<double, 7>>(each.number).status() != result::success), each.name);
    }
    std::printf("%d control variables of %d numbers, %d read\n", listed, interface.count(kind::control), read);
    CHECK(read > 300, "control variables");
}

void check_performances(const library& interface) {
    const auto session = interface.session();
    int listed = 0, read = 0;
    for (const mpit::tool::performance_info& each : interface.performances()) {
        listed++;
        if (each.binding == mpit::binding::communicator)
            CHECK(session.performance<mpit::tool::any_value>(each.number, MPI_COMM_NULL).status() != result::success,
                  each.name);
        if (each.binding != mpit::binding::none) continue;
        auto any = session.performance<mpit::tool::any_value>(each.number);
        read += any.start() == result::success && any.read().has_value();
    }
    std::printf("%d performance variables of %d numbers, %d read\n", listed, interface.count(kind::performance), read);
}

void check_categories(const library& interface) {
    int members = 0;
    for (const mpit::tool::category_info& each : interface.categories())
        for (const int number : each.controls) {
            mpit::tool::control_info told;
            static_cast<void>(interface.tell(number, told)); // or a hole
            members++;
        }
    CHECK(members > 0, "categories");
}

// What lies beside the MPI in tests/mpi/library.cpp.
void check_library(const library& interface, void (*send)(int)) {
    enum class protocol { automatic, eager, rendezvous };
    auto limit = interface.control<int>("LAB_EAGER_LIMIT");
    CHECK(limit.write(512) == result::success, "LAB_EAGER_LIMIT");
    CHECK(limit.read() == 512, "LAB_EAGER_LIMIT");
    CHECK(limit.write(-1) == result::invalid, "LAB_EAGER_LIMIT");
    CHECK(interface.control<protocol>("LAB_PROTOCOL").read() == protocol::eager, "LAB_PROTOCOL");
    CHECK(interface.control<std::string>("LAB_JOB").read() == "work", "LAB_JOB");
    const auto session = interface.session();
    auto messages = session.performance<unsigned long>("lab_messages", mpit::performance_class::counter);
    CHECK(messages.start() == result::success, "lab_messages");
    unsigned long bytes = 0;
    struct arrival {
        int source;
        unsigned long bytes;
    };
    {
        const auto arrivals = interface.on<arrival>("lab_arrival", [&](const arrival& a) { bytes += a.bytes; });
#if MPI_VERSION >= 4
        CHECK(arrivals.status() == result::success, "lab_arrival");
#else
        CHECK(arrivals.status() != result::success, "lab_arrival");
#endif
        send(30);
        send(12);
    }
    send(1);
    CHECK(messages.read() == 3, "lab_messages");
    CHECK(bytes == (MPI_VERSION >= 4 ? 42 : 0), "lab_arrival");
}

} // namespace

int main(int argc, char** argv) {
    // Open MPI stores all characters of a text, although it says that it stores 2048.
    std::string networks;
    while (networks.size() < 8000) networks += "10.0.0.0/8;";
    setenv("OMPI_MCA_opal_net_private_ipv4", networks.c_str(), 1);
    for (int round = 0; round < 2; round++) {
        const library before;
        CHECK(before.status() == result::success, "the interface before MPI_Init");
        CHECK(before.count(kind::control) > 300, "the interface before MPI_Init");
    }
    MPI_Init(&argc, &argv);
    {
        const library interface;
        check_controls(interface);
#ifdef OPEN_MPI
        CHECK(interface.control<std::string>("opal_net_private_ipv4").read() == networks, "a long text");
        CHECK(interface.control<mpit::tool::any_value>("opal_net_private_ipv4").read().value() ==
                  mpit::tool::any_value{networks},
              "a long text");
#endif
        check_performances(interface);
        check_categories(interface);
        auto* send = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "lab_send"));
        CHECK((send != nullptr) == (argc > 1), "lab_send");
        if (send != nullptr) check_library(interface, send);
    }
    {
        const library again;
        CHECK(again.count(kind::control) > 300, "the interface once more");
    }
    const library over_the_end;
    MPI_Finalize();
    check_controls(over_the_end);
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures != 0;
}
