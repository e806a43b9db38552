/*
 * Orderings of the emulated GPUs, for a thread sanitizer; without one nothing is done.
 */
#include "scheduler.h"

#include <sys/mman.h>

/* Functions of the sanitizer, if linked. */
extern "C" {
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void *__tsan_get_current_fiber();
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __tsan_acquire(void *at);
__attribute__((weak)) void __tsan_release(void *at);
__attribute__((weak)) void __tsan_ignore_thread_begin();
}

namespace emu
{

void order_acquire(void *at)
{
    if (__tsan_acquire)
        __tsan_acquire(at);
}

void order_release(void *at)
{
    if (__tsan_release)
        __tsan_release(at);
}

void *order_new_identity()
{
    return __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
}

void order_become(void *identity)
{
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(identity, 1); /* an address without order */
}

/* The address for a word and a scope. */
void *order_scope_key(const uint32_t *at, uint32_t sharers)
{
    enum : uint64_t {
        BYTES = (uint64_t)1 << 32
    };
    static char *keys =
        (char *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return keys + ((uintptr_t)at / 4 * 64 + 8 * sharers) % BYTES;
}

bool order_is_checked()
{
    return __tsan_create_fiber != NULL;
}

void *order_identity()
{
    return __tsan_get_current_fiber();
}

void order_ignore()
{
    __tsan_ignore_thread_begin();
}

} // namespace emu
