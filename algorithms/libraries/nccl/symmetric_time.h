/*
 * Time of a call on NCCL's symmetric-memory kernels, for a request that names
 * the engine `symmetric`.  NCCL takes these kernels for buffers in registered
 * symmetric windows only, so no choice here ends with them.
 */
#pragma once

#include "algorithms/libraries/library.h"

/* True for the name of the engine; NULL is no name. */
bool cs_nccl_is_symmetric(const char *engine);

/* Whether all GPUs are in one NVLink domain. */
bool cs_nccl_is_one_domain(const struct cs_site *site);

/* NCCL's own estimate as the time; without a start of kernels.  CS_ECANNOT for
 * several NVLink domains, versions before 2.27 and other collectives than
 * all-reduce, all-gather and reduce-scatter. */
int cs_nccl_symmetric_time(const struct cs_library_request *request, struct cs_library_time *time,
                           struct cs_err *err);

/*
 * Time of a call on the copy engines of the GPUs, for a request that names the
 * engine `copy-engine`.  NCCL takes copy engines for buffers in registered
 * symmetric windows only, with NCCL_CTA_POLICY_ZERO, so no choice here ends with
 * them.
 *
 *     time = launch + copy + 2 barriers + bytes / rate of the links
 *
 * A rank waits until all buffers are ready, copies its part to every peer, and
 * waits until all copies are complete (NVIDIA/nccl src/ce_coll.cc).  No published
 * measurement tests the time, and the remark says so.
 */

/* True for the name of the engine; NULL is no name. */
bool cs_nccl_is_copy(const char *engine);

/* All-gather, all-to-all, gather and scatter.  CS_ECANNOT for other collectives,
 * several NVLink domains and versions before 2.28. */
int cs_nccl_copy_time(const struct cs_library_request *request, struct cs_library_time *time,
                      struct cs_err *err);
