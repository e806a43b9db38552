#include "validate/gpu/comparison.h"

#include "sim/base/statistics.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- predictions ---- */

enum {
    TICKS_LEAST = 50, /* of a time, so that a tick is 2 % of it at most */
};

/* Of a GPU, by its newest calibration and, if there are two, by its oldest. */
struct pair {
    struct cs_gpu_model model, again;
    bool twice;
    const char *inputs; /* cs_gpu_model_inputs */
};

struct models {
    struct pair items[CS_COMPARISON_GPUS_MAX];
    uint32_t count;
};

static int model_of(const struct cs_measurements *all, const char *card,
                    struct cs_arena *arena, struct models *models,
                    const struct pair **found, struct cs_err *err)
{
    struct cs_err why = {0};
    struct pair *pair;
    uint32_t i;
    int code;

    for (i = 0; i < models->count; i++)
        if (cs_same(models->items[i].model.card, card)) {
            *found = &models->items[i];
            return 0;
        }
    if (models->count == CS_COMPARISON_GPUS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d GPUs",
                          CS_COMPARISON_GPUS_MAX);
    *found = pair = &models->items[models->count++];
    code = cs_gpu_model_make(all, card, arena, &pair->model, err);
    if (code)
        return code;
    pair->twice =
        !cs_gpu_model_again(all, &pair->model, arena, &pair->again, &why);
    pair->inputs = cs_gpu_model_inputs(all, &pair->model, arena);
    return 0;
}

static struct cs_gpu_query query_of(const struct cs_measured *m)
{
    return (struct cs_gpu_query){
        .algorithm = m->algorithm,
        .transport = m->transport,
        .servers_on_host = m->agents > 0 && cs_same(m->servers, "host"),
        .ranks = (uint32_t)m->ranks,
        .channels = (uint32_t)m->channels,
        .gpus = (uint32_t)m->gpus_used,
        .bytes = m->bytes,
        .element_bytes = cs_same(m->dtype, "fp16") ? 2 : 4,
        .slice_bytes = m->slice_bytes,
        .threads = m->threads,
        .depth = m->depth,
        .table = m->table,
        .chunks = (uint32_t)m->chunks,
        .shards = (uint32_t)m->shards,
        .slices = (uint32_t)m->slices,
    };
}

static const char *setup_of(const struct cs_measured *m, struct cs_arena *arena)
{
    if (m->kind == CS_MEASURED_NCCL)
        return "NCCL";
    if (m->gpus_used > 1)
        return cs_arena_printf(arena, "%s, %llu GPUs", m->transport,
                               (unsigned long long)m->gpus_used);
    if (m->agents == 0)
        return m->transport;
    return cs_arena_printf(arena, "%s, servers on %s", m->transport,
                           m->servers);
}

/* A clock that ticks coarsely tells a short time by its mean over many runs,
 * which begin anywhere between two ticks; without a tenth of them at each end,
 * so that a run that was disturbed does not count. */
static double time_of(const struct cs_gpu_model *model,
                      const struct cs_measured *m)
{
    double mean_s = m->time_middle_s > 0 ? m->time_middle_s : m->time_mean_s;

    return mean_s > 0 && m->time_s < TICKS_LEAST * model->tick_s ? mean_s
                                                                 : m->time_s;
}

/* Events are recorded around a launch. */
static bool clocks_differ(const struct cs_gpu_model *model,
                          const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;
    double blocks = (double)((m->ranks + m->agents) * m->channels);
    double launch_s = cs_gpu_launch_s(model, blocks);

    return m->event_s > 0 && fabs(m->event_s - run->time_s) >
                                 CS_COMPARISON_CLOCKS * run->time_s + launch_s;
}

/* Whether both are of the same program, in the same form.  A size that is skipped
 * because a smaller one was has no channels in its line. */
static bool is_same_run(const struct cs_measured *a,
                        const struct cs_measured *b)
{
    return a->bytes == b->bytes && a->ranks == b->ranks &&
           (a->channels == b->channels || !a->channels || !b->channels) &&
           a->slice_bytes == b->slice_bytes && a->depth == b->depth &&
           a->threads == b->threads && a->gpus_used == b->gpus_used &&
           cs_same(a->dtype, b->dtype) && cs_same(a->table, b->table) &&
           cs_same(a->transport, b->transport) &&
           cs_same(a->servers, b->servers) &&
           cs_same(a->algorithm, b->algorithm) &&
           cs_same(cs_measured_card(a), cs_measured_card(b));
}

/* A line has nine digits. */
static const double line_digits = 1e-7;

/* Sets what was written down of it; of several lines, the one that counts
 * most. */
static void find_written(const struct cs_measurements *all,
                         struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;
    double time_s = run->predicted.time_s;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *written = &all->items[i];

        if (written->kind != CS_MEASURED_PREDICTED || written->unknown[0] ||
            !is_same_run(written, m))
            continue;
        if (fabs(written->time_s - time_s) > line_digits * time_s) {
            if (run->written)
                continue;
            run->registered = CS_REGISTERED_CHANGED;
        } else if (written->date[0] && strcmp(written->date, m->date) <= 0) {
            run->registered = CS_REGISTERED_BEFORE;
            run->written = written;
            return;
        } else {
            run->registered = CS_REGISTERED_AFTER;
        }
        run->written = written;
    }
}

static int comparison_predict(const struct cs_measurements *all,
                              const struct pair *pair,
                              const struct cs_measured *m,
                              struct cs_arena *arena, struct cs_compared *run,
                              struct cs_err *err)
{
    struct cs_gpu_query query = query_of(m);
    struct cs_gpu_prediction again = {0};
    struct cs_err why = {0};
    int code = cs_gpu_predict(&pair->model, &query, &run->predicted, &why);

    if (code == CS_ECANNOT)
        run->unknown = cs_arena_text(arena, why.text);
    else if (code)
        return cs_err_at(err, code, m->file, m->line, "%s", why.text);
    if (code)
        return 0;
    if (pair->twice && !cs_gpu_predict(&pair->again, &query, &again, &why))
        run->again_s = again.time_s;
    run->error = run->predicted.time_s / run->time_s - 1;
    run->factor = expm1(fabs(log1p(run->error)));
    run->inputs = pair->inputs;
    find_written(all, run);
    if (m->l2_bytes > 0 &&
        cs_gpu_footprint(&query) >= CS_COMPARISON_BEYOND * (double)m->l2_bytes)
        run->copies = run->predicted.copies_s / run->time_s;
    if (!isfinite(run->error) || !isfinite(run->copies))
        return cs_err_at(err, CS_EANSWER, m->file, m->line,
                         "%g s are predicted and %g s were measured: the error "
                         "is not finite",
                         run->predicted.time_s, run->time_s);
    if (run->time_s < run->predicted.bound_s)
        return cs_err_at(err, CS_EANSWER, m->file, m->line,
                         "%g s were measured, less than the lower bound of %g "
                         "s; the run or the calibration is wrong",
                         run->time_s, run->predicted.bound_s);
    return 0;
}

/* What was run in one process and again in another counts once. */
static void note_repeated(const struct cs_comparison *comparison,
                          struct cs_compared *run, struct cs_arena *arena)
{
    const struct cs_measured *m = run->measured;
    size_t i;

    for (i = 0; i < comparison->run_count && !run->repeated; i++) {
        const struct cs_compared *before = &comparison->runs[i];

        if (before->unknown || m->kind != CS_MEASURED_RUN || m->failed[0] ||
            m->skipped[0] || m->wrong > 0 || !is_same_run(before->measured, m))
            continue;
        run->repeated = true;
        run->factor = expm1(fabs(log(m->time_s / before->measured->time_s)));
        run->unknown =
            cs_arena_printf(arena, "measured again: %+.1f %%",
                            100 * (m->time_s / before->measured->time_s - 1));
    }
}

/* Why a line is no measurement, or NULL. */
static const char *why_not(const struct cs_measured *m, struct cs_arena *arena)
{
    if (m->skipped[0])
        return cs_arena_printf(arena, "skipped: %s", m->skipped);
    if (m->failed[0])
        return cs_arena_printf(arena, "it failed: %s", m->failed);
    if (m->wrong > 0)
        return cs_arena_printf(arena, "%llu wrong sums",
                               (unsigned long long)m->wrong);
    if (m->kind == CS_MEASURED_NCCL)
        return "NCCL's, for reference";
    if (m->ranks < 2)
        return "one rank has nobody to send to";
    if (m->runs < CS_COMPARISON_RUNS)
        return cs_arena_printf(arena, "%llu runs; %d at least",
                               (unsigned long long)m->runs, CS_COMPARISON_RUNS);
    return NULL;
}

static int compare_run(const struct cs_measurements *all,
                       const struct cs_measured *m, struct cs_arena *arena,
                       struct models *models, struct cs_comparison *comparison,
                       struct cs_err *err)
{
    const struct pair *pair = NULL;
    struct cs_compared *run;
    int code;

    if (m->kind != CS_MEASURED_RUN && m->kind != CS_MEASURED_NCCL)
        return 0;
    run = &comparison->runs[comparison->run_count];
    *run = (struct cs_compared){
        .measured = m, .setup = setup_of(m, arena), .time_s = m->time_s};
    note_repeated(comparison, run, arena);
    comparison->run_count++;
    run->skipped = m->skipped[0] != '\0';
    if (!run->unknown)
        run->unknown = why_not(m, arena);
    if (run->unknown)
        return 0;
    code = model_of(all, cs_measured_card(m), arena, models, &pair, err);
    if (code)
        return code;
    run->time_s = time_of(&pair->model, m);
    run->clocks_differ = clocks_differ(&pair->model, run);
    return comparison_predict(all, pair, m, arena, run, err);
}

/* ---- the grid ---- */

static bool has_line(const struct cs_comparison *comparison,
                     const struct cs_measured *point)
{
    size_t i;

    for (i = 0; i < comparison->run_count; i++)
        if (comparison->runs[i].measured->kind == CS_MEASURED_RUN &&
            is_same_run(comparison->runs[i].measured, point))
            return true;
    return false;
}

/* Whether a line of that kind, before line `end`, is of the same point. */
static bool was_written(const struct cs_measurements *all, size_t end,
                        const struct cs_measured *point)
{
    size_t i;

    for (i = 0; i < end; i++)
        if (all->items[i].kind == CS_MEASURED_PREDICTED &&
            is_same_run(&all->items[i], point))
            return true;
    return false;
}

/* Points that are repeated count once, on both sides. */
static void compare_grid(const struct cs_measurements *all,
                         struct cs_comparison *comparison)
{
    struct cs_comparison_grid *grid = &comparison->grid;
    size_t i;

    for (i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind != CS_MEASURED_PREDICTED || was_written(all, i, m))
            continue;
        grid->expected++;
        if (has_line(comparison, m))
            continue;
        grid->missing++;
        if (!grid->example)
            grid->example = m;
    }
    for (i = 0; i < comparison->run_count && grid->expected > 0; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        grid->beside += run->measured->kind == CS_MEASURED_RUN &&
                        !run->repeated &&
                        !was_written(all, all->count, run->measured);
    }
}

/* ---- groups ---- */

static bool is_large(const struct cs_measured *m)
{
    return m->bytes >= CS_COMPARISON_LARGE;
}

static bool comparison_belongs(const struct cs_compared *run,
                               const struct cs_comparison_group *group)
{
    return is_large(run->measured) == group->large &&
           cs_same(run->measured->gpu, group->gpu) &&
           cs_same(run->measured->algorithm, group->algorithm) &&
           cs_same(run->setup, group->setup);
}

static struct cs_comparison_group *group_of(struct cs_comparison *comparison,
                                            const struct cs_compared *run)
{
    struct cs_comparison_group *group = comparison->groups;
    struct cs_comparison_group *end = group + comparison->group_count;

    while (group < end && !comparison_belongs(run, group))
        group++;
    if (group < end)
        return group;
    comparison->group_count++;
    *group = (struct cs_comparison_group){
        .gpu = run->measured->gpu,
        .algorithm = run->measured->algorithm,
        .setup = run->setup,
        .large = is_large(run->measured),
    };
    return group;
}

static double share_below(double *values, uint32_t count, double share)
{
    struct cs_spread spread;
    double place = share * (count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < count ? below + 1 : below;

    spread = cs_spread_of(values, count); /* sorts them */
    if (share == 0.5)
        return spread.median;
    return values[below] + (place - below) * (values[above] - values[below]);
}

enum figure {
    COPIES,
    ERROR,
    FACTOR,
};

/* Of the runs of a group that have it; how many. */
static uint32_t comparison_collect(const struct cs_comparison *comparison,
                                   const struct cs_comparison_group *group,
                                   enum figure figure, double *values)
{
    uint32_t count = 0;
    size_t i;

    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (run->unknown || !comparison_belongs(run, group) ||
            (figure == COPIES && !(run->copies > 0)))
            continue;
        values[count++] = figure == COPIES   ? run->copies
                          : figure == FACTOR ? run->factor
                                             : run->error;
    }
    return count;
}

static void sum_up(const struct cs_comparison *comparison,
                   struct cs_comparison_group *group, double *values)
{
    size_t i;

    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (!comparison_belongs(run, group))
            continue;
        group->left_out += run->unknown != NULL;
        group->clocks_differ += run->clocks_differ;
    }
    group->copies_count = comparison_collect(comparison, group, COPIES, values);
    if (group->copies_count > 0)
        group->copies = share_below(values, group->copies_count, 0.5);
    group->count = comparison_collect(comparison, group, ERROR, values);
    if (group->count == 0)
        return;
    group->bias = share_below(values, group->count, 0.5);
    comparison_collect(comparison, group, FACTOR, values);
    group->median = share_below(values, group->count, 0.5);
    group->p90 = share_below(values, group->count, 0.9);
}

int cs_compare(const struct cs_measurements *all, struct cs_arena *arena,
               struct cs_comparison *comparison, struct cs_err *err)
{
    struct models *models = cs_arena_alloc(arena, 1, sizeof(*models));
    double *values = cs_arena_alloc(arena, all->count, sizeof(*values));
    size_t i;
    int code = 0;

    *comparison = (struct cs_comparison){0};
    comparison->runs =
        cs_arena_alloc(arena, all->count, sizeof(*comparison->runs));
    comparison->groups =
        cs_arena_alloc(arena, all->count, sizeof(*comparison->groups));
    for (i = 0; i < all->count && !code; i++)
        code = compare_run(all, &all->items[i], arena, models, comparison, err);
    if (!code && comparison->run_count == 0)
        code = cs_err_set(err, CS_ECANNOT,
                          "no run was recorded, only microbenchmarks; there is "
                          "nothing to compare");
    if (!code)
        compare_grid(all, comparison);
    for (i = 0; i < comparison->run_count && !code; i++)
        group_of(comparison, &comparison->runs[i]);
    for (i = 0; i < comparison->group_count && !code; i++)
        sum_up(comparison, &comparison->groups[i], values);
    return code;
}

/* Sources that were changed since the commit are any. */
static bool same_commit(const char *a, const char *b)
{
    return a && b && a[0] && !cs_same(a, "unknown") && !strstr(a, "-dirty") &&
           cs_same(a, b);
}

static void count_left_out(const struct cs_compared *run,
                           struct cs_comparison_summary *sum)
{
    if (run->skipped)
        sum->skipped++;
    else if (run->measured->failed[0])
        sum->failed++;
    else if (run->measured->wrong > 0)
        sum->wrong++;
    else if (run->repeated)
        sum->repeated++;
    else
        sum->other++;
}

static void count_written(const struct cs_compared *run,
                          struct cs_comparison_summary *sum)
{
    sum->registered[run->registered]++;
    if (!run->written)
        return;
    sum->written++;
    sum->same_commit +=
        same_commit(run->written->commit, run->measured->commit);
    sum->same_inputs += cs_same(run->written->inputs, run->inputs);
}

/* Of the times of a point's later lines to its first one's. */
static void sum_repeats(const struct cs_comparison *comparison, double *values,
                        struct cs_comparison_summary *sum)
{
    uint32_t count = 0;
    size_t i;

    for (i = 0; i < comparison->run_count; i++)
        if (comparison->runs[i].repeated)
            values[count++] = comparison->runs[i].factor;
    if (count > 0) {
        sum->repeat_median = share_below(values, count, 0.5);
        sum->repeat_most = values[count - 1];
    }
}

struct cs_comparison_summary cs_comparison_summarize(
    const struct cs_comparison *comparison, struct cs_arena *arena)
{
    struct cs_comparison_summary sum = {0};
    double *noise =
        cs_arena_alloc(arena, comparison->run_count, sizeof(*noise));
    size_t i;

    sum_repeats(comparison, noise, &sum);
    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (run->unknown) {
            count_left_out(run, &sum);
            continue;
        }
        sum.predicted++;
        count_written(run, &sum);
        if (run->again_s > 0)
            noise[sum.twice++] =
                expm1(fabs(log(run->again_s / run->predicted.time_s)));
    }
    if (sum.twice > 0) {
        sum.noise = share_below(noise, sum.twice, 0.5);
        sum.most = noise[sum.twice - 1];
    }
    return sum;
}

/* ---- gates ---- */

static int read_texts(const struct cs_doc *doc, uint32_t gate,
                      struct cs_comparison_group *group, struct cs_err *err)
{
    const struct {
        const char *key;
        const char **text;
    } items[] = {
        {"gpu", &group->gpu},
        {"algorithm", &group->algorithm},
        {"way", &group->setup},
    };
    size_t i;
    int code = 0;

    for (i = 0; i < sizeof(items) / sizeof(*items) && !code; i++) {
        uint32_t node = cs_doc_get(doc, gate, items[i].key);

        if (node == CS_DOC_NONE)
            return cs_doc_err(doc, gate, err, "a gate without '%s'",
                              items[i].key);
        code = cs_doc_want_text(doc, node, items[i].key, items[i].text, err);
    }
    return code;
}

static int read_limits(const struct cs_doc *doc, uint32_t gate,
                       struct cs_comparison_group *group, struct cs_err *err)
{
    uint32_t sizes = cs_doc_get(doc, gate, "sizes");
    uint32_t median = cs_doc_get(doc, gate, "median");
    uint32_t p90 = cs_doc_get(doc, gate, "p90");
    uint32_t runs = cs_doc_get(doc, gate, "runs");
    uint32_t copies = cs_doc_get(doc, gate, "copies");
    const char *text = "";
    int code;

    if (sizes == CS_DOC_NONE || median == CS_DOC_NONE || p90 == CS_DOC_NONE ||
        runs == CS_DOC_NONE)
        return cs_doc_err(doc, gate, err,
                          "a gate has 'sizes', 'runs', 'median' and 'p90'");
    code = cs_doc_want_text(doc, sizes, "sizes", &text, err);
    if (!code && !cs_same(text, "small") && !cs_same(text, "large"))
        code = cs_doc_err(doc, sizes, err,
                          "'sizes' is '%.40s'; expected small or large", text);
    group->large = cs_same(text, "large");
    if (!code)
        code = cs_doc_want_fraction(doc, median, "median", &group->median_gate,
                                    err);
    if (!code)
        code = cs_doc_want_fraction(doc, p90, "p90", &group->p90_gate, err);
    if (!code && copies != CS_DOC_NONE)
        code = cs_doc_want_fraction(doc, copies, "copies", &group->copies_gate,
                                    err);
    if (!code)
        code = cs_doc_want_count(doc, runs, "runs", INT32_MAX,
                                 &group->count_gate, err);
    return code;
}

static int read_gate(const struct cs_doc *doc, uint32_t gate,
                     struct cs_comparison *comparison, struct cs_err *err)
{
    static const char *const keys[] = {"gpu",  "algorithm", "way",
                                       "runs", "sizes",     "median",
                                       "p90",  "copies",    NULL};
    struct cs_comparison_group wanted = {0};
    int code = cs_doc_want_keys(doc, gate, "a gate", keys, err);
    size_t i;

    if (!code)
        code = read_texts(doc, gate, &wanted, err);
    if (!code)
        code = read_limits(doc, gate, &wanted, err);
    for (i = 0; i < comparison->group_count && !code; i++) {
        struct cs_comparison_group *group = &comparison->groups[i];

        if (group->large != wanted.large || !cs_same(group->gpu, wanted.gpu) ||
            !cs_same(group->algorithm, wanted.algorithm) ||
            !cs_same(group->setup, wanted.setup))
            continue;
        if (group->gated)
            return cs_doc_err(doc, gate, err, "a second gate about the same");
        group->gated = true;
        group->median_gate = wanted.median_gate;
        group->p90_gate = wanted.p90_gate;
        group->count_gate = wanted.count_gate;
        group->copies_gate = wanted.copies_gate;
        return 0;
    }
    if (code)
        return code;
    return cs_doc_err(doc, gate, err,
                      "no measurement is what this gate is about");
}

int cs_comparison_gates(struct cs_comparison *comparison, const char *path,
                        struct cs_arena *arena, struct cs_err *err)
{
    static const char *const keys[] = {"gates", NULL};
    struct cs_doc doc;
    uint32_t list;
    uint32_t gate;
    int code = cs_yaml_read_file(cs_arena_text(arena, path), &doc, arena, err);

    if (!code)
        code = cs_doc_want_map(&doc, 0, "a file of gates", err);
    if (!code)
        code = cs_doc_want_keys(&doc, 0, "a file of gates", keys, err);
    if (code)
        return code;
    list = cs_doc_get(&doc, 0, "gates");
    if (list == CS_DOC_NONE)
        return cs_doc_err(&doc, 0, err, "expected 'gates'");
    code = cs_doc_want_list(&doc, list, "'gates'", err);
    if (!code && doc.nodes[list].first == CS_DOC_NONE)
        code = cs_doc_err(&doc, list, err, "'gates' is empty");
    for (gate = code ? CS_DOC_NONE : doc.nodes[list].first;
         gate != CS_DOC_NONE && !code; gate = doc.nodes[gate].next)
        code = cs_doc_want_map(&doc, gate, "a gate", err)
                   ? CS_EINPUT
                   : read_gate(&doc, gate, comparison, err);
    return code;
}

#define COMPLAIN(group, err, code, form, ...)                            \
    cs_err_set(err, code, "%s, %s by %s, %s sizes: " form, (group)->gpu, \
               (group)->algorithm, (group)->setup,                       \
               (group)->large ? "large" : "small", __VA_ARGS__)

static int comparison_judge(const struct cs_comparison_group *group,
                            struct cs_err *err)
{
    if (group->count != group->count_gate)
        return COMPLAIN(group, err, CS_EANSWER,
                        "%u runs are predicted, and the gate is about %u",
                        group->count, group->count_gate);
    if (!(group->median <= group->median_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the median |error| is %.3g %%, more than the gate of "
                        "%.3g %%",
                        100 * group->median, 100 * group->median_gate);
    if (!(group->p90 <= group->p90_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the 90th percentile of |error| is %.3g %%, more than "
                        "the gate of %.3g %%",
                        100 * group->p90, 100 * group->p90_gate);
    if (group->copies_gate > 0 && group->copies_count == 0)
        return COMPLAIN(group, err, CS_EANSWER,
                        "no vectors are %d times L2, and a gate is about "
                        "copies",
                        CS_COMPARISON_BEYOND);
    if (!(group->copies >= group->copies_gate))
        return COMPLAIN(group, err, CS_EANSWER,
                        "the kernel does %.3g %% of plain copies, less than "
                        "the gate of %.3g %%",
                        100 * group->copies, 100 * group->copies_gate);
    return 0;
}

int cs_comparison_judge(const struct cs_comparison *comparison,
                        struct cs_err *err)
{
    size_t i;
    int code = 0;

    for (i = 0; i < comparison->group_count && !code; i++)
        if (comparison->groups[i].gated)
            code = comparison_judge(&comparison->groups[i], err);
    return code;
}

int cs_comparison_sound(const struct cs_comparison *comparison,
                        struct cs_err *err)
{
    size_t i;

    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_measured *m = comparison->runs[i].measured;

        if (m->wrong > 0)
            return cs_err_at(err, CS_EANSWER, m->file, m->line,
                             "this run gave %llu wrong sums",
                             (unsigned long long)m->wrong);
    }
    return 0;
}

int cs_comparison_gated(const struct cs_comparison *comparison,
                        struct cs_err *err)
{
    uint32_t count = 0;
    size_t i;

    for (i = 0; i < comparison->group_count; i++) {
        const struct cs_comparison_group *group = &comparison->groups[i];

        count += group->count;
        if (group->count > 0 && !group->gated)
            return COMPLAIN(group, err, CS_EINPUT,
                            "%u runs, and no gate in gates.yaml", group->count);
        if (group->copies_count > 0 && !(group->copies_gate > 0) &&
            cs_same(group->algorithm, "ring"))
            return COMPLAIN(group, err, CS_EINPUT,
                            "%u runs beside plain copies, and no 'copies' in "
                            "the gate",
                            group->copies_count);
    }
    if (count == 0)
        return cs_err_set(err, CS_EANSWER, "no run could be predicted");
    return 0;
}

/* ---- figures ---- */

static bool same_figure(const struct cs_compared *a,
                        const struct cs_compared *b)
{
    return a->measured->ranks == b->measured->ranks &&
           cs_same(a->measured->gpu, b->measured->gpu) &&
           cs_same(a->measured->algorithm, b->measured->algorithm) &&
           cs_same(a->measured->dtype, b->measured->dtype) &&
           cs_same(a->setup, b->setup);
}

static void begin_figure(const struct cs_compared *run,
                         struct cs_figures *figures)
{
    const struct cs_measured *m = run->measured;
    struct cs_arena arena = {0};

    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name = cs_arena_printf(&arena, "%s-%s-%llu-%s", m->algorithm,
                                    run->setup, (unsigned long long)m->ranks,
                                    m->dtype),
            .title = cs_arena_printf(&arena, "%s, %llu ranks on one %s",
                                     m->algorithm, (unsigned long long)m->ranks,
                                     m->gpu),
            .subtitle = cs_arena_printf(
                &arena, "%s by %s; dashed: closed form; grey: cannot be",
                m->dtype, run->setup),
            .alt = "Measured and predicted time over size",
            .x_title = "vector",
            .y_title = "time",
            .x_axis = CS_AXIS_BYTES,
            .y_axis = CS_AXIS_SECONDS,
            .limit = CS_LIMIT_LOWER,
            .limit_name = "lower bound",
        });
    cs_arena_free(&arena);
}

static void add_points(const struct cs_comparison *comparison, size_t first,
                       struct cs_figures *figures)
{
    size_t i;
    int predicted;

    for (predicted = 0; predicted < 2; predicted++) {
        cs_figures_series(figures, predicted ? "predicted" : "measured");
        for (i = first; i < comparison->run_count; i++) {
            const struct cs_compared *run = &comparison->runs[i];

            if (run->unknown || !same_figure(run, &comparison->runs[first]))
                continue;
            cs_figures_point(
                figures,
                &(struct cs_point){
                    .x = (double)run->measured->bytes,
                    .y = predicted ? run->predicted.time_s : run->time_s,
                    .model_y = predicted ? run->predicted.closed_form_s : NAN,
                    .limit_y = run->predicted.bound_s,
                });
        }
    }
}

void cs_comparison_figures(const struct cs_comparison *comparison,
                           struct cs_figures *figures)
{
    size_t i;
    size_t k;

    for (i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];
        bool first = !run->unknown;

        for (k = 0; k < i && first; k++)
            first = comparison->runs[k].unknown ||
                    !same_figure(run, &comparison->runs[k]);
        if (!first)
            continue;
        begin_figure(run, figures);
        add_points(comparison, i, figures);
    }
}
