/*
 * Timeline of a step: spans of computation and communication on one rank of each
 * stage; of the other data, context and tensor parallel ranks of a stage it is the
 * same.  In DataParallel a row is a device, with parameter servers a worker.
 *
 * A row has two streams.  Parts without a place in the model of a step, interference
 * and the wait for the slowest rank, are drawn behind the passes.
 *
 *     add    amortised O(1)
 */
#pragma once

#include "scenarios/train/job/step_log.h"

enum {
    CS_STEP_SPAN_NAME = 32
};

enum cs_step_stream {
    CS_STREAM_COMPUTE,
    CS_STREAM_CALLS, /* collectives and sends */
    CS_STREAMS,
};

enum cs_span_kind {
    CS_SPAN_FORWARD,
    CS_SPAN_BACKWARD,
    CS_SPAN_RECOMPUTE,
    CS_SPAN_OPTIMIZER,
    CS_SPAN_HOST,
    CS_SPAN_INTERFERENCE,
    CS_SPAN_JITTER,
    CS_SPAN_EXPOSED, /* compute waits for a collective */
    CS_SPAN_TENSOR,
    CS_SPAN_EXPERT,
    CS_SPAN_CONTEXT,
    CS_SPAN_SEND,
    CS_SPAN_DATA, /* gradients and parameters */
    CS_SPAN_KINDS,
};

struct cs_step_span {
    double from_s, to_s;
    double ready_s; /* of a bucket: its last gradient; else from_s */
    double bytes;   /* 0: none */
    uint32_t row;
    uint32_t micro;           /* micro batch from 0 */
    uint32_t leaves, arrives; /* number of an arrow from 1; 0: none */
    enum cs_step_stream stream;
    enum cs_span_kind kind;
    char name[CS_STEP_SPAN_NAME];
};

/* Zeroed: empty. */
struct cs_step_timeline {
    struct cs_step_span *spans;
    uint32_t count, room;
    const char *row; /* "stage", "device", "worker" */
    uint32_t rows;
    double end_s; /* of the last span */
};

/* "forward", "data parallel". */
extern const char *const cs_span_kind_names[CS_SPAN_KINDS];

/* Adds a span of `seconds` at *at_s on a stream, and moves *at_s to its end;
 * without effect for 0 seconds.  Returns the span, or NULL; valid until the next. */
struct cs_step_span *cs_step_add(struct cs_step_timeline *timeline, uint32_t row,
                                 enum cs_span_kind kind, double *at_s, double seconds);

/* Names the span; NULL is left alone. */
void cs_step_name(struct cs_step_span *span, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A row's step in parts that add up to its end. */
struct cs_step_use {
    double compute_s; /* passes, optimizer, interference */
    double exposed_s; /* a collective or a send runs, and no compute */
    double idle_s;    /* for the host, the slowest rank, other stages */
    double calls_s;   /* all collectives and sends, hidden or exposed */
};

/* O(spans + n log n), n of the row. */
struct cs_step_use cs_step_use_of(const struct cs_step_timeline *timeline, uint32_t row);

void cs_step_timeline_free(struct cs_step_timeline *timeline);
