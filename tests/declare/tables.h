/* The parts of tables.c. Each answers whether a check has failed. */
#ifndef TESTS_DECLARE_TABLES_H
#define TESTS_DECLARE_TABLES_H

/* Groups that are opened before the first tool. */
void begin_events(void);
void begin_sources(void);

int test_groups(void); /* the first tool is its own */
int test_events(void);
int test_sources(void);
int test_objects(void);
int test_reals(void);
int test_elements(void);
int test_histograms(void);
int test_measured_texts(void);
int test_refused(void);
int test_self_closing(void);

#endif
