/*
 * A program: what every rank does, as a function of rank, lane and round.
 *
 * Nothing is stored.  `round` appends the few operations of one round of one
 * lane of one rank; it is pure, so the simulator, the prover and every other
 * reader may call it in any order and as often as they like.
 *
 * Meaning, the same for all readers:
 *
 * - The vector of V elements is cut into `blocks` as MPI does: the first
 *   V mod blocks hold one element more.  An op names a run of blocks, which
 *   wraps at the end.
 * - Messages match in order per (source, destination, lane).
 * - The ops of a round start together; the next round of the lane starts when
 *   all of them are done.  Rounds are not barriers between ranks.
 * - A SEND reads its blocks at its start and is done when the receiver has
 *   the last byte (rendezvous); it does not wait for the receive to be posted.
 * - A RECV is done when the last byte has arrived and, if it reduces, is
 *   reduced.  Several reductions into one block may run in one round; any
 *   other two ops of a round that touch a block, one of them writing it, are
 *   an error.
 * - CS_INPUT is what the rank came with and is never written; CS_OUTPUT holds
 *   the same at the start and the result at the end.  Parties from `ranks` on are agents (parameter servers): they come with
 *   nothing and owe nothing.
 */
#ifndef CS_SIM_PROGRAM_H
#define CS_SIM_PROGRAM_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum cs_op_kind {
    CS_OP_SEND,
    CS_OP_RECV,
    CS_OP_RECV_REDUCE,
};

enum cs_buffer {
    CS_INPUT,
    CS_OUTPUT,
};

/* A run of `count` blocks from `first` on, modulo the number of blocks. */
struct cs_blocks {
    uint32_t first;
    uint32_t count;
};

struct cs_op {
    uint8_t kind;   /* enum cs_op_kind */
    uint8_t buffer; /* enum cs_buffer */
    uint32_t peer;
    struct cs_blocks blocks;
};

/* The ops of one round; grows when needed and is reused for every round. */
struct cs_ops {
    struct cs_op *op;
    uint32_t count;
    uint32_t capacity;
};

static inline void cs_ops_push(struct cs_ops *ops, struct cs_op op)
{
    if (ops->count == ops->capacity) {
        ops->capacity = ops->capacity ? 2 * ops->capacity : 16;
        ops->op = cs_grow(ops->op, ops->capacity, sizeof(op));
    }
    ops->op[ops->count++] = op;
}

static inline void cs_ops_free(struct cs_ops *ops)
{
    free(ops->op);
    *ops = (struct cs_ops){0};
}

/* Sends `blocks` of the output (of the input) to rank `to`. */
static inline void cs_ops_send(struct cs_ops *ops, uint32_t to,
                               struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){CS_OP_SEND, CS_OUTPUT, to, blocks});
}

static inline void cs_ops_send_input(struct cs_ops *ops, uint32_t to,
                                     struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){CS_OP_SEND, CS_INPUT, to, blocks});
}

/* Receives into `blocks` of the output, replacing (adding to) what is there. */
static inline void cs_ops_recv(struct cs_ops *ops, uint32_t from,
                               struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){CS_OP_RECV, CS_OUTPUT, from, blocks});
}

static inline void cs_ops_recv_reduce(struct cs_ops *ops, uint32_t from,
                                      struct cs_blocks blocks)
{
    cs_ops_push(ops,
                (struct cs_op){CS_OP_RECV_REDUCE, CS_OUTPUT, from, blocks});
}

/* What the output of a rank holds before, and must hold after. */
enum cs_content {
    CS_EVERYBODY, /* every block: the sum of all ranks' contributions */
    CS_OWN_BLOCK, /* the rank's own block only */
};

struct cs_program {
    uint32_t ranks;
    uint32_t agents;
    uint32_t lanes;
    uint32_t blocks;
    uint64_t elements;
    uint32_t element_bytes;
    enum cs_content before; /* CS_EVERYBODY: a contribution to each block */
    enum cs_content after;  /* CS_EVERYBODY: each block complete */
    const void *ctx;
    /* Rounds of one lane of one rank. */
    uint64_t (*rounds)(const void *ctx, uint32_t rank, uint32_t lane);
    /* Appends the ops of round k, 0 <= k < rounds. */
    void (*round)(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                  struct cs_ops *ops);
    /* Rounds after which the reduce-scatter phase is over for this rank, or
     * 0 when the algorithm has none.  May be NULL. */
    uint64_t (*reduce_scatter_rounds)(const void *ctx, uint32_t rank);
};

/* Everybody who takes part: ranks and agents. */
static inline uint32_t cs_program_parties(const struct cs_program *program)
{
    return program->ranks + program->agents;
}

/* How the vector is cut: the divisions, made once. */
struct cs_cut {
    uint64_t block_bytes; /* of a block at least */
    uint64_t vector_bytes;
    uint32_t element_bytes;
    uint32_t longer; /* the first so many blocks hold one element more */
    uint32_t blocks;
};

struct cs_cut cs_cut_of(const struct cs_program *program);

/* Bytes in front of `block`, 0 <= block <= cut->blocks. */
static inline uint64_t cs_cut_start(const struct cs_cut *cut, uint32_t block)
{
    uint64_t more = block < cut->longer ? block : cut->longer;

    return block * cut->block_bytes + more * cut->element_bytes;
}

/* Bytes of a run of blocks, O(1).  first < cut->blocks >= count. */
static inline uint64_t cs_cut_bytes(const struct cs_cut *cut,
                                    struct cs_blocks blocks)
{
    uint64_t end = (uint64_t)blocks.first + blocks.count;

    if (end <= cut->blocks)
        return cs_cut_start(cut, (uint32_t)end) -
               cs_cut_start(cut, blocks.first);
    return cut->vector_bytes - cs_cut_start(cut, blocks.first) +
           cs_cut_start(cut, (uint32_t)(end - cut->blocks));
}

/* "rank 3" or "server 0", and "chunk 5" or "chunks 5 +2", for messages. */
enum {
    CS_PARTY_NAME = 32
};
const char *cs_party_name(const struct cs_program *program, uint32_t party,
                          char text[CS_PARTY_NAME]);
const char *cs_blocks_name(struct cs_blocks blocks, char text[CS_PARTY_NAME]);

#endif
