#include "reports/figures/report.h"

#include "reports/document/document.h"
#include "reports/results/files.h"
#include "reports/results/store/store.h"

#include <math.h>

enum {
    ROWS_MAX = 1000, /* of a table */
    BARS_MAX = 40,
    VARIATIONS_MAX = 16,
};

/* ---- tables ---- */

enum {
    STEP_PARTS = 14,
    CASE_PARTS = 3,
};

/* A row of `collsim train --db`. */
struct training_step {
    const char *model, *machine, *gpu, *system, *precision, *states, *recompute, *largest;
    struct {
        uint64_t ranks, tensor, context, pipeline, data, expert, chunks;
        uint64_t micro_batch, times;
    } degrees;
    const char *division; /* degrees and batches in a text */
    double step_s, rate, scaling, flops;
    uint64_t memory_bytes;
    bool fits;
    double parts_s[STEP_PARTS];
};

#define AT(member)     CS_AT(struct training_step, member)
#define DEGREE(member) CS_AT(struct training_step, degrees.member)
#define PART(number)   CS_AT(struct training_step, parts_s[number])
#define PARTS_COLUMNS                                                                   \
    {"forward_s", "forward", NULL, CS_SHEET_SECONDS, PART(0)},                          \
        {"backward_s", "backward", NULL, CS_SHEET_SECONDS, PART(1)},                    \
        {"recompute_s", "recompute", NULL, CS_SHEET_SECONDS, PART(2)},                  \
        {"optimizer_s", "optimizer", NULL, CS_SHEET_SECONDS, PART(3)},                  \
        {"host_s", "host", NULL, CS_SHEET_SECONDS, PART(4)},                            \
        {"interference_s", "interference", NULL, CS_SHEET_SECONDS, PART(5)},            \
        {"jitter_s", "jitter", NULL, CS_SHEET_SECONDS, PART(6)},                        \
        {"tensor_s", "tensor parallel", NULL, CS_SHEET_SECONDS, PART(7)},               \
        {"expert_s", "experts", NULL, CS_SHEET_SECONDS, PART(8)},                       \
        {"context_s", "context parallel", NULL, CS_SHEET_SECONDS, PART(9)},             \
        {"send_s", "sends", NULL, CS_SHEET_SECONDS, PART(10)},                          \
        {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS, PART(11)},                       \
        {"data_exposed_s", "data parallel, exposed", NULL, CS_SHEET_SECONDS, PART(12)}, \
    {                                                                                   \
        "input_s", "input", NULL, CS_SHEET_SECONDS, PART(13)                            \
    }
static const struct cs_sheet_column part_columns[STEP_PARTS] = {PARTS_COLUMNS};
static const struct cs_sheet_column training_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT, AT(model)},
    {"machine", "machine", NULL, CS_SHEET_TEXT, AT(machine)},
    {"gpu", "GPU", NULL, CS_SHEET_TEXT, AT(gpu)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, DEGREE(ranks)},
    {"system", "system", NULL, CS_SHEET_TEXT, AT(system)},
    {"precision", "precision", NULL, CS_SHEET_TEXT, AT(precision)},
    {"tensor", "tp", NULL, CS_SHEET_COUNT, DEGREE(tensor)},
    {"context", "cp", NULL, CS_SHEET_COUNT, DEGREE(context)},
    {"pipeline", "pp", NULL, CS_SHEET_COUNT, DEGREE(pipeline)},
    {"data", "dp", NULL, CS_SHEET_COUNT, DEGREE(data)},
    {"expert", "ep", NULL, CS_SHEET_COUNT, DEGREE(expert)},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT, DEGREE(chunks)},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT, DEGREE(micro_batch)},
    {"accumulation", "times", NULL, CS_SHEET_COUNT, DEGREE(times)},
    {"states", "states", NULL, CS_SHEET_TEXT, AT(states)},
    {"recompute", "recomputation", NULL, CS_SHEET_TEXT, AT(recompute)},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, AT(step_s)},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, AT(rate)},
    {"scaling_efficiency", "efficiency", NULL, CS_SHEET_SHARE, AT(scaling)},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE, AT(flops)},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT, AT(largest)},
    {"memory_bytes", "memory", NULL, CS_SHEET_MEMORY, AT(memory_bytes)},
    {"fits", "fits", NULL, CS_SHEET_BOOL, AT(fits)},
    PARTS_COLUMNS,
};

/* As printed: degrees and batches are one column. */
static const struct cs_sheet_column step_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT, AT(model)},
    {"machine", "machine", NULL, CS_SHEET_TEXT, AT(machine)},
    {"gpu", "GPU", NULL, CS_SHEET_TEXT, AT(gpu)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, DEGREE(ranks)},
    {"system", "system", NULL, CS_SHEET_TEXT, AT(system)},
    {"precision", "precision", NULL, CS_SHEET_TEXT, AT(precision)},
    {"division", "division, micro batch x times", NULL, CS_SHEET_TEXT, AT(division)},
    {"states", "states", NULL, CS_SHEET_TEXT, AT(states)},
    {"recompute", "recomputation", NULL, CS_SHEET_TEXT, AT(recompute)},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, AT(step_s)},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, AT(rate)},
    {"scaling_efficiency", "efficiency", NULL, CS_SHEET_SHARE, AT(scaling)},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE, AT(flops)},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT, AT(largest)},
    {"memory_bytes", "memory", NULL, CS_SHEET_MEMORY, AT(memory_bytes)},
    {"fits", "fits", NULL, CS_SHEET_BOOL, AT(fits)},
};

/* A row of its --case and --vary. */
struct variation_row {
    const char *request, *name, *machine, *system;
    uint64_t ranks, memory_bytes;
    double step_s, rate, scaling;
    double parts_s[CASE_PARTS];
};

#undef AT
#define AT(member) CS_AT(struct variation_row, member)
static const struct cs_sheet_column cases_columns[] = {
    {"request", "request", NULL, CS_SHEET_TEXT, AT(request)},
    {"case", "case", NULL, CS_SHEET_TEXT, AT(name)},
    {"machine", "machine", NULL, CS_SHEET_TEXT, AT(machine)},
    {"system", "system", NULL, CS_SHEET_TEXT, AT(system)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, AT(ranks)},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, AT(step_s)},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, AT(rate)},
    {"scaling_efficiency", "efficiency", NULL, CS_SHEET_SHARE, AT(scaling)},
    {"compute_s", "compute", NULL, CS_SHEET_SECONDS, AT(parts_s[0])},
    {"exposed_s", "exposed communication", NULL, CS_SHEET_SECONDS, AT(parts_s[1])},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS, AT(parts_s[2])},
    {"memory_bytes", "memory", NULL, CS_SHEET_MEMORY, AT(memory_bytes)},
};

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

enum {
    CASES_CASE = 1,  /* the first printed */
    CASES_PARTS = 8, /* the first part */
};

/* What was read. */
struct training_steps {
    struct training_step *rows;
    size_t count;
};

static const char *named(const char *text)
{
    return text ? text : "";
}

/* Rows as a table of the document. */
static void add_table(const struct cs_rows *rows, const char *caption, struct cs_document *document)
{
    struct cs_rows shown = *rows;
    CS_AT_END(cs_sheet_free) struct cs_sheet part = {0};

    if (shown.count > ROWS_MAX)
        shown.count = ROWS_MAX;
    cs_sheet_fill(&part, &shown);
    cs_document_add_table(document, caption, &part);
    if (shown.count < rows->count)
        cs_document_add(document, CS_BLOCK_PARAGRAPH, "The first %zu of %zu rows.", shown.count,
                        rows->count);
}

/* ---- parts of the step ---- */

struct parts_chart {
    struct cs_chart chart;
    const char *labels[BARS_MAX];
    double seconds[CS_CHART_SERIES_MAX][BARS_MAX];
};

/* Stacks of the columns; those without time are left out. */
static void add_parts(const struct cs_rows *rows, struct parts_chart *parts,
                      struct cs_document *document)
{
    struct cs_chart *chart = &parts->chart;

    chart->kind = CS_CHART_STACK;
    chart->y_title = "time";
    chart->y_number = CS_CHART_SECONDS;
    chart->categories = parts->labels;
    chart->category_count = (uint32_t)(rows->count < BARS_MAX ? rows->count : BARS_MAX);
    for (size_t p = 0; p < rows->column_count; ++p) {
        bool is_full = chart->series_count == CS_CHART_SERIES_MAX;
        double *seconds = parts->seconds[chart->series_count - is_full];
        double sum = 0;

        for (uint32_t c = 0; c < chart->category_count; ++c) {
            const void *row = (const char *)rows->rows + c * rows->size;
            double each = fmax(cs_column_cell(&rows->columns[p], row).is.real, 0);

            seconds[c] = (is_full ? seconds[c] : 0) + each;
            sum += each;
        }
        if (sum > 0 && is_full)
            chart->series[CS_CHART_SERIES_MAX - 1].name = "others";
        else if (sum > 0)
            chart->series[chart->series_count++] = (struct cs_chart_series){
                .name = rows->columns[p].title, .y = seconds, .count = chart->category_count};
    }
    cs_document_add_chart(document, chart);
}

/* ---- steps ---- */

/* Of the degrees from context on those above 1. */
static const char *division_of(const struct training_step *row, struct cs_arena *arena)
{
    const struct {
        const char *name;
        uint64_t degree;
    } more[] = {
        {"cp", row->degrees.context}, {"ep", row->degrees.expert}, {"chunks", row->degrees.chunks}};
    const char *division = cs_arena_printf(
        arena, "tp %llu, pp %llu, dp %llu", (unsigned long long)row->degrees.tensor,
        (unsigned long long)row->degrees.pipeline, (unsigned long long)row->degrees.data);

    for (size_t m = 0; m < COUNT(more); ++m)
        if (more[m].degree > 1)
            division = cs_arena_printf(arena, "%s, %s %llu", division, more[m].name,
                                       (unsigned long long)more[m].degree);
    return division;
}

static void add_steps_table(const struct training_steps *steps, struct cs_document *document)
{
    for (size_t r = 0; r < steps->count; ++r) {
        struct training_step *row = &steps->rows[r];

        row->division = cs_arena_printf(
            &document->arena, "%s, %llu x %llu", division_of(row, &document->arena),
            (unsigned long long)row->degrees.micro_batch, (unsigned long long)row->degrees.times);
    }
    add_table(CS_ROWS("training", step_columns, steps->rows, steps->count),
              "Step time, throughput and scaling efficiency of each job.", document);
}

static void add_steps_parts(const struct training_steps *steps, struct cs_document *document)
{
    struct parts_chart parts = {
        .chart = {.caption = "Parts of the steps of the slowest rank, and the whole step.",
                  .x_title = "step"}};

    for (size_t r = 0; r < steps->count && r < BARS_MAX; ++r) {
        const struct training_step *row = &steps->rows[r];

        parts.labels[r] = cs_arena_printf(&document->arena, "%s, %s, %s, %s", named(row->model),
                                          named(row->machine), named(row->system),
                                          division_of(row, &document->arena));
    }
    add_parts(CS_ROWS("training", part_columns, steps->rows, steps->count), &parts, document);
}

/* Steps of a curve: one job on different numbers of ranks. */
static bool is_same_curve(const struct training_step *a, const struct training_step *b)
{
    return cs_same(named(a->model), named(b->model)) && cs_same(named(a->gpu), named(b->gpu)) &&
           cs_same(named(a->system), named(b->system)) &&
           cs_same(named(a->precision), named(b->precision)) &&
           a->degrees.micro_batch == b->degrees.micro_batch;
}

struct scaling_curve {
    double ranks[BARS_MAX], values[BARS_MAX];
    uint32_t count;
};

/* The last step of each number of ranks, ranks ascending. */
static void add_step(struct scaling_curve *curve, double ranks, double value)
{
    uint32_t at = curve->count;

    for (uint32_t i = 0; i < curve->count; ++i)
        if (fabs(curve->ranks[i] - ranks) < 0.5) {
            curve->values[i] = value;
            return;
        }
    if (at == BARS_MAX)
        return;
    for (; at > 0 && curve->ranks[at - 1] > ranks; --at) {
        curve->ranks[at] = curve->ranks[at - 1];
        curve->values[at] = curve->values[at - 1];
    }
    curve->ranks[at] = ranks;
    curve->values[at] = value;
    ++curve->count;
}

/* A curve against ranks for each job with several numbers of them. */
static void add_scaling(const struct training_steps *steps, const struct cs_sheet_column *value,
                        struct cs_chart *chart, struct cs_document *document)
{
    struct scaling_curve curves[CS_CHART_SERIES_MAX];
    const struct training_step *rows = steps->rows;

    chart->x_title = "ranks";
    chart->x_log = true;
    for (size_t r = 0; r < steps->count && chart->series_count < CS_CHART_SERIES_MAX; ++r) {
        struct scaling_curve *curve = &curves[chart->series_count];
        size_t first = 0;

        curve->count = 0;
        while (!is_same_curve(&rows[first], &rows[r]))
            ++first;
        for (size_t o = r; o < steps->count && first == r; ++o)
            if (is_same_curve(&rows[r], &rows[o]))
                add_step(curve, (double)rows[o].degrees.ranks,
                         cs_column_cell(value, &rows[o]).is.real);
        if (curve->count < 2)
            continue;
        chart->series[chart->series_count++] = (struct cs_chart_series){
            .name = cs_arena_printf(&document->arena, "%s, %s, %s, micro batch %llu",
                                    named(rows[r].model), named(rows[r].gpu), named(rows[r].system),
                                    (unsigned long long)rows[r].degrees.micro_batch),
            .x = curve->ranks,
            .y = curve->values,
            .count = curve->count};
    }
    if (chart->series_count)
        cs_document_add_chart(document, chart);
}

static void add_steps(const struct training_steps *steps, struct cs_document *document)
{
    static const struct cs_sheet_column by_efficiency = {NULL, NULL, NULL, CS_SHEET_SHARE,
                                                         CS_AT(struct training_step, scaling)};
    static const struct cs_sheet_column by_time = {NULL, NULL, NULL, CS_SHEET_SECONDS,
                                                   CS_AT(struct training_step, step_s)};
    struct cs_chart efficiency = {
        .caption = "Samples per second over those of as many devices with the whole model.",
        .y_title = "efficiency",
        .y_number = CS_CHART_SHARE,
        .from_zero = true};
    struct cs_chart time = {.caption = "Time of a step.",
                            .y_title = "time",
                            .y_number = CS_CHART_SECONDS,
                            .y_log = true};

    if (!steps->count)
        return;
    cs_document_add(document, CS_BLOCK_HEADING, "Steps");
    add_steps_table(steps, document);
    add_steps_parts(steps, document);
    add_scaling(steps, &by_efficiency, &efficiency, document);
    add_scaling(steps, &by_time, &time, document);
}

/* ---- cases ---- */

static void add_variation(const struct variation_row *rows, size_t count,
                          struct cs_document *document)
{
    struct cs_rows table = {
        "cases",      cases_columns + CASES_CASE, COUNT(cases_columns) - CASES_CASE, rows, count,
        sizeof(*rows)};
    struct parts_chart parts = {
        .chart = {.caption =
                      "Compute, exposed communication and bubble of each case, and their sum.",
                  .x_title = "case"}};

    cs_document_add(document, CS_BLOCK_HEADING, "Variation");
    cs_document_add(document, CS_BLOCK_CODE, "collsim train %s", named(rows->request));
    add_table(&table, "Step time, throughput and scaling efficiency of each case.", document);
    for (size_t r = 0; r < count && r < BARS_MAX; ++r)
        parts.labels[r] = named(rows[r].name);
    table.columns = cases_columns + CASES_PARTS;
    table.column_count = CASE_PARTS;
    add_parts(&table, &parts, document);
}

static void add_variations(const struct variation_row *rows, size_t count,
                           struct cs_document *document)
{
    size_t next, variations = 0;

    for (size_t r = 0; r < count; r = next) {
        for (next = r + 1;
             next < count && cs_same(named(rows[r].request), named(rows[next].request)); ++next)
            ;
        if (variations++ < VARIATIONS_MAX)
            add_variation(&rows[r], next - r, document);
    }
    if (variations > VARIATIONS_MAX)
        cs_document_add(document, CS_BLOCK_PARAGRAPH, "%zu more variations are left out.",
                        variations - VARIATIONS_MAX);
}

/* ---- pages ---- */

static int write_pages(const struct cs_document *document, const char *outdir, struct cs_text *log,
                       struct cs_err *err)
{
    struct cs_text page = {0};
    int rc = cs_files_mkdirs(outdir, err);

    cs_document_html(document, &page);
    if (!rc)
        rc = cs_files_write(outdir, "training.html", &page, err);
    cs_text_free(&page);
    cs_document_markdown(document, &page);
    if (!rc)
        rc = cs_files_write(outdir, "training.md", &page, err);
    if (!rc)
        cs_text_printf(log, "%s/training.html\n%s/training.md\n", outdir, outdir);
    cs_text_free(&page);
    return rc;
}

int cs_report_training(struct cs_store *store, const char *outdir, struct cs_text *log, bool *found,
                       struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_document_free) struct cs_document document = {0};
    void *steps, *cases;
    size_t step_count, case_count = 0;
    int rc = cs_store_read_rows(store,
                                CS_ROWS("training", training_columns, (struct training_step *)0, 0),
                                &arena, &steps, &step_count, err);

    if (!rc)
        rc =
            cs_store_read_rows(store, CS_ROWS("cases", cases_columns, (struct variation_row *)0, 0),
                               &arena, &cases, &case_count, err);
    *found = !rc && (step_count || case_count);
    if (*found) {
        cs_document_begin(&document, "Training steps");
        cs_document_add(&document, CS_BLOCK_ANSWER, "%zu steps and %zu cases of variations.",
                        step_count, case_count);
        add_steps(&(struct training_steps){steps, step_count}, &document);
        add_variations(cases, case_count, &document);
        rc = write_pages(&document, outdir, log, err);
    }
    return rc;
}
