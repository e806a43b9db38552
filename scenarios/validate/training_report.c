#include "scenarios/validate/training_report.h"

#include "sim/base/text.h"
#include "validate/training/step_groups.h"

#include <math.h>

static void training_print(const struct cs_training_view *view, struct cs_sheet *sheet)
{
    cs_cli_sheet(view->cli, sheet, view->format);
    cs_sheet_free(sheet);
}

/* ---- scores ---- */

static const struct cs_sheet_column training_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT},
    {"decided_by", "decided", "by", CS_SHEET_TEXT},
    {"served", "rows", NULL, CS_SHEET_COUNT},
    {"mean", "one row", "mean", CS_SHEET_SHARE},
    {"median", "", "median", CS_SHEET_SHARE},
    {"p90", "", "90 %", CS_SHEET_SHARE},
    {"signed", "", "signed", CS_SHEET_SHARE},
    {"beside_mean", "no row", "mean", CS_SHEET_SHARE},
    {"perfect_mean", "perfect", "mean", CS_SHEET_SHARE},
    {"six_nd_mean", "6ND", "mean", CS_SHEET_SHARE},
    {"compact_mean", "compact", "mean", CS_SHEET_SHARE},
    {"found", "fastest", "found", CS_SHEET_TEXT},
    {"compact_found", "by", "compact", CS_SHEET_TEXT},
};

static void training_found(struct cs_sheet *sheet, uint32_t found, uint32_t choices,
                           struct cs_arena *arena)
{
    if (choices > 0)
        cs_sheet_text(sheet, cs_arena_printf(arena, "%u/%u", found, choices));
    else
        cs_sheet_none(sheet);
}

static void training_score_line(const struct cs_training_view *view,
                                const struct cs_step_score *score, struct cs_sheet *sheet)
{
    const struct cs_step_error *one = &score->error[CS_STEP_CALIBRATED];

    cs_sheet_text(sheet, score->table->id);
    cs_sheet_text(sheet, cs_step_decider_name(score->table->decided_by));
    cs_sheet_u64(sheet, score->served);
    cs_sheet_real(sheet, one->mean);
    cs_sheet_real(sheet, one->median);
    cs_sheet_real(sheet, one->p90);
    cs_sheet_real(sheet, one->signed_mean);
    cs_sheet_real(sheet, score->beside.mean);
    cs_sheet_real(sheet, score->error[CS_STEP_BY_PERFECT].mean);
    cs_sheet_real(sheet, score->error[CS_STEP_BY_SIX_ND].mean);
    cs_sheet_real(sheet, score->error[CS_STEP_BY_COMPACT].mean);
    training_found(sheet, score->found, score->choices, view->arena);
    training_found(sheet, score->compact_found, score->choices, view->arena);
}

static const struct cs_sheet_column unserved_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT},
    {"rows", "rows", NULL, CS_SHEET_COUNT},
    {"reason", "not predicted", NULL, CS_SHEET_TEXT},
};

/* Rows of a table with the reason of row `first`; 0 where an earlier row has the
 * same. */
static uint32_t training_reason_rows(const struct cs_training_view *view, uint32_t first)
{
    const struct cs_step_row *rows = view->steps->rows;
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < view->steps->row_count; i++)
        if (rows[i].series->table == rows[first].series->table && view->answers[i].unserved &&
            cs_same(view->answers[i].unserved, view->answers[first].unserved)) {
            if (i < first)
                return 0;
            count++;
        }
    return count;
}

static void training_print_unserved(const struct cs_training_view *view)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    cs_sheet_begin(&sheet, "unserved", unserved_columns,
                   sizeof(unserved_columns) / sizeof(*unserved_columns));
    for (i = 0; i < view->steps->row_count; i++) {
        uint32_t rows = view->answers[i].unserved ? training_reason_rows(view, i) : 0;

        if (rows == 0)
            continue;
        cs_sheet_text(&sheet, view->steps->rows[i].series->table->id);
        cs_sheet_u64(&sheet, rows);
        cs_sheet_text(&sheet, view->answers[i].unserved);
    }
    training_print(view, &sheet);
}

/* No line where the error has no row. */
static void training_error_line(const struct cs_step_score *score,
                                const struct cs_step_error *error, struct cs_sheet *sheet)
{
    if (error->rows == 0)
        return;
    cs_sheet_text(sheet, score->table->id);
    cs_sheet_u64(sheet, error->rows);
    cs_sheet_real(sheet, error->mean);
    cs_sheet_real(sheet, error->median);
    cs_sheet_real(sheet, error->p90);
    cs_sheet_real(sheet, error->signed_mean);
}

static const struct cs_sheet_column alone_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT},
    {"rows", "rows", NULL, CS_SHEET_COUNT},
    {"mean", "no row, all", "mean", CS_SHEET_SHARE},
    {"median", "", "median", CS_SHEET_SHARE},
    {"p90", "", "90 %", CS_SHEET_SHARE},
    {"signed", "", "signed", CS_SHEET_SHARE},
};

/* Errors from machine, model and degrees alone. */
static void training_print_alone(const struct cs_training_view *view,
                                 const struct cs_step_score *scores)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    cs_sheet_begin(&sheet, "alone", alone_columns, sizeof(alone_columns) / sizeof(*alone_columns));
    for (i = 0; i < view->steps->table_count; i++)
        training_error_line(&scores[i], &scores[i].error[CS_STEP_PLAIN], &sheet);
    training_print(view, &sheet);
}

static const struct cs_sheet_column memory_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT},    {"rows", "rows", NULL, CS_SHEET_COUNT},
    {"mean", "memory", "mean", CS_SHEET_SHARE}, {"median", "", "median", CS_SHEET_SHARE},
    {"p90", "", "90 %", CS_SHEET_SHARE},        {"signed", "", "signed", CS_SHEET_SHARE},
};

static void training_print_memory(const struct cs_training_view *view,
                                  const struct cs_step_score *scores)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    cs_sheet_begin(&sheet, "memory", memory_columns,
                   sizeof(memory_columns) / sizeof(*memory_columns));
    for (i = 0; i < view->steps->table_count; i++)
        training_error_line(&scores[i], &scores[i].memory, &sheet);
    training_print(view, &sheet);
}

void cs_training_print_scores(const struct cs_training_view *view,
                              const struct cs_step_score *scores)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    cs_sheet_begin(&sheet, "tables", training_columns,
                   sizeof(training_columns) / sizeof(*training_columns));
    for (i = 0; i < view->steps->table_count; i++)
        if (scores[i].rows > 0)
            training_score_line(view, &scores[i], &sheet);
    training_print(view, &sheet);
    fputc('\n', view->cli->out);
    training_print_alone(view, scores);
    fputc('\n', view->cli->out);
    training_print_memory(view, scores);
    fputc('\n', view->cli->out);
    training_print_unserved(view);
}

/* ---- rows ---- */

static const struct cs_sheet_column point_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT},
    {"model", "model", NULL, CS_SHEET_TEXT},
    {"machine", "machine", NULL, CS_SHEET_TEXT},
    {"framework", "framework", NULL, CS_SHEET_TEXT},
    {"method", "method", NULL, CS_SHEET_TEXT},
    {"precision", "precision", NULL, CS_SHEET_TEXT},
    {"sequence", "sequence", NULL, CS_SHEET_COUNT},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT},
    {"tensor", "tp", NULL, CS_SHEET_COUNT},
    {"pipeline", "pp", NULL, CS_SHEET_COUNT},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT},
    {"context", "cp", NULL, CS_SHEET_COUNT},
    {"data", "dp", NULL, CS_SHEET_COUNT},
    {"micro_batch", "micro", "batch", CS_SHEET_COUNT},
    {"accumulation", "micro", "batches", CS_SHEET_COUNT},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS},
    {"predicted_s", "one row", NULL, CS_SHEET_SECONDS},
    {"plain_s", "no row", NULL, CS_SHEET_SECONDS},
    {"perfect_s", "perfect", NULL, CS_SHEET_SECONDS},
    {"six_nd_s", "6ND", NULL, CS_SHEET_SECONDS},
    {"compact_s", "compact", NULL, CS_SHEET_SECONDS},
    {"error", "error", NULL, CS_SHEET_SHARE},
    {"calibrates", "calibrates", NULL, CS_SHEET_BOOL},
    {"unserved", "not predicted", NULL, CS_SHEET_TEXT},
    {"memory_bytes", "memory", "measured", CS_SHEET_BYTES},
    {"predicted_memory_bytes", "", "predicted", CS_SHEET_BYTES},
};

static void training_memory(double bytes, struct cs_sheet *sheet)
{
    if (bytes > 0)
        cs_sheet_u64(sheet, (uint64_t)bytes);
    else
        cs_sheet_none(sheet);
}

static void training_degrees(const struct cs_step_row *row, struct cs_sheet *sheet)
{
    cs_sheet_u64(sheet, row->series->sequence);
    cs_sheet_u64(sheet, row->gpus);
    cs_sheet_u64(sheet, row->tensor);
    cs_sheet_u64(sheet, row->pipeline);
    cs_sheet_u64(sheet, row->chunks);
    cs_sheet_u64(sheet, row->context);
    cs_sheet_u64(sheet, row->data);
    cs_sheet_u64(sheet, row->micro_batch);
    cs_sheet_u64(sheet, row->accumulation);
}

static void training_point(const struct cs_step_row *row, const struct cs_step_answer *answer,
                           struct cs_sheet *sheet)
{
    double measured = cs_step_measured_s(row);
    int k;

    cs_sheet_text(sheet, row->series->table->id);
    cs_sheet_text(sheet, row->series->model);
    cs_sheet_text(sheet, row->series->machine->name);
    cs_sheet_text(sheet, row->series->framework);
    cs_sheet_text(sheet, row->series->method);
    cs_sheet_text(sheet, cs_precision_names[row->series->precision]);
    training_degrees(row, sheet);
    cs_sheet_real(sheet, measured);
    for (k = 0; k < CS_STEP_PREDICTORS; k++)
        cs_sheet_real(sheet, answer->predicted_s[k]);
    cs_sheet_real(sheet, answer->predicted_s[CS_STEP_CALIBRATED] / measured - 1);
    cs_sheet_bool(sheet, answer->calibrates);
    cs_sheet_text(sheet, answer->unserved ? answer->unserved : "");
    training_memory(row->memory_bytes, sheet);
    training_memory(answer->memory_bytes, sheet);
}

static void training_points_begin(struct cs_sheet *sheet, const char *name)
{
    cs_sheet_begin(sheet, name, point_columns, sizeof(point_columns) / sizeof(*point_columns));
}

void cs_training_print_points(const struct cs_training_view *view)
{
    struct cs_sheet sheet = {0};
    uint32_t i;

    training_points_begin(&sheet, "points");
    for (i = 0; i < view->steps->row_count; i++)
        training_point(&view->steps->rows[i], &view->answers[i], &sheet);
    training_print(view, &sheet);
}

void cs_training_print_worst(const struct cs_training_view *view, uint32_t most)
{
    struct cs_sheet sheet = {0};
    uint32_t *rows;
    uint32_t count = cs_step_worst(view->steps, view->answers, view->arena, &rows);
    uint32_t i;

    training_points_begin(&sheet, "worst");
    for (i = 0; i < count && i < most; i++)
        training_point(&view->steps->rows[rows[i]], &view->answers[rows[i]], &sheet);
    training_print(view, &sheet);
}

/* ---- sentences ---- */

/* What a model of the network can win, and what compute alone decides. */
static void training_print_decided(const struct cs_training_view *view,
                                   const struct cs_step_score *scores)
{
    uint32_t d;
    uint32_t i;

    for (d = 0; d < CS_STEP_DECIDERS; d++) {
        double sum = 0;
        double best_sum = 0;
        uint32_t tables = 0;

        for (i = 0; i < view->steps->table_count; i++) {
            const struct cs_step_error *error = scores[i].error;

            if (scores[i].table->decided_by != d || error[CS_STEP_CALIBRATED].rows == 0)
                continue;
            sum += error[CS_STEP_CALIBRATED].mean;
            best_sum += fmin(fmin(error[CS_STEP_BY_PERFECT].mean, error[CS_STEP_BY_SIX_ND].mean),
                             error[CS_STEP_BY_COMPACT].mean);
            tables++;
        }
        if (tables > 0)
            fprintf(view->cli->out,
                    "Decided by %s: %u tables, mean %.1f %%, best baseline of each %.1f %%.\n",
                    cs_step_decider_name(d), tables, 100 * sum / tables, 100 * best_sum / tables);
    }
}

/* Tables whose errors are of a fit in part. */
static void training_print_fitted(const struct cs_training_view *view)
{
    for (uint32_t i = 0; i < view->steps->table_count; i++) {
        const struct cs_step_table *table = &view->steps->tables[i];

        if (table->fitted[0])
            fprintf(view->cli->out, "%s is fitted in part: %s.\n", table->id, table->fitted);
    }
}

/* What no model can predict: runs of equal inputs differ. */
static void training_print_repeats(const struct cs_training_view *view,
                                   const struct cs_step_score *scores)
{
    bool first = true;

    for (uint32_t i = 0; i < view->steps->table_count; i++) {
        const struct cs_step_error *repeated = &scores[i].repeated;

        if (repeated->rows == 0)
            continue;
        if (first)
            fprintf(view->cli->out, "Rows with equal inputs differ from their mean by:\n");
        first = false;
        fprintf(view->cli->out, "  %-21s %.1f %% (%u rows; 90 %%: %.1f %%)\n", scores[i].table->id,
                100 * repeated->mean, repeated->rows, 100 * repeated->p90);
    }
}

void cs_training_print_summary(const struct cs_training_view *view,
                               const struct cs_step_score *scores)
{
    uint32_t served = 0;
    uint32_t choices = 0;
    uint32_t found = 0;
    uint32_t compact = 0;
    uint32_t i;

    for (i = 0; i < view->steps->table_count; i++) {
        served += scores[i].served;
        choices += scores[i].choices;
        found += scores[i].found;
        compact += scores[i].compact_found;
    }
    fprintf(view->cli->out,
            "\n%u of %u rows predicted. one row: parameters moved to one measured row per model, "
            "GPU,\nprecision and framework, which is not scored; no row: machine, model and "
            "degrees alone.\n"
            "perfect: the measured row, by FLOPs over GPUs. 6ND: 6 FLOPs per parameter and token "
            "at 45 %%\nof peak. compact: FLOPs at half of peak, tensor-parallel all-reduces, "
            "bubble and data-parallel\n"
            "all-reduce at data-sheet rates.\n",
            served, view->steps->row_count);
    training_print_decided(view, scores);
    training_print_fitted(view);
    training_print_repeats(view, scores);
    if (choices > 0)
        fprintf(view->cli->out,
                "Fastest configuration of a model on a machine among the first three: %u of %u "
                "groups; compact: %u.\n",
                found, choices, compact);
}
