/*
 * Collectives: what is promised, and how nccl-tests counts it.
 *
 * V, the size of a run, is nccl-tests' column `size`: one rank's vector for
 * all-reduce, broadcast, reduce and send/receive; all blocks together for
 * reduce-scatter, all-gather, gather, scatter and all-to-all.  busbw = V / time * bus factor (NVIDIA/nccl-tests,
 * doc/PERFORMANCE.md).
 */
#ifndef CS_ALGORITHMS_COLLECTIVE_H
#define CS_ALGORITHMS_COLLECTIVE_H

#include "sim/program/program.h"

#include <stddef.h>

/* The factor between busbw and algbw with p ranks. */
enum cs_bus {
    CS_BUS_ONE,   /* 1: broadcast, reduce, send and receive */
    CS_BUS_SHARE, /* (p-1)/p: what a rank keeps does not move */
    CS_BUS_TWICE, /* 2(p-1)/p: all-reduce */
};

struct cs_collective {
    const char *name;       /* "reduce-scatter", as in --collective */
    enum cs_content before; /* of the output, see sim/program/program.h */
    enum cs_content after;
    enum cs_bus bus; /* busbw / algbw, as nccl-tests has it */
    /* Only the news that ranks have come moves: messages carry no bytes,
     * whatever V is, and to hear it twice does no harm. */
    bool is_signal;
    const char *about;
};

extern const struct cs_collective *const cs_collectives[];
extern const size_t cs_collective_count;

/* The collective of that name, or NULL. */
const struct cs_collective *cs_collective_find(const char *name);

/* The factor itself; 0 for one rank. */
double cs_collective_bus_factor(const struct cs_collective *collective,
                                uint32_t ranks);

/* True when something is summed on the way. */
bool cs_collective_reduces(const struct cs_collective *collective);

#endif
