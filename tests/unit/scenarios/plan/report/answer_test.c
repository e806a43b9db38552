/* Headlines and the answer of a plan show the figures of its best cases. */
#include "scenarios/plan/report/report.h"

#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"
#include "tests/unit/scenarios/plan/report/shown.h"

/* ---- figures ---- */

/* "4.07 s (3.1 s to 5.3 s)" of a value and its range. */
static void expect_shown_figure(const char *text, double value, struct cs_price_range range)
{
    const char *at = text;
    bool fits;

    if (!isfinite(value)) {
        assert_string_equal(text, "unknown");
        return;
    }
    fits = shown_near(shown_figure(at, &at), value) && !strncmp(at, " (", 2);
    fits = fits && shown_near(shown_figure(at + 2, &at), range.low) && !strncmp(at, " to ", 4);
    fits = fits && shown_near(shown_figure(at + 4, &at), range.high);
    if (!fits || *at != ')')
        fail_msg("'%s' in place of %g (%g to %g)", text, value, range.low, range.high);
}

/* ---- headlines ---- */

static void expect_headline(const struct cs_document_table *table, uint32_t row, const char *answer,
                            const struct cs_plan_case *one)
{
    const char *const *cells = table->cells + row * table->columns;
    const char *end;

    assert_true(row < table->rows);
    assert_string_equal(cells[0], answer);
    assert_true(shown_figure(cells[1], &end) == one->gpus);
    assert_string_equal(cells[2], one->name);
    expect_shown_figure(cells[3], one->effective_s, one->ranges.effective_s);
    expect_shown_figure(cells[4], one->goodput.share, one->ranges.goodput);
    expect_shown_figure(cells[5], one->cost.capital_usd, one->ranges.capital_usd);
    expect_shown_figure(cells[6], one->cost.watts, one->ranges.watts);
    expect_shown_figure(cells[7], one->worth.usd_per_step, one->ranges.usd_per_step);
    expect_shown_figure(cells[8], one->worth.kwh_per_step, one->ranges.kwh_per_step);
}

/* Headlines of the plan of a line; the number of rows. */
static uint32_t check_headlines(const char *line)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    struct cs_plan *plan = &planned.plan;
    CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
    const struct cs_document_table *table;
    uint32_t rows = 0;

    plan_of(&planned, line);
    cs_plan_find_ranges(plan);
    cs_document_begin(&document, "headlines");
    cs_plan_add_headlines(plan, &document);
    assert_int_equal(document.count, 1);
    table = &document.blocks[0].table;
    for (uint32_t b = 0; b < plan->best_count; b++) {
        const struct cs_plan_case *fastest = &plan->cases[plan->best[b].fastest];

        if (plan->best[b].cheapest == plan->best[b].fastest) {
            expect_headline(table, rows++, "fastest, cheapest", fastest);
            continue;
        }
        expect_headline(table, rows++, "fastest", fastest);
        if (plan->best[b].cheapest != UINT32_MAX)
            expect_headline(table, rows++, "cheapest", &plan->cases[plan->best[b].cheapest]);
    }
    assert_int_equal(table->rows, rows);
    return rows;
}

TEST(headlines_are_the_figures_of_the_best_cases)
{
    assert_int_equal(check_headlines("--gpus 64 --fabric rail --mix all-reduce:1GiB"), 1);
    /* The faster node costs more at 8 GPUs only. */
    assert_int_equal(check_headlines("--gpus 8,64 --node dgx-h100,dgx-b200 --mix all-reduce:16MiB"),
                     3);
    assert_true(check_headlines("--gpus 64,8192 --model gpt3-175b --global-batch 8192") >= 1);
    /* A node without a known price. */
    assert_int_equal(check_headlines("--gpus 16 --node dgx-1 --mix all-reduce:1MiB"), 1);
}

/* ---- the answer ---- */

PLANNED_TEST(the_answer_has_the_figures_of_the_fastest_case)
{
    const struct cs_plan_case *one;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const char *at;

    plan_of(planned, "--gpus 64 --model llama2-7b --global-batch 128 --tokens 1e12");
    cs_plan_find_ranges(&planned->plan);
    cs_plan_answer(&planned->plan, &text);
    one = &planned->plan.cases[planned->plan.fastest];
    at = strstr(text.data, " take ") + strlen(" take ");
    expect_shown_figure(at, one->effective_s, one->ranges.effective_s);
    /* Llama's sequence has 4,096 tokens. */
    assert_non_null(strstr(at, "for a step of 524,288 tokens"));
    assert_non_null(strstr(at, ") a step, $")); /* its price, and that of tokens */
    at = strstr(at, "1 trillion tokens: ") + strlen("1 trillion tokens: ");
    assert_true(shown_near(strtod(at, NULL), 1e12 / 524288 * one->effective_s / 86400));
}

/* "Fastest: 8 GPUs: dgx-h100, rail, 101 us (80 us to 120 us); 64 GPUs: ..." */
PLANNED_TEST(the_answer_to_a_mix_has_a_case_for_each_number_of_gpus)
{
    struct cs_plan *plan = &planned->plan;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const char *at;

    plan_of(planned, "--gpus 8,64 --mix all-reduce:16MiB");
    cs_plan_find_ranges(plan);
    cs_plan_answer(plan, &text);
    at = strstr(text.data, "Fastest: ") + strlen("Fastest: ");
    assert_int_equal(plan->best_count, 2);
    for (uint32_t b = 0; b < 2; b++) {
        const struct cs_plan_case *one = &plan->cases[plan->best[b].fastest];
        const char *gpus = b ? "; 64 GPUs: " : "8 GPUs: ";

        at = strncmp(at, gpus, strlen(gpus)) ? "" : at + strlen(gpus);
        assert_memory_equal(at, one->name, strlen(one->name));
        at += strlen(one->name) + strlen(", ");
        expect_shown_figure(at, one->effective_s, one->ranges.effective_s);
        at = strchr(at, ')') + 1;
    }
}
