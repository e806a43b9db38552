/*
 * Options: what ranks hold over time.
 */
#include "scenarios/scenario.h"

static int set_memory(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->memory = value;
    return 0;
}

static const struct cs_option options[] = {
    {"memory", 0, "FILE",
     "write what ranks hold beside their vectors over time (explain: in them): "
     ".csv, .json, .txt; .svg or .png, drawn by gnuplot",
     set_memory},
    {0},
};

const struct cs_option_group cs_options_memory = {
    .name = "memory",
    .about = "what ranks hold over time",
    .options = options,
};
