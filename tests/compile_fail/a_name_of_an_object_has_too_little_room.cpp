// The standard promises tools names of 63 characters.
// EXPECT: MPI_MAX_OBJECT_NAME must be at least 64
#include <mpit/object_name.hpp>

struct communicator {
    mpit::basic_object_name<63> name;
};

int main() { communicator{}.name.set("halo exchange"); }
