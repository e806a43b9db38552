#include "scenarios/why/causes.h"

#include "algorithms/libraries/settings.h"
#include "scenarios/run/case/case.h"
#include "scenarios/run/library_call.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

/* A call and its machine, which a change may alter. */
struct why_call {
    const struct cs_library *library;
    struct cs_library_request request;
    struct cs_site site;
};

/* ---- changes ---- */

static void without_launch(struct why_call *call)
{
    call->request.graph = true;
    call->request.blocking = false;
}

static void with_links(struct why_call *call)
{
    cs_site_scale_links(&call->site, 2);
}

/* Whether PCIe carries less than the adapters, so that faster ones alone gain nothing. */
static bool is_slot_bound(const struct cs_site *site)
{
    return site->node_Bps < site->adapters * site->adapter_Bps * (1 - 1e-9);
}

static void with_network(struct why_call *call)
{
    struct cs_site *site = &call->site;

    if (!is_slot_bound(site))
        site->node_Bps *= 2;
    site->adapter_Bps *= 2;
    site->fabric_Bps *= 2;
}

static void with_slots(struct why_call *call)
{
    struct cs_site *site = &call->site;

    if (!is_slot_bound(site))
        return;
    with_network(call);
    site->node_Bps *= 2;
    site->slot_Bps *= 2;
    site->pcie_Bps *= 2;
}

static const struct {
    const char *name, *sentence;
    void (*apply)(struct why_call *call);
} changes[] = {
    {"launch", "the start of kernels by the host (against a CUDA graph, --launch graph)",
     without_launch},
    {"links", "the rate of the links inside a node (against twice the rate)", with_links},
    {"network", "the rate of the network (against twice the rate)", with_network},
    {"slots", "the rate of the network and of the PCIe to it (against twice the rate)", with_slots},
};

/* ---- causes ---- */

static void why_add(struct cs_why *why, struct cs_arena *arena, const char *name,
                    const char *sentence, double time_s)
{
    if (isfinite(time_s))
        cs_why_add(why,
                   (struct cs_why_cause){.name = name,
                                         .sentence = cs_why_sentence(why, sentence, time_s, arena),
                                         .time_s = time_s,
                                         .by = CS_WHY_BY_MODEL,
                                         .kind = CS_WHY_GENERAL});
}

static double why_time(const struct why_call *call)
{
    struct cs_library_time time;
    struct cs_library_request request = call->request;

    request.site = &call->site;
    return call->library->time(&request, &time, NULL) ? (double)INFINITY : time.total_s;
}

static void why_try_changes(const struct why_call *call, struct cs_why *why, struct cs_arena *arena)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        struct why_call other = *call;

        changes[i].apply(&other);
        why_add(why, arena, changes[i].name, changes[i].sentence, why_time(&other));
    }
    /* The launch is a change: a graph starts kernels, too. */
    for (unsigned k = CS_EFFECT_NUMBER_LAUNCH + 1; k < CS_EFFECTS; k++) {
        struct why_call other = *call;

        other.request.effects &= ~(1u << k);
        why_add(why, arena, cs_library_effects[k].name, cs_library_effects[k].cost,
                why_time(&other));
    }
}

/* The fastest pair of algorithm and protocol, where that is not the library's. */
static void why_try_choices(const struct why_call *call, const struct cs_library_time *chosen,
                            struct cs_why *why, struct cs_arena *arena)
{
    static const char *const engines[] = {"ring", "tree", "nvls", "nvls-tree", "pat", NULL};
    static const char *const protocols[] = {"ll", "ll128", "simple", NULL};
    double best_s = chosen->total_s;
    const char *name = NULL;

    for (int e = 0; engines[e] && call->library->launches_kernels; e++)
        for (int p = 0; protocols[p]; p++) {
            struct why_call other = *call;
            double time_s;

            other.request.engine = engines[e];
            other.request.protocol = protocols[p];
            time_s = why_time(&other);
            if (time_s >= best_s)
                continue;
            best_s = time_s;
            name = cs_arena_printf(arena, "the library's choice of %s and %s (against %s, %s)",
                                   chosen->engine, chosen->protocol, engines[e], protocols[p]);
        }
    if (name)
        why_add(why, arena, "choice", name, best_s);
}

static int why_order(const void *left, const void *right)
{
    const struct cs_why_cause *a = left;
    const struct cs_why_cause *b = right;

    return (a->gain < b->gain) - (a->gain > b->gain);
}

int cs_why_library(struct cs_scenario *scenario, struct cs_arena *arena, struct cs_why *why,
                   struct cs_err *err)
{
    struct cs_case which = {
        .scenario = scenario,
        .engine = scenario->by.engines[0],
        .bytes = scenario->sizes[0],
        .ranks = scenario->rank_count ? scenario->ranks[0] : 0,
    };
    struct cs_library_calls *calls = cs_arena_alloc(arena, 1, sizeof(*calls));
    struct cs_library_answer answer = {0};
    struct why_call call;
    int code = 0;

    if (scenario->size_count != 1 || scenario->rank_count > 1 || scenario->by.engine_count > 1)
        return cs_err_set(
            err, CS_EINPUT,
            "'collsim why' explains one call; expected one algorithm, size and number "
            "of ranks");
    code = cs_library_calls_open(&which, arena, calls, err);
    if (!code)
        code = cs_library_call(calls, which.bytes, which.engine, &why->record);
    if (!code)
        code = cs_library_call_time(calls, which.bytes, which.engine, &answer);
    if (code)
        return code;
    call = (struct why_call){
        .library = scenario->by.library,
        .request = cs_library_calls_request(calls, which.bytes, which.engine),
        .site = calls->site,
    };
    why_try_changes(&call, why, arena);
    why_try_choices(&call, &answer.time, why, arena);
    qsort(why->causes, why->count, sizeof(*why->causes), why_order);
    cs_why_note_unused(scenario, why);
    return 0;
}
