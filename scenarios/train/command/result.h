/*
 * Result of a training job: the step, variants, and figures derived from them.
 */
#pragma once

#include "scenarios/train/command/setup.h"
#include "scenarios/train/memory/link_use.h"
#include "scenarios/train/search/search.h"
#include "scenarios/train/systems/variants.h"
#include "scenarios/train/timeline/step_timeline.h"

struct cs_train_result {
    const struct cs_train_options *given;
    const struct cs_train_setup *setup;
    struct cs_train_step step;
    double one_samples_per_s; /* of one device that computes all */
    struct cs_train_variant variants[CS_TRAIN_VARIANTS_MAX];
    uint32_t variant_count;
    const struct cs_search *search;   /* NULL: the job is the user's */
    struct cs_step_timeline timeline; /* with --timeline or --trace */
};

/* Samples per second over those of as many devices without communication and waits, each with
 * the whole model; or with its share as here, where that is faster (an optimizer that others
 * share, experts with all their tokens). */
double cs_train_scaling_efficiency(const struct cs_train_result *result);

/* Model FLOPs over the data sheet's peak. */
double cs_train_flops_share(const struct cs_train_result *result);

/* 0 for a model without tokens. */
double cs_train_tokens_per_s(const struct cs_train_result *result);

/* Bytes of the step on the machine's links, by class; returns the number of classes.
 * O(ranks * hops). */
uint32_t cs_train_link_classes(const struct cs_train_result *result,
                               struct cs_class_use classes[CS_LINK_CLASSES_MAX]);

/* The largest part of the step. */
const char *cs_train_bottleneck(const struct cs_train_step *step);

/* Whether the variant is faster by 0.1 % and fits the device's memory. */
bool cs_train_is_gain(const struct cs_train_result *result, const struct cs_train_variant *variant);

/* The fastest variant of the job that fits the device's memory; NULL: none. */
const struct cs_train_variant *cs_train_fitting(const struct cs_train_result *result);

/* ---- computation ---- */

/* Opens the setup of the options and fills result->step and ->one_samples_per_s;
 * for a system that searches also `search`, whose fastest configuration becomes
 * the job.  `given`, setup and search must outlive the result. */
int cs_train_compute(const struct cs_train_options *given, struct cs_train_setup *setup,
                     struct cs_search *search, struct cs_train_result *result, struct cs_err *err);

/* ---- memory ---- */

/* CS_EANSWER for a job that does not fit: by how much, which part is the largest, and
 * what fits: a single change, such as a smaller micro batch, or the fastest configuration that a search of degrees
 * finds at the same global batch (search.h). */
int cs_train_check_memory(const struct cs_train_result *result, struct cs_err *err);
