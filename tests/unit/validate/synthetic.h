/*
 * A made-up GPU: microbenchmarks by formulas, for tests of models alone.
 *
 * n thread blocks put and get 10n GB/s each, up to 1 TB/s, and add half as much;
 * vectors of more than 64 MiB take four times as long.  Through the host
 * everything is 20 GB/s each way.
 */
#ifndef CS_TESTS_SYNTHETIC_H
#define CS_TESTS_SYNTHETIC_H

#include "tests/fixture.h"
#include "validate/gpu_model.h"

#define SYNTHETIC_GPU     "made up"
#define SYNTHETIC_L2      ((uint64_t)64 << 20)
#define SYNTHETIC_ALPHA_S 2e-6

static inline void synthetic_add(struct cs_measurements *all,
                                 struct cs_measured m)
{
    m.file = "synthetic";
    m.line = (uint32_t)all->count + 1;
    m.gpu = SYNTHETIC_GPU;
    m.slice_bytes = 32768;
    m.threads = 512;
    if (!m.skipped)
        m.skipped = "";
    if (!m.failed)
        m.failed = "";
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

static inline void synthetic_stream(struct cs_measurements *all,
                                    const char *role, const char *slots,
                                    uint64_t blocks, double rate_Bps,
                                    uint64_t vector_bytes)
{
    synthetic_add(all, (struct cs_measured){
                           .kind = CS_MEASURED_STREAM,
                           .role = role,
                           .slots = slots,
                           .vectors = "device",
                           .blocks = blocks,
                           .bytes = 1 << 30,
                           .vector_bytes = vector_bytes,
                           .time_s = (double)(1 << 30) / rate_Bps,
                       });
}

static inline void synthetic_calibrate(struct cs_measurements *all)
{
    static const char *const roles[] = {"put", "get", "add", "copy"};

    for (uint64_t blocks = 1; blocks <= 256; blocks *= 2)
        for (int role = 0; role < 4; role++)
            for (uint64_t size = 1 << 20; size <= 1 << 30; size *= 2)
                synthetic_stream(
                    all, roles[role], "device", blocks,
                    synthetic_rate(blocks, role == 2, size > SYNTHETIC_L2),
                    size);
    synthetic_add(all, (struct cs_measured){.kind = CS_MEASURED_PINGPONG,
                                            .transport = "device",
                                            .ranks = 2,
                                            .bytes = 16,
                                            .time_s = SYNTHETIC_ALPHA_S});
}

static inline void synthetic_host(struct cs_measurements *all)
{
    synthetic_stream(all, "put", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "get", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "add", "host", 4, 20e9, 1 << 20);
    synthetic_stream(all, "duplex", "host", 4, 40e9, 1 << 20);
    synthetic_add(all, (struct cs_measured){.kind = CS_MEASURED_PINGPONG,
                                            .transport = "host",
                                            .ranks = 2,
                                            .bytes = 16,
                                            .time_s = 5e-6});
}

static inline struct cs_measured synthetic_run(const char *algorithm,
                                               uint64_t ranks, uint64_t bytes,
                                               double time_s)
{
    return (struct cs_measured){.kind = CS_MEASURED_RUN,
                                .algorithm = algorithm,
                                .transport = "device",
                                .servers = "host",
                                .dtype = "fp32",
                                .ranks = ranks,
                                .gpus_used = 1,
                                .bytes = bytes,
                                .channels = 4,
                                .runs = 20,
                                .time_s = time_s};
}

#endif
