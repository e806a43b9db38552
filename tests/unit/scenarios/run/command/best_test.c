/* The best schedule of a call. */
#include "scenarios/run/command/best.h"

#include "scenarios/run/machine/machine.h"
#include "scenarios/run/simulate.h"
#include "tests/unit/scenarios/run/opened.h"

static uint64_t time_ps_of(struct opened *opened)
{
    struct cs_case which = cs_case_of(&opened->scenario, 0);
    struct cs_record record;

    assert_int_equal(cs_simulate(&which, &opened->arena, &record, &opened->err), 0);
    return record.time_ps;
}

static uint64_t chosen_ps(char *algo, struct opened *opened)
{
    if (opened_finish(opened, WORDS("--topo", "dgx-1", "--collective", "all-gather", "--size",
                                    "1MiB", "--algo", algo)) ||
        cs_best_choose(&opened->scenario, NULL, &opened->err))
        fail_msg("%s", opened->err.text);
    assert_int_equal(opened->scenario.algo_count, 1);
    return time_ps_of(opened);
}

TEST(other_chunks_make_the_best_schedule_faster)
{
    CS_AT_END(opened_free) struct opened any, synth;

    assert_true(chosen_ps("synth", &synth) < chosen_ps("any", &any));
    assert_int_equal(any.scenario.call.chunks, 0);
    assert_true(synth.scenario.call.chunks > 0);
}

OPENED_TEST(what_is_named_stays)
{
    assert_int_equal(opened_finish(opened, WORDS("--topo", "dgx", "--algo", "ring,tree")), 0);
    assert_int_equal(cs_best_choose(&opened->scenario, NULL, &opened->err), 0);
    assert_int_equal(opened->scenario.algo_count, 2);
}

/* The last limit is the one that the fastest keeps. */
TEST(no_algorithm_is_chosen_beyond_a_limit)
{
    struct opened opened;
    struct cs_scenario named;
    uint64_t least_ps = chosen_ps("any", &opened);
    const uint64_t limits_ps[] = {1, least_ps, least_ps + 1};

    opened_free(&opened);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            opened_finish(&opened, WORDS("--topo", "dgx-1", "--collective", "all-gather", "--size",
                                         "1MiB", "--algo", "any")),
            0);
        opened.scenario.machines = cs_machines_of_run(&opened.scenario, &opened.arena);
        assert_int_equal(
            cs_run_group_choose(&opened.scenario, limits_ps[i], NULL, &named, &opened.err), 0);
        assert_int_equal(named.algo_count, i == 2);
        opened_free(&opened);
    }
}
