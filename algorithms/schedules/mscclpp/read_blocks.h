/*
 * MSCCL++ reader, second part: thread blocks and their operations, checked.
 *
 * An operation refers to the channels and remote buffers of its thread block by
 * position; the plan in memory refers to those of the GPU.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_READ_BLOCKS_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_READ_BLOCKS_H

#include "algorithms/schedules/mscclpp/mscclpp.h"

int cs_mscclpp_read_blocks(struct cs_mscclpp *plan, struct cs_arena *arena, struct cs_err *err);

/* Reports a problem of an operation: the file, the line, the GPU, the thread
 * block and the operation. */
int cs_mscclpp_err(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                   struct cs_err *err, int code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* "put 3 of thread block 1 of GPU 0". */
enum {
    CS_MSCCLPP_NAME = 96
};
const char *cs_mscclpp_op_name(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                               char text[CS_MSCCLPP_NAME]);

#endif
