/* What-if and sensitivity of a plan, against the figures of its case. */
#include "scenarios/plan/report/report.h"

#include "scenarios/plan/cases/ranges.h"
#include "tests/fixture.h"
#include "tests/planned.h"
#include "tests/unit/scenarios/plan/report/shown.h"

static const struct cs_document_table *table_of(const struct cs_document *document)
{
    for (uint32_t b = 0; b < document->count; b++)
        if (document->blocks[b].kind == CS_BLOCK_TABLE)
            return &document->blocks[b].table;
    fail_msg("no table");
    return NULL;
}

static const char *cell(const struct cs_document_table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}

static const struct cs_plan_case *planned_open(struct planned *planned, const char *line)
{
    if (plan_line(planned, line))
        fail_msg("%s: %s", line, planned->err.text);
    cs_plan_find_ranges(&planned->plan);
    return &planned->plan.cases[planned->plan.fastest];
}

/* The rows of what-if: the time and the rate of each are those of one step or mix. */
static size_t check_variants(const char *line, const char *change, double time_s)
{
    CS_AT_END(planned_free) struct planned planned = {0};
    CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
    const struct cs_plan_case *one = planned_open(&planned, line);
    const struct cs_document_table *table;
    size_t rows;
    const char *end;

    cs_document_begin(&document, "what if");
    cs_plan_add_variants(&planned.plan, &document);
    table = table_of(&document);
    rows = table->rows;
    for (size_t row = 0; row < rows; row++) {
        double after_s = shown_figure(cell(table, row, 2), &end);

        if (!shown_near(after_s * strtod(cell(table, row, 3), NULL), one->time.time_s))
            fail_msg("%s: %s at %s of %g s", cell(table, row, 0), cell(table, row, 2),
                     cell(table, row, 3), one->time.time_s);
        if (change && strstr(cell(table, row, 0), change)) {
            assert_true(shown_near(after_s, time_s * one->time.time_s));
            change = NULL;
        }
    }
    assert_null(change);
    return rows;
}

TEST(rates_of_what_if_are_those_of_its_times)
{
    /* Half of the adapters: half of the rate of rings that fill them. */
    assert_true(check_variants("--gpus 64 --mix all-reduce:16GiB", "half of the adapters", 2) >= 4);
    assert_true(check_variants("--gpus 16 --mix all-reduce:1GiB*2,all-gather:64MiB*5", NULL, 0) >=
                4);
    assert_true(check_variants("--gpus 8 --mix all-reduce:1GiB", NULL, 0) >= 1);
    assert_true(check_variants("--gpus 64 --model llama2-7b --global-batch 128", NULL, 0) >= 3);
}

/* The paragraph that explains slower changes; NULL where there is none. */
static const char *note_of(const struct cs_document *document)
{
    for (uint32_t b = 0; b < document->count; b++)
        if (document->blocks[b].kind == CS_BLOCK_PARAGRAPH &&
            !strncmp(document->blocks[b].text, "Note: ", 6))
            return document->blocks[b].text;
    return NULL;
}

/* Of 7 to 100 GB/s for an adapter at least one is slower than its half, as NCCL takes
 * its protocol by the rate. */
TEST(a_mix_that_a_faster_machine_slows_has_its_reason)
{
    static const char *const rates[] = {"7", "12.5", "25", "40"};
    size_t slower = 0;

    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
        CS_AT_END(planned_free) struct planned planned = {0};
        CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
        const struct cs_document_table *table;
        char line[160];
        const char *note;
        bool is_slower;

        snprintf(line, sizeof(line),
                 "--gpus 16 --node dgx-h100 --fabric rail:bandwidth=%sGB/s --mix all-gather:1MiB",
                 rates[i]);
        (void)planned_open(&planned, line);
        cs_document_begin(&document, "what if");
        cs_plan_add_variants(&planned.plan, &document);
        table = table_of(&document);
        note = note_of(&document);
        assert_non_null(strstr(cell(table, 0, 0), "adapters twice as fast"));
        is_slower = strtod(cell(table, 0, 3), NULL) < 1;
        slower += is_slower;
        assert_true(
            is_slower ==
            (note &&
             strstr(note,
                    "adapters twice as fast, or twice as many, all-gather: nccl decides for ")));
    }
    assert_true(slower > 0);
}

PLANNED_TEST(a_step_that_a_faster_machine_slows_has_its_reason)
{
    CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
    struct cs_train_variant *variant;
    CS_AT_END(cs_text_free) struct cs_text expected = {0};

    (void)planned_open(planned, "--gpus 64 --model llama2-7b --global-batch 128");
    variant = &planned->plan.result.variants[0];
    variant->by_decision = true;
    variant->kept_s = 1.25;
    cs_document_begin(&document, "what if");
    cs_plan_add_variants(&planned->plan, &document);
    cs_text_printf(&expected,
                   "Note: %s: the step is longer since nccl decides otherwise on this machine; "
                   "decided as before, it would take 1.25 s.",
                   variant->name);
    assert_non_null(note_of(&document));
    assert_string_equal(note_of(&document), cs_text_str(&expected));
}

/* ln(x / low) is the root of the sum of squares of each input's. */
static void expect_range(const struct cs_document_table *table, size_t column, double value,
                         struct cs_price_range range)
{
    double low = 0, high = 0;

    for (size_t row = 0; row < table->rows; row++)
        for (size_t c = column; c < column + 2; c++) {
            const char *end, *shown = cell(table, row, c);
            double change = log(shown_figure(shown, &end) / value);

            if (change < 0)
                low += change * change;
            else
                high += change * change;
        }
    assert_true(fabs(sqrt(low) - log(value / range.low)) < 0.02);
    assert_true(fabs(sqrt(high) - log(range.high / value)) < 0.02);
}

TEST(changes_of_inputs_make_the_ranges_of_headlines)
{
    static const char *const lines[] = {
        "--gpus 256 --mix all-reduce:16GiB",
        "--gpus 1024 --model llama3-70b --global-batch 1024",
    };

    for (size_t i = 0; i < 2; i++) {
        CS_AT_END(planned_free) struct planned planned = {0};
        CS_AT_END(cs_document_free) struct cs_document document = {.title = NULL};
        const struct cs_plan_case *one = planned_open(&planned, lines[i]);
        const struct cs_document_table *table;

        cs_document_begin(&document, "sensitivity");
        cs_plan_add_sensitivity(&planned.plan, &document);
        table = table_of(&document);
        assert_int_equal(table->rows, CS_PLAN_INPUTS);
        for (size_t row = 0; row < table->rows; row++)
            assert_string_equal(cell(table, row, 0), cs_plan_input_name((enum cs_plan_input)row));
        expect_range(table, 3, one->effective_s, one->ranges.effective_s);
        expect_range(table, 5, one->worth.usd_per_step, one->ranges.usd_per_step);
        expect_range(table, 7, one->worth.kwh_per_step, one->ranges.kwh_per_step);
    }
}
