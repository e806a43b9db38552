/* Charts of a plan have the cases' figures as their points. */
#include "scenarios/plan/report/report.h"

#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"

/* A plan with a report's charts. */
struct charted {
    struct planned planned;
    struct cs_document document;
};

static const struct cs_plan *charted_open(struct charted *charted, const char *line)
{
    struct cs_plan *plan = &charted->planned.plan;

    *charted = (struct charted){.document = {.title = NULL}};
    plan_of(&charted->planned, line);
    cs_plan_find_ranges(plan);
    cs_document_begin(&charted->document, "charts");
    cs_plan_add_charts(plan, &charted->document);
    return plan;
}

static void charted_close(struct charted *charted)
{
    cs_document_free(&charted->document);
    planned_free(&charted->planned);
}

static const struct cs_chart *chart_of(const struct charted *charted, const char *y_title,
                                       const char *x_title)
{
    for (uint32_t b = 0; b < charted->document.count; b++) {
        const struct cs_block *block = &charted->document.blocks[b];

        if (block->kind == CS_BLOCK_CHART && !strcmp(block->chart.y_title, y_title) &&
            !strcmp(block->chart.x_title, x_title))
            return &block->chart;
    }
    return NULL;
}

/* The curve of a name, alone or with machines that have the same. */
static const struct cs_chart_series *curve_of(const struct cs_chart *chart, const char *name,
                                              bool is_bound)
{
    for (uint32_t s = 0; s < chart->series_count; s++)
        if (chart->series[s].is_bound == is_bound && !chart->series[s].is_points &&
            strstr(chart->series[s].name, name))
            return &chart->series[s];
    fail_msg("no %s called '%s'", is_bound ? "bound" : "curve", name);
    return NULL;
}

static double value_at(const struct cs_chart_series *curve, const double *values, double x)
{
    for (uint32_t i = 0; i < curve->count; i++)
        if (curve->x[i] == x)
            return values[i];
    fail_msg("%s: no point at %g", curve->name, x);
    return NAN;
}

static void expect_bound(const struct cs_chart *chart, const struct cs_plan_case *one, double y)
{
    char name[100];
    const struct cs_chart_series *bound;

    snprintf(name, sizeof(name), "bound of %s", one->name);
    bound = curve_of(chart, name, true);
    assert_true(fabs(value_at(bound, bound->y, one->gpus) / y - 1) < 1e-9);
}

#define CHARTED_TEST(name) TEST_OF(struct charted, charted, charted_close, name)

CHARTED_TEST(every_case_of_a_mix_is_a_point_of_its_curve_and_bound)
{
    const struct cs_plan *plan =
        charted_open(charted, "--gpus 16,64,256 --node dgx-h100,mi300x --mix all-reduce:64MiB");
    const struct cs_chart *times = chart_of(charted, "time", "GPUs");
    const struct cs_chart *efficiency = chart_of(charted, "efficiency", "GPUs");

    assert_true(plan->count == 6 && times && efficiency);
    for (uint32_t c = 0; c < plan->count; c++) {
        const struct cs_plan_case *one = &plan->cases[c];
        const struct cs_chart_series *curve = curve_of(times, one->name, false);
        const struct cs_chart_series *share = curve_of(efficiency, one->name, false);
        double least_s = plan->cases[(size_t)c / 3 * 3].time.time_s;

        assert_true(value_at(curve, curve->y, one->gpus) == one->effective_s);
        assert_true(fabs(value_at(share, share->y, one->gpus) * one->time.time_s / least_s - 1) <
                    1e-9);
        expect_bound(times, one, one->time.bound_s);
        expect_bound(efficiency, one, one->efficiency * one->time.time_s / one->time.bound_s);
        /* The band is that of the first curve: more would hide one another. */
        assert_int_equal(curve->low != NULL && curve->high != NULL, c < 3);
        if (c < 3) {
            assert_true(value_at(curve, curve->low, one->gpus) == one->ranges.effective_s.low);
            assert_true(value_at(curve, curve->high, one->gpus) == one->ranges.effective_s.high);
        }
    }
}

CHARTED_TEST(machines_of_equal_times_share_a_curve)
{
    const struct cs_chart *times;

    charted_open(charted, "--gpus 16,32 --fabric rail,star --mix all-reduce:1MiB");
    times = chart_of(charted, "time", "GPUs");
    assert_ptr_equal(curve_of(times, "dgx-h100, rail", false),
                     curve_of(times, "dgx-h100, star", false));
    assert_non_null(strstr(curve_of(times, "rail", false)->name, "; "));
}

CHARTED_TEST(one_number_of_gpus_has_no_curve)
{
    charted_open(charted, "--gpus 16 --mix all-reduce:1MiB");
    assert_null(chart_of(charted, "time", "GPUs"));
    assert_null(chart_of(charted, "efficiency", "GPUs"));
}

/* Bars are the answered cases in their order, and the parts of one add up to its time. */
CHARTED_TEST(parts_of_a_bar_add_up_to_the_time_of_its_case)
{
    const struct cs_plan *plan =
        charted_open(charted, "--gpus 8,64,128 --model llama3-70b --global-batch 128");
    const struct cs_chart *parts = chart_of(charted, "time", "GPUs, machine");
    uint32_t bar = 0;

    for (uint32_t c = 0; c < plan->count; c++) {
        const struct cs_plan_case *one = &plan->cases[c];
        double sum_s = 0;
        char label[100];

        if (one->refusal)
            continue;
        snprintf(label, sizeof(label), "%u, %s", one->gpus, one->name);
        assert_string_equal(parts->categories[bar], label);
        for (uint32_t s = 0; s < parts->series_count; s++)
            sum_s += parts->series[s].y[bar];
        assert_true(fabs(sum_s / one->time.time_s - 1) < 1e-6);
        bar++;
    }
    assert_int_equal(parts->category_count, bar);
    assert_true(bar > 0 && bar < plan->count);
}

/* Spare nodes never lose time, and at any size fewer GPUs fail less. */
CHARTED_TEST(goodput_falls_with_gpus_and_is_least_without_spare_nodes)
{
    const struct cs_chart *chart;
    const struct cs_chart_series *spared, *bare;

    charted_open(charted, "--gpus 16 --mix all-reduce:1MiB");
    chart = chart_of(charted, "effective training time", "GPUs");
    assert_int_equal(chart->series_count, 3);
    bare = curve_of(chart, "no spare nodes", false);
    for (uint32_t s = 0; s < 3; s++) {
        spared = &chart->series[s];
        assert_true(spared->x[0] == 64 && spared->x[spared->count - 1] >= 65536);
        for (uint32_t i = 0; i < spared->count; i++) {
            assert_true(spared->y[i] > 0 && spared->y[i] < 1);
            assert_true(spared == bare || spared->y[i] > bare->y[i]);
            assert_true(i == 0 ||
                        (spared->y[i] < spared->y[i - 1] && spared->x[i] == 4 * spared->x[i - 1]));
        }
    }
}

/* Beside the mix's call: its size has the time of the case. */
CHARTED_TEST(times_by_size_pass_through_the_time_of_the_call)
{
    const struct cs_plan *plan =
        charted_open(charted, "--gpus 16,32 --mix all-reduce:1MiB,all-gather:4MiB,all-reduce:2MiB");
    uint32_t charts = 0;
    double sum_s = 0;

    cs_document_free(&charted->document);
    cs_document_begin(&charted->document, "sizes");
    cs_plan_add_sizes(plan, &charted->document);
    for (uint32_t b = 0; b < charted->document.count; b++)
        if (charted->document.blocks[b].kind == CS_BLOCK_CHART) {
            const struct cs_chart_series *curve = &charted->document.blocks[b].chart.series[0];
            bool sums = !strcmp(curve->name, "all-reduce");

            charts++;
            sum_s += value_at(curve, curve->y, sums ? 1 << 20 : 1 << 22);
            sum_s += sums ? value_at(curve, curve->y, 1 << 21) : 0;
            for (uint32_t i = 0; i < curve->count; i++) {
                assert_true(curve->x[i] == ldexp(1024, (int)i));
                assert_true(curve->low[i] < curve->y[i] && curve->y[i] < curve->high[i]);
            }
            assert_non_null(
                strstr(charted->document.blocks[b].chart.caption, "32 GPUs of dgx-h100"));
        }
    assert_int_equal(charts, 2);
    assert_true(fabs(sum_s / plan->cases[plan->fastest].time.time_s - 1) < 1e-9);
}
