// MPI-5.0, 15.3.7: what is said of performance variables, that it is true, and the sessions in which they are used.

#include "another_process.hpp"
#include "tool.hpp"

#include <mpit/module/publish_pending.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace {

int number_of_pvars() {
    int number = -1;
    REQUIRE(MPI_T_pvar_get_num(&number) == MPI_SUCCESS);
    return number;
}

// All that a tool is told of a performance variable.
struct pvar_information {
    char name[256] = "untouched", description[1024] = "untouched";
    int name_length = sizeof name, description_length = sizeof description;
    int verbosity = -1, in_class = -1, bind = -1, readonly = -1, continuous = -1, atomic = -1;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration{};

    explicit pvar_information(int index) {
        REQUIRE(MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &in_class, &datatype, &enumeration,
                                    description, &description_length, &bind, &readonly, &continuous,
                                    &atomic) == MPI_SUCCESS);
    }
    // Without what may differ between processes: the index, and the handle of the enumeration.
    std::string line() const {
        std::string said = std::string{"pvar "} + name;
        for (const int number : {in_class, verbosity, bind, readonly, continuous, atomic})
            said += " " + std::to_string(number);
        said += " " + std::to_string(reinterpret_cast<std::uintptr_t>(datatype));
        if (enumeration != MPI_T_ENUM_NULL) {
            char text[64];
            int length = sizeof text;
            REQUIRE(MPI_T_enum_get_info(enumeration, nullptr, text, &length) == MPI_SUCCESS);
            said += std::string{" "} + text;
        }
        return said + " " + description + "\n";
    }
};
std::vector<std::string> lines_of_all_pvars() {
    std::vector<std::string> lines;
    for (int i = 0; i < number_of_pvars(); i++) lines.push_back(pvar_information{i}.line());
    return lines;
}

// Trees that a test registers while it runs, as a library does that is loaded late.
struct polled_variables : mpit::category<"polled_performances", "Variables that appear while somebody counts"> {
    mpit::counter<> one{this, "polled", "Events"};
};
struct grown_variables : mpit::category<"grown_performances", "Variables that appear between two looks"> {
    mpit::counter<> one{this, "grown", "Events"};
};
struct duplicate_variables : mpit::category<"duplicate_performances", "Pairs of name and class that are taken"> {
    mpit::level<unsigned long> taken{this, "p_queue", "Another level of the same name"};
    mpit::counter<> of_another_class{this, "p_queue", "A counter of the same name"};
};
struct foreign_variables : mpit::category<"foreign_performances", "What only one of two processes has"> {
    mpit::counter<> foreign{this, "a_foreign", "Events"};
};
template <class Tree> Tree& enrol_now() {
    mpit::registry::register_tree(mpit::tree_holder<Tree>::held.tree, "a late library");
    return mpit::tree_holder<Tree>::held.tree;
}

std::string last_report;

// An object that every bound variable of this program knows, whatever its kind.
std::uintptr_t known_object = 0x77;
template <class... Handle> void announce_as() { (mpit::created(all, handle_number<Handle>(known_object)), ...); }
void announce_known_object() {
    announce_as<MPI_ABI_Comm*, MPI_ABI_Datatype*, MPI_ABI_Errhandler*, MPI_ABI_File*, MPI_ABI_Group*, MPI_ABI_Op*,
                MPI_ABI_Request*, MPI_ABI_Win*, MPI_ABI_Message*, MPI_ABI_Info*, MPI_ABI_Session*>();
    mpit::created<mpit::binding::communicator>(all, static_cast<int>(known_object));
}

// Room for any value; a value that was read may be written back.
struct any_value {
    alignas(8) char bytes[256]{};
};

} // namespace

TEST_CASE("The number of performance variables only grows, and every index below it is valid", "[PVAR-01]") {
    initialized now;
    std::atomic<bool> stop{false};
    std::thread growing{[&] {
        enrol_now<polled_variables>();
        stop = true;
    }};
    int seen = 0;
    bool is_monotone = true, is_dense = true;
    do {
        int number = 0;
        MPI_T_pvar_get_num(&number);
        is_monotone = is_monotone && number >= seen;
        seen = number;
        for (int i = 0; i < number; i++)
            is_dense = MPI_T_pvar_get_info(i, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr, nullptr, nullptr) == MPI_SUCCESS &&
                       is_dense;
    } while (!stop);
    growing.join();
    CHECK(is_monotone);
    CHECK(is_dense);
    CHECK(pvar_index("polled", MPI_T_PVAR_CLASS_COUNTER) < number_of_pvars());
}

TEST_CASE("An index that no performance variable has is refused", "[PVAR-02]") {
    initialized now;
    for (const int index : {-1, number_of_pvars(), INT_MAX, INT_MIN}) {
        int in_class = 77;
        CHECK(MPI_T_pvar_get_info(index, nullptr, nullptr, nullptr, &in_class, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, nullptr, nullptr, nullptr) == MPI_T_ERR_INVALID_INDEX);
        CHECK(in_class == 77);
    }
}

TEST_CASE("The attributes of a performance variable survive use, growth and epochs", "[PVAR-03]") {
    std::vector<std::string> before;
    {
        initialized now;
        before = lines_of_all_pvars();
        session in;
        pvar{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}.write(12ull);
        ++all.performances.counter;
    }
    enrol_now<grown_variables>();
    initialized now;
    std::vector<std::string> after = lines_of_all_pvars();
    REQUIRE(after.size() > before.size());
    after.resize(before.size());
    CHECK(after == before);
}

TEST_CASE("Every output of pvar_get_info can be left out alone, and all together", "[PVAR-04]") {
    initialized now;
    const int index = pvar_index("p_state", MPI_T_PVAR_CLASS_STATE);
    const pvar_information whole{index};
    for (int left_out = 0; left_out <= 12; left_out++) {
        char name[256] = "", description[1024] = "";
        int name_length = sizeof name, description_length = sizeof description;
        int numbers[] = {-1, -1, -1, -1, -1, -1};
        MPI_Datatype datatype{};
        MPI_T_enum enumeration{};
        const auto wanted = [&](int which, auto* to) { return which == left_out ? nullptr : to; };
        REQUIRE(MPI_T_pvar_get_info(index, wanted(6, name), wanted(7, &name_length), wanted(0, &numbers[0]),
                                    wanted(1, &numbers[1]), wanted(8, &datatype), wanted(9, &enumeration),
                                    wanted(10, description), wanted(11, &description_length), wanted(2, &numbers[2]),
                                    wanted(3, &numbers[3]), wanted(4, &numbers[4]),
                                    wanted(5, &numbers[5])) == MPI_SUCCESS);
        const int delivered[] = {whole.verbosity, whole.in_class,   whole.bind,
                                 whole.readonly,  whole.continuous, whole.atomic};
        for (int i = 0; i < 6; i++) CHECK(numbers[i] == (i == left_out ? -1 : delivered[i]));
        CHECK(std::string{name} == (left_out == 6 || left_out == 7 ? "" : whole.name));
        CHECK(name_length == (left_out == 7 ? static_cast<int>(sizeof name) : whole.name_length));
        CHECK(datatype == (left_out == 8 ? nullptr : whole.datatype));
        CHECK(enumeration == (left_out == 9 ? nullptr : whole.enumeration));
        CHECK(std::string{description} == (left_out == 10 || left_out == 11 ? "" : whole.description));
        CHECK(description_length == (left_out == 11 ? static_cast<int>(sizeof description) : whole.description_length));
    }
    CHECK(MPI_T_pvar_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                              nullptr, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("A name may occur once in each class, and a second one is reported and hidden", "[PVAR-05]") {
    initialized now;
    const int level = pvar_index("p_queue", MPI_T_PVAR_CLASS_LEVEL);
    const std::set<int> indices{level, pvar_index("p_queue", MPI_T_PVAR_CLASS_SIZE),
                                pvar_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK),
                                pvar_index("p_queue", MPI_T_PVAR_CLASS_LOWWATERMARK)};
    CHECK(indices.size() == 4);

    mpit::set_report_handler([](const char* line) { last_report = line; });
    const int before = number_of_pvars();
    enrol_now<duplicate_variables>();
    mpit::set_report_handler(nullptr);
    CHECK(last_report.find("p_queue is declared twice") != std::string::npos);
    CHECK(number_of_pvars() == before + 1);
    CHECK(pvar_index("p_queue", MPI_T_PVAR_CLASS_LEVEL) == level);
    CHECK(std::string{pvar_information{level}.description} == "Entries in the queue");
    CHECK(pvar_index("p_queue", MPI_T_PVAR_CLASS_COUNTER) == before);

    std::set<std::pair<std::string, int>> pairs;
    for (int i = 0; i < number_of_pvars(); i++) {
        const pvar_information about{i};
        CHECK(pairs.insert({about.name, about.in_class}).second);
    }
}

TEST_CASE("The index of a name and a class is that of exactly this pair", "[PVAR-06]") {
    initialized now;
    for (int i = 0; i < number_of_pvars(); i++) {
        const pvar_information about{i};
        CHECK(pvar_index(about.name, about.in_class) == i);
    }
}

TEST_CASE("A name of another class and an invalid class are unknown", "[PVAR-07]") {
    initialized now;
    for (const int in_class : {MPI_T_PVAR_CLASS_COUNTER + 0, 0, 99, -1, 11}) {
        int index = 77;
        CHECK(MPI_T_pvar_get_index("p_percentage", in_class, &index) == MPI_T_ERR_INVALID_NAME);
        CHECK(index == 77);
    }
    int index = 77;
    CHECK(MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_index(nullptr, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_index("p_percentage", MPI_T_PVAR_CLASS_PERCENTAGE, nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_num(nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE("Variables report whether they are readonly, continuous and atomic", "[PVAR-08][PVAR-09][PVAR-10]") {
    initialized now;
    session in;
    announce_known_object();
    for (int i = 0; i < number_of_pvars(); i++) {
        const pvar_information about{i};
        INFO(about.name << " of class " << about.in_class);
        pvar at{in, about.name, about.in_class, &known_object};
        const int startable = about.continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS;
        CHECK(at.start() == startable);
        CHECK(at.stop() == startable);
        const int writable = about.readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS;
        any_value value;
        REQUIRE(MPI_T_pvar_read(in.handle, at.handle, value.bytes) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_write(in.handle, at.handle, value.bytes) == writable);
        CHECK(at.reset() == writable);
        CHECK(MPI_T_pvar_readreset(in.handle, at.handle, value.bytes) ==
              (about.atomic ? MPI_SUCCESS : MPI_T_ERR_PVAR_NO_ATOMIC));
        CHECK_FALSE((about.readonly && about.atomic));
    }
    const auto about = [](const char* name) { return pvar_information{pvar_index(name, MPI_T_PVAR_CLASS_COUNTER)}; };
    CHECK(about("p_counter").readonly + about("p_counter").continuous == 0);
    CHECK(about("p_counter").atomic == 1);
    CHECK(about("p_readonly").readonly == 1);
    CHECK(about("p_continuous").continuous == 1);
    CHECK(about("p_not_atomic").atomic == 0);
}

TEST_CASE("Prints the descriptions of all performance variables", "[.]") {
    if (std::getenv("MPIT_TEST_FOREIGN") != nullptr) enrol_now<foreign_variables>();
    initialized now;
    for (const std::string& line : lines_of_all_pvars()) std::fputs(line.c_str(), stdout);
}

TEST_CASE("Performance variables of one name and class are described alike in two processes", "[PVAR-11]") {
    initialized now;
    const std::vector<std::string> elsewhere = lines_of_another_process(
        "Prints the descriptions of all performance variables", "pvar ", "MPIT_TEST_FOREIGN=1");
    const std::set<std::string> there{elsewhere.begin(), elsewhere.end()};
    REQUIRE(there.size() == elsewhere.size());
    CHECK(there.count("pvar a_foreign 7 9 1 0 0 1 527 Events\n") == 1);
    int compared = 0;
    for (const std::string& line : lines_of_all_pvars()) {
        if (line.rfind("pvar p_queue 7", 0) == 0 || line.find("polled") < 10 || line.find("grown") < 10) continue;
        CHECK(there.count(line) == 1);
        compared++;
    }
    CHECK(compared > 40);
}

TEST_CASE("Sessions differ from each other, and without memory there is none", "[SESS-01]") {
    initialized now;
    std::vector<MPI_T_pvar_session> sessions(1000);
    for (MPI_T_pvar_session& s : sessions) REQUIRE(MPI_T_pvar_session_create(&s) == MPI_SUCCESS);
    CHECK(std::set<MPI_T_pvar_session>(sessions.begin(), sessions.end()).size() == sessions.size());

    mpit::core::allocations_left.store(0);
    MPI_T_pvar_session one_more{};
    int answer = MPI_SUCCESS;
    while (sessions.size() < 1000000) {
        one_more = reinterpret_cast<MPI_T_pvar_session>(&one_more);
        answer = MPI_T_pvar_session_create(&one_more);
        if (answer != MPI_SUCCESS) break;
        sessions.push_back(one_more);
    }
    mpit::core::allocations_left.store(-1);
    CHECK(answer == MPI_T_ERR_OUT_OF_SESSIONS);
    CHECK(one_more == MPI_T_PVAR_SESSION_NULL);
    for (MPI_T_pvar_session& s : sessions) REQUIRE(MPI_T_pvar_session_free(&s) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_create(nullptr) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_session_free(nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE("Operations in one session do not affect another", "[SESS-02]") {
    initialized now;
    session a, b;
    pvar in_a{a, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, in_b{b, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    CHECK(in_a.start() == MPI_SUCCESS);
    CHECK(in_b.start() == MPI_SUCCESS);
    all.performances.counter += 5;
    CHECK(in_a.reset() == MPI_SUCCESS);
    all.performances.counter += 2;
    CHECK(in_b.read() == 7);
    CHECK(in_a.write(100ull) == MPI_SUCCESS);
    CHECK(in_b.read() == 7);
    CHECK(in_a.stop() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(in_b.read() == 8);
    CHECK(in_a.read() == 100);
    CHECK(MPI_T_pvar_session_free(&a.handle) == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(in_b.readreset() == 9);
}

TEST_CASE("Watermarks of one level are independent in every session", "[SESS-02]") {
    initialized now;
    session a, b;
    pvar in_a{a, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK}, in_b{b, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    all.performances.level = 4;
    CHECK(in_a.start() == MPI_SUCCESS);
    CHECK(in_b.start() == MPI_SUCCESS);
    all.performances.level = 9;
    all.performances.level = 2;
    CHECK(in_a.reset() == MPI_SUCCESS);
    CHECK(in_a.read<unsigned long>() == 2);
    CHECK(in_b.read<unsigned long>() == 9);
    CHECK(in_b.write(30ul) == MPI_SUCCESS);
    CHECK(in_b.stop() == MPI_SUCCESS);
    all.performances.level = 6;
    CHECK(in_a.read<unsigned long>() == 6);
    CHECK(in_b.read<unsigned long>() == 30);
}

TEST_CASE("Two handles on one variable in one session are independent as well", "[SESS-03]") {
    initialized now;
    session in;
    pvar one{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, other{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    CHECK(one.handle != other.handle);
    CHECK(one.start() == MPI_SUCCESS);
    all.performances.counter += 3;
    CHECK(other.read() == 0);
    CHECK(other.start() == MPI_SUCCESS);
    CHECK(one.write(50ull) == MPI_SUCCESS);
    all.performances.counter += 4;
    CHECK(one.read() == 54);
    CHECK(other.read() == 4);
    CHECK(one.stop() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(other.read() == 5);
}

TEST_CASE("A freed session is null, and a copy of its handle is refused", "[SESS-04]") {
    initialized now;
    MPI_T_pvar_session s{};
    REQUIRE(MPI_T_pvar_session_create(&s) == MPI_SUCCESS);
    MPI_T_pvar_session copy = s;
    CHECK(MPI_T_pvar_session_free(&s) == MPI_SUCCESS);
    CHECK(s == MPI_T_PVAR_SESSION_NULL);
    session takes_the_place;
    CHECK(takes_the_place.handle != copy);
    CHECK(MPI_T_pvar_session_free(&s) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_session_free(&copy) == MPI_T_ERR_INVALID_SESSION);
    CHECK(copy != MPI_T_PVAR_SESSION_NULL);
    MPI_T_pvar_handle handle{};
    int count = 0;
    CHECK(MPI_T_pvar_handle_alloc(copy, 0, nullptr, &handle, &count) == MPI_T_ERR_INVALID_SESSION);
}

TEST_CASE("Freeing a session frees its handles, and their slots are reused", "[SESS-05]") {
    initialized now;
    for (int round = 0; round < 200; round++) {
        session in, other;
        std::vector<MPI_T_pvar_handle> handles(10);
        int count = 0;
        for (MPI_T_pvar_handle& h : handles)
            REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK), nullptr,
                                            &h, &count) == MPI_SUCCESS);
        if (round == 20) mpit::core::allocations_left.store(0);
        REQUIRE(MPI_T_pvar_session_free(&in.handle) == MPI_SUCCESS);
        for (MPI_T_pvar_handle h : handles) {
            CHECK(MPI_T_pvar_start(other.handle, h) == MPI_T_ERR_INVALID_HANDLE);
            CHECK(MPI_T_pvar_handle_free(other.handle, &h) == MPI_T_ERR_INVALID_HANDLE);
        }
    }
    mpit::core::allocations_left.store(-1);
}
