/* Published measurements as points of a plan's charts. */
#include "scenarios/plan/cases/measured.h"

#include "tests/fixture.h"
#include "tests/planned.h"

PLANNED_TEST(a_mix_has_points_of_the_node_s_tables)
{
    struct cs_plan_measured sets[CS_MEASURED_SETS];

    plan_of(planned, "--gpus 8,64 --mix all-reduce:1GiB");
    assert_int_equal(cs_plan_measured_times(&planned->plan, "dgx-h100", sets), 1);
    /* 4, 8, 16 and 32 GPUs are published. */
    assert_int_equal(sets->count, 4);
    for (uint32_t i = 0; i < sets->count; ++i) {
        assert_true(i == 0 || sets->x[i - 1] < sets->x[i]);
        assert_true(sets->y[i] > 2e-3 && sets->y[i] < 10e-3);
    }
    assert_int_equal(cs_plan_measured_efficiency(&planned->plan, "dgx-h100", sets), 1);
    assert_true(fabs(sets->y[0] - 1) < 0.5);
}

/* Twice the calls take twice the time, between sizes of a table, too. */
PLANNED_TEST(calls_add_up)
{
    struct cs_plan_measured one[CS_MEASURED_SETS], two[CS_MEASURED_SETS];

    plan_of(planned, "--gpus 8,32 --mix all-reduce:700MiB");
    assert_int_equal(cs_plan_measured_times(&planned->plan, "dgx-h100", one), 1);
    plan_of(planned, "--gpus 8,32 --mix all-reduce:700MiB*2");
    assert_int_equal(cs_plan_measured_times(&planned->plan, "dgx-h100", two), 1);
    assert_int_equal(one->count, two->count);
    for (uint32_t i = 0; i < one->count; ++i)
        assert_true(fabs(two->y[i] / one->y[i] - 2) < 1e-9);
}

PLANNED_TEST(a_size_curve_has_tables_of_the_same_gpus)
{
    struct cs_plan_measured sets[CS_MEASURED_SETS];
    uint32_t count;

    plan_of(planned, "--gpus 16 --mix all-reduce:1GiB");
    count = cs_plan_measured_sizes(&planned->plan, "dgx-h100", 16, &cs_collective_allreduce, sets);
    assert_true(count > 0);
    for (uint32_t s = 0; s < count; ++s)
        for (uint32_t i = 1; i < sets[s].count; ++i)
            assert_true(sets[s].x[i] > sets[s].x[i - 1]);
    assert_int_equal(
        cs_plan_measured_sizes(&planned->plan, "dgx-h100", 24, &cs_collective_allreduce, sets), 0);
}

/* Runs on the same model have their best rate on the curve, and none is above. */
PLANNED_TEST(a_model_has_points_of_published_runs)
{
    struct cs_plan_measured sets[CS_MEASURED_SETS];
    uint32_t count, bf16 = 0, fp8 = 0;

    assert_int_equal(
        plan_line(
            planned,
            "--gpus 128,1024 --model llama2-70b --tp 8 --pp 8 --micro-batch 1 --global-batch 512"),
        0);
    count = cs_plan_measured_efficiency(&planned->plan, "dgx-h100", sets);
    assert_true(count > 0);
    for (uint32_t s = 0; s < count; ++s) {
        bf16 += strstr(sets[s].name, ", bf16") != NULL;
        fp8 += strstr(sets[s].name, ", fp8") != NULL;
        assert_true(sets[s].count > 1);
        for (uint32_t i = 0; i < sets[s].count; ++i)
            assert_true(sets[s].y[i] <= 1 + 1e-9);
    }
    assert_true(bf16 > 0 && fp8 > 0 && bf16 + fp8 == count);
}

PLANNED_TEST(no_table_is_no_point)
{
    struct cs_plan_measured sets[CS_MEASURED_SETS];

    plan_of(planned, "--gpus 8,16 --mix all-reduce:1GiB,broadcast:1GiB");
    assert_int_equal(cs_plan_measured_times(&planned->plan, "dgx-h100", sets), 0);
    plan_of(planned, "--gpus 8,16 --mix all-reduce:1TiB");
    assert_int_equal(cs_plan_measured_times(&planned->plan, "dgx-h100", sets), 0);
}
