/*
 * Listing: a run as text for people, every number with a unit.
 *
 * The rows are the ROW entries of record.def, in groups: request, time, rates,
 * traffic, memory, bottleneck, critical path, noise; then concurrent jobs, the
 * completion time of each rank if recorded, and the data flow.
 */
#ifndef CS_REPORTS_RESULTS_LISTING_H
#define CS_REPORTS_RESULTS_LISTING_H

#include "reports/results/record.h"
#include "reports/results/table.h"
#include "sim/base/text.h"

/* Appends the listing of the run. */
void cs_listing_write(const struct cs_record *record, enum cs_style style, struct cs_text *out);

#endif
