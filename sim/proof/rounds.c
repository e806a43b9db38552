#include "sim/proof/rounds.h"

#include "sim/proof/refusal.h"
#include "sim/proof/sharing.h"

enum {
    PAIRS_MAX = 8, /* ops of a round compared in pairs */
};

static bool replay_outside(const struct cs_replay *replay, enum cs_buffer buffer, uint32_t first,
                           uint32_t count)
{
    uint32_t size = cs_program_extent(replay->program, buffer);

    return first >= size || count > size;
}

static int check_wait(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    if (replay->ops.count != 1)
        return cs_refuse_op(replay, lane, op->blocks, "waits and does something else in one round");
    if (op->peer >= replay->lanes.each || op->peer == lane % replay->lanes.each)
        return cs_refuse_op(replay, lane, op->blocks, "waits for a lane that does not exist");
    return 0;
}

static int check_op(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    bool local = cs_op_is_local(op);

    if (op->kind == CS_OP_WORK)
        return 0;
    if (op->kind == CS_OP_WAIT)
        return check_wait(replay, lane, op);
    if (!local && op->peer >= cs_program_parties(replay->program))
        return cs_refuse_op(replay, lane, op->blocks, "has a peer that does not exist");
    if (!local && op->peer == lane / replay->lanes.each)
        return cs_refuse_op(replay, lane, op->blocks, "is its own peer");
    if (replay_outside(replay, op->buffer, op->blocks.first, op->blocks.count) ||
        (local && replay_outside(replay, op->source_buffer, op->source, op->blocks.count)))
        return cs_refuse_op(replay, lane, op->blocks, "names chunks that do not exist");
    if (op->kind != CS_OP_SEND && op->buffer == CS_INPUT)
        return cs_refuse_op(replay, lane, op->blocks, "writes into its input");
    return 0;
}

/* Whether two uses of a block in one round conflict. Reads do not conflict with
 * reads, nor sums with sums, and sends read before sums write. */
static bool replay_clash(enum cs_use one, enum cs_use other)
{
    if (one == CS_USE_REPLACES || other == CS_USE_REPLACES)
        return true;
    return (one == CS_USE_READS && other == CS_USE_ADDS) ||
           (one == CS_USE_ADDS && other == CS_USE_READS);
}

/* Marks the use of a block; true on conflict with an earlier op of the round.
 * The input is never written, so reads of the input never conflict. */
static bool replay_marks(struct cs_replay *replay, enum cs_use use, enum cs_buffer buffer,
                         uint32_t block)
{
    size_t at = buffer == CS_SCRATCH ? replay->program->blocks + block : block;
    bool found = false;

    if (buffer == CS_INPUT)
        return false;
    for (int other = 0; other < CS_USES; other++)
        found |= replay->uses.used[other][at] == replay->uses.stamp &&
                 replay_clash(use, (enum cs_use)other);
    replay->uses.used[use][at] = replay->uses.stamp;
    return found;
}

/* The runs of blocks of an op: destination, and source of a copy or sum. */
struct claims {
    uint32_t count;
    enum cs_use use[2];
    struct replay_run run[2];
};

static inline struct claims claims_of(const struct cs_op *op)
{
    struct claims claims = {.count = 1, .use = {cs_replay_use_of(op->kind), CS_USE_READS}};

    if (op->kind == CS_OP_WAIT || op->kind == CS_OP_WORK || op->blocks.count == 0)
        return (struct claims){0};
    claims.run[0] = (struct replay_run){op->buffer, op->blocks};
    if (!cs_op_is_local(op))
        return claims;
    claims.run[1] = (struct replay_run){op->source_buffer, {op->source, op->blocks.count}};
    claims.count = 2;
    return claims;
}

static bool runs_meet(const struct cs_replay *replay, const struct replay_run *a,
                      const struct replay_run *b)
{
    return a->buffer == b->buffer && a->buffer != CS_INPUT &&
           cs_blocks_meet(a->blocks, b->blocks, cs_program_extent(replay->program, a->buffer));
}

/* Whether claim `i` of an op conflicts with a claim of an earlier op, from `k`
 * on. */
static bool claim_clashes(const struct cs_replay *replay, const struct claims *a, uint32_t i,
                          const struct claims *b, uint32_t k)
{
    for (; k < b->count; k++)
        if (replay_clash(a->use[i], b->use[k]) && runs_meet(replay, &a->run[i], &b->run[k]))
            return true;
    return false;
}

/* Whether the last op conflicts with itself or with an earlier op. */
static bool claims_clash(const struct cs_replay *replay, const struct claims *claims, uint32_t last)
{
    for (uint32_t i = 0; i < claims[last].count; i++) {
        for (uint32_t n = 0; n < last; n++)
            if (claim_clashes(replay, &claims[last], i, &claims[n], 0))
                return true;
        if (claim_clashes(replay, &claims[last], i, &claims[last], i + 1))
            return true;
    }
    return false;
}

/* The same for rounds of many ops: block by block. */
static bool marks_clash(struct cs_replay *replay, const struct claims *claims)
{
    bool found = false;

    for (uint32_t k = 0; k < claims->count; k++) {
        enum cs_buffer buffer = claims->run[k].buffer;
        struct cs_blocks run = claims->run[k].blocks;

        for (uint32_t i = next_in_window(replay, buffer, run, 0); i < run.count;
             i = next_in_window(replay, buffer, run, i + 1))
            found |= replay_marks(replay, claims->use[k], buffer,
                                  nth_block(replay, buffer, run.first, i));
    }
    return found;
}

static int check_lanes(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    if (replay->uses.active && cs_sharing_collides(replay, lane, op))
        return cs_refuse_op(replay, lane, op->blocks,
                            "uses a chunk that another lane writes at that time");
    return cs_sharing_is_watched(replay) ? cs_sharing_check_op(replay, lane, op) : 0;
}

int cs_replay_check_round(struct cs_replay *replay, uint32_t lane)
{
    bool is_large = replay->ops.count > PAIRS_MAX;
    struct claims claims[PAIRS_MAX];
    int code = 0;

    replay->uses.stamp++;
    replay->sends = 0;
    for (uint32_t i = 0; i < replay->ops.count && !code; i++) {
        const struct cs_op *op = &replay->ops.op[i];
        uint32_t last = is_large ? 0 : i;

        replay->sends += op->kind == CS_OP_SEND;
        code = check_op(replay, lane, op);
        if (code)
            return code;
        claims[last] = claims_of(op);
        if (is_large ? marks_clash(replay, claims) : claims_clash(replay, claims, last))
            return cs_refuse_op(replay, lane, op->blocks,
                                "uses a chunk that another op of the round writes");
        code = check_lanes(replay, lane, op);
    }
    return code;
}
