/*
 * Shards: parts of a sweep for several machines.
 *
 * Shard i of n has the cases i - 1, i - 1 + n, i - 1 + 2n, ..., so that long cases at
 * one end of an axis are shared out.  A task of a Slurm array is a shard:
 * SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, from SLURM_ARRAY_TASK_MIN on.
 */
#ifndef CS_SCENARIOS_SWEEP_SHARD_H
#define CS_SCENARIOS_SWEEP_SHARD_H

#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_shard {
    uint32_t number, count; /* 1 <= number <= count; count 0: the whole sweep */
};

/* "3/8".  CS_EINPUT with the expectation. */
int cs_shard_read(const char *text, struct cs_shard *shard, struct cs_err *err);

/* The shard of a task of a Slurm array; count 0 outside of one.  CS_EINPUT for
 * variables without sense. */
int cs_shard_of_slurm(struct cs_shard *shard, struct cs_err *err);

static inline bool cs_shard_has(const struct cs_shard *shard, uint64_t number)
{
    return !shard->count || number % shard->count == shard->number - 1;
}

/* Appends "runs.3-of-8.db" for "runs.db". */
void cs_shard_name(const struct cs_shard *shard, const char *db, struct cs_text *out);

#endif
