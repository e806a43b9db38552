/*
 * CSV: records as rows, with the names and the order that JSON uses.
 *
 * A nested name is flattened: critical_path.latency_s is
 * critical_path_latency_s.  What JSON calls null is an empty cell.
 */
#ifndef CS_REPORTS_RESULTS_CSV_H
#define CS_REPORTS_RESULTS_CSV_H

#include "reports/results/record.h"
#include "sim/base/text.h"

#include <stddef.h>

/* The header and one row a record, as cs_table_csv writes them.  Of runs with
 * several jobs each job has columns, job1_name to job1_slowdown and so on. */
void cs_csv_records(const struct cs_record *records, size_t count,
                    struct cs_text *out);

#endif
