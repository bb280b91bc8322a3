// EXPECT: an object must be given as its handle, such as MPI_COMM_WORLD
#include <mpit/tool.hpp>

struct communicator {
    char name[64];
};

int main() {
    const mpit::tool::library<> interface;
    return interface.control<int>("LIMIT", communicator{}).answer() == mpit::result::success;
}
