/*
 * Memory limit: whether a run fits in the memory of this host.
 */
#pragma once

#include "scenarios/run/case/run.h"

/*
 * CS_ECANNOT where the messages of the first or the last rounds, all in flight at
 * once, exceed the memory of this host and folding is impossible.  run->program is set.
 * O(operations of a few rounds).
 */
int cs_room_check(const struct cs_run *run);

/* A lower estimate of the memory of a simulation of all ranks: what the process has
 * before it, the machine for one, and state of messages, lanes and links.  O(operations of a few rounds). */
double cs_room_bytes(const struct cs_program *program, const struct cs_net *net,
                     const struct cs_link_model *model);

/* Physical memory of this host: swap would make a simulation useless. */
double cs_host_memory_bytes(void);
