/*
 * Links of a run's machine that could be faster, as faults with a rate above 1.
 */
#ifndef CS_SCENARIOS_WHY_LINKS_H
#define CS_SCENARIOS_WHY_LINKS_H

#include "scenarios/run/request/scenario.h"

/* The links that are slower than links between devices of the same kinds: faults
 * that raise them to the greatest rate, and a phrase that names them.  False: none,
 * or too many. */
bool cs_why_slow_links(const struct cs_scenario *given, struct cs_arena *arena,
                       struct cs_faults *faults, const char **what);

/* The links of the class in "gpu0 -> nvswitch (nvlink3 x12)" at twice the rate. */
bool cs_why_class_links(const struct cs_scenario *given, const char *link, struct cs_arena *arena,
                        struct cs_faults *faults, const char **what);

#endif
