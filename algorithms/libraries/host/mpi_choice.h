/*
 * MPI choice: the algorithm that Open MPI takes for a call.
 *
 * The `tuned` component decides by number of ranks and bytes.  Releases before
 * 4.1 and from 4.1 on have different rules; the older rules are held for
 * all-reduce and broadcast.  UCC replaces `tuned` only by name.
 *
 *     cs_mpi_choose   O(rules), pure
 */
#pragma once

#include "algorithms/collective.h"
#include "algorithms/libraries/host/cost.h"

struct cs_mpi_engine {
    const struct cs_collective *collective;
    const char *name;
    cs_host_engine_fn *time_s; /* NULL: a reduce, then another collective */
};

extern const struct cs_mpi_engine cs_mpi_engines[];
extern const size_t cs_mpi_engine_count;

struct cs_mpi_choice {
    const struct cs_mpi_engine *engine; /* NULL: the collective has none */
    double segment_bytes;               /* 0: messages in one piece */
};

/* `version` as in cs_library_request: 40005 is Open MPI 4.0.5, 0 the newest.
 * `bytes` as in cs_library_request. */
struct cs_mpi_choice cs_mpi_choose(const struct cs_collective *collective, uint32_t ranks,
                                   uint64_t bytes, uint32_t version);

/* The engine of that name, with the segments that the version uses for it; NULL
 * where the collective has none of that name. */
struct cs_mpi_choice cs_mpi_named(const struct cs_collective *collective, const char *name,
                                  uint32_t version);
