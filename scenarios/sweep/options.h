/*
 * Options of `collsim sweep`.
 */
#ifndef CS_SCENARIOS_SWEEP_OPTIONS_H
#define CS_SCENARIOS_SWEEP_OPTIONS_H

#include "reports/results/sheet.h"
#include "reports/results/store/sweep.h"
#include "scenarios/options/option.h"
#include "scenarios/sweep/axes.h"
#include "scenarios/sweep/shard.h"

/* The script that is printed in place of a run. */
enum cs_sweep_emit {
    CS_EMIT_NOTHING,
    CS_EMIT_SLURM,
    CS_EMIT_PARALLEL,
    CS_SWEEP_EMITS
};

/* The field of a record whose best value a search finds. */
enum cs_sweep_objective {
    CS_OBJECTIVE_NONE,
    CS_OBJECTIVE_TIME,
    CS_OBJECTIVE_BUSBW,
    CS_SWEEP_OBJECTIVES
};

struct cs_sweep_options {
    struct cs_arena arena;
    const char *file, *db;
    struct cs_shard shard;
    double task_s; /* time of a task; 0: the standard */
    enum cs_format format;
#define OPTIONS "scenarios/sweep/options.def"
#include "scenarios/options/members.def"
};

extern const struct cs_option cs_sweep_option_table[];

/* One worker per core, and the shard of a Slurm task. */
void cs_sweep_options_init(struct cs_sweep_options *options);

/* CS_EINPUT for options that are missing or exclude each other. */
int cs_sweep_options_check(struct cs_sweep_options *options, struct cs_err *err);

#endif
