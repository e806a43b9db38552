/*
 * Summary: runs as text for people, every number with its unit.
 *
 * One run is a listing in groups: time, rates, traffic, memory, bottleneck,
 * critical path, proof.  Several are a table with one line a run; what all
 * of them share stands in the title and not in a column.
 *
 * An efficiency is lower bound / time and reads 100 % only from 99.95 % on.
 */
#ifndef CS_REPORTS_RESULTS_SUMMARY_H
#define CS_REPORTS_RESULTS_SUMMARY_H

#include "reports/results/record.h"
#include "reports/results/table.h"
#include "sim/base/text.h"

#include <stddef.h>

/* Appends the listing of one run. */
void cs_summary_one(const struct cs_record *record, enum cs_style style,
                    struct cs_text *out);

/* Appends the comparison of several runs; none gives one line that says so,
 * one gives its table of one line. */
void cs_summary_many(const struct cs_record *records, size_t count,
                     enum cs_style style, struct cs_text *out);

/* Appends the title alone: "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32,
 * model fifo", leaving out what differs between the runs. */
void cs_summary_title(const struct cs_record *records, size_t count,
                      struct cs_text *out);

#endif
