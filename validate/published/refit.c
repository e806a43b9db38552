#include "validate/published/refit.h"

#include "algorithms/libraries/carried.h"
#include "sim/base/text.h"
#include "sim/engine/progress.h"
#include "validate/fit/fit.h"
#include "validate/published/recorded_score.h"
#include "validate/published/score.h"

#include <math.h>
#include <string.h>

static const char *const refit_split_names[CS_REFIT_SPLITS] = {"sizes", "collective", "nodes",
                                                               "far"};

const char *cs_refit_split_name(enum cs_refit_split split)
{
    return refit_split_names[split];
}

/* ---- rows of training ---- */

/* The tables of a machine. */
struct refit_machine {
    const struct cs_published_answer *answers;
    const struct cs_left_out *left;
    const uint32_t *tables; /* indices */
    uint32_t count;
    enum cs_refit_split split;
    const struct cs_collective *collective; /* of training */
    uint32_t nodes;                         /* most of a table */
};

static bool refit_trains(const struct refit_machine *machine,
                         const struct cs_published_table *table, uint64_t bytes)
{
    switch (machine->split) {
    case CS_REFIT_SIZES:
    case CS_REFIT_FAR:
        /* Sizes alternate by factors of 4, so training and test cover the same
         * span. */
        return (63 - __builtin_clzll(bytes)) / 2 % 2 == 1;
    case CS_REFIT_COLLECTIVE:
        return table->collective == machine->collective;
    default:
        return table->size.nodes < machine->nodes;
    }
}

static bool refit_has(const struct cs_published_point *point)
{
    return point->time_s[CS_PREDICTOR_MODEL] > 0;
}

/* Rows of training, or the other rows. */
static uint32_t refit_count(const struct refit_machine *machine, bool training)
{
    uint32_t rows = 0;

    for (uint32_t i = 0; i < machine->count; i++) {
        const struct cs_published_answer *answer = &machine->answers[machine->tables[i]];

        for (uint32_t r = 0; r < answer->table->row_count; r++)
            rows += refit_has(&answer->points[r]) &&
                    refit_trains(machine, answer->table, answer->table->rows[r].bytes) == training;
    }
    return rows;
}

/* The values before a fit: a fit to a site's own rows must not start from
 * parameters that have seen the others. */
static struct cs_fit_prior refit_prior(const struct refit_machine *machine)
{
    const struct cs_published_answer *first = &machine->answers[machine->tables[0]];
    const struct cs_parameters *set = first->library->parameters;
    const double *values = cs_left_out_find(machine->left, first->table->site, set);
    struct cs_fit_prior prior = cs_fit_prior_of_library(first->library);

    if (values)
        memcpy(prior.values, values, set->count * sizeof(*values));
    return prior;
}

/* The rows of training, or the others, with their calls; `site` of each table. */
static uint32_t refit_rows(const struct refit_machine *machine, bool training,
                           struct cs_arena *arena, struct cs_fit_row **rows)
{
    uint32_t count = 0;

    *rows = cs_arena_alloc(arena, refit_count(machine, training) + 1, sizeof(**rows));
    for (uint32_t i = 0; i < machine->count; i++) {
        const struct cs_published_answer *answer = &machine->answers[machine->tables[i]];
        const struct cs_published_table *table = answer->table;
        struct cs_site *site = cs_arena_alloc(arena, 1, sizeof(*site));

        *site = cs_published_site_of(answer, CS_EFFECTS_ALL);
        for (uint32_t r = 0; r < table->row_count; r++) {
            struct cs_fit_row *row = &(*rows)[count];
            struct cs_err err = {0};

            if (!refit_has(&answer->points[r]) ||
                refit_trains(machine, table, table->rows[r].bytes) != training)
                continue;
            *row = (struct cs_fit_row){
                .request = cs_published_request_of(answer, site, r, CS_EFFECTS_ALL),
                .measured_s = table->rows[r].time_s,
                .table = i,
                .row = r,
            };
            count += !cs_fit_prepare(answer->library, arena, row, &err);
        }
    }
    return count;
}

/* ---- machines ---- */

/* The node of a machine: "abci-a" of "cluster:node=abci-a,nodes=2", and of
 * "abci-a"; other descriptions are nodes as a whole. */
static size_t refit_node(const char **topo)
{
    static const char prefix[] = "cluster:node=";

    if (strncmp(*topo, prefix, sizeof(prefix) - 1) != 0)
        return strlen(*topo);
    *topo += sizeof(prefix) - 1;
    return strcspn(*topo, ",");
}

static bool refit_same_machine(const struct cs_published_table *a,
                               const struct cs_published_table *b)
{
    const char *node_a = a->topo;
    const char *node_b = b->topo;
    size_t length = refit_node(&node_a);

    return cs_same(a->site, b->site) && cs_same(a->gpu, b->gpu) && cs_same(a->host, b->host) &&
           cs_same(a->library, b->library) && length == refit_node(&node_b) &&
           strncmp(node_a, node_b, length) == 0 &&
           (a->machine_class == CS_CLASS_MPI_CPU) == (b->machine_class == CS_CLASS_MPI_CPU);
}

/* The tables of the machine of table `first`, which must be the earliest. */
static uint32_t refit_gather(const struct cs_published_answer *answers, uint32_t count,
                             uint32_t first, uint32_t *tables)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!refit_same_machine(answers[i].table, answers[first].table))
            continue;
        if (i < first)
            return 0;
        if (answers[i].table->health == CS_HEALTH_YES && !answers[i].unknown &&
            answers[i].library->parameters)
            tables[found++] = i;
    }
    return found;
}

static void refit_choose(struct refit_machine *machine)
{
    for (uint32_t i = 0; i < machine->count; i++) {
        const struct cs_published_table *table = machine->answers[machine->tables[i]].table;

        if (!machine->collective || table->collective == &cs_collective_allreduce)
            machine->collective = table->collective;
        if (table->size.nodes > machine->nodes)
            machine->nodes = table->size.nodes;
    }
}

/* Whether a fit has seen calls of the collective on as many nodes. */
static bool refit_has_seen(const struct cs_fit *fit, const struct cs_fit_row *row)
{
    for (uint32_t i = 0; i < fit->row_count; i++)
        if (fit->rows[i].request.collective == row->request.collective &&
            fit->rows[i].request.site->nodes == row->request.site->nodes)
            return true;
    return false;
}

/* Writes the times of the rows that are not of training. */
static void refit_apply(const struct refit_machine *machine, const struct cs_fit *fit,
                        struct cs_arena *arena, struct cs_refit *refit)
{
    struct cs_fit_row *rows;
    uint32_t count = refit_rows(machine, false, arena, &rows);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = machine->tables[rows[i].table];
        struct cs_library_time own;
        struct cs_library_time time;

        fit->library->call_time(rows[i].call, fit->prior.values, &own);
        refit->before[index].points[rows[i].row].time_s[CS_PREDICTOR_MODEL] = own.total_s;
        fit->library->call_time(rows[i].call, fit->values, &time);
        if (!refit_has_seen(fit, &rows[i]))
            cs_carry(own.total_s, &time);
        refit->after[index].points[rows[i].row].time_s[CS_PREDICTOR_MODEL] = time.total_s;
    }
}

/* Whether the mean |ln(measured / predicted)| of a machine is above ln 1.4. */
static bool refit_is_far(const struct refit_machine *machine)
{
    const double far = .3365;
    double sum = 0;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < machine->count; i++) {
        const struct cs_published_answer *answer = &machine->answers[machine->tables[i]];

        for (uint32_t r = 0; r < answer->table->row_count; r++) {
            const struct cs_published_row *row = &answer->table->rows[r];

            if (row->bytes < 64 << 10 || !refit_has(&answer->points[r]))
                continue;
            sum += fabs(log(row->time_s / answer->points[r].time_s[CS_PREDICTOR_MODEL]));
            rows++;
        }
    }
    return rows && sum > far * rows;
}

/* Rows that `collsim fit` refuses, as of a machine eight times slower than the
 * model's, leave the values as they are. */
static int refit_machine_fit(const struct refit_machine *machine, struct cs_arena *arena,
                             struct cs_refit *refit, struct cs_err *err)
{
    struct cs_fit fit = {.library = machine->answers[machine->tables[0]].library,
                         .prior = refit_prior(machine)};
    struct cs_err refusal = {0};
    int code;

    fit.row_count = refit_rows(machine, true, arena, &fit.rows);
    if (fit.row_count == 0 || refit_count(machine, false) == 0)
        return 0;
    code = cs_fit_make(&fit, arena, &refusal);
    if (code && code != CS_ECANNOT && code != CS_EANSWER)
        return cs_err_set(err, code, "%s", refusal.text);
    if (code)
        memcpy(fit.values, fit.prior.values, sizeof(fit.values));
    refit_apply(machine, &fit, arena, refit);
    refit->machines++;
    return 0;
}

/* Copies of the answers without a prediction. */
static struct cs_published_answer *refit_blank(const struct cs_published_answer *answers,
                                               uint32_t count, struct cs_arena *arena)
{
    struct cs_published_answer *blank = cs_arena_alloc(arena, count, sizeof(*blank));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t rows = answers[i].table->row_count;

        blank[i] = answers[i];
        blank[i].points = cs_arena_alloc(arena, rows, sizeof(*blank->points));
        for (uint32_t r = 0; r < rows; r++) {
            blank[i].points[r] = answers[i].points[r];
            blank[i].points[r].time_s[CS_PREDICTOR_MODEL] = (double)NAN;
            blank[i].points[r].time_s[CS_PREDICTOR_LEFT_OUT] = (double)NAN;
        }
    }
    return blank;
}

int cs_refit_make(const struct cs_refit_request *request, struct cs_arena *arena,
                  struct cs_refit *refit, struct cs_err *err)
{
    uint32_t *tables = cs_arena_alloc(arena, request->count, sizeof(*tables));
    int code = 0;

    *refit = (struct cs_refit){.before = refit_blank(request->answers, request->count, arena),
                               .after = refit_blank(request->answers, request->count, arena)};
    for (uint32_t i = 0; i < request->count && !code; i++) {
        struct refit_machine machine = {.answers = request->answers,
                                        .left = request->left,
                                        .tables = tables,
                                        .split = request->split};

        (void)cs_monitor_count(request->monitor, i, request->count);
        machine.count = refit_gather(request->answers, request->count, i, tables);
        if (machine.count == 0 || (request->split == CS_REFIT_FAR && !refit_is_far(&machine)))
            continue;
        refit_choose(&machine);
        code = refit_machine_fit(&machine, arena, refit, err);
    }
    return code;
}

/* Fewer tables have no 90th percentile but the worst of them. */
enum {
    JUDGED_TABLES_MIN = 10
};

int cs_refit_judge(const struct cs_refit_request *request, const struct cs_refit *refit,
                   struct cs_arena *arena, struct cs_err *err)
{
    struct cs_published_score *before;
    struct cs_published_score *after;
    uint32_t scores = cs_published_scores(refit->before, request->count, arena, &before);
    /* On more nodes other algorithms run than those of the fit. */
    bool is_far = request->split == CS_REFIT_NODES;
    double slack = (is_far ? 2 : 1) * CS_RECORD_SLACK;

    cs_published_scores(refit->after, request->count, arena, &after);
    for (uint32_t i = 0; i < scores; i++) {
        double was = before[i].median[CS_PREDICTOR_MODEL];
        double is = after[i].median[CS_PREDICTOR_MODEL];
        bool is_spread = after[i].p90[CS_PREDICTOR_MODEL] > before[i].p90[CS_PREDICTOR_MODEL];

        if (cs_same(before[i].group, "library") && is_spread &&
            before[i].tables >= JUDGED_TABLES_MIN && is > was + slack)
            return cs_err_set(
                err, CS_EANSWER,
                "%s, %s: median of |error| %.1f %% after a fit (%s), %.1f %% before, and the 90th "
                "percentile is worse; expected no more than %s above",
                before[i].name, cs_size_range_names[before[i].sizes], 100 * is,
                refit_split_names[request->split], 100 * was, is_far ? "two points" : "a point");
    }
    return 0;
}
