/*
 * Report of a training step: as text, or a sheet of one row for programs.
 */
#ifndef CS_SCENARIOS_COMMANDS_TRAIN_REPORT_H
#define CS_SCENARIOS_COMMANDS_TRAIN_REPORT_H

#include "scenarios/commands/command.h"
#include "scenarios/commands/train_options.h"
#include "scenarios/train/search.h"
#include "scenarios/train/variants.h"

struct cs_train_result {
    const struct cs_train_options *given;
    const struct cs_train_setup *setup;
    struct cs_train_step step;
    double one_samples_per_s; /* of one device that computes all */
    struct cs_train_variant variants[CS_TRAIN_VARIANTS_MAX];
    uint32_t variant_count;
    const struct cs_search *search; /* NULL: the job is the user's */
};

/* Prints the report; JSON is one document with the error, if `code` is not 0. */
void cs_train_report(const struct cs_cli *cli,
                     const struct cs_train_result *result, int code,
                     struct cs_err *err);

/* The largest part of the step. */
const char *cs_train_bottleneck(const struct cs_train_step *step);

/* The fastest variant of the job that fits the device's memory; NULL: none. */
const struct cs_train_variant *cs_train_fitting(
    const struct cs_train_result *result);

#endif
