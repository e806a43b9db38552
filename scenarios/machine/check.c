/*
 * topo check: the capacity of a machine, and anomalies.
 *
 *     pair       slowest, median and fastest route between two ranks without
 *                contention
 *     bisection  maximum flow from one half of the ranks to the other half: the
 *                minimum over all halves of few ranks, else over a few typical
 *                halves, an upper bound of the minimum
 *     switch     oversubscription: rate from below over rate upwards
 *     anomaly    ranks and NICs whose rate differs from the median's, figures
 *                that differ from the link's kind or are implausible; oddities
 *                in words (oddities.h)
 */
#include "algorithms/bounds/mincut.h"
#include "scenarios/machine/oddities.h"
#include "scenarios/machine/topo_word.h"
#include "sim/base/order.h"
#include "topo/kinds/link_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANKS_MAX = 2048,       /* pairs of the first ranks are checked: 4 M routes */
    FLOW_DEVICES = 1 << 16, /* the largest machine with a bisection */
    ANOMALIES_MAX = 20,     /* rows of one sort */
};

/* NaN and UINT64_MAX print an empty cell. */
struct topo_check_row {
    const char *check, *where, *note;
    double rate_Bps, ratio;
    uint64_t latency_ps;
};

#define AT(member) CS_AT(struct topo_check_row, member)
static const struct cs_sheet_column columns[] = {
    {"check", "check", NULL, CS_SHEET_TEXT, AT(check)},
    {"where", "where", NULL, CS_SHEET_TEXT, AT(where)},
    {"rate_Bps", "rate", NULL, CS_SHEET_RATE, AT(rate_Bps)},
    {"latency_s", "latency", NULL, CS_SHEET_TIME, AT(latency_ps)},
    {"ratio", "ratio", NULL, CS_SHEET_TIMES, AT(ratio)},
    {"remark", "remark", NULL, CS_SHEET_TEXT, AT(note), CS_OR_EMPTY},
};

struct check {
    const struct cs_topo_look *look;
    const struct cs_graph *graph;
    struct cs_sheet sheet;
    uint64_t anomalies;
};

static void topo_check_add(struct check *check, struct topo_check_row row)
{
    cs_sheet_row(&check->sheet, &row);
}

static const char *topo_check_rank_name(const struct check *check, uint32_t rank)
{
    return check->graph->devices[check->graph->rank_device[rank]].name;
}

/* ---- pairs ---- */

struct topo_check_pair {
    double rate_Bps;
    uint64_t latency_ps;
    uint32_t src, dst;
};

/* The bottleneck rate and the latency of a route. */
static struct topo_check_pair look_at_pair(const struct check *check, uint32_t src, uint32_t dst,
                                           uint32_t *links)
{
    const struct cs_net *net = check->look->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);
    struct topo_check_pair pair = {(double)INFINITY, 0, src, dst};

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &net->links[links[i]];

        if (link->rate_Bps < pair.rate_Bps)
            pair.rate_Bps = link->rate_Bps;
        pair.latency_ps += link->latency_ps;
    }
    return pair;
}

/* From the slowest to the fastest; the order is total, for equal output
 * everywhere. */
static int compare_pairs(const void *a, const void *b)
{
    const struct topo_check_pair *x = a;
    const struct topo_check_pair *y = b;

    if (x->rate_Bps != y->rate_Bps)
        return x->rate_Bps < y->rate_Bps ? -1 : 1;
    if (x->latency_ps != y->latency_ps)
        return x->latency_ps > y->latency_ps ? -1 : 1;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    return (x->dst > y->dst) - (x->dst < y->dst);
}

/* Moves the pair of that place in the order to the place, without the order of the others
 * (Hoare's selection). */
static const struct topo_check_pair *select_pair(struct topo_check_pair *pairs, int64_t count,
                                                 int64_t place)
{
    int64_t low = 0, high = count - 1;

    while (low < high) {
        struct topo_check_pair pivot = pairs[low + (high - low) / 2];
        int64_t i = low, j = high;

        while (i <= j) {
            struct topo_check_pair kept;

            while (compare_pairs(&pairs[i], &pivot) < 0)
                i++;
            while (compare_pairs(&pairs[j], &pivot) > 0)
                j--;
            if (i > j)
                break;
            kept = pairs[i];
            pairs[i++] = pairs[j];
            pairs[j--] = kept;
        }
        if (j < place)
            low = i;
        if (place < i)
            high = j;
    }
    return &pairs[place];
}

static void add_pair(struct check *check, const struct topo_check_pair *pair, const char *note)
{
    const char *where =
        cs_arena_printf(check->look->arena, "%s -> %s", topo_check_rank_name(check, pair->src),
                        topo_check_rank_name(check, pair->dst));

    topo_check_add(check, (struct topo_check_row){.check = "pair",
                                                  .where = where,
                                                  .rate_Bps = pair->rate_Bps,
                                                  .latency_ps = pair->latency_ps,
                                                  .ratio = (double)NAN,
                                                  .note = note});
}

static void topo_check_pairs(struct check *check)
{
    uint32_t all = check->graph->rank_count;
    uint32_t ranks = all < RANKS_MAX ? all : RANKS_MAX;
    uint32_t *links = cs_arena_alloc(check->look->arena, (uint64_t)check->look->net->max_hops + 1,
                                     sizeof(*links));
    struct topo_check_pair *pairs;
    int64_t count = 0;

    if (ranks < 2)
        return;
    pairs = cs_arena_alloc(check->look->arena, (uint64_t)ranks * (ranks - 1), sizeof(*pairs));
    for (uint32_t i = 0; i < ranks * ranks; i++)
        if (i / ranks != i % ranks)
            pairs[count++] = look_at_pair(check, i / ranks, i % ranks, links);
    add_pair(check, select_pair(pairs, count, 0), "the slowest");
    add_pair(check, select_pair(pairs, count, count / 2),
             ranks < all ? "the median, of the first ranks" : "the median");
    add_pair(check, select_pair(pairs, count, count - 1), "the fastest");
}

/* ---- bisection ---- */

struct halves {
    double rate_Bps;
    const char *where, *how;
};

/* Keeps the smaller cut; of equal cuts the first. */
static void keep_less(struct halves *least, double rate_Bps, const char *where)
{
    if (rate_Bps >= least->rate_Bps)
        return;
    least->rate_Bps = rate_Bps;
    least->where = where;
}

/* The names of the ranks of a set, a bit for each rank. */
static const char *topo_check_name_set(const struct check *check, uint32_t set)
{
    struct cs_text text = {0};

    for (uint32_t r = 0; r < check->graph->rank_count; r++)
        if (set >> r & 1)
            cs_text_printf(&text, "%s%s", text.length ? " " : "", topo_check_rank_name(check, r));
    return cs_text_keep(&text, check->look->arena);
}

/* The minimum over all halves: one maximum flow for each set of ranks. */
static struct halves all_halves(const struct check *check)
{
    uint32_t ranks = check->graph->rank_count;
    double *rates_Bps = cs_mincut_all(check->graph, check->look->arena);
    struct halves least = {(double)INFINITY, "", "of all halves"};

    for (uint32_t set = 1; set + 1 < 1u << ranks; set++)
        if ((uint32_t)__builtin_popcount(set) == ranks / 2)
            keep_less(&least, rates_Bps[set], topo_check_name_set(check, set));
    return least;
}

/* The minimum over three plausible halves: the first half,
 * every second rank, and the ranks of every second node. */
static struct halves some_halves(const struct check *check)
{
    static const char *const names[] = {"the first half of the ranks", "every second rank",
                                        "the ranks of every second node"};
    const struct cs_graph *graph = check->graph;
    uint32_t ranks = graph->rank_count;
    bool *inside = cs_arena_alloc(check->look->arena, ranks, sizeof(*inside));
    struct halves least = {(double)INFINITY, "", "of some halves; other halves may be slower"};

    for (int kind = 0; kind < 3; kind++) {
        CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
        uint32_t count = 0;

        for (uint32_t r = 0; r < ranks; r++) {
            uint32_t host = graph->devices[graph->rank_device[r]].host;

            inside[r] = kind == 0   ? r < ranks / 2
                        : kind == 1 ? r % 2 == 0
                                    : host != CS_NO_HOST && host % 2 == 0;
            count += inside[r];
        }
        if (count == ranks / 2)
            keep_less(&least, cs_mincut_of(graph, inside, &scratch), names[kind]);
    }
    return least;
}

/* The rate of the own links of half the ranks: the bisection of a network without
 * oversubscription. */
static double ports_of_half(const struct check *check)
{
    const struct cs_graph *graph = check->graph;
    bool *is_rank = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(*is_rank));
    double sum_Bps = 0;

    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_rank[graph->rank_device[r]] = true;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (!wire->backwards)
            sum_Bps += (is_rank[wire->a] + is_rank[wire->b]) * cs_wire_effective(wire);
    }
    return sum_Bps / 2;
}

static void check_bisection(struct check *check)
{
    struct halves least;

    if (check->graph->rank_count < 2 || check->graph->rank_count % 2)
        return;
    if (check->graph->device_count > FLOW_DEVICES) {
        topo_check_add(check, (struct topo_check_row){.check = "bisection",
                                                      .where = "",
                                                      .rate_Bps = (double)NAN,
                                                      .latency_ps = UINT64_MAX,
                                                      .ratio = (double)NAN,
                                                      .note = "skipped: the machine is too large"});
        return;
    }
    least =
        check->graph->rank_count <= CS_MINCUT_RANKS_MAX ? all_halves(check) : some_halves(check);
    topo_check_add(check, (struct topo_check_row){
                              .check = "bisection",
                              .where = least.where,
                              .rate_Bps = least.rate_Bps,
                              .latency_ps = UINT64_MAX,
                              .ratio = least.rate_Bps / ports_of_half(check),
                              .note = cs_arena_printf(
                                  check->look->arena,
                                  "%s; ratio: to the sum of the ranks' own links", least.how)});
}

/* ---- switches ---- */

/* The distance of each device from the nearest rank, in links: the level of a
 * switch in any fabric. */
static uint32_t *topo_check_distances(const struct check *check)
{
    const struct cs_graph *graph = check->graph;
    uint32_t *away = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(*away));
    bool changed = true;

    memset(away, 0xff, graph->device_count * sizeof(*away));
    for (uint32_t r = 0; r < graph->rank_count; r++)
        away[graph->rank_device[r]] = 0;
    for (uint32_t step = 0; changed; step++) {
        changed = false;
        for (uint32_t w = 0; w < graph->wire_count; w++) {
            uint32_t a = graph->wires[w].a;
            uint32_t b = graph->wires[w].b;

            if (away[a] == step && away[b] > step + 1)
                away[b] = step + 1;
            else if (away[b] == step && away[a] > step + 1)
                away[a] = step + 1;
            else
                continue;
            changed = true;
        }
    }
    return away;
}

struct topo_check_level {
    double least, most; /* ratios of the switches */
    const char *worst;  /* the switch with the largest ratio */
    double up_Bps;      /* of the worst switch */
    uint32_t count;
};

enum {
    LEVELS_MAX = 16
};

/* Whether traffic passes through the device. */
static bool leads_on(const struct cs_graph *graph, uint32_t d)
{
    return graph->devices[d].kind == CS_DEVICE_SWITCH || graph->devices[d].kind == CS_DEVICE_CPU;
}

/* Sums the rates of each device from nearer devices, and to farther switches. */
static void sum_ends(const struct cs_graph *graph, const uint32_t *away, double *down_Bps,
                     double *up_Bps)
{
    for (uint32_t i = 0; i < 2 * graph->wire_count; i++) {
        const struct cs_wire *wire = &graph->wires[i / 2];
        uint32_t d = i % 2 ? wire->b : wire->a;
        uint32_t to = i % 2 ? wire->a : wire->b;

        if (away[to] < away[d] && !(wire->backwards && to == wire->a))
            down_Bps[d] += cs_wire_effective(wire);
        else if (away[to] > away[d] && leads_on(graph, to))
            up_Bps[d] += cs_wire_effective(wire);
    }
}

/* Adds a switch to the statistics of a level. */
static void count_in(struct topo_check_level *level, const char *name, double down_Bps,
                     double up_Bps)
{
    double ratio = down_Bps / up_Bps;

    if (level->count++ == 0 || ratio < level->least)
        level->least = ratio;
    if (ratio <= level->most)
        return;
    level->most = ratio;
    level->worst = name;
    level->up_Bps = up_Bps;
}

static void sum_levels(const struct check *check, const uint32_t *away,
                       struct topo_check_level *levels)
{
    const struct cs_graph *graph = check->graph;
    double *down_Bps = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(double));
    double *up_Bps = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(double));

    sum_ends(graph, away, down_Bps, up_Bps);
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].kind == CS_DEVICE_SWITCH && up_Bps[d] > 0 && away[d] < LEVELS_MAX)
            count_in(&levels[away[d]], graph->devices[d].name, down_Bps[d], up_Bps[d]);
}

static void topo_check_switches(struct check *check)
{
    struct topo_check_level levels[LEVELS_MAX] = {0};
    char note[80];

    sum_levels(check, topo_check_distances(check), levels);
    for (uint32_t i = 0; i < LEVELS_MAX; i++) {
        if (levels[i].count == 0)
            continue;
        (void)snprintf(note, sizeof(note), "down to up; %u %s %u %s from a rank, the least %.3g",
                       levels[i].count, levels[i].count == 1 ? "switch" : "switches", i,
                       i == 1 ? "link" : "links", levels[i].least);
        topo_check_add(check,
                       (struct topo_check_row){.check = "switch",
                                               .where = levels[i].worst,
                                               .rate_Bps = levels[i].up_Bps,
                                               .latency_ps = UINT64_MAX,
                                               .ratio = levels[i].most,
                                               .note = cs_arena_text(check->look->arena, note)});
    }
}

/* ---- anomalies ---- */

static void add_anomaly(struct check *check, const char *where, double rate_Bps, double ratio,
                        const char *note)
{
    check->anomalies++;
    topo_check_add(check, (struct topo_check_row){.check = "anomaly",
                                                  .where = where,
                                                  .rate_Bps = rate_Bps,
                                                  .latency_ps = UINT64_MAX,
                                                  .ratio = ratio,
                                                  .note = note});
}

/* Reports devices of a kind whose total rate differs from the median device. */
static void check_kind(struct check *check, enum cs_device_kind kind, const double *sums_Bps)
{
    const struct cs_graph *graph = check->graph;
    double *rates_Bps = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(double));
    uint32_t count = 0;
    uint32_t reported = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].kind == kind)
            rates_Bps[count++] = sums_Bps[d];
    qsort(rates_Bps, count, sizeof(*rates_Bps), cs_order_of_doubles);
    for (uint32_t d = 0; d < graph->device_count && reported < ANOMALIES_MAX; d++) {
        double ratio = sums_Bps[d] / rates_Bps[count / 2];

        if (graph->devices[d].kind != kind || fabs(ratio - 1) < 1e-6)
            continue;
        reported++;
        add_anomaly(check, graph->devices[d].name, sums_Bps[d], ratio,
                    cs_arena_printf(check->look->arena, "links of this %s over the median",
                                    cs_device_kind_name(kind)));
    }
}

/* GPUs, hosts and NICs are usually identical; a different sum of rates shows a
 * missing or a slow link. */
static void check_likes(struct check *check)
{
    const struct cs_graph *graph = check->graph;
    double *sums_Bps = cs_arena_alloc(check->look->arena, graph->device_count, sizeof(double));

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (wire->backwards)
            continue;
        sums_Bps[wire->a] += cs_wire_effective(wire);
        sums_Bps[wire->b] += cs_wire_effective(wire);
    }
    check_kind(check, CS_DEVICE_GPU, sums_Bps);
    check_kind(check, CS_DEVICE_HOST, sums_Bps);
    check_kind(check, CS_DEVICE_NIC, sums_Bps);
}

/* The anomaly of a wire's figures, or NULL; *ratio is the rate over the link
 * kind's, or NaN. */
static const char *topo_check_doubt(const struct cs_wire *wire, double *ratio)
{
    struct cs_wire kind = {0};
    double links = strstr(wire->class_name, " of ") ? strtod(wire->class_name, NULL) : 1;

    *ratio = (double)NAN;
    if (wire->down)
        return "down";
    if (!cs_link_kind_find(wire->class_name, &kind, NULL)) {
        *ratio = cs_wire_effective(wire) / cs_wire_effective(&kind);
        if (fabs(*ratio - 1) > 1e-3)
            return "effective rate differs from the link kind's";
        *ratio = (double)NAN;
        if (wire->latency_ps != kind.latency_ps)
            return "latency differs from the link kind's";
        return NULL;
    }
    if (wire->rate_Bps > 2e13 * fmax(links, 1) || wire->rate_Bps < 1e5)
        return "implausible rate";
    if (wire->latency_ps > 1000000000)
        return "latency above 1 ms";
    return wire->efficiency < 0.2 ? "efficiency below 0.2" : NULL;
}

static void check_figures(struct check *check)
{
    const struct cs_graph *graph = check->graph;
    const char *last = "";
    uint32_t reported = 0;

    for (uint32_t w = 0; w < graph->wire_count && reported < ANOMALIES_MAX; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        double ratio;
        const char *note = topo_check_doubt(wire, &ratio);

        /* One row for a class with the same anomaly throughout. */
        if (!note || (!wire->down && cs_same(last, wire->class_name)))
            continue;
        last = wire->class_name;
        reported++;
        add_anomaly(check, cs_graph_link_name(graph, 2 * w, check->look->arena),
                    cs_wire_effective(wire), ratio, note);
    }
}

static void check_oddities(struct check *check)
{
    struct cs_oddity list[ANOMALIES_MAX];
    uint32_t count = cs_oddities_find(check->graph, check->look->arena, list, ANOMALIES_MAX);

    count += cs_cable_oddities_find(check->graph, check->look->arena, list + count,
                                    ANOMALIES_MAX - count);
    for (uint32_t i = 0; i < count; i++)
        add_anomaly(check, list[i].where, (double)NAN, (double)NAN, list[i].words);
}

static int topo_check_run(const struct cs_topo_look *look, struct cs_err *err)
{
    struct check check = {.look = look, .graph = look->graph};

    cs_sheet_begin(&check.sheet, "checks", CS_COLUMNS(columns));
    topo_check_pairs(&check);
    check_bisection(&check);
    topo_check_switches(&check);
    check_likes(&check);
    check_figures(&check);
    check_oddities(&check);
    return cs_topo_findings(look, &check.sheet, check.anomalies,
                            check.anomalies == 1 ? "anomaly" : "anomalies", err);
}

const struct cs_topo_view cs_topo_word_check = {
    .name = "check",
    .about = "rates of all pairs, bisection, oversubscription, anomalies",
    .has_sheet = true,
    .has_findings = true,
    .run = topo_check_run,
};
