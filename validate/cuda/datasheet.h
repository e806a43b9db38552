/*
 * Data sheets: what GPUs cannot exceed, and what they should come near to.
 *
 * A rate above the limit, or below a third of it where all of the GPU is at
 * work, is suspect: of the benchmark, of a slot with fewer lanes, of a GPU that
 * is throttled or shared.  It is reported, never corrected.
 *
 * libc only: this is part of collsim-cuda.
 */
#ifndef CS_VALIDATE_CUDA_DATASHEET_H
#define CS_VALIDATE_CUDA_DATASHEET_H

#include <stdbool.h>
#include <stdint.h>

enum cs_datasheet_path {
    CS_DATASHEET_NONE, /* between L2 and memory: nothing is known */
    CS_DATASHEET_MEMORY,
    CS_DATASHEET_L2,
    CS_DATASHEET_BUS, /* PCIe, each way */
};

struct cs_datasheet {
    const char *gpu;           /* in its name, the first that is */
    double memory_Bps;         /* read and written together */
    double l2_bytes_per_clock; /* read; 0: not published */
    double bus_Bps;            /* each way, behind its line code */
    const char *source;
};

/* What was measured: bytes a second that crossed the path. */
struct cs_datasheet_rate {
    enum cs_datasheet_path path;
    double rate_Bps;
    double clock_Hz; /* of the processors, the most there is */
    bool whole;      /* enough of the GPU is at work to fill the path */
};

struct cs_datasheet_verdict {
    double limit_Bps;    /* 0: not known */
    const char *source;  /* of the limit */
    const char *suspect; /* why, or "" */
};

/* By the name that CUDA has for a GPU; NULL: not known. */
const struct cs_datasheet *cs_datasheet_find(const char *gpu);

/* Where bytes of vectors are that many GPU's blocks work on together. */
enum cs_datasheet_path cs_datasheet_place(uint64_t vector_bytes,
                                          uint64_t l2_bytes);

/* `sheet` may be NULL. */
struct cs_datasheet_verdict cs_datasheet_judge(
    const struct cs_datasheet *sheet, const struct cs_datasheet_rate *rate);

#endif
