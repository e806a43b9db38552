/*
 * Machines whose ranks exchange messages with neighbours alone (topo/graph/graph.h).
 */
#pragma once

#include "scenarios/run/case/run.h"

/* CS_EINPUT, with the two ranks, for a program with a message between ranks without a
 * wire or a switch in common, on a machine of neighbours alone.  O(messages) there, and
 * O(1) on others. */
int cs_neighbours_check(const struct cs_run *run);
