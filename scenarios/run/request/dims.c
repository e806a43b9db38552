/*
 * Options: the dimensions of a torus.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/units.h"

#include <string.h>

static int read_side(const char *value, uint32_t *side, struct cs_err *err)
{
    uint64_t count = 0;
    int code = cs_units_count(value, 1, CS_RANKS_MAX, &count, err);

    *side = (uint32_t)count;
    return code;
}

/* "4x4x2" */
int cs_set_dims(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint32_t *dims = cs_arena_alloc(scenario->arena, strlen(value) + 1, sizeof(*dims));
    uint32_t count = 0;
    int code = 0;

    for (; !code; value++) {
        size_t length = strcspn(value, "x");

        if (length == 0)
            return cs_err_set(err, CS_EINPUT, "a side is missing; write 4x4 or 2x2x2");
        code = read_side(cs_arena_text_n(scenario->arena, value, length), &dims[count++], err);
        value += length;
        if (*value == '\0')
            break;
    }
    scenario->call.dims = dims;
    scenario->call.dim_count = count;
    return code;
}
