/*
 * Options: what is broken.
 */
#include "scenarios/run/scenario.h"
#include "sim/base/units.h"

static int set_fault(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_faults *faults = &scenario->faults;

    if (faults->count == CS_FAULTS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d faults", CS_FAULTS_MAX);
    return cs_fault_read(value, &faults->item[faults->count++], scenario->arena,
                         err);
}

static int set_failover(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_units_time(value, &scenario->faults.failover_ps, err);
}

static int set_what_if(void *target, const char *value, struct cs_err *err)
{
    static const char *const names[] = {"each-link", "each-switch", "each-nic"};
    struct cs_scenario *scenario = target;
    size_t i;

    for (i = 0; i < 3; i++) {
        scenario->what_if = (enum cs_what_if)(i + 1);
        if (cs_same(value, names[i]))
            return 0;
    }
    return cs_options_refuse((struct cs_option_names){"what-if", names, 3},
                             value, err);
}

static const struct cs_option options[] = {
    {"fault", 0, "WHAT",
     "gpu3-nvswitch:down, n0.nic[0-1]:rate=50%, leaf0:down@2ms, leaf0:up@5ms: "
     "links between two sets of devices, or all of a set; may be repeated",
     set_fault},
    {"failover", 0, "TIME",
     "how long after a fault at a time, or its end, other ways are taken; what "
     "was lost waits for that and is sent again; 0 s unless told",
     set_failover},
    {"what-if", 0, "EACH",
     "each-link, each-switch or each-nic: a table of what the loss of each "
     "costs, and of half its rate",
     set_what_if},
    {0},
};

const struct cs_option_group cs_options_fault = {
    .name = "fault",
    .about = "links and devices that are lost, or slower",
    .options = options,
};
