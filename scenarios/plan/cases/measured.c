#include "scenarios/plan/cases/measured.h"

#include "sim/base/order.h"
#include "validate/published/files.h"
#include "validate/training/step_rows.h"

#include <math.h>
#include <string.h>

enum {
    TABLES_MAX = 16 /* of one number of GPUs */
};

static struct cs_arena *arena_of(const struct cs_plan *plan)
{
    return plan->options->train.scenario.arena;
}

/* Points beyond the room are left out. */
static void add_point(struct cs_plan_measured *set, double x, double y)
{
    uint32_t at = set->count;

    if (at == CS_MEASURED_POINTS)
        return;
    for (; at > 0 && set->x[at - 1] > x; --at) {
        set->x[at] = set->x[at - 1];
        set->y[at] = set->y[at - 1];
    }
    set->x[at] = x;
    set->y[at] = y;
    ++set->count;
}

/* ---- collectives ---- */

/* "dgx-h100", or a cluster of such nodes without other parameters. */
static bool is_machine(const struct cs_published_table *table, const char *node)
{
    static const char cluster[] = "cluster:node=";
    size_t length = strlen(node);
    const char *rest;

    if (cs_same(table->topo, node))
        return table->size.topo_ranks == 0;
    if (strncmp(table->topo, cluster, sizeof(cluster) - 1) != 0 ||
        strncmp(table->topo + sizeof(cluster) - 1, node, length) != 0)
        return false;
    rest = table->topo + sizeof(cluster) - 1 + length;
    return !strncmp(rest, ",nodes=", 7) && !strchr(rest + 1, ',');
}

static bool is_comparable(const struct cs_published_table *table, const char *node,
                          const struct cs_collective *collective)
{
    return table->collective == collective && table->health == CS_HEALTH_YES && !*table->engine &&
           is_machine(table, node);
}

/* The time at a size, between the rows' sizes in logarithms; NAN outside. */
static double table_time(const struct cs_published_table *table, uint64_t bytes)
{
    for (uint32_t r = 0; r < table->row_count; ++r) {
        const struct cs_published_row *row = &table->rows[r], *before = row - 1;
        double share;

        if (row->bytes == bytes)
            return row->time_s;
        if (row->bytes < bytes || !r)
            continue;
        if (before->bytes > bytes)
            break;
        share = log((double)bytes / (double)before->bytes) /
                log((double)row->bytes / (double)before->bytes);
        return before->time_s * pow(row->time_s / before->time_s, share);
    }
    return (double)NAN;
}

/* The median over the tables of a call at a number of GPUs; NAN: none. */
static double call_time(const struct cs_published *published, const char *node,
                        const struct cs_mix_call *call, uint32_t gpus)
{
    double times[TABLES_MAX];
    uint32_t count = 0;

    for (uint32_t t = 0; t < published->count && count < TABLES_MAX; ++t) {
        const struct cs_published_table *table = &published->tables[t];
        double time_s;

        if (table->size.ranks != gpus || !is_comparable(table, node, call->collective))
            continue;
        time_s = table_time(table, call->bytes);
        if (isfinite(time_s))
            times[count++] = time_s;
    }
    return count ? cs_quantile(times, count, 0.5) : (double)NAN;
}

static bool is_within(const struct cs_plan *plan, uint32_t gpus)
{
    const struct cs_plan_options *options = plan->options;
    uint32_t least = options->gpus.item[0], most = least;

    for (uint32_t g = 1; g < options->gpus.count; ++g) {
        least = options->gpus.item[g] < least ? options->gpus.item[g] : least;
        most = options->gpus.item[g] > most ? options->gpus.item[g] : most;
    }
    return gpus >= least && gpus <= most;
}

static bool has_point(const struct cs_plan_measured *set, uint32_t gpus)
{
    for (uint32_t i = 0; i < set->count; ++i)
        if (llround(set->x[i]) == gpus)
            return true;
    return false;
}

static uint32_t mix_times(const struct cs_plan *plan, const char *node,
                          struct cs_plan_measured *set)
{
    const struct cs_mix *mix = &plan->options->mix;
    struct cs_published published;
    struct cs_err ignored = {0};

    *set = (struct cs_plan_measured){.name = cs_arena_printf(arena_of(plan), "measured, %s", node)};
    if (cs_published_builtin(arena_of(plan), &published, &ignored))
        return 0;
    for (uint32_t t = 0; t < published.count; ++t) {
        uint32_t gpus = published.tables[t].size.ranks;
        double sum = 0;

        if (!is_within(plan, gpus) || has_point(set, gpus))
            continue;
        for (uint32_t c = 0; c < mix->count; ++c)
            sum += mix->calls[c].count * call_time(&published, node, &mix->calls[c], gpus);
        if (isfinite(sum))
            add_point(set, gpus, sum);
    }
    return set->count > 0;
}

uint32_t cs_plan_measured_sizes(const struct cs_plan *plan, const char *node, uint32_t gpus,
                                const struct cs_collective *collective,
                                struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    struct cs_published published;
    struct cs_err ignored = {0};
    uint32_t count = 0;

    if (cs_published_builtin(arena_of(plan), &published, &ignored))
        return 0;
    for (uint32_t t = 0; t < published.count && count < CS_MEASURED_SETS; ++t) {
        const struct cs_published_table *table = &published.tables[t];
        struct cs_plan_measured *set = &sets[count];

        if (table->size.ranks != gpus || !is_comparable(table, node, collective))
            continue;
        *set = (struct cs_plan_measured){
            .name = cs_arena_printf(arena_of(plan), "measured, %s", table->site)};
        for (uint32_t r = 0; r < table->row_count; ++r)
            if (table->rows[r].bytes >= 1024)
                add_point(set, (double)table->rows[r].bytes, table->rows[r].time_s);
        count += set->count > 0;
    }
    return count;
}

/* ---- training ---- */

static bool is_model(const struct cs_step_series *series, const struct cs_train_model *model)
{
    const struct cs_transformer *dims = &model->transformer;

    if (!dims->layers)
        return cs_same(series->library_model, model->name);
    return series->shape.layers == dims->layers && series->shape.hidden == dims->hidden &&
           series->shape.heads == dims->heads && series->shape.ffn == dims->ffn &&
           series->shape.vocabulary == dims->vocabulary;
}

/* Samples per second; 0: not published. */
static double row_rate(const struct cs_step_row *row)
{
    if (row->samples_per_s > 0)
        return row->samples_per_s;
    return row->step_s > 0 ? row->global_batch / row->step_s : 0;
}

static bool is_run(const struct cs_plan *plan, const char *node, const struct cs_step_row *row)
{
    return cs_same(row->series->machine->node, node) && is_model(row->series, &plan->setup.model) &&
           is_within(plan, row->gpus) && row_rate(row) > 0;
}

/* Runs of one publication with one sequence and precision. */
static bool is_same_set(const struct cs_step_series *a, const struct cs_step_series *b)
{
    return a->table == b->table && a->machine == b->machine &&
           a->shape.sequence == b->shape.sequence && a->precision == b->precision;
}

/* Keeps the greater rate of a number of GPUs. */
static void keep_best(struct cs_plan_measured *set, uint32_t gpus, double rate)
{
    for (uint32_t i = 0; i < set->count; ++i)
        if (llround(set->x[i]) == gpus) {
            set->y[i] = fmax(set->y[i], rate);
            return;
        }
    add_point(set, gpus, rate);
}

static const char *run_name(const struct cs_plan *plan, const struct cs_step_series *series)
{
    return cs_arena_printf(arena_of(plan), "measured, %s, %s", series->table->publisher,
                           cs_precision_names[series->precision]);
}

/* A run's point; 0: none.  A step counts with the batch and the sequence of the
 * plan. */
typedef double run_fn(const struct cs_plan *plan, const struct cs_step_row *row);

static double gpu_rate(const struct cs_plan *plan, const struct cs_step_row *row)
{
    (void)plan;
    return row_rate(row) / row->gpus;
}

static double step_rate(const struct cs_plan *plan, const struct cs_step_row *row)
{
    return row->step_s > 0 && row->global_batch == plan->options->train.global_batch &&
                   row->series->shape.sequence == plan->setup.model.transformer.sequence
               ? 1 / row->step_s
               : 0;
}

/* The greatest rates of the sets of runs. */
static uint32_t run_rates(const struct cs_plan *plan, const char *node, run_fn *rate_of,
                          struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    const struct cs_step_series *firsts[CS_MEASURED_SETS];
    struct cs_step_data steps;
    struct cs_err ignored = {0};
    uint32_t count = 0;

    if (cs_steps_open(NULL, arena_of(plan), &steps, &ignored))
        return 0;
    for (uint32_t r = 0; r < steps.row_count; ++r) {
        const struct cs_step_row *row = &steps.rows[r];
        double rate = is_run(plan, node, row) ? rate_of(plan, row) : 0;
        uint32_t s = 0;

        if (!(rate > 0))
            continue;
        while (s < count && !is_same_set(firsts[s], row->series))
            ++s;
        if (s == CS_MEASURED_SETS)
            continue;
        if (s == count) {
            firsts[count] = row->series;
            sets[count++] = (struct cs_plan_measured){.name = run_name(plan, row->series)};
        }
        keep_best(&sets[s], row->gpus, rate);
    }
    return count;
}

/* The first machine of the node, a case for each number of GPUs. */
static const struct cs_plan_case *node_cases(const struct cs_plan *plan, const char *node)
{
    uint32_t c = 0;

    while (c + 1 < plan->count && !cs_same(plan->cases[c].node, node))
        ++c;
    return &plan->cases[c];
}

/* The efficiency of the node's cases, between their numbers of GPUs. */
static double efficiency_at(const struct cs_plan *plan, const char *node, double gpus)
{
    const struct cs_plan_case *cases = node_cases(plan, node);
    const struct cs_plan_case *below = NULL, *above = NULL;
    double share;

    for (uint32_t i = 0; i < plan->options->gpus.count; ++i) {
        if (cases[i].refusal)
            continue;
        if (cases[i].gpus <= gpus && (!below || cases[i].gpus > below->gpus))
            below = &cases[i];
        if (cases[i].gpus >= gpus && (!above || cases[i].gpus < above->gpus))
            above = &cases[i];
    }
    if (!below || !above)
        return (double)NAN;
    if (below == above)
        return below->efficiency;
    share = log(gpus / below->gpus) / log((double)above->gpus / below->gpus);
    return below->efficiency + share * (above->efficiency - below->efficiency);
}

static uint32_t best_point(const struct cs_plan_measured *set)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < set->count; ++i)
        if (set->y[i] > set->y[best])
            best = i;
    return best;
}

/* Against the best rate of a GPU, as the cases'.  Sets of one number of GPUs say nothing
 * about scaling. */
static uint32_t run_efficiency(const struct cs_plan *plan, const char *node,
                               struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    uint32_t count = run_rates(plan, node, gpu_rate, sets), kept = 0;

    for (uint32_t s = 0; s < count; ++s) {
        uint32_t best = best_point(&sets[s]);
        double from = efficiency_at(plan, node, sets[s].x[best]) / sets[s].y[best];

        if (sets[s].count < 2 || !isfinite(from))
            continue;
        for (uint32_t i = 0; i < sets[s].count; ++i)
            sets[s].y[i] *= from;
        sets[kept++] = sets[s];
    }
    return kept;
}

/* ---- charts ---- */

uint32_t cs_plan_measured_efficiency(const struct cs_plan *plan, const char *node,
                                     struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    const struct cs_plan_case *cases = node_cases(plan, node), *least = NULL;
    uint32_t count;

    if (!plan->options->mix.count)
        return run_efficiency(plan, node, sets);
    for (uint32_t i = 0; i < plan->options->gpus.count; ++i)
        if (!cases[i].refusal && (!least || cases[i].gpus < least->gpus))
            least = &cases[i];
    count = least ? mix_times(plan, node, sets) : 0;
    for (uint32_t i = 0; count && i < sets->count; ++i)
        sets->y[i] = least->time.time_s / sets->y[i];
    return count;
}

static uint32_t run_times(const struct cs_plan *plan, const char *node,
                          struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    uint32_t count = run_rates(plan, node, step_rate, sets);

    for (uint32_t s = 0; s < count; ++s)
        for (uint32_t i = 0; i < sets[s].count; ++i)
            sets[s].y[i] = 1 / sets[s].y[i];
    return count;
}

uint32_t cs_plan_measured_times(const struct cs_plan *plan, const char *node,
                                struct cs_plan_measured sets[CS_MEASURED_SETS])
{
    return plan->options->mix.count ? mix_times(plan, node, sets) : run_times(plan, node, sets);
}
