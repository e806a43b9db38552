/*
 * MSCCL++ reader: the state that the readers of thread blocks, operations and
 * ranges of chunks share.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_READER_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_READER_H

#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/number_list.h"

/* A buffer of a second GPU. */
struct cs_mscclpp_remote {
    uint32_t gpu;
    uint8_t buffer; /* 'i', 'o' or 's' */
};

/* What operations of the thread block refer to by position. */
struct cs_mscclpp_reader {
    struct cs_mscclpp *plan;
    struct cs_err *err;
    uint32_t gpu, block;
    uint32_t first;                    /* operation of the thread block */
    uint32_t number;                   /* of the operation, in the thread block */
    struct cs_mscclpp_remote *remotes; /* of the GPU */
    uint32_t remote_count;
    struct cs_number_list channels[CS_MSCCLPP_CHANNEL_TYPES];
    struct cs_number_list buffers[CS_MSCCLPP_SWITCH]; /* -> remotes, by type */
};

/* CS_EINPUT: "file:line: operation 3 of thread block 0 of GPU 1: ...". */
int cs_mscclpp_reader_err(const struct cs_mscclpp_reader *reader, uint32_t node, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* Reads the places of a data operation, whose channels are known. */
int cs_mscclpp_read_ranges(struct cs_mscclpp_reader *reader, uint32_t node,
                           struct cs_mscclpp_op *op);

/* Reads one operation of the thread block; those of a loop follow it. */
int cs_mscclpp_read_op(struct cs_mscclpp_reader *reader, uint32_t node);

#endif
