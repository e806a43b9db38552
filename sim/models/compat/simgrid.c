/*
 * Models `simgrid` (LV08, the default of SimGrid) and `simgrid-cm02`: model
 * fluid with the corrections of SimGrid.
 *
 * Latencies and rates have factors, and no flow exceeds gamma / (2 x latency), a
 * TCP window per round trip.  Flows share a link not equally but inversely to
 * their latency plus S / rate of each link.  Acknowledgements take 5 % of a
 * flow's rate on the route back (cross traffic).  Messages in order have no
 * special meaning.  Not modelled: the loopback and Wi-Fi links of SimGrid, SMPI's
 * factors by size.
 *
 * H. Casanova and L. Marchal, LIP RR2002-40; P. Velho and A. Legrand, SIMUTools
 * 2009; simgrid@12a63c78, docs/source/Models.rst and network_cm02.cpp.
 */
#include "sim/models/fluid/fluid.h"

static const struct cs_fluid_factors lv08 = {.latency = 13.01,
                                             .rate = 0.97,
                                             .weight_bytes = 20537,
                                             .back = 0.05,
                                             .window_bytes = 4194304,
                                             .is_corrected = true};
static const struct cs_fluid_factors cm02 = {
    .latency = 1, .rate = 1, .back = 0.05, .window_bytes = 4194304, .is_corrected = true};

static void lv08_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    cs_fluid_open(traffic, arena, &lv08);
}

static void cm02_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    cs_fluid_open(traffic, arena, &cm02);
}

const struct cs_link_model cs_link_model_simgrid = {
    .name = "simgrid",
    .about = "SimGrid's LV08: fluid with factors, windows, cross traffic",
    .is_compat = true,
    .shares_back = true,
    .send = cs_fluid_send,
    .move = cs_fluid_move,
    .open = lv08_open,
    .close = cs_fluid_close,
    .wake = cs_fluid_wake,
};

const struct cs_link_model cs_link_model_simgrid_cm02 = {
    .name = "simgrid-cm02",
    .about = "SimGrid's CM02: fluid with windows and cross traffic",
    .is_compat = true,
    .shares_back = true,
    .send = cs_fluid_send,
    .move = cs_fluid_move,
    .open = cm02_open,
    .close = cs_fluid_close,
    .wake = cs_fluid_wake,
};
