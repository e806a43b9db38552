/*
 * Price and power of a machine: nodes, switches and cables (prices.def).
 *
 *     capital     nodes + boxes + cables
 *     power       the same in watts, times PUE
 *     per hour    capital / lifetime + energy
 *
 * An unknown price or power stays unknown (NAN) in every sum that it enters.
 *
 * A figure has a range: prices from the lowest to the highest published, else 20 %
 * about a node's and 30 % about a switch's or cable's, which is assumed; the power
 * of a node from 76 % of its maximum, measured on H100 nodes in training, to the
 * maximum, others 20 % about theirs.  A figure of the user is exact.
 */
#pragma once

#include "scenarios/options/number.h"
#include "scenarios/plan/price/inventory.h"

enum cs_price_kind {
    CS_PRICE_NODE,
    CS_PRICE_SWITCH,
    CS_PRICE_CABLE,
    CS_PRICE_RENT, /* of a GPU, an hour */
    CS_PRICE_KINDS,
};

struct cs_price {
    enum cs_price_kind kind;
    const char *name;
    uint32_t ports;    /* of a switch */
    double least_Gbps; /* of a port */
    double usd, watts; /* 0: unknown */
    const char *usd_source, *watts_source;
    double usd_low, usd_high; /* 0: one price is published */
};

extern const struct cs_price cs_prices[];
extern const size_t cs_price_count;

/* "node", "switch", "cable", "rent"; up to a NULL. */
extern const char *const cs_price_kind_names[CS_PRICE_KINDS + 1];

struct cs_price_range {
    double low, high;
};

enum {
    CS_PRICE_NODES_MAX = 16,
    CS_PRICE_NAME_MAX = 127,
};

/* The user's figures, of kinds and of machines by name; 0: those of prices.def. */
struct cs_price_own {
    double of[CS_PRICE_KINDS];
    struct {
        char name[CS_PRICE_NAME_MAX + 1];
        double value;
    } node[CS_PRICE_NODES_MAX];
    uint32_t node_count;
};

struct cs_price_options {
    struct cs_price_own usd, watts;
    uint32_t switch_ports;
    double lifetime_s;
    double energy_usd; /* of a kWh */
    double pue;
};

/* Figures in use for a machine with their ranges; NAN: unknown. */
struct cs_price_list {
    double usd[CS_PRICE_KINDS], watts[CS_PRICE_KINDS];
    struct cs_price_range usd_range[CS_PRICE_KINDS];
    struct cs_price_range watts_range[CS_PRICE_KINDS];
    /* Published, where the user's figure is below a tenth or above ten times; 0. */
    double usd_far[CS_PRICE_KINDS], watts_far[CS_PRICE_KINDS];
    const char *name[CS_PRICE_KINDS]; /* of the entry in prices.def; "" */
    const char *usd_source[CS_PRICE_KINDS], *watts_source[CS_PRICE_KINDS];
    uint32_t switch_ports;
};

/* The entries for a node of the library and a port rate, and the user's. */
struct cs_price_list cs_price_list_of(const struct cs_price_options *options, const char *node,
                                      double port_Bps);

struct cs_plan_cost {
    double node_usd, network_usd, capital_usd;
    double network_watts, watts; /* with PUE */
    double energy_usd_per_h, usd_per_h;
};

struct cs_plan_cost cs_plan_cost_of(const struct cs_inventory *inventory,
                                    const struct cs_price_list *prices,
                                    const struct cs_price_options *options);

/* "node=310000USD,cable=1.2kUSD,dgx-b200=515k" and "node=10.2kW": the figures of the
 * kinds and machines in the list.  CS_EINPUT with the expectation. */
int cs_price_read_usd(const char *text, struct cs_price_own *usd, struct cs_err *err);
int cs_price_read_watts(const char *text, struct cs_price_own *watts, struct cs_err *err);

/* "0.12USD/kWh". */
extern const struct cs_number_kind cs_price_energy;
/* "3MUSD", "3M$"; "10MW". */
extern const struct cs_number_kind cs_price_usd, cs_price_watts;
