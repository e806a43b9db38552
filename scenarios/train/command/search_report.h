/*
 * The best configurations of a search, and what limits each.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_SEARCH_REPORT_H
#define CS_SCENARIOS_TRAIN_COMMAND_SEARCH_REPORT_H

#include "scenarios/train/search/search.h"
#include "sim/base/text.h"

/* A table for people, with MindSpore's order beside that of seconds. */
void cs_train_put_search(const struct cs_search *search, struct cs_text *out);

#endif
