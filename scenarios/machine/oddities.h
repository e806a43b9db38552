/*
 * Oddities of a machine in words: what a person who knows such machines would
 * ask about.
 *
 *     a GPU without links, where others of its model have some
 *     a GPU or a NIC on fewer PCIe lanes, or older ones, than its model or port
 *     GPUs of two models, sockets with different numbers of GPUs
 *     several NICs, all below one of the sockets with GPUs
 *     NICs that join no fabric: virtual, or slower than others
 */
#pragma once

#include "topo/graph/graph.h"

struct cs_oddity {
    const char *where; /* a device, and how many more have the same words */
    const char *words;
    uint32_t device, more;
};

/* Fills `list`, with room for `room`, and returns the number; texts are in the
 * arena.  Full form.  O(devices + wires) for each device between a CPU and
 * the farthest device below it. */
uint32_t cs_oddities_find(const struct cs_graph *graph, struct cs_arena *arena,
                          struct cs_oddity *list, uint32_t room);

/* The same of the cables between switches outside nodes (scenarios/machine/cables.c).
 * O(wires log wires). */
uint32_t cs_cable_oddities_find(const struct cs_graph *graph, struct cs_arena *arena,
                                struct cs_oddity *list, uint32_t room);
