/*
 * The time of a plan's case with a mix of collectives: calls of the library.
 */
#include "scenarios/commands/plan_cases.h"
#include "scenarios/run/library_call.h"

#include <math.h>
#include <string.h>

enum {
    MIX_BOUND_RANKS = 2048 /* flows of the bound take seconds beyond */
};

/* "all-reduce 1 GiB: nvls-tree" in the list of engines. */
static void add_engine(struct cs_text *engines, const struct cs_mix_call *call,
                       const char *engine)
{
    cs_text_printf(engines, "%s%s %s", engines->length ? ", " : "",
                   call->collective->name, engine);
}

/* A call's bound holds for schedules of ranks; a library with reductions in
 * switches may be below. */
static int time_call(const struct cs_mix_call *call,
                     struct cs_scenario *scenario, struct cs_plan_time *time,
                     struct cs_text *engines, struct cs_err *err)
{
    struct cs_case which = {.scenario = scenario};
    struct cs_library_calls calls;
    struct cs_library_request request;
    struct cs_library_time one;
    int code;

    scenario->collective = call->collective;
    code = cs_library_calls_open(&which, scenario->arena, &calls, err);
    if (code)
        return code;
    request = cs_library_calls_request(&calls, call->bytes, NULL);
    code = scenario->by.library->time(&request, &one, err);
    if (code)
        return code;
    if (calls.site.ranks <= MIX_BOUND_RANKS) {
        struct cs_record record = {0};

        code = cs_library_call(&calls, call->bytes, NULL, &record);
        time->bound_s += call->count * record.lower_bound_s;
        one.total_s = fmax(one.total_s, record.lower_bound_s);
        one.low_s = fmax(one.low_s, record.lower_bound_s);
        one.high_s = fmax(one.high_s, one.total_s);
    } else {
        time->bound_s = (double)NAN;
    }
    time->time_s += call->count * one.total_s;
    time->low_s += call->count * one.low_s;
    time->high_s += call->count * one.high_s;
    time->rate += (double)call->count * (double)call->bytes * 1e-9;
    time->parts[time->part_count++] =
        (struct cs_train_part){.name = call->collective->name,
                               .seconds = call->count * one.total_s,
                               .about = one.engine};
    add_engine(engines, call, one.engine);
    return code;
}

static const char *largest_part(const struct cs_plan_time *time)
{
    uint32_t largest = 0;

    for (uint32_t p = 1; p < time->part_count; ++p)
        if (time->parts[p].seconds > time->parts[largest].seconds)
            largest = p;
    return time->parts[largest].name;
}

int cs_plan_time_mix(const struct cs_plan_options *options, const char *topo,
                     struct cs_train_setup *setup, struct cs_plan_time *time,
                     struct cs_err *err)
{
    struct cs_train_options given = options->train;
    struct cs_scenario *scenario = &given.scenario;
    struct cs_text engines = {0};
    int code;

    scenario->topo = topo;
    *setup = (struct cs_train_setup){0};
    *time = (struct cs_plan_time){.flops_share = (double)NAN,
                                  .memory_bytes = (double)NAN};
    code = cs_train_setup_machine(&given, setup, err);
    scenario->by.library = setup->job.library;
    scenario->by.version = setup->job.library_version;
    scenario->library_name = code ? "" : setup->job.library->name;
    for (uint32_t c = 0; c < options->mix.count && !code; ++c)
        code = time_call(&options->mix.calls[c], scenario, time, &engines, err);
    if (!code) {
        time->rate /= time->time_s;
        time->setting = cs_arena_text(scenario->arena, cs_text_str(&engines));
        time->largest = largest_part(time);
    }
    cs_text_free(&engines);
    return code;
}
