/*
 * A made-up GPU: microbenchmarks by formulas, for tests of models alone.
 *
 * n thread blocks put and get 10n GB/s each, up to 1 TB/s, and add half as
 * much; vectors of more than 64 MiB take four times as long.  A slice takes 1
 * us beyond its copy.  Through the host all rates are 20 GB/s in each
 * direction.
 */
#pragma once

#include "sim/base/text.h"
#include "tests/fixture.h"
#include "validate/gpu/model.h"
#include "validate/gpu/rates.h"

#define SYNTHETIC_GPU          "made up"
#define SYNTHETIC_L2           ((uint64_t)64 << 20)
#define SYNTHETIC_SLICE        ((uint64_t)32 << 10)
#define SYNTHETIC_ALPHA_S      2e-6
#define SYNTHETIC_PEER_ALPHA_S 4e-6
#define SYNTHETIC_SYNC_S       1e-6
#define SYNTHETIC_GRAPH_S      9e-6
#define SYNTHETIC_COPY_BPS     2e12

static inline void synthetic_add(struct cs_measurements *all, struct cs_measured m)
{
    m.file = "synthetic";
    m.line = (uint32_t)all->count + 1;
    m.gpu = SYNTHETIC_GPU;
    m.work.slice_bytes = SYNTHETIC_SLICE;
    m.work.threads = 512;
    m.uuid = "";
    if (!m.work.dtype)
        m.work.dtype = "";
    if (!m.part.setup)
        m.part.setup = "";
    if (!m.skipped)
        m.skipped = "";
    if (!m.failed)
        m.failed = "";
    if (!m.run.table.hash)
        m.run.table.hash = "";
    if (!m.calibration)
        m.calibration = "";
    if (!m.commit)
        m.commit = "";
    if (!m.run.inputs)
        m.run.inputs = "";
    if (!m.run.unknown)
        m.run.unknown = "";
    if (!m.run.ends_s)
        m.run.ends_s = "";
    if (!m.date)
        m.date = "";
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->items = cs_grow(all->items, all->capacity, sizeof(m));
    }
    all->items[all->count++] = m;
}

static inline double synthetic_rate(uint64_t blocks, bool adds, bool large)
{
    double rate_Bps = 10e9 * (double)blocks;

    if (rate_Bps > 1e12)
        rate_Bps = 1e12;
    return rate_Bps / (adds ? 2 : 1) / (large ? 4 : 1);
}

/* Vectors are on the device, but for slots called "server": both on the host. */
static inline void synthetic_stream(struct cs_measurements *all, const char *role,
                                    const char *slots, uint64_t blocks, double rate_Bps,
                                    uint64_t vector_bytes)
{
    bool server = cs_same(slots, "server");

    synthetic_add(all, (struct cs_measured){
                           .kind = CS_MEASURED_STREAM,
                           .part.role = role,
                           .part.slots = server ? "host" : slots,
                           .part.vectors = server ? "host" : "device",
                           .part.blocks = blocks,
                           .work.bytes = 1 << 30,
                           .part.vector_bytes = vector_bytes,
                           .time_s = (double)(1 << 30) / rate_Bps,
                       });
}

/* What a message takes of which a slice is put, then got; the next ones are put
 * while those before are got. */
static inline double synthetic_message_s(uint64_t bytes, double alpha_s, double rate_Bps,
                                         double sync_s)
{
    uint64_t first = bytes < SYNTHETIC_SLICE ? bytes : SYNTHETIC_SLICE;
    uint64_t behind = (bytes - 1) / SYNTHETIC_SLICE; /* the first slice */

    return alpha_s + (double)(bytes + first) / rate_Bps + (double)behind * sync_s;
}

/* Of one thread block: 16 bytes to 64 slices. */
static inline void synthetic_pingpong(struct cs_measurements *all, const char *transport,
                                      double alpha_s, double rate_Bps, double sync_s)
{
    for (uint64_t bytes = 16; bytes <= 64 * SYNTHETIC_SLICE; bytes *= 2)
        synthetic_add(all, (struct cs_measured){
                               .kind = CS_MEASURED_PINGPONG,
                               .work.transport = transport,
                               .work.ranks = 2,
                               .work.bytes = bytes,
                               .time_s = synthetic_message_s(bytes, alpha_s, rate_Bps, sync_s),
                           });
}

static inline void synthetic_calibrate(struct cs_measurements *all)
{
    static const char *const roles[] = {"put", "get", "add", "copy"};

    for (uint64_t blocks = 1; blocks <= 256; blocks *= 2)
        for (int role = 0; role < 4; role++)
            for (uint64_t size = 1 << 20; size <= 1 << 30; size *= 2)
                synthetic_stream(all, roles[role], "device", blocks,
                                 synthetic_rate(blocks, role == 2, size > SYNTHETIC_L2), size);
    synthetic_pingpong(all, "device", SYNTHETIC_ALPHA_S, 10e9, SYNTHETIC_SYNC_S);
    synthetic_add(all, (struct cs_measured){.kind = CS_MEASURED_MEMCPY,
                                            .part.setup = "d2d",
                                            .work.bytes = 1 << 30,
                                            .time_s = (double)(1 << 30) / SYNTHETIC_COPY_BPS});
}

/* Graphs of 1 to 64 small copies. */
static inline void synthetic_graph(struct cs_measurements *all, const char *form, double start_s,
                                   double each_s)
{
    for (uint64_t copies = 1; copies <= 64; copies *= 4)
        synthetic_add(all, (struct cs_measured){
                               .kind = CS_MEASURED_GRAPH,
                               .part.setup = form,
                               .part.copies = copies,
                               .work.bytes = 16,
                               .time_s = start_s + (double)copies * each_s,
                           });
}

/* Both directions at once, from 16 bytes to 1 GiB, which single copies take a
 * while to start, and graphs of small ones: each takes alpha_s. */
static inline void synthetic_engines(struct cs_measurements *all, double rate_Bps, double alpha_s)
{
    static const char *const setups[] = {"d2h", "h2d", "both"};

    for (int setup = 0; setup < 3; setup++)
        for (uint64_t bytes = 16; bytes <= 1 << 30; bytes *= 4)
            synthetic_add(all, (struct cs_measured){
                                   .kind = CS_MEASURED_MEMCPY,
                                   .part.setup = setups[setup],
                                   .work.bytes = bytes,
                                   .time_s = (setup < 2 ? 7e-6 : 0) + (double)bytes / rate_Bps,
                               });
    synthetic_graph(all, "chain", SYNTHETIC_GRAPH_S, alpha_s);
}

/* So many GPUs: one way as fast as blocks are, `link_Bps` at most, and
 * `ring_Bps` at most around a ring. */
static inline void synthetic_peers(struct cs_measurements *all, uint64_t gpus, double link_Bps,
                                   double ring_Bps)
{
    for (int ring = 0; ring < 2; ring++)
        for (uint64_t blocks = 1; blocks <= 256; blocks *= 2) {
            double rate_Bps = synthetic_rate(blocks, false, false);
            double most_Bps = ring ? ring_Bps : link_Bps;

            synthetic_add(
                all, (struct cs_measured){
                         .kind = CS_MEASURED_STREAM,
                         .part.role = "put",
                         .part.slots = "peer",
                         .part.vectors = "device",
                         .part.setup = ring ? "ring" : "one",
                         .work.gpus_used = ring ? gpus : 2,
                         .part.blocks = blocks,
                         .work.bytes = 1 << 30,
                         .part.vector_bytes = 1 << 30,
                         .time_s = (double)(1 << 30) / (rate_Bps < most_Bps ? rate_Bps : most_Bps),
                     });
        }
    for (uint64_t bytes = 16; bytes <= 64 * SYNTHETIC_SLICE; bytes *= 2)
        synthetic_add(all,
                      (struct cs_measured){
                          .kind = CS_MEASURED_PINGPONG,
                          .work.transport = "device",
                          .work.ranks = 2,
                          .work.gpus_used = 2,
                          .work.bytes = bytes,
                          .time_s = synthetic_message_s(bytes, SYNTHETIC_PEER_ALPHA_S, 10e9, 0),
                      });
}

static inline void synthetic_host(struct cs_measurements *all)
{
    synthetic_stream(all, "put", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "get", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "add", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "duplex", "host", 4, 40e9, 1 << 20);
    synthetic_pingpong(all, "host", 5e-6, 5e9, 0);
}

/* Ports of a server with its vector in memory of the host. */
static inline void synthetic_server(struct cs_measurements *all, double put_Bps, double add_Bps)
{
    synthetic_stream(all, "put", "server", 4, put_Bps, 1 << 20);
    synthetic_stream(all, "add", "server", 4, add_Bps, 1 << 20);
    synthetic_stream(all, "put", "server", 4, put_Bps / 2, 1 << 28);
    synthetic_stream(all, "add", "server", 4, add_Bps / 2, 1 << 28);
}

/* The table that is made here of the algorithm as it settles by itself. */
static inline const char *synthetic_table(const char *algorithm, uint32_t ranks,
                                          struct cs_arena *arena)
{
    struct cs_gpu_query query = {
        .algorithm = algorithm, .ranks = ranks, .bytes = 1 << 20, .element_bytes = 4};
    const char *table;

    assert_done(cs_gpu_table(&query, arena, &table, &err));
    return table;
}

static inline struct cs_measured synthetic_run(const char *algorithm, uint64_t ranks,
                                               uint64_t bytes, double time_s)
{
    return (struct cs_measured){.kind = CS_MEASURED_RUN,
                                .run.algorithm = algorithm,
                                .work.transport = "device",
                                .run.servers = "host",
                                .work.dtype = "fp32",
                                .work.l2_bytes = SYNTHETIC_L2,
                                .work.ranks = ranks,
                                .work.gpus_used = 1,
                                .work.bytes = bytes,
                                .run.channels = 4,
                                .work.runs = 20,
                                .time_s = time_s};
}
