/* A plugin without a C++ file of its own: it declares and counts through the functions of the program that loads it. */
#include <mpit/declare.h>

int plugin_open(void);
uint64_t plugin_count(uint64_t amount);
void plugin_close(void);

static int depth = 3;
static mpit_counter sent = MPIT_COUNTER_CELL;
static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31);
static mpit_group* group;

__attribute__((visibility("default"))) int plugin_open(void) {
    static const mpit_control controls[] = {MPIT_ROW_INT("PLUGIN_DEPTH", &depth, "Of a queue"), MPIT_ROW_END};
    static const mpit_performance measures[] = {MPIT_ROW_COUNTER("plugin_sent", &sent, "Messages"),
                                                MPIT_ROW_HISTOGRAM("plugin_sizes", &sizes, "Sizes"), MPIT_ROW_END};
    group = mpit_open(NULL, "plugin_of_c", "A plugin", NULL);
    return mpit_add_controls(group, controls, NULL) + mpit_add_performance(group, measures, NULL) + mpit_publish(group);
}
__attribute__((visibility("default"))) uint64_t plugin_count(uint64_t amount) {
    mpit_add(&sent, amount);
    mpit_record(&sizes, amount);
    return mpit_total(&sent);
}
__attribute__((visibility("default"))) void plugin_close(void) { mpit_close(group); }
