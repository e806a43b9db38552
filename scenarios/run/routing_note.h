/*
 * Note on a routing that changes nothing.
 */
#ifndef CS_SCENARIOS_RUN_ROUTING_NOTE_H
#define CS_SCENARIOS_RUN_ROUTING_NOTE_H

#include "scenarios/run/case/run.h"

/* Appends a note where `--routing` was given and routes between a sample of the
 * parties are those of the default.  O(1) routes on two machines. */
void cs_note_unused_routing(const struct cs_run *run);

#endif
