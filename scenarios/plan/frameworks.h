/*
 * Frameworks of a plan: how people train language models on the GPUs that are bought.
 *
 * A job without --framework and --system has the settings of one by its GPU; those of
 * another, which make the fastest case faster, are named.
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

/* Fills options->as behind the reading of the command line. */
void cs_plan_read_frameworks(struct cs_plan_options *options);

/* Fills plan->faster where experts as DeepSeek trains them take less time. */
void cs_plan_try_framework(struct cs_plan *plan);
