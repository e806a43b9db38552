#include "scenarios/commands/validate_training.h"

#include "scenarios/commands/training_report.h"
#include "scenarios/train/measured_steps.h"
#include "sim/base/text.h"
#include "validate/training/step_record.h"

/* ---- the choice of a table ---- */

static int training_unknown(const struct cs_steps *steps, const char *name,
                            struct cs_arena *arena, struct cs_err *err)
{
    const char **names =
        cs_arena_alloc(arena, steps->table_count, sizeof(const char *));
    const char *nearest;
    uint32_t i;

    for (i = 0; i < steps->table_count; i++)
        names[i] = steps->tables[i].id;
    nearest = cs_nearest(name, names, steps->table_count);
    return cs_err_set(err, CS_EINPUT,
                      "--table: no table '%.40s'; the nearest "
                      "is '%s'",
                      name, nearest ? nearest : names[0]);
}

/* Rows of a table are together, for series are in the order of tables. */
static int training_choose(const char *name, struct cs_steps *steps,
                           struct cs_arena *arena, struct cs_err *err)
{
    struct cs_step_row *rows =
        cs_arena_alloc(arena, steps->row_count, sizeof(*rows));
    uint32_t count = 0;
    uint32_t i;

    if (!name)
        return 0;
    for (i = 0; i < steps->row_count; i++)
        if (cs_same(steps->rows[i].series->table->id, name))
            rows[count++] = steps->rows[i];
    if (count == 0)
        return training_unknown(steps, name, arena, err);
    steps->rows = rows;
    steps->row_count = count;
    return 0;
}

/* ---- the command ---- */

static void training_print_all(const struct cs_training_view *view,
                               const struct cs_training_request *request,
                               const struct cs_step_score *scores)
{
    struct cs_sheet sheet = {0};

    if (request->points) {
        cs_training_print_points(view);
        return;
    }
    if (view->format != CS_FORMAT_TEXT || request->scores) {
        cs_step_score_sheet(scores, view->steps->table_count, &sheet);
        cs_cli_sheet(view->cli, &sheet, view->format);
        cs_sheet_free(&sheet);
        return;
    }
    cs_training_print_scores(view, scores);
    if (request->worst > 0) {
        fputc('\n', view->cli->out);
        cs_training_print_worst(view, request->worst);
    }
    cs_training_print_summary(view, scores);
}

static int training_gate(const struct cs_training_request *request,
                         const struct cs_step_score *scores, uint32_t count,
                         struct cs_arena *arena, struct cs_err *err)
{
    struct cs_step_records records;
    int code = cs_step_records_open(request->directory, arena, &records, err);

    return code ? code : cs_step_records_judge(&records, scores, count, err);
}

int cs_validate_training(const struct cs_cli *cli,
                         const struct cs_training_request *request,
                         struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_steps steps;
    struct cs_training_view view = {.cli = cli,
                                    .format = request->format,
                                    .steps = &steps,
                                    .arena = &arena};
    const struct cs_step_score *scores;
    int code = cs_steps_open(request->directory, &arena, &steps, err);

    if (!code)
        code = training_choose(request->table, &steps, &arena, err);
    if (!code) {
        struct cs_measured_book book = cs_measured_book_open(&steps, &arena);

        view.answers = cs_measured_predict(&book, NULL, &arena);
        scores = cs_step_scores(&steps, view.answers, &arena);
        training_print_all(&view, request, scores);
        if (request->gated)
            code =
                training_gate(request, scores, steps.table_count, &arena, err);
    }
    cs_arena_free(&arena);
    return code;
}
