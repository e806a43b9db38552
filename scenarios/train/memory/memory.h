/*
 * Memory of a device: parameters, gradients, optimizer, activations, buffers.
 *
 * States by ZeRO (arXiv 1910.02054): 2 + 2 + 12 bytes a parameter in mixed
 * precision with Adam, a part divided by the data parallel ranks or whole.
 * Activations by Korthikanti et al. (arXiv 2205.05198): for a layer and micro
 * batch s b h (10 + 24/t + 5 a s/(h t)) bytes, times the micro batches in flight:
 * p - i of stage i with 1F1B, 1 + (p-1)/(p v) of the layers when interleaved, all
 * with GPipe.
 */
#pragma once

#include "scenarios/train/stages/stage.h"

struct cs_state_widths {
    uint32_t parameter, gradient, optimizer; /* bytes of a parameter */
};

struct cs_state_bytes {
    double parameters, gradients, optimizer;
};

/* States of `elements` parameters that `ranks` share by kind. */
struct cs_state_bytes cs_train_states(enum cs_data_kind kind, double elements, uint32_t ranks,
                                      struct cs_state_widths widths);

/* Widths by the job's precision, gradients and optimizer. */
struct cs_state_widths cs_train_state_widths(const struct cs_train_job *job);

/* Bytes that a block keeps of one micro batch until its backward pass. */
double cs_train_block_activations(const struct cs_train_job *job,
                                  const struct cs_train_block *block);

/* Micro batches in flight in a stage, a fraction when interleaved. */
double cs_train_in_flight(const struct cs_train_job *job, uint32_t stage);

/* Ranks that share the states of the job's kind; of experts. */
uint32_t cs_train_shard_ranks(const struct cs_train_job *job);

/* Elements that a rank's optimizer updates, of `elements` in its stage, of which
 * `experts` are experts'. */
double cs_train_updated(const struct cs_train_job *job, double elements, double experts);

/* Fills the bytes of `step` with those of the peak stage. */
void cs_train_memory(const struct cs_passes *passes, struct cs_train_step *step);

/* Lengthens the passes over a stage where copies of its layers' results to the host's
 * memory and back (offload_layers) take longer than the passes beside them. */
void cs_train_offload(const struct cs_passes *passes, const struct cs_stage *stage,
                      struct cs_pass *pass);
