/*
 * The emulated GPUs: memory, the queue of ops, and threads.
 *
 * Threads are fibers of a single OS thread: a seed (EMU_SEED) repeats a run
 * exactly.  A step of the scheduler starts a random op that is ready, or continues
 * a random thread of a random block; at times a block pauses for many steps.
 * Threads yield between accesses to memory.
 *
 * Built with a thread sanitizer, every thread has a fiber of the sanitizer, and
 * the sanitizer knows exactly the orderings of a GPU: barriers, release and acquire
 * with a scope around both sides, streams, events and graphs.  A vote orders
 * nothing.
 *
 * A forbidden action ends the program with status EMU_WRONG and a line on stderr:
 * accesses outside of memory, not aligned, or to a GPU without peer access;
 * barriers without all threads; endless waits of the host.  For a kernel in an
 * endless wait the clock runs ever faster, until the deadline of the kernel ends
 * the wait.
 */
#pragma once

#include "cuda_runtime.h"

#include <vector>

enum {
    EMU_WRONG = 97,
    EMU_GPUS_MAX = 6,
    EMU_HOST = EMU_GPUS_MAX, /* a place of memory: pinned */
    EMU_PLACES,
    EMU_PROCESSOR_THREADS = 1024, /* by 64 registers each */
    EMU_PROCESSOR_BLOCKS = 32,
};

/* From the environment. */
struct emu_settings {
    int gpus;              /* EMU_GPUS */
    int processors;        /* EMU_PROCESSORS, per GPU */
    uint64_t memory_bytes; /* EMU_MEMORY, per GPU */
    bool peers;            /* EMU_PEERS: peer access */
};
extern const struct emu_settings emu_settings;

[[noreturn]] void emu_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t emu_dice(uint64_t sides);

/* ---- memory ---- */

bool emu_allocate(int place, void **at, size_t bytes);
bool emu_free(int place, void *at);
uint64_t emu_used(int place);
void emu_allow(int device, int peer);
bool emu_allowed(int device, int place);
/* Ends the program unless the bytes are within a piece; returns the place, or -1 for
 * pageable memory of the host. */
int emu_place_of(const void *at, size_t bytes, const char *what);

/* ---- ops ---- */

/* A kernel, or a single thread to copy, set or do nothing. Ops are never freed: the
 * knowledge of a sanitizer stays true. */
struct emu_op {
    std::function<void()> body;
    dim3 blocks, threads;
    int device = 0;
    bool together = false; /* cooperative: blocks are resident together */
    std::vector<emu_op *> after;
    /* While running. */
    std::vector<emu_op *> next;
    size_t waits = 0;
    uint32_t begun = 0, ended = 0; /* blocks */
    bool done = false;
    uint64_t end_ns = 0;
    char asked = 0, over = 0; /* address for a sanitizer */
};

void emu_enqueue(emu_op *op);

/* Runs the scheduler until the ops are done; the effects are visible afterwards. */
void emu_wait(const std::vector<emu_op *> &ops);
void emu_wait_device(int device);
