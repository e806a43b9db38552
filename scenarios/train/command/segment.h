/*
 * Racks in segments: the GPUs of a node that a job takes.
 *
 * Schedulers give a job whole segments of a rack's trays, so that its groups of ranks do
 * not lie across racks: 64 of the 72 GPUs of an NVL72 (16 of 18 trays; Slurm, topology
 * plugin block, --segment), the rest to other jobs or as spares.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_SEGMENT_H
#define CS_SCENARIOS_TRAIN_COMMAND_SEGMENT_H

#include "scenarios/train/command/given.h"

/* GPUs of each node of `node_ranks` that a job of `ranks` takes: whole segments; with
 * segment 0 all of a node, or a power of two of a rack that the job does not fill. */
uint32_t cs_segment_each(uint32_t node_ranks, uint32_t ranks, uint32_t segment);

/* GPUs of the node. */
int cs_segment_node_ranks(const struct cs_train_options *given, const char *node, uint32_t *ranks,
                          struct cs_err *err);

/* `topo` becomes the given machine with the GPUs that its nodes give the job; `note` says
 * so, or is NULL.  CS_EINPUT where --segment has no nodes to divide. */
int cs_segment_machine(const struct cs_train_options *given, const char **topo, const char **note,
                       struct cs_err *err);

#endif
