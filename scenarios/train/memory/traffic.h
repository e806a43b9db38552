/*
 * Traffic of a step: bytes that a rank of the stage that sends the most sends, and what
 * its link and its adapter carry in a direction; streams are those of the mean stage,
 * whose sums over all ranks are those of the step.
 *
 * Collectives count as rings, as the bus bandwidth of nccl-tests does: an all-reduce of
 * V bytes over g ranks sends 2 (g-1)/g V, an all-gather or a reduce-scatter (g-1)/g V.
 * Of a group with k ranks in each of several nodes, a ring leaves a node once: the
 * node sends a rank's bytes for each of its groups, a GPU's link carries (k-1)/k of
 * them.
 *
 *     tensor     2 sums of b s h forward and backward in each layer, 2 more with full
 *                recomputation; one of the embedding, one of the head's gradient
 *     expert     an activation for each expert of a token, four times in each layer,
 *                six with full recomputation; (g-1)/g of them leave the rank
 *     context    keys and values 3 times in each layer, 4 with full recomputation
 *     data       gradients and parameters, by the sharding (data_parallel.h)
 *     pipeline   an activation forward and a gradient backward for each chunk, but for
 *                the gradient of the model's first and the result of its last
 */
#pragma once

#include "scenarios/train/job/job.h"

enum cs_train_pattern {
    CS_STREAM_RING,     /* to the next rank of the group */
    CS_STREAM_LEVELS,   /* a ring in each node and rings between nodes */
    CS_STREAM_CHAIN,    /* half to the next, half to the previous */
    CS_STREAM_EXCHANGE, /* in equal parts to all others */
    CS_STREAM_FAN_OUT,  /* the first alone, in equal parts to all others */
    CS_STREAM_FAN_IN,   /* all others, equal parts to the first */
    CS_STREAM_SERVERS,  /* in equal parts to `size` servers, and back */
};

/* Bytes that each rank of groups of `size` ranks, `stride` apart, sends; of a fan,
 * that the first sends or receives. */
struct cs_train_stream {
    uint32_t stride, size;
    double bytes;
    enum cs_train_pattern pattern;
};

enum {
    CS_TRAIN_STREAMS = 9
};

struct cs_train_traffic {
    struct cs_train_stream streams[CS_TRAIN_STREAMS];
    uint32_t stream_count;
    double tensor, expert, context, data, pipeline; /* bytes sent by a rank */
    double link;                                    /* bytes on a GPU's link inside the node */
    double adapter;                                 /* bytes on each network adapter */
    uint32_t stage;                                 /* of a pipeline, whose rank this is */
};

/* Of a job that cs_train_step_time serves.  O(stages x blocks) and a few calls of the
 * library. */
struct cs_train_traffic cs_train_traffic_of(const struct cs_train_job *job);
