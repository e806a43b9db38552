/*
 * The steps of the emulated GPUs, and the actions of a thread.
 */
#include "scheduler.h"

using namespace emu;

const struct emu_place *emu_here;

namespace emu
{

struct scheduler scheduler;

} // namespace emu

namespace
{

/* ---- turns ---- */

/* A random block for the next step, or NULL. */
block *choose_block()
{
    size_t count = scheduler.blocks.size();
    size_t from = count ? emu_dice(count) : 0;
    block *last = NULL;

    for (size_t i = 0; i < count; i++) {
        block *block = scheduler.blocks[(from + i) % count];

        if (block->ready.empty())
            continue;
        last = block;
        if (block == scheduler.starved &&
            scheduler.steps < scheduler.starved_until)
            continue;
        /* A poll without news: mostly yields. */
        if (block->looked == scheduler.signals && emu_dice(8))
            continue;
        return block;
    }
    return last;
}

void starve_sometimes()
{
    if (scheduler.steps < scheduler.starved_until || emu_dice(512) ||
        scheduler.blocks.empty())
        return;
    scheduler.starved = scheduler.blocks[emu_dice(scheduler.blocks.size())];
    scheduler.starved_until = scheduler.steps + 1 + emu_dice(4096);
}

void turn_of(block *block)
{
    size_t at = emu_dice(block->ready.size());
    fiber *thread = block->ready[at];

    block->ready[at] = block->ready.back();
    block->ready.pop_back();
    scheduler.on = thread;
    emu_here = &thread->place;
    order_become(thread->identity);
    fiber_go_on(thread);
    order_become(scheduler.identity);
    emu_here = NULL;
    block_settle(thread);
}

bool start_op()
{
    size_t count = scheduler.startable.size();
    size_t from = count ? emu_dice(count) : 0;

    for (size_t i = 0; i < count; i++) {
        size_t at = (from + i) % count;
        emu_op *op = scheduler.startable[at];

        if (!block_begin_some(op))
            continue;
        if (op->begun == op->blocks.x) {
            scheduler.startable[at] = scheduler.startable.back();
            scheduler.startable.pop_back();
        }
        scheduler.progress = scheduler.steps;
        return true;
    }
    return false;
}

/* The clock runs faster the longer no thread writes. */
void tick()
{
    uint64_t idle = (scheduler.steps - scheduler.progress) / 4096;

    scheduler.steps++;
    scheduler.now_ns += (uint64_t)10 << (idle < 30 ? idle : 30);
}

void step()
{
    block *block;

    tick();
    if ((scheduler.blocks.empty() || emu_dice(16) == 0) && start_op())
        return;
    starve_sometimes();
    block = choose_block();
    if (!block && start_op())
        return;
    if (!block)
        emu_fail(scheduler.blocks.empty()
                     ? "the host waits for what nothing is going to do"
                     : "threads of a block are at different barriers");
    turn_of(block);
}

bool all_done(const std::vector<emu_op *> &ops)
{
    for (const emu_op *op : ops)
        if (!op->done)
            return false;
    return true;
}

/* Accesses of the scheduler are not accesses of the program. */
void become_scheduler()
{
    if (scheduler.identity || !order_is_checked()) {
        order_become(scheduler.identity);
        return;
    }
    scheduler.host = order_identity();
    scheduler.identity = order_new_identity();
    order_become(scheduler.identity);
    order_ignore();
}

/* Returns a bit per thread of the warp with a true vote. */
uint32_t meet(enum state state, int line, bool votes, bool yes)
{
    fiber *me = scheduler.on;

    me->state = state;
    me->line = line;
    me->votes = votes;
    me->yes = yes;
    fiber_pause();
    return me->result;
}

void ordered_meet(enum state state, int line)
{
    fiber *me = scheduler.on;
    group *group = state == AT_BARRIER
                       ? &me->block->all
                       : &me->block->warps[me->place.thread.x / WARP];
    char *key = &group->keys[group->turn % 2];

    order_release(key);
    meet(state, line, false, false);
    order_acquire(key);
}

} // namespace

/* ---- ops ---- */

void emu_enqueue(emu_op *op)
{
    for (emu_op *before : op->after)
        if (!before->done) {
            before->next.push_back(op);
            op->waits++;
        }
    if (op->waits == 0)
        scheduler.startable.push_back(op);
    scheduler.unseen.push_back(op);
    order_release(&op->asked);
}

void emu_wait(const std::vector<emu_op *> &ops)
{
    become_scheduler();
    while (!all_done(ops))
        step();
    order_become(scheduler.host);
    for (emu_op *op : ops)
        order_acquire(&op->over);
}

void emu_wait_device(int device)
{
    std::vector<emu_op *> mine, others;

    for (emu_op *op : scheduler.unseen)
        (op->device == device ? mine : others).push_back(op);
    emu_wait(mine);
    scheduler.unseen = others;
}

/* ---- actions of a thread ---- */

void emu_barrier(int line)
{
    ordered_meet(AT_BARRIER, line);
}

void emu_warp_barrier(int line)
{
    ordered_meet(AT_WARP, line);
}

uint32_t emu_vote(int line, bool yes)
{
    return meet(AT_WARP, line, true, yes);
}

void *emu_shared_bytes(size_t bytes)
{
    if (bytes > SHARED_BYTES)
        emu_fail("%zu bytes of shared memory", bytes);
    return scheduler.on->block->shared;
}

void emu_touch(const void *at, size_t bytes, bool writes)
{
    int device = scheduler.on->block->op->device;
    int place = emu_place_of(at, bytes, writes ? "a store" : "a load");

    if (place < 0)
        emu_fail("a %s outside of all memory", writes ? "store" : "load");
    if (!emu_allowed(device, place))
        emu_fail("GPU %d reaches memory of GPU %d without peer access", device,
                 place);
    if ((uintptr_t)at % bytes)
        emu_fail("a %s of %zu bytes is not aligned", writes ? "store" : "load",
                 bytes);
    if (writes)
        scheduler.progress = scheduler.steps;
    fiber_pause_sometimes(64);
}

uint64_t emu_now()
{
    fiber_pause();
    return scheduler.now_ns;
}

uint32_t emu_load(const uint32_t *at)
{
    emu_touch(at, sizeof(*at), false);
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

void emu_store(uint32_t *at, uint32_t value)
{
    fiber_pause_sometimes(4);
    emu_touch(at, sizeof(*at), true);
    scheduler.signals++;
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
    fiber_pause_sometimes(4);
}

/* Both sides of an order have to be within both scopes. */
uint32_t emu_acquire(const uint32_t *at, emu_scope scope)
{
    uint32_t device = (uint32_t)scheduler.on->block->op->device;
    uint32_t value;

    fiber_pause();
    value = emu_load(at);
    scheduler.on->block->looked = scheduler.signals;
    order_acquire(order_scope_key(at, device));
    if (scope == EMU_sys)
        order_acquire(order_scope_key(at, EMU_HOST));
    return value;
}

void emu_release(uint32_t *at, uint32_t value, emu_scope scope)
{
    uint32_t device = (uint32_t)scheduler.on->block->op->device;

    order_release(order_scope_key(at, device));
    if (scope == EMU_sys)
        order_release(order_scope_key(at, EMU_HOST));
    emu_store(at, value);
}
