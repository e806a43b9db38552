/*
 * Ends of flows: which flow ends next, while rates change.
 *
 * The flows that one holder (maxmin.h) holds have one rate, so these flows end
 * in the order of `served + left`, where `served` is the number of bytes that
 * each of them would have got since the resource began to hold flows: a new rate
 * changes one number.  Free flows are in a heap by the time of their end.
 *
 *     add, remove, move   O(log flows)
 *     plan                O(log holders) for each touched holder
 *
 * Order of calls: after add, remove, move, touch and collect, plan.
 */
#ifndef CS_SIM_MODELS_FLUID_ENDS_H
#define CS_SIM_MODELS_FLUID_ENDS_H

#include "sim/models/fluid/state.h"

/* Room for flow `number`, and for `count` holders. */
void cs_ends_make_room(struct fluid *fluid, uint32_t number);
void cs_ends_make_holders(struct fluid *fluid, uint32_t count);
void cs_ends_free(struct fluid *fluid);

/* The time of the next end, or UINT64_MAX. */
uint64_t cs_ends_next_ps(const struct fluid *fluid);

/* The free flow ends as its rate says. */
void cs_ends_add(struct fluid *fluid, uint32_t number);

/* Removes the flow from its heap; left_bytes is exact afterwards. */
void cs_ends_remove(struct fluid *fluid, uint32_t number, uint64_t now_ps);

/* The flow has another holder, or is free. */
void cs_ends_move(struct fluid *fluid, uint32_t number, uint64_t now_ps);

/* The holder's rate is about to change. */
void cs_ends_touch(struct fluid *fluid, uint32_t holder, uint64_t now_ps);

/* Sets the rates of all touched holders, and the times of their first ends. */
void cs_ends_plan(struct fluid *fluid);

/* Collects the held flows that end now; then removes the oldest flow that ends
 * now, if there is a flow. */
void cs_ends_collect(struct fluid *fluid, uint64_t now_ps);
bool cs_ends_take(struct fluid *fluid, uint64_t now_ps, uint32_t *number);

#endif
