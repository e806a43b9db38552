#include "scenarios/published/published.h"

#include "algorithms/libraries/library.h"
#include "scenarios/published/report.h"
#include "sim/base/hint.h"
#include "validate/published/files.h"
#include "validate/published/recorded_score.h"
#include "validate/published/refit.h"

#include <math.h>

/* ---- the choice of tables ---- */

/* The name of the library that tables have: with a profile, its library's. */
static int published_read_profile(struct cs_validate_request *request,
                                  const struct cs_profile **profile, struct cs_arena *arena,
                                  struct cs_err *err)
{
    const struct cs_library *library;
    uint32_t version;
    int code;

    *profile = NULL;
    if (request->in_sample && !(request->library && cs_profile_is_file(request->library)))
        return cs_err_set(err, CS_EINPUT, "--in-sample is for a profile; expected --library FILE");
    if (!request->library || !cs_profile_is_file(request->library))
        return 0;
    code = cs_profile_find(request->library, arena, &library, &version, profile, err);
    if (!code)
        request->library = library->name;
    return code;
}

static bool published_wanted(const struct cs_published_table *table,
                             const struct cs_validate_request *request,
                             enum cs_machine_class machine_class)
{
    return (!request->class_name || table->machine_class == machine_class) &&
           (!request->library || cs_same(table->library, request->library)) &&
           (!request->site || cs_same(table->site, request->site));
}

static bool has_name(const char *const *names, uint32_t count, const char *name)
{
    while (count > 0 && !cs_same(names[count - 1], name))
        count--;
    return count > 0;
}

/* A name that no table and no library has is a slip of the user's. */
static int published_check_names(const struct cs_validate_request *request,
                                 const struct cs_published_view *view, struct cs_err *err)
{
    uint32_t all = view->published->count, site_count = 0;
    const char **sites = cs_arena_alloc(view->arena, all, sizeof(*sites));
    const char **libraries = cs_arena_alloc(view->arena, cs_library_count, sizeof(*libraries));
    bool has_site = !request->site;
    bool has_library = !request->library;

    for (uint32_t i = 0; i < all; i++) {
        const char *site = view->published->tables[i].site;

        has_site = has_site || cs_same(site, request->site);
        if (!has_name(sites, site_count, site))
            sites[site_count++] = site;
    }
    for (size_t i = 0; i < cs_library_count; i++) {
        libraries[i] = cs_libraries[i]->name;
        has_library = has_library || cs_same(libraries[i], request->library);
    }
    if (!has_site)
        return cs_err_set(err, CS_EINPUT, "--site: no publisher '%.40s'%s", request->site,
                          cs_hint_all(request->site, sites, site_count).text);
    if (!has_library)
        return cs_err_set(err, CS_EINPUT, "--library: no library '%.40s'%s", request->library,
                          cs_hint_all(request->library, libraries, cs_library_count).text);
    return 0;
}

/* Keeps the answers of the wanted tables, in order; with a profile, predicted by
 * its values. */
static int published_choose(const struct cs_validate_request *request,
                            const struct cs_profile *profile, struct cs_published_view *view,
                            struct cs_err *err)
{
    enum cs_machine_class machine_class = CS_CLASSES;
    struct cs_published *chosen = cs_arena_alloc(view->arena, 1, sizeof(*chosen));
    uint32_t all = view->published->count;
    struct cs_published_table *tables = cs_arena_alloc(view->arena, all, sizeof(*tables));
    struct cs_published_answer *answers = cs_arena_alloc(view->arena, all, sizeof(*answers));

    if (request->class_name && cs_machine_class_find(request->class_name, &machine_class, err))
        return cs_err_prefix(err, "--class");
    if (published_check_names(request, view, err))
        return err->code;
    for (uint32_t i = 0; i < all; i++) {
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
    if (profile && cs_published_use_profile(answers, chosen->count, profile, request->in_sample,
                                            view->arena, err))
        return err->code;
    return chosen->count > 0
               ? 0
               : cs_err_set(err, CS_ECANNOT,
                            "no published table has the given class, library and site");
}

/* ---- variants ---- */

static struct cs_published_variant published_variant_of(const struct cs_published_view *view,
                                                        const char *group, const char *name,
                                                        const struct cs_published_answer *answers)
{
    struct cs_published_variant variant = {.group = group, .name = name};
    struct cs_published_score *scores;

    variant.count = cs_published_scores(answers, view->published->count, view->arena, &scores);
    variant.scores = scores;
    return variant;
}

/* Whether an effect changes no time of the tables. */
static bool published_is_same(const struct cs_published_answer *a,
                              const struct cs_published_answer *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = 0; r < a[i].table->row_count; r++) {
            double with = a[i].points[r].time_s[CS_PREDICTOR_MODEL];
            double without = b[i].points[r].time_s[CS_PREDICTOR_MODEL];

            if (with != without && !(isnan(with) && isnan(without)))
                return false;
        }
    return true;
}

static void published_print_silent(const struct cs_published_view *view, const bool *silent)
{
    int named = 0;

    for (int k = 0; k < CS_EFFECTS; k++)
        if (silent[k])
            fprintf(view->cli->out, "%s%s", named++ ? ", " : "No table shows ",
                    cs_library_effects[k].name);
    if (named)
        fputs(": switches without a measurement (collsim list settings).\n", view->cli->out);
}

static void published_ablation(const struct cs_published_view *view)
{
    const struct cs_published_machine **machines =
        cs_arena_alloc(view->arena, view->published->count, sizeof(struct cs_published_machine *));
    struct cs_published_variant variants[CS_EFFECTS + 1];
    const struct cs_published_answer *all;
    bool silent[CS_EFFECTS];

    for (uint32_t i = 0; i < view->published->count; i++)
        machines[i] = view->answers[i].machine;

    all = cs_published_predict(view->published, machines, CS_EFFECTS_ALL, view->arena);
    variants[0] = published_variant_of(view, "with", "all", all);
    for (int k = 0; k < CS_EFFECTS; k++) {
        const struct cs_published_answer *without = cs_published_predict(
            view->published, machines, CS_EFFECTS_ALL & ~(1u << k), view->arena);

        silent[k] = published_is_same(all, without, view->published->count);
        variants[k + 1] =
            published_variant_of(view, "without", cs_library_effects[k].name, without);
    }
    cs_published_print_variants(view, "ablation", variants, CS_EFFECTS + 1);
    if (view->format != CS_FORMAT_TEXT)
        return;
    fputs("The shipped parameters with an effect turned off; nothing is estimated again.\n",
          view->cli->out);
    published_print_silent(view, silent);
}

enum {
    FIT_PARTS = 1 + CS_REFIT_SPLITS /* the sites left out, and the fits */
};

static int published_fit(const struct cs_published_view *view, const struct cs_left_out *left,
                         bool gated, struct cs_err *err)
{
    struct cs_published_variant variants[2 * CS_REFIT_SPLITS];
    struct cs_refit refit;
    uint32_t count = 0;

    for (int k = 0; k < CS_REFIT_SPLITS; k++) {
        const char *name = cs_refit_split_name((enum cs_refit_split)k);
        const struct cs_refit_request request = {
            view->answers, view->published->count, (enum cs_refit_split)k, left,
            cs_cli_watch(view->cli, "fitting each machine", (uint32_t)k + 1, FIT_PARTS)};
        int code = cs_refit_make(&request, view->arena, &refit, err);

        if (!code && gated)
            code = cs_refit_judge(&request, &refit, view->arena, err);
        if (code)
            return code;
        variants[count++] = published_variant_of(view, "predicted", name, refit.before);
        variants[count] = published_variant_of(view, "fitted", name, refit.after);
        variants[count++].machines = refit.machines;
    }
    cs_cli_watched(view->cli);
    cs_published_print_variants(view, "fits", variants, count);
    if (view->format == CS_FORMAT_TEXT)
        fputs("Rows that the fit has not seen, of machines that have such rows: as predicted "
              "without\nthe site, and by a fit of the machine's parameters ('collsim fit') to the "
              "other sizes,\nto a collective, or to fewer nodes; far: to other sizes, of machines "
              "whose error\nwithout a fit is above 40 %.\n",
              view->cli->out);
    return 0;
}

/* ---- the command ---- */

/* Scores of the view; `left` is NULL for the program's parameters alone. */
struct published_outcome {
    struct cs_published_score *scores;
    uint32_t count;
    const struct cs_left_out *left;
};

/* Scores of sites left out take seconds: without --leave-out the table shows the
 * recorded ones. */
static void published_recall(const struct cs_published_view *view,
                             const struct published_outcome *outcome)
{
    struct cs_recorded_lines recorded;
    struct cs_err err = {0};

    if (cs_record_open(NULL, &cs_published_record, view->arena, &recorded, &err) == 0)
        cs_recorded_scores_recall(&recorded, outcome->scores, outcome->count);
}

static void published_text(const struct cs_published_view *view,
                           const struct cs_validate_request *request,
                           const struct published_outcome *outcome)
{
    if (!outcome->left && !request->directory)
        published_recall(view, outcome);
    cs_published_print_scores(view, outcome->scores, outcome->count);
    fputc('\n', view->cli->out);
    cs_published_print_biases(view);
    fputc('\n', view->cli->out);
    if (request->worst > 0)
        cs_published_print_tables(view, request->worst);
    cs_published_print_summary(view, outcome->scores, outcome->count, outcome->left != NULL);
    if (outcome->left)
        cs_published_print_intervals(view, outcome->left);
}

static void published_scores(const struct cs_published_view *view,
                             const struct cs_validate_request *request,
                             const struct published_outcome *outcome)
{
    struct cs_sheet sheet = {0};

    if (view->format == CS_FORMAT_TEXT && !request->scores) {
        published_text(view, request, outcome);
        return;
    }
    cs_published_score_sheet(outcome->scores, outcome->count, &sheet);
    cs_cli_sheet_end(view->cli, &sheet, view->format);
}

static int published_gate(const struct cs_validate_request *request,
                          const struct published_outcome *outcome, struct cs_arena *arena,
                          struct cs_err *err)
{
    struct cs_recorded_lines recorded;
    int code = cs_record_open(request->directory, &cs_published_record, arena, &recorded, err);

    if (!code)
        code = cs_recorded_scores_judge(&recorded, outcome->scores, outcome->count, err);
    if (!code && outcome->left && !request->directory)
        code = cs_published_judge_intervals(outcome->left, err);
    return code;
}

/* Prints one view: programs read one document.  Scores are computed again for
 * files and gates, as a printed table may show recorded ones. */
static int published_print(const struct cs_published_view *view,
                           const struct cs_validate_request *request,
                           const struct cs_left_out *left, struct cs_err *err)
{
    struct published_outcome outcome = {.left = request->leave_out ? left : NULL};
    struct cs_err wrong = {0}; /* of the verdicts, whose gate is the last */
    int code = 0;

    outcome.count =
        cs_published_scores(view->answers, view->published->count, view->arena, &outcome.scores);
    if (request->points)
        cs_published_print_points(view);
    else if (request->tables)
        cs_published_print_tables(view, 0);
    else if (request->ablation)
        published_ablation(view);
    else if (request->verdicts)
        cs_published_verdicts(view, left, &wrong);
    else if (request->fit)
        code = published_fit(view, left, request->gated, err);
    else
        published_scores(view, request, &outcome);
    outcome.count =
        cs_published_scores(view->answers, view->published->count, view->arena, &outcome.scores);
    if (!code && request->out)
        code = cs_published_write_left_out(request->out, outcome.left, outcome.scores,
                                           outcome.count, err);
    if (!code && request->gated && (!request->verdicts || request->leave_out))
        code = published_gate(request, &outcome, view->arena, err);
    if (!code && request->gated && wrong.code) {
        *err = wrong;
        code = err->code;
    }
    return code;
}

static int published_check(const struct cs_validate_request *request, struct cs_err *err)
{
    bool filtered = request->class_name || request->library || request->site;

    if (request->estimate && request->leave_out)
        return cs_err_set(err, CS_EINPUT, "--estimate and --leave-out; expected one of them");
    if (request->estimate && filtered)
        return cs_err_set(err, CS_EINPUT,
                          "--estimate uses all tables; expected no --class, --library or --site");
    if (request->gated && filtered)
        return cs_err_set(err, CS_EINPUT,
                          "--gated judges all tables; expected no --class, --library or --site");
    if (request->out && !request->estimate && !request->leave_out)
        return cs_err_set(
            err, CS_EINPUT,
            "--out is for the files of --estimate or --leave-out; expected one of them "
            "with it");
    if (request->leave_out && request->out && filtered)
        return cs_err_set(
            err, CS_EINPUT,
            "--leave-out records all tables; expected no --class, --library or --site with --out");
    return 0;
}

/* Sites are left out of all tables, before the choice of the tables to show.  A
 * fit to a site's own rows starts from parameters that have not seen its other
 * rows. */
static int published_report(struct cs_published_view *view,
                            const struct cs_validate_request *request,
                            const struct cs_profile *profile, struct cs_err *err)
{
    struct cs_left_out left = {0};
    int code = 0;

    view->answers =
        cs_published_predict(view->published, cs_published_machines(view->published, view->arena),
                             CS_EFFECTS_ALL, view->arena);
    if (request->estimate)
        return cs_published_estimate(view, request->out, request->gated, err);
    if (request->leave_out || request->verdicts || (request->fit && !request->directory))
        code = cs_published_leave_out(
            view, cs_cli_watch(view->cli, "leaving out each site", 0, request->fit ? FIT_PARTS : 1),
            &left, err);
    else if (request->directory)
        code = cs_published_mark_unseen(view, err);
    cs_cli_watched(view->cli);
    if (!code)
        code = published_choose(request, profile, view, err);
    return code ? code : published_print(view, request, &left, err);
}

int cs_validate_published(const struct cs_cli *cli, const struct cs_validate_request *request,
                          struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_published published;
    struct cs_published_view view = {
        .cli = cli, .format = request->format, .published = &published, .arena = &arena};
    struct cs_validate_request wanted = *request;
    const struct cs_profile *profile = NULL;
    int code = published_check(request, err);

    if (!code)
        code = published_read_profile(&wanted, &profile, &arena, err);

    if (!code)
        code = request->directory ? cs_published_open(request->directory, &arena, &published, err)
                                  : cs_published_builtin(&arena, &published, err);
    if (!code)
        code = published_report(&view, &wanted, profile, err);
    return code;
}
