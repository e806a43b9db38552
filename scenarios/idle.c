#include "scenarios/idle.h"

#include "sim/base/random.h"

enum {
    RANKS_SEEN = 16,
    LANES_SEEN = 16,
    ROUNDS_SEEN = 8,
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return cs_mix64(hash ^ cs_mix64(value));
}

static uint64_t see_ops(uint64_t hash, const struct cs_ops *ops)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];

        hash = mix(hash, op->kind);
        hash = mix(hash, op->peer);
        hash = mix(hash, op->source);
        hash = mix(hash, op->channel);
        hash = mix(hash, op->amount);
        hash = mix(hash, op->blocks.first);
        hash = mix(hash, op->blocks.count);
    }
    return hash;
}

/* Some rounds of a lane, evenly spread. */
static uint64_t see_lane(uint64_t hash, const struct cs_program *program,
                         uint32_t rank, uint32_t lane, struct cs_ops *ops)
{
    uint64_t rounds = program->rounds(program->ctx, rank, lane);
    uint64_t step = rounds / ROUNDS_SEEN + 1;
    uint64_t k;

    hash = mix(hash, rounds);
    for (k = 0; k < rounds; k += step) {
        ops->count = 0;
        program->round(program->ctx, rank, lane, k, ops);
        hash = see_ops(hash, ops);
    }
    return hash;
}

static uint64_t see(const struct cs_program *program)
{
    uint32_t parties = program->ranks + program->agents;
    uint32_t step = parties / RANKS_SEEN + 1;
    uint64_t hash = mix(program->lanes, program->blocks);
    struct cs_ops ops = {0};
    uint32_t rank;
    uint32_t lane;

    hash = mix(mix(hash, parties), program->parts);
    for (rank = 0; rank < parties; rank += step)
        for (lane = 0; lane < program->lanes && lane < LANES_SEEN; lane++)
            hash = see_lane(hash, program, rank, lane, &ops);
    cs_ops_free(&ops);
    return hash;
}

/* Whether the call without the option makes the same program; not where it
 * takes the same number by itself. */
static bool is_idle(const struct cs_stage *stage, struct cs_call *without,
                    const uint32_t *number, uint32_t given,
                    const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = stage->point->algo;
    struct cs_program program;

    cs_algo_settle(algo, without, hockney);
    if ((number && *number == given) || cs_algo_check(algo, without, NULL))
        return false;
    program = cs_algo_program(algo, without);
    return see(&program) == see(&stage->program);
}

static void say_idle(const struct cs_stage *stage, const char *option)
{
    cs_text_printf(stage->point->notes, "%s has no effect on %s\n", option,
                   stage->point->algo->name);
}

void cs_idle_note(const struct cs_stage *stage,
                  const struct cs_hockney *hockney)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    const struct cs_call *given = &scenario->call;
    struct cs_call without = stage->call;
    const struct {
        const char *option;
        uint32_t given;
        uint32_t *number;
    } options[] = {
        {"--chunks", given->chunks, &without.chunks},
        {"--slices", given->slices, &without.slices},
        {"--channels", given->channels, &without.channels},
        {"--radix", given->radix, &without.radix},
        {"--shards", given->shards, &without.shards},
        {"--dims", given->dim_count, &without.dim_count},
        {"--group", given->group, &without.group},
    };
    size_t i;

    if (!stage->point->notes || scenario->choice != CS_CHOICE_NAMED ||
        scenario->algo_count > 1 || stage->call.ranks < 2)
        return;
    for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
        without = stage->call;
        if (!options[i].given)
            continue;
        *options[i].number = 0;
        if (is_idle(stage, &without, options[i].number, options[i].given,
                    hockney))
            say_idle(stage, options[i].option);
    }
    without = stage->call;
    without.server = CS_SERVER_APART;
    if (given->server == CS_SERVER_COLOCATED &&
        is_idle(stage, &without, NULL, 0, hockney))
        say_idle(stage, "--ps-colocated");
}
