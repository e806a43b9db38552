/*
 * CSV: records as rows, with the names and the order of JSON.
 *
 * A nested name is flattened: critical_path.latency_s is
 * critical_path_latency_s.  A null of JSON is an empty cell.
 */
#ifndef CS_REPORTS_RESULTS_CSV_H
#define CS_REPORTS_RESULTS_CSV_H

#include "reports/results/record.h"
#include "sim/base/text.h"

#include <stddef.h>

/* The header and a row per record, as by cs_table_csv.  In runs with several
 * jobs every job has columns: job1_name to job1_slowdown, job2_name, ... */
void cs_csv_records(const struct cs_record *records, size_t count, struct cs_text *out);

#endif
