/*
 * Buckets of gradients, as PyTorch's DistributedDataParallel fills them.
 *
 * Tensors come in the order of readiness; a bucket closes when the size reaches
 * or passes the limit (pytorch/pytorch c10d/reducer.cpp,
 * compute_bucket_assignment_by_size): 1 MiB for the first, 25 MiB for later
 * buckets.  Megatron-Core's buckets hold 40 M parameters, or a million for each data
 * parallel rank (megatron/core/distributed/distributed_data_parallel.py).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_BUCKET_FIRST_BYTES = 1 << 20,
    CS_BUCKET_BYTES = 25 << 20,
    CS_BUCKET_MEGATRON = 40000000, /* parameters */
    CS_BUCKET_MEGATRON_RANK = 1000000,
};

/* Elements of a bucket of Megatron-Core. */
uint64_t cs_bucket_megatron(uint64_t data_ranks);

struct cs_bucket_filler {
    uint64_t limit, next_limit; /* 0: no limit */
    double bytes;               /* of the open or just closed bucket */
    bool closed;
};

/* Adds a tensor; true when the tensor closes the bucket: `bytes` is the size
 * until the next call. */
bool cs_bucket_add(struct cs_bucket_filler *filler, double bytes);

/* Ends of successive collectives on one stream: e_i = max(r_i, e_(i-1)) + T_i,
 * so that the last end is max over j of (r_j + sum of T_i, i >= j). */
double cs_bucket_end_s(double previous_end_s, double ready_s, double call_s);
