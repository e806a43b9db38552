/*
 * Data sheets: physical limits of a GPU's rates.
 *
 * A rate above the limit is suspect, and a rate below a third of the limit too if
 * the whole GPU is at work: the benchmark may be wrong, the PCIe slot have fewer
 * lanes, the GPU be throttled or shared.  A suspect rate is reported, never
 * corrected.
 *
 * libc only: this is part of collsim-cuda.
 */
#ifndef CS_VALIDATE_CUDA_DATASHEET_H
#define CS_VALIDATE_CUDA_DATASHEET_H

#include <stdbool.h>
#include <stdint.h>

enum cs_datasheet_path {
    CS_DATASHEET_NONE, /* partly L2, partly memory: no limit */
    CS_DATASHEET_MEMORY,
    CS_DATASHEET_L2,
    CS_DATASHEET_BUS,    /* PCIe, each way */
    CS_DATASHEET_NVLINK, /* all links of a GPU together, each way */
};

struct cs_datasheet {
    const char *gpu;           /* words of the name; the first match counts */
    double memory_Bps;         /* reads and writes together */
    double l2_bytes_per_clock; /* read; 0: not published */
    double bus_Bps;            /* each way, after the line code */
    double nvlink_Bps;         /* each way; 0: no NVLink */
    const char *source;
};

/* A measured rate of a path. */
struct cs_datasheet_rate {
    enum cs_datasheet_path path;
    double rate_Bps;
    double clock_Hz; /* of the processors, maximum */
    bool whole;      /* enough blocks are at work to fill the path */
};

struct cs_datasheet_verdict {
    double limit_Bps;    /* 0: unknown */
    const char *source;  /* of the limit */
    const char *suspect; /* reason, or "" */
};

/* The data sheet of a GPU by its name in CUDA; NULL: unknown GPU. */
const struct cs_datasheet *cs_datasheet_find(const char *gpu);

/* Where vectors of so many bytes are, all vectors of a GPU together. */
enum cs_datasheet_path cs_datasheet_place(uint64_t vector_bytes, uint64_t l2_bytes);

/* No limit where `sheet` is NULL. */
struct cs_datasheet_verdict cs_datasheet_judge(const struct cs_datasheet *sheet,
                                               const struct cs_datasheet_rate *rate);

#endif
