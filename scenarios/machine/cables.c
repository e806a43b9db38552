/*
 * Oddities of the cables between switches outside nodes: what an engineer looks for
 * behind a fabric that is slower than its drawing.
 *
 *     a pair of switches with fewer cables than most pairs of their levels
 *     a switch without a cable to one that most switches of its level reach
 *     a switch with fewer cables upwards, or slower ones, than most of its level
 *     an adapter on a switch of another rail
 *
 * The level of a switch is the least number of cables to a switch with nodes.
 */
#include "scenarios/machine/oddities.h"
#include "sim/base/order.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 8,
    COUNTS_MAX = 256, /* cables side by side that are counted */
};

/* Switches side by side, the lower level first. */
struct switch_pair {
    uint32_t low, high, cables;
};

struct cables {
    const struct cs_graph *graph;
    struct cs_arena *arena;
    struct cs_oddity *list;
    uint32_t count, room;
    uint32_t *level; /* by device; LEVELS: none */
    struct switch_pair *pairs;
    uint32_t pair_count;
    uint32_t *up, *reach; /* by device: cables upwards, and to how many switches */
};

static void add_odd(struct cables *cables, uint32_t device, const char *words)
{
    if (cables->count < cables->room)
        cables->list[cables->count++] =
            (struct cs_oddity){cables->graph->devices[device].name, words, device, 0};
}

static bool is_outside(const struct cs_graph *graph, uint32_t d)
{
    return graph->devices[d].kind == CS_DEVICE_SWITCH && graph->devices[d].host == CS_NO_HOST;
}

/* Lowers `device` to one level above `beside`. */
static bool is_lowered(struct cables *cables, uint32_t device, uint32_t beside)
{
    uint32_t level = is_outside(cables->graph, beside) ? cables->level[beside] + 1 : 0;

    if (!is_outside(cables->graph, device) || cables->level[device] <= level)
        return false;
    cables->level[device] = level;
    return true;
}

static void find_levels(struct cables *cables)
{
    const struct cs_graph *graph = cables->graph;
    bool changed = true;

    cables->level = cs_arena_alloc(cables->arena, graph->device_count + 1, sizeof(uint32_t));
    for (uint32_t d = 0; d < graph->device_count; d++)
        cables->level[d] = LEVELS;
    for (uint32_t round = 0; round < LEVELS && changed; round++) {
        changed = false;
        for (uint32_t w = 0; w < graph->wire_count; w++) {
            const struct cs_wire *wire = &graph->wires[w];

            changed |= is_lowered(cables, wire->a, wire->b);
            changed |= is_lowered(cables, wire->b, wire->a);
        }
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const struct switch_pair *x = a, *y = b;

    return CS_ORDER({x->low, y->low}, {x->high, y->high});
}

/* Pairs of neighbouring levels with their cables. */
static void find_pairs(struct cables *cables)
{
    const struct cs_graph *graph = cables->graph;
    uint32_t kept = 0;

    cables->pairs = cs_arena_alloc(cables->arena, graph->wire_count + 1, sizeof(*cables->pairs));
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t a = graph->wires[w].a, b = graph->wires[w].b;

        if (cables->level[a] >= LEVELS || cables->level[b] >= LEVELS ||
            cables->level[a] == cables->level[b] || graph->wires[w].down)
            continue;
        cables->pairs[cables->pair_count++] = cables->level[a] < cables->level[b]
                                                  ? (struct switch_pair){a, b, 1}
                                                  : (struct switch_pair){b, a, 1};
    }
    qsort(cables->pairs, cables->pair_count, sizeof(*cables->pairs), compare_pairs);
    for (uint32_t p = 0; p < cables->pair_count; p++)
        if (kept && !compare_pairs(&cables->pairs[kept - 1], &cables->pairs[p]))
            cables->pairs[kept - 1].cables++;
        else
            cables->pairs[kept++] = cables->pairs[p];
    cables->pair_count = kept;
}

static void count_up(struct cables *cables)
{
    size_t devices = cables->graph->device_count + 1;

    cables->up = cs_arena_alloc(cables->arena, devices, sizeof(*cables->up));
    cables->reach = cs_arena_alloc(cables->arena, devices, sizeof(*cables->reach));
    memset(cables->up, 0, devices * sizeof(*cables->up));
    memset(cables->reach, 0, devices * sizeof(*cables->reach));
    for (uint32_t p = 0; p < cables->pair_count; p++) {
        cables->up[cables->pairs[p].low] += cables->pairs[p].cables;
        cables->reach[cables->pairs[p].low]++;
    }
}

/* The most frequent number, of several the greatest: less is a loss; 0: none. */
static uint32_t most_frequent(const uint32_t *counts)
{
    uint32_t best = 0;

    for (uint32_t c = 1; c < COUNTS_MAX; c++)
        if (counts[c] && counts[c] >= counts[best])
            best = c;
    return best;
}

/* The cables of most pairs above a level; 0: none. */
static uint32_t usual_cables(const struct cables *cables, uint32_t level)
{
    uint32_t counts[COUNTS_MAX] = {0};

    for (uint32_t p = 0; p < cables->pair_count; p++)
        if (cables->level[cables->pairs[p].low] == level && cables->pairs[p].cables < COUNTS_MAX)
            counts[cables->pairs[p].cables]++;
    return most_frequent(counts);
}

/* The cables upwards of at least half of the switches of a level; 0: none. */
static uint32_t usual_up(const struct cables *cables, uint32_t level)
{
    uint32_t counts[COUNTS_MAX] = {0}, switches = 0, usual;

    for (uint32_t d = 0; d < cables->graph->device_count; d++)
        if (cables->level[d] == level && cables->up[d] && cables->up[d] < COUNTS_MAX) {
            counts[cables->up[d]]++;
            switches++;
        }
    usual = most_frequent(counts);
    return 2 * counts[usual] >= switches ? usual : 0;
}

/* Of a switch with all its cables, which its spines cannot share evenly, a pair with
 * one less is as planned. */
static bool is_thin(const struct cables *cables, const struct switch_pair *pair, uint32_t usual,
                    uint32_t up)
{
    uint32_t own = cables->up[pair->low];

    return pair->cables + 1 < usual ||
           (pair->cables < usual && (own < up || own % cables->reach[pair->low] == 0));
}

static void find_thin_pairs(struct cables *cables, uint32_t level)
{
    uint32_t usual = usual_cables(cables, level), up = usual_up(cables, level);

    for (uint32_t p = 0; p < cables->pair_count; p++) {
        const struct switch_pair *pair = &cables->pairs[p];

        if (cables->level[pair->low] == level && is_thin(cables, pair, usual, up))
            add_odd(cables, pair->low,
                    cs_arena_printf(cables->arena, "%u of %u cables to %s", pair->cables, usual,
                                    cables->graph->devices[pair->high].name));
    }
}

/* Switches above a level that pairs name, each with the number of those below. */
static uint32_t *count_below(const struct cables *cables, uint32_t level)
{
    uint32_t *below =
        cs_arena_alloc(cables->arena, cables->graph->device_count + 1, sizeof(*below));

    memset(below, 0, (cables->graph->device_count + 1) * sizeof(*below));
    for (uint32_t p = 0; p < cables->pair_count; p++)
        if (cables->level[cables->pairs[p].low] == level)
            below[cables->pairs[p].high]++;
    return below;
}

/* Of the switches above `low`, the one that most switches reach. */
static uint32_t reach_of(const struct cables *cables, uint32_t first, const uint32_t *below)
{
    uint32_t most = 0;

    for (uint32_t p = first;
         p < cables->pair_count && cables->pairs[p].low == cables->pairs[first].low; p++)
        if (below[cables->pairs[p].high] > most)
            most = below[cables->pairs[p].high];
    return most;
}

/* A switch that has cables to all but one of what its neighbour of equal reach has: the
 * pair that begins at `one` lacks a switch of the pair that begins at `other`. */
static void compare_neighbours(struct cables *cables, uint32_t one, uint32_t other)
{
    uint32_t a = cables->pairs[one].low, b = cables->pairs[other].low, shared = 0, lacking = 0;
    uint32_t missing = UINT32_MAX;
    uint32_t i = one, j = other;

    while (j < cables->pair_count && cables->pairs[j].low == b) {
        bool has = i < cables->pair_count && cables->pairs[i].low == a;

        if (has && cables->pairs[i].high == cables->pairs[j].high) {
            shared++;
            i++;
            j++;
        } else if (has && cables->pairs[i].high < cables->pairs[j].high) {
            i++;
        } else {
            lacking++;
            missing = cables->pairs[j++].high;
        }
    }
    if (lacking == 1 && shared >= 2)
        add_odd(cables, a,
                cs_arena_printf(cables->arena, "no cable to %s, which %s has",
                                cables->graph->devices[missing].name,
                                cables->graph->devices[b].name));
}

static void find_lost_pairs(struct cables *cables, uint32_t level)
{
    uint32_t *below = count_below(cables, level);
    uint32_t last = UINT32_MAX;

    for (uint32_t p = 0, next; p < cables->pair_count; p = next) {
        for (next = p;
             next < cables->pair_count && cables->pairs[next].low == cables->pairs[p].low;)
            next++;
        if (cables->level[cables->pairs[p].low] != level)
            continue;
        if (last != UINT32_MAX && reach_of(cables, last, below) == reach_of(cables, p, below)) {
            compare_neighbours(cables, last, p);
            compare_neighbours(cables, p, last);
        }
        last = p;
    }
}

/* ---- cables upwards ---- */

static bool is_listed(const struct cables *cables, uint32_t device)
{
    uint32_t i = 0;

    while (i < cables->count && cables->list[i].device != device)
        i++;
    return i < cables->count;
}

/* Where pairs differ as planned, the sum shows a loss; a pair that is named is enough. */
static void find_short_up(struct cables *cables, uint32_t level)
{
    uint32_t usual = usual_up(cables, level);

    for (uint32_t d = 0; d < cables->graph->device_count; d++)
        if (cables->level[d] == level && cables->up[d] && cables->up[d] < usual &&
            !is_listed(cables, d))
            add_odd(cables, d,
                    cs_arena_printf(cables->arena,
                                    "%u cables upwards, most switches of its level have %u",
                                    cables->up[d], usual));
}

/* The lower switch of a cable that leads up from a level, or UINT32_MAX; *rate_Bps is of
 * one cable where a link stands for several. */
static uint32_t low_end(const struct cables *cables, uint32_t w, uint32_t level, double *rate_Bps)
{
    const struct cs_wire *wire = &cables->graph->wires[w];
    uint32_t a = cables->level[wire->a], b = cables->level[wire->b];
    double width = strstr(wire->class_name, " of ") ? strtod(wire->class_name, NULL) : 1;

    *rate_Bps = width >= 1 ? wire->rate_Bps / width : wire->rate_Bps;
    if (wire->down || a == b || a >= LEVELS || b >= LEVELS || (a < b ? a : b) != level)
        return UINT32_MAX;
    return a < b ? wire->a : wire->b;
}

/* The rate of over half of the cables upwards; 0: none. */
static double usual_rate(const struct cables *cables, uint32_t level)
{
    double *rates_Bps =
        cs_arena_alloc(cables->arena, cables->graph->wire_count + 1, sizeof(*rates_Bps));
    uint32_t count = 0, same = 0;

    for (uint32_t w = 0; w < cables->graph->wire_count; w++)
        count += low_end(cables, w, level, &rates_Bps[count]) != UINT32_MAX;
    qsort(rates_Bps, count, sizeof(*rates_Bps), cs_order_of_doubles);
    for (uint32_t i = 0; i < count; i++)
        same += rates_Bps[i] == rates_Bps[count / 2];
    return 2 * same > count ? rates_Bps[count / 2] : 0;
}

static void find_slow_up(struct cables *cables, uint32_t level)
{
    double usual_Bps = usual_rate(cables, level), rate_Bps;

    for (uint32_t w = 0; w < cables->graph->wire_count; w++) {
        const struct cs_wire *wire = &cables->graph->wires[w];
        uint32_t low = low_end(cables, w, level, &rate_Bps);

        if (low != UINT32_MAX && rate_Bps < usual_Bps * (1 - 1e-6))
            add_odd(cables, low,
                    cs_arena_printf(
                        cables->arena, "a cable of %g Gb/s to %s, most upwards have %g Gb/s",
                        rate_Bps * 8e-9, cables->graph->devices[cs_wire_far_end(wire, low)].name,
                        usual_Bps * 8e-9));
    }
}

/* ---- rails ---- */

/* "nic2" of "n5.nic2". */
static const char *adapter_name(const struct cs_graph *graph, uint32_t d)
{
    const char *dot = strrchr(graph->devices[d].name, '.');

    return dot ? dot + 1 : graph->devices[d].name;
}

struct rail_port {
    uint32_t leaf, adapter;
};

static int compare_ports(const void *a, const void *b)
{
    const struct rail_port *x = a, *y = b;

    return CS_ORDER({x->leaf, y->leaf}, {x->adapter, y->adapter});
}

/* The name of most adapters, if that of more than half of them: each other name takes a vote. */
static const char *name_of_most(const struct cs_graph *graph, const struct rail_port *ports,
                                uint32_t count)
{
    const char *most = "";
    uint32_t votes = 0;

    for (uint32_t i = 0; i < count; i++) {
        const char *name = adapter_name(graph, ports[i].adapter);

        if (votes == 0)
            most = name;
        votes += cs_same(name, most) ? 1 : -1U;
    }
    return most;
}

/* Adapters of a switch whose name differs from that of four fifths of them. */
static void find_strays(struct cables *cables, const struct rail_port *ports, uint32_t count)
{
    const struct cs_graph *graph = cables->graph;
    const char *name = name_of_most(graph, ports, count);
    uint32_t same = 0;

    for (uint32_t i = 0; i < count; i++)
        same += cs_same(adapter_name(graph, ports[i].adapter), name);
    for (uint32_t i = 0; i < count && 5 * same >= 4 * count; i++)
        if (!cs_same(adapter_name(graph, ports[i].adapter), name))
            add_odd(cables, ports[i].adapter,
                    cs_arena_printf(cables->arena, "on %s, which has %s of other nodes",
                                    graph->devices[ports[i].leaf].name, name));
}

static void find_wrong_rails(struct cables *cables)
{
    const struct cs_graph *graph = cables->graph;
    struct rail_port *ports = cs_arena_alloc(cables->arena, graph->wire_count + 1, sizeof(*ports));
    uint32_t count = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        bool from_nic = graph->devices[wire->a].kind == CS_DEVICE_NIC;
        uint32_t nic = from_nic ? wire->a : wire->b, leaf = from_nic ? wire->b : wire->a;

        if (graph->devices[nic].kind == CS_DEVICE_NIC && is_outside(graph, leaf))
            ports[count++] = (struct rail_port){leaf, nic};
    }
    qsort(ports, count, sizeof(*ports), compare_ports);
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && ports[next].leaf == ports[i].leaf;)
            next++;
        if (next - i >= 5)
            find_strays(cables, ports + i, next - i);
    }
}

uint32_t cs_cable_oddities_find(const struct cs_graph *graph, struct cs_arena *arena,
                                struct cs_oddity *list, uint32_t room)
{
    struct cables cables = {.graph = graph, .arena = arena, .list = list, .room = room};

    find_levels(&cables);
    find_pairs(&cables);
    count_up(&cables);
    for (uint32_t level = 0; level + 1 < LEVELS; level++) {
        find_thin_pairs(&cables, level);
        find_lost_pairs(&cables, level);
        find_short_up(&cables, level);
        find_slow_up(&cables, level);
    }
    find_wrong_rails(&cables);
    return cables.count;
}
