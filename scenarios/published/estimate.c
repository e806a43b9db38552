#include "scenarios/published/report.h"

#include "reports/results/files.h"
#include "validate/published/files.h"
#include "validate/published/recorded_score.h"

#include <math.h>
#include <string.h>

/* Largest |ln(program / estimate)| of a gate: three digits are kept, and
 * libraries of mathematics differ in the last bit. */
#define PARAMETER_SLACK 0.02
/* Largest difference of half widths of a gate. */
#define INTERVAL_SLACK 0.03

/* ---- parameters ---- */

struct estimate_line {
    const struct cs_parameter *info;
    double value, change;
};

#define AT(member)   CS_AT(struct estimate_line, member)
#define INFO(member) CS_VIA(struct estimate_line, info, member)
static const struct cs_sheet_column estimate_columns[] = {
    {"parameter", "parameter", NULL, CS_SHEET_TEXT, INFO(name)},
    {"unit", "unit", NULL, CS_SHEET_TEXT, INFO(unit)},
    {"prior", "prior", NULL, CS_SHEET_REAL, INFO(prior)},
    {"program", "in the", "program", CS_SHEET_REAL, INFO(value)},
    {"estimate", "estimate", NULL, CS_SHEET_REAL, AT(value)},
    {"change", "change", NULL, CS_SHEET_SHARE, AT(change)},
};

/* An estimate of a set from the tables of its libraries. */
struct estimate_of_set {
    const struct cs_parameters *set;
    uint32_t tables; /* 0: none for an estimate */
    double values[CS_PARAMETERS_MAX];
};

static void estimate_add_lines(const struct estimate_of_set *of, struct cs_sheet *sheet)
{
    for (uint32_t k = 0; k < of->set->count; k++) {
        const struct cs_parameter *info = &of->set->items[k];

        cs_sheet_row(sheet,
                     &(struct estimate_line){info, of->values[k], of->values[k] / info->value - 1});
    }
}

static void estimate_print(const struct cs_published_view *view, const struct estimate_of_set *sets)
{
    struct cs_sheet sheet = {0};
    uint32_t apart = 0;

    cs_sheet_begin(&sheet, "parameters", CS_COLUMNS(estimate_columns));
    for (uint32_t k = 0; k < CS_ESTIMATE_SETS; k++)
        if (sets[k].tables > 0)
            estimate_add_lines(&sets[k], &sheet);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
    if (view->format != CS_FORMAT_TEXT)
        return;
    for (uint32_t k = 0; k < view->published->count; k++)
        apart += view->published->tables[k].health == CS_HEALTH_YES &&
                 view->published->tables[k].no_estimate[0];
    fputc('\n', view->cli->out);
    for (uint32_t k = 0; k < CS_ESTIMATE_SETS; k++)
        if (sets[k].tables > 0)
            fprintf(view->cli->out, "Estimated from %u healthy tables of %s.\n", sets[k].tables,
                    sets[k].set->libraries);
    fprintf(view->cli->out,
            "%u more are apart, with a reason (no_estimate of tables.csv). --leave-out scores "
            "machines\nthat an estimate has not seen.\n",
            apart);
}

static int estimate_judge(const struct estimate_of_set *of, struct cs_err *err)
{
    for (uint32_t k = 0; of->tables > 0 && k < of->set->count; k++) {
        const struct cs_parameter *info = &of->set->items[k];

        if (!(fabs(log(info->value / of->values[k])) <= PARAMETER_SLACK))
            return cs_err_set(err, CS_EANSWER,
                              "%s: %.3g in the program, %.3g estimated from the tables; 'make "
                              "estimates' records estimates",
                              info->name, info->value, of->values[k]);
    }
    return 0;
}

static int estimate_write(const char *directory, const struct estimate_of_set *of,
                          struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (!of->tables)
        return 0;
    cs_definition_parameters(of->set, of->values, &text);
    return cs_files_write(directory, of->set->file, &text, err);
}

static int estimate_no_table(struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT,
                      "no table for an estimate; expected healthy ones of nccl, rccl, mpi or gloo "
                      "without no_estimate");
}

/* A set without a table is left out. */
static int estimate_set(const struct cs_published_view *view, struct estimate_of_set *of,
                        struct cs_err *err)
{
    struct cs_estimate_rows rows;

    cs_estimate_prepare(view->answers, view->published->count, of->set, view->arena, &rows);
    of->tables = rows.tables;
    return rows.tables > 0 ? cs_estimate_solve(&rows, NULL, of->values, err) : 0;
}

int cs_published_estimate(const struct cs_published_view *view, const char *out, bool gated,
                          struct cs_err *err)
{
    struct estimate_of_set sets[CS_ESTIMATE_SETS] = {0};
    uint32_t tables = 0;
    int code = 0;

    for (uint32_t k = 0; k < CS_ESTIMATE_SETS && !code; k++) {
        sets[k].set = cs_estimate_sets[k];
        code = estimate_set(view, &sets[k], err);
        tables += sets[k].tables;
    }
    if (code || !tables)
        return code ? code : estimate_no_table(err);
    estimate_print(view, sets);
    if (out)
        code = cs_files_mkdirs(out, err);
    for (uint32_t k = 0; out && k < CS_ESTIMATE_SETS && !code; k++)
        code = estimate_write(out, &sets[k], err);
    for (uint32_t k = 0; gated && k < CS_ESTIMATE_SETS && !code; k++)
        code = estimate_judge(&sets[k], err);
    return code;
}

/* ---- sites left out ---- */

int cs_published_leave_out(const struct cs_published_view *view, const struct cs_monitor *monitor,
                           struct cs_left_out *left, struct cs_err *err)
{
    uint32_t tables = 0;
    int code = 0;

    *left = (struct cs_left_out){0};
    for (uint32_t k = 0; k < CS_ESTIMATE_SETS && !code; k++) {
        struct cs_estimate_rows rows;

        cs_estimate_prepare(view->answers, view->published->count, cs_estimate_sets[k], view->arena,
                            &rows);
        tables += rows.tables;
        if (rows.tables > 0)
            code = cs_left_out_make(&rows, k ? NULL : monitor, view->arena, left, err);
    }
    return code || tables ? code : estimate_no_table(err);
}

static bool estimate_knows_site(const struct cs_published *published, const char *site)
{
    for (uint32_t i = 0; i < published->count; i++)
        if (cs_same(published->tables[i].site, site))
            return true;
    return false;
}

int cs_published_mark_unseen(const struct cs_published_view *view, struct cs_err *err)
{
    struct cs_published builtin;
    int code = cs_published_builtin(view->arena, &builtin, err);

    for (uint32_t i = 0; i < view->published->count && !code; i++) {
        const struct cs_published_answer *answer = &view->answers[i];
        bool seen = estimate_knows_site(&builtin, answer->table->site);

        if (seen || !answer->library || !answer->library->parameters)
            continue;
        for (uint32_t r = 0; r < answer->table->row_count; r++) {
            struct cs_published_point *point = &answer->points[r];

            point->time_s[CS_PREDICTOR_LEFT_OUT] = point->time_s[CS_PREDICTOR_MODEL];
            point->left_s[0] = point->launch_s;
            point->left_s[1] = point->latency_s;
            point->left_s[2] = point->transfer_s;
        }
    }
    return code;
}

struct interval_line {
    const char *name;
    double half[CS_NCCL_INTERVAL_SIZES];
};

static const struct cs_sheet_column interval_columns[] = {
    {"class", "half width of ln(time)", NULL, CS_SHEET_TEXT, CS_AT(struct interval_line, name)},
    {"below_64k", "below 64 KiB", NULL, CS_SHEET_REAL, CS_AT(struct interval_line, half[0])},
    {"from_64k", "64 KiB-1 MiB", NULL, CS_SHEET_REAL, CS_AT(struct interval_line, half[1])},
    {"from_1m", "1-64 MiB", NULL, CS_SHEET_REAL, CS_AT(struct interval_line, half[2])},
    {"from_64m", "from 64 MiB", NULL, CS_SHEET_REAL, CS_AT(struct interval_line, half[3])},
};

void cs_published_print_intervals(const struct cs_published_view *view,
                                  const struct cs_left_out *left)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "intervals", CS_COLUMNS(interval_columns));
    for (unsigned k = 0; k < CS_NCCL_INTERVAL_CLASSES; k++) {
        struct interval_line line = {.name = cs_nccl_interval_class_name(k)};

        memcpy(line.half, left->intervals.half[k], sizeof line.half);
        cs_sheet_row(&sheet, &line);
    }
    fputc('\n', view->cli->out);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
    fprintf(view->cli->out,
            "\nEach of %u sites was left out in turn: predicted by parameters estimated from the "
            "tables\nof the others, with half widths of the others.\n",
            left->sites);
}

int cs_published_write_left_out(const char *directory, const struct cs_left_out *left,
                                const struct cs_published_score *scores, uint32_t count,
                                struct cs_err *err)
{
    struct cs_text text = {0};
    struct cs_sheet sheet = {0};
    int code = cs_files_mkdirs(directory, err);

    cs_published_score_sheet(scores, count, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, &text);
    if (!code)
        code = cs_files_write(directory, "score.csv", &text, err);
    cs_text_free(&text);
    cs_sheet_free(&sheet);
    cs_definition_intervals(&left->intervals, &text);
    if (!code)
        code = cs_files_write(directory, "nccl_intervals.def", &text, err);
    cs_text_free(&text);
    return code;
}

int cs_published_judge_intervals(const struct cs_left_out *left, struct cs_err *err)
{
    for (unsigned k = 0; k < CS_NCCL_INTERVAL_CLASSES; k++)
        for (unsigned size = 0; size < CS_NCCL_INTERVAL_SIZES; size++) {
            double is = left->intervals.half[k][size];
            double was = cs_nccl_intervals.half[k][size];

            if (fabs(is - was) > INTERVAL_SLACK)
                return cs_err_set(err, CS_EANSWER,
                                  "half width of %s, %s: %.2f in the program, %.2f by sites left "
                                  "out; 'make estimates' records the widths",
                                  cs_nccl_interval_class_name(k), cs_nccl_interval_size_name(size),
                                  was, is);
        }
    return 0;
}
