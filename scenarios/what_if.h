/*
 * What if each link, or device, were lost: which of them matter.
 */
#ifndef CS_SCENARIOS_WHAT_IF_H
#define CS_SCENARIOS_WHAT_IF_H

#include "scenarios/command.h"
#include "scenarios/stage.h"

/* Simulates the point with each of them down, and at half its rate, and prints
 * them, those first whose loss costs most.  Links that carry nothing are not
 * tried.  The scenario's what_if says of what. */
int cs_what_if(const struct cs_cli *cli, const struct cs_point *point,
               struct cs_err *err);

#endif
