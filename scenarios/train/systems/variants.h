/*
 * Variants of a job: what a change of the machine or of a setting gains, each
 * computed by the job's system.
 *
 *     find   one step of the system for each variant
 */
#pragma once

#include "scenarios/train/systems/system.h"

enum {
    CS_TRAIN_VARIANTS_MAX = 28
};

struct cs_train_variant {
    const char *name;
    double step_s;
    double speedup; /* of samples per second */
    double memory_bytes;
    bool on_machine; /* changes the machine, not the job */
    /* Slower on a faster machine, where the library decides otherwise: by its
     * decisions on the job's machine the step would take `kept_s`. */
    bool by_decision;
    double kept_s;
};

/* Names of variants: of a machine whose nodes meet over kernel TCP; of launches by hosts. */
extern const char cs_train_rdma[], cs_train_one_graph[];

/* The variants that the system takes, fastest first; returns the count. */
uint32_t cs_train_variants(const struct cs_train_system *system, const struct cs_train_job *job,
                           struct cs_train_variant *variants);

/* Whether the step of a job on a second machine, `after`, is longer than on a first one,
 * and by the library's decisions on the first would not be; *kept_s is that time. */
bool cs_train_is_slower_by_decision(const struct cs_train_system *system,
                                    const struct cs_train_job *before,
                                    const struct cs_train_job *after, double *kept_s);
