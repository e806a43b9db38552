/*
 * Groups: the runs that share a figure.
 *
 *     each   O(n log n) comparisons of n runs
 */
#ifndef CS_REPORTS_FIGURES_GROUPS_H
#define CS_REPORTS_FIGURES_GROUPS_H

#include "reports/figures/machine.h"

#include <stdbool.h>
#include <stddef.h>

struct cs_run_groups {
    /* Whether a run has a figure; NULL: all runs. */
    bool (*keeps)(const struct cs_record *run);
    /* 0 for two runs of a figure, else their order, which is total. */
    int (*order)(const struct cs_record *a, const struct cs_record *b, const void *ctx);
    /* Called for the runs of each figure in order, at least one; the runs are in
     * the order of the database. */
    void (*each)(const struct cs_record *const *runs, size_t count, void *ctx);
    void *ctx;
};

void cs_groups_each(const struct cs_run_groups *groups, const struct cs_report_data *data);

#endif
