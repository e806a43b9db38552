/*
 * Options: memory of ranks over time.
 */
#include "scenarios/run/scenario.h"

static int set_memory(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->memory = value;
    return 0;
}

static const struct cs_option options[] = {
    {"memory", 0, "FILE",
     "write the buffers of arriving messages over time, of all ranks and of "
     "the "
     "peak rank: .csv, .json, .txt; .svg or .png, drawn by gnuplot.  A buffer "
     "counts from the first byte on; the summary's peak counts whole messages. "
     "In explain: what ranks hold in their vectors, step by step",
     set_memory},
    {0},
};

const struct cs_option_group cs_options_memory = {
    .name = "memory",
    .about = "memory of ranks over time",
    .options = options,
};
