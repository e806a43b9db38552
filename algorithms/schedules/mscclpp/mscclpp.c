#include "algorithms/schedules/mscclpp/mscclpp.h"

#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"

#include <stdarg.h>
#include <stdio.h>

#define LOCAL          CS_MSCCLPP_LOCAL
#define PACKETS        CS_MSCCLPP_PACKETS
#define REMOTE         CS_MSCCLPP_REMOTE
#define REMOTE_PACKETS (REMOTE | PACKETS)
#define GROUP          CS_MSCCLPP_GROUP
#define GROUP_PACKETS  (GROUP | PACKETS)

const struct cs_mscclpp_type cs_mscclpp_types[] = {
    {.name = "nop", .kind = CS_MSCCLPP_NOP},
    {.name = "barrier", .kind = CS_MSCCLPP_BARRIER},
    {.name = "signal", .kind = CS_MSCCLPP_SIGNAL},
    {.name = "wait", .kind = CS_MSCCLPP_WAIT},
    {.name = "rlxsignal", .kind = CS_MSCCLPP_SIGNAL, .relaxed = true},
    {.name = "rlxwait", .kind = CS_MSCCLPP_WAIT, .relaxed = true},
    {.name = "flush", .kind = CS_MSCCLPP_FLUSH},
    {.name = "sem_release", .kind = CS_MSCCLPP_RELEASE},
    {.name = "sem_acquire", .kind = CS_MSCCLPP_ACQUIRE},
    {.name = "pipeline", .kind = CS_MSCCLPP_LOOP},
    /* one to one */
    {.name = "copy", .source = {LOCAL, LOCAL}, .target = {LOCAL, LOCAL, LOCAL}},
    {.name = "put", .source = {LOCAL, LOCAL}, .target = {REMOTE, REMOTE, REMOTE}},
    {.name = "pws", .signals = true, .source = {LOCAL, LOCAL}, .target = {REMOTE, REMOTE, REMOTE}},
    {.name = "pwsf",
     .signals = true,
     .flushes = true,
     .source = {LOCAL, LOCAL},
     .target = {REMOTE, REMOTE, REMOTE}},
    {.name = "get", .source = {REMOTE, REMOTE}, .target = {LOCAL, LOCAL, LOCAL}},
    {.name = "cpkt", .source = {LOCAL, 0}, .target = {PACKETS, 0, 0}},
    {.name = "upkt", .source = {PACKETS, 0}, .target = {LOCAL, 0, 0}},
    {.name = "ppkt",
     .source = {LOCAL, LOCAL},
     .target = {REMOTE_PACKETS, REMOTE_PACKETS, REMOTE_PACKETS}},
    {.name = "rppkt",
     .source = {PACKETS, PACKETS},
     .target = {REMOTE_PACKETS, REMOTE_PACKETS, REMOTE_PACKETS}},
    {.name = "gstore", .source = {LOCAL, 0}, .target = {GROUP, 0, 0}},
    {.name = "gstorepkt", .source = {PACKETS, 0}, .target = {GROUP_PACKETS, 0, 0}},
    {.name = "glres", .source = {GROUP, 0}, .target = {GROUP, 0, 0}},
    {.name = "glre", .source = {GROUP, 0}, .target = {LOCAL, 0, 0}},
    /* sums */
    {.name = "re", .sums = true, .source = {LOCAL, LOCAL}, .target = {LOCAL, 0, 0}},
    {.name = "res", .sums = true, .source = {LOCAL, LOCAL}, .target = {LOCAL, REMOTE, REMOTE}},
    {.name = "rre", .sums = true, .source = {LOCAL, REMOTE}, .target = {LOCAL, 0, 0}},
    {.name = "rres", .sums = true, .source = {LOCAL, REMOTE}, .target = {LOCAL, REMOTE, REMOTE}},
    {.name = "repkt", .sums = true, .source = {LOCAL, PACKETS}, .target = {LOCAL, 0, 0}},
    {.name = "respkt",
     .sums = true,
     .source = {LOCAL, PACKETS},
     .target = {LOCAL, REMOTE_PACKETS, REMOTE_PACKETS}},
    {.name = "recpkt", .sums = true, .source = {LOCAL, PACKETS}, .target = {LOCAL, PACKETS, 0}},
    {.name = "recspkt",
     .sums = true,
     .source = {LOCAL, PACKETS},
     .target = {LOCAL, PACKETS, REMOTE_PACKETS}},
};

const size_t cs_mscclpp_type_count = sizeof(cs_mscclpp_types) / sizeof(*cs_mscclpp_types);

/* The names of python/mscclpp/language/collectives.py; at the end that of its
 * tests, TestCollective. */
const struct cs_mscclpp_collective cs_mscclpp_collectives[CS_MSCCLPP_COLLECTIVES + 1] = {
    {"allreduce", &cs_collective_allreduce},
    {"allgather", &cs_collective_allgather},
    {"reducescatter", &cs_collective_reducescatter},
    {"alltoall", &cs_collective_alltoall},
    {"broadcast", &cs_collective_broadcast},
    {"sendrecv", &cs_collective_sendrecv},
    {"custom", &cs_collective_custom},
    {"test", &cs_collective_custom},
};

bool cs_mscclpp_multicasts(const struct cs_mscclpp *plan, const struct cs_mscclpp_range *range)
{
    return range->place == CS_MSCCLPP_GROUP &&
           plan->groups[range->channel].count == plan->gpu_count;
}

const char *cs_mscclpp_op_name(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                               char text[CS_MSCCLPP_NAME])
{
    uint32_t at = (uint32_t)(op - plan->ops);
    uint32_t block = 0;
    uint32_t gpu = 0;

    while (block + 1 < plan->block_count && plan->blocks[block + 1].op <= at)
        block++;
    while (gpu + 1 < plan->gpu_count && plan->gpus[gpu + 1].blocks &&
           plan->gpus[gpu + 1].block <= block)
        gpu++;
    snprintf(text, CS_MSCCLPP_NAME, "%s %u of thread block %u of GPU %u", op->type->name,
             op->number, block - plan->gpus[gpu].block, gpu);
    return text;
}

int cs_mscclpp_err(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                   struct cs_err *err, int code, const char *format, ...)
{
    char name[CS_MSCCLPP_NAME];
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_err_at(err, code, plan->doc->file, plan->doc->nodes[op->node].line, "%s %s",
                     cs_mscclpp_op_name(plan, op, name), text);
}
