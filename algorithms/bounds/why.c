#include "algorithms/bounds/case.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>

enum {
    NAMES_MAX = 4,
    KINDS_MAX = 4, /* of wires */
};

/* Of the sum of prices; remainders of rounding are less. */
static const double price_min = 1e-6;

/* Of sums of rates in different orders. */
static const double why_rounding = 1e-9;

/* Moves a finished text into the arena. */
static const char *why_finish(struct cs_text *text, struct cs_arena *arena)
{
    const char *done = cs_arena_text(arena, cs_text_str(text));

    cs_text_free(text);
    return done;
}

/* ---- ranks ---- */

/* The set of ranks with cells marked like `side`. */
struct why_set {
    const struct cs_network *network;
    const bool *inside;
    bool side;
};

static bool why_has(const struct why_set *set, uint32_t rank)
{
    uint32_t device = set->network->graph->rank_device[rank];

    return set->inside[set->network->cells.of[device]] == set->side;
}

static uint32_t why_size(const struct why_set *set)
{
    uint32_t size = 0;

    for (uint32_t r = 0; r < set->network->graph->rank_count; r++)
        size += why_has(set, r);
    return size;
}

/* "gpu0 gpu1", "gpu0 gpu1 gpu2 ... (12 ranks)", "the other 12 ranks". */
static void why_add_set(const struct why_set *set, struct cs_text *out, struct cs_arena *arena)
{
    const struct cs_graph *graph = set->network->graph;
    uint32_t size = why_size(set);
    uint32_t named = 0;

    if (size > NAMES_MAX && 2 * size > graph->rank_count) {
        cs_text_printf(out, "the other %u ranks", size);
        return;
    }
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        if (!why_has(set, r))
            continue;
        if (size > NAMES_MAX && named == NAMES_MAX - 1) {
            cs_text_printf(out, " ... (%u ranks)", size);
            return;
        }
        cs_text_printf(out, "%s%s", named++ ? " " : "",
                       cs_graph_name(graph, graph->rank_device[r], arena));
    }
}

/* ---- wires ---- */

/* Equal crossing wires. */
struct why_kind {
    const char *name;
    double rate_Bps;
    uint64_t count;
};

struct why_kinds {
    struct why_kind kinds[KINDS_MAX];
    uint32_t count;
    bool more;
};

static void why_count(struct why_kinds *kinds, const char *name, double rate_Bps, uint32_t weight)
{
    uint32_t k = 0;

    while (k < kinds->count &&
           !(cs_same(kinds->kinds[k].name, name) && kinds->kinds[k].rate_Bps == rate_Bps))
        k++;
    if (k == KINDS_MAX) {
        kinds->more = true;
        return;
    }
    if (k == kinds->count)
        kinds->kinds[kinds->count++] = (struct why_kind){name, rate_Bps, 0};
    kinds->kinds[k].count += weight;
}

static struct why_kinds why_crossing(const struct cs_network *network, const bool *inside)
{
    const struct cs_flow *flow = &network->flow;
    struct why_kinds kinds = {.count = 0};

    for (uint32_t e = 0; e < flow->arc_count; e++) {
        const struct cs_network_arc *arc = &network->arcs[e / 2];
        double rate_Bps = e % 2 ? arc->back_Bps : arc->forward_Bps;

        if (rate_Bps <= 0 || inside[flow->arcs[e ^ 1].to] || !inside[flow->arcs[e].to])
            continue;
        why_count(&kinds,
                  arc->wire == CS_NO_CELL ? "shared medium"
                                          : cs_graph_wire(network->graph, arc->wire).class_name,
                  rate_Bps, arc->weight);
    }
    return kinds;
}

/* " (2 x 25 GB/s nvlink2 + 16 GB/s qpi = 66 GB/s)" */
static void why_add_wires(const struct why_kinds *kinds, double sum_Bps, struct cs_text *out)
{
    for (uint32_t k = 0; k < kinds->count; k++) {
        cs_text_add(out, k ? " + " : " (");
        if (kinds->kinds[k].count > 1)
            cs_text_printf(out, "%llu x ", (unsigned long long)kinds->kinds[k].count);
        cs_text_printf(out, "%s %s", cs_show_rate(kinds->kinds[k].rate_Bps).text,
                       kinds->kinds[k].name);
    }
    if (kinds->more)
        cs_text_add(out, " + ...");
    if (kinds->more || kinds->count > 1 || (kinds->count == 1 && kinds->kinds[0].count > 1))
        cs_text_printf(out, " = %s", cs_show_rate(sum_Bps).text);
    if (kinds->count)
        cs_text_add(out, ")");
}

/* ---- cuts ---- */

const char *cs_why_cut(const struct cs_network *network, const struct cs_flow_cut *cut,
                       struct cs_arena *arena)
{
    struct why_set in = {network, cut->inside, true};
    struct why_set out = {network, cut->inside, false};
    struct why_kinds kinds = why_crossing(network, cut->inside);
    bool reversed = network->direction == CS_CUT_OUT_OF;
    bool both = network->direction == CS_CUT_BOTH;
    struct cs_text text = {0};

    cs_text_add(&text, both ? "links between " : "links from ");
    why_add_set(reversed ? &in : &out, &text, arena);
    cs_text_add(&text, both ? " and " : " to ");
    why_add_set(reversed ? &out : &in, &text, arena);
    why_add_wires(&kinds, cut->rate_Bps, &text);
    return why_finish(&text, arena);
}

/* ---- partitions ---- */

/* Two groups by the ranks; of more groups the number and a group. */
const char *cs_why_partition(const struct cs_network *network, const struct cs_strength *strength,
                             struct cs_arena *arena)
{
    const struct cs_flow_cut *cut = &strength->first;
    struct why_set in = {network, cut->inside, true};
    struct why_set out = {network, cut->inside, false};
    struct why_kinds kinds = why_crossing(network, cut->inside);
    struct cs_text text = {0};

    cs_text_add(&text, "links between ");
    if (strength->groups > 2)
        cs_text_printf(&text, "%u groups of ranks, one of them ", strength->groups);
    why_add_set(&in, &text, arena);
    if (strength->groups == 2) {
        cs_text_add(&text, " and ");
        why_add_set(&out, &text, arena);
    }
    why_add_wires(&kinds, cut->rate_Bps, &text);
    return why_finish(&text, arena);
}

/* ---- pairs ---- */

const char *cs_why_pairs(const struct cs_graph *graph, const struct cs_demand *demand,
                         const struct cs_pairs *bound, struct cs_arena *arena)
{
    const struct cs_lengths *lengths = demand->lengths;
    struct why_kinds kinds = {.count = 0};
    struct cs_text text = {0};
    double sum = 0;

    for (uint32_t r = 0; r < lengths->resource_count; r++)
        sum += bound->price[r] * lengths->resources[r].count;
    for (uint32_t r = 0; r < lengths->resource_count; r++) {
        const struct cs_lengths_resource *resource = &lengths->resources[r];
        struct cs_wire wire = cs_graph_wire(graph, resource->wire);

        if (bound->price[r] * resource->count > price_min * sum)
            why_count(&kinds, wire.class_name, cs_wire_effective(&wire), resource->count);
    }
    cs_text_add(&text, demand->is_all ? "routes between all pairs, over"
                                      : "routes from each rank to the next, over");
    for (uint32_t k = 0; k < kinds.count; k++)
        cs_text_printf(&text, "%s %llu x %s", k ? " +" : "",
                       (unsigned long long)kinds.kinds[k].count, kinds.kinds[k].name);
    if (kinds.more)
        cs_text_add(&text, " + ...");
    return why_finish(&text, arena);
}

/* ---- own links ---- */

/* The least and the most of the rates of a rank's links together. */
struct why_own_rates {
    double least_Bps, most_Bps;
};

/* Ranks of identical hosts are equal: 0. */
static struct why_own_rates why_own_rates_of(const struct cs_graph *graph)
{
    struct why_own_rates rates = {0, 0};
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    double *sums_Bps;

    if (graph->replicated.count)
        return rates;
    sums_Bps = cs_arena_alloc(&scratch, graph->device_count, sizeof(*sums_Bps));
    for (uint32_t i = 0; i < graph->wire_count; i++) {
        if (graph->wires[i].down)
            continue;
        sums_Bps[graph->wires[i].a] += cs_wire_effective(&graph->wires[i]);
        sums_Bps[graph->wires[i].b] += cs_wire_effective(&graph->wires[i]);
    }
    for (uint32_t i = 0; i < graph->rank_count; i++) {
        double sum_Bps = sums_Bps[graph->rank_device[i]];

        rates.least_Bps = i ? fmin(rates.least_Bps, sum_Bps) : sum_Bps;
        rates.most_Bps = fmax(rates.most_Bps, sum_Bps);
    }
    return rates;
}

const char *cs_why_own_links(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint32_t device = graph->rank_device[0];
    struct cs_text text = {0};
    struct why_kinds kinds = {.count = 0};
    struct why_own_rates rates;
    double sum_Bps = 0;

    for (uint32_t i = 0; i < graph->wire_count; i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);

        if (wire.down || (wire.a != device && wire.b != device) ||
            !cs_wire_leads(&wire, wire.b == device))
            continue;
        sum_Bps += cs_wire_effective(&wire);
        why_count(&kinds, wire.class_name, cs_wire_effective(&wire), 1);
    }
    rates = why_own_rates_of(graph);
    cs_text_add(&text, "the ranks' own links");
    if (rates.least_Bps < rates.most_Bps * (1 - why_rounding))
        cs_text_printf(&text, " (%s to %s)", cs_show_rate(rates.least_Bps).text,
                       cs_show_rate(rates.most_Bps).text);
    else
        why_add_wires(&kinds, sum_Bps, &text);
    return why_finish(&text, arena);
}
