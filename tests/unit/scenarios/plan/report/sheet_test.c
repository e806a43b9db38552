/* Tables of a plan: each column has the figure of its name, in every table. */
#include "scenarios/plan/report/report.h"

#include "reports/results/sheet.h"
#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"

typedef const struct cs_plan_case one_case;

/* Figures in the units of programs. */
static double figure_of(one_case *one, const char *column)
{
    const struct cs_plan_ranges *ranges = &one->ranges;
    const struct {
        const char *column;
        double value;
    } figures[] = {
        {"gpus", one->gpus},
        {"nodes", one->node_count},
        {"spare_nodes", one->spares},
        {"spares", one->spares},
        {"time_s", one->time.time_s},
        {"low_s", one->time.low_s},
        {"high_s", one->time.high_s},
        {"lower_bound_s", one->time.bound_s},
        {"effective_s", one->time.time_s / one->goodput.share},
        {"effective_low_s", ranges->effective_s.low},
        {"effective_high_s", ranges->effective_s.high},
        {"rate", one->time.rate},
        {"tokens_per_s", one->time.tokens_per_s > 0 ? one->time.tokens_per_s : (double)NAN},
        {"efficiency", one->efficiency},
        {"flops_share_of_peak", one->time.flops_share},
        {"flops", one->time.flops_share},
        {"memory_bytes", one->time.memory_bytes},
        {"switches", (double)one->inventory.boxes},
        {"cables", (double)one->inventory.cables},
        {"tiers", one->inventory.tiers},
        {"network_usd", one->cost.network_usd},
        {"network_usd_per_gpu", one->cost.network_usd / one->gpus},
        {"network_share", one->cost.network_usd / one->cost.capital_usd},
        {"network_w", one->cost.network_watts},
        {"capital_usd", one->cost.capital_usd},
        {"capital_low_usd", ranges->capital_usd.low},
        {"capital_high_usd", ranges->capital_usd.high},
        {"power_w", one->cost.watts},
        {"power_low_w", ranges->watts.low},
        {"power_high_w", ranges->watts.high},
        {"usd_per_h", one->cost.usd_per_h},
        {"usd_per_h_low", ranges->usd_per_h.low},
        {"usd_per_h_high", ranges->usd_per_h.high},
        {"usd_per_step", one->worth.usd_per_step},
        {"usd_per_step_low", ranges->usd_per_step.low},
        {"usd_per_step_high", ranges->usd_per_step.high},
        {"kwh_per_step", one->worth.kwh_per_step},
        {"kwh_per_step_low", ranges->kwh_per_step.low},
        {"kwh_per_step_high", ranges->kwh_per_step.high},
        {"usd_per_pflop_day", one->worth.usd_per_pflop_day},
        {"training_s", one->advice.training_s},
        {"training_usd", one->advice.training_usd},
        {"rent_usd", one->advice.rent_usd},
        {"break_even_s", one->advice.break_even_s},
        {"tokens_per_step",
         one->time.tokens_per_s > 0 ? one->time.tokens_per_s * one->time.time_s : (double)NAN},
        {"interruption_s", one->goodput.interval_s},
        {"interruption_h", one->goodput.interval_s / 3600},
        {"checkpoint_interval_s", one->goodput.checkpoint_s},
        {"young_min", one->goodput.young_s / 60},
        {"daly_min", one->goodput.checkpoint_s / 60},
        {"goodput", one->goodput.share},
        {"goodput_low", ranges->goodput.low},
        {"goodput_high", ranges->goodput.high},
        {"pareto", one->pareto},
    };

    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
        if (!strcmp(figures[i].column, column))
            return figures[i].value;
    return -1; /* of no case alone */
}

static const char *text_of(one_case *one, const char *column)
{
    const struct cs_framework *framework = one->time.framework;
    const struct {
        const char *column, *text;
    } texts[] = {
        {"node", one->node},         {"fabric", one->fabric},
        {"link", one->link},         {"topology", one->topo},
        {"machine", one->name},      {"setting", one->time.setting},
        {"note", one->time.setting}, {"largest_part", one->time.largest},
        {"refusal", one->refusal},   {"network_note", one->spares_note},
        {"over", one->advice.over},  {"framework", framework ? framework->name : NULL},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (!strcmp(texts[i].column, column))
            return texts[i].text ? texts[i].text : "";
    fail_msg("no text '%s'", column);
    return NULL;
}

static double number_of(enum cs_sheet_kind kind, const struct cs_sheet_cell *cell)
{
    if (!cell->known)
        return NAN;
    if (kind == CS_SHEET_COUNT)
        return (double)cell->is.u64;
    return kind == CS_SHEET_BOOL ? cell->is.boolean : cell->is.real;
}

/* The figures that were compared. */
static uint32_t check_row(const struct cs_sheet *sheet, size_t row, one_case *one)
{
    uint32_t compared = 0;

    for (size_t c = 0; c < sheet->column_count; c++) {
        const struct cs_sheet_column *column = &sheet->columns[c];
        const struct cs_sheet_cell *cell = cs_sheet_at(sheet, row, c);
        double is, value;

        if (cs_sheet_is_text(column->kind)) {
            assert_string_equal(cell->known ? cell->is.text : "", text_of(one, column->name));
            continue;
        }
        value = figure_of(one, column->name);
        is = number_of(column->kind, cell);
        if (value < 0)
            continue;
        compared++;
        if (isfinite(value) != isfinite(is) ||
            (isfinite(value) &&
             !(fabs(is - value) <= (column->kind == CS_SHEET_COUNT ? 0.5 : 1e-12 * value))))
            fail_msg("%s of %s: %g in place of %g", column->name, one->name, is, value);
    }
    return compared;
}

typedef void fill_sheet(const struct cs_plan *plan, struct cs_sheet *sheet);

static const struct {
    fill_sheet *fill;
    uint32_t figures; /* of a case's own */
    bool refused;     /* has a row of refused cases */
} sheets[] = {
    {cs_plan_sheet, 44, true},
    {cs_plan_sizing, 9, true},
    {cs_plan_prices, 11, false},
    {cs_plan_network, 8, false},
};

static void check_sheets(const char *line, uint32_t refused)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    struct cs_plan *plan = &planned.plan;

    plan_of(&planned, line);
    cs_plan_find_ranges(plan);
    for (size_t s = 0; s < sizeof(sheets) / sizeof(*sheets); s++) {
        CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
        size_t row = 0;

        sheets[s].fill(plan, &sheet);
        for (uint32_t c = 0; c < plan->count; c++)
            if (!plan->cases[c].refusal)
                assert_int_equal(check_row(&sheet, row++, &plan->cases[c]), sheets[s].figures);
            else
                row += sheets[s].refused;
        assert_int_equal(cs_sheet_rows(&sheet), row);
        assert_int_equal(row, plan->count - (sheets[s].refused ? 0 : refused));
    }
}

TEST(columns_have_the_figures_of_their_names)
{
    check_sheets("--gpus 16,1024 --fabric rail,fat-tree --link ib-ndr --mix all-reduce:1GiB", 0);
    check_sheets("--gpus 8,128 --model llama3-70b --global-batch 128 --spares 2", 1);
    check_sheets("--gpus 16 --node dgx-1 --mix all-reduce:1MiB", 0);
}

/* Beside the number of GPUs and the reason, a refused case has no figure. */
PLANNED_TEST(a_refused_case_has_its_reason_alone)
{
    one_case *one;

    plan_of(planned, "--gpus 8,128 --model llama3-70b --global-batch 128");
    one = &planned->plan.cases[0];
    assert_non_null(one->refusal);
    for (size_t s = 0; s < 2; s++) {
        CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
        uint32_t reasons = 0;

        sheets[s].fill(&planned->plan, &sheet);
        for (size_t c = 0; c < sheet.column_count; c++) {
            const struct cs_sheet_cell *cell = cs_sheet_at(&sheet, 0, c);
            const char *name = sheet.columns[c].name;

            if (!strcmp(name, "refusal") || !strcmp(name, "note")) {
                assert_string_equal(cell->is.text, one->refusal);
                reasons++;
            } else if (!cs_sheet_is_text(sheet.columns[c].kind)) {
                assert_int_equal(cell->known,
                                 strstr("gpus nodes spare_nodes bought_gpus", name) ? true : false);
            }
        }
        assert_int_equal(reasons, 1);
    }
}

/* A row for each number of GPUs: no spare nodes lose time, a second plane saves some. */
PLANNED_TEST(goodput_by_gpus_is_that_of_the_cases)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    plan_of(planned, "--gpus 64,4096 --fabric rail,star --mix all-reduce:1GiB");
    cs_plan_find_ranges(&planned->plan);
    cs_plan_goodput(&planned->plan, &sheet);
    assert_int_equal(cs_sheet_rows(&sheet), 2);
    for (size_t row = 0; row < 2; row++) {
        one_case *one = &planned->plan.cases[row];

        assert_int_equal(check_row(&sheet, row, one), 6);
        assert_true(cs_sheet_at(&sheet, row, 8)->is.real < one->goodput.share);
        assert_true(cs_sheet_at(&sheet, row, 9)->is.real > one->goodput.share);
    }
}
