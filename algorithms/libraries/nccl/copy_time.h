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
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_COPY_TIME_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_COPY_TIME_H

#include "algorithms/libraries/library.h"

/* True for the name of the engine; NULL is no name. */
bool cs_nccl_is_copy(const char *engine);

/* All-gather, all-to-all, gather and scatter.  CS_ECANNOT for other collectives,
 * several NVLink domains and versions before 2.28. */
int cs_nccl_copy_time(const struct cs_library_request *request, struct cs_library_time *time,
                      struct cs_err *err);

#endif
