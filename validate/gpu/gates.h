/*
 * Gates: limits on a group's errors, recorded in a YAML file beside the data.
 *
 *     gates:
 *       - gpu: NVIDIA H200
 *         algorithm: ring
 *         setup: device            # the group's setup
 *         sizes: large             # from 1 MiB; small: below
 *         runs: 42                 # the exact number of predicted runs
 *         median: 5 %              # of |error|
 *         p90: 15 %
 *         copies: 85 %             # minimum; optional
 *
 * The last limit is about the kernel's quality, not the prediction's: the time of
 * plain copies with the same traffic as a share of the measured time, over runs
 * whose vectors are CS_COMPARISON_BEYOND times L2.
 *
 * Order: compare, read, then judge.
 *
 *     read     O(gates times groups)
 *     judge, complete, sound   O(groups), O(groups), O(runs)
 */
#pragma once

#include "topo/documents/doc.h"
#include "validate/gpu/comparison.h"

/* Calls `read` for each gate of a file, until one fails. */
typedef int cs_gate_fn(void *ctx, const struct cs_doc *doc, uint32_t gate, struct cs_err *err);
int cs_gates_each(const char *path, struct cs_arena *arena, cs_gate_fn *read, void *ctx,
                  struct cs_err *err);

/* Sets the groups' limits from a file; CS_EINPUT, "file:line: ...", for a gate
 * without a group. */
int cs_comparison_gates(struct cs_comparison *comparison, const char *path, struct cs_arena *arena,
                        struct cs_err *err);

/* CS_EANSWER, naming the first group that exceeds a gate. */
int cs_comparison_judge(const struct cs_comparison *comparison, struct cs_err *err);

/* CS_EANSWER, naming the first run with wrong sums. */
int cs_comparison_sound(const struct cs_comparison *comparison, struct cs_err *err);

/* CS_EINPUT, naming the first group with predictions and no gate, or a group of
 * rings with a share of plain copies and a gate without 'copies'; CS_EANSWER
 * without any prediction. */
int cs_comparison_gated(const struct cs_comparison *comparison, struct cs_err *err);
