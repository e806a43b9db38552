/*
 * Traces: events of a device in measured steps, from a profiler's file.
 *
 * A trace is a list of device events (kernels, copies, collectives) in the order
 * of starts, with the streams, the launch order and the recorded waits
 * between streams.  A collective has its kind, bytes, group and measured time.
 * Every communication record of the file is used or counted in `left_out`.
 *
 * A format is a file with a const struct, and a line in traces.def.
 *
 *     read   O(bytes + events log events); memory O(events kept)
 */
#pragma once

#include "algorithms/collective.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CS_TRACE_NONE = UINT32_MAX,
};

enum cs_trace_kind {
    CS_TRACE_COMPUTE,
    CS_TRACE_COPY,       /* copy engines: memcpy and memset */
    CS_TRACE_COLLECTIVE, /* `call` */
    CS_TRACE_FIXED,      /* a collective left out: time as measured */
    CS_TRACE_HOST,       /* passes on dependencies; takes no time, no stream */
};

struct cs_trace_event {
    double start_s; /* since the first event */
    double duration_s;
    uint64_t order;   /* of the launch on the host; 0: unknown */
    uint32_t stream;  /* streams of the device are numbered from 0 */
    uint32_t call;    /* index, or CS_TRACE_NONE */
    uint32_t channel; /* stream as in the file */
    enum cs_trace_kind kind;
};

/* The ranks of a communicator, as in the file; size 0: the machine's. */
struct cs_trace_group {
    uint32_t size;
    uint32_t *ranks;
};

struct cs_trace_call {
    const struct cs_collective *collective;
    uint64_t bytes; /* as in nccl-tests, see library.h */
    uint32_t group;
};

/* Work on `stream` launched after `order` waits for the work on `on_stream`
 * launched before `on_order`; streams as in the file. */
struct cs_trace_wait {
    uint64_t order, on_order;
    uint32_t stream, on_stream;
};

/* A dependency of the file: the event of `order` starts after the event of
 * `after`.  In a trace with dependencies the orders of events are unique. */
struct cs_trace_dependency {
    uint64_t order, after;
};

/* Why a communication record is not predicted. */
enum cs_trace_reason {
    CS_LEFT_HOST,       /* the host's record of a call whose kernel is used */
    CS_LEFT_ANNOTATION, /* a range around a kernel */
    CS_LEFT_NO_RECORD,  /* a kernel of NCCL or RCCL without a call */
    CS_LEFT_UNKNOWN,    /* an unknown collective */
    CS_LEFT_DTYPE,      /* an unknown element type */
    CS_LEFT_SINGLE,     /* a group of one rank */
    CS_LEFT_EMPTY,      /* no elements */
    CS_LEFT_INCOMPLETE, /* a time, the size or the group is missing */
    CS_LEFT_REASONS,
};

/* A process group as the file describes it, apart from its calls. */
struct cs_trace_named {
    char name[32];
    uint32_t *ranks;
    uint32_t size;
};

/* What a file lacks. */
struct cs_trace_gaps {
    uint64_t left_out[CS_LEFT_REASONS];
    char unknown[48];     /* the first unknown collective or type; "": none */
    uint64_t records;     /* of communication: used or left out */
    uint64_t uneven;      /* all-to-alls with unequal blocks */
    uint64_t dangling;    /* dependencies on missing events */
    uint32_t devices;     /* more than one: events of the first are kept; 0: not recorded */
    bool scheduled;       /* the file has durations, and no starts */
    bool untimed;         /* nor durations */
    bool control_dropped; /* control dependencies form cycles: not used */
    bool truncated;       /* the file ends inside of the document */
    unsigned truncated_line;
};

/* The measured device. */
struct cs_trace_origin {
    uint32_t rank, world; /* world 0: unknown */
    bool is_ranked;       /* false: the file states no rank; `rank` is 0 */
    char device[64];      /* "NVIDIA A100-SXM4-80GB"; "": unknown */
    char library[32];     /* version of NCCL, "2.21.5"; "": unknown */
};

struct cs_trace {
    struct cs_trace_event *events;
    struct cs_trace_call *calls;
    struct cs_trace_group *groups;
    struct cs_trace_named *named;
    struct cs_trace_wait *waits; /* by stream, then by order */
    struct cs_trace_dependency *dependencies;
    uint32_t event_count, call_count, group_count, named_count, wait_count;
    uint32_t dependency_count;
    uint32_t streams;
    uint32_t steps;      /* measured; at least 1 */
    bool steps_recorded; /* false: the whole trace is a step */
    struct cs_trace_origin origin;
    struct cs_trace_gaps gaps;
    uint64_t bytes;       /* of the file, as far as read */
    uint64_t file_events; /* kept or not */
};

/* A file or a pipe, with the first bytes read. */
struct cs_trace_file {
    const char *path;
    const char *start;
    size_t length;
    FILE *file; /* behind the first bytes; NULL: no more bytes */
};

struct cs_trace_format {
    const char *name; /* "kineto" */
    const char *about;
    /* Whether the first bytes have the format. */
    bool (*recognises)(const char *start, size_t length);
    /* Appends to an empty trace; CS_EINPUT with the place. */
    int (*read)(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err);
};

extern const struct cs_trace_format *const cs_trace_formats[];
extern const size_t cs_trace_format_count;

/* Reads a file or a pipe.  CS_EINPUT for a missing file, an unknown format and
 * errors of the content; the caller frees the trace, after errors too. */
int cs_trace_read(const char *path, struct cs_trace *trace, struct cs_err *err);
/* From memory; `name` is the file in messages. */
int cs_trace_read_text(const char *name, const char *text, size_t length, struct cs_trace *trace,
                       struct cs_err *err);
void cs_trace_free(struct cs_trace *trace);

/* "a group of one rank". */
const char *cs_trace_reason_text(enum cs_trace_reason reason);

/* ---- for readers of formats */

/* The items, with room for one more than `count`: a function of the count alone. */
void *cs_trace_room(void *items, size_t count, size_t size);

struct cs_trace_event *cs_trace_add_event(struct cs_trace *trace);
uint32_t cs_trace_add_call(struct cs_trace *trace, struct cs_trace_call call);
void cs_trace_add_wait(struct cs_trace *trace, struct cs_trace_wait wait);
void cs_trace_add_dependency(struct cs_trace *trace, uint64_t order, uint64_t after);
/* The group of the ranks, added where new; the ranks are copied. */
uint32_t cs_trace_group_of(struct cs_trace *trace, const uint32_t *ranks, uint32_t size);

/* Names a group for calls whose list of ranks was cut; the ranks are copied. */
void cs_trace_name_group(struct cs_trace *trace, const char *name, const uint32_t *ranks,
                         uint32_t size);

/* The first group of that name, or NULL. */
const struct cs_trace_named *cs_trace_named_group(const struct cs_trace *trace, const char *name);
