#include "scenarios/validate/report.h"

#include "sim/base/text.h"
#include "validate/training/step_score.h"

#include <math.h>

/* ---- scores ---- */

struct score_line {
    const struct cs_step_score *score;
    const char *found, *compact_found; /* "3/4"; NULL: no choice */
};

#define LINE(member)  CS_AT(struct score_line, member)
#define SCORE(member) CS_VIA(struct score_line, score, member)
#define TABLE(member) CS_VIA2(struct score_line, score, table, member)
static const struct cs_sheet_column training_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"decided_by", "decided", "by", CS_SHEET_TEXT, TABLE(decided_by), .words = cs_step_deciders},
    {"served", "rows", NULL, CS_SHEET_COUNT, SCORE(served)},
    {"mean", "one row", "mean", CS_SHEET_SHARE, SCORE(error[CS_STEP_CALIBRATED].mean)},
    {"median", "", "median", CS_SHEET_SHARE, SCORE(error[CS_STEP_CALIBRATED].median)},
    {"p90", "", "90 %", CS_SHEET_SHARE, SCORE(error[CS_STEP_CALIBRATED].p90)},
    {"signed", "", "signed", CS_SHEET_SHARE, SCORE(error[CS_STEP_CALIBRATED].signed_mean)},
    {"beside_mean", "no row", "mean", CS_SHEET_SHARE, SCORE(beside.mean)},
    {"perfect_mean", "perfect", "mean", CS_SHEET_SHARE, SCORE(error[CS_STEP_BY_PERFECT].mean)},
    {"six_nd_mean", "6ND", "mean", CS_SHEET_SHARE, SCORE(error[CS_STEP_BY_SIX_ND].mean)},
    {"compact_mean", "compact", "mean", CS_SHEET_SHARE, SCORE(error[CS_STEP_BY_COMPACT].mean)},
    {"found", "fastest", "found", CS_SHEET_TEXT, LINE(found)},
    {"compact_found", "by", "compact", CS_SHEET_TEXT, LINE(compact_found)},
};

static const char *training_found(uint32_t found, uint32_t choices, struct cs_arena *arena)
{
    return choices > 0 ? cs_arena_printf(arena, "%u/%u", found, choices) : NULL;
}

static struct score_line training_score_line(const struct cs_training_view *view,
                                             const struct cs_step_score *score)
{
    return (struct score_line){
        .score = score,
        .found = training_found(score->found, score->choices, view->arena),
        .compact_found = training_found(score->compact_found, score->choices, view->arena),
    };
}

struct unserved_line {
    const char *table, *reason;
    uint32_t rows;
};

#define AT(member) CS_AT(struct unserved_line, member)
static const struct cs_sheet_column unserved_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, AT(table)},
    {"rows", "rows", NULL, CS_SHEET_COUNT, AT(rows)},
    {"reason", "not predicted", NULL, CS_SHEET_TEXT, AT(reason)},
};

/* Rows of a table with the reason of row `first`; 0 where an earlier row has the
 * same. */
static uint32_t training_reason_rows(const struct cs_training_view *view, uint32_t first)
{
    const struct cs_step_row *rows = view->steps->rows;
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->steps->row_count; i++)
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

    cs_sheet_begin(&sheet, "unserved", CS_COLUMNS(unserved_columns));
    for (uint32_t i = 0; i < view->steps->row_count; i++) {
        uint32_t rows = view->answers[i].unserved ? training_reason_rows(view, i) : 0;

        if (rows == 0)
            continue;
        cs_sheet_row(&sheet, &(struct unserved_line){view->steps->rows[i].series->table->id,
                                                     view->answers[i].unserved, rows});
    }
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

#define PLAIN(member) SCORE(error[CS_STEP_PLAIN].member)
static const struct cs_sheet_column alone_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"rows", "rows", NULL, CS_SHEET_COUNT, PLAIN(rows)},
    {"mean", "no row, all", "mean", CS_SHEET_SHARE, PLAIN(mean)},
    {"median", "", "median", CS_SHEET_SHARE, PLAIN(median)},
    {"p90", "", "90 %", CS_SHEET_SHARE, PLAIN(p90)},
    {"signed", "", "signed", CS_SHEET_SHARE, PLAIN(signed_mean)},
};

static const struct cs_sheet_column memory_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, TABLE(id)},
    {"rows", "rows", NULL, CS_SHEET_COUNT, SCORE(memory.rows)},
    {"mean", "memory", "mean", CS_SHEET_SHARE, SCORE(memory.mean)},
    {"median", "", "median", CS_SHEET_SHARE, SCORE(memory.median)},
    {"p90", "", "90 %", CS_SHEET_SHARE, SCORE(memory.p90)},
    {"signed", "", "signed", CS_SHEET_SHARE, SCORE(memory.signed_mean)},
};

void cs_training_print_scores(const struct cs_training_view *view,
                              const struct cs_step_score *scores)
{
    struct cs_sheet tables = {0}, alone = {0}, memory = {0};

    cs_sheet_begin(&tables, "tables", CS_COLUMNS(training_columns));
    cs_sheet_begin(&alone, "alone", CS_COLUMNS(alone_columns));
    cs_sheet_begin(&memory, "memory", CS_COLUMNS(memory_columns));
    for (uint32_t i = 0; i < view->steps->table_count; i++) {
        struct score_line line = training_score_line(view, &scores[i]);

        if (scores[i].rows)
            cs_sheet_row(&tables, &line);
        if (scores[i].error[CS_STEP_PLAIN].rows)
            cs_sheet_row(&alone, &line);
        if (scores[i].memory.rows)
            cs_sheet_row(&memory, &line);
    }
    cs_cli_sheet_end(view->cli, &tables, view->format);
    fputc('\n', view->cli->out);
    cs_cli_sheet_end(view->cli, &alone, view->format);
    fputc('\n', view->cli->out);
    cs_cli_sheet_end(view->cli, &memory, view->format);
    fputc('\n', view->cli->out);
    training_print_unserved(view);
}

/* ---- rows ---- */

struct training_point_row {
    const struct cs_step_row *row;
    const struct cs_step_series *series;
    const struct cs_step_answer *answer;
    double measured_s, error;
};

#define POINT(member)  CS_AT(struct training_point_row, member)
#define ROW(member)    CS_VIA(struct training_point_row, row, member)
#define SERIES(member) CS_VIA(struct training_point_row, series, member)
#define ANSWER(member) CS_VIA(struct training_point_row, answer, member)
static const struct cs_sheet_column point_columns[] = {
    {"table", "table", NULL, CS_SHEET_TEXT, CS_VIA2(struct training_point_row, series, table, id)},
    {"model", "model", NULL, CS_SHEET_TEXT, SERIES(model)},
    {"machine", "machine", NULL, CS_SHEET_TEXT,
     CS_VIA2(struct training_point_row, series, machine, name)},
    {"framework", "framework", NULL, CS_SHEET_TEXT, SERIES(framework)},
    {"method", "method", NULL, CS_SHEET_TEXT, SERIES(method)},
    {"precision", "precision", NULL, CS_SHEET_TEXT, SERIES(precision), .words = cs_precision_names},
    {"sequence", "sequence", NULL, CS_SHEET_COUNT, SERIES(shape.sequence)},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT, ROW(gpus)},
    {"tensor", "tp", NULL, CS_SHEET_COUNT, ROW(tensor)},
    {"pipeline", "pp", NULL, CS_SHEET_COUNT, ROW(pipeline)},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT, ROW(chunks)},
    {"context", "cp", NULL, CS_SHEET_COUNT, ROW(context)},
    {"data", "dp", NULL, CS_SHEET_COUNT, ROW(data)},
    {"micro_batch", "micro", "batch", CS_SHEET_COUNT, ROW(micro_batch)},
    {"accumulation", "micro", "batches", CS_SHEET_COUNT, ROW(accumulation)},
    {"measured_s", "measured", NULL, CS_SHEET_SECONDS, POINT(measured_s)},
    {"predicted_s", "one row", NULL, CS_SHEET_SECONDS, ANSWER(predicted_s[CS_STEP_CALIBRATED])},
    {"plain_s", "no row", NULL, CS_SHEET_SECONDS, ANSWER(predicted_s[CS_STEP_PLAIN])},
    {"perfect_s", "perfect", NULL, CS_SHEET_SECONDS, ANSWER(predicted_s[CS_STEP_BY_PERFECT])},
    {"six_nd_s", "6ND", NULL, CS_SHEET_SECONDS, ANSWER(predicted_s[CS_STEP_BY_SIX_ND])},
    {"compact_s", "compact", NULL, CS_SHEET_SECONDS, ANSWER(predicted_s[CS_STEP_BY_COMPACT])},
    {"error", "error", NULL, CS_SHEET_SHARE, POINT(error)},
    {"calibrates", "calibrates", NULL, CS_SHEET_BOOL, ANSWER(calibrates)},
    {"unserved", "not predicted", NULL, CS_SHEET_TEXT, ANSWER(unserved), CS_OR_EMPTY},
    {"memory_bytes", "memory", "measured", CS_SHEET_MEMORY, ROW(memory_bytes), CS_IF_POSITIVE},
    {"predicted_memory_bytes", "", "predicted", CS_SHEET_MEMORY, ANSWER(memory_bytes),
     CS_IF_POSITIVE},
    /* The last: left out of text. */
    {"command", "command", NULL, CS_SHEET_TEXT, ANSWER(command), CS_OR_EMPTY},
};

/* Commands are wider than the rest of a line for people. */
static bool training_has_commands(const struct cs_training_view *view)
{
    return view->format != CS_FORMAT_TEXT;
}

static void training_point(const struct cs_training_view *view, uint32_t index,
                           struct cs_sheet *sheet)
{
    const struct cs_step_row *row = &view->steps->rows[index];
    const struct cs_step_answer *answer = &view->answers[index];
    double measured_s = cs_step_measured_s(row);

    cs_sheet_row(sheet, &(struct training_point_row){
                            row, row->series, answer, measured_s,
                            answer->predicted_s[CS_STEP_CALIBRATED] / measured_s - 1});
}

static void training_points_begin(const struct cs_training_view *view, struct cs_sheet *sheet,
                                  const char *name)
{
    size_t columns = sizeof(point_columns) / sizeof(*point_columns);

    cs_sheet_begin(sheet, name, point_columns, columns - !training_has_commands(view));
}

void cs_training_print_points(const struct cs_training_view *view)
{
    struct cs_sheet sheet = {0};

    training_points_begin(view, &sheet, "points");
    for (uint32_t i = 0; i < view->steps->row_count; i++)
        training_point(view, i, &sheet);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

void cs_training_print_worst(const struct cs_training_view *view, uint32_t most)
{
    struct cs_sheet sheet = {0};
    uint32_t *rows;
    uint32_t count = cs_step_worst(view->steps, view->answers, view->arena, &rows);

    training_points_begin(view, &sheet, "worst");
    for (uint32_t i = 0; i < count && i < most; i++)
        training_point(view, rows[i], &sheet);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

/* ---- sentences ---- */

/* What a model of the network can win, and what compute alone decides. */
static void training_print_decided(const struct cs_training_view *view,
                                   const struct cs_step_score *scores)
{
    for (uint32_t d = 0; d < CS_STEP_DECIDERS; d++) {
        double sum = 0;
        double best_sum = 0;
        uint32_t tables = 0;

        for (uint32_t i = 0; i < view->steps->table_count; i++) {
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
                    cs_step_deciders[d], tables, 100 * sum / tables, 100 * best_sum / tables);
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
    uint32_t language = 0;
    uint32_t refused = 0;

    for (uint32_t i = 0; i < view->steps->table_count; i++) {
        served += scores[i].served;
        choices += scores[i].choices;
        found += scores[i].found;
        compact += scores[i].compact_found;
        language += scores[i].language;
        refused += scores[i].refused;
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
    if (language > 0)
        fprintf(view->cli->out, "Of %u jobs of language models %u exceed their device's memory.\n",
                language, refused);
    if (choices > 0)
        fprintf(view->cli->out,
                "Fastest configuration of a model on a machine among the first three: %u of %u "
                "groups; compact: %u.\n",
                found, choices, compact);
}
