#include "sim/proof/proof.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/random.h"
#include "sim/program/lanes.h"
#include "sim/proof/races.h"
#include "sim/proof/replay.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_BUDGET = 32 << 20,
    SET_BITS = 64
};

/* What the values of a replay mean: sets of 64 ranks, or sums of tags. */
struct meaning {
    const struct cs_program *program;
    uint64_t seed;
    uint64_t all_tags; /* sum of the tags of all ranks */
    uint32_t first;    /* of the 64 ranks of a set */
};

/* Memory of the ranks at one moment, over all windows. */
struct holdings {
    struct meaning *tags;
    uint64_t held_bytes;
    uint64_t result_bytes;
    bool *seen; /* block of the window: a rank holds its result */
    uint32_t first;
};

bool cs_contributes(const struct cs_program *program, uint32_t rank, uint32_t block)
{
    switch (program->before) {
    case CS_OWN_BLOCK:
        return rank == cs_block_owner(program, block);
    case CS_ROOT:
        return rank == program->root;
    default:
        return true;
    }
}

bool cs_owes(const struct cs_program *program, uint32_t rank, uint32_t block)
{
    switch (program->after) {
    case CS_OWN_BLOCK:
        return rank == cs_block_owner(program, block);
    case CS_ROOT:
        return rank == program->root;
    case CS_NOTHING:
        return false;
    default:
        return true;
    }
}

struct cs_goal cs_goal_of(const struct cs_program *program, uint32_t rank, uint32_t block)
{
    uint32_t owner = cs_block_owner(program, block);

    if (program->after == CS_TRANSPOSED) {
        uint32_t each = program->blocks / program->ranks;

        return (struct cs_goal){false, owner, rank * each + block % each};
    }
    if (program->after == CS_SHIFTED)
        return (struct cs_goal){false, (rank ? rank : program->ranks) - 1, block};
    if (program->before == CS_EVERY_RANK)
        return (struct cs_goal){.is_sum = true, .block = block};
    return (struct cs_goal){false, program->before == CS_ROOT ? program->root : owner, block};
}

/* ---- sums of tags ---- */

static uint64_t rank_tag(const struct meaning *meaning, uint32_t rank)
{
    return cs_mix64(meaning->seed + rank + 1);
}

/* Odd, so that multiplication modulo 2^64 is injective on tags. */
static uint64_t block_factor(const struct meaning *meaning, uint32_t block)
{
    return cs_mix64(~meaning->seed ^ ((uint64_t)block << 32)) | 1;
}

static uint64_t tag_initial(const void *ctx, uint32_t rank, uint32_t block)
{
    const struct meaning *meaning = ctx;

    if (!cs_contributes(meaning->program, rank, block))
        return 0;
    return rank_tag(meaning, rank) * block_factor(meaning, block);
}

static bool tag_add(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a + b;
    return a != 0 && b != 0;
}

/* The value that a block of a rank has to have. */
static uint64_t tag_result(const struct meaning *meaning, uint32_t rank, uint32_t block)
{
    struct cs_goal goal = cs_goal_of(meaning->program, rank, block);
    uint64_t ranks = goal.is_sum ? meaning->all_tags : rank_tag(meaning, goal.rank);

    return ranks * block_factor(meaning, goal.block);
}

/* ---- sets of ranks ---- */

static uint64_t set_initial(const void *ctx, uint32_t rank, uint32_t block)
{
    const struct meaning *meaning = ctx;
    uint32_t bit = rank - meaning->first;

    if (bit >= SET_BITS || !cs_contributes(meaning->program, rank, block))
        return 0;
    return (uint64_t)1 << bit;
}

static bool set_add(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    const struct meaning *meaning = ctx;

    *sum = a | b;
    /* With more ranks than bits in a set, value 0 may also be ranks outside of
     * the set. */
    if ((a == 0 || b == 0) && meaning->program->ranks <= SET_BITS)
        return false;
    return (a & b) == 0 || meaning->program->idempotent;
}

static uint64_t set_result(const struct meaning *meaning, uint32_t rank, uint32_t block)
{
    uint32_t ranks = meaning->program->ranks - meaning->first;
    struct cs_goal goal = cs_goal_of(meaning->program, rank, block);

    if (!goal.is_sum)
        return set_initial(meaning, goal.rank, goal.block);
    return ranks >= SET_BITS ? UINT64_MAX : ((uint64_t)1 << ranks) - 1;
}

/* ---- what the ranks hold ---- */

/* Results of ranks are distinct: no rank holds the result of a second rank. */
static bool results_differ(const struct cs_program *program)
{
    return program->after == CS_TRANSPOSED || program->after == CS_SHIFTED;
}

static void count_rank(struct holdings *holdings, const struct cs_replay *replay, uint32_t rank,
                       struct cs_replay_window window)
{
    struct cs_cut cut = cs_cut_of(holdings->tags->program);

    for (uint32_t i = 0; i < window.count; i++) {
        uint32_t block = window.first + i;
        uint64_t value = cs_replay_value(replay, rank, block);
        uint64_t bytes = cs_cut_bytes(&cut, (struct cs_blocks){block, 1});

        if (value == 0)
            continue;
        holdings->held_bytes += bytes;
        if (holdings->seen[i] || value != tag_result(holdings->tags, rank, block))
            continue;
        holdings->seen[i] = !results_differ(holdings->tags->program);
        holdings->result_bytes += bytes;
    }
}

/* One window of the proof with tags, with its counts. */
struct proof_sweep {
    struct meaning tags;
    struct cs_replay_window window;
    const struct cs_race_groups *groups; /* as in struct cs_algebra */
    struct holdings scattered;
    struct holdings final;
    struct cs_monitor_part part; /* of a monitor, or of NULL */
};

static void on_scattered(void *watcher, const struct cs_replay *replay, uint32_t rank)
{
    struct proof_sweep *sweep = watcher;

    count_rank(&sweep->scattered, replay, rank, sweep->window);
}

/* ---- faults get a name ---- */

enum {
    WHEN_TEXT = 64
};

static const char *when_written(const struct cs_replay *replay, uint32_t rank, uint32_t block,
                                char text[WHEN_TEXT])
{
    uint32_t round = cs_replay_written(replay, rank, block);

    if (round == CS_NEVER_WRITTEN)
        snprintf(text, WHEN_TEXT, "which it never receives");
    else
        snprintf(text, WHEN_TEXT, "last received in round %u", round);
    return text;
}

static int name_fault(const struct meaning *sets, const struct cs_replay *replay, uint32_t rank,
                      uint32_t block, struct cs_err *err)
{
    uint64_t value = cs_replay_value(replay, rank, block);
    uint64_t missing = set_result(sets, rank, block) & ~value;
    uint32_t who = sets->first;
    char text[WHEN_TEXT];
    const char *when = when_written(replay, rank, block, text);

    if (!missing)
        return cs_err_set(err, CS_EANSWER,
                          "rank %u ends with what is not the result in chunk %u, %s", rank, block,
                          when);
    for (; !(missing & 1); who++)
        missing >>= 1;
    return cs_err_set(err, CS_EANSWER,
                      "rank %u ends without rank %u's contribution to chunk %u, %s", rank, who,
                      block, when);
}

/* Replays with sets of the 64 ranks from `first` on. */
static int prove_sets(const struct cs_program *program, uint32_t first,
                      struct cs_replay_window window, const struct cs_race_groups *groups,
                      const struct cs_monitor *whole, struct cs_err *err)
{
    struct meaning sets = {.program = program, .first = first};
    const struct cs_monitor asks = {cs_monitor_ask, &whole};
    struct cs_algebra algebra = {
        .initial = set_initial, .add = set_add, .ctx = &sets, .monitor = &asks, .groups = groups};
    struct cs_replay *replay;
    int code = cs_replay_run(program, &algebra, window, &replay, err);

    for (uint32_t rank = 0; rank < program->ranks && !code; rank++)
        for (uint32_t i = window.first; i < window.first + window.count && !code; i++)
            if (cs_owes(program, rank, i) &&
                cs_replay_value(replay, rank, i) != set_result(&sets, rank, i))
                code = name_fault(&sets, replay, rank, i, err);
    cs_replay_free(replay);
    return code;
}

/* The least that a replay can be confined to: a block, unless blocks move. */
static struct cs_replay_window window_around(const struct cs_program *program, uint32_t block)
{
    if (program->moves_blocks || program->scratch_blocks)
        return (struct cs_replay_window){0, program->blocks};
    return (struct cs_replay_window){block, 1};
}

/* The sums say that block is wrong at rank: says how.  The sets know of ranks
 * only, not of blocks. */
static int proof_explain(const struct cs_program *program, const struct cs_replay *replay,
                         uint32_t rank, uint32_t block, struct cs_err *err)
{
    char when[WHEN_TEXT];
    int code = 0;

    for (uint32_t first = 0; first < program->ranks && !code; first += SET_BITS)
        code = prove_sets(program, first, window_around(program, block), NULL, NULL, err);
    if (code)
        return code;
    return cs_err_set(err, CS_EANSWER, "rank %u ends with another chunk's result in chunk %u, %s",
                      rank, block, when_written(replay, rank, block, when));
}

/* ---- windows ---- */

static int check_rank(struct proof_sweep *sweep, const struct cs_replay *replay, uint32_t rank,
                      struct cs_err *err)
{
    const struct cs_program *program = sweep->tags.program;

    count_rank(&sweep->final, replay, rank, sweep->window);
    for (uint32_t i = sweep->window.first; i < sweep->window.first + sweep->window.count; i++)
        if (cs_owes(program, rank, i) &&
            cs_replay_value(replay, rank, i) != tag_result(&sweep->tags, rank, i))
            return proof_explain(program, replay, rank, i, err);
    return 0;
}

static int prove_window(struct proof_sweep *sweep, struct cs_proof *proof, struct cs_err *err)
{
    const struct cs_program *program = sweep->tags.program;
    const struct cs_monitor monitor = {cs_monitor_part_update, &sweep->part};
    struct cs_algebra algebra = {.initial = tag_initial,
                                 .add = tag_add,
                                 .ctx = &sweep->tags,
                                 .scattered = on_scattered,
                                 .watcher = sweep,
                                 .monitor = sweep->part.whole ? &monitor : NULL,
                                 .groups = sweep->groups};
    struct cs_replay *replay;
    int code;

    memset(sweep->scattered.seen, 0, sweep->window.count * sizeof(bool));
    memset(sweep->final.seen, 0, sweep->window.count * sizeof(bool));
    code = cs_replay_run(program, &algebra, sweep->window, &replay, err);
    for (uint32_t rank = 0; rank < program->ranks && !code; rank++)
        code = check_rank(sweep, replay, rank, err);
    proof->messages = cs_replay_messages(replay);
    proof->shares_lanes |= cs_replay_shares(replay);
    proof->windows++;
    cs_replay_free(replay);
    return code;
}

static uint32_t window_size(const struct cs_program *program, size_t budget)
{
    size_t size;

    assert(cs_program_parties(program) > 0);
    size = (budget ? budget : DEFAULT_BUDGET) / (cs_program_parties(program) * sizeof(uint64_t));
    if (program->moves_blocks || program->scratch_blocks)
        return program->blocks;
    if (size < 1)
        size = 1;
    return size < program->blocks ? (uint32_t)size : program->blocks;
}

/* ---- how long it takes ---- */

enum {
    SAMPLE_PARTIES = 8,
    SAMPLE_ROUNDS = 64,   /* of a lane */
    SAMPLE_OPS = 1 << 22, /* then a round of each lane: 0.1 s */
    CLOCKS_A_VISIT = 2,   /* numbers of clocks are copied in a row */
};

struct sample {
    double ops, blocks; /* extrapolated from the sampled rounds */
    uint64_t seen;      /* ops of the rounds that were looked at */
    bool shares;        /* lanes use WAITs or explicit channels */
};

static void sample_lane(const struct cs_program *program, uint32_t party, uint32_t lane,
                        struct sample *sample)
{
    uint64_t rounds = cs_program_rounds(program, party, lane);
    uint64_t looks = rounds < SAMPLE_ROUNDS ? rounds : SAMPLE_ROUNDS;
    uint64_t blocks = 0;
    uint64_t begun = sample->seen;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint64_t i;

    for (i = 0; i < looks && (i == 0 || sample->seen < SAMPLE_OPS); i++) {
        cs_program_read(program, (struct cs_at){party, lane, i * rounds / looks}, &ops);
        sample->seen += ops.count;
        for (uint32_t k = 0; k < ops.count; k++) {
            blocks += ops.op[k].blocks.count;
            sample->shares |= ops.op[k].kind == CS_OP_WAIT || ops.op[k].channel;
        }
    }
    if (i > 0) {
        double weight = (double)rounds / (double)i;

        sample->ops += weight * (double)(sample->seen - begun);
        sample->blocks += weight * (double)blocks;
    }
}

/* Of `count` parties from `first` on. */
static struct sample sample_parties(const struct cs_program *program, uint32_t first,
                                    uint32_t count)
{
    uint32_t looks = count < SAMPLE_PARTIES ? count : SAMPLE_PARTIES;
    struct sample sample = {0};

    for (uint32_t i = 0; i < looks; i++)
        for (uint32_t lane = 0; lane < program->lanes; lane++)
            sample_lane(program, first + (uint32_t)((uint64_t)i * count / looks), lane, &sample);
    if (looks) {
        sample.ops *= (double)count / looks;
        sample.blocks *= (double)count / looks;
    }
    return sample;
}

/* At most UINT64_MAX. */
static uint64_t whole_number(double number)
{
    return number < 0x1p64 ? (uint64_t)number : UINT64_MAX;
}

struct cs_proof_work cs_proof_estimate(const struct cs_program *program,
                                       const struct cs_proof_options *options)
{
    struct sample ranks = sample_parties(program, 0, program->ranks);
    struct sample agents = sample_parties(program, program->ranks, program->agents);
    uint32_t size = window_size(program, options->budget_bytes);
    double passes = ceil((double)program->blocks / size);
    double all = 1; /* how often all blocks are visited */
    double ops = ranks.ops + agents.ops;
    double visits;

    if (program->idempotent)
        passes = all = ceil((double)program->ranks / SET_BITS);
    else if (program->ranks <= CS_PROOF_EXACT_RANKS)
        all = 2;
    visits = all * (ranks.blocks + agents.blocks + 3.0 * program->ranks * program->blocks) +
             (passes + all - 1) * ops * CS_PROOF_OP_VISITS +
             (ranks.shares || agents.shares ? (double)cs_races_work(program) / CLOCKS_A_VISIT : 0);
    return (struct cs_proof_work){whole_number(ops), whole_number(visits)};
}

static int prove_tags(const struct cs_program *program, const struct cs_proof_options *options,
                      const struct cs_race_groups *groups, struct cs_proof *proof,
                      struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t size = window_size(program, options->budget_bytes);
    struct proof_sweep sweep = {
        .tags = {.program = program, .seed = cs_mix64(options->seed)},
        .groups = groups,
        .part = {.whole = options->monitor,
                 .parts = program->blocks / size + (program->blocks % size != 0)}};
    int code = 0;

    for (uint32_t rank = 0; rank < program->ranks; rank++)
        sweep.tags.all_tags += rank_tag(&sweep.tags, rank);
    sweep.scattered.tags = &sweep.tags;
    sweep.final.tags = &sweep.tags;
    sweep.scattered.seen = cs_arena_alloc(&arena, size, sizeof(bool));
    sweep.final.seen = cs_arena_alloc(&arena, size, sizeof(bool));
    for (uint64_t first = 0; first < program->blocks && !code; first += size) {
        sweep.window.first = (uint32_t)first;
        sweep.window.count =
            first + size > program->blocks ? (uint32_t)(program->blocks - first) : size;
        code = prove_window(&sweep, proof, err);
        sweep.part.part++;
    }
    proof->has_reduce_scatter = program->scatters > 0;
    proof->redundant_after_scatter_bytes =
        sweep.scattered.held_bytes - sweep.scattered.result_bytes;
    proof->redundant_bytes = sweep.final.held_bytes - sweep.final.result_bytes;
    return code;
}

/* Where adding twice does no harm the sums prove nothing: sets, 64 ranks at a
 * time, do. */
static int prove_idempotent(const struct cs_program *program,
                            const struct cs_proof_options *options,
                            const struct cs_race_groups *groups, struct cs_proof *proof,
                            struct cs_err *err)
{
    int code = 0;

    proof->exact = true;
    proof->shares_lanes = program->lanes > 1;
    for (uint32_t first = 0; first < program->ranks && !code; first += SET_BITS, proof->windows++)
        code = prove_sets(program, first, (struct cs_replay_window){0, program->blocks}, groups,
                          options->monitor, err);
    return code;
}

static uint64_t order_initial(const void *ctx, uint32_t rank, uint32_t block)
{
    (void)ctx, (void)rank, (void)block;
    return 1;
}

static bool order_add(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a | b;
    return true;
}

/* Looks for races in part `part` of the parties, in all windows.  The values do
 * not matter. */
static int prove_order(const struct cs_program *program, const struct cs_race_groups *groups,
                       uint32_t part, struct cs_monitor_part *progress, struct cs_err *err)
{
    const struct cs_monitor monitor = {cs_monitor_part_update, progress};
    const struct cs_algebra algebra = {.initial = order_initial,
                                       .add = order_add,
                                       .monitor = progress->whole ? &monitor : NULL,
                                       .order_part = part + 1,
                                       .groups = groups};
    uint32_t size = window_size(program, 0);
    int code = 0;

    for (uint64_t first = 0; first < program->blocks && !code; first += size) {
        uint64_t left = program->blocks - first;
        struct cs_replay_window window = {(uint32_t)first, left < size ? (uint32_t)left : size};
        struct cs_replay *replay;

        code = cs_replay_run(program, &algebra, window, &replay, err);
        cs_replay_free(replay);
        progress->part++;
    }
    return code;
}

/* Replays that detect races only, as many as track those of all parties. */
static int prove_orders(const struct cs_program *program, const struct cs_proof_options *options,
                        const struct cs_race_groups *groups, struct cs_err *err)
{
    uint32_t parts = cs_races_parts(program, groups);
    uint32_t size = window_size(program, 0);
    uint32_t windows = program->blocks / size + (program->blocks % size != 0);
    struct cs_monitor_part progress = {.whole = options->monitor,
                                       .parts = (uint64_t)parts * windows};
    int code = 0;

    for (uint32_t part = 0; part < parts && !code; part++)
        code = prove_order(program, groups, part, &progress, err);
    return code;
}

/* The sets, where they are exact, and the sums. */
static int prove_values(const struct cs_program *program, const struct cs_proof_options *options,
                        const struct cs_race_groups *groups, struct cs_proof *proof,
                        struct cs_err *err)
{
    int code = 0;

    if (program->idempotent)
        return prove_idempotent(program, options, groups, proof, err);
    if (program->ranks <= CS_PROOF_EXACT_RANKS) {
        proof->exact = true;
        code = prove_sets(program, 0, (struct cs_replay_window){0, program->blocks}, groups,
                          options->monitor, err);
    }
    return code ? code : prove_tags(program, options, groups, proof, err);
}

/* Each lane is a group of its own. */
static struct cs_race_groups proof_groups(const struct cs_program *program, struct cs_arena *arena)
{
    uint32_t count = cs_lane_count(program);
    struct cs_race_groups groups = {cs_arena_alloc(arena, count, sizeof(*groups.near))};

    cs_disjoint_open(groups.near, count);
    return groups;
}

int cs_proof_run(const struct cs_program *program, const struct cs_proof_options *options,
                 struct cs_proof *proof, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_race_groups of = {NULL};
    const struct cs_race_groups *groups = program->lanes > 1 ? &of : NULL;
    struct cs_err wrong = {0};
    int code, races = 0;

    *proof = (struct cs_proof){.nothing_owed = program->after == CS_NOTHING};
    if (groups)
        of = proof_groups(program, &arena);
    code = prove_values(program, options, groups, proof, &wrong);
    proof->one_order = !code && proof->shares_lanes && cs_races_parts(program, groups) == 0;
    /* A race explains wrong values, too; not all lanes were grouped then. */
    if (code == CS_EANSWER && program->lanes > 1)
        races = prove_orders(program, options, NULL, err);
    else if (!code && proof->shares_lanes)
        races = prove_orders(program, options, groups, err);
    if (races || !code)
        return races;
    return cs_err_set(err, code, "%s", wrong.text);
}
