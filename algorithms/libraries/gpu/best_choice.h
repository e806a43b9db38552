/*
 * The best algorithm, protocol and channels of a call, by the cost model, beside
 * the library's own choice.
 *
 * Candidates are what NCCL_ALGO, NCCL_PROTO and NCCL_MAX_NCHANNELS can force:
 * engines x protocols, each with the library's channels and with 1, 2, 4, ...
 * fewer; not protocols that a network plugin forbids.  A gain counts where the best
 * time lies below the 90 % interval of the choice: both times come from one model,
 * and differences inside the interval are no evidence.
 *
 *     find   O(engines x protocols x log channels) calls of the cost model
 */
#pragma once

#include "algorithms/libraries/library.h"

struct cs_best_choice {
    struct cs_library_time chosen; /* by the library */
    struct cs_library_time best;   /* the least total_s, or `chosen` */
    uint32_t channels;             /* forced; 0: the library's */
    double gain;                   /* chosen / best - 1 */
    bool is_gain;                  /* beyond the interval */
};

/* CS_EINPUT for a library without these variables and for a collective of
 * sends and receives; else as struct cs_library.time. */
int cs_best_choice_find(const struct cs_library *library, const struct cs_library_request *request,
                        struct cs_best_choice *to, struct cs_err *err);
