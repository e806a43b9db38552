/* Warps: no deadlock and no race in every order of events, and exact sums. */
#include "tests/unit/validate/cuda/slot_machine.h"

/* ---- every order of events ---- */

enum {
    STATES_MAX = 1 << 20,
    OPS_MAX = 4, /* of a round, in the exploration */
};

/* Visited states, by a hash of 64 bits. */
struct seen {
    uint64_t *hashes;
    uint32_t count;
};

static uint64_t hash_block(uint64_t hash, const struct block *b)
{
    hash = cs_mix64(hash ^ b->warp.now);
    hash = cs_mix64(hash ^ ((uint64_t)b->warp.pending << 32 | b->busy));
    for (uint32_t i = 0; i < OPS_MAX; i++) {
        const struct cs_warp_work *work = &b->works[i];

        if (!(b->warp.pending >> i & 1))
            continue;
        hash = cs_mix64(hash ^ work->cursor.at);
        if (work->own)
            hash = cs_mix64(hash ^ ((uint64_t)work->mine << 32 | work->other));
    }
    return hash;
}

/* The used words of the counts. */
static uint32_t *count_at(const struct slot_machine *m, uint32_t i)
{
    return m->counts + (size_t)(i / 2) * CS_WARP_COUNT_WORDS + (size_t)(i % 2) * CS_WARP_OWN_WORD;
}

static uint64_t hash_of(const struct slot_machine *m)
{
    uint64_t hash = 1;

    for (uint32_t i = 0; i < m->block_count; i++)
        hash = hash_block(hash, &m->blocks[i]);
    for (uint32_t i = 0; i < 4 * m->ends; i++)
        hash = cs_mix64(hash ^ *count_at(m, i));
    return hash ? hash : 1;
}

static bool note(struct seen *seen, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (2 * STATES_MAX - 1);

    while (seen->hashes[at]) {
        if (seen->hashes[at] == hash)
            return false;
        at = (at + 1) & (2 * STATES_MAX - 1);
    }
    seen->hashes[at] = hash;
    if (++seen->count > STATES_MAX)
        fail_msg("more states than that can be looked at");
    return true;
}

enum direction {
    OUT,
    BACK,
};

static size_t copy(void *data, size_t bytes, char *packed, enum direction setup)
{
    if (packed && setup == BACK)
        memcpy(data, packed, bytes);
    else if (packed)
        memcpy(packed, data, bytes);
    return bytes;
}

/* Packs the variable state of a machine; returns the number of bytes. */
static size_t pack(const struct slot_machine *m, char *to, enum direction setup)
{
    size_t ops = sizeof(struct cs_warp_work) * OPS_MAX;
    size_t length = 0;

#define COPY(data, bytes) length += copy(data, bytes, to ? to + length : NULL, setup)
    for (uint32_t i = 0; i < m->block_count; i++) {
        COPY(&m->blocks[i], offsetof(struct block, works) + ops);
        COPY(&m->progress[i], sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < 4 * m->ends; i++)
        COPY(count_at(m, i), sizeof(uint32_t));
    COPY(m->users, (size_t)m->ends * m->slots);
#undef COPY
    return length;
}

struct outcome {
    uint32_t states, stuck, ends;
    bool raced;
};

/* States to explore. */
struct stack {
    char *states;
    size_t bytes; /* of a state */
    size_t depth, capacity;
};

static void push(struct stack *stack, struct slot_machine *m)
{
    if (stack->depth == stack->capacity) {
        stack->capacity = 2 * stack->capacity + 1024;
        stack->states = cs_grow(stack->states, stack->capacity, stack->bytes);
    }
    pack(m, stack->states + stack->depth++ * stack->bytes, OUT);
}

/* Whether the block may run the ops next: started ops are finished together. */
static bool may_act(const struct slot_machine *m, uint32_t b, uint32_t wanted)
{
    uint32_t pending = m->blocks[b].busy ? 1 : m->blocks[b].warp.pending;

    return (wanted & ~pending) == 0;
}

/* Adds the successors of `here` by block b; false without a successor. */
static bool leave(struct slot_machine *m, char *here, uint32_t b, struct seen *seen,
                  struct stack *stack, struct outcome *outcome)
{
    bool moved = false;

    for (uint32_t wanted = 1; wanted < 1 << OPS_MAX; wanted++) {
        pack(m, here, BACK);
        if (!may_act(m, b, wanted) || !sm_act(m, &m->blocks[b], wanted))
            continue;
        moved = true;
        outcome->raced |= m->raced;
        if (note(seen, hash_of(m)))
            push(stack, m);
    }
    return moved;
}

/* Explores every reachable state. */
static struct outcome explore(struct slot_machine *m)
{
    struct seen seen = {calloc((size_t)2 * STATES_MAX, sizeof(uint64_t)), 0};
    struct stack stack = {.bytes = pack(m, NULL, OUT)};
    struct outcome outcome = {0};
    char *here = cs_grow(NULL, stack.bytes, 1);

    push(&stack, m);
    note(&seen, hash_of(m));
    while (stack.depth > 0) {
        bool moved = false;

        memcpy(here, stack.states + --stack.depth * stack.bytes, stack.bytes);
        pack(m, here, BACK);
        outcome.ends += sm_done(m);
        for (uint32_t b = 0; b < m->block_count; b++)
            moved |= leave(m, here, b, &seen, &stack, &outcome);
        pack(m, here, BACK);
        outcome.stuck += !moved && !sm_done(m);
    }
    outcome.states = seen.count;
    free(seen.hashes);
    free(stack.states);
    free(here);
    return outcome;
}

struct trial {
    const char *algo;
    uint32_t ranks;
    uint64_t elements;
    uint32_t depth;
    uint32_t slots; /* real number of slots; 0: depth */
};

static struct outcome explore_trial(struct trial trial)
{
    struct cs_call call = {.ranks = trial.ranks, .elements = trial.elements, .element_bytes = 4};
    struct cs_program program = fixture_program(trial.algo, "allreduce", &call);
    const struct cs_algo *algo = cs_algo_find(trial.algo, cs_collective_find("allreduce"));
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    struct slot_machine machine;
    struct cs_slot_cut cut = {.channels = 1, .slice_bytes = 16};

    table_of(algo, &program, &arena, &table);
    assert_int_equal(cs_plan_make(&table, &arena, &plan, NULL), 0);
    for (uint32_t k = 0; k < plan.round_count; k++)
        assert_in_range(plan.ops_of[k + 1] - plan.ops_of[k], 0, OPS_MAX);
    cut.starts = cs_plan_starts(&plan, trial.elements, 4, &arena);
    cut.blocks = plan.blocks;
    sm_open(&machine, &plan, cut, trial.depth, &arena);
    if (trial.slots)
        machine.slots = trial.slots;
    return explore(&machine);
}

/* 8 elements are 2 slices. */
TEST(no_order_of_events_ends_in_a_deadlock_or_a_race)
{
    static const struct trial trials[] = {
        {"ring", 2, 16, 1, 0},
        {"ring", 2, 32, 2, 0},
        {"ring", 3, 12, 1, 0},
        {"ring", 3, 24, 2, 0},
        {"tree", 3, 8, 1, 0},
        {"tree", 4, 8, 2, 0},
        {"naive", 3, 8, 1, 0},
        {"ps", 2, 8, 2, 0},
        {"ps", 3, 8, 1, 0},
        {"recursive-doubling", 2, 16, 1, 0},
        {"recursive-doubling", 4, 8, 1, 0},
    };

    for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
        struct outcome outcome = explore_trial(trials[i]);

        if (outcome.stuck || outcome.raced || outcome.ends != 1)
            fail_msg("%s, %u ranks: %u states, %u stuck, %u ends%s", trials[i].algo,
                     trials[i].ranks, outcome.states, outcome.stuck, outcome.ends,
                     outcome.raced ? ", a race" : "");
        assert_true(outcome.states > 20);
    }
}

TEST(a_slot_too_few_is_found_as_a_race)
{
    struct trial trial = {"ring", 2, 32, 2, 1};

    assert_true(explore_trial(trial).raced);
}

/* Two ranks that send everything before the first receive. */
ARENA_TEST(sends_first_are_found_as_a_deadlock)
{
    static const char text[] = "collsim-table 1\nalgorithm bad\ncollective allreduce\nranks 2\n"
                               "agents 0\nlanes 1\nblocks 1\nparts 1\n"
                               "op 0 0 0 send 1 0 in 0 1\nop 0 0 1 add 1 0 out 0 1\n"
                               "op 1 0 0 send 0 0 in 0 1\nop 1 0 1 add 0 0 out 0 1\nend\n";
    struct cs_op_table_text in = {"bad", text, sizeof(text) - 1};
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    struct slot_machine machine;
    struct cs_slot_cut cut = {.blocks = 1, .channels = 1, .slice_bytes = 16};

    assert_int_equal(cs_op_table_read(in, arena, &table, NULL), 0);
    assert_int_equal(cs_plan_make(&table, arena, &plan, NULL), 0);
    cut.starts = cs_plan_starts(&plan, 8, 4, arena);
    sm_open(&machine, &plan, cut, 1, arena);
    assert_true(explore(&machine).stuck > 0);
    sm_open(&machine, &plan, cut, 2, arena);
    assert_int_equal(explore(&machine).stuck, 0);
}

/* ---- with data ---- */

static bool fits_table(const struct cs_algo *algo, const struct cs_program *program)
{
    struct cs_export what = {.algo = algo, .program = program};
    const struct cs_exporter *exporter;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};
    int code;

    assert_int_equal(cs_exporter_choose("table", &exporter, &err), 0);
    code = exporter->write(&what, &text, &err);
    return code == 0;
}

/* Bytes for a vector per party. */
static char **vectors(const struct slot_machine *m, struct cs_arena *arena)
{
    char **all = cs_arena_alloc(arena, m->plan->parties, sizeof(*all));

    for (uint32_t p = 0; p < m->plan->parties; p++)
        all[p] = cs_arena_alloc(arena, m->vector_bytes, 1);
    return all;
}

static void fill(struct slot_machine *m, struct cs_arena *arena)
{
    const struct cs_slot_cut *cut = &m->program.cut;
    size_t slots = (size_t)cut->slice_bytes * cut->channels * m->program.depth;

    for (uint32_t i = 0; i < m->plan->link_count; i++) {
        m->links[i].slots = cs_arena_alloc(arena, slots, 1);
        memset(m->links[i].slots, CS_PATTERN_POISON, slots);
    }
    m->program.inputs = m->inputs = vectors(m, arena);
    m->program.outputs = m->outputs = vectors(m, arena);
    for (uint32_t r = 0; r < m->plan->ranks; r++) {
        for (uint64_t i = 0; i < m->vector_bytes / 4; i++)
            ((uint32_t *)m->inputs[r])[i] = cs_pattern_of(r, i);
        memcpy(m->outputs[r], m->inputs[r], m->vector_bytes);
    }
}

/* Blocks act in a random order until no block can act. */
static void run(struct slot_machine *m, struct cs_random *random)
{
    uint64_t idle = 0;

    while (!sm_done(m) && idle < 100000) {
        struct block *b = &m->blocks[cs_random_below(random, m->block_count)];
        uint32_t wanted =
            cs_random_below(random, 2) ? UINT32_MAX : (uint32_t)cs_random_below(random, UINT32_MAX);

        idle = sm_act(m, b, wanted) ? 0 : idle + 1;
    }
}

static void check(const struct slot_machine *m, const char *name)
{
    uint64_t words = m->vector_bytes / 4;

    if (!sm_done(m))
        fail_msg("%s, %u ranks: does not end", name, m->plan->ranks);
    assert_false(m->raced);
    for (uint32_t r = 0; r < m->plan->ranks; r++)
        for (uint64_t i = 0; i < words; i++)
            if (((uint32_t *)m->outputs[r])[i] != cs_pattern_sum(m->plan->ranks, i))
                fail_msg("%s, %u ranks: rank %u is wrong at %llu", name, m->plan->ranks, r,
                         (unsigned long long)i);
}

/* Runs a table on slots, and checks the sums. */
static void run_table(const struct cs_op_table *table, uint64_t elements, uint32_t channels,
                      struct cs_random *random)
{
    struct cs_slot_cut cut = {
        .channels = channels,
        .slice_bytes = 16 << cs_random_below(random, 4),
    };
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_gpu_plan plan;
    struct slot_machine m;

    assert_done_of(table->algorithm, cs_plan_make(table, &arena, &plan, &err));
    cut.starts = cs_plan_starts(&plan, elements, 4, &arena);
    cut.blocks = plan.blocks;
    sm_open(&m, &plan, cut, 1u << cs_random_below(random, 3), &arena);
    fill(&m, &arena);
    run(&m, random);
    check(&m, table->algorithm);
}

/* A single program; false where a table cannot hold the program. */
static bool try(const struct cs_algo *algo, struct cs_call call, uint32_t channels,
                struct cs_random *random)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_program program;
    struct cs_op_table table;

    call.element_bytes = 4;
    if (cs_algo_check(algo, &call, NULL))
        return false;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (!fits_table(algo, &program))
        return false;
    table_of(algo, &program, &arena, &table);
    run_table(&table, call.elements, channels, random);
    return true;
}

/* Odd sizes, and sizes with empty blocks or channels. */
static uint32_t try_all(const struct cs_algo *algo, uint32_t ranks, struct cs_random *random)
{
    static const uint32_t channels[] = {1, 2, 3, 5};
    uint32_t done = 0;

    for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
        uint64_t odd = 100 + cs_random_below(random, 400);

        done += try(algo, (struct cs_call){.ranks = ranks, .elements = odd}, channels[i], random);
        done += try(algo, (struct cs_call){.ranks = ranks, .elements = 256}, channels[i], random);
        done += try(algo, (struct cs_call){.ranks = ranks, .elements = 256, .chunks = 3},
                    channels[i], random);
        done += try(algo, (struct cs_call){.ranks = ranks, .elements = 5}, channels[i], random);
    }
    return done;
}

TEST(every_all_reduce_gives_the_exact_sum)
{
    static const uint32_t ranks[] = {2, 3, 4, 5, 8};
    struct cs_random *random = cs_random_open(fixture_seed(), "plan");
    uint32_t done = 0;

    for (size_t i = 0; i < cs_algo_count; i++)
        for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks); k++)
            if (cs_same(cs_algos[i]->collective->name, "all-reduce"))
                done += try_all(cs_algos[i], ranks[k], random);
    assert_true(done > 700);
    cs_random_close(random);
}

/* Messages of a connection and round stay in order, with an empty message between
 * too: of 2 elements the second of three blocks is empty. */
ARENA_TEST(ops_of_a_round_share_a_connection)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "plan");
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_op_table_text in = {.file = "t"};
    struct cs_op_table table;

    cs_text_add(&text, "collsim-table 1\nalgorithm a\ncollective allreduce\n"
                       "ranks 2\nagents 0\nlanes 1\nblocks 3\nparts 1\n");
    for (int rank = 0; rank < 2; rank++) {
        for (int block = 0; block < 3; block++)
            cs_text_printf(&text, "op %d 0 0 send %d 0 in %d 1\n", rank, 1 - rank, block);
        for (int block = 0; block < 3; block++)
            cs_text_printf(&text, "op %d 0 0 add %d 0 out %d 1\n", rank, 1 - rank, block);
    }
    cs_text_add(&text, "end\n");
    in.text = text.data;
    in.length = text.length;
    assert_int_equal(cs_op_table_read(in, arena, &table, NULL), 0);
    for (uint64_t elements = 1; elements < 100; elements++)
        run_table(&table, elements, 1 + elements % 4, random);
    cs_random_close(random);
}
