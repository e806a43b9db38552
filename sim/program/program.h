/*
 * A program: the operations of a rank as a function of rank, lane and round.
 *
 * Nothing is stored.  `round` appends the few operations of one round of one
 * lane of one rank.  The function is pure: simulator, prover and further
 * readers call `round` in arbitrary order and as often as needed.
 *
 * Meaning, common to readers:
 *
 * - The vector of V elements is cut into blocks as MPI does: the first
 *   V mod n of n blocks hold an element more. With `parts` the blocks /
 *   parts pieces are cut further by the rule of blocks.  An op names a run
 *   of blocks, which wraps at the end.
 * - Messages match in order per (source, destination, channel); the channel is
 *   the lane unless the op specifies a channel.
 * - The ops of a round start together; the next round of the lane starts when
 *   all ops are done.  Rounds are not barriers between ranks.
 * - A SEND reads the blocks at the start and is done when the receiver has
 *   the last byte.  In a model with processors a SEND is done when the
 *   sending processor has sent a short message (eager), or when the
 *   receive of a long message has accepted it (rendezvous).  The message leaves
 *   at once or, with `handshake` of the program or of the op, when the receive
 *   is posted.  Messages of a rank to a peer that leave in order do not
 *   share the port: a single stream, in the order of the sends, while channels
 *   match the messages.
 * - A RECV is done when the last byte has arrived and, for a reducing receive,
 *   is reduced.  COPY and REDUCE do so within a rank.  WAIT is done when
 *   a second lane of the rank has done a given round; a WAIT is alone in the
 *   round.  Lanes are ordered by WAITs and by chains of messages through
 *   further ranks.  WORK queues with the reductions of the party.
 * - An op without blocks moves `amount` bytes outside the vectors.
 * - Several reductions into one block may run at once, and within a round
 *   beside sends of the block: the sends read first, so that two ranks can
 *   exchange and add partial sums.  (Until the addition, an arriving message is
 *   held in memory beside the vector, and counted as memory.)  Two further ops
 *   of a rank on a block at once are an error if an op writes.
 * - CS_INPUT is the contribution of the rank and is never written; CS_OUTPUT
 *   begins as a copy of the input, or empty with `output_empty`, and holds the
 *   result at the end; CS_SCRATCH begins empty, has `scratch_blocks` blocks and
 *   needs blocks of equal size.  Parties from `ranks` on are agents (parameter
 *   servers), without contribution and without a promised result.
 * - To add to or from an empty block is an error, except for agents: blocks of
 *   an agent are cleared at the start, so that the first sum is a copy.
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/program/content.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum cs_op_kind {
    CS_OP_SEND,
    CS_OP_RECV,
    CS_OP_RECV_REDUCE,
    CS_OP_COPY,   /* from `source` to `blocks` within a rank */
    CS_OP_REDUCE, /* as COPY, adding to the present value */
    CS_OP_WAIT,   /* until lane `peer` has done round `source` */
    CS_OP_WORK,   /* computes for `amount` picoseconds */
};

enum cs_buffer {
    CS_INPUT,
    CS_OUTPUT,
    CS_SCRATCH,
};

/* When a message leaves. */
enum cs_leaving {
    CS_LEAVES_AT_ONCE,
    CS_LEAVES_MET,      /* as if the program had a handshake */
    CS_LEAVES_IN_ORDER, /* behind earlier in-order messages to the peer */
};

/* A run of `count` blocks from `first` on, modulo the number of blocks. */
struct cs_blocks {
    uint32_t first;
    uint32_t count;
};

/* Whether two runs of blocks of a buffer of `size` blocks have a block in common;
 * both begin below `size`. */
static inline bool cs_blocks_meet(struct cs_blocks a, struct cs_blocks b, uint64_t size)
{
    uint64_t ahead = b.first + size - a.first;
    uint64_t behind = a.first + size - b.first;

    return (ahead >= size ? ahead - size : ahead) < a.count ||
           (behind >= size ? behind - size : behind) < b.count;
}

struct cs_op {
    uint8_t kind;          /* enum cs_op_kind */
    uint8_t buffer;        /* enum cs_buffer, of `blocks` */
    uint8_t source_buffer; /* COPY and REDUCE: where from */
    uint8_t leaves;        /* enum cs_leaving, of a SEND */
    uint32_t peer;
    struct cs_blocks blocks;
    uint32_t source;  /* the first block there; WAIT: the round */
    uint32_t channel; /* of a message, from 1; 0: the lane */
    uint64_t amount;  /* WORK: picoseconds; bytes where there are no blocks */
};

static inline bool cs_op_is_message(const struct cs_op *op)
{
    return op->kind == CS_OP_SEND || op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;
}

/* From a second run of blocks of the rank, at `source`. */
static inline bool cs_op_is_local(const struct cs_op *op)
{
    return op->kind == CS_OP_COPY || op->kind == CS_OP_REDUCE;
}

/* The ops of one round; grows on demand, one array serves all rounds. */
struct cs_ops {
    struct cs_op *op;
    uint32_t count;
    uint32_t capacity;
};

/* Makes room for one more op. */
void cs_ops_grow(struct cs_ops *ops);

static inline void cs_ops_push(struct cs_ops *ops, struct cs_op op)
{
    if (ops->count == ops->capacity)
        cs_ops_grow(ops);
    ops->op[ops->count++] = op;
}

static inline void cs_ops_free(struct cs_ops *ops)
{
    free(ops->op);
    *ops = (struct cs_ops){0};
}

/* Sends `blocks` of the output (of the input) to rank `to`. */
static inline void cs_ops_send(struct cs_ops *ops, uint32_t to, struct cs_blocks blocks)
{
    cs_ops_push(
        ops, (struct cs_op){.kind = CS_OP_SEND, .buffer = CS_OUTPUT, .peer = to, .blocks = blocks});
}

static inline void cs_ops_send_input(struct cs_ops *ops, uint32_t to, struct cs_blocks blocks)
{
    cs_ops_push(
        ops, (struct cs_op){.kind = CS_OP_SEND, .buffer = CS_INPUT, .peer = to, .blocks = blocks});
}

/* Receives into `blocks` of the output, which are replaced (added to). */
static inline void cs_ops_recv(struct cs_ops *ops, uint32_t from, struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){
                         .kind = CS_OP_RECV, .buffer = CS_OUTPUT, .peer = from, .blocks = blocks});
}

static inline void cs_ops_recv_reduce(struct cs_ops *ops, uint32_t from, struct cs_blocks blocks)
{
    cs_ops_push(
        ops, (struct cs_op){
                 .kind = CS_OP_RECV_REDUCE, .buffer = CS_OUTPUT, .peer = from, .blocks = blocks});
}

/* Waits, alone in its round, until `lane` of this rank has done `round`. */
static inline void cs_ops_wait(struct cs_ops *ops, uint32_t lane, uint32_t round)
{
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_WAIT, .peer = lane, .source = round});
}

/* Messages of the round leave when their receives are posted. */
static inline void cs_ops_match(struct cs_ops *ops)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        ops->op[i].leaves = CS_LEAVES_MET;
}

/* Messages of the round do not share the port with earlier messages to the
 * peer. */
static inline void cs_ops_in_order(struct cs_ops *ops)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        ops->op[i].leaves = CS_LEAVES_IN_ORDER;
}

/* A lane of a party, or a round of the lane. */
struct cs_at {
    uint32_t party, lane;
    uint64_t round;
};

/* Position of a round in the user's file: a line, or an op of the rank in a
 * binary file. */
struct cs_place {
    const char *file;
    uint32_t number;
    bool is_op;
};

struct cs_program {
    uint32_t ranks;
    uint32_t agents;
    uint32_t lanes;
    uint32_t blocks;
    uint32_t parts; /* of each piece; 0 means 1; divides blocks */
    uint32_t scratch_blocks;
    uint64_t elements;
    uint32_t element_bytes;
    enum cs_content before; /* contributions, summed with EVERY_RANK */
    enum cs_content after;  /* unless promised CS_TRANSPOSED */
    uint32_t root;
    /* Messages may be stored in blocks of different number, of equal size:
     * elements is a multiple of blocks. */
    bool moves_blocks;
    /* Messages leave when send and receive are posted: the receiver requests,
     * and needs no room for unrequested messages. Otherwise messages leave at
     * once and wait at the receiver. */
    bool handshake;
    bool output_empty; /* at the start: separate input and output */
    bool sums_race;    /* of two lanes into one block, unless ordered */
    bool idempotent;   /* adding a contribution twice is harmless: a barrier */
    /* Ranks represent classes of ranks (sim/fold/fold.h): `source` is the
     * destination of a SEND's route, and a rank may exchange messages with
     * itself. */
    bool folded;
    /* Every lane is a ring over the ranks: a message to one peer and a message from
     * one peer in each round, the same peers in all rounds. */
    bool ring_lanes;
    /* Every lane is a line of ranks, from one of which message after message leads
     * through all others: a round has a message from the rank before or one to the rank
     * behind, or both, and ranks between the ends begin with the first and end with
     * the second alone. */
    bool line_lanes;
    const void *ctx;
    /* Rounds of a lane of a rank. */
    uint64_t (*rounds)(const void *ctx, struct cs_at at);
    /* Appends the ops of round k, 0 <= k < rounds. */
    void (*round)(const void *ctx, struct cs_at at, struct cs_ops *ops);
    /* The place of a lane among the lanes of the rank that begin a round at one
     * time: a permutation of the lanes of each rank.  NULL: its number. */
    uint32_t (*turn)(const void *ctx, struct cs_at at);
    /* The place of a party among the parties whose lanes of one turn begin a round
     * at one time: a permutation of the parties, of programs with turns.  NULL: its
     * number. */
    uint32_t (*order)(const void *ctx, uint32_t party);
    /* Agents serve ranks: the lanes of an agent are independent in runs of
     * `serving` lanes, which divides `lanes`, and exchange messages with ranks
     * alone, on the channel of the lane.  A SEND of an agent begins after the
     * rounds of its time, at the place of the receiver's lane `served`, so that the
     * order does not depend on the numbers of channels; a round sends to a rank
     * once.  NULL, or CS_NONE as the lane: the send begins with its round. */
    uint32_t (*served)(const void *ctx, uint32_t lane, const struct cs_op *send);
    uint32_t serving;
    /* Start time of a lane; NULL: 0 for every lane. */
    uint64_t (*start_ps)(const void *ctx, struct cs_at at);
    /* The first `main_lanes` lanes are the job with the requested time; the
     * following lanes are concurrent jobs. 0: every lane is of the main job. */
    uint32_t main_lanes;
    /* The reduce-scatter of a lane is over after 1 / `scatters` of its rounds; 0: there
     * is none. */
    uint32_t scatters;
    /* Source position of round k, for messages; NULL: rounds are computed. */
    struct cs_place (*where)(const void *ctx, struct cs_at at);
};

static inline uint64_t cs_program_rounds(const struct cs_program *program, uint32_t party,
                                         uint32_t lane)
{
    return program->rounds(program->ctx, (struct cs_at){party, lane, 0});
}

/* The ops of a round in place of those before. */
static inline void cs_program_read(const struct cs_program *program, struct cs_at at,
                                   struct cs_ops *ops)
{
    ops->count = 0;
    program->round(program->ctx, at, ops);
}

/* Ranks and agents. */
static inline uint32_t cs_program_parties(const struct cs_program *program)
{
    return program->ranks + program->agents;
}

/* The blocks of a buffer of a party. */
static inline uint32_t cs_program_extent(const struct cs_program *program, enum cs_buffer buffer)
{
    return buffer == CS_SCRATCH ? program->scratch_blocks : program->blocks;
}

/* Whether two ops have a block of one buffer in common. */
static inline bool cs_ops_meet(const struct cs_program *program, const struct cs_op *a,
                               const struct cs_op *b)
{
    return a->buffer == b->buffer &&
           cs_blocks_meet(a->blocks, b->blocks,
                          cs_program_extent(program, (enum cs_buffer)a->buffer));
}

/* The channel that matches a message of the lane. Explicit channels follow the
 * lanes, so the two kinds never match. */
static inline uint32_t cs_op_channel(const struct cs_program *program, uint32_t lane,
                                     const struct cs_op *op)
{
    return op->channel ? program->lanes + op->channel - 1 : lane;
}

/* Parts of each piece. */
static inline uint32_t cs_program_parts(const struct cs_program *program)
{
    return program->parts ? program->parts : 1;
}

/* The rank of the block's piece; ranks and pieces are in proportion. */
static inline uint32_t cs_block_owner(const struct cs_program *program, uint32_t block)
{
    uint64_t pieces = program->blocks / cs_program_parts(program);

    return (uint32_t)((uint64_t)(block / cs_program_parts(program)) * program->ranks / pieces);
}

/* How the vector is cut. The divisions are made once per program, as block
 * sizes are read on the hot path. The first `longer` pieces hold an element
 * more; short and long pieces are cut into parts separately. */
struct cs_cut {
    uint64_t piece_bytes[2]; /* of a short piece, of a long piece */
    uint64_t part_bytes[2];  /* of a short part */
    uint32_t long_parts[2];  /* first parts, with one element more */
    uint64_t vector_bytes;
    uint32_t element_bytes;
    uint32_t longer;
    uint32_t blocks;
    uint32_t parts;
    uint64_t equal_bytes; /* of every block, or 0: blocks may differ */
};

struct cs_cut cs_cut_of(const struct cs_program *program);

/* Bytes in front of `block`, 0 <= block <= cut->blocks. */
static inline uint64_t cs_cut_start(const struct cs_cut *cut, uint32_t block)
{
    uint32_t piece = block;
    uint32_t part = 0;
    uint64_t start;
    bool is_long;

    if (cut->parts > 1) {
        piece = block / cut->parts;
        part = block % cut->parts;
    }
    is_long = piece < cut->longer;
    start = piece * cut->piece_bytes[0] +
            (uint64_t)(is_long ? piece : cut->longer) * cut->element_bytes;
    if (part == 0)
        return start;
    return start + part * cut->part_bytes[is_long] +
           (uint64_t)(part < cut->long_parts[is_long] ? part : cut->long_parts[is_long]) *
               cut->element_bytes;
}

/* Long pieces in the range from `first` up to `end`. */
static inline uint64_t cs_cut_long(const struct cs_cut *cut, uint32_t first, uint64_t end)
{
    uint64_t last = end < cut->longer ? end : cut->longer;

    return first < last ? last - first : 0;
}

/* Bytes of `block` where pieces are cut into parts. */
static inline uint64_t cs_cut_part(const struct cs_cut *cut, uint32_t block)
{
    bool is_long = block / cut->parts < cut->longer;

    return cut->part_bytes[is_long] +
           (block % cut->parts < cut->long_parts[is_long] ? cut->element_bytes : 0);
}

/* Bytes of a run of blocks, O(1).  first < cut->blocks >= count. */
static inline uint64_t cs_cut_bytes(const struct cs_cut *cut, struct cs_blocks blocks)
{
    uint64_t end = (uint64_t)blocks.first + blocks.count;

    if (cut->equal_bytes)
        return blocks.count * cut->equal_bytes;
    if (end <= cut->blocks && cut->parts == 1) /* the frequent case */
        return blocks.count * cut->piece_bytes[0] +
               cs_cut_long(cut, blocks.first, end) * cut->element_bytes;
    if (blocks.count == 1 && cut->parts > 1)
        return cs_cut_part(cut, blocks.first);
    if (end <= cut->blocks)
        return cs_cut_start(cut, (uint32_t)end) - cs_cut_start(cut, blocks.first);
    return cut->vector_bytes - cs_cut_start(cut, blocks.first) +
           cs_cut_start(cut, (uint32_t)(end - cut->blocks));
}

/* Bytes that an op moves. */
static inline uint64_t cs_op_bytes(const struct cs_cut *cut, const struct cs_op *op)
{
    return op->blocks.count ? cs_cut_bytes(cut, op->blocks) : op->amount;
}

/* Names for messages: "rank 3" or "server 0"; "chunk 5" or "chunks 5 +2". */
enum {
    CS_PARTY_NAME = 32
};
const char *cs_party_name(const struct cs_program *program, uint32_t party,
                          char text[CS_PARTY_NAME]);
const char *cs_blocks_name(struct cs_blocks blocks, char text[CS_PARTY_NAME]);
/* The same, or "8 bytes" where there are no blocks. */
const char *cs_cargo_name(struct cs_blocks blocks, uint64_t bytes, char text[CS_PARTY_NAME]);
