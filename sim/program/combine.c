#include "sim/program/combine.h"

#include "sim/program/matching.h"

#include <assert.h>

/* Channels of one job; more than any program has. */
enum {
    CHANNELS = 1 << 20
};

struct combined {
    const struct cs_job *jobs;
    uint32_t count;
    struct cs_cut cut[CS_JOBS_MAX];
    /* Party -> rank of the job, or CS_NONE. */
    uint32_t *rank[CS_JOBS_MAX];
    uint32_t *job;  /* of each lane */
    uint32_t *lane; /* in its job */
};

uint32_t cs_combine_lane(const struct cs_job *jobs, uint32_t job)
{
    uint32_t lane = 0;

    for (uint32_t i = 0; i < job; i++)
        lane += jobs[i].program->lanes;
    return lane;
}

/* The job of a lane and the party's rank in the job; false without a rank. */
struct combine_place {
    const struct cs_job *job;
    uint32_t number; /* of the job */
    uint32_t rank;
    uint32_t lane;
};

static bool find_place(const struct combined *combined, uint32_t party, uint32_t lane,
                       struct combine_place *place)
{
    place->number = combined->job[lane];
    place->job = &combined->jobs[place->number];
    place->lane = combined->lane[lane];
    place->rank = combined->rank[place->number][party];
    return place->rank != CS_NONE;
}

static uint64_t combine_rounds_of(const struct combine_place *place)
{
    const struct cs_program *program = place->job->program;

    return cs_program_rounds(program, place->rank, place->lane);
}

static uint64_t combined_rounds(const void *ctx, struct cs_at at)
{
    struct combine_place place;

    return find_place(ctx, at.party, at.lane, &place)
               ? combine_rounds_of(&place) * place.job->repeats
               : 0;
}

/* The op as the machine's: its own parties, lanes, channels, bytes. */
static void combine_translate(const struct combined *combined, const struct combine_place *place,
                              uint64_t repeat, struct cs_op *op)
{
    const struct cs_program *program = place->job->program;
    uint32_t first = cs_combine_lane(combined->jobs, place->number);
    uint32_t channel = cs_op_channel(program, place->lane, op);

    if (op->kind == CS_OP_WORK)
        return;
    if (op->kind == CS_OP_WAIT) {
        op->source += (uint32_t)(repeat * cs_program_rounds(program, place->rank, op->peer));
        op->peer += first;
        return;
    }
    assert(channel < CHANNELS);
    op->amount = cs_op_bytes(&combined->cut[place->number], op);
    op->blocks = (struct cs_blocks){0};
    if (program->handshake)
        op->leaves = CS_LEAVES_MET;
    op->channel = 1 + place->number * CHANNELS + channel;
    if (place->job->slot && !cs_op_is_local(op))
        op->peer = place->job->slot[op->peer];
}

static void combined_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct combined *combined = ctx;
    uint32_t i = ops->count;
    struct combine_place place;
    uint64_t rounds;

    if (!find_place(combined, at.party, at.lane, &place))
        return;
    rounds = combine_rounds_of(&place);
    place.job->program->round(place.job->program->ctx,
                              (struct cs_at){place.rank, place.lane, at.round % rounds}, ops);
    for (; i < ops->count; i++)
        combine_translate(combined, &place, at.round / rounds, &ops->op[i]);
}

static uint64_t combined_start(const void *ctx, struct cs_at at)
{
    struct combine_place place;

    return find_place(ctx, at.party, at.lane, &place) ? place.job->start_ps : 0;
}

static uint32_t combined_turn(const void *ctx, struct cs_at at)
{
    const struct combined *combined = ctx;
    const struct cs_program *program;
    struct combine_place place;

    if (!find_place(combined, at.party, at.lane, &place))
        return at.lane;
    program = place.job->program;
    if (!program->turn)
        return at.lane;
    return cs_combine_lane(combined->jobs, place.number) +
           program->turn(program->ctx, (struct cs_at){place.rank, place.lane, 0});
}

/* That of the first job, where it has all parties. */
static uint32_t combined_order(const void *ctx, uint32_t party)
{
    const struct combined *combined = ctx;
    const struct cs_program *program = combined->jobs[0].program;

    return program->order(program->ctx, party);
}

static bool combine_has_order(struct cs_combine_parties parties, const struct cs_job *job)
{
    const struct cs_program *program = job->program;

    return program->order && !job->slot && program->ranks == parties.ranks &&
           program->agents == parties.agents;
}

static uint32_t combined_served(const void *ctx, uint32_t lane, const struct cs_op *send)
{
    const struct combined *combined = ctx;
    uint32_t number = combined->job[lane];
    const struct cs_program *program = combined->jobs[number].program;
    uint32_t served =
        program->served ? program->served(program->ctx, combined->lane[lane], send) : CS_NONE;

    return served == CS_NONE ? CS_NONE : cs_combine_lane(combined->jobs, number) + served;
}

static void combine_slot(struct combined *combined, uint32_t number, uint32_t parties,
                         struct cs_arena *arena)
{
    const struct cs_job *job = &combined->jobs[number];
    uint32_t *rank = cs_arena_alloc(arena, parties, sizeof(*rank));

    for (uint32_t i = 0; i < parties; i++)
        rank[i] = CS_NONE;
    for (uint32_t i = 0; i < cs_program_parties(job->program); i++)
        rank[job->slot ? job->slot[i] : i] = i;
    combined->rank[number] = rank;
    combined->cut[number] = cs_cut_of(job->program);
}

struct cs_program cs_combine(struct cs_combine_parties parties, const struct cs_job *jobs,
                             uint32_t count, struct cs_arena *arena)
{
    struct combined *combined = cs_arena_alloc(arena, 1, sizeof(*combined));
    const struct cs_program *first = jobs[0].program;
    uint32_t lanes = cs_combine_lane(jobs, count);

    assert(count >= 1 && count <= CS_JOBS_MAX);
    combined->jobs = jobs;
    combined->count = count;
    combined->job = cs_arena_alloc(arena, lanes, sizeof(uint32_t));
    combined->lane = cs_arena_alloc(arena, lanes, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = cs_combine_lane(jobs, i);

        combine_slot(combined, i, parties.ranks + parties.agents, arena);
        for (uint32_t l = 0; l < jobs[i].program->lanes; l++) {
            combined->job[from + l] = i;
            combined->lane[from + l] = l;
        }
    }
    return (struct cs_program){
        .ranks = parties.ranks,
        .agents = parties.agents,
        .lanes = lanes,
        .main_lanes = first->lanes,
        .blocks = 1,
        .elements = first->elements,
        .element_bytes = first->element_bytes,
        .after = CS_NOTHING,
        .ctx = combined,
        .rounds = combined_rounds,
        .round = combined_round,
        .turn = combined_turn,
        .order = combine_has_order(parties, &jobs[0]) ? combined_order : NULL,
        .served = combined_served,
        .start_ps = combined_start,
    };
}
