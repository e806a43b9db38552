#include "scenarios/train/command/system_options.h"

#include "scenarios/train/command/given.h"

#include <ctype.h>
#include <stdlib.h>

/* "8,12,16": first blocks of the stages behind the first. */
int cs_train_set_cuts(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    const char *at = value;

    given->cut_count = 0;
    while (given->cut_count < CS_TRAIN_CUTS_MAX) {
        char *end;
        unsigned long cut = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;

        if (!cut || cut > CS_RANKS_MAX)
            break;
        given->cuts[given->cut_count++] = (uint32_t)cut;
        if (!*end)
            return 0;
        if (*end != ',')
            break;
        at = end + 1;
    }
    return cs_err_set(
        err, CS_EINPUT,
        "cuts '%.40s' are not up to %d block numbers with commas between them, such as 8 or 5,9,14",
        value, CS_TRAIN_CUTS_MAX);
}

int cs_train_set_straggler(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    char *end;
    double factor = strtod(value, &end);

    if (end == value || *end || !(factor >= 1 && factor <= 1e6))
        return cs_err_set(err, CS_EINPUT,
                          "a straggler of '%.40s' is not a factor from 1 to 1000000", value);
    given->servers.straggler = factor;
    return 0;
}
