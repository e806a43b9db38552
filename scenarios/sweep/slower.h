/*
 * Cases of a sweep that take longer than with more bytes, or less time with faults.
 */
#ifndef CS_SCENARIOS_SWEEP_SLOWER_H
#define CS_SCENARIOS_SWEEP_SLOWER_H

#include "reports/results/store/sweep.h"
#include "scenarios/sweep/axes.h"
#include "sim/base/text.h"

enum {
    CS_SWEEP_SLOWER_NAMED = 4 /* more are counted */
};

/* Appends a line with the reason (slower_run.h) for each case that takes longer than
 * that of the adjacent greater size, all else equal, and for each that faults make
 * faster.  O(cases), and two runs for each named case. */
void cs_sweep_slower_note(const struct cs_sweep *sweep, const struct cs_store_sweep_time *times,
                          struct cs_text *notes);

#endif
