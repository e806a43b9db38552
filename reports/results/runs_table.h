/*
 * Runs table: several runs as text for people, a line per run.
 *
 * The columns are the COLUMN entries of record.def.  A common property of the
 * runs is in the title and has no column.
 *
 * An efficiency is lower bound / time and reads 100 % only from 99.95 % on.
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/table.h"
#include "sim/base/text.h"

#include <stddef.h>

/* Appends title, table and notes; for 0 runs the line "no runs". */
void cs_runs_table_write(const struct cs_record *records, size_t count, enum cs_style style,
                         struct cs_text *out);

/* Appends the title: "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model
 * fifo", with the common properties of the runs only. */
void cs_runs_table_title(const struct cs_record *records, size_t count, struct cs_text *out);

/* The title of `runs` runs, of which `records` are the different ones. */
void cs_runs_table_title_of(const struct cs_record *records, size_t count, size_t runs,
                            struct cs_text *out);

/* Appends the title as a line in the style. */
void cs_runs_table_title_line(const struct cs_record *records, size_t count, enum cs_style style,
                              struct cs_text *out);

/* Appends the meaning of the proof's outcome: "every rank ends with the result
 * that all-reduce specifies". */
void cs_runs_table_reason(enum cs_verified verified, const char *collective, struct cs_text *out);

/*
 * Job columns: times of concurrent jobs in a table of runs.
 *
 * A job has three columns: time, time alone, and the ratio.  The count of columns
 * follows the run with the most jobs; runs of fewer jobs have "-".
 */

enum {
    CS_JOB_COLUMNS = 3 /* of a job */
};

/* The number of jobs with columns. */
uint32_t cs_job_columns_jobs(const struct cs_record *records, size_t count);

/* Fills the heads of `jobs` jobs. */
void cs_job_columns_heads(uint32_t jobs, struct cs_table_column *heads);

/* Adds the cells of a run. */
void cs_job_columns_cells(const struct cs_record *record, uint32_t jobs, struct cs_table *table);

/* Appends a line for each job with a common name in the runs. */
void cs_job_columns_names(const struct cs_record *records, size_t count, struct cs_text *out);

/*
 * Listing: a run as text for people, every number with a unit.
 *
 * The rows are the ROW entries of record.def, in groups: request, time, rates,
 * traffic, memory, bottleneck, critical path, noise; then concurrent jobs, the
 * completion time of each rank if recorded, and the data flow.
 */

/* Appends the listing of the run. */
void cs_listing_write(const struct cs_record *record, enum cs_style style, struct cs_text *out);
