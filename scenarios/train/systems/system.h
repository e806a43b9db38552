/*
 * Systems: what trains the model on the ranks of a job.
 *
 * A system is a const struct in one file and a line in systems.def.  The command
 * finds a system by its name, prepares the job, calls `check`, then `time`.  A system that takes a
 * setting that no other takes adds a field to struct cs_train_job (job.h), with
 * 0 for the default, and an entry to scenarios/train/options.def.
 *
 * `time` fills every part of struct cs_train_step that exists in the system and
 * leaves 0 in the others; the parts add up to `step_s`.  Building blocks:
 * cs_passes_open for compute (passes.h), cs_train_collective for a call of the
 * library in a group of ranks, cs_train_send_s for a message between two ranks
 * (group.h), cs_train_states for memory (memory.h), cs_train_step_time for
 * everything at once (step.h).
 */
#pragma once

#include "scenarios/train/job/job.h"
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/timeline/step_timeline.h"

struct cs_train_system {
    const char *name;  /* "ddp" */
    const char *about; /* one line */
    /* The step's time in short, for people: "forward + max(backward, ...)". */
    const char *formula;
    /* Divides the global batch over the data parallel ranks by its own rule:
     * micro_batch x data is a whole number, micro_batch may be none. */
    bool splits_batch;
    /* The job's degrees and settings come from a search (search.h) at its global
     * batch, behind `check`. */
    bool searches;
    /* What the system implies. */
    enum cs_data_kind data_kind;
    bool node_shard, overlap, early_stop;
    bool buckets;            /* PyTorch's, where none are given */
    uint64_t bucket_bytes;   /* of every job; 0: the given ones */
    uint32_t gradient_width; /* where none is given; 0: by precision */
    /* Settings that depend on the job; NULL: none. */
    void (*arrange)(struct cs_train_job *job);
    /* CS_EINPUT for a job that the system cannot run. */
    int (*check)(const struct cs_train_job *job, struct cs_err *err);
    int (*time)(const struct cs_train_job *job, struct cs_train_step *step, struct cs_err *err);
    /* Fills the timeline of the step; NULL: of stages (stage_timeline.h). */
    int (*timeline)(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                    struct cs_err *err);
    /* Bytes of a step of a job that `time` serves; NULL: of stages (traffic.h). */
    struct cs_train_traffic (*traffic)(const struct cs_train_job *job);
};

extern const struct cs_train_system *const cs_train_systems[];
extern const size_t cs_train_system_count;

/* CS_EINPUT with the nearest name. */
int cs_train_system_find(const char *name, const struct cs_train_system **system,
                         struct cs_err *err);

/* Sets what the system implies. */
void cs_train_system_prepare(const struct cs_train_system *system, struct cs_train_job *job);

/* Bytes of a step. */
struct cs_train_traffic cs_train_system_traffic(const struct cs_train_system *system,
                                                const struct cs_train_job *job);
