/*
 * The fastest case with the settings of frameworks that people run on its GPUs.
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

/* Sets the plan's framework, where one makes the step of a large model in a cluster shorter
 * by 3 % or more; the time of a case for each. */
void cs_plan_try_frameworks(struct cs_plan *plan);
