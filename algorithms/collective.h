/*
 * Collectives: what is promised, and how nccl-tests counts it.
 *
 * V, the size of a run, is nccl-tests' column `size`: one rank's vector for
 * all-reduce, the whole (all blocks together) for reduce-scatter and
 * all-gather.  busbw = V / time * bus factor (NVIDIA/nccl-tests,
 * doc/PERFORMANCE.md).
 */
#ifndef CS_ALGORITHMS_COLLECTIVE_H
#define CS_ALGORITHMS_COLLECTIVE_H

#include "sim/program.h"

#include <stddef.h>

struct cs_collective {
    const char *name;       /* "reduce-scatter", as in --collective */
    enum cs_content before; /* of the output, see sim/program.h */
    enum cs_content after;
    /* busbw / algbw with p ranks: phases * (p - 1) / p. */
    uint32_t phases;
    const char *about;
};

extern const struct cs_collective *const cs_collectives[];
extern const size_t cs_collective_count;

/* The collective of that name, or NULL. */
const struct cs_collective *cs_collective_find(const char *name);

/* The factor between algbw and busbw; 0 for one rank. */
double cs_collective_bus_factor(const struct cs_collective *collective,
                                uint32_t ranks);

/* True when something is summed on the way. */
bool cs_collective_reduces(const struct cs_collective *collective);

#endif
