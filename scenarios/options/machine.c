/*
 * Options: what a machine's file leaves open.
 */
#include "scenarios/run/scenario.h"

static int set_platform(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->machine.platform = value;
    return 0;
}

static int machine_options_set_gpu(void *target, const char *value,
                                   struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->machine.gpu = value;
    return 0;
}

static const struct cs_option options[] = {
    {"platform", 0, "MACHINE",
     "of the library, whose GPU links an NCCL file that has none is given",
     set_platform},
    {"gpu", 0, "NAME",
     "what GPUs a matrix of nvidia-smi or rocm-smi is of: a100, h100, "
     "mi300x, see list gpus  [a guess, which is told]",
     machine_options_set_gpu},
    {0},
};

const struct cs_option_group cs_options_machine = {
    .name = "machine",
    .about = "what a file of NCCL, nvidia-smi or rocm-smi leaves open",
    .options = options,
};
