/*
 * Options: --fault, one fault of links or devices a time.
 */
#include "scenarios/run/request/scenario.h"

int cs_set_fault(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_faults *faults = &scenario->faults;

    if (faults->count == CS_FAULTS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d faults", CS_FAULTS_MAX);
    return cs_fault_read(value, &faults->item[faults->count++], scenario->arena, err);
}

const char *cs_show_fault(const void *target, uint32_t i)
{
    const struct cs_scenario *scenario = target;

    return i < scenario->faults.count ? scenario->faults.item[i].text : NULL;
}
