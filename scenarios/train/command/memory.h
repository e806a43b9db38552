/*
 * Whether a job fits the memory of a device, and what would.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_MEMORY_H
#define CS_SCENARIOS_TRAIN_COMMAND_MEMORY_H

#include "scenarios/train/command/result.h"

/* CS_EANSWER for a job that does not fit: by how much, which part is the largest, and
 * what fits: a single change, or the fastest configuration that a search of degrees
 * finds at the same global batch (search.h). */
int cs_train_check_memory(const struct cs_train_result *result, struct cs_err *err);

#endif
