/*
 * Delays: a rank that starts late.
 *
 * The thread blocks of the rank wait before their first round, after all blocks
 * have met: the clock of the run includes the wait.
 *
 * libc and sim/base only: this is part of collsim-cuda.
 */
#ifndef CS_VALIDATE_CUDA_DELAY_H
#define CS_VALIDATE_CUDA_DELAY_H

#include "sim/base/err.h"

#include <stdint.h>

struct cs_delay {
    uint32_t rank;
    uint64_t time_ps; /* 0: no rank is late */
};

/* Reads "rank=3,20us"; CS_EINPUT with the expected form. */
int cs_delay_read(const char *text, struct cs_delay *delay, struct cs_err *err);

#endif
