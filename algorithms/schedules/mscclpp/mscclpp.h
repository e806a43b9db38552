/*
 * MSCCL++ execution plans: the vocabulary, and a plan in memory.
 *
 * A plan lists the operations of every thread block of every GPU.  Transfers are
 * one-sided: an operation reads and writes memory of the own GPU and, through a
 * channel, of a second GPU.  Only signals and waits, barriers, semaphores and
 * the flags of packets order operations (mscclpp/run.h).
 *
 * An operation moves values from its sources to its targets.  Either source i
 * goes to target i, or the sum of all sources goes to every target.  Each source
 * and target is a place:
 *
 *     local     chunks of the own GPU
 *     packets   the same in scratch, each 8 bytes beside a flag of 8 bytes
 *     remote    chunks of a second GPU, by a memory or port channel
 *     group     the same chunks of all GPUs of a switch channel
 *
 * microsoft/mscclpp, src/core/executor/execution_plan.cc,
 * src/include/execution_kernel.hpp, python/mscclpp/language (MIT licence).
 */
#pragma once

#include "algorithms/algo.h"
#include "topo/documents/doc.h"

/* Limits of the executor (src/include/execution_common.hpp): of a thread block,
 * of an operation, of a GPU. */
enum {
    CS_MSCCLPP_OPS = 64,
    CS_MSCCLPP_CHANNELS = 16,
    CS_MSCCLPP_OP_CHANNELS = 8,
    CS_MSCCLPP_BARRIERS = 16,
};

enum cs_mscclpp_channel_type {
    CS_MSCCLPP_MEMORY,
    CS_MSCCLPP_PORT,
    CS_MSCCLPP_SWITCH,
    CS_MSCCLPP_CHANNEL_TYPES,
};

enum cs_mscclpp_kind {
    CS_MSCCLPP_DATA, /* moves values */
    CS_MSCCLPP_NOP,  /* all threads of the block meet */
    CS_MSCCLPP_BARRIER,
    CS_MSCCLPP_SIGNAL,
    CS_MSCCLPP_WAIT,
    CS_MSCCLPP_FLUSH,
    CS_MSCCLPP_RELEASE,
    CS_MSCCLPP_ACQUIRE,
    CS_MSCCLPP_LOOP,
};

/* Flags: packets are beside flags in scratch; remote is of a second GPU by a memory
 * or port channel, group of all GPUs of a switch channel. */
enum cs_mscclpp_place {
    CS_MSCCLPP_NOWHERE = 0,
    CS_MSCCLPP_LOCAL = 1 << 0,
    CS_MSCCLPP_PACKETS = 1 << 1,
    CS_MSCCLPP_REMOTE = 1 << 2,
    CS_MSCCLPP_GROUP = 1 << 3,
};

/* A name in a file, and its meaning. */
struct cs_mscclpp_type {
    const char *name;
    uint8_t kind;      /* enum cs_mscclpp_kind */
    bool sums;         /* all sources, to every target; else one to one */
    bool relaxed;      /* a signal or wait without order of memory */
    bool signals;      /* also signals on each channel */
    bool flushes;      /* and flushes */
    uint8_t source[2]; /* places of the first and of further sources */
    uint8_t target[3]; /* places of the first, second and further targets */
};
extern const struct cs_mscclpp_type cs_mscclpp_types[];
extern const size_t cs_mscclpp_type_count;

struct cs_mscclpp_collective {
    const char *name; /* "allreduce" */
    const struct cs_collective *collective;
};
/* Behind them a second name of the last one, which has no specification. */
enum {
    CS_MSCCLPP_COLLECTIVES = 7
};
extern const struct cs_mscclpp_collective cs_mscclpp_collectives[CS_MSCCLPP_COLLECTIVES + 1];

/* Chunks of a buffer of a GPU.  `first` counts chunks of the collective's vector
 * for input and output, and of the scratch of the GPU. */
struct cs_mscclpp_range {
    uint8_t place;    /* enum cs_mscclpp_place */
    uint8_t buffer;   /* enum cs_buffer */
    uint32_t gpu;     /* of the memory; of a group: the channel's number */
    uint32_t channel; /* port: number of the channel of the GPU, else NONE */
    uint32_t first, count;
};

struct cs_mscclpp_op {
    const struct cs_mscclpp_type *type;
    uint32_t node;   /* of the document */
    uint32_t number; /* in the thread block, for messages */
    uint8_t channel_type;
    uint32_t part, parts; /* of a group of thread blocks, which share the op */
    uint32_t id, count;   /* barrier: number, thread blocks; loop: ops, chunks */
    /* Numbers of semaphores, or of channels of the GPU. */
    uint32_t numbers, number_count;    /* a run of plan->numbers */
    uint32_t ranges, sources, targets; /* a run of plan->ranges */
};

struct cs_mscclpp_channel {
    uint32_t peer;
    uint32_t mate; /* the peer's number of the channel, or NONE */
};

/* A switch channel: a run of plan->numbers has the GPUs. */
struct cs_mscclpp_group {
    uint8_t buffer; /* 'i', 'o' or 's' */
    uint32_t first, count;
};

struct cs_mscclpp_block {
    uint32_t op, ops;
};

struct cs_mscclpp_gpu {
    uint32_t node;
    uint32_t input, output, scratch; /* chunks */
    uint32_t block, blocks;          /* a run of plan->blocks */
    /* By type: a run of plan->channels, and of plan->groups. */
    uint32_t channel[CS_MSCCLPP_CHANNEL_TYPES], channels[CS_MSCCLPP_CHANNEL_TYPES];
    uint32_t semaphore, semaphores; /* a run of plan->numbers: initial values */
};

enum {
    CS_MSCCLPP_NONE = UINT32_MAX,
    CS_MSCCLPP_GPUS_MAX = 1024,
    CS_MSCCLPP_CHUNKS_MAX = 1 << 20, /* of a buffer */
};

/* All arrays are in the arena of the reader. */
struct cs_mscclpp {
    const struct cs_doc *doc;
    const struct cs_collective *collective;
    bool in_place;
    bool double_scratch;  /* launches alternate between two halves */
    uint32_t chunks;      /* of the vector */
    uint32_t scratch;     /* chunks, the most of all GPUs */
    uint32_t loop_chunks; /* of the first loop, or 0 without loops */
    uint64_t loop_bytes;  /* of an iteration of the first loop */
    bool multicasts;      /* operations on switch channels of all GPUs */
    bool has_groups;      /* on others, or of packets: copies to each GPU */
    uint32_t most_ops;    /* of a thread block */
    struct cs_mscclpp_gpu *gpus;
    uint32_t gpu_count;
    struct cs_mscclpp_block *blocks;
    uint32_t block_count;
    struct cs_mscclpp_channel *channels;
    uint32_t channel_count;
    struct cs_mscclpp_group *groups;
    uint32_t group_count;
    struct cs_mscclpp_op *ops;
    uint32_t op_count;
    struct cs_mscclpp_range *ranges;
    uint32_t range_count;
    uint32_t *numbers;
    uint32_t number_count;
};

/* Whether one switch serves the range: values of all GPUs. */
bool cs_mscclpp_multicasts(const struct cs_mscclpp *plan, const struct cs_mscclpp_range *range);

/* "put 3 of thread block 1 of GPU 0". */
enum {
    CS_MSCCLPP_NAME = 96
};
const char *cs_mscclpp_op_name(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                               char text[CS_MSCCLPP_NAME]);

/* Reports a problem of an operation: the file, the line and the name. */
int cs_mscclpp_err(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                   struct cs_err *err, int code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
