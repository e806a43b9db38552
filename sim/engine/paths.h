/*
 * Choice of the routes of messages, and of the number of their parts (routing.h);
 * load of links.
 */
#ifndef CS_SIM_ENGINE_PATHS_H
#define CS_SIM_ENGINE_PATHS_H

#include "sim/engine/state.h"

/* Writes the route of a message or part, as a cs_route_fn. */
uint32_t cs_exec_choose_route(struct exec *exec, const struct cs_message *message, uint32_t *links);

/* How many parts the message is sent in; 1: whole. */
uint32_t cs_exec_count_parts(struct exec *exec, const struct cs_message *message);

/* The bytes of a message begin, or end, to load the links of its route. */
void cs_exec_load_links(struct exec *exec, uint32_t number, bool begins);

#endif
