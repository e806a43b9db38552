/*
 * The emulated GPUs: memory, what is enqueued, and the threads that do it.
 *
 * All threads are fibers of one OS thread, so that a seed (EMU_SEED) repeats a
 * run exactly.  At each turn some op that waits for nothing begins, or some
 * thread of some block goes on, as the dice say; now and then a block gets no
 * turn for a while.  Threads give way between accesses to memory.
 *
 * Built with a thread sanitizer, every thread has a fiber of the sanitizer, and
 * what orders memory on a GPU, and nothing else, is reported to it: barriers,
 * release and acquire of a scope that holds both sides, streams, events and
 * graphs.  A vote orders nothing.
 *
 * What a program must not do ends it with status EMU_WRONG and a line on stderr:
 * accesses outside of memory, not aligned, or of another GPU without peer
 * access; barriers that not all threads reach; waits of the host for ever.
 * A kernel that waits for ever sees the clock run ever faster, until its own
 * deadline ends it.
 */
#ifndef CS_TESTS_CUDA_EMULATOR_H
#define CS_TESTS_CUDA_EMULATOR_H

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
    int processors;        /* EMU_PROCESSORS, of each */
    uint64_t memory_bytes; /* EMU_MEMORY, of each GPU */
    bool peers;            /* EMU_PEERS: GPUs reach each other */
};
extern const struct emu_settings emu_settings;

[[noreturn]] void emu_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
uint64_t emu_dice(uint64_t sides);

/* ---- memory ---- */

bool emu_allocate(int place, void **at, size_t bytes);
bool emu_free(int place, void *at);
uint64_t emu_used(int place);
void emu_allow(int device, int peer);
bool emu_allowed(int device, int place);
/* Ends the program unless all bytes are of one piece; its place, or -1 for memory
 * of the host that is not pinned. */
int emu_place_of(const void *at, size_t bytes, const char *what);

/* ---- ops ---- */

/* A kernel, or one thread that copies, sets or does nothing.  Ops are never
 * freed: what a sanitizer knows of them stays true. */
struct emu_op {
    std::function<void()> body;
    dim3 blocks, threads;
    int device = 0;
    bool together = false; /* all blocks are resident at once */
    std::vector<emu_op *> after;
    /* While it is under way. */
    std::vector<emu_op *> next;
    size_t waits = 0;
    uint32_t begun = 0, ended = 0; /* blocks */
    bool done = false;
    uint64_t end_ns = 0;
    char asked = 0, over = 0; /* what a sanitizer knows it by */
};

void emu_enqueue(emu_op *op);

/* Lets everything go on until these are done; what they did is seen. */
void emu_wait(const std::vector<emu_op *> &ops);
void emu_wait_device(int device);

#endif
