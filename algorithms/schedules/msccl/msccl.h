/*
 * MSCCL: the vocabulary of MSCCL XML, common to reader and writer.
 *
 * A step type is a set of actions: a step receives, reduces or copies, stores
 * and sends, in this order.
 */
#pragma once

#include "algorithms/algo.h"

enum {
    CS_MSCCL_NONE = UINT32_MAX, /* no rank, step or thread block */
    CS_MSCCL_TBS_MAX = 4096,    /* thread blocks of a GPU */
    CS_MSCCL_CHUNKS_MAX = 1 << 20
};

/* Actions of a step. */
enum {
    CS_MSCCL_SENDS = 1,
    CS_MSCCL_RECEIVES = 2,
    CS_MSCCL_REDUCES = 4,
    CS_MSCCL_STORES = 8,
    CS_MSCCL_LOCAL = 16, /* no message */
};

enum cs_msccl_type {
    CS_MSCCL_S,
    CS_MSCCL_R,
    CS_MSCCL_RCS,
    CS_MSCCL_RRC,
    CS_MSCCL_RRS,
    CS_MSCCL_RRCS,
    CS_MSCCL_CPY,
    CS_MSCCL_RE,
    CS_MSCCL_NOP,
    CS_MSCCL_TYPES
};

/* By enum cs_msccl_type. */
struct cs_msccl_step_type {
    const char *name;
    unsigned actions;
};
extern const struct cs_msccl_step_type cs_msccl_types[CS_MSCCL_TYPES];

/* A run of chunks of a simulator buffer; the step holds the length. */
struct cs_msccl_range {
    uint8_t buffer; /* enum cs_buffer */
    uint32_t first;
};

/* The collective with the `coll` value; NULL: unknown. */
const struct cs_collective *cs_msccl_collective(const char *coll);

/* The `coll` value; "custom" for a collective that MSCCL does not have. */
const char *cs_msccl_collective_name(const struct cs_collective *collective);
