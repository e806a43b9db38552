/*
 * Relayed all-to-all: blocks go through other ranks (alltoall/relay.c, alltoall/multipath.c).
 *
 * The search of relays.h divides every block into shares with paths of their own.  The
 * block travels in k chunks, and level l forwards the shares of a chunk on hop l of
 * their paths, as soon as the rank has all of the chunk that level l - 1 brings.  Every
 * level is two lanes that take chunks in turn: while one waits for its slowest message,
 * the other keeps the links busy.
 *
 *     ranks 0 - 1 - 2 in a row, blocks as (from, for), k = 1:
 *
 *     level 0   0: 01 02 -> 1      1: 10 -> 0, 12 -> 2      2: 21 20 -> 1
 *     level 1                      1: 02 -> 2, 20 -> 0
 *
 * Scratch: the shares that a relay forwards.
 *
 * No closed form: the time follows from the wires.  With W for the time of the
 * busiest resource and L levels, about W (1 + (L-1)/k) + (k + L - 1) alpha, least for
 * k = sqrt((L-1) W / alpha).
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* Members of struct cs_algo. */
int cs_relayed_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);
void cs_relayed_settle(struct cs_call *call);
uint32_t cs_relayed_lanes(const struct cs_call *call);
uint32_t cs_relayed_blocks(const struct cs_call *call);
uint32_t cs_relayed_parts(const struct cs_call *call);
uint32_t cs_relayed_scratch(const struct cs_call *call);
uint64_t cs_relayed_rounds(const void *ctx, struct cs_at at);
void cs_relayed_round(const void *ctx, struct cs_at at, struct cs_ops *ops);
struct cs_cost cs_relayed_cost(const struct cs_call *call);
