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
#ifndef CS_VALIDATE_CUDA_GATE_H
#define CS_VALIDATE_CUDA_GATE_H

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

#endif
