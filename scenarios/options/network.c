/*
 * Options: what is between the ranks, beside the machine itself.
 */
#include "scenarios/run/scenario.h"

static int set_transport(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->transport = value;
    return 0;
}

static const struct cs_option options[] = {
    {"transport", 0, "NAME",
     "what the software of both ends does: its latencies in place of the "
     "wires' "
     "(or beside them), its share of rates, when a send is done: nccl-simple, "
     "nccl-ll, ... (see list transports) or a file  [nothing]",
     set_transport},
    {0},
};

const struct cs_option_group cs_options_network = {
    .name = "network",
    .about = "transports",
    .options = options,
};
