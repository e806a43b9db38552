/*
 * A program: what every rank does, as a function of rank, lane and round.
 *
 * Nothing is stored.  `round` appends the few operations of one round of one
 * lane of one rank; it is pure, so the simulator, the prover and every other
 * reader may call it in any order and as often as they like.
 *
 * Meaning, the same for all readers:
 *
 * - The vector of V elements is cut into blocks as MPI does: the first
 *   V mod n of n blocks hold one element more.  With `parts` each of the
 *   blocks / parts pieces is cut further, in the same way.  An op names a run
 *   of blocks, which wraps at the end.
 * - Messages match in order per (source, destination, channel); the channel is
 *   the lane unless the op says another.
 * - The ops of a round start together; the next round of the lane starts when
 *   all of them are done.  Rounds are not barriers between ranks.
 * - A SEND reads its blocks at its start and is done when the receiver has
 *   the last byte; in a model whose parties have processors, when its own has
 *   sent a short message (eager) or the receive of a long one has taken it up
 *   (rendezvous).  Its message leaves at once, or with `handshake`, of the
 *   program or of the op, when the receive is posted.  Those of one rank to
 *   another that are in turn do not share its port: one stream, in the order
 *   in which they were sent, though they are matched each by its own channel.
 * - A RECV is done when the last byte has arrived and, if it reduces, is
 *   reduced.  COPY and REDUCE do the same within a rank.  WAIT is done when
 *   another lane of the rank has done a round; it stands alone in its round.
 *   It orders lanes, and so do messages, by way of others.  WORK takes its turn with the sums of the party.
 * - An op with no blocks moves `amount` bytes that are nobody's data.
 * - Several reductions into one block may run at once, and within a round
 *   beside sends of it: those read first, so that two ranks can exchange what
 *   they have and add it up.  (The message that arrives is held beside the
 *   vector, as the simulator counts, until it is added.)  Any other two ops of
 *   a rank that touch a block at once, one of them writing it, are an error.
 * - CS_INPUT is what the rank came with and is never written; CS_OUTPUT holds
 *   the same at the start, or with `output_empty` nothing, and the result at
 *   the end; CS_SCRATCH holds nothing at the start, has `scratch_blocks`
 *   blocks and needs blocks of equal size.
 *   Parties from `ranks` on are agents (parameter servers): they come with
 *   nothing and owe nothing.
 * - To add to or from a block that holds nothing is an error, but for agents:
 *   their blocks are cleared at the start, so that the first sum is a copy.
 */
#ifndef CS_SIM_PROGRAM_PROGRAM_H
#define CS_SIM_PROGRAM_PROGRAM_H

#include "sim/base/collections/vector.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum cs_op_kind {
    CS_OP_SEND,
    CS_OP_RECV,
    CS_OP_RECV_REDUCE,
    CS_OP_COPY,   /* from `source` to `blocks` of the same rank */
    CS_OP_REDUCE, /* the same, adding to what is there */
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
    CS_LEAVES_IN_ORDER, /* behind the others in turn to that peer */
};

/* A run of `count` blocks from `first` on, modulo the number of blocks. */
struct cs_blocks {
    uint32_t first;
    uint32_t count;
};

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

/* The ops of one round; grows when needed and is reused for every round. */
struct cs_ops {
    struct cs_op *op;
    uint32_t count;
    uint32_t capacity;
};

static inline void cs_ops_push(struct cs_ops *ops, struct cs_op op)
{
    ops->op =
        cs_vector_room(ops->op, ops->count + 1, &ops->capacity, sizeof(op));
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
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_SEND,
                                    .buffer = CS_OUTPUT,
                                    .peer = to,
                                    .blocks = blocks});
}

static inline void cs_ops_send_input(struct cs_ops *ops, uint32_t to,
                                     struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_SEND,
                                    .buffer = CS_INPUT,
                                    .peer = to,
                                    .blocks = blocks});
}

/* Receives into `blocks` of the output, replacing (adding to) what is there. */
static inline void cs_ops_recv(struct cs_ops *ops, uint32_t from,
                               struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_RECV,
                                    .buffer = CS_OUTPUT,
                                    .peer = from,
                                    .blocks = blocks});
}

static inline void cs_ops_recv_reduce(struct cs_ops *ops, uint32_t from,
                                      struct cs_blocks blocks)
{
    cs_ops_push(ops, (struct cs_op){.kind = CS_OP_RECV_REDUCE,
                                    .buffer = CS_OUTPUT,
                                    .peer = from,
                                    .blocks = blocks});
}

/* Waits, alone in its round, until `lane` of this rank has done `round`. */
static inline void cs_ops_wait(struct cs_ops *ops, uint32_t lane,
                               uint32_t round)
{
    cs_ops_push(
        ops, (struct cs_op){.kind = CS_OP_WAIT, .peer = lane, .source = round});
}

/* What the round sends leaves when its receives are posted. */
static inline void cs_ops_match(struct cs_ops *ops)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        ops->op[i].leaves = CS_LEAVES_MET;
}

/* What the round sends does not share the port with what was sent before. */
static inline void cs_ops_in_order(struct cs_ops *ops)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++)
        ops->op[i].leaves = CS_LEAVES_IN_ORDER;
}

/* What a rank brings and what it is owed.  Piece r is the r-th of the `ranks`
 * pieces that the vector is cut into; the vector is cut into one piece only
 * where no promise speaks of pieces. */
enum cs_content {
    CS_EVERY_RANK, /* every rank has (is owed) all of the vector */
    CS_OWN_BLOCK,  /* rank r has (is owed) piece r */
    CS_ROOT,       /* the root has (is owed) all of it, the others nothing */
    CS_TRANSPOSED, /* rank r is owed piece r of every rank, in their order */
    CS_SHIFTED,    /* rank r is owed all that rank r - 1 has, going round */
    CS_NOTHING,    /* nobody is owed anything */
};

/* Where a round was written, in a file of somebody's. */
struct cs_place {
    const char *file;
    uint32_t line;
};

struct cs_program {
    uint32_t ranks;
    uint32_t agents;
    uint32_t lanes;
    uint32_t blocks;
    uint32_t parts; /* of each piece; 0 is 1.  blocks is a multiple of it */
    uint32_t scratch_blocks;
    uint64_t elements;
    uint32_t element_bytes;
    enum cs_content before; /* contributions; with EVERYBODY they are summed */
    enum cs_content after;  /* unless they are CS_TRANSPOSED */
    uint32_t root;
    /* Messages may end in other blocks than they left; the blocks are then
     * of equal size: elements is a multiple of blocks. */
    bool moves_blocks;
    /* Messages leave when both sides are there: the receiver asks, and needs
     * no room for what it has not asked for.  Else they leave at once and wait
     * where they arrive. */
    bool handshake;
    bool output_empty; /* at the start: input and output are apart */
    bool idempotent;   /* adding a contribution twice does no harm: a barrier */
    /* Ranks stand for others (sim/fold/fold.h): a SEND's way is that to `source`,
     * and a rank may exchange messages with itself. */
    bool folded;
    const void *ctx;
    /* Rounds of one lane of one rank. */
    uint64_t (*rounds)(const void *ctx, uint32_t rank, uint32_t lane);
    /* Appends the ops of round k, 0 <= k < rounds. */
    void (*round)(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                  struct cs_ops *ops);
    /* When a lane begins; NULL: all at once. */
    uint64_t (*start_ps)(const void *ctx, uint32_t rank, uint32_t lane);
    /* The first so many lanes are the job whose time is asked for, the others
     * beside it; 0: all of them. */
    uint32_t main_lanes;
    /* Rounds after which the reduce-scatter phase is over for this rank, or
     * 0 when the algorithm has none.  May be NULL. */
    uint64_t (*reduce_scatter_rounds)(const void *ctx, uint32_t rank);
    /* Where round k comes from, for messages; NULL: from a function. */
    struct cs_place (*where)(const void *ctx, uint32_t rank, uint32_t lane,
                             uint64_t k);
};

/* Everybody who takes part: ranks and agents. */
static inline uint32_t cs_program_parties(const struct cs_program *program)
{
    return program->ranks + program->agents;
}

/* The channel that a message of that lane is matched by. */
static inline uint32_t cs_op_channel(const struct cs_program *program,
                                     uint32_t lane, const struct cs_op *op)
{
    return op->channel ? program->lanes + op->channel - 1 : lane;
}

/* Parts of each piece. */
static inline uint32_t cs_program_parts(const struct cs_program *program)
{
    return program->parts ? program->parts : 1;
}

/* The rank whose piece a block is part of; pieces are one for each rank. */
static inline uint32_t cs_block_owner(const struct cs_program *program,
                                      uint32_t block)
{
    uint64_t pieces = program->blocks / cs_program_parts(program);

    return (uint32_t)((uint64_t)(block / cs_program_parts(program)) *
                      program->ranks / pieces);
}

/* How the vector is cut: the divisions, made once.  Of the pieces the first
 * `longer` hold one element more; each kind is cut into parts in its way. */
struct cs_cut {
    uint64_t piece_bytes[2]; /* of a short one, of a long one */
    uint64_t part_bytes[2];  /* of a part of it, at least */
    uint32_t long_parts[2];  /* its first so many hold one element more */
    uint64_t vector_bytes;
    uint32_t element_bytes;
    uint32_t longer;
    uint32_t blocks;
    uint32_t parts;
    uint64_t equal_bytes; /* of every block, where blocks move; else 0 */
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
           (uint64_t)(part < cut->long_parts[is_long]
                          ? part
                          : cut->long_parts[is_long]) *
               cut->element_bytes;
}

/* Long pieces among those from `first` up to `end`. */
static inline uint64_t cs_cut_long(const struct cs_cut *cut, uint32_t first,
                                   uint64_t end)
{
    uint64_t last = end < cut->longer ? end : cut->longer;

    return first < last ? last - first : 0;
}

/* Bytes of a run of blocks, O(1).  first < cut->blocks >= count. */
static inline uint64_t cs_cut_bytes(const struct cs_cut *cut,
                                    struct cs_blocks blocks)
{
    uint64_t end = (uint64_t)blocks.first + blocks.count;

    if (cut->equal_bytes)
        return blocks.count * cut->equal_bytes;
    if (end <= cut->blocks && cut->parts == 1) /* most of them */
        return blocks.count * cut->piece_bytes[0] +
               cs_cut_long(cut, blocks.first, end) * cut->element_bytes;
    if (end <= cut->blocks)
        return cs_cut_start(cut, (uint32_t)end) -
               cs_cut_start(cut, blocks.first);
    return cut->vector_bytes - cs_cut_start(cut, blocks.first) +
           cs_cut_start(cut, (uint32_t)(end - cut->blocks));
}

/* Bytes that an op moves. */
static inline uint64_t cs_op_bytes(const struct cs_cut *cut,
                                   const struct cs_op *op)
{
    return op->blocks.count ? cs_cut_bytes(cut, op->blocks) : op->amount;
}

/* "rank 3" or "server 0", and "chunk 5" or "chunks 5 +2", for messages. */
enum {
    CS_PARTY_NAME = 32
};
const char *cs_party_name(const struct cs_program *program, uint32_t party,
                          char text[CS_PARTY_NAME]);
const char *cs_blocks_name(struct cs_blocks blocks, char text[CS_PARTY_NAME]);
/* The same, or "8 bytes" where there are no blocks. */
const char *cs_cargo_name(struct cs_blocks blocks, uint64_t bytes,
                          char text[CS_PARTY_NAME]);

#endif
