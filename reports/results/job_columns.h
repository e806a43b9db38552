/*
 * Job columns: times of concurrent jobs in a table of runs.
 *
 * Each job has three columns, "job 1" to the most jobs of any run: its time, its
 * time alone, and the ratio.  Runs of fewer jobs have "-" there.
 */
#ifndef CS_REPORTS_RESULTS_JOB_COLUMNS_H
#define CS_REPORTS_RESULTS_JOB_COLUMNS_H

#include "reports/results/record.h"
#include "reports/results/table.h"

#include <stddef.h>

enum {
    CS_JOB_COLUMNS = 3 /* of a job */
};

/* The largest number of jobs of any run. */
uint32_t cs_job_columns_jobs(const struct cs_record *records, size_t count);

/* Fills the heads of so many jobs. */
void cs_job_columns_heads(uint32_t jobs, struct cs_table_column *heads);

/* Adds the cells of one run. */
void cs_job_columns_cells(const struct cs_record *record, uint32_t jobs,
                          struct cs_table *table);

/* Appends a line for each job with the same name in all runs. */
void cs_job_columns_names(const struct cs_record *records, size_t count,
                          struct cs_text *out);

#endif
