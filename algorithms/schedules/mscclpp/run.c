#include "algorithms/schedules/mscclpp/run.h"

#include "algorithms/schedules/mscclpp/state.h"
#include "sim/base/divisor.h"

#include <assert.h>
#include <stdlib.h>

enum {
    CLOCKS_MAX = 1 << 27, /* numbers: 512 MiB */
    FINE_MAX = 4096,      /* blocks of a chunk */
    ROUND_OPS_MAX = 1 << 22,
};

/* ---- size ---- */

/* Blocks of a chunk, so that shares of thread blocks and iterations of loops are
 * whole blocks; 0: too many. */
static uint32_t fine_of(const struct cs_mscclpp *plan, uint32_t iterations)
{
    uint64_t fine = 1;

    for (uint32_t i = 0; i < plan->op_count && fine <= FINE_MAX; i++) {
        const struct cs_mscclpp_op *op = &plan->ops[i];
        bool is_loop = op->type->kind == CS_MSCCLPP_LOOP;
        uint64_t parts = is_loop ? iterations : op->parts;
        uint32_t count;

        if ((!is_loop && op->type->kind != CS_MSCCLPP_DATA) || parts < 2)
            continue;
        count = is_loop ? op->count : plan->ranges[op->ranges].count;
        parts /= cs_common_divisor(parts, count);
        assert(fine > 0 && parts > 0);
        fine = fine / cs_common_divisor(fine, parts) * parts;
    }
    return fine <= FINE_MAX ? (uint32_t)fine : 0;
}

static int check_size(const struct cs_mscclpp *plan, uint32_t fine, struct cs_err *err)
{
    if (fine && cs_mscclpp_memory_cells(plan, fine) <= CS_MSCCLPP_CELLS_MAX &&
        (uint64_t)plan->chunks * fine <= CS_MSCCLPP_CHUNKS_MAX)
        return 0;
    return cs_doc_err(plan->doc, 0, err,
                      "too many chunks for a proof: %u of the vector and %u of scratch on %u GPUs, "
                      "in shares of groups of thread blocks and of iterations",
                      plan->chunks, plan->scratch, plan->gpu_count);
}

/* ---- begin ---- */

/* The blocks of a barrier are as many as it waits for. */
static int check_barriers(const struct mscclpp_run *run, uint32_t number)
{
    const struct cs_mscclpp *plan = run->plan;
    const struct mscclpp_walker *walker = &run->walkers[number];
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[walker->gpu];
    uint32_t k;

    for (uint32_t i = walker->at; i < walker->end; i++) {
        const struct cs_mscclpp_op *op = &plan->ops[i];
        uint32_t users = 0;

        if (op->type->kind != CS_MSCCLPP_BARRIER)
            continue;
        for (uint32_t b = gpu->block; b < gpu->block + gpu->blocks; b++) {
            const struct cs_mscclpp_block *block = &plan->blocks[b];

            for (k = block->op; k < block->op + block->ops; k++)
                if (plan->ops[k].type->kind == CS_MSCCLPP_BARRIER && plan->ops[k].id == op->id)
                    break;
            users += k < block->op + block->ops;
        }
        if (users != op->count)
            return cs_mscclpp_err(plan, op, run->err, CS_EANSWER,
                                  "waits for %u thread blocks; barrier %u has %u", op->count,
                                  op->id, users);
        break;
    }
    return 0;
}

static uint32_t scratch_parts(const struct cs_mscclpp *plan)
{
    for (uint32_t i = 0; i < plan->range_count; i++)
        if (plan->ranges[i].place & CS_MSCCLPP_PACKETS)
            return 3; /* values, packets, flags */
    return 1;
}

static void start_lanes(struct mscclpp_run *run, uint32_t gpu)
{
    const struct cs_mscclpp_gpu *it = &run->plan->gpus[gpu];

    for (uint32_t i = it->block; i < it->block + it->blocks; i++)
        run->walkers[i].source.lane = cs_mscclpp_lane_new(&run->lanes, gpu);
    for (uint32_t i = 0; i < it->channels[CS_MSCCLPP_PORT]; i++)
        run->ports[it->channel[CS_MSCCLPP_PORT] + i].source.lane =
            cs_mscclpp_lane_new(&run->lanes, gpu);
}

/* Lanes and epochs continue; all else begins. */
static void start_walker(struct mscclpp_run *run, uint32_t number, uint32_t gpu)
{
    const struct cs_mscclpp_block *block = &run->plan->blocks[number];
    struct mscclpp_walker *walker = &run->walkers[number];

    *walker = (struct mscclpp_walker){
        .source = walker->source,
        .signals = walker->signals,
        .hub = walker->hub,
        .gpu = gpu,
        .at = block->op,
        .end = block->op + block->ops,
        .loop = CS_MSCCLPP_NONE,
        .epoch = walker->epoch,
        .met = walker->epoch,
        .acquired_by_one = true,
        .clock = run->starts[gpu],
        .heard = cs_mscclpp_clock_copy(run, run->starts[gpu]),
    };
}

/* Who uses the queue remains; nothing waits in it. */
static void start_queue(struct mscclpp_queue *queue)
{
    queue->waiting = queue->sends = queue->takes = 0;
    queue->oldest = queue->last_sender = queue->last_taker = CS_MSCCLPP_NONE;
}

static void start_launch(struct mscclpp_run *run)
{
    const struct cs_mscclpp *plan = run->plan;

    run->memory.launch++;
    run->message_count = 0;
    run->hub_blocks = plan->scratch * run->memory.fine * scratch_parts(plan);
    for (uint32_t i = 0; i < plan->channel_count; i++)
        start_queue(&run->channels[i]);
    for (uint32_t i = 0; i < plan->number_count; i++)
        start_queue(&run->semaphores[i]);
    for (uint32_t gpu = 0; gpu < plan->gpu_count; gpu++) {
        const struct cs_mscclpp_gpu *it = &plan->gpus[gpu];

        cs_mscclpp_clock_note(run, run->starts[gpu], gpu, run->memory.launch, false);
        for (uint32_t i = it->block; i < it->block + it->blocks; i++)
            start_walker(run, i, gpu);
    }
}

static int start_run(struct mscclpp_run *run)
{
    const struct cs_mscclpp *plan = run->plan;
    int code = 0;

    for (uint32_t i = 0; i < plan->gpu_count; i++) {
        run->starts[i] = cs_mscclpp_clock_copy(run, NULL);
        start_lanes(run, i);
    }
    start_launch(run);
    for (uint32_t i = 0; i < plan->block_count; i++)
        cs_mscclpp_count_users(run, i);
    for (uint32_t i = 0; i < plan->block_count && !code; i++)
        code = check_barriers(run, i);
    return code;
}

/* ---- steps ---- */

/* Behind the last operation of a loop comes the first one, of the next
 * iteration. */
static void step_on(const struct mscclpp_run *run, struct mscclpp_walker *walker)
{
    const struct cs_mscclpp_op *loop;

    if (walker->loop == CS_MSCCLPP_NONE)
        return;
    loop = &run->plan->ops[walker->loop];
    if (walker->at <= walker->loop + loop->id)
        return;
    if (++walker->iteration < run->iterations)
        walker->at = walker->loop + 1;
    else
        walker->loop = CS_MSCCLPP_NONE;
}

static int move_data(struct mscclpp_run *run)
{
    int code = cs_mscclpp_move(run);

    if (!code && run->op->type->signals)
        code = cs_mscclpp_send_signals(run);
    if (!code && run->op->type->flushes)
        cs_mscclpp_flush(run);
    return code;
}

static int walk_op(struct mscclpp_run *run)
{
    const struct cs_mscclpp_op *op = run->op;

    switch (op->type->kind) {
    case CS_MSCCLPP_NOP:
        cs_mscclpp_meet(run, run->number);
        return 0;
    case CS_MSCCLPP_SIGNAL:
        return cs_mscclpp_send_signals(run);
    case CS_MSCCLPP_WAIT:
        return cs_mscclpp_await_signals(run);
    case CS_MSCCLPP_FLUSH:
        cs_mscclpp_flush(run);
        return 0;
    case CS_MSCCLPP_RELEASE:
        cs_mscclpp_release(run);
        return 0;
    case CS_MSCCLPP_ACQUIRE:
        return cs_mscclpp_acquire(run);
    case CS_MSCCLPP_LOOP:
        run->walker->loop = op->id ? run->walker->at : CS_MSCCLPP_NONE;
        run->walker->iteration = 0;
        return 0;
    default:
        return move_data(run);
    }
}

static int check_steps(const struct mscclpp_run *run)
{
    if (run->clock_numbers <= CLOCKS_MAX && run->lanes.op_count <= ROUND_OPS_MAX &&
        (uint64_t)run->hub_blocks * run->plan->gpu_count <= CS_MSCCLPP_CELLS_MAX)
        return 0;
    return cs_doc_err(run->plan->doc, 0, run->err,
                      "too many operations for a proof: %u of %u thread blocks",
                      run->plan->op_count, run->plan->block_count);
}

/* As far as the walker comes; `moved`: at least an operation. */
static int walk_on(struct mscclpp_run *run, uint32_t number, bool *moved)
{
    struct mscclpp_walker *walker = &run->walkers[number];
    int code = 0;

    run->number = number;
    run->walker = walker;
    while (walker->at < walker->end && !code) {
        run->op = &run->plan->ops[walker->at];
        run->lanes.line = run->plan->doc->nodes[run->op->node].line;
        if (run->op->type->kind == CS_MSCCLPP_BARRIER)
            code = walker->at_barrier ? CS_MSCCLPP_BLOCKED : cs_mscclpp_barrier(run);
        else {
            code = walk_op(run);
            walker->at += code == 0;
        }
        if (code)
            break;
        *moved = true;
        step_on(run, walker);
        code = check_steps(run);
    }
    return code == CS_MSCCLPP_BLOCKED ? 0 : code;
}

/* ---- end ---- */

/* Whether a thread block that is not done has such an operation ahead. */
static bool comes_yet(const struct mscclpp_run *run, uint32_t gpu, enum cs_mscclpp_kind kind,
                      uint8_t type, uint32_t number)
{
    const struct cs_mscclpp *plan = run->plan;
    const struct cs_mscclpp_gpu *it = &plan->gpus[gpu];

    for (uint32_t b = it->block; b < it->block + it->blocks; b++)
        for (uint32_t i = run->walkers[b].at; i < run->walkers[b].end; i++) {
            const struct cs_mscclpp_op *op = &plan->ops[i];
            bool is_kind =
                op->type->kind == kind || (kind == CS_MSCCLPP_SIGNAL && op->type->signals);

            for (uint32_t k = 0; is_kind && k < op->number_count; k++)
                if (plan->numbers[op->numbers + k] == number &&
                    (kind != CS_MSCCLPP_SIGNAL || op->channel_type == type))
                    return true;
        }
    return false;
}

/* The GPU whose signal does not come for a wait, or NONE. */
static uint32_t silent_peer(const struct mscclpp_run *run, const struct mscclpp_walker *walker,
                            const struct cs_mscclpp_op *op, bool for_ever)
{
    const struct cs_mscclpp *plan = run->plan;

    for (uint32_t i = 0; i < op->number_count; i++) {
        uint32_t at =
            plan->gpus[walker->gpu].channel[op->channel_type] + plan->numbers[op->numbers + i];
        const struct cs_mscclpp_channel *channel = &plan->channels[at];

        if (!run->channels[at].waiting &&
            (!for_ever || channel->mate == CS_MSCCLPP_NONE ||
             !comes_yet(run, channel->peer, CS_MSCCLPP_SIGNAL, op->channel_type, channel->mate)))
            return channel->peer;
    }
    return CS_MSCCLPP_NONE;
}

/* Refuses the wait of a walker, if it is for ever whatever others do, or in any
 * case. */
static int refuse_wait(const struct mscclpp_run *run, uint32_t number, bool for_ever)
{
    const struct mscclpp_walker *walker = &run->walkers[number];
    const struct cs_mscclpp_op *op = &run->plan->ops[walker->at];
    const char *circle = for_ever ? "" : ", as others wait in a circle";
    uint32_t peer = CS_MSCCLPP_NONE;

    switch (op->type->kind) {
    case CS_MSCCLPP_WAIT:
        peer = silent_peer(run, walker, op, for_ever);
        return peer == CS_MSCCLPP_NONE
                   ? 0
                   : cs_mscclpp_err(run->plan, op, run->err, CS_EANSWER,
                                    "waits for a signal that GPU %u never sends%s", peer, circle);
    case CS_MSCCLPP_ACQUIRE:
        if (for_ever &&
            comes_yet(run, walker->gpu, CS_MSCCLPP_RELEASE, 0, run->plan->numbers[op->numbers]))
            return 0;
        return cs_mscclpp_err(run->plan, op, run->err, CS_EANSWER,
                              "waits for a semaphore that no thread block releases%s", circle);
    case CS_MSCCLPP_BARRIER:
        return for_ever ? 0
                        : cs_mscclpp_err(run->plan, op, run->err, CS_EANSWER,
                                         "waits for thread blocks that do not come%s", circle);
    default:
        return for_ever ? 0
                        : cs_mscclpp_err(run->plan, op, run->err, CS_EANSWER,
                                         "reads packets that are never written");
    }
}

static int check_done(const struct mscclpp_run *run)
{
    int code = 0;

    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < run->plan->block_count && !code; i++)
            if (run->walkers[i].at < run->walkers[i].end)
                code = refuse_wait(run, i, turn == 0);
    return code;
}

/* Nothing is left for the next launch. */
static int check_queues(const struct mscclpp_run *run)
{
    const struct cs_mscclpp *plan = run->plan;

    for (uint32_t i = 0; i < plan->channel_count; i++)
        if (run->channels[i].waiting)
            return cs_mscclpp_err(plan, &plan->ops[run->messages[run->channels[i].first].op],
                                  run->err, CS_EANSWER,
                                  "signals, and no operation of the other GPU waits for it: the "
                                  "next launch would take it for its own");
    for (uint32_t gpu = 0; gpu < plan->gpu_count; gpu++)
        for (uint32_t i = 0; i < plan->gpus[gpu].semaphores; i++) {
            const struct mscclpp_queue *queue = &run->semaphores[plan->gpus[gpu].semaphore + i];

            if (queue->sends != queue->takes)
                return cs_err_at(run->err, CS_EANSWER, plan->doc->file,
                                 plan->doc->nodes[plan->gpus[gpu].node].line,
                                 "semaphore %u of GPU %u is released %u times and acquired %u "
                                 "times; the next launch begins with another value",
                                 i, gpu, queue->sends, queue->takes);
        }
    return 0;
}

/* What is over at the end of a launch of a GPU is over when its next begins. */
static int check_ends(struct mscclpp_run *run)
{
    const struct cs_mscclpp *plan = run->plan;
    int code = 0;

    for (uint32_t gpu = 0; gpu < plan->gpu_count && !code; gpu++) {
        const struct cs_mscclpp_gpu *it = &plan->gpus[gpu];
        cs_mscclpp_clock *clock = cs_mscclpp_clock_copy(run, NULL);

        for (uint32_t i = it->block; i < it->block + it->blocks; i++) {
            cs_mscclpp_meet(run, i);
            cs_mscclpp_clock_join(run, clock, run->walkers[i].clock, false);
            cs_mscclpp_clock_note(run, clock, cs_mscclpp_actor(run, i), run->walkers[i].met, false);
        }
        run->starts[gpu] = clock;
        code = cs_mscclpp_memory_check_end(&run->memory, gpu, clock);
    }
    return code;
}

static int run_launch(struct mscclpp_run *run)
{
    bool moved = true;
    int code = 0;

    while (moved && !code) {
        moved = false;
        for (uint32_t i = 0; i < run->plan->block_count && !code; i++)
            code = walk_on(run, i, &moved);
    }
    if (!code)
        code = check_done(run);
    if (!code)
        code = check_queues(run);
    return code ? code : check_ends(run);
}

/* Launches behind the first one. */
static void run_again(struct mscclpp_run *run, struct cs_err *again)
{
    uint32_t launches = run->plan->double_scratch ? 3 : 2;
    int code = 0;

    run->err = run->memory.err = again;
    while (run->memory.launch < launches && !code) {
        start_launch(run);
        code = run_launch(run);
    }
}

static void open_run(struct mscclpp_run *run)
{
    const struct cs_mscclpp *plan = run->plan;
    struct cs_arena *arena = run->arena;

    cs_mscclpp_memory_open(&run->memory, arena);
    run->lanes.gpu_lanes = cs_arena_alloc(arena, plan->gpu_count + 1, sizeof(uint32_t));
    run->starts = cs_arena_alloc(arena, plan->gpu_count, sizeof(cs_mscclpp_clock *));
    run->walkers = cs_arena_alloc(arena, plan->block_count, sizeof(*run->walkers));
    run->channels = cs_arena_alloc(arena, plan->channel_count, sizeof(*run->channels));
    run->ports = cs_arena_alloc(arena, plan->channel_count, sizeof(*run->ports));
    run->semaphores = cs_arena_alloc(arena, plan->number_count, sizeof(*run->semaphores));
    run->memory.actors = plan->gpu_count + plan->block_count;
    for (uint32_t gpu = 0; gpu < plan->gpu_count; gpu++)
        for (uint32_t i = 0; i < plan->gpus[gpu].channels[CS_MSCCLPP_PORT]; i++)
            run->ports[plan->gpus[gpu].channel[CS_MSCCLPP_PORT] + i].actor = run->memory.actors++;
}

int cs_mscclpp_run(const struct cs_mscclpp *plan, uint32_t iterations, struct cs_schedule *schedule,
                   struct cs_arena *arena, struct cs_err *again, struct cs_err *err)
{
    uint32_t fine = fine_of(plan, iterations);
    CS_AT_END(cs_arena_free) struct cs_arena work = {0};
    struct mscclpp_run run = {
        .plan = plan,
        .err = err,
        .arena = &work,
        .iterations = iterations,
        .memory = {.plan = plan, .lanes = &run.lanes, .fine = fine, .err = err}};
    int code = check_size(plan, fine, err);

    if (!code) {
        open_run(&run);
        code = start_run(&run);
    }
    if (!code)
        code = run_launch(&run);
    if (!code) {
        *schedule = (struct cs_schedule){.file = plan->doc->file,
                                         .ranks = plan->gpu_count,
                                         .agents = plan->multicasts,
                                         .blocks = plan->chunks * fine,
                                         .scratch = run.hub_blocks};
        cs_mscclpp_lanes_end(&run.lanes, schedule, arena);
        run_again(&run, again);
    }
    cs_mscclpp_lanes_free(&run.lanes);
    cs_mscclpp_memory_free(&run.memory);
    free(run.messages);
    return code;
}
