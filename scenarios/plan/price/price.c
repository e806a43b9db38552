#include "scenarios/plan/price/price.h"

#include "scenarios/options/words.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct cs_price cs_prices[] = {
#define SWITCH(name, ports, Gbps, usd, watts, low, high, from, watts_from) \
    {CS_PRICE_SWITCH, name, ports, Gbps, usd, watts, from, watts_from, low, high},
#define CABLE(name, Gbps, usd, watts, low, high, from, watts_from) \
    {CS_PRICE_CABLE, name, 0, Gbps, usd, watts, from, watts_from, low, high},
#define NODE(name, usd, watts, low, high, from, watts_from) \
    {CS_PRICE_NODE, name, 0, 0, usd, watts, from, watts_from, low, high},
#define RENT(name, usd, low, high, from) {CS_PRICE_RENT, name, 0, 0, usd, 0, from, "", low, high},
#include "scenarios/plan/price/prices.def"
};

const size_t cs_price_count = sizeof(cs_prices) / sizeof(*cs_prices);

const char *const cs_price_kind_names[CS_PRICE_KINDS + 1] = {"node", "switch", "cable", "rent",
                                                             NULL};

static const char own_source[] = "given by the user";

/* ---- the list in use ---- */

static const struct cs_price *price_of_node(enum cs_price_kind kind, const char *node)
{
    for (size_t p = 0; p < cs_price_count; ++p)
        if (cs_prices[p].kind == kind && cs_same(cs_prices[p].name, node))
            return &cs_prices[p];
    return NULL;
}

/* The entry with the greatest rate up to the port's; of several, the first, or a switch of
 * `ports`.  Payload rates lie a few per cent below the names of links. */
static const struct cs_price *price_of_port(enum cs_price_kind kind, double port_Bps,
                                            uint32_t ports)
{
    double gigabits = port_Bps * 8e-9 * 1.05;
    const struct cs_price *best = NULL;

    for (size_t p = 0; p < cs_price_count; ++p)
        if (cs_prices[p].kind == kind && cs_prices[p].least_Gbps <= gigabits &&
            (!best || cs_prices[p].least_Gbps > best->least_Gbps ||
             (cs_prices[p].least_Gbps == best->least_Gbps && ports && cs_prices[p].ports == ports)))
            best = &cs_prices[p];
    return best;
}

/* Around a figure without another source, low and high: assumed. */
static const struct cs_price_range assumed_usd[CS_PRICE_KINDS] = {
    {0.8, 1.2}, {0.7, 1.3}, {0.7, 1.3}, {0.8, 1.2}};

/* Of a node with 8 H100 in training, of its maximum: arXiv 2506.14551; 82 % at
 * most, arXiv 2412.08602.  Of switches and cables: assumed. */
static const struct cs_price_range known_watts[CS_PRICE_KINDS] = {
    {0.76, 1}, {0.8, 1.2}, {0.8, 1.2}, {1, 1}};

static struct cs_price_range range_around(double figure, struct cs_price_range factors)
{
    return (struct cs_price_range){figure * factors.low, figure * factors.high};
}

/* The user's figure of a kind, or of the node by its name; 0: none. */
static double own_figure(const struct cs_price_own *own, enum cs_price_kind kind, const char *node)
{
    for (uint32_t n = 0; kind == CS_PRICE_NODE && n < own->node_count; ++n)
        if (cs_same(own->node[n].name, node))
            return own->node[n].value;
    return own->of[kind];
}

/* The published figure where the user's is of another order, as 300 for 300k; else 0. */
static double far_from(double own, double published, struct cs_price_range range)
{
    bool is_far = own > 0 && (own < range.low / 10 || own > range.high * 10);

    return is_far ? published : 0;
}

static void list_set(struct cs_price_list *list, enum cs_price_kind kind,
                     const struct cs_price *price, const struct cs_price_options *options,
                     const char *node)
{
    double own_usd = own_figure(&options->usd, kind, node);
    double own_watts = own_figure(&options->watts, kind, node);
    static const struct cs_price_range exact = {1, 1};
    double usd = price && price->usd > 0 ? price->usd : NAN;
    double watts = price && price->watts > 0 ? price->watts : NAN;

    list->name[kind] = price ? price->name : "";
    list->usd_source[kind] = price ? price->usd_source : "";
    list->watts_source[kind] = price ? price->watts_source : "";
    list->usd_range[kind] = range_around(usd, assumed_usd[kind]);
    if (price && price->usd_low > 0)
        list->usd_range[kind] = (struct cs_price_range){price->usd_low, price->usd_high};
    list->watts_range[kind] = range_around(watts, known_watts[kind]);
    list->usd_far[kind] = far_from(own_usd, usd, list->usd_range[kind]);
    list->watts_far[kind] = far_from(own_watts, watts, list->watts_range[kind]);
    if (own_usd > 0) {
        usd = own_usd;
        list->usd_range[kind] = range_around(usd, exact);
        list->usd_source[kind] = own_source;
    }
    if (own_watts > 0) {
        watts = own_watts;
        list->watts_range[kind] = range_around(watts, exact);
        list->watts_source[kind] = own_source;
    }
    list->usd[kind] = usd;
    list->watts[kind] = watts;
}

struct cs_price_list cs_price_list_of(const struct cs_price_options *options, const char *node,
                                      double port_Bps)
{
    const struct cs_price *box = price_of_port(CS_PRICE_SWITCH, port_Bps, options->switch_ports);
    static const struct cs_price other_box = {.kind = CS_PRICE_SWITCH, .name = "other ports"};
    struct cs_price_list list = {.switch_ports = options->switch_ports};

    if (options->switch_ports && box->ports != options->switch_ports)
        box = &other_box;

    list_set(&list, CS_PRICE_NODE, price_of_node(CS_PRICE_NODE, node), options, node);
    list_set(&list, CS_PRICE_RENT, price_of_node(CS_PRICE_RENT, node), options, node);
    list_set(&list, CS_PRICE_SWITCH, box, options, node);
    list_set(&list, CS_PRICE_CABLE, price_of_port(CS_PRICE_CABLE, port_Bps, 0), options, node);
    if (!list.switch_ports)
        list.switch_ports = box->ports;
    return list;
}

/* ---- sums ---- */

/* Nothing of something unknown costs nothing. */
static double price_times(uint64_t count, double each)
{
    return count ? (double)count * each : 0;
}

struct cs_plan_cost cs_plan_cost_of(const struct cs_inventory *inventory,
                                    const struct cs_price_list *prices,
                                    const struct cs_price_options *options)
{
    struct cs_plan_cost cost = {0};

    cost.node_usd = price_times(inventory->nodes, prices->usd[CS_PRICE_NODE]);
    cost.network_usd = price_times(inventory->boxes, prices->usd[CS_PRICE_SWITCH]) +
                       price_times(inventory->cables, prices->usd[CS_PRICE_CABLE]);
    cost.capital_usd = cost.node_usd + cost.network_usd;
    cost.network_watts = price_times(inventory->boxes, prices->watts[CS_PRICE_SWITCH]) +
                         price_times(inventory->cables, prices->watts[CS_PRICE_CABLE]);
    cost.watts = options->pue *
                 (price_times(inventory->nodes, prices->watts[CS_PRICE_NODE]) + cost.network_watts);
    cost.energy_usd_per_h = cost.watts * 1e-3 * options->energy_usd;
    cost.usd_per_h = cost.capital_usd / (options->lifetime_s / 3600) + cost.energy_usd_per_h;
    return cost;
}

/* ---- reading ---- */

#define CURRENCY(name, usd)               \
    {name, usd}, {"k" name, 1e3 * (usd)}, \
    {                                     \
        "M" name, 1e6 * (usd)             \
    }
static const struct cs_number_unit usd_units[] = {
    CURRENCY("", 1),       CURRENCY("USD", 1),       CURRENCY("$", 1),
    CURRENCY("EUR", 1.16), CURRENCY("\u20ac", 1.16), {NULL, 0}}; /* as in prices.def */
static const struct cs_number_unit watt_units[] = {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}, {NULL, 0}};
static const struct cs_number_unit energy_units[] = {{"USD/kWh", 1}, {NULL, 0}};
const struct cs_number_kind cs_price_usd = {"310000USD", usd_units};
const struct cs_number_kind cs_price_watts = {"10.2kW", watt_units};
const struct cs_number_kind cs_price_energy = {"0.12USD/kWh", energy_units};

static bool find_kind(const char *name, enum cs_price_kind *kind)
{
    for (int k = 0; k < CS_PRICE_KINDS; ++k)
        if (cs_same(cs_price_kind_names[k], name)) {
            *kind = (enum cs_price_kind)k;
            return true;
        }
    return false;
}

/* Of one machine or part, in USD or W: more is a mistake. */
static const double most_figure = 1e9;

/* 0 stands for no figure, by which the published one would count. */
static int read_figure(const char *figure, const struct cs_number_kind *unit, double *value,
                       struct cs_err *err)
{
    int code = cs_number_read(figure, unit, value, err);

    if (!code && !(*value > 0))
        return cs_err_set(err, CS_EINPUT, "'%s' is not above 0", figure);
    if (!code && *value > most_figure)
        return cs_err_set(err, CS_EINPUT, "'%s' is above 1e9, more than any machine has", figure);
    return code;
}

struct price_target {
    const struct cs_number_kind *unit;
    struct cs_price_own *own;
    struct cs_arena arena;
};

/* "310k", a node's; "switch=9k", of a kind; "dgx-b200=515k", of a machine, with commas in
 * brackets. */
static int take_figure(void *target, const char *word, struct cs_err *err)
{
    struct price_target *to = target;
    struct cs_price_own *own = to->own;
    size_t length = cs_parameters_span(word, '=');
    const char *name = cs_parameters_bare(cs_arena_text_n(&to->arena, word, length));
    enum cs_price_kind kind = CS_PRICE_NODE;

    if (word[length] != '=')
        return read_figure(word, to->unit, &own->of[kind], err);
    if (!*name || strlen(name) > CS_PRICE_NAME_MAX)
        return cs_err_set(err, CS_EINPUT, "expected a name of 1 to %d letters before '='",
                          CS_PRICE_NAME_MAX);
    word += length + 1;
    if (find_kind(name, &kind))
        return read_figure(word, to->unit, &own->of[kind], err);
    if (own->node_count == CS_PRICE_NODES_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d machines", CS_PRICE_NODES_MAX);
    snprintf(own->node[own->node_count].name, sizeof(own->node->name), "%s", name);
    return read_figure(word, to->unit, &own->node[own->node_count++].value, err);
}

static int read_list(const char *text, const struct cs_number_kind *unit, struct cs_price_own *own,
                     struct cs_err *err)
{
    struct price_target to = {.unit = unit, .own = own};
    int code = cs_options_each((struct cs_option_list){&to.arena, take_figure, &to}, text, err);

    cs_arena_free(&to.arena);
    return code;
}

int cs_price_read_usd(const char *text, struct cs_price_own *usd, struct cs_err *err)
{
    return read_list(text, &cs_price_usd, usd, err);
}

int cs_price_read_watts(const char *text, struct cs_price_own *watts, struct cs_err *err)
{
    return read_list(text, &cs_price_watts, watts, err);
}
