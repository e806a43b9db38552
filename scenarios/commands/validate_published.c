#include "scenarios/commands/validate_published.h"

#include "reports/figures/gnuplot.h"
#include "reports/figures/plot.h"
#include "reports/results/files.h"
#include "reports/results/store.h"
#include "scenarios/commands/published_report.h"
#include "scenarios/commands/published_rows.h"
#include "validate/published/left_out.h"
#include "validate/published/published_figures.h"
#include "validate/published/published_files.h"
#include "validate/published/recorded_score.h"
#include "validate/published/refit.h"

#include <math.h>

/* The effects of a cost model, in the order of enum cs_library_effect. */
static const struct {
    unsigned effect;
    const char *name;
} published_effects[] = {
    {CS_EFFECT_LAUNCH, "launch"},     {CS_EFFECT_STEPS, "steps"},
    {CS_EFFECT_CHANNELS, "channels"}, {CS_EFFECT_FILL, "fill"},
    {CS_EFFECT_CAPS, "caps"},         {CS_EFFECT_PLUGIN, "plugin"},
    {CS_EFFECT_POST, "post"},         {CS_EFFECT_STAGING, "staging"},
};

enum {
    EFFECTS = sizeof(published_effects) / sizeof(*published_effects),
};

/* ---- the choice of tables ---- */

static bool published_wanted(const struct cs_published_table *table,
                             const struct cs_published_request *request,
                             enum cs_machine_class machine_class)
{
    return (!request->class_name || table->machine_class == machine_class) &&
           (!request->library || cs_same(table->library, request->library)) &&
           (!request->site || cs_same(table->site, request->site));
}

/* Keeps the answers of the wanted tables, in order. */
static int published_choose(const struct cs_published_request *request,
                            struct cs_published_view *view, struct cs_err *err)
{
    enum cs_machine_class machine_class = CS_CLASSES;
    struct cs_published *chosen =
        cs_arena_alloc(view->arena, 1, sizeof(*chosen));
    uint32_t all = view->published->count;
    struct cs_published_table *tables =
        cs_arena_alloc(view->arena, all, sizeof(*tables));
    struct cs_published_answer *answers =
        cs_arena_alloc(view->arena, all, sizeof(*answers));
    uint32_t i;

    if (request->class_name &&
        cs_machine_class_find(request->class_name, &machine_class, err))
        return cs_err_prefix(err, "--class");
    for (i = 0; i < all; i++) {
        if (!published_wanted(view->answers[i].table, request, machine_class))
            continue;
        tables[chosen->count] = *view->answers[i].table;
        answers[chosen->count] = view->answers[i];
        answers[chosen->count].table = &tables[chosen->count];
        chosen->row_count += tables[chosen->count].row_count;
        chosen->count++;
    }
    chosen->tables = tables;
    view->published = chosen;
    view->answers = answers;
    return chosen->count > 0
               ? 0
               : cs_err_set(err, CS_ECANNOT,
                            "no published table has the given class, library "
                            "and site");
}

/* ---- the database ---- */

static struct cs_store_comparison published_stored(
    const struct cs_published_answer *answer, uint32_t row)
{
    const struct cs_published_table *table = answer->table;
    const struct cs_published_point *point = &answer->points[row];
    double measured = table->rows[row].time_s;
    double predicted = point->time_s[CS_PREDICTOR_MODEL];

    return (struct cs_store_comparison){
        .gpu = table->gpu,
        .algorithm = point->engine ? point->engine : "",
        .route = cs_machine_class_name(table->machine_class),
        .dtype = "",
        .table = table->id,
        .unknown = answer->unknown ? answer->unknown : "",
        .version = CS_VERSION,
        .ranks = table->ranks,
        .channels = point->channels,
        .bytes = table->rows[row].bytes,
        .measured_s = measured,
        .predicted_s = predicted,
        .closed_form_s = point->time_s[CS_PREDICTOR_RING],
        .bound_s = (double)NAN,
        .error = predicted / measured - 1,
    };
}

static int published_store(const char *path,
                           const struct cs_published_view *view,
                           struct cs_err *err)
{
    struct cs_store_comparison *rows =
        cs_arena_alloc(view->arena, view->published->row_count, sizeof(*rows));
    struct cs_store *store;
    size_t count = 0;
    uint32_t i;
    uint32_t r;
    int code = cs_store_open(path, CS_STORE_CREATE, &store, err);

    for (i = 0; i < view->published->count; i++)
        for (r = 0; r < view->answers[i].table->row_count; r++)
            rows[count++] = published_stored(&view->answers[i], r);
    if (!code)
        code = cs_store_put_comparisons(store, rows, count, err);
    cs_store_close(store);
    return code;
}

/* ---- figures ---- */

/* Without gnuplot the tables are still valid. */
static int published_draw(const char *dir, const struct cs_published_view *view,
                          struct cs_err *err)
{
    struct cs_figures figures = {0};
    struct cs_text log = {0};
    int code = cs_files_mkdirs(dir, err);

    cs_published_figures(view->answers, view->published->count, &figures);
    if (!code)
        code = cs_figures_write(&figures, dir, &log, err);
    fputs(cs_text_str(&log), view->cli->messages);
    cs_text_free(&log);
    cs_figures_free(&figures);
    return code == CS_GNUPLOT_ABSENT ? 0 : code;
}

/* ---- variants ---- */

static struct cs_published_variant published_variant_of(
    const struct cs_published_view *view, const char *group, const char *name,
    const struct cs_published_answer *answers)
{
    struct cs_published_variant variant = {.group = group, .name = name};
    struct cs_published_score *scores;

    variant.count = cs_published_scores(answers, view->published->count,
                                        view->arena, &scores);
    variant.scores = scores;
    return variant;
}

static void published_ablation(const struct cs_published_view *view)
{
    const struct cs_published_machine **machines =
        cs_arena_alloc(view->arena, view->published->count,
                       sizeof(struct cs_published_machine *));
    struct cs_published_variant variants[EFFECTS + 1];
    uint32_t i;
    int k;

    for (i = 0; i < view->published->count; i++)
        machines[i] = view->answers[i].machine;

    variants[0] =
        published_variant_of(view, "with", "all",
                             cs_published_predict(view->published, machines,
                                                  CS_EFFECTS_ALL, view->arena));
    for (k = 0; k < EFFECTS; k++)
        variants[k + 1] = published_variant_of(
            view, "without", published_effects[k].name,
            cs_published_predict(view->published, machines,
                                 CS_EFFECTS_ALL & ~published_effects[k].effect,
                                 view->arena));
    cs_published_print_variants(view, "ablation", variants, EFFECTS + 1);
    if (view->format == CS_FORMAT_TEXT)
        fputs("The shipped parameters with an effect turned off; nothing is "
              "estimated again.\n",
              view->cli->out);
}

static int published_fit(const struct cs_published_view *view,
                         struct cs_err *err)
{
    struct cs_published_variant variants[2 * CS_REFIT_SPLITS];
    struct cs_refit refit;
    uint32_t count = 0;
    int k;

    for (k = 0; k < CS_REFIT_SPLITS; k++) {
        const char *name = cs_refit_split_name((enum cs_refit_split)k);
        int code =
            cs_refit_make(view->answers, view->published->count,
                          (enum cs_refit_split)k, view->arena, &refit, err);

        if (code)
            return code;
        variants[count++] =
            published_variant_of(view, "predicted", name, refit.before);
        variants[count] =
            published_variant_of(view, "fitted", name, refit.after);
        variants[count++].machines = refit.machines;
    }
    cs_published_print_variants(view, "fits", variants, count);
    if (view->format == CS_FORMAT_TEXT)
        fputs(
            "Rows that the fit has not seen, of machines that have such rows: "
            "as predicted (NCCL:\nwithout the site), and with launch, latency "
            "and transfer scaled per machine by a fit\nto the other sizes, a "
            "collective, or fewer nodes.\n",
            view->cli->out);
    return 0;
}

/* ---- the command ---- */

static void published_scores(const struct cs_published_view *view,
                             const struct cs_published_request *request,
                             const struct cs_published_score *scores,
                             uint32_t count)
{
    struct cs_sheet sheet = {0};

    if (view->format != CS_FORMAT_TEXT || request->scores) {
        cs_published_score_sheet(scores, count, &sheet);
        cs_cli_sheet(view->cli, &sheet, view->format);
        cs_sheet_free(&sheet);
        return;
    }
    cs_published_print_scores(view, scores, count);
    fputc('\n', view->cli->out);
    cs_published_print_biases(view);
    fputc('\n', view->cli->out);
    if (request->worst > 0)
        cs_published_print_tables(view, request->worst);
    cs_published_print_summary(view, scores, count);
}

static int published_gate(const struct cs_published_request *request,
                          const struct cs_published_score *scores,
                          uint32_t count, struct cs_arena *arena,
                          struct cs_err *err)
{
    struct cs_recorded_scores recorded;
    int code =
        cs_recorded_scores_open(request->directory, arena, &recorded, err);

    return code ? code
                : cs_recorded_scores_judge(&recorded, scores, count, err);
}

/* Prints one view: programs read one document. */
static int published_print(const struct cs_published_view *view,
                           const struct cs_published_request *request,
                           struct cs_err *err)
{
    struct cs_published_score *scores;
    uint32_t count = cs_published_scores(view->answers, view->published->count,
                                         view->arena, &scores);
    int code = 0;

    if (request->points)
        cs_published_print_points(view);
    else if (request->tables)
        cs_published_print_tables(view, 0);
    else if (request->ablation)
        published_ablation(view);
    else if (request->fit)
        code = published_fit(view, err);
    else
        published_scores(view, request, scores, count);
    if (!code && request->out)
        code = published_draw(request->out, view, err);
    if (!code && request->db)
        code = published_store(request->db, view, err);
    if (!code && request->gated)
        code = published_gate(request, scores, count, view->arena, err);
    return code;
}

/* Answers of all tables.  Parameters without a site are estimated from the
 * tables that the program carries, which the shipped parameters have seen. */
static int published_answer(struct cs_published_view *view, bool builtin,
                            struct cs_err *err)
{
    const struct cs_published *published = view->published;
    struct cs_arena *arena = view->arena;
    struct cs_published_answer *answers =
        cs_published_predict(published, cs_published_machines(published, arena),
                             CS_EFFECTS_ALL, arena);
    struct cs_published_answer *basis_answers = answers;
    struct cs_published basis = *published;

    if (!builtin) {
        int code = cs_published_builtin(arena, &basis, err);

        if (code)
            return code;
        basis_answers =
            cs_published_predict(&basis, cs_published_machines(&basis, arena),
                                 CS_EFFECTS_ALL, arena);
    }
    cs_left_out_predict(basis_answers, basis.count, answers, published->count,
                        arena);
    view->answers = answers;
    return 0;
}

int cs_validate_published(const struct cs_cli *cli,
                          const struct cs_published_request *request,
                          struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_published published;
    struct cs_published_view view = {.cli = cli,
                                     .format = request->format,
                                     .published = &published,
                                     .arena = &arena};
    int code =
        request->directory
            ? cs_published_open(request->directory, &arena, &published, err)
            : cs_published_builtin(&arena, &published, err);

    if (!code)
        code = published_answer(&view, !request->directory, err);
    if (!code)
        code = published_choose(request, &view, err);
    if (!code)
        code = published_print(&view, request, err);
    cs_arena_free(&arena);
    return code;
}
