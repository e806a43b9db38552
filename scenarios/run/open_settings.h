/*
 * What a command leaves open of a library's call and matters most: conditions of the node
 * and of the library that the machine does not state and no --setting gives.
 *
 * A condition is a cause of validate/logs/causes.h at its first level.  The order is by the
 * weight of the cause times |ln(time / predicted time)|: how far it is expected to move the
 * time.
 *
 *     list   O(conditions) calls of the cost model
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "scenarios/run/request/scenario.h"

enum {
    CS_OPEN_SETTINGS = 2,
};

/* "GPUDirect RDMA was off: 1.5 ms, 3.1 times; NCCL_DEBUG=INFO has ...", most first; "" where
 * there are fewer.  `total_s` is the time of `request`. */
void cs_open_settings(const struct cs_scenario *scenario, const struct cs_library_request *request,
                      double total_s, struct cs_arena *arena, const char *texts[CS_OPEN_SETTINGS]);
