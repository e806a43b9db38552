/* Plans: what is exported runs on slots and gives the exact sum. */
#include "tests/unit/validate/cuda/slot_machine.h"

#include <math.h>

static bool fits_table(const struct cs_algo *algo,
                       const struct cs_program *program)
{
    struct cs_export what = {.algo = algo, .program = program};
    const struct cs_exporter *exporter;
    struct cs_text text = {0};
    struct cs_err err = {0};
    int code;

    assert_int_equal(cs_exporter_choose("table", &exporter, &err), 0);
    code = exporter->write(&what, &text, &err);
    cs_text_free(&text);
    return code == 0;
}

/* Room for one vector of each party. */
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
    size_t slots =
        (size_t)cs_slot_pitch(cut) * cut->channels * m->program.depth;

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

/* Blocks act in a random order until nobody can. */
static void run(struct slot_machine *m, struct cs_random *random)
{
    uint64_t idle = 0;

    while (!sm_done(m) && idle < 100000) {
        struct block *b = &m->blocks[cs_random_below(random, m->block_count)];
        uint32_t wanted = cs_random_below(random, 2)
                              ? UINT32_MAX
                              : (uint32_t)cs_random_below(random, UINT32_MAX);

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
            if (((uint32_t *)m->outputs[r])[i] !=
                cs_pattern_sum(m->plan->ranks, i))
                fail_msg("%s, %u ranks: rank %u is wrong at %llu", name,
                         m->plan->ranks, r, (unsigned long long)i);
}

/* Runs a table on slots, and checks the sums. */
static void run_table(const struct cs_op_table *table, uint64_t elements,
                      uint32_t channels, struct cs_random *random)
{
    struct cs_slot_cut cut = {
        .channels = channels,
        .slice_bytes = 16 << cs_random_below(random, 4),
    };
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_plan plan;
    struct slot_machine m;

    if (cs_plan_make(table, &arena, &plan, &err))
        fail_msg("%s: %s", table->algorithm, err.text);
    cut.starts = cs_plan_starts(&plan, elements, 4, &arena);
    cut.blocks = plan.blocks;
    sm_open(&m, &plan, cut, 1u << cs_random_below(random, 3), &arena);
    fill(&m, &arena);
    run(&m, random);
    check(&m, table->algorithm);
    cs_arena_free(&arena);
}

/* One program; false where a table does not hold it. */
static bool try(const struct cs_algo *algo, struct cs_call call,
                uint32_t channels, struct cs_random *random)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_arena arena = {0};
    struct cs_program program;
    struct cs_op_table table;

    call.element_bytes = 4;
    if (cs_algo_check(algo, &call, NULL))
        return false;
    cs_algo_settle(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (!fits_table(algo, &program))
        return false;
    table_of(algo, &program, &arena, &table);
    run_table(&table, call.elements, channels, random);
    cs_arena_free(&arena);
    return true;
}

/* Odd sizes, and those that leave blocks or channels without a byte. */
static uint32_t try_all(const struct cs_algo *algo, uint32_t ranks,
                        struct cs_random *random)
{
    static const uint32_t channels[] = {1, 2, 3, 5};
    uint32_t done = 0;

    for (size_t i = 0; i < sizeof(channels) / sizeof(*channels); i++) {
        uint64_t odd = 100 + cs_random_below(random, 400);

        done += try(algo, (struct cs_call){.ranks = ranks, .elements = odd},
                    channels[i], random);
        done += try(algo, (struct cs_call){.ranks = ranks, .elements = 256},
                    channels[i], random);
        done +=
            try(algo,
                (struct cs_call){.ranks = ranks, .elements = 256, .chunks = 3},
                channels[i], random);
        done += try(algo, (struct cs_call){.ranks = ranks, .elements = 5},
                    channels[i], random);
    }
    return done;
}

static void every_all_reduce_gives_the_exact_sum(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "plan");
    uint32_t done = 0;

    (void)state;
    for (size_t i = 0; i < cs_algo_count; i++)
        for (uint32_t ranks = 2; ranks <= 8; ranks++)
            if (cs_same(cs_algos[i]->collective->name, "allreduce"))
                done += try_all(cs_algos[i], ranks, random);
    assert_true(done > 1000);
    cs_random_close(random);
}

/* Messages of one connection and round come one after the other, also past one
 * without a byte: 2 elements leave the second of three blocks empty. */
static void ops_of_a_round_share_a_connection(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "plan");
    struct cs_text text = {0};
    struct cs_op_table_text in = {.file = "t"};
    struct cs_arena arena = {0};
    struct cs_op_table table;

    (void)state;
    cs_text_add(&text, "collsim-table 1\nalgorithm a\ncollective allreduce\n"
                       "ranks 2\nagents 0\nlanes 1\nblocks 3\nparts 1\n");
    for (int rank = 0; rank < 2; rank++) {
        for (int block = 0; block < 3; block++)
            cs_text_printf(&text, "op %d 0 0 send %d 0 in %d 1\n", rank,
                           1 - rank, block);
        for (int block = 0; block < 3; block++)
            cs_text_printf(&text, "op %d 0 0 add %d 0 out %d 1\n", rank,
                           1 - rank, block);
    }
    cs_text_add(&text, "end\n");
    in.text = text.data;
    in.length = text.length;
    assert_int_equal(cs_op_table_read(in, &arena, &table, NULL), 0);
    for (uint64_t elements = 1; elements < 100; elements++)
        run_table(&table, elements, 1 + elements % 4, random);
    cs_text_free(&text);
    cs_arena_free(&arena);
    cs_random_close(random);
}

/* ---- mistakes ---- */

#define HEAD                                                        \
    "collsim-table 1\nalgorithm a\ncollective allreduce\nranks 2\n" \
    "agents 0\nlanes 2\nblocks 4\nparts 1\n"

static void expect(const char *ops, const char *message)
{
    struct cs_text text = {0};
    struct cs_op_table_text in = {.file = "t"};
    struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_plan plan;
    struct cs_err err = {0};

    cs_text_printf(&text, "%s%send\n", HEAD, ops);
    in.text = text.data;
    in.length = text.length;
    if (cs_op_table_read(in, &arena, &table, &err) == 0)
        assert_int_equal(cs_plan_make(&table, &arena, &plan, &err),
                         message[0] ? CS_EINPUT : 0);
    assert_string_equal(err.text, message);
    cs_text_free(&text);
    cs_arena_free(&arena);
}

static void what_does_not_match_is_told_with_its_line(void **state)
{
    (void)state;
    expect("op 0 0 0 send 1 0 out 0 1\nop 1 0 0 recv 0 0 out 0 1\n", "");
    expect("op 0 0 0 send 1 0 out 0 1\n",
           "t:9: party 0 sends 1 messages to party 1 on channel 0, which "
           "receives 0");
    expect("op 1 0 0 recv 0 0 out 0 1\n",
           "t:9: party 0 sends 0 messages to party 1 on channel 0, which "
           "receives 1");
    expect("op 0 0 0 send 1 0 out 0 1\nop 1 0 0 recv 0 0 out 1 1\n",
           "t:10: blocks 1 +1 are received, but 0 +1 are sent in line 9");
    expect("op 0 0 0 send 1 0 out 0 1\nop 0 1 0 send 1 0 out 1 1\n"
           "op 1 0 0 recv 0 0 out 0 1\nop 1 0 1 recv 0 0 out 1 1\n",
           "t:10: two lanes of party 0 share channel 0; they need one each");
    expect("op 0 0 0 wait 1 0\n", "t:9: lane 1 has no round 0 to wait for");
}

static void rounds_without_end_are_refused(void **state)
{
    struct cs_text ops = {0};

    (void)state;
    for (int lane = 0; lane < 4; lane++)
        cs_text_printf(&ops, "op %d %d 1048575 wait %d 0\n", lane / 2, lane % 2,
                       1 - lane % 2);
    expect(cs_text_str(&ops), "");
    cs_text_free(&ops);
}

static void a_round_has_room_for_a_warp(void **state)
{
    struct cs_text ops = {0};

    (void)state;
    for (int i = 0; i < 33; i++)
        cs_text_add(&ops, "op 0 0 0 wait 1 0\n");
    cs_text_add(&ops, "op 0 1 0 wait 0 0\n");
    expect(cs_text_str(&ops), "t:41: more than 32 ops in one round");
    cs_text_free(&ops);
}

static void channels_are_as_many_as_have_work(void **state)
{
    struct cs_plan plan = {.blocks = 8};

    (void)state;
    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 16, 16384), 16);
    assert_int_equal(cs_plan_channels(&plan, 512 << 10, 16, 16384), 4);
    assert_int_equal(cs_plan_channels(&plan, 64, 16, 16384), 1);
    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 0, 16384), 1);
}

/* 264 blocks of two slots: 32 KiB each are 16.5 MiB, 64 KiB would be 33. */
static void slots_take_half_of_l2_at_most(void **state)
{
    (void)state;
    assert_int_equal(cs_plan_slice(50 << 20, 264, 2), 32 << 10);
    assert_int_equal(cs_plan_slice(66 << 20, 264, 2), 64 << 10);
    assert_int_equal(cs_plan_slice(50 << 20, 1, 2), 256 << 10);
    assert_int_equal(cs_plan_slice(4 << 20, 264, 2), 16 << 10);
    assert_int_equal(cs_plan_slice(0, UINT32_MAX, 64), 16 << 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_all_reduce_gives_the_exact_sum),
        cmocka_unit_test(ops_of_a_round_share_a_connection),
        cmocka_unit_test(what_does_not_match_is_told_with_its_line),
        cmocka_unit_test(rounds_without_end_are_refused),
        cmocka_unit_test(a_round_has_room_for_a_warp),
        cmocka_unit_test(channels_are_as_many_as_have_work),
        cmocka_unit_test(slots_take_half_of_l2_at_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
