#include "validate/gpu/comparison.h"

#include "sim/base/order.h"
#include "sim/base/text.h"
#include "validate/gpu/rates.h"

#include <math.h>
#include <string.h>

/* ---- predictions ---- */

enum {
    TICKS_LEAST = 50, /* of a median, so that a tick is at most 2 % of it */
};

struct card_model {
    struct cs_gpu_model model;
    const char *inputs; /* cs_gpu_model_inputs */
};

struct models {
    struct card_model items[CS_COMPARISON_GPUS_MAX];
    uint32_t count;
};

/* The model of a GPU, made at the GPU's first run: making a model reads all
 * lines. */
static int model_of(const struct cs_measurements *all, const char *card, struct cs_arena *arena,
                    struct models *models, const struct card_model **found, struct cs_err *err)
{
    struct card_model *made;
    int code;

    for (uint32_t i = 0; i < models->count; i++)
        if (cs_same(models->items[i].model.card, card)) {
            *found = &models->items[i];
            return 0;
        }
    if (models->count == CS_COMPARISON_GPUS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d GPUs", CS_COMPARISON_GPUS_MAX);
    *found = made = &models->items[models->count++];
    code = cs_gpu_model_make(all, card, arena, &made->model, err);
    if (code)
        return code;
    made->inputs = cs_gpu_model_inputs(all, &made->model, arena);
    return 0;
}

static struct cs_gpu_query query_of(const struct cs_measured *m)
{
    return (struct cs_gpu_query){
        .algorithm = m->run.algorithm,
        .transport = m->work.transport,
        .servers_on_host = m->run.agents > 0 && cs_same(m->run.servers, "host"),
        .ranks = (uint32_t)m->work.ranks,
        .channels = (uint32_t)m->run.channels,
        .gpus = (uint32_t)m->work.gpus_used,
        .bytes = m->work.bytes,
        .element_bytes = cs_same(m->work.dtype, "fp16") ? 2 : 4,
        .slice_bytes = m->work.slice_bytes,
        .threads = m->work.threads,
        .depth = m->work.depth,
        .table = m->run.table.hash,
        .chunks = (uint32_t)m->run.table.chunks,
        .shards = (uint32_t)m->run.table.shards,
        .slices = (uint32_t)m->run.table.slices,
        .delay_rank = (uint32_t)m->run.delay_rank,
        .delay_s = m->run.delay_s,
    };
}

static const char *transport_of(const struct cs_measured *m, struct cs_arena *arena)
{
    if (m->kind == CS_MEASURED_NCCL)
        return "NCCL";
    if (m->work.gpus_used > 1)
        return cs_arena_printf(arena, "%s, %llu GPUs", m->work.transport,
                               (unsigned long long)m->work.gpus_used);
    if (m->run.agents == 0)
        return m->work.transport;
    return cs_arena_printf(arena, "%s, servers on %s", m->work.transport, m->run.servers);
}

static const char *setup_of(const struct cs_measured *m, struct cs_arena *arena)
{
    const char *transport = transport_of(m, arena);

    return m->run.delay_s > 0 ? cs_arena_printf(arena, "%s, a delayed rank", transport) : transport;
}

/* The time of a run.  The median of a short run is a whole number of ticks; the
 * mean over many runs, which begin anywhere between two ticks, resolves less
 * than a tick.  The middle 80 % exclude runs that were disturbed. */
static double time_of(const struct cs_gpu_model *model, const struct cs_measured *m)
{
    double mean_s = m->spread.middle_s > 0 ? m->spread.middle_s : m->spread.mean_s;

    return mean_s > 0 && m->time_s < TICKS_LEAST * model->tick_s ? mean_s : m->time_s;
}

/* Events are recorded around a launch, so launching explains some difference. */
static bool clocks_differ(const struct cs_gpu_model *model, const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;
    double blocks = (double)((m->work.ranks + m->run.agents) * m->run.channels);
    double launch_s = cs_gpu_launch_s(model, blocks);

    return m->event_s > 0 &&
           fabs(m->event_s - run->time_s) > CS_COMPARISON_CLOCKS * run->time_s + launch_s;
}

/* Fills in the errors of a run with a prediction. */
static void set_errors(const struct cs_measurements *all, const struct cs_measured *m,
                       struct cs_compared *run, double footprint)
{
    run->error = run->predicted.time_s / run->time_s - 1;
    run->factor = expm1(fabs(log1p(run->error)));
    run->registered = cs_registration_find(all, m, run->predicted.time_s, &run->written);
    if (m->work.l2_bytes > 0 && footprint >= CS_COMPARISON_BEYOND * (double)m->work.l2_bytes)
        run->copies = run->predicted.copies_s / run->time_s;
}

/* A bound is a theorem and a time a positive number: a violation is a defect of
 * run, calibration or model, never an error of prediction. */
static int check_errors(const struct cs_measured *m, const struct cs_compared *run,
                        struct cs_err *err)
{
    if (!isfinite(run->error) || !isfinite(run->copies))
        return cs_err_at(err, CS_EANSWER, m->file, m->line,
                         "predicted %g s and measured %g s: the error is not finite",
                         run->predicted.time_s, run->time_s);
    if (run->time_s < run->predicted.bound_s)
        return cs_err_at(
            err, CS_EANSWER, m->file, m->line,
            "measured %g s, less than the lower bound of %g s; the run or the calibration is wrong",
            run->time_s, run->predicted.bound_s);
    return 0;
}

static int comparison_predict(const struct cs_measurements *all, const struct card_model *card,
                              const struct cs_measured *m, struct cs_arena *arena,
                              struct cs_compared *run, struct cs_err *err)
{
    struct cs_gpu_query query = query_of(m);
    struct cs_err why = {0};
    int code = cs_gpu_predict(&card->model, &query, &run->predicted, &why);

    if (code == CS_ECANNOT)
        run->unknown = cs_arena_text(arena, why.text);
    else if (code)
        return cs_err_at(err, code, m->file, m->line, "%s", why.text);
    if (code)
        return 0;
    run->inputs = card->inputs;
    set_errors(all, m, run, cs_gpu_footprint(&query));
    return check_errors(m, run, err);
}

/* Marks a run that an earlier line has measured already, so that a point counts
 * once; the factor is between the two measured times. */
static void note_repeated(const struct cs_comparison *comparison, struct cs_compared *run,
                          struct cs_arena *arena)
{
    const struct cs_measured *m = run->measured;

    for (size_t i = 0; i < comparison->run_count && !run->repeated; i++) {
        const struct cs_compared *before = &comparison->runs[i];

        if (before->unknown || m->kind != CS_MEASURED_RUN || m->failed[0] || m->skipped[0] ||
            m->run.wrong > 0 || !cs_registration_same_run(before->measured, m))
            continue;
        run->repeated = true;
        run->factor = expm1(fabs(log(m->time_s / before->measured->time_s)));
        run->unknown = cs_arena_printf(arena, "measured again: %+.1f %%",
                                       100 * (m->time_s / before->measured->time_s - 1));
    }
}

/* The reason why a line has no comparable time, or NULL. */
static const char *why_not(const struct cs_measured *m, struct cs_arena *arena)
{
    if (m->skipped[0])
        return cs_arena_printf(arena, "skipped: %s", m->skipped);
    if (m->failed[0])
        return cs_arena_printf(arena, "failed: %s", m->failed);
    if (m->run.wrong > 0)
        return cs_arena_printf(arena, "%llu wrong sums", (unsigned long long)m->run.wrong);
    if (m->kind == CS_MEASURED_NCCL)
        return "NCCL, for reference";
    if (m->work.ranks < 2)
        return "a single rank sends nothing";
    if (m->work.runs < CS_COMPARISON_RUNS)
        return cs_arena_printf(arena, "%llu repetitions; at least %d needed",
                               (unsigned long long)m->work.runs, CS_COMPARISON_RUNS);
    return NULL;
}

static int compare_run(const struct cs_measurements *all, const struct cs_measured *m,
                       struct cs_arena *arena, struct models *models,
                       struct cs_comparison *comparison, struct cs_err *err)
{
    const struct card_model *card = NULL;
    struct cs_compared *run;
    int code;

    if (m->kind != CS_MEASURED_RUN && m->kind != CS_MEASURED_NCCL)
        return 0;
    run = &comparison->runs[comparison->run_count];
    *run = (struct cs_compared){.measured = m, .setup = setup_of(m, arena), .time_s = m->time_s};
    note_repeated(comparison, run, arena);
    comparison->run_count++;
    run->skipped = m->skipped[0] != '\0';
    if (!run->unknown)
        run->unknown = why_not(m, arena);
    if (run->unknown)
        return 0;
    code = model_of(all, cs_measured_card(m), arena, models, &card, err);
    if (code)
        return code;
    run->time_s = time_of(&card->model, m);
    run->clocks_differ = clocks_differ(&card->model, run);
    return comparison_predict(all, card, m, arena, run, err);
}

/* ---- the grid ---- */

static bool has_line(const struct cs_comparison *comparison, const struct cs_measured *point)
{
    for (size_t i = 0; i < comparison->run_count; i++)
        if (comparison->runs[i].measured->kind == CS_MEASURED_RUN &&
            cs_registration_same_run(comparison->runs[i].measured, point))
            return true;
    return false;
}

/* Compares planned points with measured lines; a repeated point counts once on
 * both sides. */
static void compare_grid(const struct cs_measurements *all, struct cs_comparison *comparison)
{
    struct cs_comparison_grid *grid = &comparison->grid;

    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *m = &all->items[i];

        if (m->kind != CS_MEASURED_PREDICTED || cs_registration_is_planned(all, i, m))
            continue;
        grid->expected++;
        if (has_line(comparison, m))
            continue;
        grid->missing++;
        if (!grid->example)
            grid->example = m;
    }
    for (size_t i = 0; i < comparison->run_count && grid->expected > 0; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        grid->beside += run->measured->kind == CS_MEASURED_RUN && !run->repeated &&
                        !cs_registration_is_planned(all, all->count, run->measured);
    }
}

/* ---- groups ---- */

static bool is_large(const struct cs_measured *m)
{
    return m->work.bytes >= CS_COMPARISON_LARGE;
}

static bool comparison_belongs(const struct cs_compared *run,
                               const struct cs_comparison_group *group)
{
    return is_large(run->measured) == group->large && cs_same(run->measured->gpu, group->gpu) &&
           cs_same(run->measured->run.algorithm, group->algorithm) &&
           cs_same(run->setup, group->setup);
}

/* The group of a run, appended if new. */
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
        .algorithm = run->measured->run.algorithm,
        .setup = run->setup,
        .large = is_large(run->measured),
    };
    return group;
}

enum figure {
    COPIES,
    ERROR,
    FACTOR,
};

/* Puts a figure of the group's runs into `values` and returns the number of
 * values. */
static uint32_t comparison_collect(const struct cs_comparison *comparison,
                                   const struct cs_comparison_group *group, enum figure figure,
                                   double *values)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++) {
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

static void sum_up(const struct cs_comparison *comparison, struct cs_comparison_group *group,
                   double *values)
{
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (!comparison_belongs(run, group))
            continue;
        group->left_out += run->unknown != NULL;
        group->clocks_differ += run->clocks_differ;
    }
    group->copies_count = comparison_collect(comparison, group, COPIES, values);
    if (group->copies_count > 0)
        group->copies = cs_quantile(values, group->copies_count, 0.5);
    group->count = comparison_collect(comparison, group, ERROR, values);
    if (group->count == 0)
        return;
    group->bias = cs_quantile(values, group->count, 0.5);
    comparison_collect(comparison, group, FACTOR, values);
    group->median = cs_quantile(values, group->count, 0.5);
    group->p90 = cs_quantile(values, group->count, 0.9);
}

int cs_compare(const struct cs_measurements *all, struct cs_arena *arena,
               struct cs_comparison *comparison, struct cs_err *err)
{
    struct models *models = cs_arena_alloc(arena, 1, sizeof(*models));
    double *values = cs_arena_alloc(arena, all->count, sizeof(*values));
    int code = 0;

    *comparison = (struct cs_comparison){0};
    comparison->runs = cs_arena_alloc(arena, all->count, sizeof(*comparison->runs));
    comparison->groups = cs_arena_alloc(arena, all->count, sizeof(*comparison->groups));
    for (size_t i = 0; i < all->count && !code; i++)
        code = compare_run(all, &all->items[i], arena, models, comparison, err);
    if (!code && comparison->run_count == 0)
        code = cs_err_set(err, CS_ECANNOT, "the data has microbenchmarks only, no run to compare");
    if (!code)
        compare_grid(all, comparison);
    for (size_t i = 0; i < comparison->run_count && !code; i++)
        group_of(comparison, &comparison->runs[i]);
    for (size_t i = 0; i < comparison->group_count && !code; i++)
        sum_up(comparison, &comparison->groups[i], values);
    return code;
}

/* A line has nine digits: an equal time differs by less. */
static const double line_digits = 1e-7;

bool cs_registration_same_run(const struct cs_measured *a, const struct cs_measured *b)
{
    return a->work.bytes == b->work.bytes && a->work.ranks == b->work.ranks &&
           (a->run.channels == b->run.channels || !a->run.channels || !b->run.channels) &&
           a->work.slice_bytes == b->work.slice_bytes && a->work.depth == b->work.depth &&
           a->work.threads == b->work.threads && a->work.gpus_used == b->work.gpus_used &&
           a->run.delay_s == b->run.delay_s && a->run.delay_rank == b->run.delay_rank &&
           cs_same(a->work.dtype, b->work.dtype) && cs_same(a->run.table.hash, b->run.table.hash) &&
           cs_same(a->work.transport, b->work.transport) &&
           cs_same(a->run.servers, b->run.servers) && cs_same(a->run.algorithm, b->run.algorithm) &&
           cs_same(cs_measured_card(a), cs_measured_card(b));
}

enum cs_registered cs_registration_find(const struct cs_measurements *all,
                                        const struct cs_measured *run, double time_s,
                                        const struct cs_measured **written)
{
    enum cs_registered registered = CS_REGISTERED_NOT;

    *written = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct cs_measured *line = &all->items[i];

        if (line->kind != CS_MEASURED_PREDICTED || line->run.unknown[0] ||
            !cs_registration_same_run(line, run))
            continue;
        if (fabs(line->time_s - time_s) > line_digits * time_s) {
            if (*written)
                continue;
            registered = CS_REGISTERED_CHANGED;
        } else if (line->date[0] && strcmp(line->date, run->date) <= 0) {
            *written = line;
            return CS_REGISTERED_BEFORE;
        } else {
            registered = CS_REGISTERED_AFTER;
        }
        *written = line;
    }
    return registered;
}

bool cs_registration_is_planned(const struct cs_measurements *all, size_t end,
                                const struct cs_measured *run)
{
    for (size_t i = 0; i < end; i++)
        if (all->items[i].kind == CS_MEASURED_PREDICTED &&
            cs_registration_same_run(&all->items[i], run))
            return true;
    return false;
}
