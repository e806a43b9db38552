#include "reports/figures/report_training.h"

#include "reports/document/document.h"
#include "reports/results/files.h"
#include "reports/results/store/sheet.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_MAX = 1000, /* of a table */
    BARS_MAX = 40,
    VARIATIONS_MAX = 16,
};

/* ---- tables ---- */

/* Columns of `collsim train --db`; those of parts last, in their order. */
enum training_column {
    TRAINING_MODEL,
    TRAINING_MACHINE,
    TRAINING_GPU,
    TRAINING_RANKS,
    TRAINING_SYSTEM,
    TRAINING_PRECISION,
    TRAINING_TENSOR,
    TRAINING_CONTEXT,
    TRAINING_PIPELINE,
    TRAINING_DATA,
    TRAINING_EXPERT,
    TRAINING_CHUNKS,
    TRAINING_MICRO_BATCH,
    TRAINING_ACCUMULATION,
    TRAINING_STATES,
    TRAINING_RECOMPUTE,
    TRAINING_STEP,
    TRAINING_RATE,
    TRAINING_SCALING,
    TRAINING_FLOPS,
    TRAINING_LARGEST,
    TRAINING_MEMORY,
    TRAINING_FITS,
    TRAINING_PARTS,
};

static const struct cs_sheet_column training_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"machine", "machine", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"gpu", "GPU", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"system", "system", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"precision", "precision", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"tensor", "tp", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"context", "cp", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"pipeline", "pp", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"data", "dp", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"expert", "ep", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"accumulation", "times", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"states", "states", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"recompute", "recomputation", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, CS_BY_CELL},
    {"scaling_efficiency", "efficiency", NULL, CS_SHEET_SHARE, CS_BY_CELL},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE, CS_BY_CELL},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"memory_bytes", "memory", NULL, CS_SHEET_BYTES, CS_BY_CELL},
    {"fits", "fits", NULL, CS_SHEET_BOOL, CS_BY_CELL},
    {"forward_s", "forward", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"backward_s", "backward", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"recompute_s", "recompute", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"optimizer_s", "optimizer", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"host_s", "host", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"interference_s", "interference", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"jitter_s", "jitter", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"tensor_s", "tensor parallel", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"expert_s", "experts", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"context_s", "context parallel", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"send_s", "sends", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"data_exposed_s", "data parallel, exposed", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"input_s", "input", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
};

enum cases_column {
    CASES_REQUEST,
    CASES_CASE,
    CASES_MACHINE,
    CASES_SYSTEM,
    CASES_RANKS,
    CASES_STEP,
    CASES_RATE,
    CASES_SCALING,
    CASES_PARTS, /* three */
    CASES_MEMORY = CASES_PARTS + 3,
};

static const struct cs_sheet_column cases_columns[] = {
    {"request", "request", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"case", "case", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"machine", "machine", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"system", "system", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, CS_BY_CELL},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, CS_BY_CELL},
    {"scaling_efficiency", "efficiency", NULL, CS_SHEET_SHARE, CS_BY_CELL},
    {"compute_s", "compute", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"exposed_s", "exposed communication", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS, CS_BY_CELL},
    {"memory_bytes", "memory", NULL, CS_SHEET_BYTES, CS_BY_CELL},
};

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

enum {
    TRAINING_COLUMNS = COUNT(training_columns),
    CASES_COLUMNS = COUNT(cases_columns),
};

static const char *text_of(const struct cs_sheet *sheet, size_t row, size_t column)
{
    const struct cs_sheet_cell *cell = cs_sheet_at(sheet, row, column);

    return cell->known ? cell->is.text : "";
}

static double real_of(const struct cs_sheet *sheet, size_t row, size_t column)
{
    const struct cs_sheet_cell *cell = cs_sheet_at(sheet, row, column);

    return cell->known ? cell->is.real : (double)NAN;
}

static uint64_t count_of(const struct cs_sheet *sheet, size_t row, size_t column)
{
    const struct cs_sheet_cell *cell = cs_sheet_at(sheet, row, column);

    return cell->known ? cell->is.u64 : 0;
}

/* Some rows as a table of the document, from a column on. */
static void add_table(const struct cs_sheet *sheet, size_t first_row, size_t rows,
                      size_t first_column, const char *caption, struct cs_document *document)
{
    size_t columns = sheet->column_count - first_column;
    struct cs_sheet part = {0};
    size_t shown = rows < ROWS_MAX ? rows : ROWS_MAX;

    cs_sheet_begin(&part, sheet->name, sheet->columns + first_column, columns);
    for (size_t r = 0; r < shown; ++r)
        for (size_t c = 0; c < columns; ++c)
            cs_sheet_copy(&part, sheet, first_row + r, first_column + c);
    cs_document_add_table(document, caption, &part);
    if (shown < rows)
        cs_document_add(document, CS_BLOCK_PARAGRAPH, "The first %zu of %zu rows.", shown, rows);
    cs_sheet_free(&part);
}

/* ---- parts of the step ---- */

struct rows {
    size_t first, count;
};

struct parts_chart {
    struct cs_chart chart;
    const char *labels[BARS_MAX];
    double seconds[CS_CHART_SERIES_MAX][BARS_MAX];
};

/* Stacks of `count` columns from `first` on; columns without time are left out. */
static void add_parts(const struct cs_sheet *sheet, struct rows rows, size_t first, size_t count,
                      struct parts_chart *parts, struct cs_document *document)
{
    struct cs_chart *chart = &parts->chart;

    chart->kind = CS_CHART_STACK;
    chart->y_title = "time";
    chart->y_number = CS_CHART_SECONDS;
    chart->categories = parts->labels;
    chart->category_count = (uint32_t)(rows.count < BARS_MAX ? rows.count : BARS_MAX);
    for (size_t p = 0; p < count; ++p) {
        bool is_full = chart->series_count == CS_CHART_SERIES_MAX;
        double *seconds = parts->seconds[chart->series_count - is_full];
        double sum = 0;

        for (uint32_t c = 0; c < chart->category_count; ++c) {
            double each = fmax(real_of(sheet, rows.first + c, first + p), 0);

            seconds[c] = (is_full ? seconds[c] : 0) + each;
            sum += each;
        }
        if (sum > 0 && is_full)
            chart->series[CS_CHART_SERIES_MAX - 1].name = "others";
        else if (sum > 0)
            chart->series[chart->series_count++] =
                (struct cs_chart_series){.name = sheet->columns[first + p].title,
                                         .y = seconds,
                                         .count = chart->category_count};
    }
    cs_document_add_chart(document, chart);
}

/* ---- steps ---- */

/* Of the degrees from context on those above 1. */
static const char *division_of(const struct cs_sheet *sheet, size_t row, struct cs_arena *arena)
{
    static const int more[] = {TRAINING_CONTEXT, TRAINING_EXPERT, TRAINING_CHUNKS};
    const char *division =
        cs_arena_printf(arena, "tp %llu, pp %llu, dp %llu",
                        (unsigned long long)count_of(sheet, row, TRAINING_TENSOR),
                        (unsigned long long)count_of(sheet, row, TRAINING_PIPELINE),
                        (unsigned long long)count_of(sheet, row, TRAINING_DATA));

    for (size_t m = 0; m < COUNT(more); ++m) {
        unsigned long long degree = count_of(sheet, row, more[m]);

        if (degree > 1)
            division = cs_arena_printf(arena, "%s, %s %llu", division,
                                       training_columns[more[m]].title, degree);
    }
    return division;
}

/* Degrees and batches are one column. */
static void add_steps_table(const struct cs_sheet *sheet, struct cs_document *document)
{
    static const int before[] = {TRAINING_MODEL, TRAINING_MACHINE, TRAINING_GPU,
                                 TRAINING_RANKS, TRAINING_SYSTEM,  TRAINING_PRECISION};
    static const int behind[] = {TRAINING_STATES,  TRAINING_RECOMPUTE, TRAINING_STEP,
                                 TRAINING_RATE,    TRAINING_SCALING,   TRAINING_FLOPS,
                                 TRAINING_LARGEST, TRAINING_MEMORY,    TRAINING_FITS};
    struct cs_sheet_column columns[COUNT(before) + 1 + COUNT(behind)];
    struct cs_sheet table = {0};
    size_t count = 0, rows = cs_sheet_rows(sheet);

    for (size_t c = 0; c < COUNT(before); ++c)
        columns[count++] = training_columns[before[c]];
    columns[count++] = (struct cs_sheet_column){"division", "division, micro batch x times", NULL,
                                                CS_SHEET_TEXT, CS_BY_CELL};
    for (size_t c = 0; c < COUNT(behind); ++c)
        columns[count++] = training_columns[behind[c]];
    cs_sheet_begin(&table, "training", columns, count);
    for (size_t r = 0; r < rows && r < ROWS_MAX; ++r) {
        for (size_t c = 0; c < COUNT(before); ++c)
            cs_sheet_copy(&table, sheet, r, (size_t)before[c]);
        cs_sheet_text(
            &table, cs_arena_printf(&document->arena, "%s, %llu x %llu",
                                    division_of(sheet, r, &document->arena),
                                    (unsigned long long)count_of(sheet, r, TRAINING_MICRO_BATCH),
                                    (unsigned long long)count_of(sheet, r, TRAINING_ACCUMULATION)));
        for (size_t c = 0; c < COUNT(behind); ++c)
            cs_sheet_copy(&table, sheet, r, (size_t)behind[c]);
    }
    cs_document_add_table(document, "Step time, throughput and scaling efficiency of each job.",
                          &table);
    if (rows > ROWS_MAX)
        cs_document_add(document, CS_BLOCK_PARAGRAPH, "The first %d of %zu rows.", ROWS_MAX, rows);
    cs_sheet_free(&table);
}

static void add_steps_parts(const struct cs_sheet *sheet, struct cs_document *document)
{
    struct parts_chart parts = {
        .chart = {.caption = "Parts of the steps of the slowest rank, and the whole step.",
                  .x_title = "step"}};
    size_t rows = cs_sheet_rows(sheet);

    for (size_t r = 0; r < rows && r < BARS_MAX; ++r)
        parts.labels[r] =
            cs_arena_printf(&document->arena, "%s, %s, %s, %s", text_of(sheet, r, TRAINING_MODEL),
                            text_of(sheet, r, TRAINING_MACHINE), text_of(sheet, r, TRAINING_SYSTEM),
                            division_of(sheet, r, &document->arena));
    add_parts(sheet, (struct rows){0, rows}, TRAINING_PARTS, TRAINING_COLUMNS - TRAINING_PARTS,
              &parts, document);
}

/* Steps of a curve: one job on different numbers of ranks. */
static bool is_same_curve(const struct cs_sheet *sheet, size_t a, size_t b)
{
    static const int texts[] = {TRAINING_MODEL, TRAINING_GPU, TRAINING_SYSTEM, TRAINING_PRECISION};

    for (size_t t = 0; t < COUNT(texts); ++t)
        if (!cs_same(text_of(sheet, a, texts[t]), text_of(sheet, b, texts[t])))
            return false;
    return count_of(sheet, a, TRAINING_MICRO_BATCH) == count_of(sheet, b, TRAINING_MICRO_BATCH);
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
static void add_scaling(const struct cs_sheet *sheet, size_t column, struct cs_chart *chart,
                        struct cs_document *document)
{
    struct scaling_curve curves[CS_CHART_SERIES_MAX];
    size_t rows = cs_sheet_rows(sheet);

    chart->x_title = "ranks";
    chart->x_log = true;
    for (size_t r = 0; r < rows && chart->series_count < CS_CHART_SERIES_MAX; ++r) {
        struct scaling_curve *curve = &curves[chart->series_count];
        size_t first = 0;

        curve->count = 0;
        while (!is_same_curve(sheet, first, r))
            ++first;
        for (size_t o = r; o < rows && first == r; ++o)
            if (is_same_curve(sheet, r, o))
                add_step(curve, (double)count_of(sheet, o, TRAINING_RANKS),
                         real_of(sheet, o, column));
        if (curve->count < 2)
            continue;
        chart->series[chart->series_count++] = (struct cs_chart_series){
            .name = cs_arena_printf(
                &document->arena, "%s, %s, %s, micro batch %llu", text_of(sheet, r, TRAINING_MODEL),
                text_of(sheet, r, TRAINING_GPU), text_of(sheet, r, TRAINING_SYSTEM),
                (unsigned long long)count_of(sheet, r, TRAINING_MICRO_BATCH)),
            .x = curve->ranks,
            .y = curve->values,
            .count = curve->count};
    }
    if (chart->series_count)
        cs_document_add_chart(document, chart);
}

static void add_steps(const struct cs_sheet *sheet, struct cs_document *document)
{
    struct cs_chart efficiency = {
        .caption = "Samples per second over those of as many devices with the whole model.",
        .y_title = "efficiency",
        .y_number = CS_CHART_SHARE,
        .from_zero = true};
    struct cs_chart time = {.caption = "Time of a step.",
                            .y_title = "time",
                            .y_number = CS_CHART_SECONDS,
                            .y_log = true};

    if (!cs_sheet_rows(sheet))
        return;
    cs_document_add(document, CS_BLOCK_HEADING, "Steps");
    add_steps_table(sheet, document);
    add_steps_parts(sheet, document);
    add_scaling(sheet, TRAINING_SCALING, &efficiency, document);
    add_scaling(sheet, TRAINING_STEP, &time, document);
}

/* ---- cases ---- */

static void add_variation(const struct cs_sheet *sheet, size_t row, size_t rows,
                          struct cs_document *document)
{
    struct parts_chart parts = {
        .chart = {.caption =
                      "Compute, exposed communication and bubble of each case, and their sum.",
                  .x_title = "case"}};

    cs_document_add(document, CS_BLOCK_HEADING, "Variation");
    cs_document_add(document, CS_BLOCK_CODE, "collsim train %s",
                    text_of(sheet, row, CASES_REQUEST));
    add_table(sheet, row, rows, CASES_CASE,
              "Step time, throughput and scaling efficiency of each case.", document);
    for (size_t r = 0; r < rows && r < BARS_MAX; ++r)
        parts.labels[r] = text_of(sheet, row + r, CASES_CASE);
    add_parts(sheet, (struct rows){row, rows}, CASES_PARTS, CASES_MEMORY - CASES_PARTS, &parts,
              document);
}

static void add_variations(const struct cs_sheet *sheet, struct cs_document *document)
{
    size_t rows = cs_sheet_rows(sheet), next, variations = 0;

    for (size_t r = 0; r < rows; r = next) {
        for (next = r + 1; next < rows && cs_same(text_of(sheet, r, CASES_REQUEST),
                                                  text_of(sheet, next, CASES_REQUEST));
             ++next)
            ;
        if (variations++ < VARIATIONS_MAX)
            add_variation(sheet, r, next - r, document);
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
    struct cs_sheet steps = {0}, cases = {0};
    struct cs_document document = {0};
    int rc =
        cs_store_read_sheet(store, "training", training_columns, TRAINING_COLUMNS, &steps, err);

    if (!rc)
        rc = cs_store_read_sheet(store, "cases", cases_columns, CASES_COLUMNS, &cases, err);
    *found = !rc && (steps.cell_count || cases.cell_count);
    if (*found) {
        cs_document_begin(&document, "Training steps");
        cs_document_add(&document, CS_BLOCK_ANSWER, "%zu steps and %zu cases of variations.",
                        cs_sheet_rows(&steps), cs_sheet_rows(&cases));
        add_steps(&steps, &document);
        add_variations(&cases, &document);
        rc = write_pages(&document, outdir, log, err);
    }
    cs_document_free(&document);
    cs_sheet_free(&steps);
    cs_sheet_free(&cases);
    return rc;
}
