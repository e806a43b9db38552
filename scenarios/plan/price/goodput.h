/*
 * Goodput: the share of time in which a job with failures makes progress.
 *
 * Interruptions come at random, one in M = (GPU-hours per interruption) / GPUs.
 * A job saves a checkpoint (cost C) every tau of work, and after an interruption
 * restarts (R) and repeats the work since the last checkpoint.  For exponential
 * intervals the expected time of a segment is
 *
 *     M e^(R/M) (e^((tau + C)/M) - 1),   goodput = tau / that
 *
 * (Daly, A higher order estimate of the optimum checkpoint interval for restart
 * dumps, Future Generation Computer Systems 22, 2006).  Interval:
 *
 *     Young   sqrt(2 C M)
 *     Daly    sqrt(2 C M) (1 + sqrt(C/(2M))/3 + C/(18 M)) - C   for C < 2M, else M
 *
 * Spare nodes: an interruption that takes a node away lasts until its repair
 * unless a spare is free.  The number of nodes under repair is Poisson with mean
 * rate x repair time; the job runs while it is at most the spares.
 */
#pragma once

#include <stdint.h>

struct cs_failures {
    double gpu_s;        /* GPU-seconds per interruption */
    double restart_s;    /* from an interruption to progress */
    double checkpoint_s; /* time without progress for a checkpoint */
    double hardware;     /* share of interruptions that take a node away */
    double network;      /* share by switches and cables */
    double repair_s;     /* of a node */
    uint32_t spares;     /* nodes; UINT32_MAX: always enough */
    uint32_t planes;     /* networks beside each other; 2: a lost switch or cable
                        slows and does not interrupt */
};

/* A published rate, by GPU (failures.def). */
struct cs_failure_rate {
    const char *gpu;
    double hours, low, high; /* GPU-hours per interruption */
    const char *source;
};

/* The rate of the GPU; of H100 for want of one. */
const struct cs_failure_rate *cs_failure_rate_of(const char *gpu);

struct cs_goodput {
    double interval_s;   /* mean time between interruptions */
    double young_s;      /* between checkpoints */
    double checkpoint_s; /* by Daly: the interval in use */
    double productive;   /* goodput while enough nodes are there */
    double available;    /* share of time with enough nodes */
    double share;        /* productive x available: effective training time */
};

struct cs_goodput cs_goodput_of(const struct cs_failures *failures, uint32_t gpus);

/* The fewest spares with which available >= `share`. */
uint32_t cs_goodput_spares(const struct cs_failures *failures, uint32_t gpus, double share);
