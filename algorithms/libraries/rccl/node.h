/*
 * RCCL in one node of xGMI links: an exchange of all ranks at once for small
 * vectors (`direct` with LL: MSCCL schedules), rings on all links for large
 * (`ring` with Simple).
 *
 * Pure functions without allocation, O(1).
 */
#pragma once

#include "algorithms/libraries/nccl/case.h"

/* Whether an engine is "direct", in any case of letters. */
bool cs_rccl_is_direct(const char *engine);

/* Whether the model serves the request: one node with links, and an engine and
 * a protocol of its own or none. */
bool cs_rccl_node_serves(const struct cs_library_request *request);

/* Sets engine, protocol, parts and total; the rest is the caller's. */
void cs_rccl_node_time(const struct cs_nccl_case *at, struct cs_library_time *time);
