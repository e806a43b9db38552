/*
 * The time of a plan's case with a mix of collectives: calls of the library.
 */
#include "algorithms/libraries/profile.h"
#include "scenarios/plan/cases/cases.h"
#include "scenarios/run/library_call.h"

#include <math.h>

enum {
    MIX_BOUND_RANKS = 2048 /* flows of the bound take seconds beyond */
};

/* "all-reduce 1 GiB: nvls-tree" in the list of engines. */
static void add_engine(struct cs_text *engines, const struct cs_mix_call *call, const char *engine)
{
    cs_text_printf(engines, "%s%s %s", engines->length ? ", " : "", call->collective->name, engine);
}

/* A call's time and its bound; NAN for a bound that would take too long.  The bound
 * holds for schedules of ranks; a library with reductions in switches may be
 * below. */
static int answer_call(struct cs_library_calls *calls, const struct cs_library *library,
                       uint64_t bytes, struct cs_library_answer *answer, struct cs_err *err)
{
    struct cs_library_request request;
    int code;

    if (calls->site.ranks > MIX_BOUND_RANKS) {
        request = cs_library_calls_request(calls, bytes, NULL);
        answer->bounds.own.time_s = (double)NAN;
        return library->time(&request, &answer->time, err);
    }
    code = cs_library_call_time(calls, bytes, NULL, answer);
    if (!code)
        answer->time.low_s = fmax(answer->time.low_s, answer->bounds.own.time_s);
    return code;
}

static int time_call(const struct cs_mix_call *call, const struct cs_case *which, double load,
                     struct cs_plan_time *time, struct cs_text *engines, struct cs_err *err)
{
    struct cs_library_calls calls;
    struct cs_library_answer answer;
    const struct cs_library_time *one = &answer.time;
    int code = cs_library_calls_open(which, which->scenario->arena, &calls, err);

    if (!code)
        cs_plan_slow(&calls.site, load);
    if (!code)
        code = answer_call(&calls, which->scenario->by.library, call->bytes, &answer, err);
    if (code)
        return code;
    time->bound_s += call->count * answer.bounds.own.time_s;
    time->time_s += call->count * one->total_s;
    time->low_s += call->count * one->low_s;
    time->high_s += call->count * one->high_s;
    time->rate += (double)call->count * (double)call->bytes * 1e-9;
    time->parts[time->part_count++] = (struct cs_train_part){.name = call->collective->name,
                                                             .seconds = call->count * one->total_s,
                                                             .about = one->engine};
    add_engine(engines, call, one->engine);
    return 0;
}

static const char *largest_part(const struct cs_plan_time *time)
{
    uint32_t largest = 0;

    for (uint32_t p = 1; p < time->part_count; ++p)
        if (time->parts[p].seconds > time->parts[largest].seconds)
            largest = p;
    return time->parts[largest].name;
}

int cs_plan_time_mix(const struct cs_plan_options *options, const struct cs_plan_case *one,
                     struct cs_train_setup *setup, struct cs_plan_time *time, struct cs_err *err)
{
    struct cs_train_options given = cs_plan_given(options, one);
    struct cs_scenario *scenario = &given.scenario;
    CS_AT_END(cs_text_free) struct cs_text engines = {0};
    double load = 1;
    int code;

    *setup = (struct cs_train_setup){0};
    *time = (struct cs_plan_time){.flops_share = (double)NAN, .memory_bytes = (double)NAN};
    code = cs_train_setup_machine(&given, setup, err);
    if (!code)
        load = cs_plan_route(options, one, &setup->graph, &setup->site);
    scenario->by.library = setup->job.library;
    scenario->by.version = setup->job.library_version;
    scenario->by.profile = setup->job.library_profile;
    scenario->library_name = code ? "" : setup->job.library->name;
    for (uint32_t c = 0; c < options->mix.count && !code; ++c) {
        const struct cs_case which = {.scenario = scenario, .ranks = given.ranks};

        scenario->collective = options->mix.calls[c].collective;
        code = time_call(&options->mix.calls[c], &which, load, time, &engines, err);
    }
    if (!code) {
        time->rate /= time->time_s;
        time->setting = cs_arena_text(scenario->arena, cs_text_str(&engines));
        time->largest = largest_part(time);
    }
    return code;
}

struct cs_library_request cs_plan_mix_request(const struct cs_plan_options *options,
                                              const struct cs_train_setup *setup,
                                              const struct cs_site *changed, uint32_t call)
{
    const struct cs_site *site = changed ? changed : &setup->site;
    struct cs_library_request request = {.site = site,
                                         .collective = options->mix.calls[call].collective,
                                         .bytes = options->mix.calls[call].bytes,
                                         .version = setup->job.library_version,
                                         .device_buffers = site->maker != CS_MAKER_HOST,
                                         .effects = CS_EFFECTS_ALL};

    cs_profile_apply(setup->job.library_profile, &request);
    return request;
}
