/*
 * Equal wires: wires with one role in a machine, such as the ports of all adapters.
 *
 * Wires are equal whose ends have the same kinds, and the same names but for the
 * node and the numbers: n0.nic3-leaf1 and n2.nic0-leaf0.  Rates may differ.
 */
#pragma once

#include "topo/graph/graph.h"

/* Whether wires v and w of the graph, in either form, are equal. */
bool cs_wires_are_equal(const struct cs_graph *graph, uint32_t v, uint32_t w);
