/*
 * The scheduler of the emulated GPUs, for its own modules:
 *
 *     emulator.cc   steps: the op to start, the thread to continue; actions of threads
 *     blocks.cc     thread blocks: start, end, barriers
 *     fibers.cc     threads: stacks, switches
 *     order.cc      orderings for a thread sanitizer
 *
 * memory.cc has the memory, settings.cc the environment.
 */
#pragma once

#include "emulator.h"

#include <deque>

namespace emu
{

enum {
    STACK_BYTES = 256 << 10,
    SHARED_BYTES = 16 << 10,
    POOL_LEAST = 128, /* fibers before the first reuse: see fiber_take */
    WARP = 32,
};

enum state {
    READY,
    AT_BARRIER,
    AT_WARP,
    ENDED,
};

struct block;

struct fiber {
    void *stack; /* stack pointer, while not running */
    void *identity;
    /* The current thread. */
    struct emu_place place;
    struct block *block;
    enum state state;
    int line;
    bool votes, yes;
    uint32_t result;
};

/* A barrier: threads of a block or of a warp. */
struct group {
    uint32_t alive, here;
    uint32_t turn;
    char keys[2]; /* of the current step and the next */
};

struct block {
    emu_op *op;
    std::vector<fiber *> threads;
    std::vector<fiber *> ready;
    group all;
    std::vector<group> warps;
    char *shared;
    uint64_t looked; /* signals at the last read */
};

struct pool {
    std::deque<fiber *> idle;
    size_t made;
};

struct scheduler {
    void *identity, *host; /* of the sanitizer */
    void *stack;
    fiber *on;
    pool pools[2]; /* of kernels; of single threads */
    std::vector<emu_op *> startable;
    std::vector<block *> blocks;
    std::vector<emu_op *> unseen; /* not waited for by the host */
    uint32_t threads_on[EMU_PLACES], blocks_on[EMU_PLACES];
    block *starved;
    uint64_t steps, starved_until, progress, now_ns;
    uint64_t signals; /* stores with release, total */
};
extern struct scheduler scheduler;

/* ---- orderings ---- */

/* An order from a release to an acquire at the same address. */
void order_acquire(void *at);
void order_release(void *at);

/* The address for a word and a scope. */
void *order_scope_key(const uint32_t *at, uint32_t sharers);

/* Identities of a sanitizer's threads. */
void *order_new_identity();
void *order_identity();
void order_become(void *identity);

/* Whether a sanitizer is linked; the current identity is not checked from now on. */
bool order_is_checked();
void order_ignore();

/* ---- fibers ---- */

/* Continues a thread until the thread pauses. */
void fiber_go_on(fiber *fiber);
void fiber_pause();
void fiber_pause_sometimes(uint64_t of);

/* A fiber for a thread of a block of `threads`. */
fiber *fiber_take(uint32_t threads);

/* ---- blocks ---- */

/* Starts another block of the op, or every block of a cooperative op; false where
 * the processors have no room. */
bool block_begin_some(emu_op *op);

/* After a step of a thread: records a wait or an end. */
void block_settle(fiber *thread);

} // namespace emu
