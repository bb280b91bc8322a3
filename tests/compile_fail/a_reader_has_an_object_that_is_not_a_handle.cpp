// EXPECT: an object must be given as its handle, such as MPI_COMM_WORLD
// EACH: communicator{}
// EACH: &number
// EACH: &pointer
#include <mpit/tool.hpp>

struct communicator {
    char name[64];
};

int main() {
    int number = 0;
    communicator* pointer = nullptr;
    const mpit::tool::library<> interface;
    return interface.control<int>("LIMIT", EACH).status() == mpit::result::success && number == 0 && pointer == nullptr;
}
