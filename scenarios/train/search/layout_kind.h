/*
 * Kinds of layouts, and which of them publications have.
 *
 * A kind is the set of what a layout has: a division of gradients or parameters over data
 * parallel ranks, tensor, pipeline, context and expert parallelism, full recomputation.  The
 * kinds of the published steps of transformers (validate/data/training) are a table, which
 * a test counts again.
 */
#pragma once

#include "scenarios/train/job/job.h"
#include "sim/base/text.h"

enum {
    CS_LAYOUT_PARTS = 6,
    CS_LAYOUT_KINDS = 1 << CS_LAYOUT_PARTS,
};

/* A bit for each part. */
uint32_t cs_layout_kind(const struct cs_train_job *job);

/* The table's bits, by kind. */
extern const uint64_t cs_layout_published;

/* Appends "; no published step has zero3 with cp" where it is so. */
void cs_layout_note(const struct cs_train_job *job, struct cs_text *out);
