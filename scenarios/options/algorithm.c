/*
 * Options: what an algorithm is told beside the vector and the ranks.
 */
#include "scenarios/run/scenario.h"
#include "sim/base/units.h"

#include <string.h>

static int set_ring_order(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)err;
    scenario->ring_order = value;
    return 0;
}

static int set_colocated(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    (void)value;
    (void)err;
    scenario->call.server = CS_SERVER_COLOCATED;
    return 0;
}

/* Setters of a number of the call. */
#define CALL_NUMBER(field, least, most)                                       \
    static int set_##field(void *target, const char *value,                   \
                           struct cs_err *err)                                \
    {                                                                         \
        return set_number(&((struct cs_scenario *)target)->call.field, value, \
                          (least), (most), err);                              \
    }

static int set_number(uint32_t *number, const char *value, uint32_t least,
                      uint32_t most, struct cs_err *err)
{
    uint64_t count;
    int code = cs_units_count(value, least, most, &count, err);

    if (!code)
        *number = (uint32_t)count;
    return code;
}

CALL_NUMBER(root, 0, CS_RANKS_MAX - 1)
CALL_NUMBER(chunks, 1, CS_RANKS_MAX)
CALL_NUMBER(slices, 1, 1024)
CALL_NUMBER(channels, 1, 64)
CALL_NUMBER(radix, 2, CS_RANKS_MAX)
CALL_NUMBER(shards, 1, 1024)
CALL_NUMBER(group, 1, CS_RANKS_MAX)

/* "4x4x2" */
static int set_dims(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint32_t *dims =
        cs_arena_alloc(scenario->arena, strlen(value) + 1, sizeof(*dims));
    uint32_t count = 0;
    int code = 0;

    for (; !code; value++) {
        size_t length = strcspn(value, "x");

        if (length == 0)
            return cs_err_set(err, CS_EINPUT,
                              "a side is missing; write 4x4 or 2x2x2");
        code = set_number(&dims[count++],
                          cs_arena_text_n(scenario->arena, value, length), 1,
                          CS_RANKS_MAX, err);
        value += length;
        if (*value == '\0')
            break;
    }
    scenario->call.dims = dims;
    scenario->call.dim_count = count;
    return code;
}

static const struct cs_option options[] = {
    {"root", 0, "RANK", "of broadcast, reduce, gather, scatter  [0]", set_root},
    {"chunks", 'c', "N", "pieces in a pipeline  [the best by the closed form]",
     set_chunks},
    {"slices", 0, "N", "pieces of a ring's block  [1]", set_slices},
    {"channels", 0, "N", "rings side by side  [as many as the machine has]",
     set_channels},
    {"radix", 0, "N", "of Bruck's algorithm  [2]", set_radix},
    {"group", 0, "N", "ranks of a node, for hierarchies  [the machine's]",
     set_group},
    {"dims", 0, "AxB", "of a torus, for bucket algorithms", set_dims},
    {"shards", 0, "N", "parameter servers  [1]", set_shards},
    {"ps-colocated", 0, NULL, "the parameter server is rank 0, not an agent",
     set_colocated},
    {"ring-order", 0, "ORDER",
     "devices of the ranks: 0,3,2,1,... or of NCCL's graphs a ring (for "
     "multi-ring all), graph:FILE, or a tree, tree:FILE  [as they are]",
     set_ring_order},
    {0},
};

const struct cs_option_group cs_options_algorithm = {
    .name = "algorithm",
    .about = "roots, chunks, channels, groups, servers, order of a ring",
    .options = options,
};
