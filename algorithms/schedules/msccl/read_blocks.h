/*
 * MSCCL reader, first part: the algo, gpu and tb elements of a file.
 *
 * cs_msccl_read_blocks() fills a zeroed cs_msccl except for the steps, which
 * msccl/read_steps.h adds.  All arrays are in the arena of the caller.
 */
#pragma once

#include "algorithms/schedules/msccl/msccl.h"
#include "topo/documents/xml.h"

struct cs_msccl_tb {
    uint32_t node;       /* XML element; 0: the GPU has no such thread block */
    uint32_t send, recv; /* peers, or CS_MSCCL_NONE */
    uint32_t channel;
    uint32_t step, steps; /* a run of cs_msccl.steps */
    uint32_t scratch;     /* first scratch chunk reserved for rrs */
};

struct cs_msccl {
    const struct cs_doc *xml;
    struct cs_err *err;
    const struct cs_collective *collective;
    uint32_t gpus, channels, chunks;
    uint32_t lanes;   /* 1 + the highest thread block id of any GPU; with copies one more */
    uint32_t scratch; /* chunks, the maximum over all GPUs */
    bool in_place, has_copies;
    uint32_t *nodes;         /* by gpu */
    uint32_t *scratch_of;    /* by gpu: chunks */
    struct cs_msccl_tb *tbs; /* by gpu * lanes + id */
    struct cs_msccl_step *steps;
    uint32_t step_count;
};

/* A required attribute with a whole number, and where the value goes. */
struct cs_msccl_number {
    struct cs_xml_number want;
    int64_t *value;
};

/* Reads `count` attributes of an element; stops at the first error. */
int cs_msccl_want(const struct cs_msccl *m, uint32_t node, const struct cs_msccl_number *numbers,
                  size_t count);

int cs_msccl_read_blocks(struct cs_msccl *m, struct cs_arena *arena);
