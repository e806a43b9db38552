/*
 * Times of the collectives of a layer, each as if it ran alone.
 *
 *     open   a few calls of the library
 */
#pragma once

#include "scenarios/train/job/job.h"

/* 0 where the job does not divide so. */
struct cs_layer_calls {
    double gather_s; /* of a divided input; 0: inputs are whole */
    double sum_s;    /* reduce-scatter, or all-reduce */
    double skew_s;   /* of a pair: host time until the last rank has started */
    double keys_s;   /* keys and values of all context parallel ranks */
    double routed_s; /* of a layer's tokens, to their experts and back */
    double counts_s, routed_host_s;
    double routed_taken; /* multiprocessors that an exchange of tokens takes */
};

/* Those of a micro batch of the job: of tensor and context parallelism and, where the model has
 * experts, of tokens on their way.  0, or the error of a collective that the machine or the
 * library cannot run.  memory_Bps: of a kernel that copies. */
int cs_layer_calls_open(const struct cs_train_job *job, double memory_Bps,
                        struct cs_layer_calls *calls, struct cs_err *err);
