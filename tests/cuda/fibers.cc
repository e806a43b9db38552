/*
 * Threads of the emulated GPUs: fibers, each with a stack, for x86-64.
 */
#include "scheduler.h"

#include <sys/mman.h>

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

namespace emu
{

void fiber_go_on(fiber *fiber)
{
    emu_switch(&scheduler.stack, fiber->stack);
}

void fiber_pause()
{
    emu_switch(&scheduler.on->stack, scheduler.stack);
}

void fiber_pause_sometimes(uint64_t of)
{
    if (emu_dice(of) == 0)
        fiber_pause();
}

namespace
{

/* Runs threads of the GPU in turn, for ever. */
void fiber_main()
{
    for (;;) {
        fiber *me = scheduler.on;
        emu_op *op = me->block->op;

        order_acquire(&op->asked);
        for (emu_op *before : op->after)
            order_acquire(&before->over);
        op->body();
        order_release(&op->over);
        me->state = ENDED;
        fiber_pause();
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
    made->identity = order_new_identity();
    return made;
}

} // namespace

/* For a sanitizer two threads on a fiber are ordered, and waits for the second thread
 * too. Copies share fibers with copies only, and reuse comes as late as possible. */
fiber *fiber_take(uint32_t threads)
{
    struct pool *pool = &scheduler.pools[threads == 1];
    fiber *taken;

    if (pool->idle.empty() || (order_is_checked() && pool->made < POOL_LEAST)) {
        pool->made++;
        return new_fiber();
    }
    taken = pool->idle.front();
    pool->idle.pop_front();
    return taken;
}

} // namespace emu
