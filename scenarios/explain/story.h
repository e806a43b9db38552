/*
 * Story: the run of a scenario step by step, which explain and the course show.
 */
#pragma once

#include "reports/explain/explain.h"
#include "scenarios/run/request/scenario.h"

struct cs_progress_line;

/* Completes a scenario whose options are read: a size and a number of chunks that can be
 * drawn, where none is given.  CS_EINPUT for more than one run. */
int cs_story_finish(struct cs_scenario *scenario, struct cs_progress_line *progress,
                    struct cs_err *err);

/* Simulates it; what the story refers to is in the scenario's arena.  The notes of the run
 * are appended. */
int cs_story_make(const struct cs_scenario *scenario, struct cs_story *story, struct cs_text *notes,
                  struct cs_err *err);
