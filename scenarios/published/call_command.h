/*
 * The command of a published row: `collsim run --library ...` with its time.
 */
#ifndef CS_SCENARIOS_PUBLISHED_CALL_COMMAND_H
#define CS_SCENARIOS_PUBLISHED_CALL_COMMAND_H

#include "validate/published/published.h"

/* The command in the arena, for a shell. */
const char *cs_call_command(const struct cs_published_table *table, uint32_t row,
                            struct cs_arena *arena);

#endif
