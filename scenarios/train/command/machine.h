/*
 * The machine of a job: its graph and site, the library of its collectives, its GPUs.
 *
 * Schedulers give a job whole segments of a rack's trays, so that its groups of ranks do
 * not lie across racks: 64 of the 72 GPUs of an NVL72 (16 of 18 trays; Slurm, topology
 * plugin block, --segment), the rest to other jobs or as spares.
 */
#pragma once

#include "scenarios/train/command/given.h"
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/systems/system.h"
#include "topo/graph/graph.h"

/* A job with the owners of its pointers. */
struct cs_train_setup {
    struct cs_graph graph;
    struct cs_site site;
    struct cs_train_model model;
    struct cs_model_division division; /* of the model's file */
    const struct cs_train_system *system;
    struct cs_train_job job;
};

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

/* Opens the machine with its site, and finds the library: setup->graph, ->site,
 * ->job.library and its version. */
int cs_train_setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err);

/* The library of the collectives on an open machine; its GPU, or the given one: their peaks. */
int cs_train_setup_library(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err);
int cs_train_setup_device(const struct cs_train_options *given, struct cs_train_setup *setup,
                          struct cs_err *err);
