/* The advised case is the one that a search by hand finds. */

#include "scenarios/plan/cases/ranges.h"
#include "scenarios/plan/report/report.h"
#include "tests/fixture.h"
#include "tests/planned.h"

#define JOB "--model llama2-7b --gpus 64,128,256,512 --tokens 1e11 "

static double days_of(const struct cs_plan_case *one)
{
    return 1e11 / one->time.tokens_per_s * (one->effective_s / one->time.time_s) / 86400;
}

/* Without limits: the fastest within a tenth of the least price. */
PLANNED_TEST(a_near_price_buys_speed)
{
    const struct cs_plan_case *cases;
    double least = INFINITY;
    uint32_t best = 0;

    plan_of(planned, JOB);
    cases = planned->plan.cases;
    for (uint32_t c = 0; c < planned->plan.count; c++)
        least = fmin(least, cases[c].advice.training_usd);
    for (uint32_t c = 0; c < planned->plan.count; c++)
        if (cases[c].advice.training_usd <= 1.1 * least &&
            (cases[best].advice.training_usd > 1.1 * least ||
             days_of(&cases[c]) < days_of(&cases[best])))
            best = c;
    assert_int_equal(planned->plan.advised, best);
    assert_false(planned->plan.is_near);
}

/* With a deadline: the cheapest in time; with a budget: the fastest for it. */
PLANNED_TEST(limits_choose_among_the_cases_within)
{
    const struct cs_plan_case *cases;
    uint32_t best = UINT32_MAX;

    plan_of(planned, JOB "--deadline 30h");
    cases = planned->plan.cases;
    for (uint32_t c = 0; c < planned->plan.count; c++) {
        bool in_time = days_of(&cases[c]) * 24 <= 30;

        assert_int_equal(in_time, !cases[c].advice.over);
        if (in_time &&
            (best == UINT32_MAX || cases[c].advice.training_usd < cases[best].advice.training_usd))
            best = c;
    }
    assert_true(best != UINT32_MAX && best > 0);
    assert_int_equal(planned->plan.advised, best);

    plan_of(planned, JOB "--budget 12M$");
    cases = planned->plan.cases;
    best = planned->plan.advised;
    for (uint32_t c = 0; c < planned->plan.count; c++) {
        assert_int_equal(cases[c].cost.capital_usd <= 12e6, !cases[c].advice.over);
        if (!cases[c].advice.over)
            assert_true(days_of(&cases[best]) <= days_of(&cases[c]));
    }
    assert_false(planned->plan.is_near);
}

PLANNED_TEST(the_nearest_case_is_named_where_none_is_within)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    plan_of(planned, JOB "--power-limit 10kW");
    assert_true(planned->plan.is_near);
    assert_int_equal(planned->plan.cases[planned->plan.advised].gpus, 64);
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(strstr(text.data, "no case is within the limits; the nearest has 64 GPUs"));
    assert_non_null(strstr(text.data, "Out: 4 cases (takes more than --power-limit)"));
}

/* A node alone costs less than the budget. */
PLANNED_TEST(spares_beyond_a_limit_are_named)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    plan_of(planned, "--model llama2-7b --budget 400k");
    assert_true(planned->plan.is_near);
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(strstr(text.data, "more than --budget; with --spares 0 it is within."));
    plan_of(planned, "--model llama2-7b --budget 400k --spares 0");
    assert_false(planned->plan.is_near);
}

/* Each limit that the nearest case exceeds, and what renting would cost. */
PLANNED_TEST(all_limits_are_named)
{
    struct cs_text text = {0};

    plan_of(planned, "--model llama2-7b --gpus 64 --budget 1M$ --tokens 1T --deadline 1d");
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(
        strstr(text.data, "which takes longer than --deadline and costs more than --budget."));
    cs_text_free(&text);
    plan_of(planned, "--model llama2-7b --gpus 64,256 --budget 3M$ --tokens 100B");
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(strstr(
        text.data, "Out: 1 case (costs more than --budget; rented, the training costs less)"));
    assert_non_null(strstr(text.data, "100 billion tokens: "));
    assert_non_null(strstr(text.data, " hours ("));
    cs_text_free(&text);
}

/* 64 GPUs at 2 dollars an hour; what is bought is paid back by the rent saved. */
PLANNED_TEST(rent_is_hours_times_gpus)
{
    const struct cs_plan_case *one;

    plan_of(planned, "--model llama2-7b --gpus 64 --price rent=2");
    one = &planned->plan.cases[0];
    assert_within(one->advice.rent_usd, 128 * one->effective_s / 3600, 1e-12);
    assert_within(one->advice.break_even_s / 3600 * (128 - one->cost.energy_usd_per_h),
                  one->cost.capital_usd, 1e-3);
    /* Whole nodes; of racks, trays of four. */
    plan_of(planned, "--model llama2-7b --gpus 6 --node h100,gb200-nvl72 --price rent=2");
    for (uint32_t c = 0; c < 2; c++) {
        assert_int_equal(cs_plan_rented(&planned->plan.cases[c]), 8);
        assert_within(planned->plan.cases[c].advice.rent_usd,
                      16 * planned->plan.cases[c].effective_s / 3600, 1e-12);
    }
}

/* One whose rent alone is known costs its rent; other names are those of the library. */
PLANNED_TEST(machines_without_a_price_are_rented)
{
    const struct cs_plan_case *one;
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    plan_of(planned, "--model llama2-7b --gpus 64 --node h100,mi300x --price mi300x=1k,h100=2k");
    assert_within(planned->plan.cases[0].prices.usd[CS_PRICE_NODE], 2e3, 0);
    assert_string_equal(planned->plan.cases[0].node, "dgx-h100");
    plan_of(planned, "--model llama2-7b --gpus 64 --node p5");
    one = &planned->plan.cases[0];
    assert_true(one->is_rented);
    assert_within(one->cost.usd_per_h, 64 * one->prices.usd[CS_PRICE_RENT], 1e-9);
    assert_within(one->worth.usd_per_step, one->advice.rent_usd, 1e-9);
    cs_plan_find_ranges(&planned->plan);
    assert_true(planned->plan.cases[0].ranges.usd_per_h.low < one->cost.usd_per_h);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(strstr(text.data, "rented at $6.88 a GPU-hour"));
    assert_non_null(strstr(text.data, "64 GPUs of p5, rail, rented, the fastest"));
}

/* Two idle trays of a rack replace those under repair. */
PLANNED_TEST(idle_trays_of_racks_are_spares)
{
    plan_of(planned, "--model llama2-7b --gpus 64,72 --node gb300-nvl72");
    assert_int_equal(planned->plan.cases[0].spares, 0);
    assert_int_equal(planned->plan.cases[0].failures.spares, 2);
    assert_int_equal(planned->plan.cases[1].spares, 1);
    assert_int_equal(planned->plan.cases[1].failures.spares, 18);
}

/* A machine without a price is left out of the cheapest by name; a price by name is
 * that machine's alone. */
PLANNED_TEST(machines_without_a_price_are_named)
{
    struct cs_text text = {0};

    plan_of(planned, "--model llama2-7b --gpus 64 --node dgx-h100,mi210");
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    assert_non_null(
        strstr(text.data, "left out: mi210, rail (--price mi210=USD, --power mi210=W)."));
    cs_text_free(&text);

    plan_of(planned, "--model llama2-7b --gpus 64 --node dgx-h100,hgx-h200 --price hgx-h200=350k");
    for (uint32_t c = 0; c < 2; c++)
        assert_within(planned->plan.cases[c].prices.usd[CS_PRICE_NODE],
                      !strcmp(planned->plan.cases[c].node, "hgx-h200") ? 350e3 : 310e3, 0);
    assert_int_equal(plan_line(planned, "--model llama2-7b --gpus 64 --price dgx-h10=1"),
                     CS_EINPUT);
    assert_non_null(strstr(planned->err.text, "did you mean 'dgx-h100'?"));
    assert_int_equal(plan_line(planned, "--model llama2-7b --gpus 64 --deadline 3d"), CS_EINPUT);
}
