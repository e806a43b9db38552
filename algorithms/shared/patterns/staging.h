/*
 * Staging: messages packed in scratch.
 *
 * Blocks with scattered positions become one message: copies pack the blocks
 * side by side in the scratch buffer, the message goes from scratch to scratch,
 * and copies unpack the blocks at the receiver.  A rank must not change a block
 * during a send of the block, so that pack, exchange and unpack are separate
 * rounds.
 */
#pragma once

#include "sim/program/program.h"

/* Copies block `source` of buffer `from` to block `target` of buffer `to`. */
static inline void cs_stage_copy(struct cs_ops *ops, enum cs_buffer from, uint32_t source,
                                 enum cs_buffer to, uint32_t target)
{
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_COPY,
                                    .buffer = (uint8_t)to,
                                    .blocks = {target, 1},
                                    .source_buffer = (uint8_t)from,
                                    .source = source});
}

/* Sends scratch blocks to rank `to`; receives into scratch blocks. */
static inline void cs_stage_send(struct cs_ops *ops, uint32_t to, struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){
                         .kind = CS_OP_SEND, .buffer = CS_SCRATCH, .peer = to, .blocks = blocks});
}

static inline void cs_stage_recv(struct cs_ops *ops, uint32_t from, struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){
                         .kind = CS_OP_RECV, .buffer = CS_SCRATCH, .peer = from, .blocks = blocks});
}
