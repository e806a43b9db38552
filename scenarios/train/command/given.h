/*
 * Values of the options of `collsim train` (scenarios/train/options.def).
 *
 * The first member is the scenario: the target of shared options (the machine,
 * the format of the output).
 */
#pragma once

#include "scenarios/options/options.h"
#include "scenarios/run/request/scenario.h"
#include "scenarios/train/command/framework.h"
#include "scenarios/train/job/job.h"

enum {
    CS_TRAIN_CASES_MAX = 32
};

struct cs_framework;         /* framework.h */
struct cs_train_calibration; /* calibration.h */

/* The job with other options, "topo=10gbe-8 ranks=4". */
struct cs_train_case {
    const char *label, *options;
};

enum cs_train_processes {
    CS_PROCESS_EACH,
    CS_PROCESS_ONE,
    CS_PROCESS_IN_TURN, /* one, whose threads launch in turn */
    CS_PROCESSES
};

/* Words of --bucket-cap in job.framework.bucket_bytes, until the job is set up. */
#define CS_BUCKETS_ALL      UINT64_MAX       /* one call for all gradients */
#define CS_BUCKETS_MEGATRON (UINT64_MAX - 1) /* by the data parallel ranks (bucket.h) */
#define CS_BUCKETS_TORCH    (UINT64_MAX - 2) /* of 25 MiB, the first of 1 MiB */

enum cs_train_choice {
    CS_CHOICE_OF_SYSTEM,
    CS_CHOICE_NO,
    CS_CHOICE_YES,
};

enum cs_train_gradients {
    CS_GRADIENTS_BY_PRECISION,
    CS_GRADIENTS_FP32,
    CS_GRADIENTS_FP16,
    CS_GRADIENTS_BF16,
    CS_TRAIN_GRADIENTS
};

struct cs_train_options {
    struct cs_scenario scenario;
    /* What options say of the job, in its own terms; 0, or the end of the names, is not
     * given.  Nothing else of it is set. */
    struct cs_train_job job;
    struct cs_train_case cases[CS_TRAIN_CASES_MAX];
    uint32_t case_count;
    const char *request; /* the options but those of the output; for --db */
    /* Of --framework; NULL: none.  `implied` are its options alone. */
    const struct cs_framework *framework_entry;
    const struct cs_train_options *implied;
    const struct cs_train_calibration *calibration; /* by --log; NULL: none */
    int argc;                                       /* of the command line */
    char **argv;
#define OPTIONS "scenarios/train/options.def"
#include "scenarios/options/members.def"
};

/* Sets the values where no option is given. */
void cs_train_options_init(struct cs_train_options *given, struct cs_arena *arena);

extern const struct cs_option cs_train_option_table[];

/* Reads the words behind "train"; what the options point to is in the arena. */
int cs_train_read(int argc, char **argv, struct cs_arena *arena, struct cs_train_options *given,
                  struct cs_err *err);

/* Reads options of a command that has those of `collsim train`, too: `given` begins a
 * target of `size` bytes, with nothing given. */
int cs_train_read_into(struct cs_option_tables tables, int argc, char **argv,
                       struct cs_train_options *given, size_t size, struct cs_err *err);
