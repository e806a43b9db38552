/*
 * The result of the walk: time, bytes and links as they really are.
 */
#ifndef CS_SIM_FOLD_SETTLE_H
#define CS_SIM_FOLD_SETTLE_H

#include "sim/fold/walk_state.h"

/* False where bounds do not meet, or bytes exceed 64 bits. */
bool cs_pace_settle(struct pace *pace, struct cs_exec_result *result);

#endif
