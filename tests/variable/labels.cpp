// The labels of the elements of arrays, which tools read in a control variable beside the array.
#include "../tool.hpp"

#include <cstdio>
#include <string>

namespace {

enum class algorithm { ring, tree = 2 };
constexpr auto enumeration_of(algorithm) {
    return mpit::enumerators<algorithm>("algorithm", {{"ring", algorithm::ring}, {"tree", algorithm::tree}});
}
int peers = 2;
void write_peer(std::uint32_t element, char* label, std::size_t room) {
    if (static_cast<int>(element) < peers) std::snprintf(label, room, "node%u, rank %u", element / 2, element);
}

struct labeled_variables : mpit::category<"labeled", "Arrays with labels"> {
    mpit::counter<unsigned long[3]> links{this, "links", "Messages of each link", {.labels = "mlx5_0:1,eth 0,"}};
    mpit::level<double[3]> algorithms{
        this, "algorithms", "Load of each algorithm", {.labels = mpit::enumeration_of<algorithm>}};
    mpit::counter<unsigned[3]> to{
        this, "to", "Messages to each peer", {.verbosity = mpit::verbosity::tuner_all, .labels = &write_peer}};
    mpit::control<int[2]> WEIGHTS{this, "WEIGHTS", "Weights", {.initial = {3, 4}, .labels = "near,far"}};
    mpit::counter<unsigned long[2]> unlabeled{this, "unlabeled", "Messages of two kinds"};
};
constexpr auto& labeled = mpit::registered<labeled_variables>;

std::string labels_of(const char* name) {
    const cvar labels{name};
    std::string text(static_cast<std::size_t>(labels.count), '?');
    REQUIRE(MPI_T_cvar_read(labels.handle, text.data()) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_write(labels.handle, text.data()) == MPI_T_ERR_CVAR_SET_NEVER);
    return text.substr(0, text.find('\0'));
}
int scope_of(const char* name, int& verbosity) {
    int length = 0, bind = 0, scope = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    REQUIRE(MPI_T_cvar_get_info(cvar_index(name), nullptr, &length, &verbosity, &type, &enumeration, nullptr, nullptr,
                                &bind, &scope) == MPI_SUCCESS);
    CHECK(type == MPI_CHAR);
    return scope;
}

} // namespace

TEST_CASE("A tool reads the labels of an array in the control variable beside it", "[labels]") {
    const initialized tool;
    CHECK(labels_of("links_labels") == "mlx5_0:1,eth 0,");
    CHECK(labels_of("algorithms_labels") == "ring,,tree");
    CHECK(labels_of("WEIGHTS_labels") == "near,far");
    // A comma that a function writes would begin the next label.
    CHECK(labels_of("to_labels") == "node0; rank 0,node0; rank 1,");
    peers = 3;
    CHECK(labels_of("to_labels") == "node0; rank 0,node0; rank 1,node1; rank 2");
    peers = 2;
    int verbosity = 0, index = 0;
    CHECK(scope_of("links_labels", verbosity) == MPI_T_SCOPE_CONSTANT);
    CHECK(scope_of("to_labels", verbosity) == MPI_T_SCOPE_READONLY);
    CHECK(verbosity == MPI_T_VERBOSITY_TUNER_ALL);
    CHECK(MPI_T_cvar_get_index("unlabeled_labels", &index) == MPI_T_ERR_INVALID_NAME);
}

TEST_CASE("An array with labels counts as one without", "[labels]") {
    const in_session tool;
    const pvar links{tool.in, "links", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(links.count == 3);
    REQUIRE(links.start() == MPI_SUCCESS);
    labeled.links[1] += 5;
    ++labeled.links[2];
    unsigned long values[3]{};
    REQUIRE(MPI_T_pvar_read(tool.in.handle, links.handle, values) == MPI_SUCCESS);
    CHECK((values[0] == 0 && values[1] == 5 && values[2] == 1));
}
