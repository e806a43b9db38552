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

static void fill(struct slot_machine *m, struct cs_arena *arena)
{
    uint64_t words = m->vector_bytes / 4;
    uint32_t ends = m->plan->link_count * m->cut.channels;
    uint64_t all = m->plan->parties * m->vector_bytes;

    m->data =
        cs_arena_alloc(arena, (size_t)ends * m->slots, cs_slot_pitch(&m->cut));
    memset(m->data, CS_PATTERN_POISON,
           (size_t)ends * m->slots * cs_slot_pitch(&m->cut));
    m->input = cs_arena_alloc(arena, all, 1);
    m->output = cs_arena_alloc(arena, all, 1);
    for (uint32_t r = 0; r < m->plan->ranks; r++)
        for (uint64_t i = 0; i < words; i++)
            ((uint32_t *)m->input)[r * words + i] = cs_pattern_of(r, i);
    memcpy(m->output, m->input, m->plan->ranks * m->vector_bytes);
}

/* Blocks act in a random order until nobody can. */
static void run(struct slot_machine *m, struct cs_random *random)
{
    uint64_t idle = 0;

    while (!sm_done(m) && idle < 100000) {
        struct block *b = &m->blocks[cs_random_below(random, m->block_count)];
        uint32_t i =
            (uint32_t)cs_random_below(random, CS_PLAN_ROUND_OPS_MAX / 8);
        bool acted = false;

        for (uint32_t k = 0; k < CS_PLAN_ROUND_OPS_MAX && !acted; k++) {
            uint32_t op = (i + k) % CS_PLAN_ROUND_OPS_MAX;

            acted = (b->pending >> op & 1) && sm_act(m, b, op);
        }
        idle = acted ? 0 : idle + 1;
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
            if (((uint32_t *)m->output)[r * words + i] !=
                cs_pattern_sum(m->plan->ranks, i))
                fail_msg("%s, %u ranks: rank %u is wrong at %llu", name,
                         m->plan->ranks, r, (unsigned long long)i);
}

/* One program with odd sizes; false where a table does not hold it. */
static bool try(const struct cs_algo *algo, uint32_t ranks,
                struct cs_random *random)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_call call = {.ranks = ranks,
                           .elements = 100 + cs_random_below(random, 400),
                           .element_bytes = 4};
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_program program;
    struct cs_op_table table;
    struct cs_plan plan;
    struct slot_machine m;
    struct cs_slot_cut cut = {
        .channels = 1 + (uint32_t)cs_random_below(random, 4),
        .slice_bytes = 16 << cs_random_below(random, 4),
    };

    if (cs_algo_check(algo, &call, &err))
        return false;
    cs_algo_settle(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (!fits_table(algo, &program))
        return false;
    table_of(algo, &program, &arena, &table);
    if (cs_plan_make(&table, &arena, &plan, &err))
        fail_msg("%s: %s", algo->name, err.text);
    cut.starts = cs_plan_starts(&plan, call.elements, 4, &arena);
    cut.blocks = plan.blocks;
    sm_open(&m, &plan, cut, 1u << cs_random_below(random, 3), &arena);
    fill(&m, &arena);
    run(&m, random);
    check(&m, algo->name);
    cs_arena_free(&arena);
    return true;
}

static void every_all_reduce_gives_the_exact_sum(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "plan");
    uint32_t done = 0;

    (void)state;
    for (size_t i = 0; i < cs_algo_count; i++)
        for (uint32_t ranks = 2; ranks <= 8; ranks++)
            if (cs_same(cs_algos[i]->collective->name, "allreduce"))
                done += try(cs_algos[i], ranks, random);
    assert_true(done > 60);
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
    struct cs_plan plan = {.blocks = 8, .lane_count = 8};

    (void)state;
    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 132, 16384), 16);
    assert_int_equal(cs_plan_channels(&plan, 512 << 10, 132, 16384), 4);
    assert_int_equal(cs_plan_channels(&plan, 64, 132, 16384), 1);
    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 4, 16384), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_all_reduce_gives_the_exact_sum),
        cmocka_unit_test(what_does_not_match_is_told_with_its_line),
        cmocka_unit_test(rounds_without_end_are_refused),
        cmocka_unit_test(a_round_has_room_for_a_warp),
        cmocka_unit_test(channels_are_as_many_as_have_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
