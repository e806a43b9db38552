/*
 * Groups of sends and receives of NCCL and RCCL: all-to-all, gather, scatter,
 * send-receive.
 *
 *     time = max(launch, base + fill + step between nodes + bytes / rate)
 *
 * The busiest GPU sets the rate: the links of a GPU while all exchange, or the
 * wires to the next rank; between nodes the GPU's part of the adapters, and the
 * wire between sockets for GPUs without an adapter at their own socket.
 *
 * Pure function without allocation, O(1).
 */
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_EXCHANGE_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_EXCHANGE_H

#include "algorithms/libraries/nccl/case.h"

/* Sets what NCCL decides of an exchange: the channels of a message. */
void cs_nccl_exchange_decide(struct cs_nccl_case *at);

void cs_nccl_exchange_time(const struct cs_nccl_case *at, struct cs_library_time *time);

#endif
