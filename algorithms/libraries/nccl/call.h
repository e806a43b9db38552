/*
 * The time of a call of NCCL or RCCL: launch, latency of the steps, transfer.
 *
 *     time = max(launch, base + steps + fill + bytes / rate)
 *
 * The engine, the protocol and the channels are those of NCCL's own choice
 * (nccl/choice.h); the time is not NCCL's estimate.  The effects that set the
 * two apart, each a group of parameters (nccl/parameters.def) and a bit of enum
 * cs_library_effect:
 *
 * - launch: a thread that starts the kernels of g GPUs takes g launches for a
 *   call, and a launch writes the work of every channel;
 * - a step with data takes longer than an empty step: copies of a thread block
 *   and its synchronisation;
 * - rings: a step of two slices hides its latency behind the transfer of the
 *   other slice;
 * - chains of broadcast and reduce, trees, NVLS and trees of NVLS fill with the
 *   first chunks of all channels, at the rate of each hop;
 * - plugins add a latency to every step between nodes, and have rates of their
 *   own;
 * - copies through host memory, of GPUs without peer access and of adapters
 *   without GPUDirect.
 *
 * Pure functions without allocation, O(1).  Microseconds inside, seconds in
 * struct cs_library_time.
 */
#pragma once

#include "algorithms/libraries/nccl/case.h"

/* Microseconds. */
struct cs_nccl_parts {
    double base, steps, transfer;
};

/* All-reduce, all-gather, reduce-scatter, broadcast and reduce. */
void cs_nccl_call_time(const struct cs_nccl_case *at, uint32_t channels,
                       struct cs_library_time *time);

/* Whether thread blocks copy a call element by element: blocks of an all-gather
 * or reduce-scatter whose ends are no multiples of 16 B lie otherwise in the
 * vectors than in the buffers (src/device/common_kernel.h). */
bool cs_nccl_copies_by_element(const struct cs_library_request *request);

/* Of broadcast and reduce over several nodes, why the time rises where a call
 * takes its second channel; NULL for other calls. */
const char *cs_nccl_chain_remark(const struct cs_nccl_case *at);

/* The time of the device's parts with the launch: the host starts calls back
 * to back and takes `launch_us` for each GPU, so that the slower of host and
 * device sets the pace; a call that waits for its end pays both. */
void cs_nccl_set_time(const struct cs_nccl_case *at, struct cs_nccl_parts device, double launch_us,
                      struct cs_library_time *time);

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
 * Without allocation, O(1).
 */

/* Sets what NCCL decides of an exchange, the channels of a message; CS_ECANNOT for a site
 * without GPUs of NVIDIA or AMD. */
int cs_nccl_exchange_decide(struct cs_nccl_case *at, struct cs_err *err);

void cs_nccl_exchange_time(const struct cs_nccl_case *at, struct cs_library_time *time);
