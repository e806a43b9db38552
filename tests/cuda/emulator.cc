#include "emulator.h"

#include <deque>
#include <map>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Functions of the sanitizer, if linked. */
extern "C" {
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void *__tsan_get_current_fiber();
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_acquire(void *at);
__attribute__((weak)) void __tsan_release(void *at);
__attribute__((weak)) void __tsan_ignore_thread_begin();
}

/* Saves the callee-saved registers (System V ABI, x86-64) and the stack pointer in
 * *from; continues with the state of `to`. */
extern "C" void emu_switch(void **from, void *to);
asm(".text\n"
    ".type emu_switch, @function\n"
    "emu_switch:\n"
    "    push %rbp\n    push %rbx\n    push %r12\n"
    "    push %r13\n    push %r14\n    push %r15\n"
    "    mov %rsp, (%rdi)\n"
    "    mov %rsi, %rsp\n"
    "    pop %r15\n    pop %r14\n    pop %r13\n"
    "    pop %r12\n    pop %rbx\n    pop %rbp\n"
    "    ret\n"
    ".size emu_switch, . - emu_switch\n");

const struct emu_place *emu_here;

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

int emu_mutation = (int)setting("EMU_MUTANT", 0);

const struct emu_settings emu_settings = {
    (int)setting("EMU_GPUS", 1),
    (int)setting("EMU_PROCESSORS", 4),
    setting("EMU_MEMORY", (uint64_t)64 << 20),
    setting("EMU_PEERS", 1) != 0,
};

void emu_fail(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    fputs("emulated GPU: ", stderr);
    vfprintf(stderr, format, values);
    fputs("\n", stderr);
    va_end(values);
    _exit(EMU_WRONG);
}

/* xorshift64* (Vigna 2016). */
uint64_t emu_dice(uint64_t sides)
{
    static uint64_t state = setting("EMU_SEED", 1) * 0x9e3779b97f4a7c15u | 1;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1du >> 33) % sides;
}

namespace
{

/* ---- memory ---- */

struct piece {
    size_t bytes;
    int place;
};

std::map<const char *, piece> pieces; /* by first address */
uint64_t used[EMU_PLACES];
bool allowed[EMU_PLACES][EMU_PLACES];

const piece *piece_of(const char *at, const char **begin)
{
    auto found = pieces.upper_bound(at);

    if (found == pieces.begin())
        return NULL;
    --found;
    *begin = found->first;
    return at < found->first + (found->second.bytes + 4095) / 4096 * 4096 + 4096
               ? &found->second
               : NULL;
}

/* ---- orderings for a sanitizer ---- */

void acquire(void *at)
{
    if (__tsan_acquire)
        __tsan_acquire(at);
}

void release(void *at)
{
    if (__tsan_release)
        __tsan_release(at);
}

void *new_identity()
{
    return __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
}

void become(void *identity)
{
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(identity, 1); /* an address without order */
}

/* The address for a word and a scope. */
void *scope_key(const uint32_t *at, uint32_t sharers)
{
    enum : uint64_t {
        BYTES = (uint64_t)1 << 32
    };
    static char *keys =
        (char *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return keys + ((uintptr_t)at / 4 * 64 + 8 * sharers) % BYTES;
}

/* ---- threads ---- */

enum {
    STACK_BYTES = 256 << 10,
    SHARED_BYTES = 16 << 10,
    POOL_LEAST = 128, /* fibers before the first reuse: see take_fiber */
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
} scheduler;

void go_on(fiber *fiber)
{
    emu_switch(&scheduler.stack, fiber->stack);
}

void pause_thread()
{
    emu_switch(&scheduler.on->stack, scheduler.stack);
}

void pause_sometimes(uint64_t of)
{
    if (emu_dice(of) == 0)
        pause_thread();
}

/* Runs threads of the GPU in turn, for ever. */
void fiber_main()
{
    for (;;) {
        fiber *me = scheduler.on;
        emu_op *op = me->block->op;

        acquire(&op->asked);
        for (emu_op *before : op->after)
            acquire(&before->over);
        op->body();
        release(&op->over);
        me->state = ENDED;
        pause_thread();
    }
}

fiber *new_fiber()
{
    fiber *made = new fiber();
    char *stack =
        (char *)mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void **top = (void **)(stack + STACK_BYTES);

    if (stack == MAP_FAILED)
        emu_fail("no memory for a stack");
    /* The state after a call of fiber_main and then emu_switch. */
    top[-2] = (void *)fiber_main;
    made->stack = top - 8;
    made->identity = new_identity();
    return made;
}

/* For a sanitizer two threads on a fiber are ordered, and waits for the second thread
 * too. Copies share fibers with copies only, and reuse comes as late as possible. */
fiber *take_fiber(uint32_t threads)
{
    struct pool *pool = &scheduler.pools[threads == 1];
    fiber *taken;

    if (pool->idle.empty() ||
        (__tsan_create_fiber && pool->made < POOL_LEAST)) {
        pool->made++;
        return new_fiber();
    }
    taken = pool->idle.front();
    pool->idle.pop_front();
    return taken;
}

/* ---- blocks ---- */

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
        fiber *thread = take_fiber(threads);

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

/* Whether another block, or every block, fits. */
bool begin_some(emu_op *op)
{
    if (!fits(op, op->together ? op->blocks.x : 1))
        return false;
    do
        begin_block(op);
    while (op->begun < op->blocks.x && op->together);
    return true;
}

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

/* After a step of a thread: records the wait. */
void settle_thread(fiber *thread)
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
    become(thread->identity);
    go_on(thread);
    become(scheduler.identity);
    emu_here = NULL;
    settle_thread(thread);
}

bool start_op()
{
    size_t count = scheduler.startable.size();
    size_t from = count ? emu_dice(count) : 0;

    for (size_t i = 0; i < count; i++) {
        size_t at = (from + i) % count;
        emu_op *op = scheduler.startable[at];

        if (!begin_some(op))
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
    if (scheduler.identity || !__tsan_create_fiber) {
        become(scheduler.identity);
        return;
    }
    scheduler.host = __tsan_get_current_fiber();
    scheduler.identity = new_identity();
    become(scheduler.identity);
    __tsan_ignore_thread_begin();
}

/* Returns a bit per thread of the warp with a true vote. */
uint32_t meet(enum state state, int line, bool votes, bool yes)
{
    fiber *me = scheduler.on;

    me->state = state;
    me->line = line;
    me->votes = votes;
    me->yes = yes;
    pause_thread();
    return me->result;
}

void ordered_meet(enum state state, int line)
{
    fiber *me = scheduler.on;
    group *group = state == AT_BARRIER
                       ? &me->block->all
                       : &me->block->warps[me->place.thread.x / WARP];
    char *key = &group->keys[group->turn % 2];

    release(key);
    meet(state, line, false, false);
    acquire(key);
}

} // namespace

/* ---- memory ---- */

bool emu_allocate(int place, void **at, size_t bytes)
{
    size_t room = (bytes + 4095) / 4096 * 4096;
    char *begin;

    *at = NULL;
    if (place != EMU_HOST && used[place] + room > emu_settings.memory_bytes)
        return false;
    begin = (char *)mmap(NULL, room + 8192, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED ||
        mprotect(begin + 4096, room, PROT_READ | PROT_WRITE))
        emu_fail("no memory");
    pieces[begin + 4096] = {bytes, place};
    used[place] += room;
    *at = begin + 4096;
    return true;
}

bool emu_free(int place, void *at)
{
    auto found = pieces.find((char *)at);
    size_t room;

    if (found == pieces.end() ||
        (found->second.place == EMU_HOST) != (place == EMU_HOST))
        return false;
    room = (found->second.bytes + 4095) / 4096 * 4096;
    used[found->second.place] -= room;
    munmap((char *)at - 4096, room + 8192);
    pieces.erase(found);
    return true;
}

uint64_t emu_used(int place)
{
    return used[place];
}

void emu_allow(int device, int peer)
{
    allowed[device][peer] = true;
}

bool emu_allowed(int device, int place)
{
    return device == place || place == EMU_HOST || allowed[device][place];
}

int emu_place_of(const void *at, size_t bytes, const char *what)
{
    const char *begin = NULL;
    const piece *piece = piece_of((const char *)at, &begin);

    if (!piece)
        return -1;
    if ((const char *)at + bytes > begin + piece->bytes)
        emu_fail("%s of %zu bytes at %zu of a piece of %zu bytes", what, bytes,
                 (size_t)((const char *)at - begin), piece->bytes);
    return piece->place;
}

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
    release(&op->asked);
}

void emu_wait(const std::vector<emu_op *> &ops)
{
    become_scheduler();
    while (!all_done(ops))
        step();
    become(scheduler.host);
    for (emu_op *op : ops)
        acquire(&op->over);
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
    pause_sometimes(64);
}

uint64_t emu_now()
{
    pause_thread();
    return scheduler.now_ns;
}

uint32_t emu_load(const uint32_t *at)
{
    emu_touch(at, sizeof(*at), false);
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

void emu_store(uint32_t *at, uint32_t value)
{
    pause_sometimes(4);
    emu_touch(at, sizeof(*at), true);
    scheduler.signals++;
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
    pause_sometimes(4);
}

/* Both sides of an order have to be within both scopes. */
uint32_t emu_acquire(const uint32_t *at, emu_scope scope)
{
    uint32_t device = (uint32_t)scheduler.on->block->op->device;
    uint32_t value;

    pause_thread();
    value = emu_load(at);
    scheduler.on->block->looked = scheduler.signals;
    acquire(scope_key(at, device));
    if (scope == EMU_sys)
        acquire(scope_key(at, EMU_HOST));
    return value;
}

void emu_release(uint32_t *at, uint32_t value, emu_scope scope)
{
    uint32_t device = (uint32_t)scheduler.on->block->op->device;

    release(scope_key(at, device));
    if (scope == EMU_sys)
        release(scope_key(at, EMU_HOST));
    emu_store(at, value);
}
