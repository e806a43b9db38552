#include "scenarios/why/causes.h"

#include "scenarios/run/fold/execute.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <stdlib.h>

enum {
    FLOWS_NAMED = 3
};

static const double least_excess = 1.1; /* over the mean: less is no collision */

/* ---- the link ---- */

static bool joins_switches(const struct cs_run *run, uint32_t link)
{
    const struct cs_net_link *at = &run->net.links[link];

    return at->from < run->graph.device_count && at->to < run->graph.device_count &&
           cs_graph_device(&run->graph, at->from).kind == CS_DEVICE_SWITCH &&
           cs_graph_device(&run->graph, at->to).kind == CS_DEVICE_SWITCH;
}

/* A link and its equals: those of one rate from the same switch, or to it. */
struct loaded_link {
    uint32_t link, equals;
    double excess; /* bytes over the mean of the equals */
};

static struct loaded_link compare_equals(const struct cs_run *run, uint32_t link, bool is_up)
{
    const struct cs_net_link *one = &run->net.links[link];
    struct loaded_link loaded = {.link = link};
    double sum = 0;

    for (uint32_t i = 0; i < run->net.link_count; i++) {
        const struct cs_net_link *other = &run->net.links[i];

        if (joins_switches(run, i) && other->rate_Bps == one->rate_Bps &&
            (is_up ? other->from == one->from : other->to == one->to)) {
            sum += (double)run->result.use[i].bytes;
            loaded.equals++;
        }
    }
    loaded.excess = (double)run->result.use[link].bytes * loaded.equals / sum;
    return loaded;
}

/* The busiest link between switches; `equals` 0 if none has bytes. */
static struct loaded_link most_loaded(const struct cs_run *run)
{
    struct loaded_link up, down;
    uint64_t most_ps = 0;
    uint32_t link = 0;

    for (uint32_t i = 0; i < run->net.link_count; i++)
        if (joins_switches(run, i) && run->result.use[i].busy_ps > most_ps) {
            most_ps = run->result.use[i].busy_ps;
            link = i;
        }
    if (!most_ps)
        return (struct loaded_link){.equals = 0};
    up = compare_equals(run, link, true);
    down = compare_equals(run, link, false);
    return up.excess >= down.excess ? up : down;
}

/* ---- the flows ---- */

struct flow {
    uint32_t src, dst;
};

struct flows {
    uint32_t link;
    struct flow *items;
    uint32_t count, room;
};

static void note_flow(void *ctx, const struct cs_message *message, const uint32_t *route,
                      const struct cs_service *services, uint64_t at_ps)
{
    struct flows *flows = ctx;
    uint32_t hop = 0;
    uint32_t i = 0;

    (void)services;
    (void)at_ps;
    while (hop < message->hops && route[hop] != flows->link)
        hop++;
    if (hop == message->hops)
        return;
    while (i < flows->count &&
           (flows->items[i].src != message->src || flows->items[i].dst != message->dst))
        i++;
    if (i < flows->count)
        return;
    *CS_VECTOR_NEXT(flows->items, flows->count, flows->room) =
        (struct flow){message->src, message->dst};
}

static int compare_flows(const void *a, const void *b)
{
    const struct flow *x = a, *y = b;

    return CS_ORDER({x->src, y->src}, {x->dst, y->dst});
}

static const char *party_name(const struct cs_run *run, uint32_t party)
{
    return cs_graph_name(&run->graph, run->net.parties[party].node, run->arena);
}

static const char *describe(const struct cs_run *run, const struct loaded_link *loaded,
                            struct flows *flows)
{
    struct cs_text text = {0};

    qsort(flows->items, flows->count, sizeof(*flows->items), compare_flows);
    cs_text_printf(&text, "%s carries %u flow%s (", cs_run_link_name(run, loaded->link),
                   flows->count, flows->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < flows->count && i < FLOWS_NAMED; i++)
        cs_text_printf(&text, "%s%s to %s", i ? ", " : "", party_name(run, flows->items[i].src),
                       party_name(run, flows->items[i].dst));
    cs_text_printf(&text, "%s), %.3g times the mean of its %u equals",
                   flows->count > FLOWS_NAMED ? ", ..." : "", loaded->excess, loaded->equals);
    return cs_text_keep(&text, run->arena);
}

const char *cs_why_collision(const struct cs_scenario *scenario, struct cs_arena *arena)
{
    struct cs_case which = cs_case_of(scenario, 0);
    struct cs_err ignored = {0};
    struct cs_run run = {.which = &which, .arena = arena, .err = &ignored};
    struct flows flows = {0};
    const struct cs_exec_watch watch = {.carried = note_flow, .ctx = &flows};
    struct cs_exec_result again;
    struct loaded_link loaded;
    const char *what = NULL;

    if (cs_run_open(&run) || cs_run_expand(&run) ||
        cs_run_execute(&run, &run.program, NULL, arena, &run.result))
        return NULL;
    loaded = most_loaded(&run);
    if (!loaded.equals || !(loaded.excess >= least_excess))
        return NULL;
    flows.link = loaded.link;
    if (!cs_run_execute(&run, &run.program, &watch, arena, &again))
        what = describe(&run, &loaded, &flows);
    free(flows.items);
    return what;
}
