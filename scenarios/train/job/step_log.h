/*
 * Log of a step: the collectives and passes that a computation of its time places.
 *
 * A job with a log (job.h) has its calls recorded by the modules that compute the
 * step; a job without has no cost.  Times count from the start of the backward pass
 * of a micro batch (buckets), of the micro batch (shards), or from 0 where a system
 * has one sequence (DataParallel).
 *
 *     add   amortised O(1)
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum cs_log_kind {
    CS_LOG_BUCKET,     /* `number` counts buckets from 1 */
    CS_LOG_PARAMETERS, /* all-gather behind the optimizer */
    CS_LOG_TIED,       /* sum of a tied embedding */
    CS_LOG_GATHER,     /* of unit `number` (stage.h) */
    CS_LOG_SCATTER,
    CS_LOG_FORWARD,
    CS_LOG_BACKWARD,
    CS_LOG_TRANSFER, /* of a sequence; `name` */
};

struct cs_log_item {
    enum cs_log_kind kind;
    const char *name; /* static; of a transfer */
    uint32_t number;
    bool last; /* of the last micro batch */
    double bytes, ready_s, begin_s, end_s;
};

/* Zeroed: empty. */
struct cs_train_log {
    struct cs_log_item *items;
    uint32_t count, room;
    bool last; /* the present micro batch is the last */
};

/* Appends the item; without effect where `log` is NULL. */
void cs_log_add(struct cs_train_log *log, struct cs_log_item item);

void cs_log_free(struct cs_train_log *log);
