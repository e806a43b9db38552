/*
 * Ranges of sizes with one best choice, and their forms: the CSV of NCCL's
 * example tuner, environment variables.
 */
#pragma once

#include "algorithms/libraries/gpu/best_choice.h"
#include "scenarios/options/command.h"
#include "scenarios/run/library_call.h"
#include "sim/base/text.h"

struct cs_tune_range {
    uint64_t first, last;           /* bytes, both included */
    struct cs_best_choice at_first; /* what the range has in common */
    bool changes;                   /* takes the best in place of the choice */
    bool is_lone;                   /* cs_tuning_drop_lone */
    double least_gain, most_gain;   /* of the sizes in the range */
};

/* What all ranges of a table have in common. */
struct cs_tuning {
    const struct cs_collective *collective;
    const char *library;
    uint32_t nodes, ranks;
    struct cs_tune_range *ranges;
    uint32_t count;
};

/* Adds the choice at `bytes`, larger than all before.  `all` takes gains inside the interval as
 * well. */
void cs_tuning_add(struct cs_tuning *tuning, uint64_t bytes, const struct cs_best_choice *choice,
                   bool all);

/* Leaves the library's choice at a size whose gain neither half nor twice the size has:
 * thresholds of the library and of the model meet there, and the model has a step that
 * a machine need not have. */
void cs_tuning_drop_lone(struct cs_tuning *tuning);

/* The ten fields of NVIDIA/nccl ext-tuner/example: collective, bytes from and
 * to, algorithm, protocol, channels, nodes, ranks, numPipeOps, regBuff; -1: any.
 * A line for each range that changes, up to the next range. */
void cs_tuning_put_csv(const struct cs_tuning *tuning, struct cs_text *out);

/* A line of variables for each range that changes, with the range as comment:
 * variables hold for all sizes of a process. */
void cs_tuning_put_env(const struct cs_tuning *tuning, struct cs_text *out);

/* Prints what the rules of a tuner plugin's CSV gain or cost against the library's own
 * choice, a row for each size of the scenario.  CS_EINPUT as cs_tuner_rules_read, and for a
 * library without NCCL_ALGO. */
int cs_tune_rules(const struct cs_cli *cli, const char *path, struct cs_library_calls *calls,
                  struct cs_err *err);
