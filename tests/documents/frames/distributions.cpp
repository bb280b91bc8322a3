#include <mpit/mpit.hpp>

struct lab_variables : mpit::category<"lab", "Messages of the lab"> {
@block@
};
inline constexpr auto& lab = mpit::registered<lab_variables>;

void send(unsigned long bytes) {
    auto running = lab.sending.start();
    lab.sizes.record(bytes);
    ++lab.links[0];
}
