#include "topo/placement/fault.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/graph/check.h"
#include "topo/graph/name_set.h"
#include "topo/graph/route.h"
#include "topo/placement/bond_share.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 200,
    DEVICES_MAX = 1 << 16, /* of a set of names */
    LINKS_REPORTED = 4,
    TREES_MAX = 1 << 28, /* entries of all trees of routes, 4 bytes each */
};

/* ---- reading ---- */

static int fault_read_rate(const char *text, double *rate, struct cs_err *err)
{
    char *end;
    double percent = strtod(text, &end);

    if (end == text || strcmp(end, "%") != 0 || !(percent > 0) || percent > 100)
        return cs_err_set(
            err, CS_EINPUT,
            "'rate=%.40s' must be above 0 and at most 100 %%; write rate=50%%, or down", text);
    *rate = percent / 100;
    return 0;
}

/* The word `announced` after a rate of the start. */
static int read_announced(char *state, struct cs_fault *fault, struct cs_err *err)
{
    char *comma = strchr(state, ',');

    if (!comma)
        return 0;
    if (strcmp(comma + 1, "announced") != 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is not a word of a fault; expected rate=50%%,announced",
                          comma + 1);
    *comma = '\0';
    fault->announced = true;
    if (strncmp(state, "rate=", 5) != 0)
        return cs_err_set(err, CS_EINPUT,
                          "'announced' is for rates, as in rate=50%%,announced; links that are "
                          "down are known to planners");
    if (fault->at_ps)
        return cs_err_set(err, CS_EINPUT,
                          "'announced' is for faults of the start; plans precede a fault with '@'");
    return 0;
}

static int read_state(char *state, struct cs_fault *fault, struct cs_err *err)
{
    int code = read_announced(state, fault, err);

    if (code)
        return code;
    fault->rate = strcmp(state, "up") == 0 ? 1 : 0;
    if (fault->rate > 0 || strcmp(state, "down") == 0)
        return 0;
    if (strncmp(state, "rate=", 5) == 0)
        return fault_read_rate(state + 5, &fault->rate, err);
    return cs_err_set(err, CS_EINPUT, "'%.40s' is not a state; expected down, up or rate=50%%",
                      state);
}

int cs_fault_read(const char *text, struct cs_fault *fault, struct cs_arena *arena,
                  struct cs_err *err)
{
    const char *colon = strrchr(text, ':');
    const char *at = colon ? strchr(colon, '@') : NULL;
    int code = 0;

    *fault = (struct cs_fault){.text = text};
    if (!colon || colon == text || strlen(text) > TEXT_MAX)
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s' is not a fault; write gpu3-nvswitch:down, leaf0:rate=50%% or leaf0:down@2ms",
            text);
    if (at)
        code = cs_units_time(at + 1, &fault->at_ps, err);
    if (code)
        return code;
    fault->where = cs_arena_text_n(arena, text, (size_t)(colon - text));
    return read_state(
        cs_arena_text_n(arena, colon + 1, at ? (size_t)(at - colon - 1) : strlen(colon + 1)), fault,
        err);
}

/* ---- wires of a fault ---- */

struct finder {
    struct cs_graph *graph;
    struct cs_names names; /* of devices */
    double *share;         /* by wire: remaining fraction of the rate */
    struct cs_bond_shares bonds;
    bool notes_idle; /* reports faults without effect */
    struct cs_err *err;
};

/* A cs_name_bound_fn: the number of devices text0, text1, ... */
static uint32_t count_numbered(const void *ctx, const char *text, size_t length)
{
    const struct finder *finder = ctx;
    char name[CS_NAME_MAX];
    uint32_t count = 0;

    for (; count < finder->graph->device_count; count++) {
        snprintf(name, sizeof(name), "%.*s%u", (int)length, text, count);
        if (cs_names_find(&finder->names, name) == CS_NO_NAME)
            break;
    }
    return count;
}

/* Marks the devices of a set, by masks (bond_share.h). */
static int mark_devices(const struct finder *finder, const char *text, uint64_t *marked)
{
    struct cs_name_bound bound = {count_numbered, finder};
    char name[CS_NAME_MAX];
    struct cs_name_set set;
    int code = cs_name_set_parse(text, &bound, &set, finder->graph->arena, finder->err);

    if (!code && set.count > DEVICES_MAX)
        code = cs_err_set(finder->err, CS_EINPUT, "'%.40s' matches too many devices", text);
    for (uint64_t i = 0; !code && i < set.count; i++) {
        uint32_t device;

        cs_name_set_nth(&set, i, name);
        device = cs_names_find(&finder->names, name);
        if (device == CS_NO_NAME)
            code = cs_graph_no_device(finder->graph, name, finder->err);
        else
            cs_bond_shares_mark(&finder->bonds, device, marked);
    }
    return code;
}

/* The '-' between two sets, outside of brackets; NULL for a single set.  Names
 * of devices may contain '-': the first '-' after the name of a device is
 * preferred to the first '-'. */
static const char *find_dash(const struct finder *finder, const char *text)
{
    const char *first = NULL;
    bool inside = false;
    const char *at;

    if (cs_names_find(&finder->names, text) != CS_NO_NAME)
        return NULL;
    for (at = text; *at; at++) {
        inside = *at == '[' || (inside && *at != ']');
        if (inside || *at != '-' || at == text || !at[1])
            continue;
        if (!first)
            first = at;
        if (cs_names_find(&finder->names, cs_arena_text_n(finder->graph->arena, text,
                                                          (size_t)(at - text))) != CS_NO_NAME)
            return at;
    }
    return first;
}

/* The number of wires of a fault, and of wires with a new state. */
struct touched {
    uint32_t found, changed;
};

static struct touched set_share(const struct finder *finder, const uint64_t *from,
                                const uint64_t *to, double share)
{
    const struct cs_graph *graph = finder->graph;
    struct touched touched = {0};

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        bool meant = to ? (from[wire->a] && to[wire->b]) || (from[wire->b] && to[wire->a])
                        : from[wire->a] || from[wire->b];

        if (meant) {
            double after = cs_bond_shares_set(&finder->bonds, w, from, to, share);

            touched.found++;
            touched.changed += finder->share[w] != after;
            finder->share[w] = after;
        }
    }
    return touched;
}

/* "'h20' has no link gpu0-gpu1; gpu0 has links to nvswitch, plx0" */
static int no_link(const struct finder *finder, const struct cs_fault *fault, const uint64_t *from)
{
    const struct cs_graph *graph = finder->graph;
    CS_AT_END(cs_text_free) struct cs_text ends = {0};
    uint32_t device = 0, count = 0;

    while (!from[device])
        device++;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t end = wire->a == device ? wire->b : wire->a;

        if ((wire->a != device && wire->b != device) || ++count > LINKS_REPORTED)
            continue;
        cs_text_printf(&ends, "%s%s", count > 1 ? ", " : "", graph->devices[end].name);
    }
    return cs_err_set(finder->err, CS_EINPUT, "'%s' has no link %.*s; %s has links to %s%s",
                      graph->name, (int)strcspn(fault->text, ":"), fault->text,
                      graph->devices[device].name, count ? cs_text_str(&ends) : "no device",
                      count > LINKS_REPORTED ? ", ..." : "");
}

/* "a-b" means the wires between two sets, "a" every wire of a set. */
static int apply_one(const struct finder *finder, const struct cs_fault *fault)
{
    const struct cs_graph *graph = finder->graph;
    uint64_t *from = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*from));
    uint64_t *to = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*to));
    const char *dash = find_dash(finder, fault->where);
    const char *left =
        dash ? cs_arena_text_n(graph->arena, fault->where, (size_t)(dash - fault->where))
             : fault->where;
    struct touched touched;
    int code = mark_devices(finder, left, from);

    if (!code && dash)
        code = mark_devices(finder, dash + 1, to);
    if (code)
        return code;
    touched = set_share(finder, from, dash ? to : NULL, fault->rate);
    if (touched.found == 0)
        return no_link(finder, fault, from);
    if (finder->notes_idle && fault->rate == 1 && !touched.changed)
        cs_graph_note(finder->graph,
                      "fault %s has no effect: no link is down or slower at that time",
                      fault->text);
    return 0;
}

/* ---- routes around wires that are down ---- */

/* The machine without wires that are down.  Routes of the machine stay, unless
 * a route crosses such a wire. */
struct detours {
    struct cs_graph graph;
    cs_route_fn *own_route; /* of the whole machine; NULL: by search */
    void *own_ctx;
    const double *share;  /* by wire of the whole machine */
    const uint32_t *wire; /* wire of `graph` -> wire of the whole machine */
    struct cs_routes *routes;
};

/* Keeps the own route of a pair where the route survives: a fault elsewhere
 * must not change the spread of a generator. */
static uint32_t fault_detour(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct detours *detours = ctx;
    uint32_t hops, i;

    if (detours->own_route) {
        hops = detours->own_route(detours->own_ctx, src, dst, links);
        for (i = 0; i < hops && detours->share[links[i] / 2] > 0; i++)
            continue;
        if (i == hops)
            return hops;
    }
    hops = cs_routes_find(detours->routes, src, dst, links);
    for (i = 0; i < hops; i++)
        links[i] = 2 * detours->wire[links[i] / 2] + links[i] % 2;
    return hops;
}

/* The search needs a graph without the lost wires: cs_graph_check counts every
 * wire as a connection. */
static struct detours *without_lost(const struct finder *finder)
{
    const struct cs_graph *graph = finder->graph;
    struct detours *detours = cs_arena_alloc(graph->arena, 1, sizeof(*detours));
    uint32_t *wire = cs_arena_alloc(graph->arena, graph->wire_count, sizeof(*wire));
    uint32_t kept = 0;

    detours->graph = *graph;
    detours->own_route = graph->route;
    detours->own_ctx = graph->route_ctx;
    detours->share = finder->share;
    detours->graph.route = NULL;
    detours->graph.wires = cs_arena_alloc(graph->arena, graph->wire_count, sizeof(*graph->wires));
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (finder->share[w] > 0) {
            wire[kept] = w;
            detours->graph.wires[kept++] = graph->wires[w];
        }
    detours->graph.wire_count = kept;
    detours->wire = wire;
    return detours;
}

static void take_detours(struct cs_graph *graph, struct detours *detours)
{
    uint32_t found_hops;

    detours->routes = cs_routes_new(&detours->graph, graph->arena);
    found_hops = cs_routes_max_hops(detours->routes);
    if (!graph->route || graph->route_max_hops < found_hops)
        graph->route_max_hops = found_hops;
    graph->route = fault_detour;
    graph->route_ctx = detours;
}

/* ---- application ---- */

static int apply_all(const struct finder *finder, const struct cs_fault *faults, uint32_t count,
                     uint64_t at_ps)
{
    uint64_t after_ps = 0;
    int code = 0;

    /* In order of time; faults of equal times in the order of the user. */
    for (;;) {
        uint64_t next_ps = UINT64_MAX;

        for (uint32_t i = 0; i < count; i++)
            if (faults[i].at_ps >= after_ps && faults[i].at_ps < next_ps)
                next_ps = faults[i].at_ps;
        if (next_ps > at_ps)
            return 0;
        for (uint32_t i = 0; i < count && !code; i++)
            if (faults[i].at_ps == next_ps)
                code = apply_one(finder, &faults[i]);
        if (code)
            return code;
        after_ps = next_ps + 1;
    }
}

/* The state of each wire at a time, after the first `count` faults. */
static int find_shares(const struct finder *finder, const struct cs_fault *faults, uint32_t count,
                       uint64_t at_ps)
{
    for (uint32_t w = 0; w < finder->graph->wire_count; w++)
        finder->share[w] = 1;
    cs_bond_shares_reset(&finder->bonds);
    return apply_all(finder, faults, count, at_ps);
}

/* "gpu0-plx0, gpu0-gpu1, ...": the first links of the devices. */
static const char *links_of(const struct finder *finder, const char *where)
{
    const struct cs_graph *graph = finder->graph;
    uint64_t *marked = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*marked));
    const char *names = "";
    uint32_t reported = 0;

    (void)mark_devices(finder, where, marked); /* has succeeded before */
    for (uint32_t w = 0; w < graph->wire_count && reported <= LINKS_REPORTED; w++) {
        uint32_t a = graph->wires[w].a, b = graph->wires[w].b;

        if (!marked[a] && !marked[b])
            continue;
        if (reported++ == LINKS_REPORTED)
            names = cs_arena_printf(graph->arena, "%s, ...", names);
        else
            names = cs_arena_printf(graph->arena, "%s%s%s-%s", names, *names ? ", " : "",
                                    graph->devices[marked[a] ? a : b].name,
                                    graph->devices[marked[a] ? b : a].name);
    }
    return names;
}

/* Reports the fault that first disconnects ranks: the least i for which the
 * faults up to i disconnect. */
static int report_cut(const struct finder *finder, const struct cs_fault *faults, uint32_t count,
                      uint64_t at_ps, struct cs_err *err)
{
    struct cs_err why = {0};
    uint32_t i;

    for (i = 0; i < count; i++) {
        find_shares(finder, faults, i + 1, at_ps);
        if (cs_graph_check(&without_lost(finder)->graph, &why))
            break;
    }
    assert(i < count);
    find_shares(finder, faults, count, at_ps);
    if (find_dash(finder, faults[i].where))
        return cs_err_set(err, CS_EINPUT, "%.*s: %s", TEXT_MAX, faults[i].text, why.text);
    return cs_err_set(err, CS_EINPUT, "%.*s: %s; a device alone means all of its links: %s",
                      TEXT_MAX, faults[i].text, why.text, links_of(finder, faults[i].where));
}

static bool any_later(const struct cs_fault *faults, uint32_t count, uint64_t at_ps)
{
    for (uint32_t i = 0; i < count; i++)
        if (faults[i].at_ps > at_ps)
            return true;
    return false;
}

/* The search tables of a large machine would not fit in memory; a machine with
 * routes of its own may have a million ranks. */
static int find_detours(const struct finder *finder, const struct cs_fault *faults, uint32_t count,
                        uint64_t at_ps)
{
    const struct cs_graph *graph = finder->graph;
    uint64_t parties = (uint64_t)graph->rank_count + graph->agent_count;
    struct detours *detours = without_lost(finder);
    struct cs_err cut = {0};

    if (graph->route && parties * graph->device_count > TREES_MAX)
        return cs_err_set(finder->err, CS_EINPUT,
                          "'%s' is too large to search routes around links that are down: %u ranks "
                          "and %u devices; rate=1%% needs no search",
                          graph->name, graph->rank_count, graph->device_count);
    if (cs_graph_check(&detours->graph, NULL)) {
        if (at_ps == 0)
            return report_cut(finder, faults, count, at_ps, finder->err);
        if (!any_later(faults, count, at_ps)) {
            (void)report_cut(finder, faults, count, at_ps, &cut);
            finder->graph->cut = cs_arena_text(graph->arena, cut.text);
        }
    }
    take_detours(finder->graph, detours);
    return 0;
}

int cs_faults_apply(const struct cs_fault *faults, uint32_t count, uint64_t at_ps,
                    struct cs_graph *graph, struct cs_err *err)
{
    struct finder finder = {.graph = graph, .notes_idle = true, .err = err};
    bool any_down = false;
    int code;

    graph->generator = NULL;
    cs_bond_shares_init(&finder.bonds, graph, &finder.names);
    finder.share = cs_arena_alloc(graph->arena, graph->wire_count, sizeof(*finder.share));
    code = find_shares(&finder, faults, count, at_ps);
    if (code)
        return code;
    finder.notes_idle = false;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        any_down |= finder.share[w] == 0;
        if (finder.share[w] > 0)
            graph->wires[w].efficiency *= finder.share[w];
    }
    if (any_down)
        code = find_detours(&finder, faults, count, at_ps);
    for (uint32_t w = 0; w < graph->wire_count && !code; w++)
        graph->wires[w].down = finder.share[w] == 0;
    return code;
}
