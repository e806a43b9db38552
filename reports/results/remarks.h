/*
 * Remarks: notes of the listing, computed from the run.
 *
 * An entry of record.def names a function by REMARK.  The function appends a note
 * or leaves the text unchanged.
 */
#ifndef CS_REPORTS_RESULTS_REMARKS_H
#define CS_REPORTS_RESULTS_REMARKS_H

#include "reports/results/record.h"
#include "sim/base/text.h"

typedef void cs_remark_fn(const struct cs_record *record, struct cs_text *out);

/* The kind of the agents. */
cs_remark_fn cs_remark_agents;
/* The effect of the noise on the mean, and the mean's confidence interval. */
cs_remark_fn cs_remark_baseline;
cs_remark_fn cs_remark_mean;
/* The slowdown by the faults. */
cs_remark_fn cs_remark_healthy;
/* The distance of the simulation from the formula. */
cs_remark_fn cs_remark_closed_form;
/* What the bound is divided by. */
cs_remark_fn cs_remark_efficiency;
/* The upper end of the interval of a library's call. */
cs_remark_fn cs_remark_interval;
/* The argument of the bound, and the algorithm's own bound; the argument of the
 * reachable bound. */
cs_remark_fn cs_remark_bound;
cs_remark_fn cs_remark_reachable;
/* Reason for a missing bottleneck; the interval of the utilisation. */
cs_remark_fn cs_remark_bottleneck;
cs_remark_fn cs_remark_busy;

#endif
