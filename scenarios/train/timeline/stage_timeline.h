/*
 * Timeline of a job in stages: DDP, ZeRO, FSDP, hybrid parallelism, layer splits and
 * pipelines, with the times of step.h.
 *
 * Without a pipeline the timeline ends with the step.  In a pipeline slots have their
 * order (pipeline_slots.h), while the step counts sum t_i + (m - 1) max t_i: with
 * unequal stages, or stages of unequal parameters, the timeline may end before or
 * after the step.
 */
#pragma once

#include "scenarios/train/job/job.h"
#include "scenarios/train/timeline/step_timeline.h"

enum {
    CS_STAGE_UNITS_DRAWN = 20000, /* passes of blocks; beyond: of stages */
    CS_STAGE_SLOTS_MAX = 400000   /* micro batches x stages x chunks x 2 */
};

/* Fills the timeline; CS_EINPUT for more slots than CS_STAGE_SLOTS_MAX. */
int cs_stage_timeline(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                      struct cs_err *err);
