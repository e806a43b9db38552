/* Slots: all bytes once, no deadlock and no race in any order of events. */
#include "tests/unit/validate/cuda/slot_machine.h"

/* ---- what belongs to whom ---- */

static void channels_share_a_block_at_vectors(void **state)
{
    const uint64_t starts[] = {0, 4, 100, 100, 4100};

    (void)state;
    for (uint32_t channels = 1; channels < 40; channels++) {
        struct cs_slot_cut cut = {starts, 4, channels, 64};

        for (uint32_t block = 0; block < 4; block++) {
            assert_int_equal(cs_slot_border(&cut, block, 0), starts[block]);
            assert_int_equal(cs_slot_border(&cut, block, channels),
                             starts[block + 1]);
            for (uint32_t c = 1; c <= channels; c++) {
                uint64_t at = cs_slot_border(&cut, block, c);

                assert_true(at >= cs_slot_border(&cut, block, c - 1));
                assert_true(at == starts[block + 1] ||
                            at % CS_VECTOR_BYTES == 0);
            }
        }
    }
}

static void a_message_is_all_bytes_of_its_blocks_once(void **state)
{
    const uint64_t starts[] = {0, 40, 40, 200, 1000};
    struct cs_slot_cut cut = {starts, 4, 3, 32};
    uint8_t seen[1000] = {0};

    (void)state;
    for (uint32_t c = 0; c < cut.channels; c++) {
        struct cs_slot_cursor cursor = cs_slot_begin(&cut, c, 3, 3);
        uint32_t bytes;

        while ((bytes = cs_slot_slice(&cut, &cursor)) > 0) {
            assert_true(bytes <= cut.slice_bytes);
            for (uint32_t i = 0; i < bytes; i++)
                seen[cursor.at + i]++;
            cs_slot_next(&cut, c, &cursor);
        }
    }
    for (uint32_t i = 0; i < sizeof(seen); i++)
        assert_int_equal(seen[i], i < 40 || i >= 200);
}

static void counts_survive_their_wrapping(void **state)
{
    (void)state;
    assert_true(cs_slot_may_write(2, UINT32_MAX, 4));
    assert_false(cs_slot_may_write(3, UINT32_MAX, 4));
    assert_true(cs_slot_may_read(0, UINT32_MAX));
    assert_int_equal(cs_slot_of(UINT32_MAX, 4), 3);
    assert_int_equal(cs_slot_of(0, 4), 0);
}

static void sums_are_exact_in_fp16(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++) {
        uint32_t ranks = 1 + (uint32_t)i % CS_PATTERN_RANKS_MAX;
        uint32_t sum = 0;

        for (uint32_t rank = 0; rank < ranks; rank++) {
            assert_in_range(cs_pattern_of(rank, i), 1, 8);
            sum += cs_pattern_of(rank, i);
        }
        assert_int_equal(cs_pattern_sum(ranks, i), sum);
        assert_in_range(sum, ranks, 2048);
    }
}

/* ---- every order of events ---- */

enum {
    STATES_MAX = 1 << 20,
    OPS_MAX = 4, /* of a round, in what is explored */
};

/* States that were seen, by their hash of 64 bits. */
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

/* The words of all counts that are used. */
static uint32_t *count_at(const struct slot_machine *m, uint32_t i)
{
    return m->counts + (size_t)(i / 2) * CS_WARP_COUNT_WORDS +
           (size_t)(i % 2) * CS_WARP_OWN_WORD;
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

static size_t copy(void *data, size_t bytes, char *packed, enum direction way)
{
    if (packed && way == BACK)
        memcpy(data, packed, bytes);
    else if (packed)
        memcpy(packed, data, bytes);
    return bytes;
}

/* What changes of a machine, as bytes; how many of them. */
static size_t pack(const struct slot_machine *m, char *to, enum direction way)
{
    size_t ops = sizeof(struct cs_warp_work) * OPS_MAX;
    size_t length = 0;

#define COPY(data, bytes) \
    length += copy(data, bytes, to ? to + length : NULL, way)
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

/* Looks at all states that can be reached; a stack of those to go on from. */
static struct outcome explore(struct slot_machine *m)
{
    struct seen seen = {calloc((size_t)2 * STATES_MAX, sizeof(uint64_t)), 0};
    size_t bytes = pack(m, NULL, OUT);
    size_t capacity = 1024;
    size_t depth = 1;
    char *stack = cs_grow(NULL, capacity, bytes);
    struct outcome outcome = {0};
    char *here = cs_grow(NULL, bytes, 1);

    pack(m, stack, OUT);
    note(&seen, hash_of(m));
    while (depth > 0) {
        bool moved = false;

        memcpy(here, stack + --depth * bytes, bytes);
        pack(m, here, BACK);
        outcome.ends += sm_done(m);
        for (uint32_t b = 0; b < m->block_count; b++) {
            for (uint32_t wanted = 1; wanted < 1 << OPS_MAX; wanted++) {
                pack(m, here, BACK);
                if (!sm_act(m, &m->blocks[b], wanted))
                    continue;
                moved = true;
                outcome.raced |= m->raced;
                if (!note(&seen, hash_of(m)))
                    continue;
                if (depth == capacity)
                    stack = cs_grow(stack, (capacity *= 2) * bytes, 1);
                pack(m, stack + depth++ * bytes, OUT);
            }
        }
        pack(m, here, BACK);
        outcome.stuck += !moved && !sm_done(m);
    }
    outcome.states = seen.count;
    free(seen.hashes);
    free(stack);
    free(here);
    return outcome;
}

struct trial {
    const char *algo;
    uint32_t ranks;
    uint64_t elements;
    uint32_t depth;
    uint32_t slots; /* that there really are; 0: as many */
};

static struct outcome explore_trial(struct trial trial)
{
    struct cs_call call = {
        .ranks = trial.ranks, .elements = trial.elements, .element_bytes = 4};
    struct cs_program program = fixture_program(trial.algo, "allreduce", &call);
    const struct cs_algo *algo =
        cs_algo_find(trial.algo, cs_collective_find("allreduce"));
    struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_plan plan;
    struct slot_machine machine;
    struct cs_slot_cut cut = {.channels = 1, .slice_bytes = 16};
    struct outcome outcome;

    table_of(algo, &program, &arena, &table);
    assert_int_equal(cs_plan_make(&table, &arena, &plan, NULL), 0);
    for (uint32_t k = 0; k < plan.round_count; k++)
        assert_in_range(plan.ops_of[k + 1] - plan.ops_of[k], 0, OPS_MAX);
    cut.starts = cs_plan_starts(&plan, trial.elements, 4, &arena);
    cut.blocks = plan.blocks;
    sm_open(&machine, &plan, cut, trial.depth, &arena);
    if (trial.slots)
        machine.slots = trial.slots;
    outcome = explore(&machine);
    cs_arena_free(&arena);
    return outcome;
}

/* 8 elements are 2 slices. */
static void no_order_of_events_ends_in_a_deadlock_or_a_race(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
        struct outcome outcome = explore_trial(trials[i]);

        if (outcome.stuck || outcome.raced || outcome.ends != 1)
            fail_msg("%s, %u ranks: %u states, %u stuck, %u ends%s",
                     trials[i].algo, trials[i].ranks, outcome.states,
                     outcome.stuck, outcome.ends,
                     outcome.raced ? ", a race" : "");
        assert_true(outcome.states > 20);
    }
}

static void a_slot_too_few_is_found_as_a_race(void **state)
{
    struct trial trial = {"ring", 2, 32, 2, 1};

    (void)state;
    assert_true(explore_trial(trial).raced);
}

/* Both send all they have before they receive anything. */
static void sends_first_are_found_as_a_deadlock(void **state)
{
    static const char text[] =
        "collsim-table 1\nalgorithm bad\ncollective allreduce\nranks 2\n"
        "agents 0\nlanes 1\nblocks 1\nparts 1\n"
        "op 0 0 0 send 1 0 in 0 1\nop 0 0 1 add 1 0 out 0 1\n"
        "op 1 0 0 send 0 0 in 0 1\nop 1 0 1 add 0 0 out 0 1\nend\n";
    struct cs_op_table_text in = {"bad", text, sizeof(text) - 1};
    struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_plan plan;
    struct slot_machine machine;
    struct cs_slot_cut cut = {.blocks = 1, .channels = 1, .slice_bytes = 16};

    (void)state;
    assert_int_equal(cs_op_table_read(in, &arena, &table, NULL), 0);
    assert_int_equal(cs_plan_make(&table, &arena, &plan, NULL), 0);
    cut.starts = cs_plan_starts(&plan, 8, 4, &arena);
    sm_open(&machine, &plan, cut, 1, &arena);
    assert_true(explore(&machine).stuck > 0);
    sm_open(&machine, &plan, cut, 2, &arena);
    assert_int_equal(explore(&machine).stuck, 0);
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_share_a_block_at_vectors),
        cmocka_unit_test(a_message_is_all_bytes_of_its_blocks_once),
        cmocka_unit_test(counts_survive_their_wrapping),
        cmocka_unit_test(sums_are_exact_in_fp16),
        cmocka_unit_test(no_order_of_events_ends_in_a_deadlock_or_a_race),
        cmocka_unit_test(a_slot_too_few_is_found_as_a_race),
        cmocka_unit_test(sends_first_are_found_as_a_deadlock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
