/*
 * Rank order: which party of the opened machine each rank becomes.
 *
 * Placement (`--placement`) and ring order (`--ring-order`) permute the machine's
 * ranks; agents keep their places.  A concurrent job has a part of the permuted
 * ranks.
 */
#ifndef CS_SCENARIOS_RUN_CASE_RANK_ORDER_H
#define CS_SCENARIOS_RUN_CASE_RANK_ORDER_H

#include "scenarios/run/case/run.h"
#include "topo/placement/ring_order.h"

/*
 * Sets *order to the permutation of the parties of the run's machine, or to NULL
 * where ranks stay in the machine's order.  A ring order is added to the graph's
 * notes.  CS_EINPUT for a file that does not name every rank once.
 */
int cs_rank_order(struct cs_run *run, uint32_t **order);

/* Whether the algorithm takes the rings of the ring order's file: ranks then keep
 * the machine's order. */
bool cs_rank_order_is_rings(const struct cs_run *run);

/* Reads the ring order's file for a number of ranks. */
int cs_rank_order_read(const struct cs_run *run, uint32_t ranks, struct cs_ring_orders *orders);

#endif
