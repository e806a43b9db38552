/*
 * A mix of collectives: "all-reduce:1GiB,all-to-all:256MiB*4".
 *
 * The calls of a step of some job, one after the other; *N repeats a call.
 */
#pragma once

#include "algorithms/collective.h"
#include "sim/base/err.h"

#include <stdint.h>

enum {
    CS_MIX_MAX = 16
};

struct cs_mix_call {
    const struct cs_collective *collective;
    uint64_t bytes; /* as in nccl-tests */
    uint32_t count;
};

struct cs_mix {
    struct cs_mix_call calls[CS_MIX_MAX];
    uint32_t count;
};

/* CS_EINPUT with the nearest name of a collective, or the expected form. */
int cs_mix_read(const char *text, struct cs_mix *mix, struct cs_err *err);
