/*
 * Thread blocks of the emulated GPUs: residence, barriers, ends.
 */
#include "scheduler.h"

#include <stdlib.h>

namespace emu
{

namespace
{

void begin_block(emu_op *op)
{
    uint32_t threads = op->threads.x;
    block *made = new block();

    made->op = op;
    made->looked = UINT64_MAX;
    made->all.alive = threads;
    made->warps.resize((threads + WARP - 1) / WARP);
    made->shared = (char *)malloc(SHARED_BYTES);
    memset(made->shared, 0xa5, SHARED_BYTES);
    for (uint32_t i = 0; i < threads; i++) {
        fiber *thread = fiber_take(threads);

        thread->place.thread = dim3(i);
        thread->place.block = dim3(op->begun);
        thread->place.threads = op->threads;
        thread->place.blocks = op->blocks;
        thread->block = made;
        thread->state = READY;
        made->warps[i / WARP].alive++;
        made->threads.push_back(thread);
        made->ready.push_back(thread);
    }
    op->begun++;
    scheduler.threads_on[op->device] += threads;
    scheduler.blocks_on[op->device]++;
    scheduler.blocks.push_back(made);
}

bool fits(const emu_op *op, uint32_t blocks)
{
    uint32_t most = (uint32_t)emu_settings.processors;

    return scheduler.threads_on[op->device] + blocks * op->threads.x <=
               most * EMU_PROCESSOR_THREADS &&
           scheduler.blocks_on[op->device] + blocks <=
               most * EMU_PROCESSOR_BLOCKS;
}

} // namespace

bool block_begin_some(emu_op *op)
{
    if (!fits(op, op->together ? op->blocks.x : 1))
        return false;
    do
        begin_block(op);
    while (op->begun < op->blocks.x && op->together);
    return true;
}

namespace
{

void end_op(emu_op *op)
{
    op->done = true;
    op->end_ns = scheduler.now_ns;
    for (emu_op *next : op->next)
        if (--next->waits == 0)
            scheduler.startable.push_back(next);
}

void end_block(block *block)
{
    emu_op *op = block->op;

    for (size_t i = 0; i < scheduler.blocks.size(); i++)
        if (scheduler.blocks[i] == block) {
            scheduler.blocks[i] = scheduler.blocks.back();
            scheduler.blocks.pop_back();
            break;
        }
    for (fiber *thread : block->threads)
        scheduler.pools[op->threads.x == 1].idle.push_back(thread);
    scheduler.threads_on[op->device] -= op->threads.x;
    scheduler.blocks_on[op->device]--;
    if (scheduler.starved == block)
        scheduler.starved = NULL;
    free(block->shared);
    delete block;
    if (++op->ended == op->blocks.x)
        end_op(op);
}

/* ---- barriers ---- */

group *group_of(fiber *thread)
{
    return thread->state == AT_BARRIER
               ? &thread->block->all
               : &thread->block->warps[thread->place.thread.x / WARP];
}

/* The last live thread has arrived: releases the barrier. */
void open_group(block *block, group *group, enum state state, uint32_t warp)
{
    fiber *first = NULL;
    uint32_t votes = 0;

    for (fiber *thread : block->threads) {
        uint32_t lane = thread->place.thread.x;

        if (thread->state != state || (state == AT_WARP && lane / WARP != warp))
            continue;
        if (first &&
            (first->line != thread->line || first->votes != thread->votes))
            emu_fail(
                "threads of a block wait in lines %d and %d for each other",
                first->line, thread->line);
        first = first ? first : thread;
        votes |= (uint32_t)thread->yes << lane % WARP;
    }
    group->here = 0;
    group->turn++;
    for (fiber *thread : block->threads)
        if (thread->state == state &&
            (state == AT_BARRIER || thread->place.thread.x / WARP == warp)) {
            thread->result = votes;
            thread->state = READY;
            block->ready.push_back(thread);
        }
}

void check_groups(block *block, uint32_t warp)
{
    if (block->all.alive > 0 && block->all.here == block->all.alive)
        open_group(block, &block->all, AT_BARRIER, 0);
    if (block->warps[warp].here > 0 &&
        block->warps[warp].here == block->warps[warp].alive)
        open_group(block, &block->warps[warp], AT_WARP, warp);
}

} // namespace

void block_settle(fiber *thread)
{
    block *block = thread->block;
    uint32_t warp = thread->place.thread.x / WARP;

    if (thread->state == READY) {
        block->ready.push_back(thread);
        return;
    }
    if (thread->state == ENDED) {
        block->all.alive--;
        block->warps[warp].alive--;
        scheduler.progress = scheduler.steps;
    } else {
        group_of(thread)->here++;
    }
    if (block->all.alive == 0)
        end_block(block);
    else
        check_groups(block, warp);
}

} // namespace emu
