#include "scenarios/run/healthy.h"

#include "algorithms/shared/rings/rings.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "scenarios/run/slower_run.h"

#include <math.h>

/* Links that carry messages with the faults only: the first, and the number of
 * further links. */
static const char *healthy_detour(const struct cs_run *run, const struct cs_run *healthy)
{
    const char *first = "";
    uint32_t more = 0;
    uint32_t i;

    for (i = 0; i < run->net.link_count; i++) {
        if (!cs_run_uses_link(run, i) || cs_run_uses_link(healthy, i))
            continue;
        more += *first != '\0';
        first = *first ? first : cs_machine_link_name(run, i);
    }
    return more ? cs_arena_printf(run->arena, "%s and %u more", first, more) : first;
}

static uint32_t healthy_rings(const struct cs_run *run)
{
    return run->call.rings ? run->call.rings->count : 0;
}

/* The plan depends on the machine, so a different plan may cause part of a slowdown. */
static void healthy_note_plan(const struct cs_run *run, const struct cs_run *healthy)
{
    const struct cs_call *now = &run->call;
    const struct cs_call *then = &healthy->call;

    if (run->which->notes && (now->channels != then->channels || now->chunks != then->chunks ||
                              healthy_rings(run) != healthy_rings(healthy)))
        cs_text_printf(run->which->notes,
                       "planned for the machine with its faults: %u channels, %u chunks; without "
                       "them %u and %u\n",
                       now->channels, now->chunks, then->channels, then->chunks);
}

/* The bound of the healthy machine holds while faults come and go; the bound of
 * the machine at a single time does not. */
int cs_healthy_compare(const struct cs_run *run, cs_healthy_fn *simulate, struct cs_record *record)
{
    struct cs_arena arena = {0};
    struct cs_case which = *run->which;
    struct cs_run healthy = {.which = &which, .arena = &arena, .err = run->err, .healthy = true};
    struct cs_record of = {0};
    int code;

    which.notes = NULL; /* printed already */
    code = cs_run_open(&healthy);
    if (!code)
        code = simulate(&healthy, NULL, &of);
    if (!code) {
        cs_run_collect(&healthy, &of);
        record->healthy_s = (double)of.time_ps * 1e-12;
        record->slowdown = (double)record->time_ps / (double)of.time_ps;
        record->healthy_bottleneck = cs_arena_text(run->arena, of.bottleneck);
        record->detour = healthy_detour(run, &healthy);
        healthy_note_plan(run, &healthy);
        if (run->which->notes && cs_slower_run_is((double)record->time_ps, (double)of.time_ps))
            cs_slower_run_note_faults(run->which, run->which->notes);
        if (run->change_count) {
            record->lower_bound_s = of.lower_bound_s;
            record->bound = cs_arena_text(run->arena, of.bound);
            record->own_bound_s = of.own_bound_s;
            record->reachable_s = isnan(of.own_bound_s) ? of.lower_bound_s : of.own_bound_s;
            record->reachable = record->bound;
        }
    }
    cs_arena_free(&arena);
    return code;
}
