#include "validate/published/refit.h"

#include "sim/base/least_squares.h"
#include "sim/base/text.h"

#include <math.h>
#include <string.h>

enum {
    FACTORS = 3, /* of launch, latency, transfer */
};

/* A factor of e costs as much as an error of this ln in a whole table: factors
 * that the rows do not determine stay near 1. */
#define PRIOR_WEIGHT 0.1

static const char *const split_names[CS_REFIT_SPLITS] = {"sizes", "collective",
                                                         "nodes"};

const char *cs_refit_split_name(enum cs_refit_split split)
{
    return split_names[split];
}

/* ---- rows of training ---- */

/* The tables of a machine. */
struct refit_machine {
    const struct cs_published_answer *answers;
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
        /* Sizes alternate by factors of 4, so training and test cover the same
         * span. */
        return (63 - __builtin_clzll(bytes)) / 2 % 2 == 1;
    case CS_REFIT_COLLECTIVE:
        return table->collective == machine->collective;
    default:
        return table->nodes < machine->nodes;
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
    uint32_t i;
    uint32_t r;

    for (i = 0; i < machine->count; i++) {
        const struct cs_published_answer *answer =
            &machine->answers[machine->tables[i]];

        for (r = 0; r < answer->table->row_count; r++)
            rows += refit_has(&answer->points[r]) &&
                    refit_trains(machine, answer->table,
                                 answer->table->rows[r].bytes) == training;
    }
    return rows;
}

/* The parts of the prediction without the site, where that exists: a fit to the
 * site's own rows must not start from parameters that have seen the others. */
static double refit_time(const struct cs_published_point *point,
                         const double *logs)
{
    const double shipped[FACTORS] = {point->launch_s, point->latency_s,
                                     point->transfer_s};
    const double *parts =
        point->time_s[CS_PREDICTOR_LEFT_OUT] > 0 ? point->left_s : shipped;

    return parts[0] * exp(logs[0]) + parts[1] * exp(logs[1]) +
           parts[2] * exp(logs[2]);
}

static void refit_residuals(const void *context, const double *logs,
                            double *residuals)
{
    const struct refit_machine *machine = context;
    uint32_t count = 0;
    uint32_t i;
    uint32_t r;

    for (i = 0; i < machine->count; i++) {
        const struct cs_published_answer *answer =
            &machine->answers[machine->tables[i]];
        const struct cs_published_table *table = answer->table;

        for (r = 0; r < table->row_count; r++) {
            double weight = 1 / sqrt(table->row_count);

            if (!refit_has(&answer->points[r]) ||
                !refit_trains(machine, table, table->rows[r].bytes))
                continue;
            residuals[count++] =
                weight * log(refit_time(&answer->points[r], logs) /
                             table->rows[r].time_s);
        }
    }
    for (i = 0; i < FACTORS; i++)
        residuals[count++] = PRIOR_WEIGHT * logs[i];
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

    return cs_same(a->site, b->site) && cs_same(a->gpu, b->gpu) &&
           cs_same(a->library, b->library) && length == refit_node(&node_b) &&
           strncmp(node_a, node_b, length) == 0 &&
           (a->machine_class == CS_CLASS_MPI_CPU) ==
               (b->machine_class == CS_CLASS_MPI_CPU);
}

/* The tables of the machine of table `first`, which must be the earliest. */
static uint32_t refit_gather(const struct cs_published_answer *answers,
                             uint32_t count, uint32_t first, uint32_t *tables)
{
    uint32_t found = 0;
    uint32_t i;

    for (i = 0; i < count; i++) {
        if (!refit_same_machine(answers[i].table, answers[first].table))
            continue;
        if (i < first)
            return 0;
        if (answers[i].table->health == CS_HEALTH_YES && !answers[i].unknown)
            tables[found++] = i;
    }
    return found;
}

static void refit_choose(struct refit_machine *machine)
{
    uint32_t i;

    for (i = 0; i < machine->count; i++) {
        const struct cs_published_table *table =
            machine->answers[machine->tables[i]].table;

        if (!machine->collective ||
            table->collective == &cs_collective_allreduce)
            machine->collective = table->collective;
        if (table->nodes > machine->nodes)
            machine->nodes = table->nodes;
    }
}

/* Writes the times of the rows that are not of training. */
static void refit_apply(const struct refit_machine *machine, const double *logs,
                        struct cs_refit *refit)
{
    static const double unscaled[FACTORS] = {0};
    uint32_t i;
    uint32_t r;

    for (i = 0; i < machine->count; i++) {
        uint32_t index = machine->tables[i];
        const struct cs_published_answer *answer = &machine->answers[index];

        for (r = 0; r < answer->table->row_count; r++) {
            const struct cs_published_point *point = &answer->points[r];

            if (!refit_has(point) || refit_trains(machine, answer->table,
                                                  answer->table->rows[r].bytes))
                continue;
            refit->before[index].points[r].time_s[CS_PREDICTOR_MODEL] =
                refit_time(point, unscaled);
            refit->after[index].points[r].time_s[CS_PREDICTOR_MODEL] =
                refit_time(point, logs);
        }
    }
}

static int refit_machine_fit(const struct refit_machine *machine,
                             struct cs_refit *refit, struct cs_err *err)
{
    uint32_t training = refit_count(machine, true);
    struct cs_least_squares problem = {
        .unknowns = FACTORS,
        .residuals = training + FACTORS,
        .evaluate = refit_residuals,
        .context = machine,
    };
    double logs[FACTORS] = {0};
    int code;

    if (training == 0 || refit_count(machine, false) == 0)
        return 0;
    code = cs_least_squares_solve(&problem, logs, err);
    if (code)
        return code;
    refit_apply(machine, logs, refit);
    refit->machines++;
    return 0;
}

/* Copies of the answers without a prediction. */
static struct cs_published_answer *refit_blank(
    const struct cs_published_answer *answers, uint32_t count,
    struct cs_arena *arena)
{
    struct cs_published_answer *blank =
        cs_arena_alloc(arena, count, sizeof(*blank));
    uint32_t i;
    uint32_t r;

    for (i = 0; i < count; i++) {
        uint32_t rows = answers[i].table->row_count;

        blank[i] = answers[i];
        blank[i].points = cs_arena_alloc(arena, rows, sizeof(*blank->points));
        for (r = 0; r < rows; r++) {
            blank[i].points[r] = answers[i].points[r];
            blank[i].points[r].time_s[CS_PREDICTOR_MODEL] = (double)NAN;
            blank[i].points[r].time_s[CS_PREDICTOR_LEFT_OUT] = (double)NAN;
        }
    }
    return blank;
}

int cs_refit_make(const struct cs_published_answer *answers, uint32_t count,
                  enum cs_refit_split split, struct cs_arena *arena,
                  struct cs_refit *refit, struct cs_err *err)
{
    uint32_t *tables = cs_arena_alloc(arena, count, sizeof(*tables));
    uint32_t i;
    int code = 0;

    *refit = (struct cs_refit){.before = refit_blank(answers, count, arena),
                               .after = refit_blank(answers, count, arena)};
    for (i = 0; i < count && !code; i++) {
        struct refit_machine machine = {
            .answers = answers, .tables = tables, .split = split};

        machine.count = refit_gather(answers, count, i, tables);
        if (machine.count == 0)
            continue;
        refit_choose(&machine);
        code = refit_machine_fit(&machine, refit, err);
    }
    return code;
}
