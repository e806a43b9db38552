#include "algorithms/schedules/msccl/msccl.h"

#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"

const struct cs_msccl_step_type cs_msccl_types[CS_MSCCL_TYPES] = {
    [CS_MSCCL_S] = {"s", CS_MSCCL_SENDS},
    [CS_MSCCL_R] = {"r", CS_MSCCL_RECEIVES | CS_MSCCL_STORES},
    [CS_MSCCL_RCS] = {"rcs", CS_MSCCL_RECEIVES | CS_MSCCL_SENDS | CS_MSCCL_STORES},
    [CS_MSCCL_RRC] = {"rrc", CS_MSCCL_RECEIVES | CS_MSCCL_REDUCES | CS_MSCCL_STORES},
    [CS_MSCCL_RRS] = {"rrs", CS_MSCCL_RECEIVES | CS_MSCCL_REDUCES | CS_MSCCL_SENDS},
    [CS_MSCCL_RRCS] = {"rrcs",
                       CS_MSCCL_RECEIVES | CS_MSCCL_REDUCES | CS_MSCCL_STORES | CS_MSCCL_SENDS},
    [CS_MSCCL_CPY] = {"cpy", CS_MSCCL_LOCAL | CS_MSCCL_STORES},
    [CS_MSCCL_RE] = {"re", CS_MSCCL_LOCAL | CS_MSCCL_STORES | CS_MSCCL_REDUCES},
    [CS_MSCCL_NOP] = {"nop", 0},
};

/* msccl-tools writes reduce_scatter; reducescatter occurs in hand-written
 * files.  The first name of a collective is the name to write. */
static const struct msccl_collective {
    const char *name;
    const struct cs_collective *collective;
} msccl_collectives[] = {
    {"allreduce", &cs_collective_allreduce},
    {"allgather", &cs_collective_allgather},
    {"reduce_scatter", &cs_collective_reducescatter},
    {"reducescatter", &cs_collective_reducescatter},
    {"alltoall", &cs_collective_alltoall},
    {"broadcast", &cs_collective_broadcast},
    {"reduce", &cs_collective_reduce},
    {"custom", &cs_collective_custom},
};

enum {
    MSCCL_COLLECTIVES = sizeof(msccl_collectives) / sizeof(*msccl_collectives)
};

const struct cs_collective *cs_msccl_collective(const char *coll)
{
    for (size_t i = 0; i < MSCCL_COLLECTIVES; i++)
        if (cs_same(msccl_collectives[i].name, coll))
            return msccl_collectives[i].collective;
    return NULL;
}

const char *cs_msccl_collective_name(const struct cs_collective *collective)
{
    size_t i = 0;

    while (i < MSCCL_COLLECTIVES - 1 && msccl_collectives[i].collective != collective)
        i++;
    return msccl_collectives[i].name;
}
