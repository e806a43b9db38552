#include "scenarios/validate/report.h"

#include "scenarios/train/score/kernel_estimate.h"
#include "scenarios/train/score/layouts.h"
#include "scenarios/train/score/measured_steps.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "validate/training/step_score.h"

/* ---- the choice of a table ---- */

static int training_unknown(const struct cs_step_data *steps, const char *name,
                            struct cs_arena *arena, struct cs_err *err)
{
    const char **names = cs_arena_alloc(arena, steps->table_count, sizeof(const char *));

    for (uint32_t i = 0; i < steps->table_count; i++)
        names[i] = steps->tables[i].id;
    return cs_err_set(err, CS_EINPUT, "--table: no table '%.40s'%s", name,
                      cs_hint_all(name, names, steps->table_count).text);
}

/* Rows of a table are together, for series are in the order of tables. */
static int training_choose(const char *name, struct cs_step_data *steps, struct cs_arena *arena,
                           struct cs_err *err)
{
    struct cs_step_row *rows = cs_arena_alloc(arena, steps->row_count, sizeof(*rows));
    uint32_t count = 0;

    if (!name)
        return 0;
    for (uint32_t i = 0; i < steps->row_count; i++)
        if (cs_same(steps->rows[i].series->table->id, name))
            rows[count++] = steps->rows[i];
    if (count == 0)
        return training_unknown(steps, name, arena, err);
    steps->rows = rows;
    steps->row_count = count;
    return 0;
}

/* ---- parameters ---- */

struct kernel_estimate {
    const struct cs_kernel_parameter_info *info;
    double value;
};

#define INFO(member) CS_VIA(struct kernel_estimate, info, member)
static const struct cs_sheet_column estimate_columns[] = {
    {"parameter", "parameter", NULL, CS_SHEET_TEXT, INFO(name)},
    {"unit", "unit", NULL, CS_SHEET_TEXT, INFO(unit)},
    {"prior", "prior", NULL, CS_SHEET_REAL, INFO(prior)},
    {"value", "in use", NULL, CS_SHEET_REAL, INFO(value)},
    {"estimate", "estimate", NULL, CS_SHEET_REAL, CS_AT(struct kernel_estimate, value)},
    {"cause", "cause", NULL, CS_SHEET_TEXT, INFO(cause)},
};

static int training_estimate(const struct cs_training_view *view,
                             const struct cs_measured_book *book, struct cs_err *err)
{
    double values[CS_KERNEL_PARAMETERS];
    struct cs_sheet sheet = {0};
    int code = cs_kernel_estimate(book, NULL, CS_KERNEL_ESTIMATE_ROWS, values, err);

    if (code)
        return code;
    cs_sheet_begin(&sheet, "parameters", CS_COLUMNS(estimate_columns));
    for (int k = 0; k < CS_KERNEL_PARAMETERS; k++)
        cs_sheet_row(&sheet, &(struct kernel_estimate){&cs_kernel_parameter_info[k], values[k]});
    cs_cli_sheet_end(view->cli, &sheet, view->format);
    return 0;
}

/* Predicts the rows of a publisher by parameters estimated without its rows. */
static int training_leave_publisher(const struct cs_measured_book *book, const char *publisher,
                                    struct cs_step_answer *answers, struct cs_arena *arena,
                                    struct cs_err *err)
{
    double *values = cs_arena_alloc(arena, CS_KERNEL_PARAMETERS, sizeof(*values));
    const struct cs_step_answer *without;
    int code = cs_kernel_estimate(book, publisher, CS_KERNEL_LEFT_OUT_ROWS, values, err);

    if (code)
        return code;
    without = cs_measured_predict(book, values, arena);
    for (uint32_t i = 0; i < book->steps->row_count; i++)
        if (cs_same(book->steps->rows[i].series->table->publisher, publisher))
            answers[i] = without[i];
    return 0;
}

/* Lists the publishers of tables of configurations, which parameters come from. */
static uint32_t training_publishers(const struct cs_step_data *steps, const char **publishers)
{
    uint32_t found = 0;
    uint32_t i, k;

    for (i = 0; i < steps->table_count; i++) {
        const char *publisher = steps->tables[i].publisher;

        for (k = 0; k < found && !cs_same(publishers[k], publisher); k++)
            ;
        if (k == found && steps->tables[i].kind == CS_STEP_CONFIGURATIONS)
            publishers[found++] = publisher;
    }
    return found;
}

static int training_leave_out(const struct cs_measured_book *book, const struct cs_monitor *monitor,
                              struct cs_step_answer *answers, struct cs_arena *arena,
                              struct cs_err *err)
{
    uint32_t count = book->steps->table_count;
    const char **publishers = cs_arena_alloc(arena, count, sizeof(*publishers));
    uint32_t found = training_publishers(book->steps, publishers);
    int code = 0;

    for (uint32_t i = 0; i < found && !code; i++) {
        (void)cs_monitor_count(monitor, i, found);
        code = training_leave_publisher(book, publishers[i], answers, arena, err);
    }
    return code;
}

/* ---- layouts ---- */

#define LAYOUT(member) CS_AT(struct cs_published_layout, member)
#define ROW(member)    CS_VIA(struct cs_published_layout, row, member)
#define SERIES(member) CS_VIA2(struct cs_published_layout, row, series, member)
static const struct cs_sheet_column layout_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT, SERIES(model)},
    {"precision", "precision", NULL, CS_SHEET_TEXT, SERIES(precision), .words = cs_precision_names},
    {"sequence", "sequence", NULL, CS_SHEET_COUNT, SERIES(shape.sequence)},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT, ROW(gpus)},
    {"published", "published", NULL, CS_SHEET_TEXT, LAYOUT(published)},
    {"first", "auto's first", NULL, CS_SHEET_TEXT, LAYOUT(first)},
    {"place", "place", NULL, CS_SHEET_COUNT, LAYOUT(place), CS_IF_POSITIVE},
    {"loss", "slower", NULL, CS_SHEET_SHARE, LAYOUT(loss)},
};

enum {
    LAYOUTS_FIRST = 3
};

static void training_layouts(const struct cs_training_view *view,
                             const struct cs_measured_book *book)
{
    struct cs_published_layouts layouts = cs_published_layouts_find(book, view->arena);
    struct cs_sheet sheet = {0};
    uint32_t first = 0, among = 0;

    cs_sheet_begin(&sheet, "layouts", CS_COLUMNS(layout_columns));
    for (uint32_t i = 0; i < layouts.count; i++) {
        cs_sheet_row(&sheet, &layouts.items[i]);
        first += layouts.items[i].place == 1;
        among += layouts.items[i].place && layouts.items[i].place <= LAYOUTS_FIRST;
    }
    cs_cli_sheet_end(view->cli, &sheet, view->format);
    if (view->format == CS_FORMAT_TEXT)
        fprintf(view->cli->out,
                "\nOf %u published layouts 'collsim train --system auto' has %u first and %u among "
                "its first three.\n",
                layouts.count, first, among);
}

/* ---- the command ---- */

static void training_print_all(const struct cs_training_view *view,
                               const struct cs_validate_request *request,
                               const struct cs_step_score *scores)
{
    struct cs_sheet sheet = {0};

    if (request->points) {
        cs_training_print_points(view);
        return;
    }
    if (view->format != CS_FORMAT_TEXT || request->scores) {
        cs_step_score_sheet(scores, view->steps->table_count, &sheet);
        cs_cli_sheet_end(view->cli, &sheet, view->format);
        return;
    }
    cs_training_print_scores(view, scores);
    if (request->worst > 0) {
        fputc('\n', view->cli->out);
        cs_training_print_worst(view, request->worst);
    }
    cs_training_print_summary(view, scores);
}

static int training_gate(const struct cs_validate_request *request,
                         const struct cs_step_score *scores, uint32_t count, struct cs_arena *arena,
                         struct cs_err *err)
{
    struct cs_recorded_lines records;
    int code = cs_record_open(request->directory, &cs_training_record, arena, &records, err);

    return code ? code : cs_step_records_judge(&records, scores, count, err);
}

static int training_run(struct cs_training_view *view, const struct cs_validate_request *request,
                        struct cs_err *err)
{
    struct cs_measured_book book = cs_measured_book_open(view->steps, view->arena);
    struct cs_step_answer *answers;
    const struct cs_step_score *scores;
    int code = 0;

    if (request->estimate)
        return training_estimate(view, &book, err);
    if (request->layouts) {
        training_layouts(view, &book);
        return 0;
    }
    answers = cs_measured_predict(&book, NULL, view->arena);
    if (request->leave_out)
        code =
            training_leave_out(&book, cs_cli_watch(view->cli, "leaving out each publisher", 0, 1),
                               answers, view->arena, err);
    cs_cli_watched(view->cli);
    if (code)
        return code;
    view->answers = answers;
    scores = cs_step_scores(view->steps, answers, view->arena);
    training_print_all(view, request, scores);
    return request->gated
               ? training_gate(request, scores, view->steps->table_count, view->arena, err)
               : 0;
}

int cs_validate_training(const struct cs_cli *cli, const struct cs_validate_request *request,
                         struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_step_data steps;
    struct cs_training_view view = {
        .cli = cli, .format = request->format, .steps = &steps, .arena = &arena};
    int code = cs_steps_open(request->directory, &arena, &steps, err);

    if (!code)
        code = training_choose(request->table, &steps, &arena, err);
    if (!code)
        code = training_run(&view, request, err);
    return code;
}
