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
#pragma once

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

/*
 * Gates: plausible ranges of the figures of a calibration.
 *
 * A data sheet (datasheet.h) bounds a rate.  A gate bounds a latency, a clock or
 * the ratio of two rates, where no data sheet has a number: the range is an estimate
 * with a reason.  A figure outside the range is reported as unexpected in the line,
 * never corrected and never dropped: the benchmark may be wrong, the GPU throttled
 * or shared, or the estimate too narrow.
 *
 * libc only: this is part of collsim-cuda.
 */

enum cs_gate {
    CS_GATE_MESSAGE_DEVICE,   /* s, 16 bytes from rank to rank on a GPU */
    CS_GATE_MESSAGE_HOST,     /* s, through pinned memory */
    CS_GATE_HOST_OF_DEVICE,   /* ratio of message_host to message_device */
    CS_GATE_LAUNCH,           /* s, events less the device's clock, empty run */
    CS_GATE_EVENT,            /* s, events less the device's clock, a run */
    CS_GATE_GRAPH_COPY,       /* s, a small copy in a chain of copies */
    CS_GATE_TIMER,            /* s, step of the device's clock */
    CS_GATE_BLOCKS_OF_ENGINE, /* copy by thread blocks to copy by engine */
    CS_GATE_L2_OF_MEMORY,     /* vectors in L2 to vectors in HBM */
    CS_GATE_BOTH_OF_ONE,      /* concurrent out and in to a single direction, PCIe */
    CS_GATE_MEMORY_OF_SHEET,  /* 2 * memory clock * bus / 8 to the data sheet */
    CS_GATE_CLOCK,            /* clock of the processors to the maximum */
    CS_GATE_MEMORY_CLOCK,     /* clock of the memory to the maximum */
    CS_GATES,
};

struct cs_gate_range {
    const char *key; /* in lines: gate_KEY, unexpected_KEY */
    double least, most;
    const char *reason;
};

/* The range of a gate. */
const struct cs_gate_range *cs_gate_range_of(enum cs_gate gate);

/* "", "below" or "above" the range; NAN is "below". */
const char *cs_gate_judge(enum cs_gate gate, double value);
