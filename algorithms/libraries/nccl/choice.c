#include "algorithms/libraries/nccl/choice.h"

#include "algorithms/libraries/nccl/plugin_tuner.h"
#include "sim/base/divisor.h"

#include <math.h>

enum {
    NCCL_BATCH = 8,              /* collectives of a work batch */
    NCCL_STEPS = 8,              /* of a FIFO between two ranks */
    NCCL_LL_BUFFER = 524288,     /* 16 lines x 512 threads x 8 steps x 8 B */
    NCCL_LL128_BUFFER = 4915200, /* 120 x 640 x 8 x 8 B */
    NCCL_SIMPLE_BUFFER = 4194304,
    NCCL_WARP = 32,
    NCCL_MAX_THREADS = 640,
    NCCL_MIN_THREADS = 96,
    NCCL_PCI_RATE = 12, /* GB/s; below, rings use 256 threads */
};

/* Index into the corrections of trees; -1 below 64 B. */
static int correction_index(uint64_t bytes)
{
    return bytes < 64 ? -1 : (int)cs_nccl_log2(bytes / 64);
}

/* Trees reach their bandwidth neither at middle sizes nor at the end of the
 * table evenly; NCCL holds measured factors by power of two. */
static double tree_correction(const struct cs_nccl_comm *comm,
                              const struct cs_nccl_constants *constants,
                              const struct cs_nccl_call *call, enum cs_nccl_engine engine,
                              enum cs_nccl_protocol protocol)
{
    int index = correction_index(call->bytes);
    bool new_nvls_tree = engine == CS_NCCL_NVLS_TREE && comm->min_capability >= 100 &&
                         (comm->cpu == CS_NCCL_CPU_INTEL || comm->cpu == CS_NCCL_CPU_AMD) &&
                         (!comm->version || comm->version >= 23000);
    int sizes = engine == CS_NCCL_TREE ? (int)constants->tree_sizes
                : new_nvls_tree        ? CS_NCCL_TREE_SIZES
                                       : 0;

    if (call->func != CS_NCCL_ALL_REDUCE || index < 0 || index >= sizes)
        return 1;
    return constants->tree_correction[protocol][index];
}

/* Rings between nodes lose time once all ranks have data ("plateau"). */
static double ring_plateau(const struct cs_nccl_comm *comm,
                           const struct cs_nccl_constants *constants,
                           const struct cs_nccl_call *call)
{
    uint64_t blocks = (uint64_t)comm->channels * comm->ranks;

    if (call->func != CS_NCCL_ALL_REDUCE || comm->nodes < 2)
        return 1;
    if (constants->plateau_by_ranks)
        return (double)call->bytes >= comm->ranks / 16. * 65536 ? 1.9 : 1;
    if (!blocks || call->bytes / blocks < 64)
        return 1;
    return comm->min_capability < 80 ? 1.9 : 1.4;
}

static double estimate_with(const struct cs_nccl_comm *comm,
                            const struct cs_nccl_constants *constants,
                            const struct cs_nccl_cell *cell, const struct cs_nccl_call *call,
                            struct cs_nccl_choice pair)
{
    uint64_t ops = call->ops ? call->ops : 1;
    double latency = cell->latency_us;
    double bandwidth = cell->bandwidth_GBps;
    double time_us;

    if (bandwidth <= 0)
        return INFINITY;
    bandwidth *= tree_correction(comm, constants, call, pair.engine, pair.protocol);
    if (pair.engine == CS_NCCL_RING && pair.protocol == CS_NCCL_SIMPLE)
        latency *= ring_plateau(comm, constants, call);
    /* Trees and NVLS work through a batch of collectives in one pass. */
    if (pair.engine != CS_NCCL_RING)
        ops = (ops + NCCL_BATCH - 1) / NCCL_BATCH;
    time_us = latency * (double)ops + (double)call->bytes / (1000 * bandwidth);
    if (call->fp8 && pair.engine == CS_NCCL_RING && comm->ranks > 8)
        time_us *= 1024;
    return time_us * 1e-6;
}

struct cs_nccl_choice cs_nccl_choose(const struct cs_nccl_comm *comm,
                                     const struct cs_nccl_table *table,
                                     const struct cs_nccl_call *call,
                                     struct cs_nccl_allowed allowed)
{
    struct cs_nccl_choice best = {
        .engine = CS_NCCL_RING, .protocol = CS_NCCL_SIMPLE, .time_s = INFINITY};
    double times_s[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS];
    struct cs_nccl_constants constants;
    struct cs_nccl_decision plugin;

    cs_nccl_constants_read(comm->version, &constants);
    for (int e = 0; e < CS_NCCL_ENGINES; e++)
        for (int p = 0; p < CS_NCCL_PROTOCOLS; p++) {
            struct cs_nccl_choice pair = {.engine = (enum cs_nccl_engine)e,
                                          .protocol = (enum cs_nccl_protocol)p};

            times_s[e][p] = INFINITY;
            if ((allowed.engines && !(allowed.engines >> e & 1)) ||
                (allowed.protocols && !(allowed.protocols >> p & 1)))
                continue;
            times_s[e][p] = pair.time_s =
                estimate_with(comm, &constants, &table->cells[call->func][e][p], call, pair);
            if (pair.time_s < best.time_s)
                best = pair;
        }
    plugin = cs_nccl_tuner_decide(comm, call->func, call->bytes, times_s);
    if (plugin.is_made)
        best = (struct cs_nccl_choice){.engine = plugin.engine,
                                       .protocol = plugin.protocol,
                                       .time_s = times_s[plugin.engine][plugin.protocol],
                                       .by_plugin = true};
    if (best.time_s < INFINITY)
        cs_nccl_size_call(comm, table, call, &best);
    return best;
}

/* NCCL_NTHREADS is for LL, and for Simple of rings. */
static uint32_t most_threads(const struct cs_nccl_comm *comm, const struct cs_nccl_choice *choice)
{
    const struct cs_nccl_graph *ring = &comm->ring;

    if (choice->protocol == CS_NCCL_LL128)
        return NCCL_MAX_THREADS;
    if (comm->threads && (choice->protocol == CS_NCCL_LL || choice->engine == CS_NCCL_RING))
        return comm->threads;
    if (choice->protocol == CS_NCCL_LL || choice->engine == CS_NCCL_TREE)
        return 512;
    if (choice->engine == CS_NCCL_RING)
        return ring->intra_GBps * ring->channels <= NCCL_PCI_RATE ? 256 : 512;
    return NCCL_MAX_THREADS;
}

/* Bytes that a thread should have before another block or warp is worth its
 * start. */
static uint64_t thread_threshold(const struct cs_nccl_comm *comm,
                                 const struct cs_nccl_choice *choice)
{
    if (choice->engine == CS_NCCL_COLLNET_DIRECT || choice->engine == CS_NCCL_COLLNET_CHAIN)
        return 512;
    if (choice->protocol == CS_NCCL_SIMPLE)
        return 64;
    return choice->protocol == CS_NCCL_LL && choice->engine == CS_NCCL_RING ? 8ull * comm->ranks
                                                                            : 8;
}

/* CollNetDirect leaves channels in three stages, each with half the threshold
 * of the one before. */
static uint32_t collnet_channels(const struct cs_nccl_comm *comm, uint64_t bytes, uint64_t threads)
{
    uint64_t threshold = 512;
    uint64_t heads = comm->heads ? comm->heads : 1;
    uint32_t channels = comm->channels;

    for (uint32_t least = 16; least >= 1; least /= 2) {
        while (bytes < channels * threads * heads * threshold && channels > least) {
            if (channels == least + least / 2)
                threshold /= 2;
            channels--;
        }
        if (bytes >= channels * threads * heads * threshold)
            break;
    }
    return channels;
}

static bool engine_is_nvls(enum cs_nccl_engine engine)
{
    return engine == CS_NCCL_NVLS || engine == CS_NCCL_NVLS_TREE;
}

/* The most channels of the call, and its threads. */
static void size_blocks(const struct cs_nccl_comm *comm, uint64_t bytes,
                        struct cs_nccl_choice *choice)
{
    uint64_t threads = most_threads(comm, choice);
    uint64_t threshold = thread_threshold(comm, choice);
    uint64_t channels = comm->channels;

    if (choice->engine == CS_NCCL_COLLNET_DIRECT) {
        channels = collnet_channels(comm, bytes, threads);
    } else if (engine_is_nvls(choice->engine)) {
        channels = comm->nvls_channels;
        if (choice->engine == CS_NCCL_NVLS && comm->nodes > 1 && channels > comm->channels)
            channels = comm->channels;
    } else {
        while (channels > 1 && bytes < channels * threads * threshold)
            channels--;
        while (bytes < channels * threads * threshold && threads % 128 == 0)
            threads /= 2;
    }
    if (choice->protocol == CS_NCCL_SIMPLE && choice->engine == CS_NCCL_RING)
        threads += NCCL_WARP; /* a warp that synchronises */
    if (threads < NCCL_MIN_THREADS)
        threads = NCCL_MIN_THREADS;
    if (choice->engine == CS_NCCL_TREE || choice->engine == CS_NCCL_PAT)
        threads = NCCL_MAX_THREADS;
    choice->channels = (uint32_t)channels;
    choice->threads = (uint32_t)threads;
}

/* Traffic below which a channel is not worth its start.  Older versions split
 * a call over the channels evenly. */
static uint64_t least_traffic(uint32_t version)
{
    if (!version || version >= 22700)
        return 32 << 10;
    if (version >= 22400)
        return 16 << 10;
    return version >= 22200 ? 512 : 0;
}

/* Channels that get a part when the call is cut into cells of at least
 * `least` bytes of traffic. */
static void spread_over_channels(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                                 struct cs_nccl_choice *choice)
{
    uint64_t least = least_traffic(comm->version);
    bool gathers = call->func == CS_NCCL_ALL_GATHER || call->func == CS_NCCL_REDUCE_SCATTER;
    uint64_t count_bytes = gathers ? call->bytes / comm->ranks : call->bytes;
    uint64_t per_byte = gathers ? comm->ranks : call->func == CS_NCCL_ALL_REDUCE ? 2 : 1;
    uint64_t cell, cells, traffic, first, share, used;

    if (!least || choice->channels < 2)
        return;
    /* LL counts four times since 2.26: two lines for a value, and no unroll. */
    if (choice->protocol == CS_NCCL_LL && (!comm->version || comm->version >= 22600))
        per_byte *= 4;
    cell = cs_divide_up(cs_divide_up(least, per_byte), 16) * 16;
    cells = cs_divide_up(count_bytes ? count_bytes : 1, cell);
    traffic = count_bytes * per_byte;
    if (traffic < least)
        traffic = least;
    traffic = traffic / choice->channels;
    if (traffic < least)
        traffic = least;
    share = cs_divide_up(traffic, cell * per_byte);
    if (share > cells)
        share = cells;
    first = share;
    used = 1 + cs_divide_up(cells - first, share);
    if (used < choice->channels)
        choice->channels = (uint32_t)used;
}

/* Halves `chunk` while the call has fewer chunks per channel than `wanted`. */
static uint64_t halve_chunk(uint64_t chunk, uint64_t floor, double bytes, double parallel,
                            double wanted)
{
    while (chunk > floor && floor > 0 && bytes / (parallel * (double)chunk) < wanted)
        chunk /= 2;
    return chunk;
}

static uint64_t limit_chunk(uint64_t chunk, uint64_t limit, uint64_t bytes, uint64_t operations,
                            uint64_t factor)
{
    return bytes < factor * operations * chunk && chunk > limit ? limit : chunk;
}

/* An NVLS channel pulls from every head at once, so that a short call has few
 * chunks; NCCL shrinks these. */
static uint64_t nvls_chunk(const struct cs_nccl_comm *comm, const struct cs_nccl_table *table,
                           const struct cs_nccl_call *call, const struct cs_nccl_choice *choice)
{
    uint64_t chunk = 131072;
    uint64_t heads = comm->nvls.channels ? comm->nvls.channels : 1;
    uint64_t operations = choice->channels * heads;
    double bandwidth =
        table->cells[CS_NCCL_ALL_REDUCE][CS_NCCL_NVLS][CS_NCCL_SIMPLE].bandwidth_GBps;

    if (choice->engine == CS_NCCL_NVLS_TREE) {
        if (comm->nvls_tree_bytes)
            chunk = comm->nvls_tree_bytes;
        chunk = limit_chunk(chunk, 131072, call->bytes, operations, 16);
        chunk = limit_chunk(chunk, 65536, call->bytes, operations, 4);
        return limit_chunk(chunk, 32768, call->bytes, operations, 1);
    }
    if (comm->nodes > 1 && bandwidth < 150)
        chunk = 32768;
    chunk = limit_chunk(chunk, 65536, call->bytes, operations, 64);
    chunk = limit_chunk(chunk, 32768, call->bytes, operations, 8);
    return limit_chunk(chunk, 16384, call->bytes, operations, 2);
}

static uint64_t simple_step(const struct cs_nccl_comm *comm)
{
    return (comm->buffer_bytes ? comm->buffer_bytes : NCCL_SIMPLE_BUFFER) / NCCL_STEPS;
}

/* Chunks of trees shrink until a channel has several for each rank on the way
 * to the root (NVIDIA/nccl src/enqueue.cc, "Optimize chunkSize / nSteps"). */
static uint64_t tree_chunk(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                           const struct cs_nccl_choice *choice)
{
    double bytes = (double)call->bytes;
    double depth = (double)comm->ranks / comm->nodes - 1 + cs_nccl_log2(comm->nodes);
    uint64_t chunk = simple_step(comm);

    if (call->func != CS_NCCL_ALL_REDUCE)
        return chunk;
    chunk = halve_chunk(chunk, 131072, bytes, choice->channels, depth * 8);
    chunk = halve_chunk(chunk, 65536, bytes, choice->channels, depth * 4);
    return halve_chunk(chunk, 32768, bytes, choice->channels, depth);
}

static uint64_t simple_chunk(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                             struct cs_nccl_choice *choice)
{
    uint64_t step = simple_step(comm);
    bool rooted = call->func == CS_NCCL_BROADCAST || call->func == CS_NCCL_REDUCE;
    double operations = choice->channels;

    if (choice->engine == CS_NCCL_RING && !rooted) {
        choice->slice_bytes = 2 * step;
        return 4 * step;
    }
    if (choice->engine == CS_NCCL_TREE)
        return tree_chunk(comm, call, choice);
    if (choice->engine == CS_NCCL_PAT)
        return halve_chunk(step, 65536, (double)call->bytes, operations,
                           call->func == CS_NCCL_ALL_GATHER ? 32 : 16);
    if (choice->engine == CS_NCCL_COLLNET_DIRECT) {
        operations *= comm->heads ? comm->heads : 1;
        step = halve_chunk(step, 131072, (double)call->bytes, operations, 128);
        return halve_chunk(step, 32768, (double)call->bytes, operations, 16);
    }
    return step;
}

static uint64_t ll128_chunk(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                            const struct cs_nccl_choice *choice)
{
    uint64_t chunk = (uint64_t)NCCL_LL128_BUFFER / NCCL_STEPS / 16 * 15;
    double per_node = (double)comm->ranks / comm->nodes;
    double depth = 1 + cs_nccl_log2(comm->nodes) + .1 * per_node;

    if (choice->engine != CS_NCCL_TREE)
        return chunk;
    chunk =
        halve_chunk(chunk, 131072, (double)call->bytes, choice->channels, depth * 64 / per_node);
    return halve_chunk(chunk, 32768, (double)call->bytes, choice->channels, depth * 16 / per_node);
}

void cs_nccl_size_call(const struct cs_nccl_comm *comm, const struct cs_nccl_table *table,
                       const struct cs_nccl_call *call, struct cs_nccl_choice *choice)
{
    size_blocks(comm, call->bytes, choice);
    if (choice->engine == CS_NCCL_RING || choice->engine == CS_NCCL_TREE)
        spread_over_channels(comm, call, choice);
    choice->slice_bytes = 0;
    if (choice->protocol == CS_NCCL_LL) /* half of a line are flags */
        choice->chunk_bytes = NCCL_LL_BUFFER / NCCL_STEPS / 2;
    else if (choice->protocol == CS_NCCL_LL128)
        choice->chunk_bytes = ll128_chunk(comm, call, choice);
    else if (engine_is_nvls(choice->engine))
        choice->chunk_bytes = nvls_chunk(comm, table, call, choice);
    else
        choice->chunk_bytes = simple_chunk(comm, call, choice);
    if (!choice->slice_bytes)
        choice->slice_bytes = choice->chunk_bytes;
}
