/*
 * Machines wired by hand: ranks, then switches, and full-duplex wires in units
 * of 1 B/s.
 */
#pragma once

#include "algorithms/bounds/network.h"
#include "sim/base/random.h"
#include "tests/near.h"

#include <math.h>

struct pair {
    uint32_t a, b;
    double rate;
};
struct wired {
    struct cs_arena arena;
    struct cs_graph graph;
};

static inline void wired_open(struct wired *wired, uint32_t ranks, uint32_t switches,
                              const struct pair *pairs, size_t count)
{
    *wired = (struct wired){0};
    cs_graph_init(&wired->graph, &wired->arena);
    wired->graph.name = "wired";
    for (uint32_t i = 0; i < ranks + switches; i++)
        cs_graph_add_device(
            &wired->graph, (struct cs_device){.name = cs_arena_printf(&wired->arena, "d%u", i),
                                              .kind = i < ranks ? CS_DEVICE_HOST : CS_DEVICE_SWITCH,
                                              .host = CS_NO_HOST});
    for (size_t i = 0; i < count; i++)
        cs_graph_add_wire(&wired->graph, (struct cs_wire){.a = pairs[i].a,
                                                          .b = pairs[i].b,
                                                          .class_name = "wire",
                                                          .rate_Bps = pairs[i].rate,
                                                          .efficiency = 1,
                                                          .source = "fixture"});
    cs_graph_place_all(&wired->graph);
}

static inline void wired_close(struct wired *wired)
{
    cs_arena_free(&wired->arena);
}

#define WIRED_TEST(name) TEST_OF(struct wired, w, wired_close, name)

/* ---- random wires ---- */

enum {
    WIRED_DEVICES = 9,
    WIRED_WIRES = 14
};

struct wired_web {
    uint32_t ranks, devices;
    size_t wires;
    struct pair pair[WIRED_WIRES];
};

/* From `least` ranks on, fewer than `more` more, and fewer than `switches` switches: a tree
 * of all, then more wires between any two, of rates 1 to 9. */
static inline struct wired_web wired_random(struct cs_random *random, uint32_t least, uint32_t more,
                                            uint32_t switches)
{
    struct wired_web web = {.ranks = least + (uint32_t)cs_random_below(random, more)};

    web.devices = web.ranks + (uint32_t)cs_random_below(random, switches);
    while (web.wires < WIRED_WIRES) {
        uint32_t next = (uint32_t)web.wires + 1;
        uint32_t a = next < web.devices ? next : (uint32_t)cs_random_below(random, web.devices);
        uint32_t b = (uint32_t)cs_random_below(random, a ? a : 1);
        double rate = 1 + (double)cs_random_below(random, 9);

        if (a)
            web.pair[web.wires++] = (struct pair){a, b, rate};
    }
    return web;
}

/* The rate out of a set of devices, given as bits. */
static inline double wired_rate_out(const struct wired_web *web, uint32_t set)
{
    double rate = 0;

    for (size_t i = 0; i < web->wires; i++)
        if ((set >> web->pair[i].a & 1) != (set >> web->pair[i].b & 1))
            rate += web->pair[i].rate;
    return rate;
}

/* The network of the machine, with no device merged. */
static inline struct cs_network wired_network(struct wired *wired, enum cs_cut_direction direction)
{
    struct cs_cells cells = cs_cells_single(&wired->graph, &wired->arena);

    return cs_network_of(&wired->graph, &cells, direction, &wired->arena);
}
