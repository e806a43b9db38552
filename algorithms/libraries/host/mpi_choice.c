#include "algorithms/libraries/host/mpi_choice.h"

#include "algorithms/libraries/host/engines.h"

#include <string.h>

enum mpi_engine_index {
#define MPI_ENGINE(of, identifier, name, function) MPI_##of##_##identifier,
#include "algorithms/libraries/host/mpi_engines.def"
#undef MPI_ENGINE
    MPI_ENGINES
};

const struct cs_mpi_engine cs_mpi_engines[MPI_ENGINES] = {
#define MPI_ENGINE(of, identifier, name, function) {&cs_collective_##of, name, function},
#include "algorithms/libraries/host/mpi_engines.def"
#undef MPI_ENGINE
};
const size_t cs_mpi_engine_count = MPI_ENGINES;

struct mpi_rule {
    uint32_t ranks_below;
    uint64_t bytes_below;
    enum mpi_engine_index engine;
};

/* The rules' names of collectives are those of Open MPI's source. */
#define MPI_ALLREDUCE(identifier)     MPI_allreduce_##identifier
#define MPI_BROADCAST(identifier)     MPI_broadcast_##identifier
#define MPI_REDUCE(identifier)        MPI_reduce_##identifier
#define MPI_REDUCESCATTER(identifier) MPI_reducescatter_##identifier
#define MPI_ALLGATHER(identifier)     MPI_allgather_##identifier
#define MPI_ALLTOALL(identifier)      MPI_alltoall_##identifier
#define MPI_BARRIER(identifier)       MPI_barrier_##identifier

#define ANY                            UINT32_MAX
#define RULE(of, ranks, bytes, engine) {ranks, bytes, MPI_##of(engine)},
static const struct mpi_rule mpi_rules[] = {
#include "algorithms/libraries/host/mpi_rules.def"
};
#undef RULE
#undef ANY

enum {
    MPI_VERSION_41 = 40100,
    /* coll_base_allreduce.c: a ring needs an element for each rank; the sizes of
     * elements in osu_allreduce and nccl-tests. */
    MPI_ELEMENT_BYTES = 4,
    MPI_OLD_DOUBLING_BELOW = 10000,
    MPI_OLD_RING_SEGMENT = 1 << 20,
};

static struct cs_mpi_choice mpi_choice_of(enum mpi_engine_index index, double segment_bytes)
{
    return (struct cs_mpi_choice){&cs_mpi_engines[index], segment_bytes};
}

/* Open MPI 4.0, coll_tuned_decision_fixed.c: recursive doubling, then rings. */
static struct cs_mpi_choice mpi_old_allreduce(uint32_t ranks, uint64_t bytes)
{
    if (bytes < MPI_OLD_DOUBLING_BELOW)
        return mpi_choice_of(MPI_allreduce_DOUBLING, 0);
    if (bytes / MPI_ELEMENT_BYTES <= ranks)
        return mpi_choice_of(MPI_allreduce_NON_OVERLAPPING, 0);
    if (bytes <= (uint64_t)ranks * MPI_OLD_RING_SEGMENT)
        return mpi_choice_of(MPI_allreduce_RING, 0);
    return mpi_choice_of(MPI_allreduce_SEGMENTED_RING, MPI_OLD_RING_SEGMENT);
}

/* Open MPI 4.0: the lines a V + b were fitted there to measured crossings. */
static struct cs_mpi_choice mpi_old_broadcast(uint32_t ranks, uint64_t bytes)
{
    double size = (double)bytes;

    if (bytes < 2048)
        return mpi_choice_of(MPI_broadcast_BINOMIAL, 0);
    if (bytes < 370728)
        return mpi_choice_of(MPI_broadcast_SPLIT_BINARY, 1024);
    if (ranks < 1.6134e-6 * size + 2.1102)
        return mpi_choice_of(MPI_broadcast_PIPELINE, 131072);
    if (ranks < 13)
        return mpi_choice_of(MPI_broadcast_SPLIT_BINARY, 8192);
    if (ranks < 2.3679e-6 * size + 1.1787)
        return mpi_choice_of(MPI_broadcast_PIPELINE, 65536);
    if (ranks < 3.2118e-6 * size + 8.7936)
        return mpi_choice_of(MPI_broadcast_PIPELINE, 16384);
    return mpi_choice_of(MPI_broadcast_PIPELINE, 8192);
}

/* All-gather and all-to-all decide by a block, the others by the vector. */
static uint64_t mpi_decision_bytes(const struct cs_collective *collective, uint32_t ranks,
                                   uint64_t bytes)
{
    if (collective == &cs_collective_allgather || collective == &cs_collective_alltoall)
        return bytes / ranks;
    return bytes;
}

static const struct mpi_rule *mpi_rule_of(const struct cs_collective *collective, uint32_t ranks,
                                          uint64_t bytes)
{
    for (size_t i = 0; i < sizeof(mpi_rules) / sizeof(*mpi_rules); i++) {
        const struct mpi_rule *rule = &mpi_rules[i];

        if (cs_mpi_engines[rule->engine].collective == collective && ranks < rule->ranks_below &&
            (bytes < rule->bytes_below || rule->bytes_below == UINT32_MAX))
            return rule;
    }
    return NULL;
}

/* Vectors too short for blocks take recursive doubling. */
static enum mpi_engine_index mpi_engine_for(enum mpi_engine_index index, uint32_t ranks,
                                            uint64_t bytes)
{
    bool needs_blocks = index == MPI_allreduce_RING || index == MPI_allreduce_SEGMENTED_RING ||
                        index == MPI_allreduce_RABENSEIFNER;

    return needs_blocks && bytes / MPI_ELEMENT_BYTES < ranks ? MPI_allreduce_DOUBLING : index;
}

struct cs_mpi_choice cs_mpi_choose(const struct cs_collective *collective, uint32_t ranks,
                                   uint64_t bytes, uint32_t version)
{
    const struct mpi_rule *rule;

    if (collective == &cs_collective_sendrecv)
        return mpi_choice_of(MPI_sendrecv_MESSAGE, 0);
    if (version && version < MPI_VERSION_41) {
        if (collective == &cs_collective_allreduce)
            return mpi_old_allreduce(ranks, bytes);
        if (collective == &cs_collective_broadcast)
            return mpi_old_broadcast(ranks, bytes);
    }
    rule = mpi_rule_of(collective, ranks, mpi_decision_bytes(collective, ranks, bytes));
    if (!rule)
        return (struct cs_mpi_choice){NULL, 0};
    return mpi_choice_of(mpi_engine_for(rule->engine, ranks, bytes), 0);
}

/* From 4.1 on the rules pass a segment of 0: messages in one piece. */
static double mpi_segment_of(const struct cs_mpi_engine *engine, uint32_t version)
{
    if (!version || version >= MPI_VERSION_41)
        return 0;
    if (engine == &cs_mpi_engines[MPI_allreduce_SEGMENTED_RING])
        return MPI_OLD_RING_SEGMENT;
    if (engine == &cs_mpi_engines[MPI_broadcast_SPLIT_BINARY])
        return 1024;
    return engine == &cs_mpi_engines[MPI_broadcast_PIPELINE] ? 131072 : 0;
}

struct cs_mpi_choice cs_mpi_named(const struct cs_collective *collective, const char *name,
                                  uint32_t version)
{
    for (size_t i = 0; i < cs_mpi_engine_count; i++) {
        const struct cs_mpi_engine *engine = &cs_mpi_engines[i];

        if (engine->collective == collective && !strcmp(engine->name, name))
            return (struct cs_mpi_choice){engine, mpi_segment_of(engine, version)};
    }
    return (struct cs_mpi_choice){NULL, 0};
}
