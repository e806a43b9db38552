/*
 * The machine as closed forms see it: one latency and one rate.
 */
#ifndef CS_SCENARIOS_RUN_CASE_CLOSED_FORM_H
#define CS_SCENARIOS_RUN_CASE_CLOSED_FORM_H

#include "scenarios/run/case/run.h"

/* Latency and rate of the worst routes between ranks 1, 2, 4 ... apart, for choices
 * before the program is made, without slowness that is not announced; within nodes, for algorithms that distinguish
 * nodes. */
struct cs_hockney cs_run_neighbours(const struct cs_run *run);

/* Latency and rate of the worst routes of the program; for algorithms that
 * distinguish nodes, between nodes and within. */
struct cs_textbook {
    struct cs_hockney between, within;
};
struct cs_textbook cs_run_closed_form(const struct cs_run *run);

/* The slowest party's time to reduce a byte, and its overhead per reduction. */
struct cs_run_reducers {
    double s_per_byte;
    uint64_t overhead_ps;
};
struct cs_run_reducers cs_run_reducers(const struct cs_run *run);

#endif
