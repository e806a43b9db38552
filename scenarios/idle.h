/*
 * Idle options: those that were given and change nothing.
 *
 * Not assumed but seen: the program is made again without the option, and looked
 * at in a part of its rounds.
 */
#ifndef CS_SCENARIOS_IDLE_H
#define CS_SCENARIOS_IDLE_H

#include "scenarios/stage.h"

/* Appends a note for each of the algorithm's options that the scenario gives
 * and that is idle; where one algorithm was named.  O(1) rounds. */
void cs_idle_note(const struct cs_stage *stage,
                  const struct cs_hockney *hockney);

#endif
