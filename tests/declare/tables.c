/* Tables of variables, events and sources in C, in one process. */
#include "tables.h"

int main(void) {
    begin_events();
    begin_sources();
    int failed = test_groups();
    failed += test_events() + test_sources() + test_objects() + test_reals() + test_elements() + test_histograms();
    failed += test_measured_texts() + test_refused() + test_self_closing();
    return failed != 0;
}
