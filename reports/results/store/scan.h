/*
 * Store scan: the runs of a large database in one pass, for summaries.
 *
 * A scan reads a run with parameters and times, without links and jobs, and keeps
 * each distinct text once: a million runs take the memory of their different
 * texts.  Equal texts of a scan have equal addresses.
 *
 *     scan   O(rows); a query per table, none per run
 */
#ifndef CS_REPORTS_RESULTS_STORE_SCAN_H
#define CS_REPORTS_RESULTS_STORE_SCAN_H

#include "reports/results/store/store.h"
#include "sim/base/mem.h"

/* Calls fn for the runs in the order of puts.  Texts and parameters of a record
 * live as long as the arena, `spread.times` and the record itself during the call.
 * Returns the value of fn that ended the scan, or an error. */
int cs_store_scan(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_arena *arena, struct cs_err *err);

#endif
