/*
 * Collectives: the specified result, and the bandwidth of nccl-tests.
 *
 * V, the size of a run, is nccl-tests' column `size`: the vector of one rank
 * for all-reduce, broadcast, reduce and send-receive; all blocks together for
 * reduce-scatter, all-gather, gather, scatter and all-to-all.
 *
 *     busbw = V / time * bus factor (NVIDIA/nccl-tests, doc/PERFORMANCE.md)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/program/content.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* busbw / algbw with p ranks. */
enum cs_bus {
    CS_BUS_ONE,   /* 1: broadcast, reduce, send and receive */
    CS_BUS_SHARE, /* (p-1)/p: a rank's own block does not move */
    CS_BUS_TWICE, /* 2(p-1)/p: all-reduce */
};

struct cs_collective {
    const char *name;       /* "reduce-scatter", as in --collective */
    enum cs_content before; /* the contents at the start, see program.h */
    enum cs_content after;  /* the specified result */
    enum cs_bus bus;
    /* A barrier: messages carry the arrival of ranks and no bytes, for any V,
     * and a repeated arrival is harmless. */
    bool is_signal;
    const char *about;
};

#define COLLECTIVE(identifier, title, first, last, factor, signal, text) \
    extern const struct cs_collective cs_collective_##identifier;
#include "algorithms/collectives.def"
#undef COLLECTIVE

extern const struct cs_collective *const cs_collectives[];
extern const size_t cs_collective_count;

/* The collective of that name, or NULL.  Accepts the spellings of MPI and
 * nccl-tests, too: allreduce, all_reduce, MPI_Allreduce, Bcast, sendrecv,
 * all_reduce_perf. */
const struct cs_collective *cs_collective_find(const char *name);

/* The same; CS_EINPUT with the nearest name. */
int cs_collective_want(const char *name, const struct cs_collective **collective,
                       struct cs_err *err);

/* The factor itself; 0 for one rank. */
double cs_collective_bus_factor(const struct cs_collective *collective, uint32_t ranks);

/* True where a rank has or is owed a piece of the vector. */
bool cs_collective_has_pieces(const struct cs_collective *collective);

/* True for a collective with reductions. */
bool cs_collective_reduces(const struct cs_collective *collective);
