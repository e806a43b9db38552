/*
 * Idle options: those that were given and change nothing.
 *
 * Not assumed but seen: program or machine is made again without the option, and
 * looked at in a part of its rounds or ways.
 */
#ifndef CS_SCENARIOS_OPTIONS_UNUSED_H
#define CS_SCENARIOS_OPTIONS_UNUSED_H

#include "scenarios/run/run.h"

/* Appends a note for each of the algorithm's options that the scenario gives
 * and that is idle; where one algorithm was named.  O(1) rounds. */
void cs_unused_note(const struct cs_run *run, const struct cs_hockney *hockney);

#endif
