// A program that describes variables at run time.
#include <mpit/dynamic.hpp>

#include <mpit/mpi_t.hpp>

static const struct {
    const char* name;
    const char* help;
} found{"TX_SIZE", "Entries of a queue"};
unsigned long rx_size = 64;
mpit::reply may_change(const unsigned long&, void*) { return mpit::reply::accepted; }
bool is_undelayed(void*) { return true; }
void* device = nullptr;
unsigned long retries = 0;
int ports[2] = {4000, 4100};
mpit::counter_cell sent;
mpit::state_cell<int> phase;
const mpit::enumerator<int> phases[] = {{"idle", 0}, {"busy", 1}};

int main() {
@block@
}
