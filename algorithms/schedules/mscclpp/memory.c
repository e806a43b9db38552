#include "algorithms/schedules/mscclpp/state.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

/* Cells of a GPU: input, output, scratch, scratch as packets, and both again for
 * the second half. */
static uint64_t cells_of_gpu(const struct cs_mscclpp *plan, uint32_t fine)
{
    uint64_t scratch = (uint64_t)plan->scratch * (1 + plan->double_scratch);

    return 2 * (plan->chunks + scratch) * fine;
}

uint64_t cs_mscclpp_memory_cells(const struct cs_mscclpp *plan, uint32_t fine)
{
    return cells_of_gpu(plan, fine) * plan->gpu_count;
}

void cs_mscclpp_memory_open(struct cs_mscclpp_memory *memory, struct cs_arena *arena)
{
    size_t count = (size_t)cs_mscclpp_memory_cells(memory->plan, memory->fine);

    memory->each = (uint32_t)cells_of_gpu(memory->plan, memory->fine);
    memory->cells = cs_arena_alloc(arena, count, sizeof(*memory->cells));
    memset(memory->cells, 0xff, count * sizeof(*memory->cells));
}

void cs_mscclpp_memory_free(struct cs_mscclpp_memory *memory)
{
    free(memory->accesses);
    free(memory->reads);
}

struct cs_mscclpp_cell *cs_mscclpp_cell_at(const struct cs_mscclpp_memory *memory,
                                           struct cs_mscclpp_cells cells, uint32_t i)
{
    uint32_t chunks = memory->plan->chunks * memory->fine;
    uint32_t scratch = memory->plan->scratch * memory->fine;
    size_t at = (size_t)cells.gpu * memory->each + cells.first + i;

    if (cells.buffer != CS_INPUT)
        at += chunks;
    if (cells.buffer == CS_SCRATCH)
        at += chunks + (cells.packets ? scratch : 0);
    if (cells.buffer == CS_SCRATCH && memory->plan->double_scratch)
        at += 2 * (size_t)scratch * (memory->launch & 1);
    return &memory->cells[at];
}

static bool clock_has(const struct cs_mscclpp_memory *memory, const cs_mscclpp_clock *clock,
                      enum cs_mscclpp_order order, uint32_t actor, uint32_t epoch)
{
    return clock[order * memory->actors + actor] >= epoch;
}

/* ---- messages ---- */

static int memory_err(const struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                      const struct cs_mscclpp_touch *touch, uint32_t i, const char *why)
{
    const struct cs_mscclpp *plan = memory->plan;

    return cs_mscclpp_err(plan, &plan->ops[who->op], memory->err, CS_EANSWER,
                          "%s %schunk %u of GPU %u%s", touch->writes ? "writes" : "reads",
                          touch->cells.buffer == CS_SCRATCH
                              ? (touch->cells.packets ? "packets of scratch " : "scratch ")
                              : "",
                          (touch->cells.first + i) / memory->fine, touch->cells.gpu, why);
}

/* The operation that is missing between two accesses. */
static const char *missing_of(const struct cs_mscclpp_memory *memory,
                              const struct cs_mscclpp_who *who,
                              const struct cs_mscclpp_access *access)
{
    uint32_t gpus = memory->plan->gpu_count;
    uint32_t block = access->who.actor - gpus;
    const struct cs_mscclpp_gpu *gpu = &memory->plan->gpus[who->gpu];

    if (access->who.actor == who->block)
        return "a nop between them is missing";
    if (clock_has(memory, who->clock, CS_MSCCLPP_OVER, access->who.actor, access->who.epoch))
        return "the signal in between is relaxed or not of the same channel, so that the data may "
               "come later";
    if (block < memory->plan->block_count && block >= gpu->block &&
        block < gpu->block + gpu->blocks)
        return "a barrier or a semaphore, or a nop before it, is missing";
    if (block >= memory->plan->block_count)
        return "a wait for a signal behind it, or a flush, is missing";
    return "a signal and a wait, or a nop between the access and the signal, are missing";
}

static int refuse_order(const struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                        const struct cs_mscclpp_touch *touch, uint32_t i,
                        const struct cs_mscclpp_access *access)
{
    const struct cs_mscclpp *plan = memory->plan;
    const struct cs_mscclpp_op *op = &plan->ops[access->who.op];
    static const char *const launches[] = {"", " in the launch before",
                                           " two launches before, in the same half"};
    char name[CS_MSCCLPP_NAME];
    struct cs_err why = {0};

    cs_err_set(&why, CS_EANSWER, " and races with %s (line %u), which %s it%s: %s",
               cs_mscclpp_op_name(plan, op, name), plan->doc->nodes[op->node].line,
               access->writes ? "writes" : "reads", launches[memory->launch - access->launch],
               missing_of(memory, who, access));
    return memory_err(memory, who, touch, i, why.text);
}

/* ---- order ---- */

static bool is_ordered(const struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                       const struct cs_mscclpp_access *access)
{
    enum cs_mscclpp_order order = access->writes ? CS_MSCCLPP_VISIBLE : CS_MSCCLPP_OVER;
    bool is_port = access->who.actor >= memory->plan->gpu_count + memory->plan->block_count;

    if (access->who.actor == who->actor &&
        (access->who.epoch == who->epoch || is_port || (access->who.packets && who->packets)))
        return true;
    if (access->who.actor == who->block)
        return who->met >= access->who.epoch;
    return clock_has(memory, who->clock, order, access->who.actor, access->who.epoch);
}

/* Values and packets in one place of scratch. */
static bool is_mixed(const struct cs_mscclpp_memory *memory, struct cs_mscclpp_cells cells,
                     uint32_t i)
{
    struct cs_mscclpp_cells other = {
        .gpu = cells.gpu, .buffer = CS_SCRATCH, .packets = !cells.packets};
    uint32_t blocks = memory->plan->scratch * memory->fine;
    uint32_t at = cells.first + i;
    uint32_t first = cells.packets ? 2 * at : at / 2;
    uint32_t count = cells.packets ? 2 : 1;

    if (cells.buffer != CS_SCRATCH)
        return false;
    for (uint32_t k = first; k < first + count && k < blocks; k++) {
        const struct cs_mscclpp_cell *cell = cs_mscclpp_cell_at(memory, other, k);

        if (cell->write != CS_MSCCLPP_NONE || cell->reads != CS_MSCCLPP_NONE)
            return true;
    }
    return false;
}

static int check_access(const struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                        const struct cs_mscclpp_touch *touch, uint32_t i, uint32_t number)
{
    const struct cs_mscclpp_access *access = &memory->accesses[number];
    bool is_packet = touch->cells.packets && access->launch == memory->launch;

    if (is_packet && touch->writes)
        return memory_err(
            memory, who, touch, i,
            ", which has packets of this launch already: a reader cannot distinguish them");
    if (!is_packet && !is_ordered(memory, who, access))
        return refuse_order(memory, who, touch, i, access);
    if (access->who.actor != who->actor || access->who.epoch != who->epoch)
        cs_mscclpp_lane_wait(memory->lanes, touch->lane, access->by);
    return 0;
}

static int check_cell(const struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                      const struct cs_mscclpp_touch *touch, uint32_t i)
{
    const struct cs_mscclpp_cell *cell = cs_mscclpp_cell_at(memory, touch->cells, i);
    int code = 0;

    if (touch->cells.gpu != who->gpu && touch->cells.buffer != CS_SCRATCH &&
        !clock_has(memory, who->clock, CS_MSCCLPP_OVER, touch->cells.gpu, memory->launch))
        return memory_err(
            memory, who, touch, i,
            ", which may not have started: a wait for a signal of that GPU is missing");
    if (is_mixed(memory, touch->cells, i))
        return memory_err(memory, who, touch, i, ", a place in use for packets and for plain data");
    if (cell->write != CS_MSCCLPP_NONE)
        code = check_access(memory, who, touch, i, cell->write);
    for (uint32_t k = touch->writes ? cell->reads : CS_MSCCLPP_NONE; k != CS_MSCCLPP_NONE && !code;
         k = memory->reads[k].next)
        code = check_access(memory, who, touch, i, memory->reads[k].access);
    return code;
}

static void enter_access(struct cs_mscclpp_memory *memory, const struct cs_mscclpp_touch *touch,
                         uint32_t i, uint32_t number)
{
    struct cs_mscclpp_cell *cell = cs_mscclpp_cell_at(memory, touch->cells, i);

    if (touch->writes) {
        *cell = (struct cs_mscclpp_cell){number, CS_MSCCLPP_NONE};
        return;
    }
    *CS_VECTOR_NEXT(memory->reads, memory->read_count, memory->read_capacity) =
        (struct cs_mscclpp_read){number, cell->reads};
    cell->reads = memory->read_count - 1;
}

int cs_mscclpp_memory_touch(struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                            const struct cs_mscclpp_touch *touch)
{
    uint32_t number = memory->access_count;
    int code = 0;

    for (uint32_t i = 0; i < touch->cells.count && !code; i++)
        code = check_cell(memory, who, touch, i);
    if (code)
        return code;
    *CS_VECTOR_NEXT(memory->accesses, memory->access_count, memory->access_capacity) =
        (struct cs_mscclpp_access){.who = *who,
                                   .launch = memory->launch,
                                   .by = {touch->lane, CS_MSCCLPP_NO_ROUND},
                                   .writes = touch->writes};
    for (uint32_t i = 0; i < touch->cells.count; i++)
        enter_access(memory, touch, i, number);
    return 0;
}

/* ---- the end ---- */

static int check_last(const struct cs_mscclpp_memory *memory, uint32_t gpu,
                      const cs_mscclpp_clock *clock, uint32_t number)
{
    const struct cs_mscclpp *plan = memory->plan;
    const struct cs_mscclpp_access *access = &memory->accesses[number];

    if (clock_has(memory, clock, CS_MSCCLPP_OVER, access->who.actor, access->who.epoch))
        return 0;
    return cs_mscclpp_err(plan, &plan->ops[access->who.op], memory->err, CS_EANSWER,
                          "%s the %s of GPU %u, which ends without waiting for it",
                          access->writes ? "writes" : "reads",
                          plan->in_place ? "vector" : "input or output", gpu);
}

int cs_mscclpp_memory_check_end(const struct cs_mscclpp_memory *memory, uint32_t gpu,
                                const cs_mscclpp_clock *clock)
{
    uint32_t blocks = 2 * memory->plan->chunks * memory->fine;
    int code = 0;

    for (uint32_t i = 0; i < blocks && !code; i++) {
        const struct cs_mscclpp_cell *cell = &memory->cells[(size_t)gpu * memory->each + i];

        if (cell->write != CS_MSCCLPP_NONE)
            code = check_last(memory, gpu, clock, cell->write);
        for (uint32_t k = cell->reads; k != CS_MSCCLPP_NONE && !code; k = memory->reads[k].next)
            code = check_last(memory, gpu, clock, memory->reads[k].access);
    }
    return code;
}
