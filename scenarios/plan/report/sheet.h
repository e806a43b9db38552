/*
 * The sizing table of a plan: a row per case.
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

/* Every figure of a case, for programs. */
void cs_plan_sheet(const struct cs_plan *plan, struct cs_sheet *sheet);

/* For people: time and efficiency; price and power. */
void cs_plan_sizing(const struct cs_plan *plan, struct cs_sheet *sheet);
void cs_plan_prices(const struct cs_plan *plan, struct cs_sheet *sheet);

/* Boxes, cables, prices of the network. */
void cs_plan_network(const struct cs_plan *plan, struct cs_sheet *sheet);

/* Interruptions, checkpoints, goodput by number of GPUs. */
void cs_plan_goodput(const struct cs_plan *plan, struct cs_sheet *sheet);
