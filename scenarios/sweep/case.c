#include "scenarios/sweep/case.h"

#include "algorithms/schedules/import.h"
#include "scenarios/options/options.h"
#include "scenarios/run/case/case.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTION_NAME = 72
};

static const struct cs_option_tables run_options = {.shared = cs_scenario_options,
                                                    .command = CS_FOR_RUN};

/* ---- options ---- */

static int read_option(const struct cs_sweep_option *option, struct cs_scenario *scenario,
                       struct cs_err *err)
{
    /* Outputs of a command, which a case does not have. */
    static const char *const outputs[] = {"db",    "json",    "csv", "memory",
                                          "trace", "what-if", "help"};
    char name[OPTION_NAME];
    char *argv[2] = {name, (char *)option->value};

    for (size_t o = 0; o < sizeof(outputs) / sizeof(*outputs); ++o)
        if (!strcmp(option->name, outputs[o]))
            return cs_err_set(
                err, CS_EINPUT,
                "'%s' is an output of a command; a case has the options of a single run",
                option->name);
    snprintf(name, sizeof(name), "--%.64s", option->name);
    return cs_options_read(run_options, option->value ? 2 : 1, argv, scenario, err);
}

/* ---- algorithms ---- */

/* Options of the file, one value at a time, until `take` returns true. */
static bool any_value(const struct cs_sweep *sweep, const char *name,
                      bool (*take)(const char *value, void *ctx), void *ctx)
{
    for (uint32_t f = 0; f < sweep->fixed_count; ++f)
        if (cs_same(sweep->fixed[f].name, name) && take(sweep->fixed[f].value, ctx))
            return true;
    for (uint32_t a = 0; a < sweep->axis_count; ++a) {
        const struct cs_sweep_axis *axis = &sweep->axes[a];

        for (uint32_t v = 0; v < axis->count * axis->name_count; ++v)
            if (cs_same(axis->names[v % axis->name_count], name) && take(axis->values[v], ctx))
                return true;
    }
    return false;
}

struct sought_algo {
    const char *name;
    struct cs_err *err;
    bool has_collectives;
};

static bool takes_any(const char *value, void *ctx)
{
    (void)value, (void)ctx;
    return true;
}

/* Whether the collective has the algorithm. */
static bool takes_algo(const char *collective, void *ctx)
{
    struct sought_algo *sought = ctx;
    const struct cs_collective *of = cs_collective_find(collective);
    const struct cs_algo *algo;

    sought->has_collectives = true;
    /* A collective that is unknown is refused by its own option. */
    return !of || cs_algo_choose(sought->name, of, &algo, sought->err) == 0;
}

/* An algorithm that no collective of the sweep has, or several; engines of a library
 * and schedules of files are known once they are read. */
static int check_algo(const struct cs_sweep *sweep, const char *name, struct cs_err *err)
{
    struct cs_err why = {0};
    struct sought_algo sought = {name, &why, false};
    bool found;

    if (cs_import_named(name) || any_value(sweep, "library", takes_any, NULL))
        return 0;
    if (cs_same(name, "auto") || cs_same(name, "any"))
        return 0;
    if (strchr(name, ',') || cs_same(name, "all"))
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s' selects several algorithms; expected one in each value of an axis, or 'auto' "
            "('collsim run' compares several, of lists of sizes, too)",
            name);
    found = any_value(sweep, "collective", takes_algo, &sought) ||
            (!sought.has_collectives && takes_algo(cs_collective_allreduce.name, &sought));

    return found ? 0 : cs_err_set(err, CS_EINPUT, "%s", why.text);
}

static int check_option(const struct cs_sweep *sweep, unsigned line,
                        const struct cs_sweep_option *option, struct cs_arena *arena,
                        struct cs_err *err)
{
    struct cs_scenario scenario;
    int code;

    cs_scenario_init(&scenario, arena);
    code = read_option(option, &scenario, err);
    if (!code && cs_same(option->name, "algo"))
        code = check_algo(sweep, option->value, err);
    if (code)
        cs_err_prefix(err, "%s:%u", sweep->file, line);
    return code;
}

int cs_sweep_check(const struct cs_sweep *sweep, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code = 0;

    for (uint32_t f = 0; f < sweep->fixed_count && !code; ++f)
        code = check_option(sweep, sweep->fixed_lines[f], &sweep->fixed[f], &arena, err);
    for (uint32_t a = 0; a < sweep->axis_count && !code; ++a) {
        const struct cs_sweep_axis *axis = &sweep->axes[a];

        for (uint32_t v = 0; v < axis->count * axis->name_count && !code; ++v) {
            struct cs_sweep_option option = {axis->names[v % axis->name_count], axis->values[v]};

            code = check_option(sweep, axis->line, &option, &arena, err);
        }
    }
    return code;
}

static int check_single(const struct cs_scenario *scenario, struct cs_err *err)
{
    bool is_one = scenario->by.library
                      ? scenario->by.engine_count <= 1
                      : scenario->choice == CS_CHOICE_AUTO ||
                            (scenario->choice == CS_CHOICE_NAMED && scenario->algo_count == 1);

    if (is_one && scenario->size_count == 1 && scenario->rank_count <= 1)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "the options describe several runs; expected one algorithm, size and number "
                      "of ranks, and axes for more");
}

int cs_sweep_scenario(const struct cs_sweep *sweep, uint64_t number, struct cs_arena *arena,
                      struct cs_scenario *scenario, struct cs_err *err)
{
    struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX];
    uint32_t count = cs_sweep_options(sweep, number, options);
    int code = 0;

    cs_scenario_init(scenario, arena);
    for (uint32_t o = 0; o < count && !code; ++o)
        code = read_option(&options[o], scenario, err);
    if (!code)
        code = cs_scenario_finish(scenario, err);
    return code ? code : check_single(scenario, err);
}

/* ---- machines ---- */

/* Options without an effect on the machine. */
static bool is_of_the_call(const char *name)
{
    static const char *const names[] = {"algo", "size", "collective", "dtype", "root"};

    for (size_t n = 0; n < sizeof(names) / sizeof(*names); ++n)
        if (!strcmp(name, names[n]))
            return true;
    return false;
}

static void add_key(const struct cs_sweep *sweep, uint64_t number, struct cs_text *key)
{
    struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX];
    uint32_t count = cs_sweep_options(sweep, number, options);

    for (uint32_t o = 0; o < count; ++o)
        if (!is_of_the_call(options[o].name))
            cs_text_printf(key, "%s=%s\n", options[o].name,
                           options[o].value ? options[o].value : "");
}

static void worker_forget(struct cs_sweep_worker *worker)
{
    if (worker->kept)
        cs_machines_destroy(worker->kept->machines);
    cs_arena_free(&worker->arena);
    cs_text_free(&worker->key);
    *worker = (struct cs_sweep_worker){.display = worker->display, .cores = worker->cores};
}

void cs_sweep_worker_free(struct cs_sweep_worker *worker)
{
    worker_forget(worker);
}

/* Sets the scenario's machines: the kept ones, or new ones. */
static int worker_machines(struct cs_sweep_worker *worker, const struct cs_sweep *sweep,
                           uint64_t number, struct cs_scenario *scenario, struct cs_err *err)
{
    struct cs_text key = {0};
    int code;

    add_key(sweep, number, &key);
    if (worker->kept && cs_same(cs_text_str(&key), cs_text_str(&worker->key))) {
        cs_text_free(&key);
        scenario->machines = worker->kept->machines;
        return 0;
    }
    worker_forget(worker);
    worker->key = key;
    worker->kept = cs_arena_alloc(&worker->arena, 1, sizeof(*worker->kept));
    code = cs_sweep_scenario(sweep, number, &worker->arena, worker->kept, err);
    worker->kept->machines = cs_machines_create(worker->kept, &worker->arena);
    scenario->machines = worker->kept->machines;
    return code;
}

/* ---- results ---- */

static int compute_call(const struct cs_case *which, struct cs_arena *arena,
                        struct cs_record *record, struct cs_err *err)
{
    const struct cs_scenario *scenario = which->scenario;
    struct cs_library_calls *calls = cs_arena_alloc(arena, 1, sizeof(*calls));
    int code = cs_library_calls_open(which, arena, calls, err);

    *record = (struct cs_record){0};
    return code ? code
                : cs_library_call(calls, scenario->sizes[0],
                                  scenario->by.engine_count ? scenario->by.engines[0] : NULL,
                                  record);
}

/* The scenario of a case with its machines. */
static int open_case(struct cs_sweep_worker *worker, const struct cs_sweep *sweep, uint64_t number,
                     struct cs_arena *arena, struct cs_scenario **scenario, struct cs_err *err)
{
    int code;

    *scenario = cs_arena_alloc(arena, 1, sizeof(**scenario));
    code = cs_sweep_scenario(sweep, number, arena, *scenario, err);
    (*scenario)->jobs = worker->cores;
    return code ? code : worker_machines(worker, sweep, number, *scenario, err);
}

/* The closed form of the case, of auto the least; NaN: one is unknown. */
static int estimate_least(struct cs_scenario *scenario, struct cs_arena *arena,
                          struct cs_estimate *least, struct cs_err *err)
{
    bool is_known = true;
    bool is_first = true;
    int code = 0;

    for (uint32_t a = 0; a < scenario->algo_count && is_known; a++) {
        struct cs_case which = cs_case_of(scenario, a);
        struct cs_estimate estimate;

        code = cs_run_estimate(&which, arena, &estimate, err);
        if (code == CS_SIMULATE_REFUSED && scenario->choice == CS_CHOICE_AUTO)
            continue;
        if (code)
            return code == CS_SIMULATE_REFUSED ? err->code : code;
        is_known = isfinite(estimate.closed_form_s);
        if (is_first || !is_known || estimate.closed_form_s < least->closed_form_s)
            *least = estimate;
        is_first = false;
    }
    return is_first ? err->code : 0;
}

int cs_sweep_estimate(struct cs_sweep_worker *worker, const struct cs_sweep *sweep, uint64_t number,
                      struct cs_arena *arena, struct cs_estimate *estimate, struct cs_err *err)
{
    struct cs_scenario *scenario;
    int code = open_case(worker, sweep, number, arena, &scenario, err);

    if (!code && scenario->by.library)
        code = cs_err_set(err, CS_EINPUT, "a library has no closed form");
    return code ? code : estimate_least(scenario, arena, estimate, err);
}

int cs_sweep_compute(struct cs_sweep_worker *worker, const struct cs_sweep *sweep, uint64_t number,
                     struct cs_arena *arena, struct cs_record *record, struct cs_err *err)
{
    struct cs_scenario *scenario;
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    struct cs_case which;
    int code = open_case(worker, sweep, number, arena, &scenario, err);

    if (code)
        return code;
    if (scenario->by.library) {
        which = (struct cs_case){.scenario = scenario,
                                 .ranks = scenario->rank_count ? scenario->ranks[0] : 0};
        return compute_call(&which, arena, record, err);
    }
    code = cs_best_choose(scenario, worker->display, err);
    if (code)
        return code;
    which = cs_case_of(scenario, 0);
    which.display = worker->display;
    /* The record has what a result depends on: padded_bytes. */
    which.notes = &notes;
    code = cs_simulate(&which, arena, record, err);
    return code == CS_SIMULATE_REFUSED ? err->code : code;
}
