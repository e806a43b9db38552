/*
 * Job columns: times of concurrent jobs in a table of runs.
 *
 * A job has three columns: time, time alone, and the ratio.  The count of columns
 * follows the run with the most jobs; runs of fewer jobs have "-".
 */
#ifndef CS_REPORTS_RESULTS_JOB_COLUMNS_H
#define CS_REPORTS_RESULTS_JOB_COLUMNS_H

#include "reports/results/record.h"
#include "reports/results/table.h"

#include <stddef.h>

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

#endif
