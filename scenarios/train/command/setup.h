/*
 * The job that the options of `collsim train` describe: machine, model, system,
 * degrees and batch.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_SETUP_H
#define CS_SCENARIOS_TRAIN_COMMAND_SETUP_H

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

/* Opens the machine with its site, and finds the library: setup->graph, ->site,
 * ->job.library and its version. */
int cs_train_setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err);

/* Opens machine, model and system and fills the job; the memory is in the
 * scenario's arena.  CS_EINPUT for what does not fit together. */
int cs_train_setup_open(const struct cs_train_options *given, struct cs_train_setup *setup,
                        struct cs_err *err);

/* The same on the opened machine of another job of as many ranks; NULL: none. */
int cs_train_setup_on(const struct cs_train_options *given, const struct cs_train_setup *machine,
                      struct cs_train_setup *setup, struct cs_err *err);

/* Fills the job of an open setup anew, from other options of the job alone. */
int cs_train_setup_job(const struct cs_train_options *options, struct cs_train_setup *setup,
                       struct cs_err *err);

#endif
