/*
 * Inventory: the boxes and cables of a machine's network, as it can be built.
 *
 * Nodes, GPUs and adapters are counted in the graph.  The network between nodes
 * consists of switches outside any node and of the wires to them; switches that
 * are joined are one network, so each rail and each plane is one of its own.
 *
 * A network of leaves, spines and cores, or a single switch, becomes the smallest
 * folded Clos of boxes with R ports whose leaves keep the graph's share d : u of
 * ports down and up:
 *
 *     1 tier   up to R ports       a box
 *     2 tiers  up to d R           leaves, each with a cable to every spine
 *     t tiers  up to d (R/2)^(t-2) R   equal parts of t - 1 tiers below one top
 *
 * Leaves of a network have equally many ports, and as many cables up as the share
 * asks for; a level has the boxes that its cables need.  Networks that fill less
 * than half a box share it, but a network is not divided over shared boxes.
 * The counts are those of NVIDIA's DGX SuperPOD B200 table (64 to 2,048 nodes), of
 * its H100 table of 1, 2 and 4 units, and of the rail-only paper (arXiv
 * 2307.12169, table 2).
 *
 * A fat tree with pods or chassis of given size is bought as it is generated, with the
 * ports of spare nodes: its switches are the boxes.
 *
 * In other networks (dragonfly) every switch is a box, or a Clos where it has more
 * ports than a box.
 */
#pragma once

#include "topo/graph/graph.h"

/* Equal switches or networks of switches. */
struct cs_switch_network {
    uint64_t ports;                /* of each: cables of nodes, or all of a switch */
    uint32_t count;                /* equal ones */
    uint32_t down, up;             /* ports of a leaf in the graph; 0, 0: a single switch */
    bool is_clos;                  /* more nodes are more ports; else, more switches */
    const struct cs_fabric *built; /* NULL, or whose switches are the boxes */
};

struct cs_switch_networks {
    const struct cs_switch_network *item;
    uint32_t count;
    uint32_t nodes, gpus;
    uint64_t adapters; /* ports of nodes with a cable */
    uint64_t cables;   /* of nodes, and between switches that are no Clos */
};

struct cs_inventory {
    uint32_t nodes, gpus;
    uint64_t adapters; /* ports of nodes with a cable */
    uint64_t boxes;    /* switches */
    uint64_t cables;
    uint32_t tiers; /* of the tallest network; 0: none */
};

enum {
    CS_CLOS_TIERS = 4
};

/* A Clos of boxes with `radix` ports for `ports` cables of nodes. */
struct cs_clos {
    uint32_t tiers; /* 0: beyond four tiers */
    uint64_t boxes;
    uint64_t cables; /* between boxes */
    /* A part of tier t has so many parts of tier t - 1, and boxes above them. */
    struct cs_clos_level {
        uint64_t parts;         /* in a part of the next tier */
        uint64_t boxes;         /* of the tier in a part of it; 1: a leaf */
        uint64_t up;            /* cables of a part to the next tier */
        uint64_t all;           /* boxes of the tier */
    } level[CS_CLOS_TIERS + 1]; /* from 1 on */
};

/* `down` : `up` is the share of a leaf; 0, 0: as many up as down.  O(tiers). */
struct cs_clos cs_clos_of(uint64_t ports, uint32_t down, uint32_t up, uint32_t radix);

/* The boxes of a network with `ports` cables of nodes: cs_clos_of, or those that are built,
 * of which levels other than the leaves are 0.  CS_EINPUT for more ports than fit. */
int cs_switch_network_clos(const struct cs_switch_network *network, uint64_t ports, uint32_t radix,
                           struct cs_clos *clos, struct cs_err *err);

/* The networks of a machine in either form (graph.h).  O(devices + wires); memory in
 * the arena. */
struct cs_switch_networks cs_switch_networks_of(const struct cs_graph *graph,
                                                struct cs_arena *arena);

/* The inventory for `spares` more nodes like those of the machine and `planes`
 * copies of its networks.  CS_EINPUT for more ports than four tiers hold. */
int cs_inventory_of(const struct cs_switch_networks *networks, uint32_t spares, uint32_t planes,
                    uint32_t radix, struct cs_inventory *inventory, struct cs_err *err);

/* The rate of the fastest wire to a switch outside the nodes; 0: none. */
double cs_inventory_port_Bps(const struct cs_graph *graph);
